"""Cross Sums for python-constraint.

Each open cell holds a digit, and an entry has its clue as its sum or its product; or a digit or its negative,
and an entry has its clue as its sum, no digit is twice in a row or column of the grid, and one value in each
is negative.

Let clue(e) be the clue of entry e; M(e) the multisets of values that fit it, with the rule `sum_or_product`
only those with the product clue(e) and another sum, since those with the sum clue(e) are many and exclude
little; and D(i) the values that fit each entry of cell i (entries.py).

`multisets`: x[i] in D(i) is the value of cell i. A cell is its own variable.
    (x[i] for i in e) is a multiset in M(e),
      or with the rule `sum_or_product` its sum is clue(e)         for each entry e
  and with the rule `signed_sum`, for each row and column l of the grid:
    |x[i]| != |x[k]|                                               for all cells i != k in l
    exactly one i in l with x[i] < 0

Constraints: two of our own, `Fitting` (forward checking leaves each cell the values of the multisets that
have all assigned values, and those that the bounds of the sum allow) and `SignedLine` (forward checking
removes digits, and further negative values)
"""

from collections.abc import Mapping, Sequence
from typing import Any

import constraint

from models.cross_sums.entries import (
    Multiset,
    entry_multisets,
    may_be_sum,
    signed_lines,
    values_by_cell,
    without,
)
from models.cross_sums.puzzle import DIGITS, CrossSums
from models.shared.csp import hide
from models.shared.grid import Cell
from models.shared.model import Model, by_name


class Fitting(constraint.Constraint):  # type: ignore[misc]
    """The cells hold one of some multisets, or sum to a total; forward checking leaves what fits."""

    def __init__(self, multisets: Sequence[Multiset], total: int | None):
        self.multisets = multisets
        self.total = total

    def __call__(
        self,
        variables: Sequence[Cell],
        domains: Mapping[Cell, Any],
        assignment: Mapping[Cell, int],
        forwardcheck: bool = False,
    ) -> bool:
        """Returns False if nothing fits."""
        known = [assignment[i] for i in variables if i in assignment]
        unknown = [i for i in variables if i not in assignment]
        can_hold = {value for i in unknown for value in domains[i]}
        fits = False
        left = set[int]()
        for multiset in self.multisets:
            rest = without(multiset, known)
            if rest is not None and can_hold.issuperset(rest):
                fits = True
                left.update(rest)
        low, high = (sum(known) + sum(end(domains[i]) for i in unknown) for end in (min, max))
        sums = self.total is not None and low <= self.total <= high
        for i in unknown if forwardcheck and (fits or sums) else ():
            least, most = min(domains[i]), max(domains[i])
            for value in [*domains[i]]:
                by_sum = sums and low - least <= self.total - value <= high - most
                if value not in left and not by_sum and not hide(domains[i], value):
                    return False
        return fits or sums


class SignedLine(constraint.Constraint):  # type: ignore[misc]
    """No digit is twice in the cells, and one value is negative; prunes the unassigned cells."""

    def __call__(
        self,
        variables: Sequence[Cell],
        domains: Mapping[Cell, Any],
        assignment: Mapping[Cell, int],
        forwardcheck: bool = False,
    ) -> bool:
        """Returns False if a digit is there twice, or not one value can be negative."""
        known = [assignment[i] for i in variables if i in assignment]
        digits = {abs(value) for value in known}
        negative = sum(value < 0 for value in known)
        if len(digits) < len(known) or negative > 1:
            return False
        unknown = [i for i in variables if i not in assignment]
        if forwardcheck:
            for i in unknown:
                for value in [*domains[i]]:
                    if (abs(value) in digits or (negative and value < 0)) and not hide(domains[i], value):
                        return False
        return negative == 1 or any(value < 0 for i in unknown for value in domains[i])


class Contradiction(constraint.Constraint):  # type: ignore[misc]
    """What no values satisfy."""

    def __call__(self, *_: object) -> bool:
        """Returns False."""
        return False


def multisets(puzzle: CrossSums) -> Model:
    """Each entry holds one of the multisets that fit its clue, or sums to it."""
    problem = constraint.Problem()

    # Each cell holds a value. A variable needs one, even if there is none that fits.
    for i, values in values_by_cell(puzzle).items():
        problem.addVariable(i, values or list(DIGITS))

    # An entry holds one of the multisets that fit its clue, or sums to it.
    for entry in puzzle.across + puzzle.down:
        total = entry.clue if may_be_sum(puzzle.rule, entry) else None
        problem.addConstraint(Fitting(entry_multisets(puzzle.rule, entry), total), entry.cells)

    # No digit is twice in a row or column, and one value in it is negative.
    for line in signed_lines(puzzle):
        if line:
            problem.addConstraint(SignedLine(), line)
        else:
            # The library takes a constraint without variables for one on all of them.
            problem.addConstraint(Contradiction(), puzzle.cells)

    return Model(problem, puzzle.solution)


FORMULATIONS = by_name(multisets)
