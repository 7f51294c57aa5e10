"""report.html: a campaign on one page that needs nothing else, to be read, mailed and printed."""

import json
import os
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from urllib.parse import quote

import jinja2
import pandas as pd
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from bench import catalogue
from bench.analysis import compare, growth, scores, trust
from bench.analysis.measurements import Measurement, is_conclusive, measurements, without_variants
from bench.analysis.plots import drawing, style
from bench.analysis.plots.pictures import pictures, unreadable
from bench.analysis.releases import histories
from bench.analysis.tables import BACKENDS, MEASUREMENT, PROVENANCE, RESOLUTION_S, TASKS, grouped, read_runs
from bench.analysis.trajectories import with_solution
from bench.analysis.units import count, listed, plural, seconds
from bench.campaign.machine_json import Facts, read_facts
from bench.campaign.recorder import path_of
from bench.campaign.results import HASHED
from bench.catalogue.errors import RequestError, writing
from bench.contract import Status
from bench.environment.files import replace_file
from bench.report import findings, tables

_OF_INSTRUMENTS = {
    "which.html": "which backend to use",
    "which.md": "which backend to use",
    "why.html": "why, by the mechanisms of the solvers",
}
"""The pages that instruments write into the folder of a campaign."""

_LISTED_FACTS = (
    "host", "cpu", "cores", "threads", "pinned", "memory_mb", "virtual", "system", "kernel", "governor",
    "turbo", "clock", "load", "unavailable", "python", "compiler", "libc", "version", "commit", "dirty",
)  # fmt: skip


def templates(*folders: Path) -> jinja2.Environment:
    """The templates in these folders and of the report; what is shown in them is escaped."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader([*folders, Path(__file__).parent / "page"]), autoescape=True,
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip


def publish(
    folder: Path,
    plots: bool,
    page: Path | None,
    on_picture: Callable[[str, int, int], None] = lambda *_: None,
) -> tuple[list[Path], list[str]]:
    """Draws a campaign once, from its runs.csv; writes plots/ (with a page as SVG alone), a page, or both.

    Returns the files, and why pictures are missing, a line each. Raises RequestError if there is no runs.csv
    with rows, or a file cannot be written.
    """
    if page and not page.parent.is_dir():
        raise RequestError(f"{page.parent}: there is no such folder; make it or choose another --out")
    facts = read_facts(folder)
    runs = read_runs(folder)
    measured = measurements(runs, facts.own_instances)
    drawn = drawing.draw_all(list(pictures(runs, measured, facts.own_instances)), not page, on_picture)
    problems = unreadable(runs, folder)
    if not facts.model_fields_set and (folder / "machine.json").exists():
        problems.append(f"{folder / 'machine.json'}: it cannot be read, and is ignored")
    problems += [f"{picture.name}: {picture.problem}" for picture in drawn if picture.problem]
    written = drawing.write(folder, drawn) if plots else []
    if page:
        text = make_report(runs, measured, drawn, facts, folder, problems, page.parent)
        with writing(page, drawing.NOTHING_LOST):
            replace_file(page, text)
        written.append(page)
    return written, problems


def make_report(
    runs: pd.DataFrame,
    measured: Sequence[Measurement],
    drawn: Sequence[drawing.Drawn],
    facts: Facts,
    folder: Path,
    problems: Sequence[str] = (),
    within: Path | None = None,
) -> str:
    """The page of a campaign, measured with variants; links are relative to `within`, by default `folder`."""
    environment = templates()
    environment.filters |= {"count": count, "plural": plural, "seconds": seconds}
    environment.filters |= {"shell": shlex.join, "listed": _listed_facts}

    def address(file: Path) -> str:
        return quote(os.path.relpath(file, within or folder))

    with_variants, measured = measured, without_variants(measured)
    best = scores.best_formulations(measured)
    shared, left_out = scores.shared(best)
    shown = {picture.name: drawing.inline(picture) for picture in drawn if not picture.problem}
    named = attrgetter(*MEASUREMENT)
    listed_ones, many = compare.merged_by_size(with_variants), compare.by_size(with_variants)
    logs = [path_of(folder, *named(each)) for each in listed_ones]
    instances = [many.get(pair, pair[1]) for pair in zip(runs["puzzle"], runs["instance"], strict=True)]
    of = runs[["collection", "license"]].dropna().drop_duplicates().itertuples(index=False)
    link = Markup('<a href="{}" download>log</a>')
    links = [link.format(address(log)) if log.is_file() else "" for log in logs]
    return environment.get_template("report.html").render(
        _provenance(runs, facts),
        runs=len(runs),
        conclusive=int(is_conclusive(runs).sum()),
        instances=len({(each.puzzle, each.instance) for each in measured}),
        on_cluster=any(session.request.model_dump().get("cluster") for session in facts.sessions),
        wrong=int((runs["status"] == Status.WRONG).sum()),
        remarks=list(trust.on_trust(runs)),
        problems=problems,
        elsewhere=[
            (address(folder / name), words)
            for name, words in _OF_INSTRUMENTS.items()
            if (folder / name).is_file()
        ],
        verdict=[*findings.on_textbook_pairs(measured), *findings.conclusion(best)],
        standings=tables.standings(best),
        backend_words={name: words for name, words in BACKENDS.items() if name in set(runs["backend"])},
        alone=trust.unconfirmed(runs, facts.own_instances),
        hints=list(trust.hints(runs, measured, facts, folder)),
        backends=_marks(measured),
        puzzles=list(dict.fromkeys(each.puzzle for each in measured)),
        statuses=sorted({each.status for each in with_variants}),
        overview=tables.overview(compare.merged_by_size(best)),
        resolution_s=RESOLUTION_S,
        sections=list(_puzzle_sections(runs, measured)),
        pictures=shown,
        missing={picture.name: picture.problem for picture in drawn if picture.problem},
        families=[name for name in shown if name.startswith(("growth-", "givens-"))],
        frontiers=tables.frontiers(growth.climbs(measured)),
        releases=tables.releases(histories(measured)),
        speedups=tables.speedups(scores.speedups(scores.gains(measured))),
        pairs=tables.pairs(best),
        square=tables.square(measured),
        scores=tables.scores(best),
        left_out=left_out,
        shift_s=scores.SHIFT_S,
        virtual_best=scores.VIRTUAL_BEST,
        curves=_curves(shared),
        optimisation=tables.optimisation(measured),
        failures=tables.failures(runs.assign(instance=instances)),
        measurements=tables.measurements(listed_ones, links),
        many=many,
        collections=listed(f"{name} ({license_ or 'licence unknown'})" for name, license_ in of if name),
        hosts=tables.hosts(runs),
    )  # fmt: skip


def _marks(measured: Sequence[Measurement]) -> list[tuple[str, str, str]]:
    """The label of each backend, its colour, and its marker as a character."""
    shapes = dict(zip(style.MARKERS, "●■▲◆▼✚✖★", strict=True))
    looks = {label: style.style(label) for label in style.by_rank(each.label for each in measured)}
    return [(label, look.colour, shapes[look.marker]) for label, look in looks.items()]


def _puzzle_sections(runs: pd.DataFrame, measured: Sequence[Measurement]) -> Iterator[dict[str, object]]:
    """What the page says of each puzzle."""
    detailed, many = compare.compared_instances(measured), compare.by_size(measured)
    withheld = runs["solution"].astype(str).str.startswith(HASHED)
    solved = with_solution(runs[~withheld]).drop_duplicates(["puzzle", "instance"])
    for puzzle, own in grouped(measured, lambda each: each.puzzle).items():
        chosen = [instance for which, instance in detailed if which == puzzle]
        solvable = len({each.instance for each in own if each.conclusive})
        of_puzzle = solved.loc[solved["puzzle"] == puzzle, ["instance", "answer"]]
        if any((puzzle, instance) in many for instance in of_puzzle["instance"]):
            of_puzzle = of_puzzle[of_puzzle["instance"].isin(chosen)]
        yield {
            "puzzle": puzzle,
            "instances": len({each.instance for each in own}),
            "rules": catalogue.rules(puzzle) if catalogue.is_puzzle(puzzle) else "",
            "compared": [_compared(own, puzzle, instance) for instance in chosen],
            "left_out": f"{len(chosen)} of {plural(solvable, 'instance')}" if len(chosen) < solvable else "",
            "solutions": list(of_puzzle.itertuples(index=False, name=None)),
        }


def _compared(measured: Sequence[Measurement], puzzle: str, instance: str) -> dict[str, object]:
    """The models of one instance side by side, and who published results."""
    task = TASKS[compare.compared_task(measured, puzzle, instance)]
    models = compare.compared_models(measured, puzzle, instance)
    published = any(model.published for model in models)
    return {
        "instance": instance,
        "task": task,
        "findings": findings.on_same_models(measured, puzzle, instance),
        "table": tables.compared(models, f"{instance}, {task}; times in milliseconds"),
        "sources": [
            f"{each.system}: {each.source}" + (f" ({each.note})" if each.note else "")
            for each in compare.reported(puzzle)
            if published and each.instance == instance
        ],
    }


def _curves(shared: Sequence[Measurement]) -> Markup:
    """The times by which the page draws curves again when a backend or a puzzle is hidden, as JSON."""
    problems = [
        {
            "task": problem.task,
            "puzzle": problem.puzzle,
            "times": {each.label: float(f"{each.time_s:.6g}") if each.solved else None for each in group},
        }
        for problem, group in scores.by_problem(shared).items()
    ]
    return htmlsafe_json_dumps(problems, json.dumps)


def _provenance(runs: pd.DataFrame, facts: Facts) -> dict[str, object]:
    """Where the runs come from, and how to repeat them."""
    versions = {column: ", ".join(sorted(set(runs[column]) - {""})) for column in PROVENANCE}
    solvers = runs["backend"] + ":" + runs["solver"] + " " + runs["solver_version"]
    versions["solvers"] = ", ".join(sorted(set(solvers)))
    return {
        "campaign": (facts.campaign if facts.merged else runs["campaign"].iloc[0]) or "campaign",
        "merged": len(facts.merged),
        "started": runs["started_at"].min()[:16].replace("T", " "),
        "threads": runs["threads"].max(),
        "machine": versions["cpu"] or "a machine that is not named",
        "versions": versions,
        "sessions": [(each, each.model_dump() | each.request.model_dump()) for each in facts.sessions],
    }


def _listed_facts(told: Mapping[str, object]) -> dict[str, str]:
    return {
        key: value if isinstance(value, str) else json.dumps(value)
        for key in _LISTED_FACTS
        if (value := told.get(key)) is not None
    }
