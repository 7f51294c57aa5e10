"""Hall of Mirrors in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: unit flow, clause
"""

from collections import defaultdict

import cpmpy

from models.hall_of_mirrors.light import EMPTY, FALLING, network
from models.hall_of_mirrors.puzzle import HallOfMirrors
from models.shared.model import Model, by_name, from_integers


def textbook(puzzle: HallOfMirrors) -> Model:
    """A Boolean for each state of the light of a laser, and what the cell holds then."""
    model = cpmpy.Model()

    # Each cell has a mirror, on one of two diagonals, or none.
    x = {i: cpmpy.intvar(EMPTY, FALLING) for i in puzzle.cells}

    # Mirrors do not stand side by side.
    model += [(x[i] == EMPTY) | (x[k] == EMPTY) for i, k in puzzle.beside]

    for clue in puzzle.clues:
        states = network(puzzle, clue)
        coming, going = defaultdict(list), defaultdict(list)
        for state, ways in states.items():
            for v, after in ways.items():
                goes = cpmpy.boolvar()
                going[state].append(goes)
                coming[after].append(goes)

                # It finds what the cell holds.
                model += goes.implies(x[state.cell] == v)

        # The light of a laser goes on from state to state, until it has given the number.
        for state in states:
            model += cpmpy.sum(going[state]) == (cpmpy.sum(coming[state]) if coming[state] else 1)

    return Model(model, from_integers(puzzle, x), decisions=list(x.values()))


FORMULATIONS = by_name(textbook)
