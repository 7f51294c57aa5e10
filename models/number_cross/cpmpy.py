"""Number Cross in CPMpy, for any of its solvers. Each row's words form a layered automaton (rows.py).

The integer x[i] is the symbol of cell i: a digit, or SHADED if it is shaded. For each cell i above k:
    x[i] != x[k]                                             if they lie in two regions
    x[i] = x[k], or x[i] = SHADED, or x[k] = SHADED          if they lie in one region
    not (x[i] = SHADED and x[k] = SHADED)

`flow`, with literals a[e] for the arcs e of each row's automaton:
    exactly one arc leaves the start
    as many arcs enter a state as leave it                   for each other state but the last
    x[i] = s if and only if an arc is taken that reads s at cell i
`automaton`:
    (x[i] for i in the row) is a word of the automaton       for each row, the regular constraint
"""

import cpmpy

from models.number_cross.puzzle import SHADED, NumberCross
from models.number_cross.rows import CODES, SYMBOLS, neighbours, row_automata
from models.shared.automaton import ACCEPT, Layered
from models.shared.flow import grouped
from models.shared.grid import Cell
from models.shared.model import Model

Cells = dict[Cell, cpmpy.expressions.variables._IntVarImpl]


def flow(puzzle: NumberCross) -> Model:
    """A path through each row's automaton."""
    automata = row_automata(puzzle)
    model, x = _cells(puzzle, automata)
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


def automaton(puzzle: NumberCross) -> Model:
    """The regular constraint."""
    automata = row_automata(puzzle)
    model, x = _cells(puzzle, automata)
    for row, words in enumerate(automata):
        arcs = [(e.source, CODES[e.symbol], e.target) for e in words.arcs()]
        if arcs:
            cells = [x[row, column] for column in range(puzzle.width)]
            model += cpmpy.Regular(cells, arcs, words.start, [ACCEPT])
    return _model(puzzle, model, x)


def _cells(puzzle: NumberCross, automata: list[Layered]) -> tuple[cpmpy.Model, Cells]:
    """An integer a cell, with the symbols that some word has there, and the links between rows."""
    model = cpmpy.Model()
    x: Cells = {}
    for row, words in enumerate(automata):
        if words.start is None:
            model += cpmpy.BoolVal(False)
        for column, symbols in enumerate(words.symbols()):
            codes = sorted(CODES[symbol] for symbol in symbols) or [CODES[SHADED]]
            x[row, column] = cell = cpmpy.intvar(codes[0], codes[-1])
            model += [cell != code for code in range(codes[0], codes[-1]) if code not in codes]
    shaded = CODES[SHADED]
    for i, k, same_region in neighbours(puzzle):
        if same_region:
            model += (x[i] == x[k]) | (x[i] == shaded) | (x[k] == shaded)
            model += (x[i] != shaded) | (x[k] != shaded)
        else:
            model += x[i] != x[k]
    return model, x


def _model(puzzle: NumberCross, model: cpmpy.Model, x: Cells) -> Model:
    return Model(model, lambda of: puzzle.solution(lambda i: SYMBOLS[of(x[i])]), decisions=list(x.values()))


FORMULATIONS = {"flow": flow, "automaton": automaton}
