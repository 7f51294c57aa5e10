"""Number Cross for python-constraint: each row is a word of its automaton.

A word has one symbol for each cell of its row: a digit, or "." for a shaded cell. The words that satisfy the
row's clue and all rules within the row are the paths through a minimal layered automaton (row_automata.py).

`automaton`: x[i] is the symbol of cell i, one of those that it has in some word of its row. A cell is its own
variable.
    (x[i] for i in the row) is a word of the automaton       for each row
  and for each cell i and the cell k below it:
    x[i] != "." or x[k] != "."
    x[i] != x[k]                                             if they lie in two regions
    x[i] = x[k], or x[i] = ".", or x[k] = "."                if they lie in one region

`narrowed`: the same with those words alone that are made of the symbols which propagation between the rows
  leaves (narrowing.py). It decides Number Cross 4, so that the solver has nothing to find there.

Constraints: two of our own, word (forward checking leaves each cell the symbols that some word has) and
neighbours (forward checking leaves the other cell what goes with the assigned one)
"""

from collections.abc import Mapping, Sequence
from typing import Any

import constraint

from models.number_cross.narrowing import narrowed_automata
from models.number_cross.puzzle import SHADED, NumberCross, compatible
from models.number_cross.row_automata import row_automata
from models.shared.automaton import LayeredAutomaton
from models.shared.csp import hide, written
from models.shared.grid import Cell
from models.shared.model import Model, by_name


class Word(constraint.Constraint):  # type: ignore[misc]
    """The cells spell a word of an automaton; forward checking leaves only the symbols of such words."""

    def __init__(self, automaton: LayeredAutomaton):
        self.automaton = automaton

    def __call__(
        self,
        variables: Sequence[Cell],
        domains: Mapping[Cell, Any],
        assignment: Mapping[Cell, str],
        forwardcheck: bool = False,
    ) -> bool:
        """Returns False if no word is left."""
        allowed = [[assignment[i]] if i in assignment else domains[i] for i in variables]
        support = self.automaton.supported(allowed)
        if not all(support):
            return False
        if forwardcheck:
            for i, symbols in zip(variables, support, strict=True):
                if i not in assignment:
                    for symbol in domains[i][:]:
                        if symbol not in symbols:
                            domains[i].hideValue(symbol)
        return True


class Neighbours(constraint.Constraint):  # type: ignore[misc]
    """Two cells that share an edge hold symbols that go together; forward-checks the one not yet assigned."""

    def __init__(self, same_region: bool):
        self.same_region = same_region

    def __call__(
        self,
        variables: Sequence[Cell],
        domains: Mapping[Cell, Any],
        assignment: Mapping[Cell, str],
        forwardcheck: bool = False,
    ) -> bool:
        """Returns False if nothing goes together with what is assigned."""
        i, k = variables
        if i in assignment and k in assignment:
            return compatible(assignment[i], assignment[k], self.same_region)
        known, unknown = (i, k) if i in assignment else (k, i)
        if forwardcheck:
            for symbol in domains[unknown][:]:
                if not compatible(assignment[known], symbol, self.same_region):
                    hide(domains[unknown], symbol)
        return bool(domains[unknown])


def narrowed(puzzle: NumberCross) -> Model:
    """States that each row is a word, of those that the rows around it leave."""
    return _model(puzzle, narrowed_automata(puzzle))


def automaton(puzzle: NumberCross) -> Model:
    """States that each row is a word by a constraint that looks through its automaton."""
    return _model(puzzle, row_automata(puzzle))


def _model(puzzle: NumberCross, automata: list[LayeredAutomaton]) -> Model:
    problem = constraint.Problem()

    # Each row is a word of its automaton.
    for row, words in enumerate(automata):
        cells = [(row, column) for column in range(puzzle.width)]
        for cell, symbols in zip(cells, words.symbols(), strict=True):
            # A variable needs a value, even in a row without words.
            problem.addVariable(cell, sorted(symbols or {SHADED}))
        problem.addConstraint(Word(words), cells)

    # No two shaded cells share an edge; neighbours in two regions hold different digits.
    # Neighbours in one region hold the same digit, unless one of them is shaded.
    for i, k, same_region in puzzle.vertical_neighbours():
        problem.addConstraint(Neighbours(same_region), [i, k])

    return Model(problem, puzzle.solution, view=written({SHADED: "■"}))


FORMULATIONS = by_name(narrowed, automaton)
