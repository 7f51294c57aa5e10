"""Twenty Four Seven for CP-SAT; model.md states the formulations.

In `textbook` each x[i] = v is channelled to a literal, as clauses and counts are of literals only.

Constraints: linear, clause, minimum (`textbook`); exactly one, linear, clause, reified linear (`ranking`)
"""

from ortools.sat.python import cp_model

from models.shared.connected import add_ranking, add_steps
from models.shared.cpsat import BulkModel, Holds, Literal, Term, equal
from models.shared.grid import Cell
from models.shared.model import Model, by_name, from_integers, from_literals
from models.shared.partly_filled import EMPTY
from models.twenty_four_seven.layout import MULTISETS, domain, lines, most_filled, roots, windows
from models.twenty_four_seven.puzzle import FILLED, NUMBERS, TOTAL, TwentyFourSeven

Numbers = dict[Cell, list[Term]]
Flags = dict[Cell, Literal]


def ranking(puzzle: TwentyFourSeven) -> Model:
    """Each filled cell but the root has a filled neighbour that is one step nearer to the root."""
    model = BulkModel()
    holds = model.literals({i: domain(puzzle, i) for i in puzzle.cells})

    # Each cell holds one value.
    for i in puzzle.cells:
        model.add_exactly_one(*holds[i].values())

    x: Numbers = {i: list(holds[i].items()) for i in puzzle.cells}
    filled, root = _without_connection(puzzle, model, x, holds, multisets=True)

    # All filled cells are connected.
    empty = {i: [~filled[i]] for i in puzzle.cells}
    add_ranking(model, empty, root, puzzle.near, most_filled(puzzle))
    return model.as_model(from_literals(puzzle, holds))


def textbook(puzzle: TwentyFourSeven) -> Model:
    """Integers, with the distance of each cell from the root."""
    model = BulkModel()

    # Each cell holds one value.
    x: dict[Cell, cp_model.IntVar] = {}
    holds: Holds = {}
    for i in puzzle.cells:
        values = domain(puzzle, i)
        x[i] = model.cp.new_int_var_from_domain(cp_model.Domain.from_values(values), f"x{i}")
        holds[i] = {v: equal(model.cp, x[i], v, f"x{i} = {v}").index for v in values}

    filled, root = _without_connection(puzzle, model, {i: [(1, x[i].index)] for i in x}, holds)

    # All filled cells are connected.
    is_filled = {i: model.variable(literal) for i, literal in filled.items()}
    is_root = {i: model.variable(literal) for i, literal in root.items()}
    add_steps(model.cp, is_filled, is_root, puzzle.near, most_filled(puzzle))
    return Model(model.cp, from_integers(puzzle, x))


def _without_connection(
    puzzle: TwentyFourSeven, model: BulkModel, x: Numbers, holds: Holds, multisets: bool = False
) -> tuple[Flags, Flags]:
    """Adds what all formulations share; returns the literals filled and root."""
    never = model.cp.new_constant(0).index
    filled = {i: ~holds[i].get(EMPTY, never) for i in puzzle.cells}

    # A window holds each k in 1..7 k times.
    for window in windows(puzzle):
        for k in NUMBERS:
            model.add_sum(((1, holds[i][k]) for i in window if k in holds[i]), k)

    for line in lines(puzzle):
        # In a row or column of a window four cells are filled, and sum to 20.
        model.add_sum(((1, filled[i]) for i in line), FILLED)
        model.add_sum((term for i in line for term in x[i]), TOTAL)
        if not multisets:
            continue

        # It holds one of the multisets of four such numbers.
        takes = model.new_bool_vars({m: f"{line[0]} to {line[-1]} has {m}" for m in MULTISETS})
        model.add_exactly_one(*takes.values())
        for k in NUMBERS:
            times = [(-m.count(k), literal) for m, literal in takes.items() if k in m]
            there = [(1, holds[i][k]) for i in line if k in holds[i]]
            model.add_sum(there + times, 0)

    # Some cell of each 2x2 block is empty.
    for block in puzzle.blocks:
        model.add_bool_or(*(~filled[i] for i in block))

    for seen, clue in puzzle.seen:
        if clue in NUMBERS:
            # Some cell of the line holds the first number, and so does a filled cell with none before it.
            model.add_bool_or(*(holds[i][clue] for i in seen if clue in holds[i]))
            for place, i in enumerate(seen):
                first = holds[i].get(clue, never)
                model.add_bool_or(~filled[i], first, *(filled[k] for k in seen[:place]))
        else:
            # The line sums to the number.
            model.add_sum((term for i in seen for term in x[i]), clue)

    # The root is the first filled one of some cells.
    root = model.new_bool_vars({i: f"root {i}" for i in roots(puzzle)})
    model.add_exactly_one(*root.values())
    for place, i in enumerate(root):
        model.add_implication(root[i], filled[i])
        for earlier in list(root)[:place]:
            model.add_implication(root[i], ~filled[earlier])

    return filled, root


FORMULATIONS = by_name(ranking, textbook)
