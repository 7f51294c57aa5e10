"""Hall of Mirrors in CPMpy, for any of its solvers; model.md states the formulations.

Constraints: exactly one, clause (`paths`); unit flow, clause (`textbook`)
"""

from collections import defaultdict
from typing import Any

import cpmpy

from models.hall_of_mirrors.light import EMPTY, FALLING, Clue, Path, all_paths, network
from models.hall_of_mirrors.puzzle import HallOfMirrors
from models.shared.grid import Cell
from models.shared.model import Model, by_name, from_integers, reasoned


@reasoned(all_paths)
def paths(puzzle: HallOfMirrors, possible: dict[Clue, list[Path]]) -> Model:
    """A Boolean for each path that gives a laser its number."""
    model, x = _mirrors(puzzle)
    for options in possible.values():
        # The light of a laser takes one of its paths.
        chosen = [(cpmpy.boolvar(), path.items()) for path in options]
        model += cpmpy.sum([taken for taken, _ in chosen]) == 1

        # The cells of that hold what it needs.
        model += [taken.implies(x[i] == v) for taken, path in chosen for i, v in path]

    return Model(model, from_integers(puzzle, x), decisions=list(x.values()))


def textbook(puzzle: HallOfMirrors) -> Model:
    """A Boolean for each state of the light of a laser, and what the cell holds then."""
    model, x = _mirrors(puzzle)
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


def _mirrors(puzzle: HallOfMirrors) -> tuple[cpmpy.Model, dict[Cell, Any]]:
    # Each cell has a mirror, on one of two diagonals, or none.
    x = {i: cpmpy.intvar(EMPTY, FALLING) for i in puzzle.cells}

    # Mirrors do not stand side by side.
    return cpmpy.Model([(x[i] == EMPTY) | (x[k] == EMPTY) for i, k in puzzle.beside]), x


FORMULATIONS = by_name(paths, textbook)
