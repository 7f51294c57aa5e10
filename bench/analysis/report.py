"""report.html: a campaign on one page that needs nothing else, to be read, mailed and printed."""

import json
import os
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from urllib.parse import quote

import jinja2
import pandas as pd
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup, escape

from bench.analysis import claims, findings, growth, hosts, page_contents, scores, speedup, tables, trust
from bench.analysis.hints import hints
from bench.analysis.measurements import Measurement, is_conclusive, measurements, without_variants
from bench.analysis.plots import drawing
from bench.analysis.plots.drawing import Drawn
from bench.analysis.plots.inline import inline
from bench.analysis.plots.pictures import pictures, unreadable
from bench.analysis.units import count, factor, milliseconds, plural, ratio_interval, seconds
from bench.campaign.machine_json import Facts, Session, own_instances, read_facts
from bench.campaign.recorder import path_of
from bench.catalogue.errors import RequestError, writing
from bench.contract import Status
from bench.environment.files import replace_file
from bench.instruments.explain import worth
from bench.instruments.which.across import conclusions
from bench.instruments.which.kinds import samples
from bench.instruments.which.wording import answers, bounded, slowdown


@dataclass(frozen=True)
class Published:
    """The files written for a campaign, and why pictures are missing, a line each."""

    files: list[Path]
    problems: list[str]


def make_report(
    runs: pd.DataFrame,
    measured: Sequence[Measurement],
    drawn: Sequence[Drawn],
    facts: Facts,
    folder: Path,
    problems: Sequence[str] = (),
    within: Path | None = None,
) -> str:
    """The page of the campaign in a folder.

    Args:
        runs: of `tables.read_runs`.
        measured: `measurements` of these runs, with variants.
        problems: why pictures are missing.
        within: the folder of the page, where links to files of the campaign begin; None for that folder.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "page"), undefined=jinja2.StrictUndefined,
        autoescape=True, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters |= {
        "count": count, "factor": factor, "ms": milliseconds, "plural": plural, "seconds": seconds,
        "timing": page_contents.timing, "bounded": bounded, "slowdown": slowdown, "code": _code,
        "ratio": ratio_interval,
    }  # fmt: skip
    with_variants, measured = measured, without_variants(measured)
    best = scores.best_formulations(measured)
    concluded = conclusions(samples(measured))
    shared, left_out = scores.shared(best)
    pairs = scores.pairs(best)
    shown = {picture.name: inline(picture) for picture in drawn if not picture.problem}
    missing = {picture.name: picture.problem for picture in drawn if picture.problem}
    found = hosts.hosts(runs)
    shown_parts = [part for each in with_variants for part in each.by_kind]
    logs = [_log_link(part, folder, within or folder) for part in shown_parts]
    solver = ["backend", "solver", "solver_version"]
    solvers = runs[solver].drop_duplicates().sort_values(solver[:2]).itertuples(index=False)
    return environment.get_template("report.html").render(
        campaign=(facts.campaign if facts.merged else runs["campaign"].iloc[0]) or "campaign",
        merged=len(facts.merged),
        started=runs["started_at"].min()[:16].replace("T", " "),
        runs=len(runs),
        conclusive=int(is_conclusive(runs).sum()),
        puzzles=list(dict.fromkeys(each.puzzle for each in measured)),
        instances=len({(each.puzzle, each.instance) for each in measured}),
        statuses=sorted({each.status for each in with_variants}),
        backends=page_contents.backend_marks(measured),
        backend_words={
            name: words for name, words in tables.BACKENDS.items() if name in set(runs["backend"])
        },
        threads=runs["threads"].max(),
        machine=", ".join(sorted(set(runs["cpu"]) - {""})) or "a machine that is not named",
        remarks=trust.on_trust(runs) + trust.on_sessions(runs),
        disagreements=claims.disagreements(runs),
        wrong=int((runs["status"] == Status.WRONG).sum()),
        alone=claims.unconfirmed(runs, own_instances(facts)),
        hints=list(hints(runs, measured, facts, folder)),
        problems=problems,
        tasks=tables.TASKS,
        overview=page_contents.overview(best),
        sections=page_contents.puzzle_sections(runs, measured, shown, missing),
        why=page_contents.why_section(runs, with_variants, shown),
        pictures=shown,
        concluded=concluded if concluded.samples else None,
        answers=answers(concluded),
        frontier=growth.frontier(growth.steps(measured)),
        growth={name: caption for name in shown if (caption := _growth_caption(name))},
        speedups=speedup.speedups(speedup.gains(measured)),
        left_out=left_out,
        scores=scores.scores(shared),
        shift_s=scores.SHIFT_S,
        virtual_best=scores.VIRTUAL_BEST,
        resolution_s=tables.RESOLUTION_S,
        pairs=pairs,
        pair_findings=[said for task in tables.TASKS if (said := findings.on_pairs(pairs, task))],
        worth=worth.worth(measured),
        curves=htmlsafe_json_dumps([asdict(each) for each in page_contents.curve_data(shared)], json.dumps),
        logs=any(logs),
        rounds=any(each.figures.rounds is not None for each in measured),
        measurements=list(zip(shown_parts, logs, strict=True)),
        failures=page_contents.failures(runs),
        hosts=found if len(found) > 1 else [],
        of_cluster=len(found) if any(_on_cluster(session) for session in facts.sessions) else 0,
        alike=f"{hosts.ALIKE - 1:.0%}",
        several_kinds=len({host.kind for host in found}) > 1,
        sessions=_sessions(facts),
        command=_repeating_command(runs),
        solvers=[f"{backend}:{solver} {version}" for backend, solver, version in solvers],
        provenance={column: ", ".join(sorted(set(runs[column]) - {""})) for column in tables.PROVENANCE},
    )


def _code(text: str) -> Markup:
    """A sentence in which what stands between backticks is code."""
    return Markup(re.sub(r"`([^`]*)`", r"<code>\1</code>", str(escape(text))))


def _log_link(of: Measurement, folder: Path, within: Path) -> str:
    """The address of a measurement's log, relative to the folder `within`; empty if there is none."""
    log = path_of(folder, of.puzzle, of.instance, of.backend, of.solver, of.formulation, of.task, of.threads)
    return quote(os.path.relpath(log, within)) if log.is_file() else ""


def _growth_caption(picture: str) -> str:
    """What a picture of a family shows; empty for other pictures."""
    kind, _, family = picture.partition("-")
    words = {
        "growth": "time, branches, variables and memory over size; vertical bars: range over the instances",
        "givens": "time and branches over the number of givens",
    }
    if kind not in words:
        return ""
    *names, task = family.split("-")
    return f"{', '.join(names)}, {tables.TASKS[task]}: {words[kind]}"


def publish(
    folder: Path,
    plots: bool,
    page: Path | None,
    on_picture: Callable[[str, int, int], None] = lambda *_: None,
) -> Published:
    """Draws a campaign once, from its runs.csv; writes plots/, a page, or both.

    With a page only what it shows is drawn, and as SVG alone.

    Args:
        on_picture: as of `drawing.draw_all`.

    Raises:
        RequestError: if there is no runs.csv with rows, or a file cannot be written.
    """
    if page and not page.parent.is_dir():
        raise RequestError(f"{page.parent}: there is no such folder; make it or choose another --out")
    facts = read_facts(folder)
    runs = tables.read_runs(folder)
    measured = measurements(runs)
    wanted = list(pictures(runs, measured, own_instances(facts)))
    if page:
        wanted = [picture for picture in wanted if picture.name != "overview"]
    drawn = drawing.draw_all(wanted, not page, on_picture)
    problems = unreadable(runs, folder)
    if not facts.model_fields_set and (folder / "machine.json").exists():
        problems.append(f"{folder / 'machine.json'}: it cannot be read, and is ignored")
    problems += [f"{picture.name}: {picture.problem}" for picture in drawn if picture.problem]
    written = drawing.write(folder, drawn, without_variants(measured)) if plots else []
    if page:
        text = make_report(runs, measured, drawn, facts, folder, problems, page.parent)
        with writing(page, drawing.NOTHING_LOST):
            replace_file(page, text)
        written.append(page)
    return Published(written, problems)


_LISTED_FACTS = (
    "host", "cpu", "cores", "threads", "pinned", "memory_mb", "virtual", "system", "kernel", "governor",
    "turbo", "clock", "load", "unavailable", "python", "compiler", "libc", "version", "commit", "dirty",
)  # fmt: skip


@dataclass(frozen=True)
class _SessionFacts:
    """A session as the page shows it: facts, variables of the environment and versions, by name.

    Attributes:
        hosts: the facts of each host that executed runs on a cluster, by its name.
    """

    started: str
    command: str
    facts: Mapping[str, str]
    environment: Mapping[str, str]
    packages: Mapping[str, str]
    hosts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def _sessions(facts: Facts) -> list[_SessionFacts]:
    found = []
    for session in facts.sessions:
        told = session.model_dump() | session.request.model_dump()
        command = shlex.join(session.command)
        by_host = {name: _listed_facts(of_host) for name, of_host in session.hosts.items()}
        more = session.environment, session.packages, by_host
        found.append(_SessionFacts(session.started_at, command, _listed_facts(told), *more))
    return found


def _on_cluster(session: Session) -> bool:
    return bool(session.request.model_dump().get("cluster"))


def _listed_facts(told: Mapping[str, object]) -> dict[str, str]:
    """The facts that the page lists, as far as they are known."""
    return {
        key: value if isinstance(value, str) else json.dumps(value)
        for key in _LISTED_FACTS
        if (value := told.get(key)) is not None
    }


def _repeating_command(runs: pd.DataFrame) -> str:
    """A command that executes the runs again, from the runs alone; it may execute more than these."""
    backend = runs["backend"].where(runs["solver"] == "", runs["backend"] + ":" + runs["solver"])
    words = ["python", "-m", "bench", "run"]
    for option, names in (("--instance", runs["instance"]), ("--backend", backend),
                          ("--formulation", runs["formulation"]), ("--task", runs["task"])):  # fmt: skip
        for name in sorted(set(names) - {""}):
            words += [option, name]
    for option, column in (("--repeat", "repeat"), ("--seeds", "seed"), ("--time-limit", "time_limit_s"),
                           ("--memory-limit", "memory_limit_mb")):  # fmt: skip
        words += [option, f"{runs[column].max():g}"]
    threads = sorted(set(runs["threads"]))
    for number in threads if threads != [1] else ():
        words += ["--threads", f"{number:g}"]
    return shlex.join(words)
