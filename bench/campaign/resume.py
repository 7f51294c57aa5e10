"""Which recorded runs stand, and which are executed again, when a campaign is resumed."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from enum import StrEnum

from bench.campaign.current import current, without_repeated
from bench.campaign.results import Key, Row, contents, key
from bench.contract import Run


class Redo(StrEnum):
    """Which of the recorded runs are executed again when a campaign is resumed.

    STALE: those of another instance file, model or solver release, and those that failed (Status.retried).
    KEEP: none. FAILED: also all that are inconclusive, such as timeouts. ALL: all.
    """

    STALE = "stale"
    KEEP = "keep"
    FAILED = "failed"
    ALL = "all"


_RowsByRun = defaultdict[Key, dict[int, Row]]
"""The rows of each run (`results.key`) by the number of the repeat."""


def missing(runs: Sequence[Run], times: int, completed: Mapping[Key, Mapping[int, Row]]) -> int:
    """How many of the repeats up to `times` are not completed."""
    return sum(repeat not in completed[key(run)] for run in runs for repeat in range(1, times + 1))


_CHANGED = ("instance file", "model", "solver release")
"""What may have changed since a run was recorded: CONTENTS in words."""


def what_counts(rows: Sequence[Row], runs: Sequence[Run], redo: Redo) -> tuple[_RowsByRun, str]:
    """Selects the recorded rows that stand; those of runs that are not asked for do.

    Returns:
        The rows, and a line on the runs that are executed again; empty if there are none.
    """
    asked = {key(run): contents(run) for run in runs}
    reasons: Counter[str] = Counter()
    counted: _RowsByRun = defaultdict(dict)
    # With --keep, rows stand even if later ones of another measurement have another instance file.
    numbers = without_repeated(rows, range(len(rows))) if redo == Redo.KEEP else current(rows)
    for row in (rows[number] for number in numbers):
        name = key(row)
        reason = _why_again(row, asked[name], redo) if name in asked else ""
        if reason:
            reasons[reason] += 1
        if redo == Redo.KEEP or not reason:
            counted[name][row.repeat] = row
    if not reasons:
        return counted, ""
    because = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
    if redo == Redo.KEEP:
        return counted, f"recorded runs that are kept, and get no more repeats: {because}"
    keep = "; --keep leaves them as they are" if redo == Redo.STALE else ""
    return counted, f"recorded runs that are run again: {because}{keep}"


def _why_again(row: Row, now: Sequence[str], redo: Redo) -> str:
    """Why the run of a row, which depends on the contents `now`, is executed again; empty if it is not."""
    if redo == Redo.ALL:
        return "as asked for"
    for what, recorded, content in zip(_CHANGED, contents(row), now, strict=True):
        if recorded != content:
            return f"with {'another' if recorded else 'an unknown'} {what}"
    again = not row.status.finished if redo == Redo.FAILED else row.status.retried
    return row.status if again else ""
