"""Twenty Four Seven for CP-SAT.

Each window of 7x7 cells holds every k in 1..7 k times, and its rows and columns each hold four numbers that
sum to 20. The filled cells are connected, no 2x2 block is filled, and a clue outside is the first number of a
row or column of the grid, or its sum.

Let D(i) be {0, ..., 7} or what is given, 0 for an empty cell, M the 13 multisets of four numbers that sum to
20, count(m, k) how often m has k, N(i) the cells that share an edge with cell i, and R a list of cells of
which one is filled for certain. The first filled one of R is the root (layout.py).

All formulations: literals holds[i][v], true if cell i holds v, takes[L, m], true if the line L holds the
multiset m, and root[i], true if cell i in R is the root; filled[i] is not holds[i][0].
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

Connected is, in two ways:

`ranking`: integers rank[i], the steps from the root to cell i through filled cells, 0 for an empty cell; and
  literals arc[i, k], true if cells i and k are filled and k is one step further than i.
    filled[i] and filled[k] <=> exactly one of arc[i, k] and arc[k, i]           for each i and k in N(i)
    arc[i, k] => rank[k] = rank[i] + 1                               for each i and k in N(i)
    filled[i] => root[i] or some arc[k, i], k in N(i)                for each cell i
    root[i] or holds[i][0] => rank[i] = 0                            for each cell i
  Filled neighbours are never equally far from the root, as they have different colours on a chessboard. So
  all ranks and arcs are determined.

`levels`: literals reached[i, d], true if a path of at most d steps through filled cells leads from the root
  to cell i, for each d that is less than the number of cells that may be filled.
    reached[i, 0] = root[i]                                          for each cell i
    reached[i, d] <=> filled[i] and reached[k, d-1] for k = i or some k in N(i)     for each cell i and d > 0
    filled[i] => reached[i, d]                                       for each cell i and the last d

Constraints: exactly one, linear, clause; half-reified linear (`ranking`)
"""

from ortools.sat.python import cp_model, cp_model_helper

from models.shared.grid import Cell
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

Literals = dict[Cell, dict[int, cp_model.IntVar]]
Flags = dict[Cell, cp_model_helper.Literal]


def ranking(puzzle: TwentyFourSeven) -> Model:
    """Each filled cell but the root has a filled neighbour that is one step nearer to the root."""
    model, holds, filled, root = _without_connection(puzzle)
    rank = {i: model.new_int_var(0, most_filled(puzzle) - 1, f"rank{i}") for i in puzzle.cells}
    near = neighbours(puzzle)
    arc = {(i, k): model.new_bool_var(f"{i} to {k}") for i in puzzle.cells for k in near[i]}

    for (i, k), literal in arc.items():
        # An arc leads from a filled cell to a filled neighbour that is one step further from the root.
        model.add_implication(literal, filled[i])
        model.add_implication(literal, filled[k])
        model.add(rank[k] == rank[i] + 1).only_enforce_if(literal)
        if i < k:
            # One arc, in one direction, joins two filled neighbours.
            model.add_bool_or(~filled[i], ~filled[k], literal, arc[k, i])
            model.add_at_most_one(literal, arc[k, i])

    for i in puzzle.cells:
        # Each filled cell but the root has an arc from a neighbour.
        starts = [root[i]] if i in root else []
        model.add_bool_or(~filled[i], *starts, *(arc[k, i] for k in near[i]))

        # The root and empty cells have rank 0.
        for zero in (~filled[i], *starts):
            model.add(rank[i] == 0).only_enforce_if(zero)

    return Model(model, from_literals(puzzle, holds))


def levels(puzzle: TwentyFourSeven) -> Model:
    """Each filled cell is reached from the root within as many steps as there can be."""
    model, holds, filled, root = _without_connection(puzzle)
    near = neighbours(puzzle)

    # The root is reached without a step; a cell that is missing here is not reached yet.
    reached: Flags = {**root}
    for step in range(1, most_filled(puzzle)):
        before, reached = reached, {}
        for i in puzzle.cells:
            if ways := [before[k] for k in (i, *near[i]) if k in before]:
                # A filled cell is reached if it or a neighbour was reached one step before, and only then.
                literal = reached[i] = model.new_bool_var(f"{i} in {step}")
                model.add_implication(literal, filled[i])
                model.add_bool_or(~literal, *ways)
                for way in ways:
                    model.add_bool_or(~way, ~filled[i], literal)

    # Each filled cell is reached.
    for i in puzzle.cells:
        model.add_bool_or(~filled[i], *([reached[i]] if i in reached else []))

    return Model(model, from_literals(puzzle, holds))


def _without_connection(puzzle: TwentyFourSeven) -> tuple[cp_model.CpModel, Literals, Flags, Flags]:
    """The constraints that all formulations share, with holds, filled and root."""
    model = cp_model.CpModel()
    holds = {i: {v: model.new_bool_var(f"{i} is {v}") for v in domain(puzzle, i)} for i in puzzle.cells}
    never = model.new_constant(0)
    filled = {i: ~holds[i].get(EMPTY, never) for i in puzzle.cells}

    # Each cell holds one value.
    for i in puzzle.cells:
        model.add_exactly_one(holds[i].values())

    # A window holds each k in 1..7 k times.
    for window in windows(puzzle):
        for k in NUMBERS:
            model.add(sum(holds[i][k] for i in window if k in holds[i]) == k)

    for line in lines(puzzle):
        # In a row or column of a window four cells are filled, and sum to 20.
        model.add(sum(filled[i] for i in line) == FILLED)
        model.add(sum(v * literal for i in line for v, literal in holds[i].items()) == TOTAL)

        # It holds one of the multisets of four such numbers.
        takes = {m: model.new_bool_var(f"{line[0]} to {line[-1]} has {m}") for m in MULTISETS}
        model.add_exactly_one(takes.values())
        for k in NUMBERS:
            times = sum(m.count(k) * literal for m, literal in takes.items() if k in m)
            model.add(sum(holds[i][k] for i in line if k in holds[i]) == times)

    # Some cell of each 2x2 block is empty.
    for block in blocks(puzzle):
        model.add_bool_or(~filled[i] for i in block)

    for (side, number), clue in puzzle.outside.items():
        seen = line_from(side, number, puzzle.height, puzzle.width)
        if clue in NUMBERS:
            # Some cell of the line holds the first number, and so does a filled cell with none before it.
            model.add_bool_or(holds[i][clue] for i in seen if clue in holds[i])
            for place, i in enumerate(seen):
                first = holds[i].get(clue, never)
                model.add_bool_or(~filled[i], first, *(filled[k] for k in seen[:place]))
        else:
            # The line sums to the number.
            model.add(sum(v * literal for i in seen for v, literal in holds[i].items()) == clue)

    # The root is the first filled one of some cells.
    root: Flags = {i: model.new_bool_var(f"root {i}") for i in roots(puzzle)}
    model.add_exactly_one(root.values())
    for place, i in enumerate(root):
        model.add_implication(root[i], filled[i])
        for earlier in list(root)[:place]:
            model.add_implication(root[i], ~filled[earlier])

    return model, holds, filled, root


FORMULATIONS = by_name(ranking, levels)
