"""Die Agony for python-constraint; model.md states the constraint program.

Tables and elements are functions; x[top[n]] is one for each face.

Constraints: functions
"""

from collections.abc import Iterable
from functools import partial

import constraint

from models.die_agony.puzzle import DieAgony
from models.die_agony.tables import AWAY, NONE, ON_TOP, STOP, TIPS, Tables
from models.shared.model import Left, Model, Values, by_name
from models.shared.puzzle import Solution
from models.shared.search import View


def textbook(puzzle: DieAgony) -> Model:
    """Where the die is and how it lies after each move."""
    problem = constraint.Problem()
    tables, numbers, faces = Tables(puzzle), range(1, puzzle.max_moves + 1), range(6)

    # The die starts in the first cell, as it lies there, and ends in the last one.
    problem.addVariable(("cell", 0), [tables.start])
    problem.addVariable(("die", 0), [0])
    most = {"cell": puzzle.size - 1, "die": AWAY, "move": STOP, "top": NONE, "value": len(tables.values)}
    for name, largest in most.items():
        for n in numbers:
            problem.addVariable((name, n), list(range(largest + 1)))
    problem.addConstraint(lambda cell: cell == tables.end, [("cell", puzzle.max_moves)])
    for f in faces:
        problem.addVariable(("x", f), list(range(len(tables.values) + 1)))
    problem.addVariable(("x", NONE), [0])

    def add_table(rows: Iterable[tuple[int, ...]], *scope: tuple[str, int]) -> None:
        allowed = set(rows)
        problem.addConstraint(lambda *values: values in allowed, scope)

    for n in numbers:
        # A move leads into the next cell, until the die is in the last one.
        add_table(tables.leads, ("cell", n - 1), ("move", n), ("cell", n))

        # It tips the die.
        add_table(TIPS, ("die", n - 1), ("move", n), ("die", n))
        add_table(enumerate(ON_TOP), ("die", n), ("top", n))

        # The score grows by n times the value of the face on top.
        add_table(tables.shows[n], ("cell", n - 1), ("cell", n), ("value", n))
        for f in [*faces, NONE]:
            problem.addConstraint(partial(_has_value, f), [("top", n), ("value", n), ("x", f)])

    # A face has a value only if it is on top after some move.
    for f in faces:
        problem.addConstraint(partial(_is_shown, f), [("x", f), *(("top", n) for n in numbers)])

    def view(left: Left) -> View:
        """The walk until the first cell that is not decided, and all else that is."""
        decided = {variable: values[0] for variable, values in left.items() if len(values) == 1}
        path: list[int] = []
        for _, n in sorted(variable for variable in left if variable[0] == "cell"):
            if ("cell", n) not in decided or path[-1:] == [tables.end]:
                break
            path.append(decided["cell", n])
        notes = [f"{name}[{n}] = {value}" for (name, n), value in decided.items() if name != "cell"]
        return View({}, [tables.cells[cell] for cell in path], notes)

    def decode(value: Values) -> Solution:
        cells = [value(("cell", n)) for n in range(puzzle.max_moves + 1)]
        return tables.solution(cells, [value(("x", f)) for f in faces])

    return Model(problem, decode, view=view)


def _has_value(face: int, top: int, value: int, x: int) -> bool:
    """Whether x is the value of the face, if that is on top."""
    return top != face or value == x


def _is_shown(face: int, x: int, *top: int) -> bool:
    """Whether the face is on top after some move, if it has a value."""
    return x == 0 or face in top


FORMULATIONS = by_name(textbook)
