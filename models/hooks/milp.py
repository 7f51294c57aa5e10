"""Hooks as an integer program without an objective; model.md states the formulations.

Constraints: set partitioning, linear, flow conservation (automata, cuts, connectivity)
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import product

import pulp

from models.hooks.cuts import cuts, possible_numbers
from models.hooks.line_clues import START, Clue, clues_with_cells, line_clues, sums
from models.hooks.puzzle import Hooks
from models.shared.bits import members
from models.shared.connected import add_flow, add_linear_ranking
from models.shared.graph import grouped
from models.shared.grid import Cell
from models.shared.milp import Holds, all_literals, literals, program, total
from models.shared.model import Model, by_name, from_literals
from models.shared.partly_filled import EMPTY

Expressions = dict[Cell, pulp.LpAffineExpression]


def ranking(puzzle: Hooks) -> Model:
    """A path of cuts, clues as automata; a filled cell without 1 has one beside it a step nearer."""
    problem, holds, filled = _with_cells(puzzle)

    # A filled cell holds the number of its hook.
    hooks = _layout(problem, puzzle)
    for i in puzzle.cells:
        for v in filter(None, holds[i]):
            problem += total(hooks[i, v], minus=[holds[i][v]]) >= 0

    # Some cell of each 2x2 block is empty.
    for block in puzzle.blocks:
        problem += pulp.lpSum(filled[i] for i in block) <= 3

    # Lines, regions and neighbours have their sums, lines their products and runs.
    for number, (cells, clue) in enumerate(clues_with_cells(puzzle)):
        _read(problem, f"go_{number}", [holds[i] for i in cells], clue)

    # All filled cells are connected.
    if puzzle.connected:
        root = {i: values[1] for i, values in holds.items() if 1 in values}
        add_linear_ranking(problem, filled, root, puzzle.near, puzzle.filled)
    return Model(problem, from_literals(puzzle, holds), all_literals(holds), integral=True)


def textbook(puzzle: Hooks) -> Model:
    """Squares, each within the one before; the cell with 1 sends a unit of flow to each other filled cell."""
    problem, holds, filled = _with_cells(puzzle)
    n, cells = puzzle.n, puzzle.cells
    sizes = range(1, n + 1)

    # Each number has a hook, and each hook a number.
    takes = {v: {k: problem.add_variable(f"takes_{v}_{k}", cat=pulp.LpBinary) for k in sizes} for v in sizes}
    for k in sizes:
        problem += total(takes[k].values()) == 1
        problem += total(takes[v][k] for v in sizes) == 1
        if puzzle.by_size:
            problem += takes[k][k] == 1

    # Each hook takes a row and a column, from the outside in: what is left is a square again.
    square = {
        k: {
            (r, c): problem.add_variable(f"square_{k}_{r}_{c}", cat=pulp.LpBinary)
            for r, c in product(range(n - k + 1), repeat=2)
        }
        for k in sizes
    }
    for k in sizes:
        problem += total(square[k].values()) == 1
        for (r, c), variable in square[k].items() if k > 1 else []:
            problem += variable <= total(square[k - 1][r + i, c + j] for i, j in product((0, 1), repeat=2))

    # A filled cell holds the number of its hook: the cell is in the square of its size, not in the next one.
    for row, column in cells:
        inside = {
            k: [square[k][r, c] for r, c in square[k] if r <= row < r + k and c <= column < c + k]
            for k in sizes
        }
        for k in sizes:
            lies_in = total(inside[k], minus=inside[k - 1] if k > 1 else [])
            if puzzle.hooks is not None:
                problem += lies_in == int(puzzle.hooks[row, column] == k)
            for v in filter(None, holds[row, column]):
                problem += holds[row, column][v] + lies_in <= 1 + takes[v][k]

    # Some cell of each 2x2 block is empty.
    for block in puzzle.blocks:
        problem += pulp.lpSum(filled[i] for i in block) <= 3

    # Lines, regions and neighbours have their sums.
    for group, number in sums(puzzle):
        problem += pulp.lpSum(v * variable for i in group for v, variable in holds[i].items()) == number

    # The first two filled cells of a line have the product, the first run of filled cells has the sum.
    for number, (seen, clue) in enumerate(line_clues(puzzle)):
        _read(problem, f"go_{number}", [holds[i] for i in seen], clue)

    # All filled cells are connected.
    if puzzle.connected:
        supply = {i: puzzle.filled * values[1] for i, values in holds.items() if 1 in values}
        add_flow(problem, filled, supply, puzzle.near, puzzle.filled)

    return Model(problem, from_literals(puzzle, holds), all_literals(holds), integral=True)


def _with_cells(puzzle: Hooks) -> tuple[pulp.LpProblem, Holds, Expressions]:
    """The variables that all formulations share, and how often each value is there."""
    problem = program("hooks")
    numbers = range(1, puzzle.n + 1)
    holds = literals(problem, puzzle.domains)
    filled = {i: 1 - total(holds[i][v] for v in holds[i] if v == EMPTY) for i in puzzle.cells}

    # Each cell holds one value.
    for i in puzzle.cells:
        problem += total(holds[i].values()) == 1

    # Each number v is in v cells.
    for v in numbers:
        problem += total(holds[i][v] for i in puzzle.cells if v in holds[i]) == v

    return problem, holds, filled


def _layout(problem: pulp.LpProblem, puzzle: Hooks) -> dict[tuple[Cell, int], list[pulp.LpVariable]]:
    """Adds the path of the cuts; returns the variables of those that have a cell in the hook of a number."""
    n = puzzle.n
    arcs = {
        (size, cut, v): problem.add_variable(
            "_".join(map(str, ("cut", size, *cut.square, *cut.corner, v))), cat=pulp.LpBinary
        )
        for size in range(n, 0, -1)
        for cut in cuts(puzzle, size)
        for v in members(possible_numbers(puzzle, size))
    }
    leaving = grouped(arcs, lambda arc: (arc[0], arc[1].square))
    entering = grouped(arcs, lambda arc: (arc[0] - 1, arc[1].rest))
    of_size, of_number = grouped(arcs, lambda arc: arc[0]), grouped(arcs, lambda arc: arc[2])

    # The next hook is cut off what the one before leaves.
    for size in range(n - 1, 0, -1):
        for row, column in product(range(n - size + 1), repeat=2):
            square = size, (row, column)
            problem += total(entering[square], minus=leaving[square]) == 0

    # Each number has a hook, and each hook a number.
    for k in range(1, n + 1):
        problem += total(of_number[k]) == 1
        problem += total(of_size[k]) == 1

    hooks: dict[tuple[Cell, int], list[pulp.LpVariable]] = defaultdict(list)
    for (_, cut, v), variable in arcs.items():
        for bit in members(cut.cells):
            hooks[divmod(bit, n), v].append(variable)
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


FORMULATIONS = by_name(ranking, textbook)
