"""Number Cross as an integer program without an objective; model.md states the formulations.

In `textbook` each arc is a piece of a path; in `narrowed` a piece is arcs one after the other, so that large
automata lose most of their nodes, hence constraints.

Constraints: linear
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import pulp

from models.number_cross.narrowing import narrowed_automata
from models.number_cross.puzzle import SHADED, NumberCross
from models.number_cross.row_automata import row_automata
from models.shared.automaton import LayeredAutomaton
from models.shared.graph import grouped
from models.shared.grid import Cell
from models.shared.milp import program, total
from models.shared.model import Model, by_name, from_literals, reasoned


@reasoned(narrowed_automata)
def narrowed(puzzle: NumberCross, automata: Sequence[LayeredAutomaton]) -> Model:
    """A unit of flow through the words that the rows around leave, by joined arcs."""
    return _flow(puzzle, automata, [*map(joined, automata)])


def textbook(puzzle: NumberCross) -> Model:
    """A unit of flow, which is a path, through the automaton of each row."""
    automata = row_automata(puzzle)
    return _flow(puzzle, automata, [*map(arcs, automata)])


def _flow(puzzle: NumberCross, automata: Sequence[LayeredAutomaton], pieces: list[list["Piece"]]) -> Model:
    problem = program("number_cross")
    holds: dict[Cell, dict[str, pulp.LpVariable]] = {}

    # Each row is a word of its automaton.
    for row, (words, found) in enumerate(zip(automata, pieces, strict=True)):
        piece = {p: problem.add_variable(f"p_{row}_{p.source}_{p.text}", 0, 1) for p in found}
        leaving, entering = grouped(piece, lambda p: p.source), grouped(piece, lambda p: p.target)
        for node, variables in leaving.items():
            if node == words.start:
                # One piece leaves the start.
                problem += total(variables) == 1
            else:
                # As many pieces enter a node as leave it.
                problem += total(variables, minus=entering[node]) == 0

        reading: dict[tuple[int, str], list[pulp.LpVariable]] = defaultdict(list)
        for p, variable in piece.items():
            for column, symbol in enumerate(p.text, p.column):
                reading[column, symbol].append(variable)
        for column, symbols in enumerate(words.symbols):
            # Each cell holds one symbol.
            holds[row, column] = cell = {
                symbol: problem.add_variable(f"c_{row}_{column}_{symbol}", cat=pulp.LpBinary)
                for symbol in sorted(symbols)
            }
            problem += total(cell.values()) == 1

            # A cell holds a symbol exactly if the flow takes a piece that reads it there.
            for symbol, variable in cell.items():
                problem += total(reading[column, symbol], minus=[variable]) == 0

    for i, k, same_region in puzzle.vertical_neighbours():
        for one, other in ((holds[i], holds[k]), (holds[k], holds[i])):
            for symbol, variable in one.items():
                if symbol == SHADED or not same_region:
                    # No two shaded cells share an edge; neighbours in two regions hold different digits.
                    if symbol in other and one is holds[i]:
                        problem += total([variable, other[symbol]]) <= 1
                else:
                    # Neighbours in one region hold the same digit, unless one of them is shaded.
                    allowed = [other[s] for s in (symbol, SHADED) if s in other]
                    problem += total(allowed, minus=[variable]) >= 0

    literals = [variable for symbols in holds.values() for variable in symbols.values()]
    return Model(problem, from_literals(puzzle, holds), decisions=literals, integral=True)


class Piece(NamedTuple):
    """Arcs one after the other: their symbols from a column on, and the nodes at both ends."""

    source: int
    column: int
    text: str
    target: int


def arcs(words: LayeredAutomaton) -> list[Piece]:
    """The arcs of an automaton."""
    return [Piece(e.source, e.position, e.symbol, e.target) for e in words.arcs()]


def joined(words: LayeredAutomaton) -> list[Piece]:
    """The arcs of an automaton, joined at each node that one piece enters or one arc leaves."""
    found: list[Piece] = []
    entering: dict[int, list[tuple[int, int, str]]] = {}
    for column, layer in enumerate(words.layers):
        after: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
        for node, step in layer.items():
            begun = entering.get(node, [])
            if len(begun) != 1 and (not begun or len(step) != 1):
                found += (Piece(*piece, node) for piece in begun)
                begun = [(node, column, "")]
            for symbol, target in step.items():
                after[target] += [(source, begin, text + symbol) for source, begin, text in begun]
        entering = after
    return found + [Piece(*piece, node) for node, begun in entering.items() for piece in begun]


FORMULATIONS = by_name(narrowed, textbook)
