"""Twenty Four Seven for clingo; asp.lp states the rules.

Constraints: cardinality, sum; connected by recursion
"""

from pathlib import Path

from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name, from_atoms
from models.twenty_four_seven.layout import domain, lines, roots, windows
from models.twenty_four_seven.puzzle import NUMBERS, TwentyFourSeven

RULES = Path(__file__).with_name("asp.lp")


def textbook(puzzle: TwentyFourSeven) -> Model:
    """In a row or column of a window four cells are filled, and sum to 20."""
    facts = [
        *(fact("value", i, v) for i in puzzle.cells for v in domain(puzzle, i)),
        *(fact("window", number, i) for number, window in enumerate(windows(puzzle)) for i in window),
        *(fact("line", number, i) for number, line in enumerate(lines(puzzle)) for i in line),
        *(fact("block", number, i) for number, block in enumerate(puzzle.blocks) for i in block),
        *(fact("candidate", place, i) for place, i in enumerate(roots(puzzle))),
        *(fact("near", i, k) for i, near in puzzle.near.items() for k in near),
    ]
    for number, (seen, clue) in enumerate(puzzle.seen):
        facts += [fact("seen", number, place, i) for place, i in enumerate(seen)]
        facts.append(fact("first" if clue in NUMBERS else "total", number, clue))
    return Model(LogicProgram(RULES, facts), from_atoms(puzzle))


FORMULATIONS = by_name(textbook)
