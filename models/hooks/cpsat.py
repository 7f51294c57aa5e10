"""Hooks for CP-SAT.

A grid is cut into hooks of the sizes n..1; each gets a number v of its own, which v of its cells hold. Clues
give sums, products, and whether what is filled is connected and free of full 2x2 blocks.

The square of size k is what is left of the grid once the larger hooks are cut off. Let D(i) be the values
that cell i may hold, 0 for an empty cell, S(v) the sizes that the hook of the number v may have, N(i) the
cells that share an edge with cell i (layout.py).

All formulations: literals holds[i][v], true if cell i holds v; takes[v, k], true if the hook of size k holds
the number v; and for rows and in the same way for columns begins[k, s], true if the square of size k begins
in row s, and inside[k, r], true if it has row r. filled[i] is not holds[i][0], and within[v, k] says that the
hook of the number v has a size of at most k.
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
    sum of v * holds[i][v] over i in C and v in D(i)  = T                for the cells C of each sum T
    exactly one way to fill the first two cells is true                  for each product of the first two
      which says what these cells hold, and which are empty
    exactly one first run of filled cells is true                        for each sum of the first run
      which says which cells are filled and empty, and has the sum

A filling for which the grid can be cut in several ways is found once for each.

That the filled cells are connected, if it is a rule, is stated in four ways:

`ranking`: integers rank[i], the steps from the cell with 1 to cell i through filled cells, 0 for an empty
  cell; and literals arc[i, k], true if cells i and k are filled and k is one step further than i.
    filled[i] and filled[k] <=> exactly one of arc[i, k] and arc[k, i]   for each i and k in N(i)
    arc[i, k] => rank[k] = rank[i] + 1                                   for each i and k in N(i)
    filled[i] => holds[i][1] or some arc[k, i], k in N(i)                for each cell i
    holds[i][1] or holds[i][0] => rank[i] = 0                            for each cell i
  Filled neighbours are never equally far from the root, as they have different colours on a chessboard. So
  all ranks and arcs are determined.

`lazy_cuts`: where a solution has several groups G of filled cells, the constraint is added for these.
    some i in G with holds[i][0], or some filled[k], k next to G         for each G
  From the beginning for each G of one or two cells, as most groups are small.

`levels`: literals reached[i, d], true if a path of at most d steps through filled cells leads from the cell
  with 1 to cell i, for each d that is less than the number of filled cells.
    reached[i, 0] = holds[i][1]                                          for each cell i
    reached[i, d] <=> filled[i] and reached[k, d-1] for k = i or some k in N(i)     for each cell i and d > 0
    filled[i] => reached[i, d]                                           for each cell i and the last d

`circuit`: literals tree[i, k], true if an edge of a tree that spans the filled cells joins i and k. Cut into
  quarters, the filled cells have one circuit through all their quarters, the outline of the tree, clockwise:
  from the quarter before a side it goes over to k if the tree joins i and k there, else to the next quarter
  of i. A cycle would have two outlines, as would two trees.
    turns[i, k] is filled[i] and not tree[i, k]                          for each i and k in N(i)
    all tree[i, k] and turns[i, k] that are true are one circuit, and loops at the quarters of empty cells
    filled[i] and filled[k] => tree[i, k]                                for neighbours i and k of a row
    filled[g] and filled[h] => not tree[i, k]                            for neighbours i and k of a column,
      g and h being the cells on the left of them
  A filling in which rings of filled cells surround empty ones is found once for each tree.

Constraints: exactly one, linear, clause; half-reified linear (runs; `ranking`); lazy clauses (`lazy_cuts`);
circuit (`circuit`)
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from ortools.sat.python import cp_model, cp_model_helper

from models.hooks.layout import (
    blocks,
    domain,
    first_pairs,
    first_runs,
    number_of_filled,
    possible_sizes,
    separate_groups,
    small_groups,
    sums,
)
from models.hooks.puzzle import EMPTY, Hooks
from models.shared.grid import Cell, neighbours
from models.shared.model import Model, Values, by_name, from_literals

Literals = dict[Cell, dict[int, cp_model.IntVar]]
Flags = dict[Cell, cp_model_helper.Literal]
Inside = Mapping[tuple[Cell, int], Sequence[cp_model.IntVar]]
"""Literals that are all true exactly if the square of a size has a cell."""


def ranking(puzzle: Hooks) -> Model:
    """Each filled cell but the one with 1 has a filled neighbour that is one step nearer to that."""
    model, holds, filled = _without_connection(puzzle)
    if not puzzle.connected:
        return Model(model, from_literals(puzzle, holds))
    rank = {i: model.new_int_var(0, number_of_filled(puzzle) - 1, f"rank{i}") for i in puzzle.cells}
    near = {i: neighbours(i, puzzle.n) for i in puzzle.cells}
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
        starts = [holds[i][1]] if 1 in holds[i] else []
        model.add_bool_or(~filled[i], *starts, *(arc[k, i] for k in near[i]))

        # The root and empty cells have rank 0.
        for zero in (~filled[i], *starts):
            model.add(rank[i] == 0).only_enforce_if(zero)

    return Model(model, from_literals(puzzle, holds))


def lazy_cuts(puzzle: Hooks) -> Model:
    """A group of filled cells that has no connection to the others is ruled out when a solution has it."""
    model, holds, filled = _without_connection(puzzle)

    def lazy(value: Values) -> list[cp_model.BoundedLinearExpression | bool]:
        groups = separate_groups((i for i in puzzle.cells if value(filled[i])), puzzle.n)
        return [
            sum(~filled[i] for i in group) + sum(filled[i] for i in around) >= 1 for group, around in groups
        ]

    if not puzzle.connected:
        return Model(model, from_literals(puzzle, holds))

    # A filled cell, and two filled neighbours, have a filled cell next to them.
    for group, around in small_groups(puzzle):
        model.add_bool_or(*(~filled[i] for i in group), *(filled[i] for i in around))

    return Model(model, from_literals(puzzle, holds), lazy=lazy)


def levels(puzzle: Hooks) -> Model:
    """Each filled cell is reached from the one with 1 within as many steps as there can be."""
    model, holds, filled = _without_connection(puzzle)
    if not puzzle.connected:
        return Model(model, from_literals(puzzle, holds))

    # The root is reached without a step; a cell that is missing here is not reached yet.
    reached: Flags = {i: holds[i][1] for i in puzzle.cells if 1 in holds[i]}
    for step in range(1, number_of_filled(puzzle)):
        before, reached = reached, {}
        for i in puzzle.cells:
            if ways := [before[k] for k in (i, *neighbours(i, puzzle.n)) if k in before]:
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


def circuit(puzzle: Hooks) -> Model:
    """The outline of a tree that spans the filled cells is one circuit."""
    model, holds, filled = _without_connection(puzzle)
    if not puzzle.connected:
        return Model(model, from_literals(puzzle, holds))
    near = {i: neighbours(i, puzzle.n) for i in puzzle.cells}
    tree = {(i, k): model.new_bool_var(f"tree joins {i} {k}") for i in puzzle.cells for k in near[i] if i < k}
    node = {(i, q): 4 * number + q for number, i in enumerate(puzzle.cells) for q in range(4)}
    arcs: list[tuple[int, int, cp_model_helper.Literal]] = []

    for i in puzzle.cells:
        # Clockwise from the top left, each quarter comes before a side.
        row, column = i
        sides = [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]
        for q, k in enumerate(sides):
            here, after = node[i, q], node[i, (q + 1) % 4]

            # The outline leaves out empty cells; it crosses a side where the tree does, else it turns.
            arcs.append((here, here, ~filled[i]))
            turns = filled[i]
            if k in near[i]:
                crosses = tree[min(i, k), max(i, k)]
                turns = model.new_bool_var(f"turns in {i} before {k}")
                model.add_exactly_one(~filled[i], crosses, turns)
                arcs.append((here, node[k, (q + 3) % 4], crosses))
            arcs.append((here, after, turns))
    model.add_circuit(arcs)

    for (i, k), literal in tree.items():
        if i[0] == k[0]:
            # The tree joins filled neighbours of a row.
            model.add_bool_or(~filled[i], ~filled[k], literal)
        elif i[1] > 0:
            # On the right of a full 2x2 block it joins nothing, as it could on the left.
            model.add_bool_or(~literal, *(~filled[row, column - 1] for row, column in (i, k)))

    return Model(model, from_literals(puzzle, holds))


def _without_connection(puzzle: Hooks) -> tuple[cp_model.CpModel, Literals, Flags]:
    """The constraints that all formulations share, with holds and filled."""
    model = cp_model.CpModel()
    holds = {i: {v: model.new_bool_var(f"{i} is {v}") for v in domain(puzzle, i)} for i in puzzle.cells}
    never = model.new_constant(0)
    filled = {i: ~holds[i].get(EMPTY, never) for i in puzzle.cells}
    numbers = sizes = range(1, puzzle.n + 1)

    # Each cell holds one value.
    for i in puzzle.cells:
        model.add_exactly_one(holds[i].values())

    # Each number v is in v cells.
    for v in numbers:
        model.add(sum(holds[i][v] for i in puzzle.cells if v in holds[i]) == v)

    # Each number has a hook, and each hook a number.
    possible = possible_sizes(puzzle)
    takes = {v: {k: model.new_bool_var(f"size of {v} is {k}") for k in possible[v]} for v in numbers}
    for k in numbers:
        model.add_exactly_one(takes[k].values())
        model.add_exactly_one(takes[v][k] for v in numbers if k in takes[v])
    within = {(v, k): model.new_bool_var(f"size of {v} at most {k}") for v in numbers for k in sizes}
    for (v, k), literal in within.items():
        model.add(literal == sum(takes[v][m] for m in takes[v] if m <= k))

    # Filled cells lie in the hook of their number.
    inside = _layout(model, puzzle)
    for i in puzzle.cells:
        for v in filter(None, holds[i]):
            for k in sizes:
                for literal in inside[i, k]:
                    model.add_bool_or(~holds[i][v], ~within[v, k], literal)
                model.add_bool_or(~holds[i][v], within[v, k], *(~literal for literal in inside[i, k]))

    # Some cell of each 2x2 block is empty.
    for block in blocks(puzzle) if puzzle.no_full_2x2 else []:
        model.add_bool_or(~filled[i] for i in block)

    # Lines, regions and neighbours have their sums.
    for cells, total in sums(puzzle):
        model.add(sum(v * literal for i in cells for v, literal in holds[i].items()) == total)

    # The first two filled cells of a line have the product.
    for pairs in first_pairs(puzzle):
        ways = [model.new_bool_var("") for _ in pairs]
        model.add_exactly_one(ways)
        for way, pair in zip(ways, pairs, strict=True):
            for i, v in pair.numbers:
                model.add_implication(way, holds[i][v])
            for i in pair.empty:
                model.add_implication(way, ~filled[i])

    # The first run of filled cells of a line has the sum.
    for total, runs in first_runs(puzzle):
        ways = [model.new_bool_var("") for _ in runs]
        model.add_exactly_one(ways)
        for way, run in zip(ways, runs, strict=True):
            for i in run.filled:
                model.add_implication(way, filled[i])
            for i in run.empty:
                model.add_implication(way, ~filled[i])
            found = sum(v * literal for i in run.filled for v, literal in holds[i].items())
            model.add(found == total).only_enforce_if(way)

    return model, holds, filled


def _layout(model: cp_model.CpModel, puzzle: Hooks) -> Inside:
    """Adds the squares of the sizes n..1, each within the one before."""
    n, sizes = puzzle.n, range(1, puzzle.n + 1)
    if puzzle.hooks is not None:
        return {(i, k): [model.new_constant(hook <= k)] for i, hook in puzzle.hooks.items() for k in sizes}
    inside = {}
    for name in ("row", "column"):
        begins = {k: [model.new_bool_var(f"{k} from {name} {s}") for s in range(n - k + 1)] for k in sizes}
        for k in sizes:
            # A square begins in one row and one column.
            model.add_exactly_one(begins[k])

            # It has the rows and columns from there on.
            for r in range(n):
                inside[name, r, k] = literal = model.new_bool_var(f"{k} has {name} {r}")
                model.add_exactly_one(~literal, *begins[k][max(0, r - k + 1) : r + 1])
        for small, large in pairwise(sizes):
            # A square loses its first or last row, and its first or last column.
            for s, literal in enumerate(begins[large]):
                model.add_bool_or(~literal, begins[small][s], begins[small][s + 1])

            # What is in a square is in the larger ones.
            for r in range(n):
                model.add_implication(inside[name, r, small], inside[name, r, large])
    return {(i, k): [inside["row", i[0], k], inside["column", i[1], k]] for i in puzzle.cells for k in sizes}


FORMULATIONS = by_name(ranking, lazy_cuts, levels, circuit)
