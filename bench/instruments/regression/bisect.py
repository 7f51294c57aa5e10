"""The first release of a solver that is at fault: by runs of one problem, or by the script of a finding."""

import subprocess
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median

from bench.campaign.results import Row, current, read
from bench.campaign.runner import measure
from bench.campaign.schedule import Repeats
from bench.campaign.selection import Request
from bench.environment.index import python_of

SCRIPT = "show.py"
"""The script of a finding: it exits with 1 if the fault shows, with 0 if not."""

_SCRIPT_S = 600.0
"""A script that needs more seconds shows its fault."""

Judge = Callable[[str], str | None]
"""What is wrong with a release, "" if nothing is; None if it cannot be tried."""


def first_at_fault(releases: Sequence[str], judge: Judge) -> tuple[str, str] | None:
    """The last release that is right and the first at fault, of several from old to new; None if none is.

    The first one is taken to be right. If the last one is at fault, those between are halved: all behind a
    fault are taken to have it. What cannot be tried is left out.
    """
    right, fault, between = releases[0], "", list(releases[1:])
    while between:
        place = len(between) // 2 if fault else -1
        release, said = between[place], judge(between[place])
        if said is None:
            del between[place]
        elif said:
            fault, between = release, between[:place]
        elif fault:
            right, between = release, between[place + 1 :]
        else:
            return None
    return (right, fault) if fault else None


def by_script(folder: Path) -> Judge:
    """Judges releases by the script of a finding."""

    def judge(release: str) -> str | None:
        try:
            words = (python_of(release), SCRIPT)
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=_SCRIPT_S)
        except subprocess.TimeoutExpired:
            return f"no end after {_SCRIPT_S:g} s"
        if done.returncode not in (0, 1) or "Traceback" in done.stderr:
            return None
        return "the fault shows" if done.returncode else ""

    return judge


def by_runs(request: Request, first: str, repeats: int, slower: float, out: Path) -> Judge:
    """Judges releases by runs of a request with one problem and model, interleaved with those of the first.

    A release is at fault if a run is wrong or crashes, if it solves less, or if it is `slower` times as slow.
    """

    def judge(release: str) -> str | None:
        folder = out / release
        measure(replace(request, releases=[first, release]), folder, Repeats(repeats))
        rows = read(folder / "runs.csv")
        rows = [rows[number] for number in current(rows)]
        base, new = ([row for row in rows if row.release == each] for each in (first, release))
        return _difference(base, new, slower)

    return judge


def _difference(base: Sequence[Row], new: Sequence[Row], slower: float) -> str | None:
    """What is worse in runs of a release than in those of another; None if there are none to compare."""
    if not all(row.status.tried for row in new):
        return None
    if broken := next((row for row in new if row.status.faulty), None):
        return f"{broken.status}: {broken.error}"
    if lost := next((row for row in new if not row.status.conclusive), None):
        return lost.status if all(row.status.conclusive for row in base) else ""
    times = [median(row.total_s or 0.0 for row in rows) for rows in (base, new)]
    ratio = times[1] / times[0]
    solved = all(row.status.conclusive for row in base)
    return f"{ratio:.1f} times as long ({times[1]:.3g} s)" if solved and ratio >= slower else ""
