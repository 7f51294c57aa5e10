"""Number Cross in CPMpy, for any of its solvers: each row is a word of its automaton.

A word has one symbol for each cell of its row: a digit, or "." for a shaded cell. The words that satisfy the
row's clue and all rules within the row are the paths through a minimal layered automaton (row_automata.py)
from its start to its last node, where the jth arc of a path reads the symbol of the jth cell.

The integer x[i] is the symbol of cell i: a digit, or the number that stands for ".". For each cell i and the
cell k below it:
    x[i] != x[k]                                             if they lie in two regions
    x[i] = x[k], or x[i] = ".", or x[k] = "."                if they lie in one region
    x[i] != "." or x[k] != "."                               if they lie in one region

`automaton`:
    (x[i] for i in the row) is a word of the automaton       for each row
`flow`: literals arc[e] for the arcs e of each row's automaton, true if the row's path takes e.
    x[i] = s <=> sum of arc[e], e reads s at cell i, is 1    for each cell i and each symbol s of its arcs
    one arc leaves the start                                 for each row
    as many arcs enter a node as leave it                    for each other node but the last
`narrowed`: `automaton`, with those words alone that are made of the symbols which propagation between the
  rows leaves (narrowing.py). It decides Number Cross 4, so that the solver has nothing to find there.

Constraints: not-equal, disjunction in all; regular in `narrowed` and `automaton`; linear, equivalence in
`flow`
"""

import cpmpy

from models.number_cross.narrowing import narrowed_automata
from models.number_cross.puzzle import CODES, SHADED, SYMBOLS, NumberCross
from models.number_cross.row_automata import row_automata
from models.shared.automaton import ACCEPT, LayeredAutomaton
from models.shared.flow import grouped
from models.shared.grid import Cell
from models.shared.model import Model, by_name

Integers = dict[Cell, cpmpy.expressions.variables._IntVarImpl]


def narrowed(puzzle: NumberCross) -> Model:
    """States that each row is a word, of those that the rows around it leave."""
    return _automaton(puzzle, narrowed_automata(puzzle))


def automaton(puzzle: NumberCross) -> Model:
    """States that each row is a word by the regular constraint."""
    return _automaton(puzzle, row_automata(puzzle))


def _automaton(puzzle: NumberCross, automata: list[LayeredAutomaton]) -> Model:
    model, x = _cells(puzzle, automata)

    # Each row is a word of its automaton.
    for row, words in enumerate(automata):
        if words.start is not None:
            arcs = [(e.source, CODES[e.symbol], e.target) for e in words.arcs()]
            model += cpmpy.Regular(
                [x[row, column] for column in range(puzzle.width)], arcs, words.start, [ACCEPT]
            )

    return _model(puzzle, model, x)


def flow(puzzle: NumberCross) -> Model:
    """States that each row is a word by a unit of flow, which is a path, through its automaton."""
    model, x = _cells(puzzle, automata := row_automata(puzzle))

    # Each row is a word of its automaton.
    for row, words in enumerate(automata):
        arc = {e: cpmpy.boolvar() for e in words.arcs()}

        # A cell holds a symbol exactly if the path takes an arc that reads it there.
        for (column, symbol), arcs in grouped(arc, lambda e: (e.position, e.symbol)).items():
            model += (x[row, column] == CODES[symbol]) == (cpmpy.sum(arcs) == 1)

        leaving, entering = grouped(arc, lambda e: e.source), grouped(arc, lambda e: e.target)
        for node, arcs in leaving.items():
            if node == words.start:
                # One arc leaves the start.
                model += cpmpy.sum(arcs) == 1
            else:
                # As many arcs enter a node as leave it.
                model += cpmpy.sum(entering[node]) == cpmpy.sum(arcs)

    return _model(puzzle, model, x)


def _cells(puzzle: NumberCross, automata: list[LayeredAutomaton]) -> tuple[cpmpy.Model, Integers]:
    """Returns a model with an integer for each cell, and what links the rows."""
    model = cpmpy.Model()
    x: Integers = {}
    for row, words in enumerate(automata):
        if words.start is None:
            # A row without words: there is no solution.
            model += cpmpy.BoolVal(False)
        for column, symbols in enumerate(words.symbols()):
            # A variable needs a value, even in a row without words.
            codes = sorted(CODES[symbol] for symbol in symbols or {SHADED})
            x[row, column] = cell = cpmpy.intvar(codes[0], codes[-1])
            model += [cell != code for code in range(codes[0], codes[-1]) if code not in codes]

    shaded = CODES[SHADED]
    for i, k, same_region in puzzle.vertical_neighbours():
        if same_region:
            # Neighbours in one region hold the same digit, unless one of them is shaded.
            model += (x[i] == x[k]) | (x[i] == shaded) | (x[k] == shaded)
            # No two shaded cells share an edge.
            model += (x[i] != shaded) | (x[k] != shaded)
        else:
            # No two shaded cells share an edge; neighbours in two regions hold different digits.
            model += x[i] != x[k]
    return model, x


def _model(puzzle: NumberCross, model: cpmpy.Model, x: Integers) -> Model:
    """Returns the model with what decodes the symbols."""
    return Model(
        model,
        lambda value: puzzle.solution(lambda i: SYMBOLS[value(x[i])]),
        decisions=list(x.values()),
    )


FORMULATIONS = by_name(narrowed, automaton, flow)
