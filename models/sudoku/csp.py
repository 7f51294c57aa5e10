"""Sudoku for python-constraint.

n rows and n columns are cut into boxes of n cells; D(i) are the digits, or the given one alone, of cell i.

`all_different`: x[i] in D(i) for each cell i.
    all different (x[i] for i in U)                          for each row, column and box U
    at most n values among all x[i]                          if there are more than n digits
  and for each clue, with its alternatives A, sets of pairs of a cell and a digit (cover.py):
    x[i] = d for all (i, d) in A, for at least one of its A
    remote:       {(i, N)} for each cell i that lies N steps away
    product:      {(i, a), (k, b)} for any two neighbours i, k and digits a b = P
    row divisor:  one for each multiple of D that is a row; if these are too many to list, the constraint
                  sum of 10^(n - c) x[r, c] = 0 modulo D     for each row r

`not_equal`: the same with x[i] != x[k] for each two cells i, k of a unit.

Constraints: all different, not equal; and of our own, at most (how many values), table (alternatives) and
multiple (a weighted sum modulo D), all of which prune by forward checking
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from operator import ne
from typing import Any

import constraint

from models.shared.csp import hide
from models.shared.grid import Cell
from models.shared.model import Model, by_name
from models.sudoku.cover import clues, digits_of_multiples, lists_rows
from models.sudoku.puzzle import Sudoku


class OneOf(constraint.Constraint):  # type: ignore[misc]
    """Of some alternatives, sets of cells with their digits, at least one holds."""

    def __init__(self, alternatives: list[dict[Cell, int]]):
        self.alternatives = alternatives

    def __call__(
        self,
        variables: Sequence[Cell],
        domains: Mapping[Cell, Any],
        assignment: Mapping[Cell, int],
        forwardcheck: bool = False,
    ) -> bool:
        """Returns False if no alternative is left; leaves cells that all name the digits that they name."""
        left = [
            option
            for option in self.alternatives
            if all(
                assignment[i] == digit if i in assignment else digit in domains[i]
                for i, digit in option.items()
            )
        ]
        if not left:
            return False
        for i in variables if forwardcheck else ():
            if i not in assignment and all(i in option for option in left):
                kept = {option[i] for option in left}
                for digit in domains[i][:]:
                    if digit not in kept:
                        domains[i].hideValue(digit)
        return True


class Multiple(constraint.Constraint):  # type: ignore[misc]
    """The digits of a row are a number that is a multiple of a divisor."""

    def __init__(self, divisor: int):
        self.divisor = divisor

    def __call__(
        self,
        variables: Sequence[Cell],
        domains: Mapping[Cell, Any],
        assignment: Mapping[Cell, int],
        forwardcheck: bool = False,
    ) -> bool:
        """Returns False if there is no multiple; leaves each cell the digits that some multiple has there."""
        kept = digits_of_multiples(
            [[assignment[i]] if i in assignment else domains[i] for i in variables], self.divisor
        )
        for i, digits in zip(variables, kept, strict=True) if forwardcheck else ():
            if i not in assignment:
                for digit in domains[i][:]:
                    if digit not in digits:
                        domains[i].hideValue(digit)
        return all(kept)


class AtMost(constraint.Constraint):  # type: ignore[misc]
    """There are at most so many different values."""

    def __init__(self, count: int):
        self.count = count

    def __call__(
        self,
        variables: Sequence[Cell],
        domains: Mapping[Cell, Any],
        assignment: Mapping[Cell, int],
        forwardcheck: bool = False,
    ) -> bool:
        """Returns False if there are more; if there are as many, leaves these to the other variables."""
        used = set(assignment.values())
        if forwardcheck and len(used) == self.count:
            for i in variables:
                if i not in assignment:
                    for value in domains[i][:]:
                        if value not in used and not hide(domains[i], value):
                            return False
        return len(used) <= self.count


def all_different(puzzle: Sudoku) -> Model:
    """Each row, column and box by one constraint."""
    return _model(puzzle, pairwise=False)


def not_equal(puzzle: Sudoku) -> Model:
    """Each row, column and box pair by pair."""
    return _model(puzzle, pairwise=True)


def _model(puzzle: Sudoku, pairwise: bool) -> Model:
    problem = constraint.Problem()

    # A cell holds one of the digits, or what is given.
    for i in puzzle.cells:
        problem.addVariable(i, list(puzzle.domains[i]))

    # A row, column or box holds each digit that is used once.
    if pairwise:
        for pair in dict.fromkeys(pair for unit in puzzle.units for pair in combinations(unit, 2)):
            problem.addConstraint(constraint.FunctionConstraint(ne), pair)
    else:
        for unit in puzzle.units:
            problem.addConstraint(constraint.AllDifferentConstraint(), unit)
    if len(puzzle.digits) > puzzle.side:
        problem.addConstraint(AtMost(puzzle.side), puzzle.cells)

    # A cell so many steps away holds the number of a remote clue.
    # Two neighbours have the product of a product clue.
    # A row is a multiple of the row divisor.
    for options in clues(puzzle):
        alternatives = [{i: digit for i, digit in option if i is not None} for option in options]
        cells = sorted({i for option in alternatives for i in option})
        # Without an alternative there is no solution; a constraint needs a variable all the same.
        problem.addConstraint(OneOf(alternatives), cells or puzzle.cells[:1])
    if puzzle.row_divisor and not lists_rows(puzzle):
        for row in puzzle.units[: puzzle.side]:
            problem.addConstraint(Multiple(puzzle.row_divisor), row)

    return Model(problem, puzzle.solution)


FORMULATIONS = by_name(all_different, not_equal)
