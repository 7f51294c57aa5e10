"""Number Cross for clingo; asp.lp states the rules, row_automata.py makes the automata of the rows.

The numbers are in the automata, so that clingo meets none that its 32 bits could not hold.

`flow`: guesses the arcs of a path, whose symbols the cells hold.

`automaton`: guesses the symbols of the cells, and follows them through the automaton.

`narrowed`: `flow`, with those words alone that are made of the symbols which propagation between the rows
  leaves (narrowing.py). It decides Number Cross 4, so that the solver has nothing to find there.

Constraints: cardinality; the path is defined by recursion
"""

from pathlib import Path

from models.number_cross.narrowing import narrowed_automata
from models.number_cross.puzzle import SHADED, NumberCross
from models.number_cross.row_automata import row_automata
from models.shared.asp import LogicProgram, fact
from models.shared.automaton import LayeredAutomaton
from models.shared.grid import cells_of
from models.shared.model import Model, Values, by_name
from models.shared.puzzle import Solution

RULES = Path(__file__).with_name("asp.lp")


def narrowed(puzzle: NumberCross) -> Model:
    """Guesses the arcs of each row's path, through the words that the rows around it leave."""
    return _model(puzzle, narrowed_automata(puzzle), "flow")


def flow(puzzle: NumberCross) -> Model:
    """Guesses the arcs of each row's path."""
    return _model(puzzle, row_automata(puzzle), "flow")


def automaton(puzzle: NumberCross) -> Model:
    """Guesses the symbol of each cell."""
    return _model(puzzle, row_automata(puzzle), "automaton")


def _model(puzzle: NumberCross, automata: list[LayeredAutomaton], part: str) -> Model:
    facts = [fact("cell", cell) for cell in cells_of(puzzle.labels)]
    for row, words in enumerate(automata):

        def node(state: int, row: int = row) -> int:
            """Returns the state's number, different in each row: clingo is slower with pairs."""
            return state * len(puzzle.labels) + row

        if words.start is not None:
            facts.append(fact("start", node(words.start)))
        for e in words.arcs():
            symbol = "shaded" if e.symbol == SHADED else e.symbol
            facts.append(fact("arc", node(e.source), (row, e.position), symbol, node(e.target)))
    for i, k, same_region in puzzle.vertical_neighbours():
        facts.append(fact("below", i, k, "same" if same_region else "other"))

    def decode(value: Values) -> Solution:
        held = dict(value("holds"))
        return puzzle.solution(lambda cell: SHADED if held[cell] == "shaded" else str(held[cell]))

    return Model(LogicProgram(RULES, facts, [part]), decode)


FORMULATIONS = by_name(narrowed, flow, automaton)
