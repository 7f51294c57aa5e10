"""The hosts on which a campaign was executed, and which of them are alike, so that times may be pooled."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf

import pandas as pd

from bench.analysis.tables import grouped
from bench.analysis.units import listed
from bench.contract import Status
from bench.stats import Interval

ALIKE = 1.05
"""The largest ratio of the reference loads of hosts that are alike.

A steady machine varies by 4% itself (STEADY), so smaller differences between two say nothing.
"""


@dataclass(frozen=True)
class Host:
    """A host of a campaign.

    Attributes:
        cpu: its processor; all of them if it had several meanwhile.
        load_s: median, least and most of the times of its reference load; None if it was not measured.
        relative: the median relative to that of the fastest host, None if it is not known.
        kind: the hosts that are alike and whose times may be pooled, in words: the first one and how many
            others.
    """

    name: str
    cpu: str
    runs: int
    load_s: Interval | None = None
    relative: float | None = None
    kind: str = ""


def hosts(runs: pd.DataFrame) -> list[Host]:
    """The hosts that tried runs of a campaign, the fastest first, then those without reference load."""
    tried = runs[runs["status"].isin([status.value for status in Status if status.tried])]
    found = []
    for name, executed in (runs if tried.empty else tried).groupby(names(runs)):
        loads = executed["reference_s"].dropna().astype(float).drop_duplicates()
        load_s = Interval(loads.median(), loads.min(), loads.max()) if len(loads) else None
        found.append(Host(str(name), listed(sorted(set(executed["cpu"]) - {""})), len(executed), load_s))
    found.sort(key=lambda host: (_load_of(host), host.name))
    # Without their domain names fit into pictures.
    short = {host.name: host.name.partition(".")[0] for host in found}
    if len(set(short.values())) < len(found):
        short = {name: name for name in short}
    kind = {
        host.name: name_of([short[host.name] for host in group])
        for of_cpu in grouped(found, lambda host: host.cpu).values()
        for group in alike(of_cpu)
        for host in group
    }
    least = min(map(_load_of, found), default=inf)
    return [
        replace(host, kind=kind[host.name], relative=host.load_s.median / least if host.load_s else None)
        for host in found
    ]


def names(runs: pd.DataFrame) -> "pd.Series[str]":
    """The name of the host of each run."""
    return runs["host"].replace("", "unnamed")


def _load_of(host: Host) -> float:
    """The median time of a host's reference load, inf if it was not measured."""
    return host.load_s.median if host.load_s else inf


def alike(of_cpu: Iterable[Host]) -> list[list[Host]]:
    """The hosts in groups, within each of which no two reference loads differ by more than ALIKE.

    Args:
        of_cpu: hosts with the same processor, the fastest first.
    """
    kinds: list[list[Host]] = []
    for host in of_cpu:
        if kinds and _load_of(host) < inf and _load_of(host) <= ALIKE * _load_of(kinds[-1][0]):
            kinds[-1].append(host)
        else:
            kinds.append([host])
    return kinds


def name_of(kind: Sequence[str]) -> str:
    """The first of the hosts by name, and how many are like it."""
    return min(kind) if len(kind) == 1 else f"{min(kind)} and {len(kind) - 1} alike"


def common_kind(kinds: Iterable[str]) -> str:
    """The kind of host, if it is the same everywhere; else empty."""
    found = set(kinds)
    return found.pop() if len(found) == 1 else ""


def caption(usual: str) -> str:
    """What a caption says of times beside which no host is named; empty if the campaign has one kind."""
    return f". Times without a host: on {usual}" if usual else ""


def on(kind: str, known: str = "") -> str:
    """The words that name the host behind what was measured there; empty if it is known already."""
    return f" on {kind}" if kind not in ("", known) else ""
