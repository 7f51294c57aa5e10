"""Die Agony for clingo; asp.lp states the rules, model.md the formulations.

`pruned` has its arcs as facts; `textbook` derives them by rules, so that grounding leaves out what no walk
from the start reaches.

Constraints: cardinality
"""

from fractions import Fraction
from pathlib import Path

from models.die_agony.network import Arc, consistent_arcs, moves, solution_of, start
from models.die_agony.puzzle import DieAgony
from models.die_agony.tables import Tables
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, Values, by_name, reasoned
from models.shared.puzzle import Solution

RULES = Path(__file__).with_name("asp.lp")


@reasoned(consistent_arcs)
def pruned(puzzle: DieAgony, arcs: list[Arc]) -> Model:
    """The consistent arcs; on most instances all of them lie on the solution."""
    # Each value is named by a number, as its parts may be too large for clingo.
    number: dict[Fraction, int] = {}
    facts = [
        fact("arc", tuple(arc.source), tuple(arc.target), arc.face, number.setdefault(arc.value, len(number)))
        for arc in arcs
    ]
    return _model(puzzle, facts, [])


def textbook(puzzle: DieAgony) -> Model:
    """All arcs, by rules."""
    tables = Tables(puzzle)
    facts = [
        fact("shows", n, tables.cells[i], tables.cells[k], value)
        for n, rows in tables.shows.items()
        for i, k, value in rows
    ]
    return _model(puzzle, facts, ["textbook"])


def _model(puzzle: DieAgony, facts: list[str], parts: list[str]) -> Model:
    def decode(value: Values) -> Solution:
        node, path = start(puzzle), []
        for ((_, cell, _),) in sorted(value("at"))[1:]:
            path.append(next(arc for arc in moves(puzzle, node) if arc.target.cell == cell))
            node = path[-1].target
        return solution_of(puzzle, path)

    ends = [fact("start", tuple(start(puzzle))), fact("end", puzzle.end)]
    return Model(LogicProgram(RULES, ends + facts, parts), decode)


FORMULATIONS = by_name(pruned, textbook)
