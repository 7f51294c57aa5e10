"""The one oracle: checks solutions, and compares the claims of runs with each other and what is known."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from math import ceil, floor, inf
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
from models.shared.document import shorten
from models.shared.puzzle import Sense, Solution

NOT_STOPPED = "killed: it did not stop at its time limit"
"""The error of a run that the harness had to end."""

_NO_BOUND = 1e15
"""Solvers that have none say so by a larger number."""

LATE_S = 2.0
"""How many seconds after its limit code of a puzzle is killed that no alarm stops."""


@dataclass(frozen=True)
class _Validation:
    """The columns of these names; `solution` is the first one, the best one, or the one that was refused."""

    status: Status
    error: str = ""
    solutions: int | None = None
    answer: str = ""
    solution: Solution = None
    witnesses: int | None = None
    of_best: Mapping[str, Any] = field(default_factory=dict)  # Further columns, if there is an objective.


class Solutions:
    """The solutions of one run, each checked as it is found: aside, or by default here.

    Attributes:
        broken: the first broken rule in words, by the solution `refused`; no further one is checked.
        fault: the mistake in the puzzle's own code, if its check or answer raised.
        first: the first solution, and its answer; the best one, if there is an objective.
        stands_for: how many solutions each one stands for, by its text.
        first_s: when the first one was found.
        objective: the value of the best one.
        bound: what no solution is better than, as the solver says.
        steps: when a better solution or bound was found, in seconds, with both from then on.
    """

    def __init__(self, instance: Instance, aside: Aside | None = None):
        self.instance, self.aside = instance, aside
        self.broken: str | None = None
        self.fault: str | None = None
        self.refused: Solution = None
        self.first: tuple[Solution, str] = None, ""
        self.answers: set[str] = set()
        self.stands_for: dict[str, int] = {}
        self.first_s: float | None = None
        self.objective: int | None = None
        self.bound: int | None = None
        self.steps: list[tuple[float, int | None, int | None]] = []

    def add(self, solution: Solution, stands_for: int, at_s: float = 0.0, bound: float | None = None) -> bool:
        """Checks a solution; returns whether the run may go on, since nothing is wrong so far.

        A `bound` is added in place of a solution.
        """
        if self.broken or self.fault:
            return False
        if bound is not None:
            self._add_step(at_s, self.objective, self._whole(bound))
            return True
        # A formulation may find one several times, with different auxiliary variables.
        if (text := repr(solution)) in self.stands_for:
            return True
        aside, instance = self.aside, self.instance
        try:
            broken, answer = _check_aside(aside, instance, solution) if aside else check(instance, solution)
        except PuzzleError as error:
            self.fault = str(error)
            return False
        if broken:
            self.broken, self.refused = f"solution {len(self.stands_for) + 1}: {broken[0]}", solution
            return False
        if not self.stands_for:
            self.first_s = at_s
        if self._add_step(at_s, int(answer), self.bound) if instance.objective else not self.stands_for:
            self.first = solution, answer
        self.answers.add(answer)
        self.stands_for[text] = stands_for
        return True

    def _add_step(self, at_s: float, objective: int | None, bound: int | None) -> bool:
        """Adds a step if it has a better solution or a closer bound; returns whether it has."""
        sense = self.instance.objective and self.instance.objective.sense
        assert sense, "a puzzle with an objective"
        better = objective is not None and (self.objective is None or sense.better(objective, self.objective))
        closer = bound is not None and (self.bound is None or sense.better(self.bound, bound))
        if better or closer:
            self.objective, self.bound = objective, bound
            self.steps.append((at_s, objective, bound))
        return better or closer

    def _whole(self, bound: float) -> int | None:
        """The next whole number that a solution can have; None for no bound at all."""
        if not abs(bound) < _NO_BOUND:
            return None
        tolerance = 1e-6 + 1e-9 * abs(bound)
        least = self.instance.objective and self.instance.objective.sense is Sense.LEAST
        return ceil(bound - tolerance) if least else floor(bound + tolerance)


def check(instance: Instance, solution: Solution) -> tuple[list[str], str]:
    """The broken rules in words, and the answer as a text if there are none.

    Raises PuzzleError if the puzzle's own code raises, does not return, or returns something else.
    """
    name, puzzle = instance.puzzle_name, instance.puzzle
    broken: Any = catalogue.call(name, "check", lambda: puzzle.check(solution))
    answer: Any = "" if broken else catalogue.call(name, "answer", lambda: puzzle.answer(solution))

    def what_is_wrong() -> str:
        if not isinstance(broken, list) or not all(isinstance(rule, str) for rule in broken):
            return f"check returns {broken!r}, not a list of broken rules in words"
        if instance.objective and not broken and type(answer) is not int:
            return f"answer returns {shorten(answer)}, not the whole number that is to be best"
        if not isinstance(answer, int | str):
            return f"answer returns {answer!r}, not a whole number or a text"
        unprintable = not str(answer).isprintable()
        return f"answer returns {answer!a}, which has characters that cannot be shown" if unprintable else ""

    # Writing down what it returned may raise, too.
    if said := catalogue.call(name, "answer", what_is_wrong):
        raise PuzzleError(name, one_line(f"{errors.shown(catalogue.source_of(name))}: {said}"))
    return broken, str(answer)


def _check_aside(aside: Aside, instance: Instance, solution: Solution) -> tuple[list[str], str]:
    """What `check` returns, by a process that can be killed where no alarm stops it; raises PuzzleError."""
    name = instance.puzzle_name
    try:
        said = aside.call(puzzles.CALL_S + LATE_S, _check_there, instance.path, instance.sha256, solution)
    except ProcessEnded as error:
        said = f"{errors.shown(catalogue.source_of(name))}: check or answer of {name} {error}"
    if isinstance(said, str):
        raise PuzzleError(name, said)
    return said


def _check_there(path: Path, sha256: str, solution: Solution) -> tuple[list[str], str] | str:
    """What `check` returns, in a process that has not read the instance; or the mistake."""
    try:
        return check(_read(path, sha256), solution)
    except RequestError as error:
        return str(error)


@cache
def _read(path: Path, sha256: str) -> Instance:
    """The instance in a file; raises RequestError if it cannot be read or has changed."""
    instance = catalogue.load(path)
    if instance.sha256 != sha256:
        raise RequestError(f"{path} has changed since the campaign began")
    return instance


def validate(instance: Instance, run: Run, answer: Answer, found: Solutions) -> _Validation:
    """Decides the status of a run, from what its process answered and its solutions."""
    witnesses = len(found.stands_for)
    if found.fault:
        return _Validation(Status.CRASHED, found.fault, witnesses=witnesses)
    number = sum(found.stands_for.values()) if run.task == Task.COUNT else witnesses
    if found.broken:
        return _Validation(Status.WRONG, one_line(found.broken), number, "", found.refused, witnesses)
    status, error = _claimed_status(run, answer)
    if instance.objective and witnesses and status in (Status.TIMEOUT, Status.STOPPED):
        status = Status.FEASIBLE
    # A run that was ended has no result, but what it found until then is known.
    solutions = number if number or not error else None
    contradicts = _contradiction(instance, run.task, status, number, found.answers)
    contradicts = contradicts or _beaten(instance, status, found)
    if contradicts and (not error or status is Status.FEASIBLE):
        status, error = Status.WRONG, contradicts
    solution, text = found.first
    of_best = _best(found, instance.objective.sense, answer) if instance.objective else {}
    return _Validation(status, error, solutions, text, solution, witnesses, of_best)


def _best(found: Solutions, sense: Sense, answer: Answer) -> dict[str, Any]:
    """The columns of a run that was to find the best solution; a claim that it did is a bound, too."""
    objective, bound, steps = found.objective, found.bound, found.steps
    if answer.claim is Status.OPTIMAL and objective is not None:
        bound = objective
        steps = [*steps, (round(answer.total_s or steps[-1][0], 6), objective, bound)]
    gap = None
    if objective is not None and bound is not None and (objective or not bound):
        gap = abs(objective - bound) / abs(objective or 1)
    best_s = next((at_s for at_s, value, _ in steps if value is not None and value == objective), None)
    return {
        "sense": sense, "objective": objective, "bound": bound, "gap": gap, "first_s": found.first_s,
        "best_s": best_s, "trajectory": json.dumps(steps, separators=(",", ":")) if steps else "",
    }  # fmt: skip


def _beaten(instance: Instance, status: Status, found: Solutions) -> str:
    """Which value refutes a bound, or a claim that nothing is better; empty if none does."""
    if not instance.objective:
        return ""
    sense, value, known = instance.objective.sense, found.objective, instance.expected
    values = [each for each in (value, known.answer, known.best) if isinstance(each, int)]
    if values and status is Status.INFEASIBLE:
        return f"it claims that there is no solution, but one of {values[0]} is known"
    if value is not None and isinstance(known.answer, int) and sense.better(value, known.answer):
        return f"a solution of {value}, but {known.answer} is expected to be the best"
    for claimed, best in product((found.bound, value if status is Status.OPTIMAL else None), values):
        if claimed is not None and sense.better(best, claimed):
            return f"it claims that nothing is better than {claimed}, but {best} is known"
    return ""


def _claimed_status(run: Run, answer: Answer) -> tuple[Status, str]:
    """The status that a run claims, and why it gave no result; empty if it did."""
    if answer.killed is Killed.MEMORY:
        return Status.MEMOUT, f"it used more than {run.memory_limit_mb} MB"
    if answer.killed is Killed.TIME:
        return Status.TIMEOUT, NOT_STOPPED
    if answer.claim:
        return answer.claim, one_line(answer.error)
    # Its worker died. Behind a panic, Rust notes how to see more of it.
    words = [line for line in answer.tail.strip().splitlines() if not line.startswith("note: ")]
    if any("bad_alloc" in line for line in words):
        return Status.MEMOUT, "std::bad_alloc: the system gave it no more memory"
    by = Signals(answer.signal).name if answer.signal else ""
    how = f"ended by {by}" if by else f"ended with exit code {answer.exit} and without a result"
    return Status.CRASHED, one_line(f"{how}: {words[-1]}" if words else how)


def _contradiction(instance: Instance, task: Task, status: Status, found: int, answers: Iterable[str]) -> str:
    """How a result with so many solutions contradicts the `[expected]` table; empty if it does not."""
    expected = instance.expected
    exhausted = task == Task.COUNT and status.conclusive
    if expected.solutions is not None:
        if exhausted and found != expected.solutions:
            return f"{found} solutions found, {expected.solutions} expected"
        if found and not expected.solutions:
            return "a solution, but none is expected"
        if status == Status.INFEASIBLE and expected.solutions:
            return f"no solution found, {expected.solutions} expected"
    # The expected answer is that of some solution: if others are left out, it may be theirs.
    if task != Task.BEST and expected.answer is not None and found and (expected.solutions == 1 or exhausted):
        texts = sorted(answers)
        if str(expected.answer) not in texts:
            return one_line(f"the answer is {' or '.join(texts)}, but {expected.answer} is expected")
    return ""


UNDECIDED = "no checked solutions decide"
"""How the error of a row ends that is `wrong` only because another row claims otherwise."""


class Agreement:
    """Whether all rows about one instance agree so far; cheap for each row, where `settle` compares all."""

    def __init__(self) -> None:
        self.witnesses = 0  # The most of a row.
        self.answers: set[str] = set()  # Different ones are of different solutions.
        self.claims: set[int] = set()  # Each says how many solutions there are in all.
        self.best: int | None = None  # The best value of a solution.
        self.bound: int | None = None  # The closest one.

    def add(self, row: Row) -> bool:
        """Adds a row; returns whether all still agree."""
        witnesses, claim = _witnesses_of(row), claimed(row)
        self.witnesses = max(self.witnesses, witnesses)
        if witnesses and row.answer:
            self.answers.add(row.answer)
        if claim is not None:
            self.claims.add(claim)
        least = max(self.witnesses, len(self.answers))
        return len(self.claims) <= 1 and all(claim >= least for claim in self.claims) and self._stands(row)

    def _stands(self, row: Row) -> bool:
        """Adds the objective of a row; returns whether no solution so far beats a bound so far."""
        if row.sense not in tuple(Sense):
            return True
        sense = Sense(row.sense)
        if row.objective is not None and (self.best is None or sense.better(row.objective, self.best)):
            self.best = row.objective
        if row.bound is not None and (self.bound is None or sense.better(self.bound, row.bound)):
            self.bound = row.bound
        return self.best is None or self.bound is None or not sense.better(self.best, self.bound)


@dataclass(frozen=True)
class Exhausted:
    """The solutions among all candidates, as JSON, with repeats; the number of candidates; the best value."""

    solutions: Sequence[str]
    candidates: int
    best: int | None = None


def settle(
    rows: Sequence[Row], witnesses: Sequence[Row] | None = None, exhausted: Exhausted | None = None
) -> list[tuple[Status, str]]:
    """Decides status and error of each row after comparing all claims about one instance.

    Solutions that passed the checker are witnesses: they refute every run that claims that there are fewer,
    or that none is so good. Where claims differ and nothing decides, all of them are wrong (`undecided`)
    until something does.

    Args:
        rows: about one instance file and its rules, none of them superseded.
        witnesses: the rows whose solutions are witnesses, also superseded ones; by default `rows`.
        exhausted: what the checker accepts of all candidates, which refutes every other claim.

    Raises:
        PuzzleError: if there are more witnesses than that: the candidates leave solutions out.
    """
    witnesses = rows if witnesses is None else witnesses
    least, evidence = _most_witnesses(witnesses)
    most: float = inf
    best = exhausted.best if exhausted else None
    # Candidates have the best solutions, and need not have all.
    if best is not None and not least:
        least, evidence = 1, "the checker accepts one of all candidates"
    if exhausted and best is None:
        exhaustive = len({*exhausted.solutions})
        some = f"exactly {exhaustive}" if exhaustive else "none"
        accepted = f"the checker accepts {some} of all candidates"
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
    found = [(row.objective, f"{_author(row)} found it") for row in witnesses if row.objective is not None]
    found += [] if best is None else [(best, "the checker accepts it")]
    for number, row in enumerate(rows):
        beaten = [
            f"it claims that nothing is better than {row.bound}, but {value} is known: {how}"
            for value, how in found
            if row.bound is not None
            and row.sense in tuple(Sense)
            and Sense(row.sense).better(value, row.bound)
        ]
        if beaten:
            settled[number] = Status.WRONG, beaten[0]
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
    count = _witnesses_of(most)
    by_answer = {row.answer: row for row in reversed(rows) if _witnesses_of(row) and row.answer}
    if len(by_answer) > count:
        answers = [f"{answer} ({_author(row)})" for answer, row in sorted(by_answer.items())[:2]]
        return len(by_answer), "checked solutions have different answers, as " + " and ".join(answers)
    found = "a solution that passed" if count == 1 else f"{count} different solutions that passed"
    return count, f"{_author(most)} found {found} the checker"


def _witnesses_of(row: Row) -> int:
    """How many checked solutions a row has; without that figure one at most is known."""
    if row.witnesses is not None:
        return row.witnesses
    return int(row.status == Status.SOLVED and row.solution != "")


def _solutions(count: int) -> str:
    return f"{count or 'no'} solution{'' if count == 1 else 's'}"


def _author(row: Row) -> str:
    return f"{row.model} (seed {row.seed})"


def exhaust(instance: Instance, most: int, most_s: float) -> Exhausted | None:
    """All solutions by the rules alone; None without candidates, or beyond `most` or `most_s` seconds.

    Raises PuzzleError if the puzzle's own code raises.
    """
    name, drawn = instance.puzzle_name, catalogue.random_instances(instance.puzzle_name)
    if drawn is None:
        return None
    solutions, values, number = [], set[int](), 0
    try:
        # The first may take long, too.
        with alarm(most_s):
            for number, candidate in enumerate(drawn.candidates(instance.puzzle), 1):
                if number > most:
                    return None
                broken, answer = check(instance, candidate)
                if not broken:
                    solutions.append(as_json(candidate))
                    values |= {int(answer)} if instance.objective else set()
    except TimeLimit:
        return None
    except (Exception, SystemExit) as error:
        raise PuzzleError(name, catalogue.blamed(error, name, "random_instances")) from error
    best = instance.objective.sense.best(values) if instance.objective and values else None
    return Exhausted(solutions, number, best)


def as_json(solution: Solution) -> str:
    """A solution as a text, the same for equal ones."""
    return json.dumps(solution, sort_keys=True)
