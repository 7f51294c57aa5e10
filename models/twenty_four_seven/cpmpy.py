"""Twenty Four Seven in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: global cardinality, count, sum, clause over equalities, minimum
"""

import cpmpy

from models.shared.connected import steps_for_cpmpy
from models.shared.model import Model, by_name, from_integers
from models.shared.partly_filled import EMPTY
from models.twenty_four_seven.layout import domain, lines, most_filled, roots, windows
from models.twenty_four_seven.puzzle import FILLED, NUMBERS, TOTAL, WINDOW, TwentyFourSeven


def textbook(puzzle: TwentyFourSeven) -> Model:
    """Integers, with the distance of each cell from the root."""
    model = cpmpy.Model()

    # Each cell holds one value.
    x = {i: cpmpy.intvar(min(values), max(values)) for i in puzzle.cells for values in [domain(puzzle, i)]}

    # A window holds each k in 1..7 k times.
    for window in windows(puzzle):
        model += cpmpy.GlobalCardinalityCount([x[i] for i in window], list(NUMBERS), list(NUMBERS))

    # In a row or column of a window four cells are filled, and sum to 20.
    for line in lines(puzzle):
        model += cpmpy.Count([x[i] for i in line], EMPTY) == WINDOW - FILLED
        model += cpmpy.sum(x[i] for i in line) == TOTAL

    # Some cell of each 2x2 block is empty.
    for block in puzzle.blocks:
        model += cpmpy.any(x[i] == EMPTY for i in block)

    for seen, clue in puzzle.seen:
        if clue in NUMBERS:
            # Some cell of the line holds the first number, and so does a filled cell with none before it.
            model += cpmpy.any(x[i] == clue for i in seen)
            for place, i in enumerate(seen):
                model += cpmpy.any([x[i] == EMPTY, x[i] == clue, *(x[k] != EMPTY for k in seen[:place])])
        else:
            # The line sums to the number.
            model += cpmpy.sum(x[i] for i in seen) == clue

    # All filled cells are connected: with the first filled one of some cells.
    first = roots(puzzle)
    root = {i: cpmpy.all([x[i] != EMPTY, *(x[k] == EMPTY for k in first[:p])]) for p, i in enumerate(first)}
    filled = {i: x[i] != EMPTY for i in puzzle.cells}
    model += steps_for_cpmpy(filled, root, puzzle.near, most_filled(puzzle))

    return Model(model, from_integers(puzzle, x), decisions=list(x.values()))


FORMULATIONS = by_name(textbook)
