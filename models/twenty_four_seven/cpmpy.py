"""Twenty Four Seven in CPMpy, for any of its solvers.

Each window of 7x7 cells holds every k in 1..7 k times, and its rows and columns each hold four numbers that
sum to 20. The filled cells are connected, no 2x2 block is filled, and a clue outside is the first number of a
row or column of the grid, or its sum.

Let D(i) be {0, ..., 7} or what is given, 0 for an empty cell, M the 13 multisets of four numbers that sum to
20, count(m, k) how often m has k, N(i) the cells that share an edge with cell i, and R a list of cells of
which one is filled for certain. The first filled one of R is the root (layout.py).

`ranking`: literals holds[i][v], true if cell i holds v, takes[L, m], true if the line L holds the multiset m,
  root[i], true if cell i in R is the root, and arc[i, k], true if cells i and k are filled and k is one step
  further than i; integers rank[i], the steps from the root to cell i through filled cells, 0 for an empty
  cell; filled[i] is not holds[i][0].
    exactly one v in D(i) with holds[i][v]                           for each cell i
    sum of holds[i][k] over i in W  = k                              for each window W and k = 1..7
    sum of filled[i] over i in L  = 4                                for each row and column L of a window
    sum of v * holds[i][v] over i in L and v in D(i)  = 20           for each L
    exactly one m in M with takes[L, m]                              for each L
    sum of holds[i][k] over i in L  = sum of count(m, k) * takes[L, m] over m    for each L and k = 1..7
    some i in B with holds[i][0]                                     for each 2x2 block B
  and for a row or column G of the grid, from the end where the clue n is:
    some i in G with holds[i][n]                                     if n <= 7
    filled[i] => holds[i][n] or some k before i with filled[k]       for each i in G, if n <= 7
    sum of v * holds[i][v] over i in G and v in D(i)  = n            if n > 7
  The root:
    exactly one i in R with root[i]
    root[i] => filled[i],  root[i] => holds[k][0]                    for each i in R and k before i
  Connected:
    filled[i] and filled[k] <=> exactly one of arc[i, k] and arc[k, i]           for each i and k in N(i)
    arc[i, k] => rank[k] = rank[i] + 1                               for each i and k in N(i)
    filled[i] => root[i] or some arc[k, i], k in N(i)                for each cell i
    root[i] or holds[i][0] => rank[i] = 0                            for each cell i
  Filled neighbours are never equally far from the root, as they have different colours on a chessboard. So
  all ranks and arcs are determined.

Constraints: linear, clause, half-reified linear
"""

import cpmpy

from models.shared.model import Model, by_name, from_literals
from models.shared.sides import line_from
from models.twenty_four_seven.layout import (
    MULTISETS,
    blocks,
    domain,
    lines,
    most_filled,
    neighbours,
    roots,
    windows,
)
from models.twenty_four_seven.puzzle import EMPTY, FILLED, NUMBERS, TOTAL, TwentyFourSeven


def ranking(puzzle: TwentyFourSeven) -> Model:
    """Each filled cell but the root has a filled neighbour that is one step nearer to the root."""
    model = cpmpy.Model()
    holds = {i: {v: cpmpy.boolvar() for v in domain(puzzle, i)} for i in puzzle.cells}
    filled = {i: ~holds[i][EMPTY] if EMPTY in holds[i] else cpmpy.BoolVal(True) for i in puzzle.cells}

    # Each cell holds one value.
    for i in puzzle.cells:
        model += cpmpy.sum(holds[i].values()) == 1

    # A window holds each k in 1..7 k times.
    for window in windows(puzzle):
        for k in NUMBERS:
            model += cpmpy.sum(holds[i][k] for i in window if k in holds[i]) == k

    for line in lines(puzzle):
        # In a row or column of a window four cells are filled, and sum to 20.
        model += cpmpy.sum(filled[i] for i in line) == FILLED
        model += cpmpy.sum(v * literal for i in line for v, literal in holds[i].items()) == TOTAL

        # It holds one of the multisets of four such numbers.
        takes = {m: cpmpy.boolvar() for m in MULTISETS}
        model += cpmpy.sum(takes.values()) == 1
        for k in NUMBERS:
            times = cpmpy.sum(m.count(k) * literal for m, literal in takes.items() if k in m)
            model += cpmpy.sum(holds[i][k] for i in line if k in holds[i]) == times

    # Some cell of each 2x2 block is empty.
    for block in blocks(puzzle):
        model += cpmpy.any(~filled[i] for i in block)

    for (side, number), clue in puzzle.outside.items():
        seen = line_from(side, number, puzzle.height, puzzle.width)
        if clue in NUMBERS:
            # Some cell of the line holds the first number, and so does a filled cell with none before it.
            model += cpmpy.any(holds[i][clue] for i in seen if clue in holds[i])
            for place, i in enumerate(seen):
                first = holds[i].get(clue, False)
                model += cpmpy.any([~filled[i], first, *(filled[k] for k in seen[:place])])
        else:
            # The line sums to the number.
            model += cpmpy.sum(v * literal for i in seen for v, literal in holds[i].items()) == clue

    # The root is the first filled one of some cells.
    root = {i: cpmpy.boolvar() for i in roots(puzzle)}
    model += cpmpy.sum(root.values()) == 1
    for place, i in enumerate(root):
        before = [~filled[earlier] for earlier in list(root)[:place]]
        model += root[i].implies(cpmpy.all([filled[i], *before]))

    near = neighbours(puzzle)
    arc = {(i, other): cpmpy.boolvar() for i in puzzle.cells for other in near[i]}
    rank = {i: cpmpy.intvar(0, most_filled(puzzle) - 1) for i in puzzle.cells}
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
        starts = [root[i]] if i in root else []
        model += filled[i].implies(cpmpy.any([*starts, *(arc[other, i] for other in near[i])]))

        # The root and empty cells have rank 0.
        model += cpmpy.any([~filled[i], *starts]).implies(rank[i] == 0)

    literals = [literal for values in holds.values() for literal in values.values()]
    return Model(model, from_literals(puzzle, holds), decisions=literals)


FORMULATIONS = by_name(ranking)
