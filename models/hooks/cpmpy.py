"""Hooks in CPMpy, for any of its solvers.

A grid is cut into hooks of the sizes n..1; each gets a number v of its own, which v of its cells hold. Clues
give sums, products, and whether what is filled is connected and free of full 2x2 blocks.

The square of size k is what is left of the grid once the larger hooks are cut off. Let D(i) be the values
that cell i may hold, 0 for an empty cell, S(v) the sizes that the hook of the number v may have, N(i) the
cells that share an edge with cell i (layout.py).

`ranking`: literals holds[i][v], true if cell i holds v; takes[v, k], true if the hook of size k holds the
  number v; and for rows and in the same way for columns begins[k, s], true if the square of size k begins in
  row s, and inside[k, r], true if it has row r. filled[i] is not holds[i][0].
    exactly one v in D(i) with holds[i][v]                               for each cell i
    sum of holds[i][v] over i  = v                                       for each v = 1..n
    exactly one k in S(v) with takes[v, k]                               for each v
    exactly one v with takes[v, k]                                       for each k
    within[v, k] = sum of takes[v, m] over m <= k                        for each v and k
  Layout, which is a constant if the hooks are printed:
    exactly one s with begins[k, s]                                      for each k
    begins[k, s] => begins[k-1, s] or begins[k-1, s+1]                   for each k > 1 and s
    inside[k, r] = sum of begins[k, s] over r - k < s <= r               for each k and r
    inside[k-1, r] => inside[k, r]                                       for each k > 1 and r
  and for cell i in row r and column c, v in D(i), v > 0, and each k:
    holds[i][v] and within[v, k] => inside[k, r], inside[k, c]
    holds[i][v] and inside[k, r] and inside[k, c] => within[v, k]
  Clues:
    some i in B with holds[i][0]                                         for each 2x2 block B (no_full_2x2)
    sum of v * holds[i][v] over i in G and v in D(i)  = T                for each line, region, N(i) of sum T
    exactly one way to fill the first two cells is true                  for each product of the first two
      which says what these cells hold, and which are empty
    exactly one first run of filled cells is true                        for each sum of the first run
      which says which cells are filled and empty, and has the sum
  That the filled cells are connected, if it is a rule: integers rank[i], the steps from the cell with 1 to
  cell i through filled cells, 0 for an empty cell; and literals arc[i, k], true if cells i and k are filled
  and k is one step further than i.
    filled[i] and filled[k] <=> exactly one of arc[i, k] and arc[k, i]   for each i and k in N(i)
    arc[i, k] => rank[k] = rank[i] + 1                                   for each i and k in N(i)
    filled[i] => holds[i][1] or some arc[k, i], k in N(i)                for each cell i
    holds[i][1] or holds[i][0] => rank[i] = 0                            for each cell i
  Filled neighbours are never equally far from the root, as they have different colours on a chessboard. So
  all ranks and arcs are determined.

Constraints: linear, clause, half-reified linear
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import cpmpy

from models.hooks.layout import (
    blocks,
    domain,
    first_pairs,
    first_runs,
    number_of_filled,
    possible_sizes,
    sums,
)
from models.hooks.puzzle import EMPTY, Hooks
from models.shared.grid import Cell, neighbours
from models.shared.model import Model, by_name, from_literals

Inside = dict[tuple[Cell, int], list[Any]]
"""Literals that are all true exactly if the square of a size has a cell."""


def ranking(puzzle: Hooks) -> Model:
    """Each filled cell but the one with 1 has a filled neighbour that is one step nearer to that."""
    model = cpmpy.Model()
    holds = {i: {v: cpmpy.boolvar() for v in domain(puzzle, i)} for i in puzzle.cells}
    filled = {i: ~holds[i][EMPTY] if EMPTY in holds[i] else cpmpy.BoolVal(True) for i in puzzle.cells}
    numbers = sizes = range(1, puzzle.n + 1)

    # Each cell holds one value.
    for i in puzzle.cells:
        model += cpmpy.sum(holds[i].values()) == 1

    # Each number v is in v cells.
    for v in numbers:
        model += cpmpy.sum(holds[i][v] for i in puzzle.cells if v in holds[i]) == v

    # Each number has a hook, and each hook a number.
    takes = {v: {k: cpmpy.boolvar() for k in possible} for v, possible in possible_sizes(puzzle).items()}
    for k in numbers:
        model += cpmpy.sum(takes[k].values()) == 1
        model += cpmpy.sum(takes[v][k] for v in numbers if k in takes[v]) == 1
    within = {(v, k): cpmpy.boolvar() for v in numbers for k in sizes}
    for (v, k), literal in within.items():
        model += cpmpy.sum(takes[v][m] for m in takes[v] if m <= k) == literal

    # Filled cells lie in the hook of their number.
    inside = _layout(model, puzzle)
    for i in puzzle.cells:
        for v in filter(None, holds[i]):
            for k in sizes:
                for literal in inside[i, k]:
                    model += cpmpy.any([~holds[i][v], ~within[v, k], literal])
                model += cpmpy.any([~holds[i][v], within[v, k], *(~literal for literal in inside[i, k])])

    # Some cell of each 2x2 block is empty.
    for block in blocks(puzzle) if puzzle.no_full_2x2 else []:
        model += cpmpy.any(~filled[i] for i in block)

    # Lines, regions and neighbours have their sums.
    for cells, total in sums(puzzle):
        model += cpmpy.sum(v * literal for i in cells for v, literal in holds[i].items()) == total

    # The first two filled cells of a line have the product.
    for pairs in first_pairs(puzzle):
        ways = [cpmpy.boolvar() for _ in pairs]
        model += cpmpy.sum(ways) == 1
        for way, pair in zip(ways, pairs, strict=True):
            for i, v in pair.numbers:
                model += way.implies(holds[i][v])
            for i in pair.empty:
                model += way.implies(~filled[i])

    # The first run of filled cells of a line has the sum.
    for total, runs in first_runs(puzzle):
        ways = [cpmpy.boolvar() for _ in runs]
        model += cpmpy.sum(ways) == 1
        for way, run in zip(ways, runs, strict=True):
            for i in run.filled:
                model += way.implies(filled[i])
            for i in run.empty:
                model += way.implies(~filled[i])
            found = cpmpy.sum(v * literal for i in run.filled for v, literal in holds[i].items())
            model += way.implies(found == total)

    if puzzle.connected:
        _connect(model, puzzle, holds, filled)
    literals = [literal for values in holds.values() for literal in values.values()]
    return Model(model, from_literals(puzzle, holds), decisions=literals)


def _layout(model: cpmpy.Model, puzzle: Hooks) -> Inside:
    """Adds the squares of the sizes n..1, each within the one before."""
    n, sizes = puzzle.n, range(1, puzzle.n + 1)
    if puzzle.hooks is not None:
        return {(i, k): [cpmpy.BoolVal(hook <= k)] for i, hook in puzzle.hooks.items() for k in sizes}
    inside = {}
    for axis in ("row", "column"):
        begins = {k: [cpmpy.boolvar() for _ in range(n - k + 1)] for k in sizes}
        for k in sizes:
            # A square begins in one row and one column.
            model += cpmpy.sum(begins[k]) == 1

            # It has the rows and columns from there on.
            for r in range(n):
                inside[axis, r, k] = literal = cpmpy.boolvar()
                model += cpmpy.sum(begins[k][max(0, r - k + 1) : r + 1]) == literal
        for small, large in pairwise(sizes):
            # A square loses its first or last row, and its first or last column.
            for s, literal in enumerate(begins[large]):
                model += literal.implies(begins[small][s] | begins[small][s + 1])

            # What is in a square is in the larger ones.
            for r in range(n):
                model += inside[axis, r, small].implies(inside[axis, r, large])
    return {(i, k): [inside["row", i[0], k], inside["column", i[1], k]] for i in puzzle.cells for k in sizes}


def _connect(
    model: cpmpy.Model, puzzle: Hooks, holds: Mapping[Cell, Mapping[int, Any]], filled: Mapping[Cell, Any]
) -> None:
    """Adds the ranks of the filled cells."""
    near = {i: neighbours(i, puzzle.n) for i in puzzle.cells}
    arc = {(i, other): cpmpy.boolvar() for i in puzzle.cells for other in near[i]}
    rank = {i: cpmpy.intvar(0, number_of_filled(puzzle) - 1) for i in puzzle.cells}
    for (i, other), literal in arc.items():
        # An arc leads from a filled cell to a filled neighbour that is one step further from the root.
        model += literal.implies(filled[i] & filled[other])
        model += literal.implies(rank[other] == rank[i] + 1)
        if i < other:
            # One arc, in one direction, joins two filled neighbours.
            model += (filled[i] & filled[other]).implies(literal | arc[other, i])
            model += ~literal | ~arc[other, i]

    for i in puzzle.cells:
        # Each filled cell but the root has an arc from a neighbour.
        starts = [holds[i][1]] if 1 in holds[i] else []
        model += filled[i].implies(cpmpy.any([*starts, *(arc[other, i] for other in near[i])]))

        # The root and empty cells have rank 0.
        model += cpmpy.any([~filled[i], *starts]).implies(rank[i] == 0)


FORMULATIONS = by_name(ranking)
