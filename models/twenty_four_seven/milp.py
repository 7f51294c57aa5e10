"""Twenty Four Seven as an integer program without an objective; model.md states the formulations.

Constraints: linear
"""

import pulp

from models.shared.connected import add_flow
from models.shared.grid import Cell
from models.shared.milp import Holds, all_literals, literals, program, total
from models.shared.model import Model, by_name, from_literals
from models.shared.partly_filled import EMPTY
from models.twenty_four_seven.layout import MULTISETS, domain, lines, most_filled, roots, windows
from models.twenty_four_seven.puzzle import FILLED, NUMBERS, TOTAL, TwentyFourSeven


def flow(puzzle: TwentyFourSeven) -> Model:
    """With the multisets of each line, and a filled neighbour of each filled cell."""
    return _flow(puzzle, tight=True)


def textbook(puzzle: TwentyFourSeven) -> Model:
    """The root sends a unit of flow to each other filled cell."""
    return _flow(puzzle, tight=False)


def _flow(puzzle: TwentyFourSeven, tight: bool) -> Model:
    problem = program("twenty_four_seven")
    holds = literals(problem, {i: domain(puzzle, i) for i in puzzle.cells})
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
        if not tight:
            continue

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
    for block in puzzle.blocks:
        problem += pulp.lpSum(filled[i] for i in block) <= 3

    for seen, clue in puzzle.seen:
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

    # All filled cells are connected.
    near, most = puzzle.near, most_filled(puzzle)
    add_flow(problem, filled, {i: most * root[i] for i in root}, near, most, exactly=False)

    # A filled cell has a filled neighbour.
    for i in puzzle.cells if tight else []:
        problem += pulp.lpSum(filled[k] for k in near[i]) >= filled[i]

    return Model(problem, from_literals(puzzle, holds), all_literals(holds), integral=True)


def _weighted(holds: Holds, cells: list[Cell]) -> pulp.LpAffineExpression:
    """The sum of what the cells hold."""
    return pulp.LpAffineExpression((literal, v) for i in cells for v, literal in holds[i].items())


FORMULATIONS = by_name(flow, textbook)
