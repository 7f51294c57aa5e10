"""Die Agony for clingo: a path in a network; asp.lp states the rules.

A node (n, cell, die) says that after n moves the die is in the cell and lies in this way; an arc is a move
from node to node, which shows a face with a value.

`pruned`: over the arcs on paths from the start to the end that agree with the values that each face may show
before and after them (consistent_arcs in network.py).

`grounded`: grounding derives the arcs from the grid: those on walks from the start that agree with the values
that each face may show before them.

`network`: over all arcs on paths from the start to the end.

Constraints: cardinality
"""

from fractions import Fraction
from pathlib import Path

from models.die_agony.network import Arc, arcs_on_paths, consistent_arcs, moves, solution_of, start
from models.die_agony.puzzle import DieAgony
from models.shared.asp import LogicProgram, fact
from models.shared.grid import cells_of
from models.shared.model import Model, Values, by_name
from models.shared.puzzle import Solution

RULES = Path(__file__).with_name("asp.lp")

LARGEST = 2**30 - 1
"""Differences of two values up to this fit into the 32 bits of clingo's integers."""


def pruned(puzzle: DieAgony) -> Model:
    """The consistent arcs; on most instances all of them lie on the solution."""
    return _model(puzzle, _facts(consistent_arcs(puzzle)), [])


def grounded(puzzle: DieAgony) -> Model:
    """The arcs by rules; `pruned` if the values of the cells are too large for clingo."""
    values = {(r, c): puzzle.grid[r][c] for r, c in cells_of(puzzle.grid)}
    if max(map(abs, values.values())) > LARGEST:
        return pruned(puzzle)
    facts = [
        *(fact("value", cell, value) for cell, value in values.items()),
        fact("most_moves", puzzle.max_moves),
        fact("faces", puzzle.faces),
    ]
    return _model(puzzle, facts, ["grounded"])


def network(puzzle: DieAgony) -> Model:
    """All arcs that lie on a path."""
    return _model(puzzle, _facts(arcs_on_paths(puzzle)), [])


def _facts(arcs: list[Arc]) -> list[str]:
    """The arcs; each value is named by a number, as its parts may be too large for clingo."""
    number: dict[Fraction, int] = {}
    return [
        fact("arc", tuple(arc.source), tuple(arc.target), arc.face, number.setdefault(arc.value, len(number)))
        for arc in arcs
    ]


def _model(puzzle: DieAgony, facts: list[str], parts: list[str]) -> Model:
    common = [fact("start", tuple(start(puzzle))), fact("end", puzzle.end)]

    def decode(value: Values) -> Solution:
        node, path = start(puzzle), []
        for ((_, cell, _),) in sorted(value("at"))[1:]:
            path.append(next(arc for arc in moves(puzzle, node) if arc.target.cell == cell))
            node = path[-1].target
        return solution_of(puzzle, path)

    return Model(LogicProgram(RULES, [*common, *facts], parts), decode)


FORMULATIONS = by_name(pruned, grounded, network)
