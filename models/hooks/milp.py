"""Hooks as an integer program without an objective.

A grid is cut into hooks of the sizes n..1; each gets a number v of its own, which v of its cells hold. Clues
give sums, products, and whether what is filled is connected and free of full 2x2 blocks.

What is left of the grid once the larger hooks are cut off is a square, so the hooks are a path: its nodes
are the (n-k+1)^2 squares of size k, for k = n..1, and its arcs the cuts, up to four from each square
(cuts.py). Let V(e) be the numbers that the hook of the cut e has room for, D(i) the values that cell i may
hold, 0 for an empty cell, N(i) the cells that share an edge with cell i, F = n(n+1)/2 the number of filled
cells. A clue is an automaton that reads cells one after the other (line_clues.py).

All formulations: the binary variable holds[i][v] is 1 if cell i holds v, cut[e, v] if the cut e is on the
path and its hook holds the number v; filled[i] stands for 1 - holds[i][0]. The automaton of a clue
has states q of its own before each of its cells, the m-th of which is i(m); go[q, v] >= 0 is what flows from
the state q if the next cell holds v: a unit in all, along the way in which the clue is read.
    sum of holds[i][v] over v in D(i)  = 1                         for each cell i
    sum of holds[i][v] over i  = v                                 for each v = 1..n
    sum of cut[e, v] over e into S and v in V(e)  = sum of cut[e, v] over e from S and v in V(e)
                                                                   for each square S of a size less than n
    sum of cut[e, v] over e  = 1                                   for each v = 1..n
    sum of cut[e, v] over e from squares of size k and v in V(e)  = 1            for each k = 1..n
    holds[i][v] <= sum of cut[e, v] over e whose hook has cell i   for each cell i and v > 0
    sum of filled[i] over i in B  <= 3                             for each 2x2 block B, if none is full
  and for each clue:
    sum of go[start, v] over v  = 1
    sum of go[p, v] over p and v that lead to q  = sum of go[q, v] over v    for each state q before m > 1
    sum of go[q, v] over q before the m-th cell  = holds[i(m)][v]            for each m and v in D(i(m))
  A path has an integral polytope, so the linear relaxation knows what is possible for the layout and for
  each clue on its own. That there is one cut of each size is implied; stated, it lets a cut that is probed
  rule out all others of its size at once, and presolve alone solves most instances.

That the filled cells are connected, if it is a rule, is stated in three ways:

`ranking`, with ranks after Miller, Tucker and Zemlin: the integer rank[i] is the number of steps from the
  cell with 1 to cell i through filled cells, 0 for an empty cell; the binary variable arc[i, k] is 1 if cells
  i and k are filled and k is one step further than i.
    arc[i, k] + arc[k, i] <= filled[i]                             for each i and k in N(i)
    arc[i, k] + arc[k, i] >= filled[i] + filled[k] - 1             for each i and k in N(i)
    -F * (1 - arc[i, k]) <= rank[k] - rank[i] - 1 <= F * (1 - arc[i, k])     for each i and k in N(i)
    filled[i] <= holds[i][1] + sum of arc[k, i] over k in N(i)     for each cell i
    rank[i] <= (F-1) * filled[i],  rank[i] <= (F-1) * (1 - holds[i][1])      for each cell i
  Filled neighbours are never equally far from the root, as they have different colours on a chessboard. So
  all ranks and arcs are determined. The layout is not, nor is the flow: solutions are told apart by holds.

`flow`: the cell with 1 sends a unit of flow to each other filled cell, through filled cells. The continuous
  variable flow[i, k] >= 0 is what flows from cell i to cell k.
    flow[i, k] <= (F-1) * filled[i],  flow[i, k] <= (F-1) * filled[k]        for each i and k in N(i)
    sum of flow[k, i] - sum of flow[i, k] over k in N(i)  = filled[i] - F * holds[i][1]    for each cell i
    filled[i] <= sum of filled[k] over k in N(i)                   for each cell i, if F > 1

`lazy_cuts`: where a solution has several groups G of filled cells, the constraints are added for these.
    filled[i] <= sum of filled[k] over k next to G                 for each G and i in G
  There are always more filled cells than those of the group, so one that holds a number has a way out. From
  the beginning for each G of one or two cells.

Constraints: flow conservation, set partitioning, linear; lazy linear (`lazy_cuts`)
"""

from collections import defaultdict
from collections.abc import Sequence

import pulp

from models.hooks.cuts import cuts, possible_numbers
from models.hooks.layout import blocks, domain, number_of_filled, separate_groups, small_groups
from models.hooks.line_clues import START, Clue, clues_with_cells
from models.hooks.puzzle import EMPTY, Hooks
from models.shared.bits import members
from models.shared.flow import grouped
from models.shared.grid import Cell, neighbours
from models.shared.milp import total
from models.shared.model import Model, Values, by_name, chosen, from_literals

Holds = dict[Cell, dict[int, pulp.LpVariable]]
Expressions = dict[Cell, pulp.LpAffineExpression]


def ranking(puzzle: Hooks) -> Model:
    """Each filled cell but the one with 1 has a filled neighbour that is one step nearer to that."""
    problem, holds, filled = _without_connection(puzzle)
    if not puzzle.connected:
        return Model(problem, from_literals(puzzle, holds), decisions=_literals(holds), integral=True)
    most = number_of_filled(puzzle)
    near = {i: neighbours(i, puzzle.n) for i in puzzle.cells}
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
        starts = [holds[i][1]] if 1 in holds[i] else []
        problem += total([*starts, *(arc[k, i] for k in near[i])]) >= filled[i]

        # The root and empty cells have rank 0.
        problem += rank[i] <= (most - 1) * filled[i]
        for start in starts:
            problem += rank[i] <= (most - 1) * (1 - start)

    return Model(problem, from_literals(puzzle, holds), decisions=_literals(holds), integral=True)


def flow(puzzle: Hooks) -> Model:
    """The cell with 1 sends a unit of flow to each other filled cell."""
    problem, holds, filled = _without_connection(puzzle)
    if not puzzle.connected:
        return Model(problem, from_literals(puzzle, holds), decisions=_literals(holds), integral=True)
    most = number_of_filled(puzzle)
    near = {i: neighbours(i, puzzle.n) for i in puzzle.cells}
    flows = {
        (i, k): problem.add_variable(f"flow_{i[0]}_{i[1]}_{k[0]}_{k[1]}", 0, most - 1)
        for i in puzzle.cells
        for k in near[i]
    }

    # Only filled cells let flow through.
    for ends, amount in flows.items():
        for end in ends:
            problem += amount <= (most - 1) * filled[end]

    # A unit of flow stays in each filled cell but the root, where all of it comes from.
    for i in puzzle.cells:
        root = total(literal for v, literal in holds[i].items() if v == 1)
        stays = total([flows[k, i] for k in near[i]], minus=[flows[i, k] for k in near[i]])
        problem += stays + most * root - filled[i] == 0

        # A filled cell has a filled neighbour, if it is not the only one.
        if most > 1:
            problem += pulp.lpSum(filled[k] for k in near[i]) >= filled[i]

    return Model(problem, from_literals(puzzle, holds), decisions=_literals(holds), integral=True)


def lazy_cuts(puzzle: Hooks) -> Model:
    """A group of filled cells that has no connection to the others is ruled out when a solution has it."""
    problem, holds, filled = _without_connection(puzzle)

    def ways_out(group: set[Cell], around: set[Cell]) -> list[pulp.LpConstraint]:
        """If a cell of the group is filled, so is one next to the group."""
        return [pulp.lpSum(filled[k] for k in sorted(around)) >= filled[i] for i in sorted(group)]

    def lazy(value: Values) -> list[pulp.LpConstraint]:
        groups = separate_groups((i for i in puzzle.cells if chosen(holds[i], value) != EMPTY), puzzle.n)
        return [cut for group, around in groups for cut in ways_out(group, around)]

    if not puzzle.connected:
        return Model(problem, from_literals(puzzle, holds), decisions=_literals(holds), integral=True)

    # A filled cell, and two filled neighbours, have a filled cell next to them.
    for group, around in small_groups(puzzle):
        for cut in ways_out(group, around):
            problem += cut

    return Model(problem, from_literals(puzzle, holds), decisions=_literals(holds), integral=True, lazy=lazy)


def _without_connection(puzzle: Hooks) -> tuple[pulp.LpProblem, Holds, Expressions]:
    """The constraints that all formulations share, with holds and filled."""
    problem = pulp.LpProblem("hooks")
    problem += 0
    numbers = range(1, puzzle.n + 1)
    holds = {
        i: {v: problem.add_variable(f"holds_{i[0]}_{i[1]}_{v}", cat=pulp.LpBinary) for v in domain(puzzle, i)}
        for i in puzzle.cells
    }
    filled = {i: 1 - total(holds[i][v] for v in holds[i] if v == EMPTY) for i in puzzle.cells}

    # Each cell holds one value.
    for i in puzzle.cells:
        problem += total(holds[i].values()) == 1

    # Each number v is in v cells.
    for v in numbers:
        problem += total(holds[i][v] for i in puzzle.cells if v in holds[i]) == v

    # Filled cells lie in the hook of their number.
    hooks = _layout(problem, puzzle)
    for i in puzzle.cells:
        for v in filter(None, holds[i]):
            problem += total(hooks[i, v], minus=[holds[i][v]]) >= 0

    # Some cell of each 2x2 block is empty.
    for block in blocks(puzzle) if puzzle.no_full_2x2 else []:
        problem += pulp.lpSum(filled[i] for i in block) <= 3

    # Lines, regions and neighbours are as their clues say.
    for number, (cells, clue) in enumerate(clues_with_cells(puzzle)):
        _read(problem, f"go_{number}", [holds[i] for i in cells], clue)

    return problem, holds, filled


def _layout(problem: pulp.LpProblem, puzzle: Hooks) -> dict[tuple[Cell, int], list[pulp.LpVariable]]:
    """Adds the path of the cuts; returns the variables of those that have a cell in the hook of a number."""
    n = puzzle.n
    entering: dict[tuple[int, Cell], list[pulp.LpVariable]] = defaultdict(list)
    leaving: dict[tuple[int, Cell], list[pulp.LpVariable]] = defaultdict(list)
    of_number: dict[int, list[pulp.LpVariable]] = defaultdict(list)
    of_size: dict[int, list[pulp.LpVariable]] = defaultdict(list)
    hooks: dict[tuple[Cell, int], list[pulp.LpVariable]] = defaultdict(list)
    for size in range(n, 0, -1):
        for cut in cuts(puzzle, size):
            for v in members(possible_numbers(puzzle, size)):
                name = "_".join(map(str, ("cut", size, *cut.square, *cut.corner, v)))
                variable = problem.add_variable(name, cat=pulp.LpBinary)
                leaving[size, cut.square].append(variable)
                entering[size - 1, cut.rest].append(variable)
                of_number[v].append(variable)
                of_size[size].append(variable)
                for bit in members(cut.cells):
                    hooks[divmod(bit, n), v].append(variable)

    # The next hook is cut off what the one before leaves.
    for size in range(n - 1, 0, -1):
        for row in range(n - size + 1):
            for column in range(n - size + 1):
                square = size, (row, column)
                problem += total(entering[square], minus=leaving[square]) == 0

    # Each number has a hook, and each hook a number.
    for k in range(1, n + 1):
        problem += total(of_number[k]) == 1
        problem += total(of_size[k]) == 1

    return hooks


def _read(
    problem: pulp.LpProblem, name: str, cells: Sequence[dict[int, pulp.LpVariable]], clue: Clue
) -> None:
    """Adds the way of a clue's automaton through its cells."""
    # The states before each cell, and those from which it gets to accept.
    states = [{START}]
    for values in cells:
        states.append({after for q in states[-1] for v in values if (after := clue.after(q, v))})
    states[-1] = {q for q in states[-1] if q & clue.accepted}
    for m in reversed(range(len(cells))):
        states[m] = {q for q in states[m] if any(clue.after(q, v) in states[m + 1] for v in cells[m])}

    entering: dict[int, list[pulp.LpVariable]] = {}
    for m, values in enumerate(cells):
        go = {
            (q, v): problem.add_variable(f"{name}_{m}_{q.bit_length()}_{v}", 0, 1)
            for q in sorted(states[m])
            for v in values
            if clue.after(q, v) in states[m + 1]
        }
        # It starts in one state, and goes on from where it is.
        leaving = grouped(go, lambda arc: arc[0])
        for q in [START] if m == 0 else sorted(states[m]):
            problem += total(leaving[q], minus=entering.get(q, [])) == (m == 0)

        # It reads what the cell holds.
        reading = grouped(go, lambda arc: arc[1])
        for v, literal in values.items():
            problem += total(reading[v], minus=[literal]) == 0
        entering = grouped(go, lambda arc: clue.after(*arc))


def _literals(holds: Holds) -> list[pulp.LpVariable]:
    return [literal for values in holds.values() for literal in values.values()]


FORMULATIONS = by_name(ranking, flow, lazy_cuts)
