"""The tables of the constraint program `textbook`: what one move does.

Cells are numbers, and so are the ways in which the die can lie, the moves, and the values of faces; 0 is no
value. At the end the die is taken away: STOP, in place of a move, stays in the cell and shows NONE.
"""

from collections.abc import Sequence
from fractions import Fraction

from models.die_agony.network import TURNS, Die, tip
from models.die_agony.puzzle import TOP, DieAgony
from models.shared.grid import cells_of
from models.shared.puzzle import Solution

Rows = list[tuple[int, int, int]]

DIES: list[Die] = [tuple(range(6))]
"""All ways in which the die can lie; it starts in the first."""

for _die in DIES:
    DIES += [tipped for tipped in (tip(_die, direction) for direction in TURNS) if tipped not in DIES]

STOP = len(TURNS)
AWAY = len(DIES)
NONE = 6

TIPS: Rows = [
    *(
        (die, move, DIES.index(tip(faces, direction)))
        for die, faces in enumerate(DIES)
        for move, direction in enumerate(TURNS)
    ),
    *((die, STOP, AWAY) for die in range(AWAY + 1)),
]
"""How the die lies before a move, the move, and how it lies after it."""

ON_TOP = [*(die[TOP] for die in DIES), NONE]
"""The face that is on top if the die lies so."""


class Tables:
    """What one move does in a grid.

    Attributes:
        start: the number of the first cell; `end` that of the last.
        leads: a cell, a move, and the cell after it.
        shows: for each n a cell, the cell after the nth move, and the value that the face on top must have.
        values: the values 1, 2, ...
    """

    def __init__(self, puzzle: DieAgony):
        self.puzzle = puzzle
        self.cells = cells_of(puzzle.grid)
        number = {cell: position for position, cell in enumerate(self.cells)}
        self.start, self.end = number[puzzle.start], number[puzzle.end]
        moves: Rows = [
            (number[r, c], move, number[r + dr, c + dc])
            for r, c in self.cells
            for move, (dr, dc) in enumerate(TURNS)
            if (r, c) != puzzle.end and (r + dr, c + dc) in number
        ]
        self.leads: Rows = [*moves, (self.end, STOP, self.end)]

        score = [puzzle.grid[r][c] for r, c in self.cells]
        numbers: dict[Fraction, int] = {}
        self.shows: dict[int, Rows] = {}
        for n in range(1, puzzle.max_moves + 1):
            self.shows[n] = [(self.end, self.end, 0)]
            for i, _, k in moves:
                value = Fraction(score[k] - (score[i] if n > 1 else 0), n)
                if puzzle.faces == "rational" or value.denominator == 1:
                    self.shows[n].append((i, k, numbers.setdefault(value, len(numbers) + 1)))
        self.values = list(numbers)

    def solution(self, cells: Sequence[int], faces: Sequence[int]) -> Solution:
        """The solution, by the cells after each move and the values of the faces."""
        path = [self.cells[k] for k in cells[: cells.index(self.end) + 1]]
        return self.puzzle.solution(path, {f: self.values[v - 1] for f, v in enumerate(faces) if v})
