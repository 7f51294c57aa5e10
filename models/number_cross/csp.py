"""Number Cross for python-constraint. Each row's words by its own rules form a layered automaton (rows.py).

`automaton`: x[i] in the symbols, digits or shaded, that cell i has in some word of its row.
    (x[i] for i in the row) is a word of the automaton       for each row, pruning what no word supports
    x[i] and x[k] are not both shaded, and if none is: equal exactly in one region    for each i above k
"""

from collections.abc import Mapping, Sequence
from typing import Any

import constraint

from models.number_cross.puzzle import SHADED, NumberCross
from models.number_cross.rows import compatible, neighbours, row_automata
from models.shared.automaton import Layered
from models.shared.csp import hide
from models.shared.grid import Cell
from models.shared.model import Model


class Word(constraint.Constraint):  # type: ignore[misc]
    """The cells spell a word of an automaton; when forward checking, only symbols of such words stay."""

    def __init__(self, automaton: Layered):
        self.automaton = automaton

    def __call__(
        self,
        variables: Sequence[Cell],
        domains: Mapping[Cell, Any],
        assignment: Mapping[Cell, str],
        forwardcheck: bool = False,
    ) -> bool:
        """False if no word is left."""
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
    """What two neighbouring cells hold goes together; forward-checks."""

    def __init__(self, same_region: bool):
        self.same_region = same_region

    def __call__(
        self,
        variables: Sequence[Cell],
        domains: Mapping[Cell, Any],
        assignment: Mapping[Cell, str],
        forwardcheck: bool = False,
    ) -> bool:
        """False if nothing goes together with what is assigned."""
        i, k = variables
        if i in assignment and k in assignment:
            return compatible(assignment[i], assignment[k], self.same_region)
        known, unknown = (i, k) if i in assignment else (k, i)
        if forwardcheck:
            for symbol in domains[unknown][:]:
                if not compatible(assignment[known], symbol, self.same_region):
                    hide(domains[unknown], symbol)
        return bool(domains[unknown])


def automaton(puzzle: NumberCross) -> Model:
    """A word constraint a row."""
    problem = constraint.Problem()
    for row, words in enumerate(row_automata(puzzle)):
        cells = [(row, column) for column in range(puzzle.width)]
        for cell, symbols in zip(cells, words.symbols(), strict=True):
            # python-constraint refuses an empty domain: a row without words gets one symbol, and no word.
            problem.addVariable(cell, sorted(symbols) or [SHADED])
        problem.addConstraint(Word(words), cells)
    for i, k, same_region in neighbours(puzzle):
        problem.addConstraint(Neighbours(same_region), [i, k])
    return Model(problem, puzzle.solution)


FORMULATIONS = {"automaton": automaton}
