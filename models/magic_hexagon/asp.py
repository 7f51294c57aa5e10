"""Magic hexagon for clingo; asp.lp states the rules, model.md the formulations.

Constraints: cardinality (`order_encoding`); cardinality, sum (`textbook`)
"""

from pathlib import Path

from models.magic_hexagon.geometry import corner_order, lines, stands_for
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name

RULES = Path(__file__).with_name("asp.lp")


def order_encoding(puzzle: MagicHexagon) -> Model:
    """One of 12 symmetric solutions, with an atom for each number that a cell reaches."""
    return _model(puzzle, "order_encoding")


def textbook(puzzle: MagicHexagon) -> Model:
    """All solutions."""
    return _model(puzzle, "textbook")


def _model(puzzle: MagicHexagon, part: str) -> Model:
    facts = [
        *(fact("value", i, v - puzzle.start) for i in puzzle.cells for v in puzzle.domain(i)),
        *(fact("on", number, i) for number, line in enumerate(lines(puzzle)) for i in line),
        *(fact("total", number, _total(puzzle, len(line))) for number, line in enumerate(lines(puzzle))),
        *(fact("below", i, k) for i, k in corner_order(puzzle)),
    ]
    return Model(
        LogicProgram(RULES, facts, [part]),
        lambda value: puzzle.solution({i: puzzle.start + v for i, v in value("holds")}.__getitem__),
        stands_for=stands_for(puzzle) if part == "order_encoding" else 1,
    )


def _total(puzzle: MagicHexagon, length: int) -> int:
    """The sum of a line of this length if the least number is 0; -1 if no line can have it."""
    if puzzle.line_sum is None:
        return -1
    total = puzzle.line_sum - length * puzzle.start
    return total if 0 <= total < length * puzzle.size else -1


FORMULATIONS = by_name(order_encoding, textbook)
