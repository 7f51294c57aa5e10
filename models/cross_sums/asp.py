"""Cross Sums for clingo; asp.lp states the rules.

Constraints: cardinality, sum
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from models.cross_sums.entries import (
    PRIMES,
    entry_multisets,
    exponent,
    has_unlisted_sums,
    lines,
    powers,
    values,
    values_by_cell,
)
from models.cross_sums.puzzle import DIGITS, CrossSums, Entry, Rule
from models.shared.asp import LogicProgram, fact
from models.shared.grid import Cell
from models.shared.model import Model, by_name, from_atoms, reasoned

RULES = Path(__file__).with_name("asp.lp")

Domains = Mapping[Cell, Sequence[int]]


@reasoned(values_by_cell)
def multisets(puzzle: CrossSums, domains: Domains) -> Model:
    """One value for each cell, one multiset or the sum for each entry."""

    def facts(number: int, entry: Entry) -> Iterator[str]:
        if has_unlisted_sums(puzzle.rule, entry):
            yield fact("total", number, entry.clue)
        for m, multiset in enumerate(entry_multisets(puzzle.rule, entry)):
            yield from (fact("times", number, m, v, times) for v, times in Counter(multiset).items())

    return _model(puzzle, domains, facts)


def textbook(puzzle: CrossSums) -> Model:
    """One value for each cell, the sum or product for each entry."""

    def facts(number: int, entry: Entry) -> Iterator[str]:
        # Larger sums are out of reach, and no integers of clingo.
        if abs(entry.clue) < 2**31:
            yield fact("total", number, entry.clue)
        yield from (fact("power", number, p, n) for p, n in powers(puzzle.rule, entry).items())

    return _model(puzzle, dict.fromkeys(puzzle.cells, values(puzzle.rule)), facts)


def _model(puzzle: CrossSums, domains: Domains, of_entry: Callable[[int, Entry], Iterator[str]]) -> Model:
    facts = [fact("cell", i) for i in puzzle.cells]
    facts += [fact("value", i, v) for i, possible in domains.items() for v in possible]
    facts += [fact("digit", v, abs(v)) for v in values(puzzle.rule)]
    facts += [fact("factor", d, p, exponent(p, d)) for d in DIGITS for p in PRIMES]
    for number, entry in enumerate(puzzle.across + puzzle.down):
        facts += [fact("entry", number), *(fact("in", number, i) for i in entry.cells)]
        facts += of_entry(number, entry)
    for number, line in enumerate(lines(puzzle)):
        facts += [fact("line", number)] * (puzzle.rule == Rule.SIGNED_SUM)
        facts += [fact("on", number, i) for i in line]
    return Model(LogicProgram(RULES, facts), from_atoms(puzzle))


FORMULATIONS = by_name(multisets, textbook)
