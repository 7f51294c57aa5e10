"""report.html: a campaign on one page that needs nothing else, to be read, mailed and printed."""

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
import numpy as np
import pandas as pd
from markupsafe import Markup

from bench.analysis import findings, growth, scores, tables
from bench.analysis.plots import drawing, style
from bench.analysis.plots.across_puzzles import by_rank, cell_text, heat, heat_scale
from bench.analysis.plots.drawing import Drawn
from bench.analysis.units import count, factor, milliseconds, plural, seconds, span
from bench.campaign.machine_json import Facts, begun, find_puzzles, more_runs, own_instances, read_facts
from bench.campaign.validation import DONE
from bench.catalogue.errors import RequestError

MOST_FINDINGS = 24
"""A puzzle with more problems has its findings in the overview's table alone."""

THEMED = {
    style.INK: "ink",
    style.PAPER: "paper",
    style.GRID: "line",
    style.BAND: "band",
    style.MUTED: "muted",
    style.BAD: "bad",
}
"""The colours that follow the reader's light or dark scheme, and their names in report.css."""

PIXELS = 4 / 3
"""So many of a page make a point."""

SMALLEST = 0.72
"""Narrower pages scroll a picture rather than make it smaller than this; its text would be too small."""

SIZE = re.compile(r'<svg ([^>]*?)width="([0-9.]+)pt" height="[0-9.]+pt"')

LISTED_FACTS = (
    "host", "cpu", "cores", "threads", "pinned", "memory_mb", "virtual", "system", "kernel", "governor",
    "turbo", "clock", "load", "unavailable", "python", "compiler", "libc", "version", "commit", "dirty",
)  # fmt: skip


@dataclass(frozen=True)
class Published:
    """What was made of a campaign.

    Attributes:
        files: those that were written.
        problems: why pictures are missing, a line each.
    """

    files: list[Path]
    problems: list[str]


def make_report(
    runs: pd.DataFrame,
    table: pd.DataFrame,
    drawn: Sequence[Drawn],
    facts: Facts,
    folder: Path,
    problems: Sequence[str] = (),
) -> str:
    """The page.

    Args:
        runs: of `tables.read_runs`.
        table: of `tables.cells`.
        drawn: of `plots.draw_all`.
        facts: of `read_facts`.
        folder: of the campaign.
        problems: why pictures are missing.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "page"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {
        "count": count, "factor": factor, "ms": milliseconds, "plural": plural,
        "seconds": seconds,
    }  # fmt: skip
    led = scores.leading(table)
    shared, left_out = scores.shared(led)
    pairs = scores.pairs(led)
    pictures = {picture.name: inline(picture) for picture in drawn if not picture.problem}
    missing = {picture.name: picture.problem for picture in drawn if picture.problem}
    more, option = findings.too_few(runs, table)
    labels = by_rank(table["label"])
    climbed = growth.steps(runs)
    return environment.get_template("report.html").render(
        campaign=runs["campaign"].iloc[0] or "campaign",
        started=runs["started_at"].min()[:16].replace("T", " "),
        runs=len(runs),
        done=int(runs["status"].isin(DONE).sum()),
        puzzles=list(dict.fromkeys(table["puzzle"])),
        instances=table[["puzzle", "instance"]].drop_duplicates().shape[0],
        statuses=sorted(set(table["status"])),
        backends=[
            {"label": label, "colour": style.style(label)[0], "shape": shape(label)} for label in labels
        ],
        threads=runs["threads"].max(),
        machine=", ".join(sorted(set(runs["cpu"]) - {""})) or "a machine that is not named",
        remarks=findings.on_trust(runs) + findings.on_sessions(runs, begun(facts)),
        disagreements=tables.disagreements(runs),
        wrong=int((runs["status"] == "wrong").sum()),
        contradicted=int((runs["status"] == "contradicted").sum()),
        alone=findings.on_claims(runs, own_instances(facts, folder)),
        more_runs=findings.on_more_runs(more),
        more_command=more_runs(facts, folder, option),
        problems=problems,
        tasks=tables.TASKS,
        overview=overview(led),
        sections=sections(runs, table, led, pictures, missing),
        pictures=pictures,
        reached=reached(growth.frontier(climbed)) if len(climbed) else [],
        grown=[(name, caption) for name in pictures if (caption := grown(name))],
        left_out=left_out,
        scores=scores.scores(shared).to_dict("records") if len(shared) else [],
        shift_s=scores.SHIFT_S,
        pairs=pairs.to_dict("records"),
        pair_findings=[said for task in tables.TASKS if (said := findings.on_pairs(pairs, task))],
        times=times(shared),
        cells=[{**cell, "time": timing(cell)} for cell in table.to_dict("records")],
        failures=failures(runs, table),
        sessions=sessions(facts),
        command=command(runs),
        solvers=runs[["backend", "solver", "solver_version"]]
        .drop_duplicates()
        .sort_values(["backend", "solver"])
        .to_dict("records"),
        provenance={column: ", ".join(sorted(set(runs[column]) - {""})) for column in tables.PROVENANCE},
    )


def reached(frontier: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of the frontier with their figures in words."""
    return [
        row
        | {"time": "" if np.isnan(row["total_s"]) else f"{row['total_s']:.3g}", "exponent": str(row["rate"])}
        for row in frontier.to_dict("records")
    ]


def grown(picture: str) -> str:
    """What a picture of a family shows; nothing for other pictures."""
    kind, _, family = picture.partition("-")
    words = {
        "growth": "time, branches, variables and memory over size, with the range over instances of a size",
        "givens": "time and branches over the number of givens",
    }
    return f"{family.replace('-', ', ')}: {words[kind]}" if kind in words else ""


def shape(label: str) -> str:
    """A backend's marker as a character, for the page's own text."""
    return dict(zip(style.MARKERS, "●■▲◆▼✚✖★", strict=True))[style.style(label)[1]]


def timing(cell: Mapping[str, Any]) -> str:
    """The time of a cell with its interval, or nothing."""
    if not cell["done"]:
        return ""
    return ("~" if cell["coarse"] else "") + span(cell["total_s"], cell["total_low"], cell["total_high"])


def inline(picture: Drawn) -> Markup:
    """A picture to stand in the page: as wide as there is room, in the reader's colours.

    Solutions keep their own colours, on white.
    """
    solution = picture.name.startswith("solution-")

    def fluid(found: "re.Match[str]") -> str:
        most = float(found[2]) * PIXELS
        least = 0 if solution else SMALLEST * most
        return f'<svg {found[1]}style="max-width: {most:.0f}px; min-width: {least:.0f}px"'

    text = SIZE.sub(fluid, picture.svg, count=1)
    if not solution:
        for colour, name in THEMED.items():
            text = text.replace(f": {colour}", f": var(--{name})")
    # The picture is our own SVG, in which matplotlib has escaped every text.
    return Markup(text)


def overview(led: pd.DataFrame) -> list[dict[str, Any]]:
    """For each problem: its cells by label, coloured as in the heat map, and who won by how much."""
    scale = heat_scale(led)
    rows = []
    compared = scores.by_problem(scores.against_fastest(led))
    for (puzzle, instance, task), problem in compared.items():
        cells = {}
        for cell in problem:
            colour, ink = heat(cell["time_s"], *scale)
            cells[cell["label"]] = {
                "text": cell_text(cell), "title": f"{cell['formulation']}: {timing(cell)}",
                "colour": colour, "ink": ink,
                "time_s": cell["time_s"] if np.isfinite(cell["time_s"]) else 1e9,
            }  # fmt: skip
        winner, margin = findings.winner(problem)
        rows.append(
            {
                "puzzle": puzzle,
                "instance": instance,
                "task": task,
                "cells": cells,
                "winner": winner,
                "margin": margin,
            }
        )
    return rows


def sections(
    runs: pd.DataFrame,
    table: pd.DataFrame,
    led: pd.DataFrame,
    pictures: Mapping[str, Markup],
    missing: Mapping[str, str],
) -> list[dict[str, Any]]:
    """What the page says of each puzzle.

    Args:
        missing: the pictures that could not be drawn, and why.
    """
    compared = tables.compared_instances(table)
    answers = runs[(runs["status"] == "solved")].drop_duplicates(["puzzle", "instance"])
    made = []
    for puzzle in table["puzzle"].unique():
        problems = list(scores.by_problem(led[led["puzzle"] == puzzle]).values())
        solved = answers[answers["puzzle"] == puzzle]
        made.append(
            {
                "puzzle": puzzle,
                "findings": [findings.on_times(problem) for problem in problems[:MOST_FINDINGS]],
                "more": max(0, len(problems) - MOST_FINDINGS),
                "times": pictures.get(f"times-{puzzle}"),
                "comparisons": [
                    compared_models(table, led, puzzle, instance)
                    | {"picture": pictures.get(f"comparison-{puzzle}-{instance}")}
                    for which, instance in compared
                    if which == puzzle
                ],
                "left_out": findings.on_left_out(table, puzzle),
                "solutions": [
                    {
                        "instance": name,
                        "answer": answer,
                        "picture": pictures.get(f"solution-{puzzle}-{name}"),
                        "why": missing.get(
                            f"solution-{puzzle}-{name}",
                            "its file or its puzzle is not at hand as it was measured",
                        ).removeprefix("no picture: "),
                    }
                    for name, answer in zip(solved["instance"], solved["answer"], strict=True)
                ],
            }
        )
    return made


def compared_models(table: pd.DataFrame, led: pd.DataFrame, puzzle: str, instance: str) -> dict[str, Any]:
    """The models of one instance side by side: their table, what is found, who reported figures."""
    task = tables.compared_task(table, puzzle, instance)
    which = (led["puzzle"] == puzzle) & (led["instance"] == instance) & (led["task"] == task)
    cells = led[which].to_dict("records")
    compared = tables.comparison(table, puzzle, instance)
    reported = tables.reported_figures(puzzle)
    reported = reported[(reported["instance"] == instance) & compared["reported"].any()]
    lines = [
        *findings.on_seed_models(table, puzzle, instance),
        findings.on_sizes(cells),
        findings.on_branches(cells),
        findings.on_phases(cells),
    ]
    return {
        "instance": instance,
        "task": task,
        "rows": compared.to_dict("records"),
        "findings": [line for line in lines if line],
        "sources": [
            f"{row['system']}: {row['source']}" + (f" ({row['note']})" if row["note"] else "")
            for row in reported.to_dict("records")
        ],
    }


def times(shared: pd.DataFrame) -> list[dict[str, Any]]:
    """The data of the curves, for the page to draw them again when a backend or a puzzle is hidden."""
    return [
        {
            "task": task,
            "puzzle": puzzle,
            "times": {
                cell["label"]: float(f"{cell['time_s']:.6g}") if np.isfinite(cell["time_s"]) else None
                for cell in problem
            },
        }
        for (puzzle, _, task), problem in scores.by_problem(shared).items()
    ]


def failures(runs: pd.DataFrame, table: pd.DataFrame) -> list[dict[str, Any]]:
    """Every failure with its message; equal ones of a model once, with their number."""
    failed = runs[~runs["status"].isin(DONE)]
    columns = [*tables.CELL, "status", "error"]
    counted = failed.groupby(columns, sort=False).size().rename("runs").reset_index()
    rows: list[dict[str, Any]] = counted.merge(table[[*tables.CELL, "label"]]).to_dict("records")
    return rows


def sessions(facts: Facts) -> list[dict[str, Any]]:
    """What machine.json says of each session of the campaign, as text."""
    made = []
    for session in facts.sessions:
        told = session.model_dump() | session.request.model_dump()
        made.append(
            {
                "started": session.started_at,
                "command": shlex.join(session.command),
                "facts": {key: shown(told[key]) for key in LISTED_FACTS if told.get(key) is not None},
                "environment": session.environment,
                "packages": session.packages,
            }
        )
    return made


def shown(value: Any) -> str:
    """A fact of machine.json as text."""
    return value if isinstance(value, str) else json.dumps(value)


def command(runs: pd.DataFrame) -> str:
    """A command that makes the runs again, from the runs alone; it may make more than these."""

    def names(column: str) -> list[str]:
        return sorted(set(runs[column]) - {""})

    solvers = runs[["backend", "solver"]].drop_duplicates()
    words = ["python", "-m", "bench", "run"]
    words += [word for name in names("instance") for word in ("--instance", name)]
    for backend, solver in solvers.sort_values(["backend", "solver"]).itertuples(index=False):
        words += ["--backend", f"{backend}:{solver}" if solver else backend]
    words += [word for name in names("formulation") for word in ("--formulation", name)]
    words += [word for name in names("task") for word in ("--task", name)]
    for option, column in (("--repeat", "repeat"), ("--seeds", "seed"), ("--time-limit", "time_limit_s"),
                           ("--memory-limit", "memory_limit_mb")):  # fmt: skip
        words += [option, f"{runs[column].max():g}"]
    return shlex.join(words)


def publish(folder: Path, plots_too: bool, page: Path | None) -> Published:
    """Draws a campaign once, from its runs.csv; writes its plots, its page, or both.

    Args:
        folder: of the campaign.
        plots_too: whether to write plots/.
        page: the file for the page; None for no page.

    Returns:
        The files written, and what is missing in them.

    Raises:
        RequestError: if there is no runs.csv with rows, or a file cannot be written.
    """
    if page and not page.parent.is_dir():
        raise RequestError(f"{page.parent}: there is no such folder; make it or choose another --out")
    facts = read_facts(folder)
    find_puzzles(facts, folder)
    runs = tables.read_runs(folder)
    table = tables.cells(runs)
    pictures = list(drawing.pictures(runs, table, own_instances(facts, folder)))
    if not plots_too:
        pictures = [picture for picture in pictures if picture.name != "overview"]
    drawn = drawing.draw_all(pictures, png=plots_too)
    problems = drawing.unreadable(runs) + [
        f"{picture.name}: {picture.problem}" for picture in drawn if picture.problem
    ]
    try:
        written = drawing.write(folder, drawn, table) if plots_too else []
        if page:
            page.write_text(make_report(runs, table, drawn, facts, folder, problems), encoding="utf-8")
            written.append(page)
    except OSError as error:
        raise RequestError(f"{error.filename}: {error.strerror}; nothing recorded is lost") from None
    return Published(written, problems)
