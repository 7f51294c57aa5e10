"""What a run is worth: its solutions checked against the rules, its claims against what is known."""

from collections.abc import Iterable
from dataclasses import dataclass
from signal import Signals
from typing import Any

from bench import catalogue
from bench.catalogue import Instance, errors
from bench.catalogue.errors import PuzzleError, one_line
from bench.contract import Run, Task
from bench.execution.answer import Answer, Killed
from models.shared.puzzle import Solution

DONE = ("solved", "infeasible")
"""The statuses of a run that did what it was asked to do."""

CLAIMS = (*DONE, "contradicted")
"""The statuses of a run that claims to have done it; `contradicted` if another claims otherwise."""

WRONG = ("wrong", "contradicted", "crashed")
"""The statuses that are told at once and fail a campaign; a measurement is known by the first that it has."""

NOT_TRIED = ("unavailable", "unsupported")
"""The statuses of a run that was never tried: it has no time, and neither wins nor loses."""

RETRIED = ("crashed", "wrong", "unavailable")
"""The statuses of runs that are run again when a campaign is resumed."""

NOT_DONE = (*RETRIED, "contradicted", "timeout", "memout", "unsupported")
"""The statuses of all runs that did not do it: `--redo failed` runs them again."""


@dataclass(frozen=True)
class Verdict:
    """The status of a run, and what was found; `error` says what is wrong, on one line.

    `witnesses` is the number of distinct solutions that passed the checker.
    """

    status: str
    error: str = ""
    solutions: int | None = None
    answer: int | str | None = None
    solution: Solution = None
    witnesses: int | None = None


class Validation:
    """The solutions of one run, each checked as it comes.

    Attributes:
        broken: the first broken rule in words; nothing is checked after it.
        fault: what the puzzle's own code did wrong (check or answer raised), if it did.
        refused: the solution that broke the rule.
        first: the first solution, with its answer; None until there is one.
        answers: of all solutions, as texts.
    """

    def __init__(self, instance: Instance):
        self.instance = instance
        self.broken: str | None = None
        self.fault: str | None = None
        self.refused: Solution = None
        self.first: tuple[Solution, int | str] | None = None
        self.answers: set[str] = set()
        self.stands_for: dict[str, int] = {}

    @property
    def goes_on(self) -> bool:
        """Whether the run is worth going on with."""
        return self.broken is None and self.fault is None

    @property
    def witnesses(self) -> int:
        """How many distinct solutions passed the checker."""
        return len(self.stands_for)

    def solutions(self, task: Task) -> int:
        """How many solutions there are so far; for `count` with those that each one stands for."""
        return sum(self.stands_for.values()) if task == Task.COUNT else self.witnesses

    def add(self, solution: Solution, stands_for: int) -> None:
        """Checks a solution.

        A formulation may find one several times over, told apart by auxiliary variables only.
        """
        if not self.goes_on or (text := repr(solution)) in self.stands_for:
            return
        try:
            broken, answer = validate(self.instance, solution)
        except PuzzleError as error:
            self.fault = str(error)
            return
        if broken:
            self.broken = f"solution {self.witnesses + 1}: {broken[0]}"
            self.refused = solution
        else:
            self.first = self.first or (solution, answer)
            self.answers.add(str(answer))
            self.stands_for[text] = stands_for


def validate(instance: Instance, solution: Solution) -> tuple[list[str], int | str]:
    """The broken rules in words; if there are none, the answer.

    Raises:
        PuzzleError: if the puzzle's own code raises, or returns something else.
    """
    name = instance.puzzle_name
    try:
        broken: Any = instance.puzzle.check(solution)
        answer: Any = "" if broken else instance.puzzle.answer(solution)
    except (Exception, SystemExit) as error:
        raise PuzzleError(name, one_line(catalogue.blamed(error, name, "puzzle"))) from error
    said = ""
    if not isinstance(broken, list) or not all(isinstance(rule, str) for rule in broken):
        said = f"check returns {broken!r}, not a list of broken rules in words"
    elif not isinstance(answer, int | str):
        said = f"answer returns {answer!r}, not a whole number or a text"
    if said:
        raise PuzzleError(name, one_line(f"{errors.shown(catalogue.source_of(name))}: {said}"))
    return broken, answer


def judge(instance: Instance, run: Run, answered: Answer, validation: Validation) -> Verdict:
    """What became of a run, from what its process answered and the validation of its solutions.

    `solved` means that every solution passed the checker and that nothing contradicts `[expected]`.
    """
    if validation.fault:
        return Verdict("crashed", validation.fault, witnesses=validation.witnesses)
    claimed = validation.solutions(run.task)
    if validation.broken:
        error = one_line(validation.broken)
        return Verdict("wrong", error, claimed, None, validation.refused, validation.witnesses)
    status, error = claimed_status(run, answered)
    # A run that was ended has no result, but what it found until then is known.
    known = claimed if claimed or not error else None
    solution, answer = validation.first or (None, None)
    verdict = Verdict(status, error, known, answer, solution, validation.witnesses)
    if not error and (contradiction := contradicts_expected(instance, run, verdict, validation.answers)):
        return Verdict("wrong", contradiction, claimed, answer, solution, validation.witnesses)
    return verdict


def claimed_status(run: Run, answered: Answer) -> tuple[str, str]:
    """The status that a run has by its own account, and why it gave no result; that is empty if it did."""
    if answered.killed is Killed.MEMORY:
        return "memout", f"it used more than {run.memory_limit_mb} MB"
    if answered.killed is Killed.TIME:
        return "timeout", "killed: it did not stop at its time limit"
    return (answered.claim, one_line(answered.error)) if answered.claim else no_result(answered)


def no_result(answered: Answer) -> tuple[str, str]:
    """Status and reason of a run whose worker died."""
    words = answered.tail.strip().splitlines()
    if any("bad_alloc" in line for line in words):
        return "memout", "std::bad_alloc: the system gave it no more memory"
    if answered.signal:
        how = f"ended by {Signals(answered.signal).name}"
    else:
        how = f"ended with exit code {answered.exit} and without a result"
    return "crashed", one_line(f"{how}: {words[-1]}" if words else how)


def contradicts_expected(
    instance: Instance, run: Run, verdict: Verdict, answers: Iterable[str]
) -> str | None:
    """How the result contradicts the `[expected]` table, if it does.

    The expected answer must be that of some solution: of the one found if it is the only one.
    """
    expected = instance.expected
    exhausted = run.task == "count" and verdict.status in DONE
    if expected.solutions is not None:
        if exhausted and verdict.solutions != expected.solutions:
            return f"{verdict.solutions} solutions, but {expected.solutions} are expected"
        if verdict.solutions and not expected.solutions:
            return "a solution, but none is expected"
        if verdict.status == "infeasible" and expected.solutions:
            return f"no solution, but {expected.solutions} are expected"
    only_one = expected.solutions == 1 and verdict.solutions
    if expected.answer is not None and (only_one or (exhausted and verdict.solutions)):
        texts = sorted(answers)
        if str(expected.answer) not in texts:
            return one_line(f"the answer is {' or '.join(texts)}, but {expected.answer} is expected")
    return None
