"""Number Cross for CP-SAT; model.md states the formulations.

Constraints: automaton, not-equal, table (`textbook`); automaton, clause (`narrowed`)
"""

from collections.abc import Sequence
from typing import Any

from ortools.sat.python import cp_model

from models.number_cross.narrowing import narrowed_automata
from models.number_cross.puzzle import ALIKE, CODES, SHADED, SYMBOLS, NumberCross
from models.number_cross.row_automata import row_automata
from models.shared.automaton import ACCEPT, LayeredAutomaton
from models.shared.cpsat import equal
from models.shared.grid import Cell, cells_of
from models.shared.model import Model, by_name, from_literals, reasoned


@reasoned(narrowed_automata)
def narrowed(puzzle: NumberCross, automata: Sequence[LayeredAutomaton]) -> Model:
    """Each row is a word, of those that the rows around it leave."""
    model = cp_model.CpModel()
    x: dict[Cell, cp_model.IntVar] = {}
    holds: dict[Cell, dict[str, cp_model.IntVar]] = {}

    # Each cell holds one symbol, by an integer and literals.
    for row, words in enumerate(automata):
        for column, left in enumerate(words.symbols):
            # A variable needs a value, even in a row without words.
            cell, symbols = (row, column), left or {SHADED}
            values = [CODES[symbol] for symbol in symbols]
            x[cell] = model.new_int_var_from_domain(cp_model.Domain.from_values(values), f"x{cell}")
            holds[cell] = {s: equal(model, x[cell], CODES[s], f"{cell} is {s}") for s in sorted(symbols)}

    for i, k, same_region in puzzle.vertical_neighbours():
        for one, other in ((holds[i], holds[k]), (holds[k], holds[i])):
            for symbol, literal in one.items():
                if symbol == SHADED or not same_region:
                    # No two shaded cells share an edge; neighbours in two regions hold different digits.
                    if symbol in other:
                        model.add_implication(literal, ~other[symbol])
                else:
                    # Neighbours in one region hold the same digit, unless one of them is shaded.
                    model.add_bool_or(~literal, *(other[s] for s in (symbol, SHADED) if s in other))

    _spell_words(model, x, automata)
    return Model(model, from_literals(puzzle, holds))


def textbook(puzzle: NumberCross) -> Model:
    """Integers that each automaton reads, and constraints on two of them that are in one column."""
    model = cp_model.CpModel()

    # Each cell holds one symbol.
    x = {i: model.new_int_var(0, CODES[SHADED], f"x{i}") for i in cells_of(puzzle.labels)}

    _spell_words(model, x, row_automata(puzzle))

    for i, k, same_region in puzzle.vertical_neighbours():
        if same_region:
            # Neighbours in one region hold the same digit, unless one of them is shaded.
            model.add_allowed_assignments([x[i], x[k]], ALIKE)
        else:
            # No two shaded cells share an edge; neighbours in two regions hold different digits.
            model.add(x[i] != x[k])

    return Model(model, lambda value: puzzle.solution(lambda i: SYMBOLS[value(x[i])]))


def _spell_words(model: cp_model.CpModel, x: dict[Cell, Any], automata: Sequence[LayeredAutomaton]) -> None:
    # Each row is a word of its automaton.
    for row, words in enumerate(automata):
        if words.start is None:
            # There is no word, hence no solution.
            model.add_bool_or([])
        else:
            steps = [step for layer in words.layers for step in layer.items()]
            arcs = [(state, CODES[symbol], after) for state, step in steps for symbol, after in step.items()]
            cells = [x[row, column] for column in range(len(words.layers))]
            model.add_automaton(cells, words.start, [ACCEPT], arcs)


FORMULATIONS = by_name(narrowed, textbook)
