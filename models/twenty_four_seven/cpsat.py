"""Twenty Four Seven for CP-SAT; model.md states the formulations.

In `textbook` each x[i] = v is channelled to a literal, as clauses and counts are of literals only.

Constraints: linear, clause, minimum (`textbook`); exactly one, linear, clause, reified linear (`ranking`)
"""

from typing import Any

from ortools.sat.python import cp_model, cp_model_helper

from models.shared.connected import add_ranking, add_steps
from models.shared.cpsat import Holds, equal, literals
from models.shared.grid import Cell
from models.shared.model import Model, by_name, from_integers, from_literals
from models.shared.partly_filled import EMPTY
from models.twenty_four_seven.layout import MULTISETS, domain, lines, most_filled, roots, windows
from models.twenty_four_seven.puzzle import FILLED, NUMBERS, TOTAL, TwentyFourSeven

Integers = dict[Cell, Any]
Flags = dict[Cell, cp_model_helper.Literal]


def ranking(puzzle: TwentyFourSeven) -> Model:
    """Each filled cell but the root has a filled neighbour that is one step nearer to the root."""
    model = cp_model.CpModel()
    holds = literals(model, {i: domain(puzzle, i) for i in puzzle.cells})

    # Each cell holds one value.
    for i in puzzle.cells:
        model.add_exactly_one(holds[i].values())

    x = {i: sum(v * literal for v, literal in holds[i].items()) for i in puzzle.cells}
    filled, root = _without_connection(puzzle, model, x, holds, multisets=True)

    # All filled cells are connected.
    empty = {i: [~filled[i]] for i in puzzle.cells}
    add_ranking(model, empty, root, puzzle.near, most_filled(puzzle))
    return Model(model, from_literals(puzzle, holds))


def textbook(puzzle: TwentyFourSeven) -> Model:
    """Integers, with the distance of each cell from the root."""
    model = cp_model.CpModel()

    # Each cell holds one value.
    x: Integers = {}
    holds: Holds = {}
    for i in puzzle.cells:
        values = domain(puzzle, i)
        x[i] = model.new_int_var_from_domain(cp_model.Domain.from_values(values), f"x{i}")
        holds[i] = {v: equal(model, x[i], v, f"x{i} = {v}") for v in values}

    filled, root = _without_connection(puzzle, model, x, holds)

    # All filled cells are connected.
    add_steps(model, filled, root, puzzle.near, most_filled(puzzle))
    return Model(model, from_integers(puzzle, x))


def _without_connection(
    puzzle: TwentyFourSeven, model: cp_model.CpModel, x: Integers, holds: Holds, multisets: bool = False
) -> tuple[Flags, Flags]:
    """Adds what all formulations share; returns the literals filled and root."""
    never = model.new_constant(0)
    filled = {i: ~holds[i].get(EMPTY, never) for i in puzzle.cells}

    # A window holds each k in 1..7 k times.
    for window in windows(puzzle):
        for k in NUMBERS:
            model.add(sum(holds[i][k] for i in window if k in holds[i]) == k)

    for line in lines(puzzle):
        # In a row or column of a window four cells are filled, and sum to 20.
        model.add(sum(filled[i] for i in line) == FILLED)
        model.add(sum(x[i] for i in line) == TOTAL)
        if not multisets:
            continue

        # It holds one of the multisets of four such numbers.
        takes = {m: model.new_bool_var(f"{line[0]} to {line[-1]} has {m}") for m in MULTISETS}
        model.add_exactly_one(takes.values())
        for k in NUMBERS:
            times = sum(m.count(k) * literal for m, literal in takes.items() if k in m)
            model.add(sum(holds[i][k] for i in line if k in holds[i]) == times)

    # Some cell of each 2x2 block is empty.
    for block in puzzle.blocks:
        model.add_bool_or(~filled[i] for i in block)

    for seen, clue in puzzle.seen:
        if clue in NUMBERS:
            # Some cell of the line holds the first number, and so does a filled cell with none before it.
            model.add_bool_or(holds[i][clue] for i in seen if clue in holds[i])
            for place, i in enumerate(seen):
                first = holds[i].get(clue, never)
                model.add_bool_or(~filled[i], first, *(filled[k] for k in seen[:place]))
        else:
            # The line sums to the number.
            model.add(sum(x[i] for i in seen) == clue)

    # The root is the first filled one of some cells.
    root: Flags = {i: model.new_bool_var(f"root {i}") for i in roots(puzzle)}
    model.add_exactly_one(root.values())
    for place, i in enumerate(root):
        model.add_implication(root[i], filled[i])
        for earlier in list(root)[:place]:
            model.add_implication(root[i], ~filled[earlier])

    return filled, root


FORMULATIONS = by_name(ranking, textbook)
