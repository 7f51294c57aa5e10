"""Twenty Four Seven as an integer program without an objective.

Each window of 7x7 cells holds every k in 1..7 k times, and its rows and columns each hold four numbers that
sum to 20. The filled cells are connected, no 2x2 block is filled, and a clue outside is the first number of a
row or column of the grid, or its sum.

Let D(i) be {0, ..., 7} or what is given, 0 for an empty cell, M the 13 multisets of four numbers that sum to
20, count(m, k) how often m has k, N(i) the cells that share an edge with cell i, and R a list of cells of
which one is filled for certain. The first filled one of R is the root (layout.py). F is the number of cells
that may be filled.

All formulations: the binary variable holds[i][v] is 1 if cell i holds v, takes[L, m] if the line L holds the
multiset m, root[i] if cell i in R is the root; filled[i] stands for 1 - holds[i][0].
    sum of holds[i][v] over v in D(i)  = 1                           for each cell i
    sum of holds[i][k] over i in W  = k                              for each window W and k = 1..7
    sum of filled[i] over i in L  = 4                                for each row and column L of a window
    sum of v * holds[i][v] over i in L and v in D(i)  = 20           for each L
    sum of takes[L, m] over m in M  = 1                              for each L
    sum of holds[i][k] over i in L  = sum of count(m, k) * takes[L, m] over m    for each L and k = 1..7
    sum of filled[i] over i in B  <= 3                               for each 2x2 block B
  and for a row or column G of the grid, from the end where the clue n is:
    sum of holds[i][n] over i in G  >= 1                             if n <= 7
    filled[i] <= holds[i][n] + sum of filled[k] over k before i      for each i in G, if n <= 7
    sum of v * holds[i][v] over i in G and v in D(i)  = n            if n > 7
  The root:
    sum of root[i] over i in R  = 1
    root[i] <= filled[i],  root[i] + filled[k] <= 1                  for each i in R and k before i

Connected is, in two ways:

`flow`: the root sends a unit of flow to each other filled cell, through filled cells. The continuous variable
  flow[i, k] >= 0 is what flows from cell i to cell k.
    flow[i, k] <= (F-1) * filled[i],  flow[i, k] <= (F-1) * filled[k]        for each i and k in N(i)
    sum of flow[k, i] - sum of flow[i, k] over k in N(i)  = filled[i]        for each cell i not in R
    filled[i] - F * root[i] <= the same difference <= filled[i]              for each cell i in R
    filled[i] <= sum of filled[k] over k in N(i)                     for each cell i
  The last line is implied, and makes the linear relaxation tighter.

`ranking`, with ranks after Miller, Tucker and Zemlin: the integer rank[i] is the number of steps from the
  root to cell i through filled cells, 0 for an empty cell; the binary variable arc[i, k] is 1 if cells i and
  k are filled and k is one step further than i.
    arc[i, k] + arc[k, i] <= filled[i]                               for each i and k in N(i)
    arc[i, k] + arc[k, i] >= filled[i] + filled[k] - 1               for each i and k in N(i)
    -F * (1 - arc[i, k]) <= rank[k] - rank[i] - 1 <= F * (1 - arc[i, k])     for each i and k in N(i)
    filled[i] <= root[i] + sum of arc[k, i] over k in N(i)           for each cell i
    rank[i] <= (F-1) * filled[i],  rank[i] <= (F-1) * (1 - root[i])  for each cell i
  Filled neighbours are never equally far from the root, as they have different colours on a chessboard. So
  all ranks and arcs are determined. The flow is not: solutions are told apart by holds.

Constraints: linear
"""

import pulp

from models.shared.grid import Cell
from models.shared.milp import total
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

Variables = dict[Cell, pulp.LpVariable]
Expressions = dict[Cell, pulp.LpAffineExpression]
Holds = dict[Cell, dict[int, pulp.LpVariable]]


def flow(puzzle: TwentyFourSeven) -> Model:
    """The root sends a unit of flow to each other filled cell."""
    problem, holds, filled, root = _without_connection(puzzle)
    near, most = neighbours(puzzle), most_filled(puzzle)
    flows = {
        (i, k): problem.add_variable(f"flow_{i[0]}_{i[1]}_{k[0]}_{k[1]}", 0, most - 1)
        for i in puzzle.cells
        for k in near[i]
    }

    # Only filled cells let flow through.
    for ends, amount in flows.items():
        for end in ends:
            problem += amount <= (most - 1) * filled[end]

    for i in puzzle.cells:
        # A unit of flow stays in each filled cell but the root, where all of it comes from.
        stays = total([flows[k, i] for k in near[i]], minus=[flows[i, k] for k in near[i]]) - filled[i]
        if i in root:
            problem += stays <= 0
            problem += stays + most * root[i] >= 0
        else:
            problem += stays == 0

        # A filled cell has a filled neighbour.
        problem += pulp.lpSum(filled[k] for k in near[i]) >= filled[i]

    return Model(problem, from_literals(puzzle, holds), decisions=_literals(holds), integral=True)


def ranking(puzzle: TwentyFourSeven) -> Model:
    """Each filled cell but the root has a filled neighbour that is one step nearer to the root."""
    problem, holds, filled, root = _without_connection(puzzle)
    near, most = neighbours(puzzle), most_filled(puzzle)
    rank = {i: problem.add_variable(f"rank_{i[0]}_{i[1]}", 0, most - 1, pulp.LpInteger) for i in puzzle.cells}
    arc = {
        (i, k): problem.add_variable(f"arc_{i[0]}_{i[1]}_{k[0]}_{k[1]}", cat=pulp.LpBinary)
        for i in puzzle.cells
        for k in near[i]
    }

    for (i, k), taken in arc.items():
        # An arc leads from a filled cell to a filled neighbour that is one step further from the root.
        problem += total([taken, arc[k, i]]) <= filled[i]
        problem += total([rank[k]], minus=[rank[i]]) + most * (1 - taken) >= 1
        problem += total([rank[k]], minus=[rank[i]]) - most * (1 - taken) <= 1
        if i < k:
            # One arc, in one direction, joins two filled neighbours.
            problem += total([taken, arc[k, i]]) >= filled[i] + filled[k] - 1

    for i in puzzle.cells:
        # Each filled cell but the root has an arc from a neighbour.
        starts = [root[i]] if i in root else []
        problem += total([*starts, *(arc[k, i] for k in near[i])]) >= filled[i]

        # The root and empty cells have rank 0.
        problem += rank[i] <= (most - 1) * filled[i]
        for start in starts:
            problem += rank[i] <= (most - 1) * (1 - start)

    return Model(problem, from_literals(puzzle, holds), decisions=_literals(holds))


def _without_connection(puzzle: TwentyFourSeven) -> tuple[pulp.LpProblem, Holds, Expressions, Variables]:
    """The constraints that all formulations share, with holds, filled and root."""
    problem = pulp.LpProblem("twenty_four_seven")
    problem += 0
    holds = {
        i: {v: problem.add_variable(f"holds_{i[0]}_{i[1]}_{v}", cat=pulp.LpBinary) for v in domain(puzzle, i)}
        for i in puzzle.cells
    }
    filled = {i: 1 - total(holds[i][v] for v in holds[i] if v == EMPTY) for i in puzzle.cells}

    # Each cell holds one value.
    for i in puzzle.cells:
        problem += total(holds[i].values()) == 1

    # A window holds each k in 1..7 k times.
    for window in windows(puzzle):
        for k in NUMBERS:
            problem += total(holds[i][k] for i in window if k in holds[i]) == k

    for number, line in enumerate(lines(puzzle)):
        # In a row or column of a window four cells are filled, and sum to 20.
        problem += pulp.lpSum(filled[i] for i in line) == FILLED
        problem += _weighted(holds, line) == TOTAL

        # It holds one of the multisets of four such numbers.
        takes = {
            m: problem.add_variable(f"takes_{number}_{''.join(map(str, m))}", cat=pulp.LpBinary)
            for m in MULTISETS
        }
        problem += total(takes.values()) == 1
        for k in NUMBERS:
            times = pulp.LpAffineExpression((taken, m.count(k)) for m, taken in takes.items() if k in m)
            problem += total(holds[i][k] for i in line if k in holds[i]) == times

    # Some cell of each 2x2 block is empty.
    for block in blocks(puzzle):
        problem += pulp.lpSum(filled[i] for i in block) <= 3

    for (side, number), clue in puzzle.outside.items():
        seen = line_from(side, number, puzzle.height, puzzle.width)
        if clue in NUMBERS:
            # Some cell of the line holds the first number, and so does a filled cell with none before it.
            problem += total(holds[i][clue] for i in seen if clue in holds[i]) >= 1
            before = pulp.LpAffineExpression()
            for i in seen:
                problem += before + holds[i].get(clue, 0) >= filled[i]
                before += filled[i]
        else:
            # The line sums to the number.
            problem += _weighted(holds, seen) == clue

    # The root is the first filled one of some cells.
    root = {i: problem.add_variable(f"root_{i[0]}_{i[1]}", cat=pulp.LpBinary) for i in roots(puzzle)}
    problem += total(root.values()) == 1
    for place, i in enumerate(root):
        problem += root[i] <= filled[i]
        for earlier in list(root)[:place]:
            problem += root[i] + filled[earlier] <= 1

    return problem, holds, filled, root


def _weighted(holds: Holds, cells: list[Cell]) -> pulp.LpAffineExpression:
    """The sum of what the cells hold."""
    return pulp.LpAffineExpression((literal, v) for i in cells for v, literal in holds[i].items())


def _literals(holds: Holds) -> list[pulp.LpVariable]:
    return [literal for values in holds.values() for literal in values.values()]


FORMULATIONS = by_name(flow, ranking)
