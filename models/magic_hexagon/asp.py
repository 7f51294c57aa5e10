"""Magic hexagon for clingo; asp.lp states the rules.

`symmetry_breaking`: one of 12 symmetric solutions, unless numbers are given.

`integers`: all solutions.

Constraints: cardinality, sum
"""

from pathlib import Path

from models.magic_hexagon.geometry import corner_order, lines, stands_for
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name

RULES = Path(__file__).with_name("asp.lp")


def symmetry_breaking(puzzle: MagicHexagon) -> Model:
    """One of 12 symmetric solutions."""
    return _model(puzzle, break_symmetry=True)


def integers(puzzle: MagicHexagon) -> Model:
    """All solutions."""
    return _model(puzzle, break_symmetry=False)


def _model(puzzle: MagicHexagon, break_symmetry: bool) -> Model:
    # If the numbers allow no sum, it is one that no line reaches.
    line_sum = sum(map(abs, puzzle.values)) + 1 if puzzle.line_sum is None else puzzle.line_sum
    facts = [
        *(fact("value", i, v) for i in puzzle.cells for v in puzzle.domain(i)),
        *(fact("on", number, i) for number, line in enumerate(lines(puzzle)) for i in line),
        fact("total", line_sum),
        *(fact("below", i, k) for i, k in corner_order(puzzle)),
    ]
    return Model(
        LogicProgram(RULES, facts, ["symmetry_breaking"] if break_symmetry else []),
        lambda value: puzzle.solution(dict(value("holds")).__getitem__),
        stands_for=stands_for(puzzle) if break_symmetry else 1,
    )


FORMULATIONS = by_name(symmetry_breaking, integers)
