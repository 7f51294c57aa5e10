"""Sudoku for python-constraint.

A grid of n rows and n columns is cut into boxes of n cells. Of some digits, n are used; each unit (a row, a
column or a box) holds each used digit once. Let D(i) be the digits that cell i can hold: all of them, or what
is given. For the clues let N be the number of a remote clue, P that of a product clue, D the divisor of the
rows, and w a multiple of D with n digits, w[i] its digit in cell i.

`propagation`: the rules of `all_different` are one constraint, which prunes until nothing changes. In a unit
whose cells have n digits left in all, a digit that one cell alone can hold is there.

`all_different`: x[i] in D(i) for each cell i.
    all different x[i] over i in U                           for each unit U
    at most n values among all x[i]                          if there are more than n digits
    x[i] = v for all (i, v) in A, for some A in A(c)         for each clue c
    D divides the sum of 10^(n - 1 - k) x[r, k] over k       for each row r, if D divides many rows
  The alternatives A(c) of a clue, sets of cells with their digits (cover.py), are
    {(i, N)}                 for each cell i that lies N steps from the clue
    {(i, a), (k, b)}         for any two cells i, k beside the clue and digits a b = P
    {(i, w[i]) for i in R}   for each multiple w of D that row R can be, if D divides few rows

`not_equal`: the same with x[i] != x[k] for each two cells i, k of a unit.

Constraints: of `propagation` one (Fixpoint) of all rules; of the others all different, not equal, and three
of our own, whose forward checking prunes the other cells: at most (how many values), table (the alternatives
of a clue), regular (the remainders of a row)
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import combinations
from operator import ne, or_
from typing import Any

import constraint

from models.shared.csp import Bits, Fixpoint, Rule, hide
from models.shared.grid import Cell
from models.shared.model import Model, by_name
from models.sudoku.cover import clues, digits_of_multiples
from models.sudoku.divisible_rows import divisible_rows
from models.sudoku.puzzle import Sudoku


class OneOf(constraint.Constraint):  # type: ignore[misc]
    """Of some alternatives, sets of cells with their digits, at least one holds."""

    def __init__(self, alternatives: list[dict[Cell, int]]):
        self.alternatives = alternatives

    def preProcess(self, variables: Sequence[Cell], domains: Mapping[Cell, Any], *constraints: Any) -> None:
        """Leaves cells that all alternatives name the digits that they name, for good."""
        super().preProcess(variables, domains, *constraints)
        for i in variables:
            if self.alternatives and all(i in option for option in self.alternatives):
                kept = {option[i] for option in self.alternatives}
                for digit in domains[i][:]:
                    if digit not in kept:
                        domains[i].remove(digit)

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


class Unit:
    """Different digits in a row, column or box; each of them, if its cells have as many left."""

    def __init__(self, cells: Sequence[Cell]):
        self.cells = cells

    def __call__(self, left: Bits) -> Mapping[Cell, int]:
        """Leaves decided digits to their cells, and cells the digits that no other can hold."""
        once = twice = held = 0
        undecided = []
        for i in self.cells:
            bits = left[i]
            twice |= once & bits
            once |= bits
            if bits & (bits - 1):
                undecided.append(i)
            elif held & bits:
                return {i: 0}
            else:
                held |= bits
        if once.bit_count() < len(self.cells):
            return {self.cells[0]: 0}
        alone = once & ~twice & ~held if once.bit_count() == len(self.cells) else 0
        return {i: left[i] & alone or ~held for i in undecided} if alone or held & twice else {}


class Alternatives:
    """Of some alternatives, sets of cells with the bits of their digits, at least one holds."""

    def __init__(self, options: list[list[tuple[Cell, int]]]):
        self.options = options

    def __call__(self, left: Bits) -> Mapping[Cell, int]:
        """Leaves cells that all possible alternatives name the digits that they name."""
        kept: Bits = {}
        named: dict[Cell, int] = {}
        possible = 0
        for option in self.options:
            if all(left[i] & bit for i, bit in option):
                possible += 1
                for i, bit in option:
                    kept[i] = kept.get(i, 0) | bit
                    named[i] = named.get(i, 0) + 1
        if not possible:
            return dict.fromkeys(left, 0)
        return {i: bits for i, bits in kept.items() if named[i] == possible}


def multiple_of(divisor: int, cells: Sequence[Cell], bit: Mapping[int, int]) -> Rule:
    """The digits of a row are a number that is a multiple of a divisor."""

    def rule(left: Bits) -> Mapping[Cell, int]:
        digits = [[digit for digit in bit if left[i] & bit[digit]] for i in cells]
        kept = digits_of_multiples(digits, divisor)
        return {i: sum(map(bit.__getitem__, some)) for i, some in zip(cells, kept, strict=True)}

    return rule


def at_most(count: int) -> Rule:
    """There are at most so many different digits; if all are decided, these are left to all cells."""

    def rule(left: Bits) -> Mapping[Cell, int]:
        used = reduce(or_, (bits for bits in left.values() if not bits & (bits - 1)), 0)
        if used.bit_count() < count:
            return {}
        return dict.fromkeys(left, used if used.bit_count() == count else 0)

    return rule


def propagation(puzzle: Sudoku) -> Model:
    """One constraint over all cells."""
    problem = constraint.Problem()
    bit = {digit: 1 << k for k, digit in enumerate(puzzle.digits)}
    rules: list[tuple[Sequence[Cell], Rule]] = []

    # Each cell holds one digit.
    for i in puzzle.cells:
        problem.addVariable(i, list(puzzle.domains[i]))

    # Each row, column and box holds each digit once that is not left out.
    rules += [(unit, Unit(unit)) for unit in puzzle.units]
    if len(puzzle.digits) > puzzle.side:
        rules.append((puzzle.cells, at_most(puzzle.side)))

    # Some cell N steps away holds N.
    # Two cells beside the clue hold a pair of digits with its product.
    # Each row is a multiple of the divisor: one of a list, or by its remainders.
    rows = divisible_rows(puzzle)
    for options in clues(puzzle, rows):
        alternatives = [[(i, bit[digit]) for i, digit in option if i is not None] for option in options]
        rules.append((sorted({i for option in alternatives for i, _ in option}), Alternatives(alternatives)))
    if puzzle.row_divisor and rows is None:
        for row in puzzle.units[: puzzle.side]:
            rules.append((row, multiple_of(puzzle.row_divisor, row, bit)))
    problem.addConstraint(Fixpoint(bit, rules), puzzle.cells)

    return Model(problem, puzzle.solution)


def all_different(puzzle: Sudoku) -> Model:
    """Each row, column and box by one constraint."""
    return _model(puzzle, pairwise=False)


def not_equal(puzzle: Sudoku) -> Model:
    """Each row, column and box pair by pair."""
    return _model(puzzle, pairwise=True)


def _model(puzzle: Sudoku, pairwise: bool) -> Model:
    problem = constraint.Problem()

    # Each cell holds one digit.
    for i in puzzle.cells:
        problem.addVariable(i, list(puzzle.domains[i]))

    # Each row, column and box holds each digit once that is not left out.
    if pairwise:
        for pair in dict.fromkeys(pair for unit in puzzle.units for pair in combinations(unit, 2)):
            problem.addConstraint(constraint.FunctionConstraint(ne), pair)
    else:
        for unit in puzzle.units:
            problem.addConstraint(constraint.AllDifferentConstraint(), unit)
    if len(puzzle.digits) > puzzle.side:
        problem.addConstraint(AtMost(puzzle.side), puzzle.cells)

    # Some cell N steps away holds N.
    # Two cells beside the clue hold a pair of digits with its product.
    # Each row is a multiple of the divisor: one of a list, or by its remainders.
    rows = divisible_rows(puzzle)
    for options in clues(puzzle, rows):
        alternatives = [{i: digit for i, digit in option if i is not None} for option in options]
        cells = sorted({i for option in alternatives for i in option})
        # Without an alternative there is no solution; a constraint needs a variable all the same.
        problem.addConstraint(OneOf(alternatives), cells or puzzle.cells[:1])
    if puzzle.row_divisor and rows is None:
        for row in puzzle.units[: puzzle.side]:
            problem.addConstraint(Multiple(puzzle.row_divisor), row)

    return Model(problem, puzzle.solution)


FORMULATIONS = by_name(propagation, all_different, not_equal)
