"""Die Agony in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: table, element, clause over equalities
"""

from typing import Any

import cpmpy

from models.die_agony.puzzle import DieAgony
from models.die_agony.tables import AWAY, NONE, ON_TOP, STOP, TIPS, Tables
from models.shared.model import Model, Values, by_name
from models.shared.puzzle import Solution


def textbook(puzzle: DieAgony) -> Model:
    """Where the die is and how it lies after each move."""
    model = cpmpy.Model()
    tables, numbers = Tables(puzzle), range(1, puzzle.max_moves + 1)

    def integers(most: int) -> dict[int, Any]:
        return {n: cpmpy.intvar(0, most) for n in numbers}

    # The die starts in the first cell, as it lies there, and ends in the last one.
    cell = {0: cpmpy.intvar(tables.start, tables.start)} | integers(puzzle.size - 1)
    die = {0: cpmpy.intvar(0, 0)} | integers(AWAY)
    model += cell[puzzle.max_moves] == tables.end

    move, top, value = integers(STOP), integers(NONE), integers(len(tables.values))
    x = [cpmpy.intvar(0, len(tables.values)) for f in range(6)]
    for n in numbers:
        # A move leads into the next cell, until the die is in the last one.
        model += cpmpy.Table([cell[n - 1], move[n], cell[n]], tables.leads)

        # It tips the die.
        model += cpmpy.Table([die[n - 1], move[n], die[n]], TIPS)
        model += cpmpy.Element(ON_TOP, die[n]) == top[n]

        # The score grows by n times the value of the face on top.
        model += cpmpy.Table([cell[n - 1], cell[n], value[n]], tables.shows[n])
        model += cpmpy.Element([*x, 0], top[n]) == value[n]

    # A face has a value only if it is on top after some move.
    for f in range(6):
        model += (x[f] > 0).implies(cpmpy.any(top[n] == f for n in numbers))

    def decode(of: Values) -> Solution:
        return tables.solution([*map(of, cell.values())], [*map(of, x)])

    return Model(model, decode, decisions=[*cell.values(), *x])


FORMULATIONS = by_name(textbook)
