"""Number Cross for python-constraint; model.md states the constraint program.

The library has no automaton constraint: the state before each cell is a variable of its own.

Constraints: functions
"""

from collections.abc import Mapping
from functools import partial

import constraint

from models.number_cross.puzzle import SHADED, SYMBOLS, NumberCross, compatible
from models.number_cross.row_automata import row_automata
from models.shared.automaton import ACCEPT
from models.shared.grid import cells_of
from models.shared.model import Left, Model, by_name
from models.shared.search import View


def textbook(puzzle: NumberCross) -> Model:
    """The states of each automaton, one function for each step, and one for two neighbours in a column."""
    problem = constraint.Problem()

    # Each cell holds one symbol.
    problem.addVariables(cells_of(puzzle.labels), list(SYMBOLS))

    # Each row is a word of its automaton: each symbol leads from one of its states to the next.
    for row, words in enumerate(row_automata(puzzle)):
        for column, layer in enumerate(words.layers):
            problem.addVariable((row, column, "state"), list(layer) or [ACCEPT])
            scope = [(row, column, "state"), (row, column), (row, column + 1, "state")]
            problem.addConstraint(partial(_step, layer), scope)
        problem.addVariable((row, puzzle.width, "state"), [ACCEPT])

    # No two shaded cells share an edge; neighbours in two regions hold different digits.
    # Neighbours in one region hold the same digit, unless one of them is shaded.
    for i, k, same_region in puzzle.vertical_neighbours():
        problem.addConstraint(partial(compatible, same_region=same_region), [i, k])

    return Model(problem, puzzle.solution, view=_view)


def _step(layer: Mapping[int, Mapping[str, int]], state: int, symbol: str, after: int) -> bool:
    """Whether an arc of the automaton leads from one state to the other and reads the symbol."""
    return state in layer and layer[state].get(symbol) == after


def _view(left: Left) -> View:
    """What cells can hold; of a state alone, which it is."""
    cells = {i: ["■" if v == SHADED else v for v in left[i]] for i in left if len(i) == 2}
    notes = [f"row {i[0] + 1}, state before column {i[1] + 1}: {left[i][0]}" for i in left if not cells]
    return View(cells, notes=notes)


FORMULATIONS = by_name(textbook)
