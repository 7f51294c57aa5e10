"""Hooks in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: all different, global cardinality, maximum, minimum, element, regular, linear, clause
"""

import cpmpy

from models.hooks.line_clues import line_clues, sums, transitions
from models.hooks.puzzle import Hooks
from models.shared.connected import steps_for_cpmpy
from models.shared.model import Model, by_name, from_integers
from models.shared.partly_filled import EMPTY


def textbook(puzzle: Hooks) -> Model:
    """Integers; rows, columns and numbers are permutations, and each filled cell is some steps from the 1."""
    model = cpmpy.Model()
    n, cells, sizes = puzzle.n, puzzle.cells, range(1, puzzle.n + 1)

    # Each cell holds one value.
    x = {i: cpmpy.intvar(0, n) for i in cells}
    model += [x[i] == v for i, v in puzzle.fixed]

    # Each number v is in v cells.
    model += cpmpy.GlobalCardinalityCount(list(x.values()), list(sizes), list(sizes))

    # Each hook takes a row and a column, from the outside in.
    row, column = ([cpmpy.intvar(1, n) for _ in range(n)] for _ in range(2))
    for line in (row, column):
        model += cpmpy.AllDifferent(line)
        model += [(a < b).implies(b < c) for a, b, c in zip(line, line[1:], line[2:], strict=False)]
    hook = {(r, c): cpmpy.max([row[r], column[c]]) for r, c in cells}
    model += [hook[i] == k for i, k in (puzzle.hooks or {}).items()]

    # Each number has a hook, and each hook a number.
    number = cpmpy.cpm_array([cpmpy.intvar(1, n) for _ in sizes])
    model += cpmpy.AllDifferent(number)
    model += [number[k - 1] == k for k in sizes if puzzle.by_size]

    # A filled cell holds the number of its hook.
    model += [(x[i] != EMPTY).implies(x[i] == number[hook[i] - 1]) for i in cells]

    # Some cell of each 2x2 block is empty.
    model += [cpmpy.any(x[i] == EMPTY for i in block) for block in puzzle.blocks]

    # Lines, regions and neighbours have their sums.
    model += [cpmpy.sum(x[i] for i in group) == total for group, total in sums(puzzle)]

    # The first two filled cells of a line have the product, the first run of filled cells has the sum.
    for seen, clue in line_clues(puzzle):
        steps, accepted = transitions(clue, n)
        model += cpmpy.Regular([x[i] for i in seen], steps, 0, accepted)

    # All filled cells are connected: with the one with 1.
    if puzzle.connected:
        filled, root = {i: x[i] != EMPTY for i in cells}, {i: x[i] == 1 for i in cells}
        model += steps_for_cpmpy(filled, root, puzzle.near, puzzle.filled)

    return Model(model, from_integers(puzzle, x), decisions=list(x.values()))


FORMULATIONS = by_name(textbook)
