"""How far the figures and claims of a campaign can be trusted, and what it left out for the sake of time."""

import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from bench import catalogue
from bench.analysis import tables
from bench.analysis.compare import compare
from bench.analysis.measurements import Measurement, Problem, is_conclusive
from bench.analysis.scores import best_formulations, by_problem, ranked
from bench.analysis.tables import DEFAULTS, MEASUREMENT, PROVENANCE, SPANS, grouped, is_variant
from bench.analysis.units import MOST_NAMED, are, listed, milliseconds, plural, seconds, shortened
from bench.campaign.machine_json import Asked, Facts, more_runs
from bench.campaign.schedule import SMALLEST_SAMPLE
from bench.campaign.selection import TIME_LIMIT_S
from bench.contract import Status, Task
from bench.environment.reference_load import STEADY
from bench.environment.releases import known_fault
from bench.stats import variation

_LIBRARIES = {
    "coin-bc": "cbc", "clingcon": "clingo",
    "cpsat": "ortools", "cp-sat": "ortools", "or-tools": "ortools", "sat": "ortools",
}  # fmt: skip
"""The libraries of solvers with another name; `sat` is MiniZinc's name for that of OR-Tools."""


class _Remark(NamedTuple):
    """A sentence on the figures; some are warnings, some end with a command."""

    text: str
    warns: bool = False
    command: str = ""


def on_trust(runs: pd.DataFrame) -> Iterator[_Remark]:
    """The overhead of the harness, how steady the machine was, and what else may have affected the times."""
    if parts := [
        f"{backend} {milliseconds(overhead.median())} ({milliseconds(overhead.quantile(0.95))})"
        for backend, overhead in runs.dropna(subset="overhead_s").groupby("backend")["overhead_s"]
    ]:
        yield _Remark(f"Overhead of the harness per run in ms, median (95th percentile): {', '.join(parts)}.")
    yield from _on_reference_load(runs)
    times = runs[is_conclusive(runs)].groupby([*MEASUREMENT, "seed", "host"])["total_s"]
    variations = (times.std() / times.mean())[times.size() > 1]
    if parts := [
        f"{varies.median():.1%} (times {span}, {plural(len(varies), 'measurement')})"
        for span, ends in SPANS.items()
        if len(varies := variations[times.median().between(*ends, inclusive="left")])
    ]:
        yield _Remark(
            f"Between runs with the same seed, the total time typically varied by {listed(parts)}; this is "
            "the median coefficient of variation."
        )
    if disturbed := int(runs["disturbed"].sum()):
        were, cores = ("was", "its core was") if disturbed == 1 else ("were", "their cores were")
        text = (
            f"{disturbed:,} of {plural(len(runs), 'run')} {were} disturbed: {cores} busy with something else "
            "for more than 2% of the time (column disturbed)."
        )
        yield _Remark(text, warns=True)
    if len(hosts := tables.hosts(runs)) > 1:
        yield _Remark(f"Executed on {len(hosts)} hosts; ratios are within blocks, medians over all hosts.")
    for column, noun in PROVENANCE.items():
        # That several hosts have different processors is no surprise.
        number = runs.groupby("host")[column].nunique().max() if column == "cpu" else runs[column].nunique()
        if column != "host" and number > 1:
            yield _Remark(f"The runs come from {number} {noun}, and their times are pooled.", warns=True)
    superseded: dict[str, int] = runs.attrs.get("superseded", {})
    if parts := [f"{plural(number, 'row')} of {reason}" for reason, number in superseded.items() if number]:
        yield _Remark(f"{listed(parts)} {are(sum(superseded.values()))} left out.")
    yield from on_releases(runs)
    yield from on_sessions(runs)


def _on_reference_load(runs: pd.DataFrame) -> Iterator[_Remark]:
    """How steady the machine was, by the reference load; of several hosts the least steady one."""
    loads = {
        str(name): executed["reference_s"].dropna().drop_duplicates().tolist()
        for name, executed in runs.groupby("host")
    }
    host, times = max(loads.items(), key=lambda each: (variation(each[1]), len(each[1])))
    where, which = (f" on {host}", host) if len(loads) > 1 else ("", "The machine")
    load = "The reference load, a fixed computation between the runs, "
    if len(times) == 1:
        each = " on each host" if where else f": {milliseconds(times[0])} ms"
        yield _Remark(f"{load}was measured once{each}, so drift is unknown.")
    elif times:
        varies = variation(times)
        extent = f"{milliseconds(min(times))} to {milliseconds(max(times))} ms in {len(times)} measurements"
        unsteady = varies > STEADY
        note = f" {which} is not steady: small differences are not meaningful." if unsteady else ""
        most = f" most{where}," * bool(where)
        yield _Remark(f"{load}varied{most} by {varies:.1%} ({extent}).{note}", unsteady)


def on_sessions(runs: pd.DataFrame) -> Iterator[_Remark]:
    """Which models were measured in different sessions from those that they are compared with."""
    done = runs[is_conclusive(runs) & runs["total_s"].notna()]
    # Of merged campaigns each counts as one session: machine.json does not say which sessions are whose, and
    # shards may be executed at the same time.
    merged = runs["campaign"].nunique() > 1
    done = done.assign(session=done["campaign"] if merged else done.get("session", 0))
    if done["session"].nunique() < 2:
        return
    # On one host they are compared nevertheless; of several hosts only blocks are, which are of one session.
    apart: dict[bool, dict[str, set[str]]] = {several: defaultdict(set) for several in (False, True)}
    for (_, instance, _), compared in done.groupby(list(Problem._fields)):
        models = (tables.labels(compared) + " " + compared["formulation"]).str.rstrip()
        shares = pd.crosstab(models, compared["session"], normalize="index")
        # Two are measured together if more than three quarters of their runs are of the same sessions.
        overlap = np.minimum(shares.to_numpy()[:, None], shares.to_numpy()).sum(axis=2) > 0.75
        # Most are together with this one; of equals, with the first session.
        order = sorted(range(len(shares)), key=lambda row: (-overlap[row].sum(), *-shares.to_numpy()[row]))
        for model, together in zip(shares.index, overlap[order[0]], strict=True):
            if not together:
                apart[compared["host"].nunique() > 1][str(model)].add(str(instance))
    for several, models in apart.items():
        consequence = "ratios between them include any change of the machine in between"
        if several:
            consequence = "as several hosts executed them, only their runs of the same session are compared"
        if models:
            names, instances = sorted(models, key=tables.rank), sorted(set().union(*models.values()))
            text = (
                f"{shortened(names)} {'was' if len(names) == 1 else 'were'} measured in a different session "
                f"from the other models ({shortened(instances)}): {consequence}; --redo all measures all of "
                "them again, interleaved."
            )
            yield _Remark(text, warns=True)


def on_releases(runs: pd.DataFrame) -> list[_Remark]:
    """Which runs were executed by a solver release that is known to give wrong answers."""
    affected: dict[str, list[str]] = defaultdict(list)
    for (backend, solver, version), executed in runs.groupby(["backend", "solver", "solver_version"]):
        if fault := known_fault(backend, solver, version):
            affected[fault].append(f"{plural(len(executed), 'run')} of {backend}:{solver}")
    return [_Remark(f"{listed(models)}: {fault}", warns=True) for fault, models in affected.items()]


def hints(
    runs: pd.DataFrame, measured: Sequence[Measurement], facts: Facts, folder: Path
) -> Iterator[_Remark]:
    """Which runs were stopped early, or are too few; and how to execute more."""
    asked = facts.sessions[-1].request if facts.sessions else Asked()
    yield from _on_stopped(measured, facts)
    budget_s = None if asked.climb or asked.times is None else asked.budget_s
    least = _smallest_sample(measured)
    if least < SMALLEST_SAMPLE:
        # With several seeds each seed counts once, however often it was repeated.
        option = f"--{'seeds' if runs['seed'].nunique() > 1 else 'repeat'} {SMALLEST_SAMPLE}"
        # As the campaign did, without repeats of what failed.
        option += f" --budget {TIME_LIMIT_S:g}" if budget_s is not None else ""
        yield _Remark(
            f"{plural(least, 'run')} of a model {are(least)} too few for a 95% interval; to add "
            f"{plural(SMALLEST_SAMPLE - least, 'more run')} of each:",
            command=more_runs(facts, folder, option),
        )


def _on_stopped(measured: Sequence[Measurement], facts: Facts) -> Iterator[_Remark]:
    """How many measurements ended at a short time limit, whose they are, and how to give them more time."""
    late = Status.TIMEOUT, Status.FEASIBLE
    stopped = [each for each in measured if each.status in late and each.time_limit_s < TIME_LIMIT_S]
    if not stopped:
        return
    names = list(dict.fromkeys(f"{each.puzzle}/{each.instance}" for each in stopped))
    puzzles = catalogue.puzzle_names()
    # To a file, an instance or a family that was asked for, `run` would add the instances.
    adds = any(
        request.families or not all(word in puzzles or Path(word).is_dir() for word in request.what)
        for request in (session.request for session in facts.sessions)
    )
    if adds or len(names) > MOST_NAMED or not catalogue.all_instances().keys() >= set(names):
        names = []
    labels = Counter(each.label for each in stopped)
    backends = dict.fromkeys(tables.parts(label).option for label in labels)
    options = [("--backend", name) for name in backends] + [("--instance", name) for name in names]
    option = shlex.join([*(word for each in options for word in each), "--time-limit", f"{TIME_LIMIT_S:g}"])
    limits = listed([seconds(limit) for limit in sorted({each.time_limit_s for each in stopped})])
    whose = shortened([f"{label} {number}" for label, number in labels.most_common()])
    text = (
        f"{len(stopped)} of {plural(len(measured), 'measurement')} stopped at the time limit of "
        f"{limits} ({whose}); to give these backends {seconds(TIME_LIMIT_S)}, in a campaign of their own:"
    )
    # A campaign of its own: in the same one these runs would count as repeats.
    yield _Remark(text, command=more_runs(facts, None, option))


def _smallest_sample(measurements: Iterable[Measurement]) -> int:
    """The smallest sample, up to SMALLEST_SAMPLE, of the fastest two of a problem without an interval."""
    least = SMALLEST_SAMPLE
    for problem in by_problem(best_formulations(measurements)).values():
        fastest = [each for each in ranked(problem) if each.solved][:2]
        found = compare(*fastest) if len(fastest) == 2 else None
        # Without a common block more runs of the same hosts say nothing.
        if found and not (found.ratio.known or found.far or found.apart):
            least = min(least, *found.sizes)
    return least


def unconfirmed(runs: pd.DataFrame, files: Sequence[Path] = ()) -> str:
    """Which claims of completeness nothing confirms, in a sentence; empty if there are none.

    They are confirmed by the instance's file, or by another backend with another solver library: the same
    model or the same library may err twice. Instances that are not among the project's are in `files`.
    """
    infeasible, optimal = runs["status"] == Status.INFEASIBLE, runs["status"] == Status.OPTIMAL
    claimed = runs["solutions"].where(~infeasible, 0).where(~optimal, runs["objective"])
    rows = runs.assign(claimed=claimed, optimal=optimal)
    rows = rows[infeasible | optimal | (is_conclusive(runs) & (runs["task"] == Task.COUNT))]
    keys = ["puzzle", "instance", "instance_sha256", "claimed", "optimal"]
    counted, without, best = list[str](), list[str](), list[str]()
    claims = rows[[*keys, "backend", "solver"]].drop_duplicates().itertuples(index=False, name=None)
    for (puzzle, name, sha256, number, optimum), same in grouped(claims, itemgetter(slice(5))).items():
        solvers = {(backend, _library(backend, solver)) for *_, backend, solver in same}
        confirmed = any(one[0] != two[0] and one[1] != two[1] for one, two in combinations(solvers, 2))
        file = None if confirmed else catalogue.unchanged(puzzle, name, sha256, files)
        known = file and (file.expected.answer if optimum else file.expected.solutions) is not None
        if not confirmed and not known:
            names = best if optimum else counted if number > 0 else without
            names += [name] * (name not in names)
    parts = []
    if counted:
        parts.append(f"the number of solutions of {shortened(counted)}")
    if without:
        parts.append(f"that {shortened(without)} {'has' if len(without) == 1 else 'have'} none")
    if best:
        parts.append(f"that nothing is better than what was found for {shortened(best)}")
    if not parts:
        return ""
    return (
        f"No second backend with another solver library confirmed {' or '.join(parts)}: the checker verifies "
        "solutions, not that there are no others."
    )


def _library(backend: str, solver: str) -> str:
    """The library that a solver uses, by the name that most backends give it."""
    name = DEFAULTS[backend] if is_variant(backend, solver) else solver.removeprefix("minizinc/")
    return _LIBRARIES.get(name, name)
