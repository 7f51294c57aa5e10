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
from bench.catalogue.errors import RequestError
from bench.environment.index import python_of

SCRIPT = "show.py"
"""The script of a finding: it exits with 1 if the fault shows, with 0 if not."""

_SCRIPT_S = 600.0
"""A script that needs more seconds shows its fault."""

_LEAST_S = 0.01
"""A run that needs fewer seconds is not slow."""

_Judge = Callable[[str], str]
"""What is wrong with a release, "" if nothing is; raises RequestError if it cannot be tried."""


def first_at_fault(releases: Sequence[str], judge: Callable[[str], str | None]) -> tuple[str, str] | None:
    """The last release that is right and the first at fault, of several from old to new.

    None if the last one is right. Those between are halved: all behind a fault are taken to have it. What
    cannot be tried, of which `judge` says None, is left out. Raises RequestError if the first is not right,
    or no other can be tried.
    """
    right, fault, between = releases[0], "", list(releases[1:])
    if judge(right) != "":
        raise RequestError(f"{right} is not known to be right; choose another --from")
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
    if not fault:
        raise RequestError(f"no release after {right} can be tried")
    return right, fault


def by_script(folder: Path) -> _Judge:
    """Judges releases by the script of a finding."""

    def judge(release: str) -> str:
        try:
            words = (python_of(release), SCRIPT)
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=_SCRIPT_S)
        except subprocess.TimeoutExpired:
            return f"no end after {_SCRIPT_S:g} s"
        if done.returncode not in (0, 1) or "Traceback" in done.stderr:
            raise RequestError(f"{SCRIPT} says: {(done.stderr.strip() or 'nothing').splitlines()[-1]}")
        return "the fault shows" if done.returncode else ""

    return judge


def by_runs(request: Request, first: str, repeats: int, slower: float, out: Path) -> _Judge:
    """Judges releases by runs of a request with one problem and model, interleaved with those of the first.

    A release is at fault if a run is wrong or crashes, if it solves less, or if it is `slower` times as slow.
    """

    def judge(release: str) -> str:
        folder = out / release
        measure(replace(request, releases=list(dict.fromkeys([first, release]))), folder, Repeats(repeats))
        rows = read(folder / "runs.csv")
        rows = [rows[number] for number in current(rows)]
        base, new = ([row for row in rows if row.release == each] for each in (first, release))
        return _difference(base, new, slower)

    return judge


def _difference(base: Sequence[Row], new: Sequence[Row], slower: float) -> str:
    """What is worse in runs of a release than in those of another; raises RequestError if nobody knows."""
    if untried := next((row for row in new if not row.status.tried), None):
        raise RequestError(f"{untried.status}: {untried.error}")
    if broken := next((row for row in new if row.status.faulty), None):
        return f"{broken.status}: {broken.error}"
    if failed := next((row for row in base if not row.status.conclusive), None):
        raise RequestError(
            f"{failed.release}, which is to be right: {failed.status}; try a longer --time-limit"
        )
    if lost := next((row for row in new if not row.status.conclusive), None):
        return lost.status
    was_s, is_s = ([row.total_s or 0.0 for row in rows] for rows in (base, new))
    # A few milliseconds more say nothing, nor do times that overlap.
    is_slower = median(is_s) >= max(slower * median(was_s), _LEAST_S) and min(is_s) > max(was_s)
    return f"{median(is_s) / median(was_s):.1f} times as long ({median(is_s):.3g} s)" if is_slower else ""
