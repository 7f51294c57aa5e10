"""Choco Banana for python-constraint: the shade of each cell, and rules that say which others follow.

Some cells of a grid are shaded. Of the groups, connected along edges, the shaded ones are rectangles, the
unshaded ones are not, and a number is the size of the group that holds its cell.

`cells`: x[i] in {0, 1} for each cell i, 1 if it is shaded.
    sum of x[i] over B  /=  3                                   for each 2x2 block B
    {i : x[i] = 1} has a group R, a rectangle of N cells, or
    {i : x[i] = 0} has a group G of N cells, no rectangle       for each number N, which is in R or G
    no group of {i : x[i] = 0} is a rectangle

Constraints: sum (of a block), group of a number, no rectangles (written for this puzzle; all check forward)
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_
from typing import Any

import constraint

from models.choco_banana.bitboard import Bitboard, Cells
from models.choco_banana.puzzle import SHADED, UNSHADED, ChocoBanana
from models.shared.csp import written
from models.shared.grid import Cell
from models.shared.model import Model, by_name

Shades = tuple[Cells, Cells]
"""Cells that are shaded, and cells that are not."""


class Rule(constraint.Constraint):  # type: ignore[misc]
    """A rule that says which other cells are shaded, and which are not."""

    def __init__(self, board: Bitboard):
        self.board = board

    @abstractmethod
    def implied(self, shaded: Cells, unshaded: Cells) -> Shades | None:
        """What follows from the cells that are decided; None if they break the rule."""

    def follows(
        self, variables: Sequence[Cell], domains: Mapping[Cell, Any], assignment: Mapping[Cell, int]
    ) -> list[tuple[Cell, int]] | None:
        """The cells that get decided, and how; None if the rule is broken."""
        bit = self.board.bit
        shaded = unshaded = 0
        undecided = []
        for i in variables:
            if i in assignment:
                value = assignment[i]
            elif len(domains[i]) == 1:
                value = domains[i][0]
            else:
                undecided.append(i)
                continue
            if value == SHADED:
                shaded |= bit[i]
            else:
                unshaded |= bit[i]
        implied = self.implied(shaded, unshaded)
        if implied is None or implied[0] & (unshaded | implied[1]) or implied[1] & shaded:
            return None
        decided = implied[0] | implied[1]
        return [(i, SHADED if implied[0] & bit[i] else UNSHADED) for i in undecided if decided & bit[i]]

    def preProcess(
        self, variables: Sequence[Cell], domains: Mapping[Cell, Any], constraints: Any, vconstraints: Any
    ) -> None:
        """Removes the other shade of the cells that are decided from the start."""
        follows = self.follows(variables, domains, {}) if all(domains[i] for i in variables) else None
        if follows is None:
            domains[variables[0]].clear()
        for i, value in follows or ():
            domains[i].remove(SHADED + UNSHADED - value)

    def __call__(
        self,
        variables: Sequence[Cell],
        domains: Mapping[Cell, Any],
        assignment: Mapping[Cell, int],
        forwardcheck: bool = False,
    ) -> bool:
        """Returns False if the rule is broken."""
        follows = self.follows(variables, domains, assignment)
        for i, value in (follows or ()) if forwardcheck else ():
            domains[i].hideValue(SHADED + UNSHADED - value)
        return follows is not None


class Block(Rule):
    """A 2x2 block does not have exactly three shaded cells."""

    def __init__(self, board: Bitboard, cells: Sequence[Cell]):
        super().__init__(board)
        self.cells = sum(map(board.bit.__getitem__, cells))

    def implied(self, shaded: Cells, unshaded: Cells) -> Shades | None:
        """The last cell is shaded as three others are, or unshaded if two of these are shaded."""
        match shaded.bit_count(), unshaded.bit_count():
            case 3, 1:
                return None
            case 3, 0:
                return self.cells, 0
            case 2, 1:
                return 0, self.cells ^ shaded
        return 0, 0


class Group(Rule):
    """A number is the size of the group that holds its cell."""

    def __init__(self, board: Bitboard, cell: Cell, numbers: Mapping[Cell, int]):
        super().__init__(board)
        self.start, self.number = board.bit[cell], numbers[cell]
        self.others = others = sum(board.bit[i] for i, number in numbers.items() if number != self.number)
        self.room = self.start
        for _ in range(self.number - 1):
            self.room = board.around(self.room) & ~others
        self.rectangles = [
            (box, board.around(box) & ~box) for box in board.rectangles(cell, self.number) if not box & others
        ]

    @property
    def scope(self) -> Cells:
        """The cells that the group and what is beside it can have."""
        return self.board.around(self.room)

    def implied(self, shaded: Cells, unshaded: Cells) -> Shades | None:
        """What is true both if the cell is shaded and if it is not, as far as these are possible."""
        ways = []
        if not self.start & unshaded:
            ways += [self.as_rectangle(shaded, unshaded)]
        if not self.start & shaded:
            ways += [self.as_other(shaded, unshaded)]
        possible = [way for way in ways if way]
        if not possible:
            return None
        return reduce(and_, [way[0] for way in possible]), reduce(and_, [way[1] for way in possible])

    def as_rectangle(self, shaded: Cells, unshaded: Cells) -> Shades | None:
        """What all rectangles that are left have in common, and what is beside all of them."""
        left = [r for r in self.rectangles if not (r[0] & unshaded or r[1] & shaded)]
        return (reduce(and_, [r[0] for r in left]), reduce(and_, [r[1] for r in left])) if left else None

    def as_other(self, shaded: Cells, unshaded: Cells) -> Shades | None:
        """What follows if the cell is unshaded."""
        board, start = self.board, self.start
        group = board.connected(start, unshaded | start)
        missing = self.number - group.bit_count()
        if group & ~self.room or missing < 0:
            return None
        beside = board.around(group) & ~group
        # A cell that would connect the group to another number, or to too many cells, is shaded.
        closed, left = 0, beside & ~shaded
        while left:
            cell = left & -left
            left ^= cell
            joined = board.connected(group | cell, unshaded | group | cell)
            if joined & ~self.room or joined.bit_count() > self.number:
                closed |= cell
        # It takes all that it can reach if that is no more than its size, and its only exit.
        foreign = board.around(board.connected(self.others & unshaded, unshaded))
        reach, allowed = group, self.room & ~shaded & ~closed & ~foreign
        for _ in range(missing):
            reach |= board.around(reach) & allowed
        if reach.bit_count() < self.number:
            return None
        if reach.bit_count() == self.number:
            return None if board.is_rectangle(reach) else (board.around(reach) & ~reach, reach)
        exits = beside & allowed
        if not exits & (exits - 1):
            group |= exits
        return closed, group


class NoRectangles(Rule):
    """No unshaded group is a rectangle."""

    def implied(self, shaded: Cells, unshaded: Cells) -> Shades | None:
        """A group that is a rectangle takes its only exit; a cell that no other can hold is shaded."""
        board, taken = self.board, 0
        for group in board.groups(unshaded):
            if board.is_rectangle(group):
                exits = board.around(group) & ~group & ~shaded
                if not exits:
                    return None
                if not exits & (exits - 1):
                    taken |= exits
        possible = board.board & ~shaded
        right, below, across = possible >> 1, possible >> board.stride, possible >> board.stride + 1
        bends = (possible & right & (below | across) | below & across & (possible | right)) & board.corners
        bent = possible & (bends | bends << 1 | bends << board.stride | bends << board.stride + 1)
        return possible & ~board.connected(bent, possible), taken


def cells(puzzle: ChocoBanana) -> Model:
    """One variable for each cell."""
    problem = constraint.Problem()
    board = Bitboard(puzzle.height, puzzle.width)

    # Each cell is shaded or unshaded.
    problem.addVariables(puzzle.cells, [SHADED, UNSHADED])

    # No 2x2 block has exactly three shaded cells: shaded groups are rectangles.
    for row, column in puzzle.cells:
        block = [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]
        if block[-1] in board.bit:
            problem.addConstraint(Block(board, block), block)

    # A number is the size of its group.
    for cell in puzzle.numbers:
        group = Group(board, cell, puzzle.numbers)
        problem.addConstraint(group, [i for i in puzzle.cells if board.bit[i] & group.scope])

    # No unshaded group is a rectangle.
    problem.addConstraint(NoRectangles(board), puzzle.cells)

    return Model(problem, puzzle.solution, view=written({UNSHADED: "·", SHADED: "■"}))


FORMULATIONS = by_name(cells)
