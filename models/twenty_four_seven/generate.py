"""Twenty Four Seven: a chain of windows, filled at random.

The windows stand side by side, each two of them share two columns. The hand search, with a random seed, fills
the grid; that gives up soon and starts again, as most fillings are found soon or not at all. Each filled cell
may be given, and each end of a row or column may have a clue: the first number, or, of a row that is longer
than a window, the sum.
"""

from collections.abc import Collection, Sequence
from random import Random

from models.shared.generator import Clue, Planted, Table, document, one_changed
from models.shared.givens import givens, givens_text
from models.shared.partly_filled import EMPTY
from models.shared.puzzle import Solution
from models.shared.search import LimitedTally, Undecided
from models.shared.sides import Side, line_from
from models.twenty_four_seven.backtrack import propagation
from models.twenty_four_seven.puzzle import NUMBERS, WINDOW, TwentyFourSeven, parse

SIZE = "windows in a chain"

SHARED_COLUMNS = 2  # of two neighbouring windows
RESTARTS = 100  # of the filling of a grid
FILLING = 300  # branches at most when it is filled, for each window


def plant(size: int, rng: Random) -> Planted | None:
    """A filled chain; None if it was not filled within the limits."""
    if size < 1:
        raise ValueError("the chain needs a window")
    step = WINDOW - SHARED_COLUMNS
    windows = [[0, step * number] for number in range(size)]
    puzzle = TwentyFourSeven(WINDOW, WINDOW + windows[-1][1], {}, tuple((r, c) for r, c in windows), {})
    solution = filled(puzzle, rng)
    if solution is None:
        return None
    ends = [
        (side, line) for side in Side for line in range(puzzle.width if side.on_columns else puzzle.height)
    ]
    outside = {}
    for side, line in ends:
        seen = [solution[r][c] for r, c in line_from(side, line, puzzle.height, puzzle.width)]
        sums = [sum(seen)] if len(seen) > WINDOW else []
        outside[side, line] = rng.choice([next(filter(None, seen)), *sums])
    given = [(cell, number) for cell, number in givens(solution) if number != EMPTY]

    def table(clues: Collection[Clue]) -> Table:
        told = dict(clues)
        words = {end: str(told.get(end, ".")) for end in ends}
        return {
            "windows": windows,
            "givens": givens_text(solution, [clue for clue in clues if clue[0] not in words]),
            "outside": {
                side.value: " ".join(word for end, word in words.items() if end[0] == side) for side in Side
            },
        }

    return Planted(solution, [[*given, *outside.items()]], table)


def filled(puzzle: TwentyFourSeven, rng: Random) -> Solution | None:
    """A random solution of a puzzle; None if none is found."""
    limit = FILLING * len(puzzle.windows)
    for _ in range(RESTARTS):
        try:
            return next(propagation(puzzle, LimitedTally(rng.randrange(2, 1 << 31), limit)))
        except Undecided:
            continue
    return None


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """One clue has another number; None if that is true, as the first one in place of a sum may be."""
    spoilt = one_changed(clues, NUMBERS, rng)
    return spoilt if spoilt and parse(document(planted.table(spoilt))).check(planted.solution) else None
