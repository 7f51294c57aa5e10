"""Number Cross in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: automaton (regular), not-equal, table
"""

import cpmpy

from models.number_cross.puzzle import ALIKE, CODES, SHADED, SYMBOLS, NumberCross
from models.number_cross.row_automata import row_automata
from models.shared.automaton import ACCEPT
from models.shared.grid import cells_of
from models.shared.model import Model, by_name


def textbook(puzzle: NumberCross) -> Model:
    """Integers that each automaton reads, and constraints on two of them that are in one column."""
    model = cpmpy.Model()

    # Each cell holds one symbol.
    x = {i: cpmpy.intvar(0, CODES[SHADED]) for i in cells_of(puzzle.labels)}

    # Each row is a word of its automaton.
    for row, words in enumerate(row_automata(puzzle)):
        if words.start is None:
            # There is no word, hence no solution.
            model += cpmpy.BoolVal(False)
        else:
            arcs = [(e.source, CODES[e.symbol], e.target) for e in words.arcs()]
            cells = [x[row, column] for column in range(puzzle.width)]
            model += cpmpy.Regular(cells, arcs, words.start, [ACCEPT])

    for i, k, same_region in puzzle.vertical_neighbours():
        if same_region:
            # Neighbours in one region hold the same digit, unless one of them is shaded.
            model += cpmpy.Table([x[i], x[k]], ALIKE)
        else:
            # No two shaded cells share an edge; neighbours in two regions hold different digits.
            model += x[i] != x[k]

    decisions = list(x.values())
    return Model(model, lambda value: puzzle.solution(lambda i: SYMBOLS[value(x[i])]), decisions)


FORMULATIONS = by_name(textbook)
