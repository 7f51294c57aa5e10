"""Cross Sums for clingo; asp.lp states the rules.

`multisets`: chooses one value for each cell, of those that fit each of its entries, and for each entry one of
  the multisets that fit its clue, or that its digits sum to the clue (entries.py).

Constraints: cardinality, sum
"""

from collections import Counter
from pathlib import Path

from models.cross_sums.entries import entry_multisets, may_be_sum, signed_lines, values, values_by_cell
from models.cross_sums.puzzle import CrossSums
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name

RULES = Path(__file__).with_name("asp.lp")


def multisets(puzzle: CrossSums) -> Model:
    """One value for each cell, one multiset or the sum for each entry."""
    facts = [
        *(fact("cell", i) for i in puzzle.cells),
        *(fact("value", i, v) for i, possible in values_by_cell(puzzle).items() for v in possible),
        *(fact("digit", v, abs(v)) for v in values(puzzle.rule)),
    ]
    for number, entry in enumerate(puzzle.across + puzzle.down):
        facts.append(fact("entry", number))
        facts += [fact("in", number, i) for i in entry.cells]
        facts += [fact("total", number, entry.clue)] if may_be_sum(puzzle.rule, entry) else []
        facts += [
            fact("times", number, m, v, times)
            for m, multiset in enumerate(entry_multisets(puzzle.rule, entry))
            for v, times in Counter(multiset).items()
        ]
    for number, line in enumerate(signed_lines(puzzle)):
        facts.append(fact("line", number))
        facts += [fact("on", number, i) for i in line]
    return Model(
        LogicProgram(RULES, facts),
        lambda value: puzzle.solution(dict(value("holds")).__getitem__),
    )


FORMULATIONS = by_name(multisets)
