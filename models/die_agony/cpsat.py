"""Die Agony for CP-SAT; model.md states the formulations.

In `textbook` what is on top is channelled to literals, to say that a face was never there.

Constraints: table, element, clause (`textbook`); exactly one, at most one, linear, clause (`pruned`)
"""

from collections import defaultdict
from fractions import Fraction

from ortools.sat.python import cp_model

from models.die_agony.network import Arc, consistent_arcs, from_arcs, start
from models.die_agony.puzzle import DieAgony
from models.die_agony.tables import AWAY, NONE, ON_TOP, STOP, TIPS, Tables
from models.shared.cpsat import equal
from models.shared.graph import grouped
from models.shared.model import Model, by_name, reasoned


@reasoned(consistent_arcs)
def pruned(puzzle: DieAgony, allowed: list[Arc]) -> Model:
    """A unit of flow through the consistent arcs; on most instances all of them lie on the solution."""
    model = cp_model.CpModel()
    arc = {e: model.new_bool_var(f"move {e.number} {e.face}={e.value}") for e in allowed}
    holds: dict[int, dict[Fraction, cp_model.IntVar]] = defaultdict(dict)
    for (face, value), showing in grouped(arc, lambda e: (e.face, e.value)).items():
        has = holds[face][value] = model.new_bool_var(f"face {face} is {value}")

        # A face has a value only if the path takes an arc that shows it.
        model.add_bool_or(~has, *showing)

        # The path takes an arc only if its face has the value that it shows.
        for literal in showing:
            model.add_implication(literal, has)

    # Each face has at most one value.
    for values in holds.values():
        model.add_at_most_one(values.values())

    leaving = grouped(arc, lambda e: e.source)
    entering = grouped(arc, lambda e: e.target)

    # One arc leaves the start.
    model.add_exactly_one(leaving[start(puzzle)])

    # As many arcs enter a node as leave it.
    for node, arcs in entering.items():
        if node.cell != puzzle.end:
            model.add(sum(arcs) == sum(leaving[node]))

    # The path takes at most one arc per move.
    for arcs in grouped(arc, lambda e: e.number).values():
        model.add_at_most_one(arcs)

    return Model(model, from_arcs(puzzle, arc))


def textbook(puzzle: DieAgony) -> Model:
    """Where the die is and how it lies after each move."""
    model = cp_model.CpModel()
    tables, numbers = Tables(puzzle), range(1, puzzle.max_moves + 1)

    def integers(name: str, most: int) -> dict[int, cp_model.IntVar]:
        return {n: model.new_int_var(0, most, f"{name}{n}") for n in numbers}

    # The die starts in the first cell, as it lies there, and ends in the last one.
    cell = {0: model.new_constant(tables.start)} | integers("cell", puzzle.size - 1)
    die = {0: model.new_constant(0)} | integers("die", AWAY)
    model.add(cell[puzzle.max_moves] == tables.end)

    move, top = integers("move", STOP), integers("top", NONE)
    value = integers("value", len(tables.values))
    x = [model.new_int_var(0, len(tables.values), f"x{f}") for f in range(6)]
    for n in numbers:
        # A move leads into the next cell, until the die is in the last one.
        model.add_allowed_assignments([cell[n - 1], move[n], cell[n]], tables.leads)

        # It tips the die.
        model.add_allowed_assignments([die[n - 1], move[n], die[n]], TIPS)
        model.add_element(die[n], ON_TOP, top[n])

        # The score grows by n times the value of the face on top.
        model.add_allowed_assignments([cell[n - 1], cell[n], value[n]], tables.shows[n])
        model.add_element(top[n], [*x, 0], value[n])

    # A face has a value only if it is on top after some move.
    for f in range(6):
        on_top = [equal(model, top[n], f, f"top{n} = {f}") for n in numbers]
        model.add(x[f] == 0).only_enforce_if([~literal for literal in on_top])

    return Model(model, lambda of: tables.solution([*map(of, cell.values())], [*map(of, x)]))


FORMULATIONS = by_name(pruned, textbook)
