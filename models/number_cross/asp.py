"""Number Cross for clingo; asp.lp states `textbook`, model.md what `narrowed` removes first.

The numbers are in the automata, so that clingo meets none that its 32 bits could not hold.

Constraints: cardinality; the path is defined by recursion
"""

from collections.abc import Sequence
from pathlib import Path

from models.number_cross.narrowing import narrowed_automata
from models.number_cross.puzzle import SHADED, NumberCross
from models.number_cross.row_automata import row_automata
from models.shared.asp import LogicProgram, fact
from models.shared.automaton import LayeredAutomaton
from models.shared.grid import cells_of
from models.shared.model import Model, Values, by_name, reasoned
from models.shared.puzzle import Solution

RULES = Path(__file__).with_name("asp.lp")


@reasoned(narrowed_automata)
def narrowed(puzzle: NumberCross, automata: Sequence[LayeredAutomaton]) -> Model:
    """Each row is a word, of those that the rows around it leave."""
    return _model(puzzle, automata)


def textbook(puzzle: NumberCross) -> Model:
    """Each row is a word of its automaton."""
    return _model(puzzle, row_automata(puzzle))


def _model(puzzle: NumberCross, automata: Sequence[LayeredAutomaton]) -> Model:
    facts, height = [fact("cell", cell) for cell in cells_of(puzzle.labels)], len(puzzle.labels)
    for row, words in enumerate(automata):
        # A node is a number, different in each row: clingo is slower with pairs.
        if words.start is not None:
            facts.append(fact("start", words.start * height + row))
        for e in words.arcs():
            source, target = e.source * height + row, e.target * height + row
            symbol = "shaded" if e.symbol == SHADED else e.symbol
            facts.append(fact("arc", source, (row, e.position), symbol, target))
    for i, k, same_region in puzzle.vertical_neighbours():
        facts.append(fact("below", i, k, "same" if same_region else "other"))

    def decode(value: Values) -> Solution:
        held = dict(value("holds"))
        return puzzle.solution(lambda cell: SHADED if held[cell] == "shaded" else str(held[cell]))

    return Model(LogicProgram(RULES, facts), decode)


FORMULATIONS = by_name(narrowed, textbook)
