"""A comparison in words, for the terminal, a comment, and a picture."""

from collections.abc import Sequence

from bench.analysis.units import count, factor, plural, seconds, shortened
from bench.instruments.regression.change import Change, Comparison, Counter, Kind


def in_words(change: Change) -> tuple[str, str, str, str, str, str]:
    """Returns name, median of base and of new, ratio, its interval, and what else changed."""
    times = (
        (seconds(change.times.base_s), seconds(change.times.new_s))
        if change.times
        else (change.base.status or "", change.new.status or "")
    )
    ratio = change.ratio
    value = f"{ratio.value:.3f}" if change.times else ""
    interval = f"{ratio.low:.2f} to {ratio.high:.2f}" if ratio.known else ""
    kind = "another instance file, not compared" if change.kind == Kind.INSTANCE_CHANGED else change.kind
    what = ", ".join(filter(None, [kind, *changed_counters(change)]))
    return change.name, *times, value, interval, what


def several(changes: Sequence[Change]) -> str:
    """How many measurements these are, of which puzzles, and the names of the first."""
    puzzles = shortened([*dict.fromkeys(change.puzzle for change in changes)])
    names = shortened([change.name for change in changes], 2)
    return f"{plural(len(changes), 'measurement')} of {puzzles}: {names}"


def only_in(compared: Comparison) -> list[str]:
    """A line for each campaign that has measurements which the other lacks."""
    alone = [change for change in compared.changes if change.one_sided]
    sides = {
        "BASE": [each for each in alone if each.base.runs],
        "NEW": [each for each in alone if each.new.runs],
    }
    return [f"only in {side}: {several(changes)}" for side, changes in sides.items() if changes]


def changed_counters(change: Change) -> list[str]:
    """The counters that are not the same on both sides, before and after."""
    return [counter_in_words(name, counter) for name, counter in change.counters.items() if counter.changed]


def counter_in_words(name: str, counter: Counter) -> str:
    """A counter before and after."""
    base, new = counter.base, counter.new
    shown = (count(value) if value == int(value) else f"{value:.4g}" for value in (base, new))
    by = f" ({new / base - 1:+.1%})" if base else ""
    return f"{name} {' to '.join(shown)}{by}"


def how(compared: Comparison) -> str:
    """How the times were compared, and how far the result can be trusted."""
    if compared.paired:
        return "Interleaved: the ratio is the median of the ratios of pairs."
    if compared.hosts is not None:
        return on_hosts(compared.hosts)
    if not compared.same_machine:
        load = f"; the reference load takes {factor(compared.slowdown)} times as long"
        known = load if compared.slowdown > 0 else ""
        machines = " became ".join(compared.machines)
        return f"Different machines ({machines}){known}: counters can be compared, times cannot as they are."
    return (
        "Two campaigns: the intervals cover the noise within each, not what the machine does differently "
        "from one to the next; to compare two revisions, use `ab`."
    )


def on_hosts(common: Sequence[str]) -> str:
    """How the times of several hosts were compared.

    Args:
        common: the hosts that both campaigns have.
    """
    if not common:
        return "Several hosts, none of which both campaigns have: counters can be compared, times cannot."
    return (
        f"Several hosts: each time is compared with those on the same host ({shortened(common)}), and the "
        "medians are of the first of these that executed the measurement in both campaigns."
    )
