"""Number Cross as an integer program without an objective: a unit of flow through each row's automaton.

A row's word has one symbol for each cell: a digit, or "." for a shaded cell. The words that satisfy the row's
clue and all rules within the row are the paths through a minimal layered automaton (row_automata.py) from its
start to its last node, where the jth arc of a path reads the symbol of the jth cell.

Let S(i) be the symbols that cell i has in some word of its row. The binary variable holds[i][s] is 1 if cell
i holds s; piece[p] is 1 if the row's path takes the piece p. A piece is an arc, or arcs one after the other.

`flow`: each arc is a piece.
    sum of piece[p] over the pieces that leave the start = 1 for each row
    sum of piece[p] over the pieces that enter a node
      = sum of piece[p] over the pieces that leave it        for each other node but the last
    sum of holds[i][s] over s in S(i)  = 1                   for each cell i
    holds[i][s] = sum of piece[p], p reads s at cell i       for each cell i and s in S(i)
  and for each cell i and the cell k below it:
    holds[i]["."] + holds[k]["."] <= 1
    holds[i][s] + holds[k][s] <= 1                           for each digit s, if i and k lie in two regions
    holds[i][s] <= holds[k][s] + holds[k]["."]               for each digit s, if they lie in one region
    holds[k][s] <= holds[i][s] + holds[i]["."]               the same, upwards

`narrowed`: the same with those words alone that are made of the symbols which propagation between the rows
  leaves (narrowing.py). It decides Number Cross 4, so that the solver has nothing to find there. Arcs are
  joined: at a node that one piece enters, it goes on as a piece for each arc that leaves the node; at a node
  that one arc leaves, each piece that enters goes on with it. So large automata lose most of their nodes,
  hence constraints. Presolve, which would last longer than all the rest, then finds little more and is off:
  HiGHS's feasibility jump finds a solution of the model as it is.

The pieces are declared continuous: as each word has one path only, piece[p] is integer wherever holds is.

Constraints: linear
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import pulp

from models.number_cross.narrowing import narrowed_automata
from models.number_cross.puzzle import SHADED, NumberCross
from models.number_cross.row_automata import row_automata
from models.shared.automaton import LayeredAutomaton
from models.shared.flow import grouped
from models.shared.grid import Cell
from models.shared.milp import total
from models.shared.model import Model, by_name, from_literals


def narrowed(puzzle: NumberCross) -> Model:
    """States that each row is a word, of those that the rows around it leave, by joined arcs."""
    return replace(_flow(puzzle, narrowed_automata(puzzle), joined), options={"presolve": "off"})


def flow(puzzle: NumberCross) -> Model:
    """States that each row is a word by a unit of flow, which is a path, through its automaton."""
    return _flow(puzzle, row_automata(puzzle), arcs)


def _flow(
    puzzle: NumberCross,
    automata: Sequence[LayeredAutomaton],
    pieces: Callable[[LayeredAutomaton], list["Piece"]],
) -> Model:
    problem = pulp.LpProblem("number_cross")
    problem += 0
    holds: dict[Cell, dict[str, pulp.LpVariable]] = {}

    # Each row is a word of its automaton.
    for row, words in enumerate(automata):
        piece = {p: problem.add_variable(f"p_{row}_{p.source}_{p.text}", 0, 1) for p in pieces(words)}
        leaving, entering = grouped(piece, lambda p: p.source), grouped(piece, lambda p: p.target)
        for node, variables in leaving.items():
            if node == words.start:
                # One piece leaves the start.
                problem += total(variables) == 1
            else:
                # As many pieces enter a node as leave it.
                problem += total(variables, minus=entering[node]) == 0

        reading: dict[Cell, dict[str, list[pulp.LpVariable]]] = {
            (row, column): {symbol: [] for symbol in sorted(symbols)}
            for column, symbols in enumerate(words.symbols())
        }
        for p, variable in piece.items():
            for column, symbol in enumerate(p.text, p.column):
                reading[row, column][symbol].append(variable)
        for cell, read in reading.items():
            # Each cell holds one symbol.
            holds[cell] = {
                symbol: problem.add_variable(f"c_{row}_{cell[1]}_{symbol}", cat=pulp.LpBinary)
                for symbol in read
            }
            problem += total(holds[cell].values()) == 1

            # A cell holds a symbol exactly if the flow takes a piece that reads it there.
            for symbol, variable in holds[cell].items():
                problem += total(read[symbol], minus=[variable]) == 0

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

    return Model(
        problem,
        from_literals(puzzle, holds),
        decisions=[variable for symbols in holds.values() for variable in symbols.values()],
        integral=True,
    )


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


FORMULATIONS = by_name(narrowed, flow)
