"""report.html: a campaign on one page that needs nothing else, to be read, mailed and printed."""

import json
import re
import shlex
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
import numpy as np
import pandas as pd
from markupsafe import Markup

from bench.analysis import (
    claims,
    comparison,
    findings,
    growth,
    old_scores,
    old_tables,
    puzzles,
    scores,
    tables,
    trust,
)
from bench.analysis.measurements import Measurement, Problem, measurements
from bench.analysis.plots import drawing, style
from bench.analysis.plots.across_puzzles import by_rank, cell_text, heat, heat_scale
from bench.analysis.plots.drawing import Drawn
from bench.analysis.units import count, factor, milliseconds, plural, seconds, span
from bench.campaign.machine_json import Facts, begun, find_puzzles, more_runs, own_instances, read_facts
from bench.campaign.validation import DONE
from bench.catalogue.errors import RequestError
from bench.contract import Task

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
    led = old_scores.leading(table)
    measured = measurements(runs)
    best = scores.best_formulations(measured)
    shared, left_out = scores.shared(best)
    pairs = scores.pairs(best)
    pictures = {picture.name: inline(picture) for picture in drawn if not picture.problem}
    missing = {picture.name: picture.problem for picture in drawn if picture.problem}
    more, option = findings.too_few(runs, measured)
    labels = by_rank(table["label"])
    climbed = growth.steps(measured)
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
        remarks=trust.on_trust(runs) + trust.on_sessions(runs, begun(facts)),
        disagreements=claims.disagreements(runs),
        wrong=int((runs["status"] == "wrong").sum()),
        contradicted=int((runs["status"] == "contradicted").sum()),
        alone=claims.unconfirmed(runs, own_instances(facts, folder)),
        more_runs=findings.on_more_runs(more),
        more_command=more_runs(facts, folder, option),
        problems=problems,
        tasks=tables.TASKS,
        overview=overview(led, best),
        sections=sections(runs, measured, pictures, missing),
        pictures=pictures,
        reached=reached(growth.frontier(climbed)),
        grown=[(name, caption) for name in pictures if (caption := grown(name))],
        left_out=left_out,
        scores=scores.scores(shared),
        shift_s=scores.SHIFT_S,
        pairs=pairs,
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


def reached(frontier: Sequence[growth.Frontier]) -> list[dict[str, Any]]:
    """The rows of the frontier with their figures in words."""
    return [
        {
            "puzzle": each.family.puzzle,
            "family": each.family.name,
            "task": each.family.task,
            "label": each.label,
            "formulation": each.formulation,
            "size": each.size,
            "time": "" if each.total_s is None else f"{each.total_s:.3g}",
            "failed": each.failed,
            "status": each.status or "",
            "exponent": str(each.rate or ""),
        }
        for each in frontier
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


def overview(led: pd.DataFrame, best: Sequence[Measurement]) -> list[dict[str, Any]]:
    """For each problem: its cells by label, coloured as in the heat map, and who won by how much."""
    scale = heat_scale(led)
    rows = []
    slowdowns = scores.by_problem(scores.slowdowns(best))
    for (puzzle, instance, task), problem in old_scores.by_problem(led).items():
        cells = {}
        for cell in problem:
            colour, ink = heat(cell["time_s"], *scale)
            cells[cell["label"]] = {
                "text": cell_text(cell), "title": f"{cell['formulation']}: {timing(cell)}",
                "colour": colour, "ink": ink,
                "time_s": cell["time_s"] if np.isfinite(cell["time_s"]) else 1e9,
            }  # fmt: skip
        winner, margin = findings.winner(slowdowns[Problem(puzzle, instance, Task(task))])
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
    measured: Sequence[Measurement],
    pictures: Mapping[str, Markup],
    missing: Mapping[str, str],
) -> list[dict[str, Any]]:
    """What the page says of each puzzle.

    Args:
        missing: the pictures that could not be drawn, and why.
    """
    compared = comparison.compared_instances(measured)
    by_puzzle: dict[str, list[list[Measurement]]] = defaultdict(list)
    for problem in scores.by_problem(scores.best_formulations(measured)).values():
        by_puzzle[problem[0].puzzle].append(problem)
    answers = runs[(runs["status"] == "solved")].drop_duplicates(["puzzle", "instance"])
    made = []
    for puzzle, problems in by_puzzle.items():
        solved = answers[answers["puzzle"] == puzzle]
        made.append(
            {
                "puzzle": puzzle,
                "findings": [findings.on_times(problem) for problem in problems[:MOST_FINDINGS]],
                "more": max(0, len(problems) - MOST_FINDINGS),
                "times": pictures.get(f"times-{puzzle}"),
                "comparisons": [
                    compared_models(measured, puzzle, instance)
                    | {"picture": pictures.get(f"comparison-{puzzle}-{instance}")}
                    for which, instance in compared
                    if which == puzzle
                ],
                "left_out": findings.on_left_out(measured, puzzle),
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


def compared_models(measured: Sequence[Measurement], puzzle: str, instance: str) -> dict[str, Any]:
    """The models of one instance side by side: their table, what is found, who published results."""
    task = comparison.compared_task(measured, puzzle, instance)
    problem = (puzzle, instance, task)
    best = [each for each in scores.best_formulations(measured) if each.problem == problem]
    compared = comparison.compared_models(measured, puzzle, instance)
    published = any(model.published for model in compared)
    lines = [
        *findings.on_published_models(measured, puzzle, instance),
        findings.on_sizes(best),
        findings.on_branches(best),
        findings.on_phases(best),
    ]
    return {
        "instance": instance,
        "task": task,
        "rows": compared,
        "findings": [line for line in lines if line],
        "sources": [
            f"{each.system}: {each.source}" + (f" ({each.note})" if each.note else "")
            for each in puzzles.reported(puzzle)
            if each.instance == instance and published
        ],
    }


def times(shared: Sequence[Measurement]) -> list[dict[str, Any]]:
    """The data of the curves, for the page to draw them again when a backend or a puzzle is hidden."""
    return [
        {
            "task": task,
            "puzzle": puzzle,
            "times": {each.label: float(f"{each.time_s:.6g}") if each.solved else None for each in problem},
        }
        for (puzzle, _, task), problem in scores.by_problem(shared).items()
    ]


def failures(runs: pd.DataFrame, table: pd.DataFrame) -> list[dict[str, Any]]:
    """Every failure with its message; equal ones of a model once, with their number."""
    failed = runs[~runs["status"].isin(DONE)]
    columns = [*tables.MEASUREMENT, "status", "error"]
    counted = failed.groupby(columns, sort=False).size().rename("runs").reset_index()
    rows: list[dict[str, Any]] = counted.merge(table[[*tables.MEASUREMENT, "label"]]).to_dict("records")
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
    table = old_tables.cells(runs)
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
