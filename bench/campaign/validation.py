"""Validates runs: checks their solutions against the rules, and their claims against known results."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from signal import Signals
from typing import Any

from bench import catalogue
from bench.catalogue import Instance, errors, puzzles
from bench.catalogue.errors import PuzzleError, RequestError, one_line
from bench.contract import Run, Status, Task
from bench.execution.aside import Aside
from bench.execution.process import ProcessEnded
from bench.execution.protocol import Answer, Killed
from models.shared.puzzle import Solution

NOT_STOPPED = "killed: it did not stop at its time limit"
"""The error of a run that the harness had to end."""

LATE_S = 2.0
"""So many seconds after its limit code of a puzzle is ended that no alarm reaches."""


@dataclass(frozen=True)
class _Validation:
    """The status of a run, and what it found.

    Attributes:
        error: what is wrong, on one line.
        solutions: how many the run found; None if that is not known.
        answer, solution: of the first solution, or the solution that was refused.
        witnesses: how many different solutions passed the checker.
    """

    status: Status
    error: str = ""
    solutions: int | None = None
    answer: str = ""
    solution: Solution = None
    witnesses: int | None = None


class Solutions:
    """The solutions of one run, each checked as it is found.

    Args:
        aside: where they are checked; by default here.

    Attributes:
        broken: the first broken rule in words; nothing is checked after it.
        fault: what is wrong with the puzzle's own code, if its check or answer raised.
        refused: the solution that broke the rule.
        first: the first solution with its answer.
        answers: of all solutions.
        stands_for: how many solutions each one stands for, by its text.
    """

    def __init__(self, instance: Instance, aside: Aside | None = None):
        self.instance, self.aside = instance, aside
        self.broken: str | None = None
        self.fault: str | None = None
        self.refused: Solution = None
        self.first: tuple[Solution, str] = None, ""
        self.answers: set[str] = set()
        self.stands_for: dict[str, int] = {}

    @property
    def witnesses(self) -> int:
        """How many distinct solutions passed the checker."""
        return len(self.stands_for)

    def number(self, task: Task) -> int:
        """How many solutions there are so far; for `count` including those that each one stands for."""
        return sum(self.stands_for.values()) if task == Task.COUNT else self.witnesses

    def add(self, solution: Solution, stands_for: int) -> bool:
        """Checks a solution; returns whether the run may go on, since nothing is wrong so far.

        A formulation may find one several times, which differ in auxiliary variables only.
        """
        if self.broken or self.fault:
            return False
        if (text := repr(solution)) in self.stands_for:
            return True
        try:
            broken, answer = (
                _check_aside(self.aside, self.instance, solution)
                if self.aside
                else check(self.instance, solution)
            )
        except PuzzleError as error:
            self.fault = str(error)
            return False
        if broken:
            self.broken, self.refused = f"solution {self.witnesses + 1}: {broken[0]}", solution
            return False
        if not self.stands_for:
            self.first = solution, answer
        self.answers.add(answer)
        self.stands_for[text] = stands_for
        return True


def check(instance: Instance, solution: Solution) -> tuple[list[str], str]:
    """Returns the broken rules of a puzzle in words, and the answer as a text if there are none.

    Raises:
        PuzzleError: if the puzzle's own code raises, does not return, or returns something else.
    """
    name, puzzle = instance.puzzle_name, instance.puzzle
    broken: Any = catalogue.call(name, "check", lambda: puzzle.check(solution))
    answer: Any = "" if broken else catalogue.call(name, "answer", lambda: puzzle.answer(solution))
    # To write down what it returned may raise, too.
    if said := catalogue.call(name, "answer", lambda: _what_is_wrong(broken, answer)):
        raise PuzzleError(name, one_line(f"{errors.shown(catalogue.source_of(name))}: {said}"))
    return broken, str(answer)


def _what_is_wrong(broken: object, answer: object) -> str:
    """What keeps results from being those of `check` and `answer`; empty if nothing does."""
    if not isinstance(broken, list) or not all(isinstance(rule, str) for rule in broken):
        return f"check returns {broken!r}, not a list of broken rules in words"
    if not isinstance(answer, int | str):
        return f"answer returns {answer!r}, not a whole number or a text"
    if not str(answer).isprintable():
        return f"answer returns {answer!a}, which has characters that cannot be shown"
    return ""


def _check_aside(aside: Aside, instance: Instance, solution: Solution) -> tuple[list[str], str]:
    """Does what `check` does, where code that no alarm ends can be ended too.

    Raises:
        PuzzleError: as with `check`.
    """
    name = instance.puzzle_name
    try:
        said = aside.call(puzzles.CALL_S + LATE_S, _check_there, instance.path, instance.sha256, solution)
    except ProcessEnded as error:
        said = f"{errors.shown(catalogue.source_of(name))}: check or answer of {name} {error}"
    if isinstance(said, str):
        raise PuzzleError(name, said)
    return said


def _check_there(path: Path, sha256: str, solution: Solution) -> tuple[list[str], str] | str:
    """What `check` returns in a process that may not have the instance; the mistake if there is one."""
    try:
        return check(read(path, sha256), solution)
    except RequestError as error:
        return str(error)


@cache
def read(path: Path, sha256: str) -> Instance:
    """The instance in a file; raises RequestError if it cannot be read, or has another content."""
    instance = catalogue.load(path)
    if instance.sha256 != sha256:
        raise RequestError(f"{path} has changed since the campaign began")
    return instance


def validate(instance: Instance, run: Run, answer: Answer, found: Solutions) -> _Validation:
    """Decides the status of a run, from what its process answered and its solutions.

    `solved` means that every solution passed the checker and that nothing contradicts `[expected]`.
    """
    if found.fault:
        return _Validation(Status.CRASHED, found.fault, witnesses=found.witnesses)
    number = found.number(run.task)
    if found.broken:
        error = one_line(found.broken)
        return _Validation(Status.WRONG, error, number, "", found.refused, found.witnesses)
    status, error = _claimed_status(run, answer)
    # A run that was ended has no result, but what it found until then is known.
    solutions = number if number or not error else None
    solution, text = found.first
    validation = _Validation(status, error, solutions, text, solution, found.witnesses)
    if not error and (contradiction := _contradicts_expected(instance, run, validation, found.answers)):
        return replace(validation, status=Status.WRONG, error=contradiction)
    return validation


def _claimed_status(run: Run, answer: Answer) -> tuple[Status, str]:
    """The status that a run has by its own account, and why it gave no result; empty if it did."""
    if answer.killed is Killed.MEMORY:
        return Status.MEMOUT, f"it used more than {run.memory_limit_mb} MB"
    if answer.killed is Killed.TIME:
        return Status.TIMEOUT, NOT_STOPPED
    return (answer.claim, one_line(answer.error)) if answer.claim else _no_result(answer)


def _no_result(answer: Answer) -> tuple[Status, str]:
    """Status and reason of a run whose worker died."""
    # What follows a panic in Rust says only how to see more of it.
    words = [line for line in answer.tail.strip().splitlines() if not line.startswith("note: ")]
    if any("bad_alloc" in line for line in words):
        return Status.MEMOUT, "std::bad_alloc: the system gave it no more memory"
    if answer.signal:
        how = f"ended by {Signals(answer.signal).name}"
    else:
        how = f"ended with exit code {answer.exit} and without a result"
    return Status.CRASHED, one_line(f"{how}: {words[-1]}" if words else how)


def _contradicts_expected(
    instance: Instance, run: Run, validation: _Validation, answers: Iterable[str]
) -> str | None:
    """How the result contradicts the `[expected]` table, if it does.

    The expected answer must be that of some solution: of the one found if it is the only one.
    """
    expected = instance.expected
    exhausted = run.task == Task.COUNT and validation.status.conclusive
    if expected.solutions is not None:
        if exhausted and validation.solutions != expected.solutions:
            return f"{validation.solutions} solutions found, {expected.solutions} expected"
        if validation.solutions and not expected.solutions:
            return "a solution, but none is expected"
        if validation.status == Status.INFEASIBLE and expected.solutions:
            return f"no solution found, {expected.solutions} expected"
    only_one = expected.solutions == 1 and validation.solutions
    if expected.answer is not None and (only_one or (exhausted and validation.solutions)):
        texts = sorted(answers)
        if str(expected.answer) not in texts:
            return one_line(f"the answer is {' or '.join(texts)}, but {expected.answer} is expected")
    return None
