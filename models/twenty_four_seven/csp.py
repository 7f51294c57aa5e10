"""Twenty Four Seven for python-constraint: the words of rows and columns, and three rules on the cells.

Let D(i) be 0..7 for each cell i, 0 for an empty one, or the given number alone. W are the words of a row or
column of a window: seven values, four of them numbers that sum to 20 (words.py).

`words`: x[i] in D(i) for each cell i. A cell is its own variable.
    (x[i] for i in L) is one of the words in W that the clues at its ends allow    for each line L of a window
    |{i in F : x[i] = k}| = k                                for each window F and k = 1..7
    x[i] = 0 for some i in B                                 for each 2x2 block B
    {i : x[i] > 0} is connected along edges
  and where no window is at the end of a clue
    the first x[i] > 0 is N, or the sum of the x[i] is N

Constraints: table, global cardinality, not all filled, connected, first number (written for this puzzle; all
check forward), sum
"""

from collections.abc import Sequence

import constraint

from models.shared.csp import Total, hide, restrict, written
from models.shared.filled import Assignment, Connected, Domains, NotAllFilled, possible
from models.shared.grid import Cell
from models.shared.model import Model, by_name, from_integers
from models.twenty_four_seven.layout import blocks, domain, neighbours, windows
from models.twenty_four_seven.puzzle import EMPTY, NUMBERS, TwentyFourSeven
from models.twenty_four_seven.words import Line, Words, first_numbers, sums, window_lines


class Word(constraint.Constraint):  # type: ignore[misc]
    """The cells hold one of the words; forward checking leaves only the values of such words."""

    def __init__(self, words: Words, line: Line):
        self.words, self.allowed = words, words.of(line)

    def __call__(
        self, variables: Sequence[Cell], domains: Domains, assignment: Assignment, forwardcheck: bool = False
    ) -> bool:
        """Returns False if no word is left."""
        bits = [sum(1 << value for value in possible(i, domains, assignment)) for i in variables]
        kept = self.words.supported(self.allowed, bits)
        for i, left in zip(variables, kept if forwardcheck else [], strict=False):
            if i not in assignment:
                for value in domains[i][:]:
                    if not left >> value & 1:
                        domains[i].hideValue(value)
        return bool(kept)


class Numbers(constraint.Constraint):  # type: ignore[misc]
    """Each k is the value of k of the cells; checks forward by value."""

    def __call__(
        self, variables: Sequence[Cell], domains: Domains, assignment: Assignment, forwardcheck: bool = False
    ) -> bool:
        """Returns False if a number is placed too often, or has too few cells left."""
        values = [assignment[i] for i in variables if i in assignment]
        undecided = [i for i in variables if i not in assignment]
        for k in NUMBERS:
            missing = k - values.count(k)
            places = [i for i in undecided if k in domains[i]]
            if not 0 <= missing <= len(places):
                return False
            for i in places if forwardcheck else []:
                if missing == 0 and not hide(domains[i], k):
                    return False
                if missing == len(places):
                    restrict(domains[i], k)
        return True


class FirstNumber(constraint.Constraint):  # type: ignore[misc]
    """The first of the cells that is filled holds the number; checks those before it forward."""

    def __init__(self, number: int):
        self.number = number

    def __call__(
        self, variables: Sequence[Cell], domains: Domains, assignment: Assignment, forwardcheck: bool = False
    ) -> bool:
        """Returns False if no cell can be the first with the number."""
        before = []
        for i in variables:
            values = possible(i, domains, assignment)
            if self.number in values:
                break
            if EMPTY not in values:
                return False
            before.append(i)
        else:
            return False
        for k in before if forwardcheck else []:
            if k not in assignment:
                restrict(domains[k], EMPTY)
        # A number in the first cell that can hold this one is this one.
        if forwardcheck and i not in assignment:
            return all(hide(domains[i], k) for k in NUMBERS if k != self.number)
        return True


def words(puzzle: TwentyFourSeven) -> Model:
    """One variable for each cell, one constraint for each row and column of a window."""
    problem = constraint.Problem()

    # A cell is empty or holds a number; some are given.
    for i in puzzle.cells:
        problem.addVariable(i, domain(puzzle, i))

    # In each row and column of a window four cells are filled and sum to 20; the clues at its ends hold.
    table = Words()
    for line in window_lines(puzzle):
        problem.addConstraint(Word(table, line), line.cells)

    # Each window holds every number k exactly k times.
    for window in windows(puzzle):
        problem.addConstraint(Numbers(), window)

    # No 2x2 block is completely filled.
    for block in blocks(puzzle):
        problem.addConstraint(NotAllFilled(), block)

    # All filled cells are connected along edges.
    problem.addConstraint(Connected(neighbours(puzzle)), puzzle.cells)

    # The clues outside hold where no window is.
    for cells, number in first_numbers(puzzle):
        problem.addConstraint(FirstNumber(number), cells)
    for summed, total in sums(puzzle):
        if summed:
            problem.addConstraint(Total(total), summed)
        elif total:
            # Nothing is left to add up: no sum of all cells is the one asked for.
            problem.addConstraint(Total(-1), puzzle.cells)

    x = {i: i for i in puzzle.cells}
    return Model(problem, from_integers(puzzle, x), view=written({EMPTY: "·"}))


FORMULATIONS = by_name(words)
