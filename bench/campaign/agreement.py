"""Compares the claims of several runs about one instance: how many solutions it has."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, cast

from bench import catalogue
from bench.alarm import alarm
from bench.campaign import validation
from bench.campaign.results import Row
from bench.catalogue import Instance, errors
from bench.catalogue.errors import PuzzleError
from bench.contract import Status, Task, TimeLimit
from models.shared.puzzle import Solution

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
        return len(self.claims) <= 1 and all(
            claim >= max(self.least, len(self.answers)) for claim in self.claims
        )


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
    """How many solutions there are at least, and who found them, in words.

    Different answers are of different solutions.
    """
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
    name, puzzle = instance.puzzle_name, cast(Any, instance.puzzle)
    drawn: Any = catalogue.random_instances(name)
    if drawn is None and not hasattr(puzzle, "candidates"):
        return None
    solutions, number = [], 0
    try:
        # Long may pass until the first is yielded.
        with alarm(most_s):
            for candidate in drawn.candidates(puzzle) if drawn else puzzle.candidates():
                number += 1
                if number > most:
                    return None
                if not validation.check(instance, candidate)[0]:
                    solutions.append(as_json(candidate))
    except TimeLimit:
        return None
    except (Exception, SystemExit) as error:
        raise PuzzleError(name, catalogue.blamed(error, name, "random_instances")) from error
    return Exhausted(solutions, number)


def as_json(solution: Solution) -> str:
    """A solution as a text, the same for equal ones."""
    return json.dumps(solution, sort_keys=True)
