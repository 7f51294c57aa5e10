"""Bin packing for python-constraint; model.md states the constraint program.

Constraints: loads of all bins, number of values
"""

from typing import Any

import constraint

from models.bin_packing.puzzle import BinPacking
from models.shared.csp import Assigned, Better, Domains
from models.shared.model import Model, by_name


def textbook(puzzle: BinPacking) -> Model:
    """The bin of each item; as many bins as items."""
    problem = constraint.Problem()

    class Loads(constraint.Constraint):  # type: ignore[misc]
        def __call__(self, _: Any, __: Domains, assigned: Assigned, *more: Any, **others: Any) -> bool:
            free = [puzzle.capacity for _ in puzzle.items]
            for i, b in assigned.items():
                free[b] -= puzzle.sizes[i]
            return min(free) >= 0

    # Each item goes into one bin.
    problem.addVariables(puzzle.items, puzzle.items)

    # What is in a bin is not larger than its capacity.
    problem.addConstraint(Loads(), puzzle.items)

    # There are as few bins as possible.
    better = Better(puzzle.objective.sense, lambda assigned, _: len({*assigned.values()}))
    problem.addConstraint(better, puzzle.items)

    return Model(problem, puzzle.solution, better=better)


FORMULATIONS = by_name(textbook)
