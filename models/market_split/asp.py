"""Market Split for clingo; asp.lp states the rules.

No sum is larger than 9,999,000, so that clingo's 32 bits suffice.

Constraints: weighted sum
"""

from pathlib import Path

from models.market_split.puzzle import MarketSplit
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, Values, by_name
from models.shared.puzzle import Solution

RULES = Path(__file__).with_name("asp.lp")


def textbook(puzzle: MarketSplit) -> Model:
    """An atom for each customer, a sum for each product."""
    facts = [
        *(fact("customer", i) for i in puzzle.customers),
        *(fact("total", p, total) for p, total in enumerate(puzzle.totals)),
        *(fact("buys", i, p, a) for p, row in enumerate(puzzle.rows) for i, a in enumerate(row)),
    ]

    def decode(value: Values) -> Solution:
        first = {i for (i,) in value("first")}
        return puzzle.solution(lambda i: int(i in first))

    return Model(LogicProgram(RULES, facts), decode)


FORMULATIONS = by_name(textbook)
