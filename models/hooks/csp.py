"""Hooks for python-constraint: how the hooks are cut, their numbers, and the cells.

A grid is cut into hooks of the sizes n..1; each gets a number v of its own, which v of its cells hold. Clues
give sums, products, and whether what is filled is connected and free of full 2x2 blocks.

A cut is a hook with the square that it is cut from and the square that remains. Let
C(k) be the cuts of size k, V(k) the numbers for which a hook of size k has room, {k} if it holds the number
k, and D(i) be 0..n for each cell i, 0 for an empty one; or the number alone that is given there; or 0 alone
if the sum of its neighbours stands there.

`layout`: c[k] in C(k), v[k] in V(k) for k = 1..n, x[i] in D(i) for each cell i.
    the first square is the grid; c[k] leaves the square of c[k-1]          for k = 2..n
    the v[k] are all different
    x[i] is 0 or v[k] for each cell i of c[k]; |{i : x[i] = v[k]}| = v[k]   for k = 1..n
    the x[i] of the cells of a clue, in the order in which they are met, are accepted by it
    x[i] = 0 for some i in B                                                for each 2x2 block B (no_full_2x2)
    {i : x[i] > 0} is connected along edges                                 (connected)

Constraints: path (of squares), all different, global cardinality, table, not all filled, connected (the last
four written for this puzzle; they check forward, tables to domain consistency)
"""

from collections.abc import Collection, Sequence
from itertools import product
from typing import Any

import constraint

from models.hooks.cuts import GRID, Cut, cuts, possible_numbers
from models.hooks.line_clues import Clue, clues_with_cells, supported
from models.hooks.puzzle import EMPTY, Hooks
from models.shared.bits import in_words, members
from models.shared.csp import hide
from models.shared.filled import Assignment, Connected, Domains, NotAllFilled, possible
from models.shared.grid import Cell, neighbours
from models.shared.model import Left, Model, by_name, from_integers
from models.shared.search import View


def leave(variable: Any, values: Collection[Any], domains: Domains, assignment: Assignment) -> None:
    """Removes all other values from the domain of a variable, if it has one."""
    if variable not in assignment:
        domain = domains[variable]
        for other in domain[:]:
            if other not in values:
                domain.hideValue(other)


class Hooked(constraint.Constraint):  # type: ignore[misc]
    """Each number v is in v cells of one hook, with no other; forward checking leaves possible cuts."""

    def __init__(self, cells: Sequence[Cell], sizes: Sequence[int]):
        self.cells, self.sizes = cells, sizes

    def __call__(
        self, variables: Sequence[Any], domains: Domains, assignment: Assignment, forwardcheck: Any = False
    ) -> bool:
        """Returns False if a hook has no number left, or a number too few or too many cells."""
        # By value, the cells that can hold it, those that must, and filled ones that cannot, as sets of bits.
        can, must = [0] * (len(self.sizes) + 1), [0] * (len(self.sizes) + 1)
        for place, i in enumerate(self.cells):
            values = possible(i, domains, assignment)
            for value in values:
                can[value] |= 1 << place
            if len(values) == 1:
                must[values[0]] |= 1 << place
        filled = (1 << len(self.cells)) - 1 & ~can[EMPTY]
        misfit = [filled & ~cells for cells in can]
        before, within = can.copy(), [0] * len(can)
        squares = {GRID}
        for size in self.sizes:
            choices, numbers = (possible((kind, size), domains, assignment) for kind in ("cut", "number"))
            pairs = [
                (cut, v)
                for cut in choices
                if cut.square in squares
                for v in numbers
                if not (must[v] & ~cut.cells or misfit[v] & cut.cells)
                and (filled & cut.cells).bit_count() <= v <= (before[v] & cut.cells).bit_count()
            ]
            if not pairs:
                return False
            cuts_left, numbers_left = {cut for cut, _ in pairs}, {v for _, v in pairs}
            if forwardcheck:
                leave(("cut", size), cuts_left, domains, assignment)
                leave(("number", size), numbers_left, domains, assignment)
            for cut, v in pairs:
                within[v] |= cut.cells
            # If only one cut is left, its cells hold no other number.
            for v in {*self.sizes} - numbers_left if len(cuts_left) == 1 else ():
                can[v] &= ~pairs[0][0].cells
            squares = {cut.rest for cut in cuts_left}
        # A number is in a hook that can have it; if it is in enough cells it is in no others.
        for v in self.sizes:
            can[v] &= within[v]
            if not must[v].bit_count() <= v <= can[v].bit_count():
                return False
            if must[v].bit_count() == v:
                can[v] &= must[v]
            elif can[v].bit_count() == v:
                for other in {*self.sizes, EMPTY} - {v}:
                    can[other] &= ~can[v]
        gone = [(v, self.cells[place]) for v in range(len(can)) for place in members(before[v] & ~can[v])]
        return all(i not in assignment and (not forwardcheck or hide(domains[i], v)) for v, i in gone)


class Accepted(constraint.Constraint):  # type: ignore[misc]
    """The clue accepts the values of its cells; forward checking leaves only values of such fillings."""

    def __init__(self, clue: Clue, cells: Sequence[Cell]):
        self.clue, self.cells = clue, cells

    def __call__(
        self, variables: Sequence[Any], domains: Domains, assignment: Assignment, forwardcheck: Any = False
    ) -> bool:
        """Returns False if the clue accepts no filling."""
        left = [possible(i, domains, assignment) for i in self.cells]
        bits = tuple(sum(1 << value for value in values) for values in left)
        if not all(bits):
            return False
        kept = supported(self.clue, bits)
        for i, before, after in zip(self.cells, bits, kept if forwardcheck else (), strict=False):
            if before != after:
                leave(i, members(after), domains, assignment)
        return bool(kept)


def leaves(outer: Cut, inner: Cut) -> bool:
    """Whether a cut leaves the square of the next one."""
    return outer.rest == inner.square


def layout(puzzle: Hooks) -> Model:
    """One variable for each cut, each number of a hook, and each cell."""
    problem = constraint.Problem()
    sizes = range(puzzle.n, 0, -1)

    # Each hook is cut from the square that the larger ones leave, and has a number.
    for size in sizes:
        problem.addVariable(("cut", size), list(cuts(puzzle, size)))
        problem.addVariable(("number", size), members(possible_numbers(puzzle, size)))
    for size in sizes[:-1]:
        problem.addConstraint(leaves, [("cut", size), ("cut", size - 1)])

    # The numbers of the hooks are all different.
    if not puzzle.by_size:
        problem.addConstraint(constraint.AllDifferentConstraint(), [("number", size) for size in sizes])

    # A cell is empty or holds a number; some are given, and those with a sum of neighbours are empty.
    for i in puzzle.cells:
        problem.addVariable(i, [puzzle.givens[i]] if i in puzzle.givens else range(puzzle.n + 1))
    for i in puzzle.neighbour_sums:
        problem.addConstraint(constraint.InSetConstraint({EMPTY}), [i])

    # Each hook holds its number v in v of its cells.
    hooks = [(kind, size) for size in sizes for kind in ("cut", "number")]
    problem.addConstraint(Hooked(puzzle.cells, sizes), [*hooks, *puzzle.cells])

    # Sums, products and blocks are those of the clues; these are looked at again when a hook changes.
    for cells, clue in clues_with_cells(puzzle):
        problem.addConstraint(Accepted(clue, cells), [*hooks, *cells])

    # No 2x2 block is completely filled.
    if puzzle.no_full_2x2:
        for row, column in product(range(puzzle.n - 1), repeat=2):
            problem.addConstraint(
                NotAllFilled(), [(row + a, column + b) for a, b in product((0, 1), repeat=2)]
            )

    # All filled cells are connected along edges.
    if puzzle.connected:
        near = {i: neighbours(i, puzzle.n) for i in puzzle.cells}
        problem.addConstraint(Connected(near), puzzle.cells)

    x = {i: i for i in puzzle.cells}
    return Model(problem, from_integers(puzzle, x), view=view)


def view(left: Left) -> View:
    """The values that each cell can have, and what is known of the hooks."""
    cells, notes = {}, []
    for variable, values in left.items():
        match variable:
            case ("cut", size):
                if len({cut.square for cut in values}) == 1:
                    corners = ", or in ".join(in_words(cut.corner) for cut in values)
                    notes.append(f"hook {size}: corner in {corners}")
            case ("number", size):
                notes.append(f"hook {size}: number {', '.join(map(str, values))}")
            case _:
                cells[variable] = [value or "·" for value in values]
    return View(cells, notes=notes)


FORMULATIONS = by_name(layout)
