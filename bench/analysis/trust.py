"""How far the times of a campaign can be trusted, in sentences."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from bench.analysis import tables
from bench.analysis.measurements import Problem, is_conclusive
from bench.analysis.tables import MEASUREMENT, PROVENANCE, SPANS
from bench.analysis.units import are, listed, milliseconds, plural, shortened
from bench.environment.known_faults import known_fault
from bench.environment.reference_load import STEADY
from bench.stats import variation

_TOGETHER = 0.75
"""Models are measured together if more than this share of their runs is of the same sessions."""


@dataclass(frozen=True)
class _Remark:
    """A sentence on how far the figures can be trusted; some are warnings."""

    text: str
    warns: bool = False


def on_trust(runs: pd.DataFrame) -> list[_Remark]:
    """The overhead of the harness, how steady the machine was, and what else may have affected the times."""
    said = [*_on_overhead(runs), *_on_reference_load(runs), *_on_variation(runs)]
    if disturbed := int(runs["disturbed"].sum()):
        were, cores = ("was", "its core was") if disturbed == 1 else ("were", "their cores were")
        text = (
            f"{disturbed:,} of {plural(len(runs), 'run')} {were} disturbed: {cores} busy with something else "
            "for more than 2% of the time (column disturbed)."
        )
        said.append(_Remark(text, warns=True))
    if len(hosts := tables.hosts(runs)) > 1:
        text = f"Executed on {len(hosts)} hosts; ratios are within blocks, medians over all hosts."
        said.append(_Remark(text))
    for column, noun in PROVENANCE.items():
        # That several hosts have different processors is no surprise.
        number = runs.groupby("host")[column].nunique().max() if column == "cpu" else runs[column].nunique()
        if column != "host" and number > 1:
            text = f"The runs come from {number} {noun}, and their times are pooled."
            said.append(_Remark(text, warns=True))
    return [*said, *_on_superseded(runs), *on_releases(runs)]


def _on_overhead(runs: pd.DataFrame) -> Iterator[_Remark]:
    """What the harness added to the runs of each backend."""
    parts = [
        f"{backend} {milliseconds(overhead.median())} ({milliseconds(overhead.quantile(0.95))})"
        for backend, overhead in runs.dropna(subset="overhead_s").groupby("backend")["overhead_s"]
    ]
    if parts:
        yield _Remark(f"Overhead of the harness per run in ms, median (95th percentile): {', '.join(parts)}.")


def _on_reference_load(runs: pd.DataFrame) -> Iterator[_Remark]:
    """How steady the machine was, by the times of the reference load in the order of the campaign.

    Of several hosts the least steady one.
    """
    loads = {
        str(name): executed["reference_s"].dropna().drop_duplicates().tolist()
        for name, executed in runs.sort_values("started_at").groupby("host")
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


class _Variation(NamedTuple):
    """How many measurements have several runs with one seed, and their median coefficient of variation."""

    measurements: int
    typical: float


def same_seed_variation(runs: pd.DataFrame) -> dict[str, _Variation]:
    """By SPANS, how much the total time varied between repeats with the same seed on one host."""
    times = runs[is_conclusive(runs)].groupby([*MEASUREMENT, "seed", "host"])["total_s"]
    repeated = pd.DataFrame({"median": times.median(), "varies": times.std() / times.mean()})
    repeated = repeated[times.size() > 1]
    found = {}
    for span, (low, high) in SPANS.items():
        varies = repeated.loc[repeated["median"].between(low, high, inclusive="left"), "varies"]
        if len(varies):
            found[span] = _Variation(len(varies), float(varies.median()))
    return found


def _on_variation(runs: pd.DataFrame) -> Iterator[_Remark]:
    """How much the total time varied between repeats with the same seed."""
    parts = [
        f"{found.typical:.1%} (times {span}, {plural(found.measurements, 'measurement')})"
        for span, found in same_seed_variation(runs).items()
    ]
    if parts:
        yield _Remark(
            f"Between runs with the same seed, the total time typically varied by {listed(parts)}; this is "
            "the median coefficient of variation."
        )


def on_sessions(runs: pd.DataFrame) -> list[_Remark]:
    """Which models were measured in different sessions from those that they are compared with.

    Repeats that all models have in the same sessions are interleaved, and are not mentioned. Of merged
    campaigns each counts as one session: machine.json does not say which sessions are whose, and shards may
    be executed at the same time.
    """
    done = runs[is_conclusive(runs) & runs["total_s"].notna()]
    merged = runs["campaign"].nunique() > 1
    done = done.assign(session=done["campaign"] if merged else done.get("session", 0))
    if done["session"].nunique() < 2:
        return []
    # On one host they are compared nevertheless; of several hosts only blocks are, which are of one session.
    apart: dict[bool, dict[str, set[str]]] = {several: defaultdict(set) for several in (False, True)}
    for (_, instance, _), compared in done.groupby(list(Problem._fields)):
        models = (tables.labels(compared) + " " + compared["formulation"]).str.rstrip()
        shares = pd.crosstab(models, compared["session"], normalize="index")
        overlap = np.minimum(shares.to_numpy()[:, None], shares.to_numpy()).sum(axis=2) > _TOGETHER
        # Most are together with this one; of equals, with the first session.
        order = sorted(range(len(shares)), key=lambda row: (-overlap[row].sum(), *-shares.to_numpy()[row]))
        for model, together in zip(shares.index, overlap[order[0]], strict=True):
            if not together:
                apart[compared["host"].nunique() > 1][str(model)].add(str(instance))
    consequences = {
        False: "ratios between them include any change of the machine in between",
        True: "as several hosts executed them, only their runs of the same session are compared",
    }
    said = []
    for several, models in apart.items():
        if not models:
            continue
        names, instances = sorted(models, key=tables.rank), sorted(set().union(*models.values()))
        text = (
            f"{shortened(names)} {'was' if len(names) == 1 else 'were'} measured in a different session from "
            f"the other models ({shortened(instances)}): {consequences[several]}; --redo all measures all of "
            "them again, interleaved."
        )
        said.append(_Remark(text, warns=True))
    return said


def _on_superseded(runs: pd.DataFrame) -> Iterator[_Remark]:
    """How many rows of a campaign are left out because later ones supersede them."""
    reasons: dict[str, int] = runs.attrs.get("superseded", {})
    if parts := [f"{plural(number, 'row')} of {reason}" for reason, number in reasons.items() if number]:
        yield _Remark(f"{listed(parts)} {are(sum(reasons.values()))} left out.")


def on_releases(runs: pd.DataFrame) -> list[_Remark]:
    """Which runs were executed by a solver release that is known to give wrong answers."""
    affected: dict[str, list[str]] = defaultdict(list)
    for (backend, solver, version), executed in runs.groupby(["backend", "solver", "solver_version"]):
        if fault := known_fault(backend, solver, version):
            affected[fault].append(f"{plural(len(executed), 'run')} of {backend}:{solver}")
    return [_Remark(f"{listed(models)}: {fault}", warns=True) for fault, models in affected.items()]
