"""The one oracle: checks solutions, and compares the claims of runs with each other and what is known."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import inf
from pathlib import Path
from signal import Signals
from typing import Any

from bench import catalogue
from bench.alarm import alarm
from bench.campaign.results import Row
from bench.catalogue import Instance, errors, puzzles
from bench.catalogue.errors import PuzzleError, RequestError, one_line
from bench.contract import Run, Status, Task, TimeLimit
from bench.execution.process import Aside, ProcessEnded
from bench.execution.protocol import Answer, Killed
from models.shared.puzzle import Solution

NOT_STOPPED = "killed: it did not stop at its time limit"
"""The error of a run that the harness had to end."""

LATE_S = 2.0
"""So many seconds after its limit code of a puzzle is ended that no alarm reaches."""


@dataclass(frozen=True)
class _Validation:
    """What the columns of these names say; `solution` is the first one, or the one that was refused."""

    status: Status
    error: str = ""
    solutions: int | None = None
    answer: str = ""
    solution: Solution = None
    witnesses: int | None = None


class Solutions:
    """The solutions of one run, each checked as it is found: aside, or by default here.

    Attributes:
        broken: the first broken rule in words; nothing is checked after it. `refused` is what broke it.
        fault: what is wrong with the puzzle's own code, if its check or answer raised.
        first: the first solution with its answer.
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
        aside, instance = self.aside, self.instance
        try:
            broken, answer = _check_aside(aside, instance, solution) if aside else check(instance, solution)
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

    def what_is_wrong() -> str:
        if not isinstance(broken, list) or not all(isinstance(rule, str) for rule in broken):
            return f"check returns {broken!r}, not a list of broken rules in words"
        if not isinstance(answer, int | str):
            return f"answer returns {answer!r}, not a whole number or a text"
        unprintable = not str(answer).isprintable()
        return f"answer returns {answer!a}, which has characters that cannot be shown" if unprintable else ""

    # To write down what it returned may raise, too.
    if said := catalogue.call(name, "answer", what_is_wrong):
        raise PuzzleError(name, one_line(f"{errors.shown(catalogue.source_of(name))}: {said}"))
    return broken, str(answer)


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
        return check(_read(path, sha256), solution)
    except RequestError as error:
        return str(error)


@cache
def _read(path: Path, sha256: str) -> Instance:
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
    if not error and (contradiction := _contradiction(instance, run, validation, found.answers)):
        return replace(validation, status=Status.WRONG, error=contradiction)
    return validation


def _claimed_status(run: Run, answer: Answer) -> tuple[Status, str]:
    """The status that a run has by its own account, and why it gave no result; empty if it did."""
    if answer.killed is Killed.MEMORY:
        return Status.MEMOUT, f"it used more than {run.memory_limit_mb} MB"
    if answer.killed is Killed.TIME:
        return Status.TIMEOUT, NOT_STOPPED
    if answer.claim:
        return answer.claim, one_line(answer.error)
    # Its worker died. What follows a panic in Rust says only how to see more of it.
    words = [line for line in answer.tail.strip().splitlines() if not line.startswith("note: ")]
    if any("bad_alloc" in line for line in words):
        return Status.MEMOUT, "std::bad_alloc: the system gave it no more memory"
    by = Signals(answer.signal).name if answer.signal else ""
    how = f"ended by {by}" if by else f"ended with exit code {answer.exit} and without a result"
    return Status.CRASHED, one_line(f"{how}: {words[-1]}" if words else how)


def _contradiction(instance: Instance, run: Run, validation: _Validation, answers: Iterable[str]) -> str:
    """How the result contradicts the `[expected]` table; empty if it does not.

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
    return ""


UNDECIDED = "no checked solutions decide"
"""How the error of a row ends that is `wrong` only because another row claims otherwise."""


class Agreement:
    """Whether all rows about one instance agree so far; cheap for each row, where `settle` compares all.

    Attributes:
        least: how many solutions there are at least.
        answers: of checked solutions; different ones are of different solutions.
        claims: the numbers of solutions that rows claim to be all.
    """

    def __init__(self) -> None:
        self.least = 0
        self.answers: set[str] = set()
        self.claims: set[int] = set()

    def add(self, row: Row) -> bool:
        """Adds a row; returns whether all still agree."""
        witnesses = _witnesses_of(row)
        self.least = max(self.least, witnesses)
        if witnesses and row.answer:
            self.answers.add(row.answer)
        claim = claimed(row)
        if claim is not None:
            self.claims.add(claim)
        least = max(self.least, len(self.answers))
        return not self.claims or (len(self.claims) == 1 and min(self.claims) >= least)


def settle(
    rows: Sequence[Row], witnesses: Sequence[Row] | None = None, exhaustive: int | None = None
) -> list[tuple[Status, str]]:
    """Decides status and error of each row after comparing all claims about one instance.

    Solutions that passed the checker are witnesses: they refute every run that claims that there are fewer.
    Where claims differ and nothing decides, all of them are wrong (`undecided`) until something does.

    Args:
        rows: about one instance file and its rules, none of them superseded.
        witnesses: the rows whose solutions are witnesses, superseded ones included; None for `rows`.
        exhaustive: how many of all candidates the checker accepts, which refutes every other claim.

    Raises:
        PuzzleError: if there are more witnesses than `exhaustive`: the candidates leave solutions out.
    """
    least, evidence = _most_witnesses(rows if witnesses is None else witnesses)
    most: float = inf
    if exhaustive is not None:
        accepted = (
            f"the checker accepts {f'exactly {exhaustive}' if exhaustive else 'none'} of all candidates"
        )
        if least > exhaustive:
            file = errors.shown(catalogue.source_of(rows[0].puzzle, "random_instances"))
            left_out = f"{file}: candidates leaves solutions out: {accepted}, but {evidence}"
            raise PuzzleError(rows[0].puzzle, left_out)
        least, most, evidence = exhaustive, exhaustive, accepted
    claims = {number: claim for number, row in enumerate(rows) if (claim := claimed(row)) is not None}
    stands = {number: claim for number, claim in claims.items() if least <= claim <= most}
    settled = [(row.status, row.error) for row in rows]
    for number, claim in claims.items():
        others = [other for other in stands if stands[other] != claim]
        if number not in stands:
            settled[number] = Status.WRONG, f"{_solutions(claim)}, but {evidence}"
        elif others:
            against = f"{_author(rows[others[0]])} counts {stands[others[0]]}"
            settled[number] = Status.WRONG, f"{_solutions(claim)}, but {against}; {UNDECIDED}"
        elif undecided(rows[number]):
            settled[number] = (Status.SOLVED if claim else Status.INFEASIBLE), ""
    return settled


def claimed(row: Row) -> int | None:
    """The number of solutions that a row claims to be all; None if it claims none, or is wrong for good."""
    claims = row.status.conclusive or undecided(row)
    return row.solutions if claims and (row.task == Task.COUNT or row.solutions == 0) else None


def undecided(row: Row) -> bool:
    """Whether a row is wrong only because another claims otherwise: later rows may prove it right."""
    return row.status == Status.WRONG and row.error.endswith(UNDECIDED)


def _most_witnesses(rows: Sequence[Row]) -> tuple[int, str]:
    """How many solutions there are at least, by witnesses or different answers; and who found them."""
    most = max(rows, key=_witnesses_of)
    by_answer = {row.answer: row for row in reversed(rows) if _witnesses_of(row) and row.answer}
    if len(by_answer) > _witnesses_of(most):
        answers = [f"{answer} ({_author(row)})" for answer, row in sorted(by_answer.items())[:2]]
        return len(by_answer), "checked solutions have different answers, as " + " and ".join(answers)
    count = _witnesses_of(most)
    found = "a solution that passed" if count == 1 else f"{count} different solutions that passed"
    return count, f"{_author(most)} found {found} the checker"


def _witnesses_of(row: Row) -> int:
    """How many checked solutions a row has; rows without that figure tell of one only."""
    if row.witnesses is not None:
        return row.witnesses
    return int(row.status == Status.SOLVED and row.solution != "")


def _solutions(count: int) -> str:
    return f"{count or 'no'} solution{'' if count == 1 else 's'}"


def _author(row: Row) -> str:
    return f"{row.model} (seed {row.seed})"


@dataclass(frozen=True)
class Exhausted:
    """The solutions that the checker accepts of all candidates, as JSON, and how many candidates there are.

    A solution that the candidates have twice is there twice.
    """

    solutions: Sequence[str]
    candidates: int


def exhaust(instance: Instance, most: int, most_s: float) -> Exhausted | None:
    """All solutions of an instance by the rules alone; None if it has no candidates to try.

    None also if there are more than so many, or they need more seconds.

    Raises:
        PuzzleError: if the puzzle's own code raises.
    """
    name, drawn = instance.puzzle_name, catalogue.random_instances(instance.puzzle_name)
    if drawn is None:
        return None
    solutions, number = [], 0
    try:
        # Long may pass until the first is yielded.
        with alarm(most_s):
            for candidate in drawn.candidates(instance.puzzle):
                number += 1
                if number > most:
                    return None
                if not check(instance, candidate)[0]:
                    solutions.append(as_json(candidate))
    except TimeLimit:
        return None
    except (Exception, SystemExit) as error:
        raise PuzzleError(name, catalogue.blamed(error, name, "random_instances")) from error
    return Exhausted(solutions, number)


def as_json(solution: Solution) -> str:
    """A solution as a text, the same for equal ones."""
    return json.dumps(solution, sort_keys=True)
