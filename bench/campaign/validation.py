"""What a run is worth: its solutions checked against the rules, its claims against what is known."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from signal import Signals
from typing import Any

from bench import catalogue
from bench.catalogue import Instance, errors
from bench.catalogue.errors import PuzzleError, one_line
from bench.contract import Run, Status, Task
from models.shared.puzzle import Solution

DONE = (Status.SOLVED, Status.INFEASIBLE)
CLAIMS = (*DONE, Status.CONTRADICTED)
WRONG = (Status.WRONG, Status.CONTRADICTED, Status.CRASHED)
NOT_TRIED = (Status.UNAVAILABLE, Status.UNSUPPORTED)
"""Until all rooms use the properties of Status."""


@dataclass(frozen=True)
class Verdict:
    """The status of a run, and what was found; `error` says what is wrong, on one line.

    `witnesses` is the number of distinct solutions that passed the checker.
    """

    status: Status
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


def judge(instance: Instance, run: Run, response: Mapping[str, Any], validation: Validation) -> Verdict:
    """What became of a run, from what its worker handed back and the validation of its solutions.

    `solved` means that every solution passed the checker and that nothing contradicts `[expected]`.
    """
    figures = response["figures"]
    if validation.fault:
        return Verdict(Status.CRASHED, validation.fault, witnesses=validation.witnesses)
    claimed = validation.solutions(run.task)
    if validation.broken:
        error = one_line(validation.broken)
        return Verdict(Status.WRONG, error, claimed, None, validation.refused, validation.witnesses)
    if ended := ended_early(run, response):
        status, error = ended
    elif reason := malformed(figures):
        status, error = Status.CRASHED, f"the driver of {run.backend} hands back {one_line(reason)}"
    else:
        status, error = Status(figures["status"]), ""
    # A run that was ended has no result, but what it found until then is known.
    known = claimed if claimed or not error else None
    solution, answer = validation.first or (None, None)
    verdict = Verdict(status, error, known, answer, solution, validation.witnesses)
    if not error and (contradiction := contradicts_expected(instance, run, verdict, validation.answers)):
        return Verdict(Status.WRONG, contradiction, claimed, answer, solution, validation.witnesses)
    return verdict


def ended_early(run: Run, response: Mapping[str, Any]) -> tuple[Status, str] | None:
    """Status and reason of a run that gave no result, None if it gave one."""
    figures = response["figures"]
    if response.get("killed") == "memory":
        return Status.MEMOUT, f"it used more than {run.memory_limit_mb} MB"
    if response.get("killed") == "time":
        return Status.TIMEOUT, "killed: it did not stop at its time limit"
    if "error" in figures:
        return Status(figures["status"]), one_line(str(figures["error"]))
    return None if "status" in figures else no_result(response)


def no_result(response: Mapping[str, Any]) -> tuple[Status, str]:
    """Status and reason of a run whose worker died."""
    words = response["tail"].strip().splitlines()
    if any("bad_alloc" in line for line in words):
        return Status.MEMOUT, "std::bad_alloc: the system gave it no more memory"
    if response["signal"]:
        how = f"ended by {Signals(response['signal']).name}"
    else:
        how = f"ended with exit code {response['exit']} and without a result"
    return Status.CRASHED, one_line(f"{how}: {words[-1]}" if words else how)


def is_figure(value: Any) -> bool:
    """Whether a value can stand in runs.csv as a number."""
    return type(value) in (int, float) and 0 <= value < 1e300


def malformed(figures: Mapping[str, Any]) -> str | None:
    """What a driver handed back that is not of the form of `execute`, if anything."""
    if figures["status"] not in (Status.SOLVED, Status.INFEASIBLE, Status.TIMEOUT):
        return f"the status {figures['status']!r}"
    for name, value in figures.items():
        if name not in ("status", "found", "waited_s") and value is not None and not is_figure(value):
            return f"{name} = {value!r}, not a number"
    return None


def contradicts_expected(
    instance: Instance, run: Run, verdict: Verdict, answers: Iterable[str]
) -> str | None:
    """How the result contradicts the `[expected]` table, if it does.

    The expected answer must be that of some solution: of the one found if it is the only one.
    """
    expected = instance.expected
    exhausted = run.task == Task.COUNT and verdict.status.conclusive
    if expected.solutions is not None:
        if exhausted and verdict.solutions != expected.solutions:
            return f"{verdict.solutions} solutions, but {expected.solutions} are expected"
        if verdict.solutions and not expected.solutions:
            return "a solution, but none is expected"
        if verdict.status == Status.INFEASIBLE and expected.solutions:
            return f"no solution, but {expected.solutions} are expected"
    only_one = expected.solutions == 1 and verdict.solutions
    if expected.answer is not None and (only_one or (exhausted and verdict.solutions)):
        texts = sorted(answers)
        if str(expected.answer) not in texts:
            return one_line(f"the answer is {' or '.join(texts)}, but {expected.answer} is expected")
    return None
