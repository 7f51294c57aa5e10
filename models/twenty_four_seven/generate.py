"""Twenty Four Seven: a chain of windows, filled at random, with few of its clues.

The windows stand side by side, each two of them share two columns. The hand search, with a random seed, fills
the grid; that gives up soon and starts again, as most fillings are found soon or not at all. At first every
filled cell is given, and every row and column has a clue at both ends. Then clues are deleted one by one, in
random order, as long as the hand search proves within a limit of branches that there is one solution.
`hardness` is the share of the clues whose deletion is tried.

A draft of the hard kind keeps each clue outside with the probability 1 - `hardness` * MISSING, and each
filled cell with 1 - `hardness`. Nothing is proved.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from models.shared.generator import Draft, document
from models.shared.grid import Cell, cells_of
from models.shared.partly_filled import EMPTY
from models.shared.puzzle import Solution
from models.shared.second_solution import LimitedTally, Undecided, is_only_solution
from models.shared.sides import Side, line_from
from models.twenty_four_seven.backtrack import propagation
from models.twenty_four_seven.puzzle import NUMBERS, WINDOW, TwentyFourSeven, parse

SIZE = "windows in a chain"

SHARED_COLUMNS = 2  # of two neighbouring windows
RESTARTS = 100  # of the filling of a grid
FILLING = 300  # branches at most when it is filled, for each window
PROOF = 200  # branches at most in the proof that there is one solution, for each window

MISSING = 0.3
"""The largest share of clues outside that the hard kind lacks: with all of them CP-SAT solves 16 windows."""

Place = Cell | tuple[Side, int]
"""A cell, or an end of a row or column."""

Clues = Mapping[Place, int]
"""The numbers of the cells that are given and of the clues outside."""


def draft(size: int, hardness: float, rng: Random) -> Draft | None:
    """Returns a filled chain with exactly one solution; None if it was not filled within the limits."""
    puzzle, solution = filled(size, rng)
    if solution is None:
        return None
    clues = {place: rng.choice(numbers) for place, numbers in true_clues(puzzle, solution)}
    places = list(clues)
    rng.shuffle(places)
    for place in places:
        if rng.random() < hardness:
            fewer = {other: number for other, number in clues.items() if other != place}
            search = partial(propagation, with_clues(puzzle, fewer))
            if is_only_solution(search, solution, PROOF * size):
                clues = fewer
    return Draft(as_table(with_clues(puzzle, clues)), solution)


def hard_draft(size: int, hardness: float, rng: Random) -> Draft | None:
    """Returns a filled chain with most clues outside; None if it was not filled within the limits."""
    puzzle, solution = filled(size, rng)
    if solution is None:
        return None
    clues = {
        place: rng.choice(numbers)
        for place, numbers in true_clues(puzzle, solution)
        if rng.random() >= hardness * (MISSING if isinstance(place[0], Side) else 1)
    }
    return Draft(as_table(with_clues(puzzle, clues)), solution)


def filled(size: int, rng: Random) -> tuple[TwentyFourSeven, Solution | None]:
    """A chain without clues, and a random solution, None if none is found; ValueError if it has no window."""
    if size < 1:
        raise ValueError("the chain needs a window")
    step = WINDOW - SHARED_COLUMNS
    windows = tuple((0, step * number) for number in range(size))
    puzzle = TwentyFourSeven(WINDOW, WINDOW + step * (size - 1), {}, windows, {})
    for _ in range(RESTARTS):
        try:
            return puzzle, next(propagation(puzzle, LimitedTally(rng.randrange(2, 1 << 31), FILLING * size)))
        except Undecided:
            continue
    return puzzle, None


def true_clues(puzzle: TwentyFourSeven, solution: Solution) -> Iterator[tuple[Place, list[int]]]:
    """Yields each filled cell and each end of a line, with the numbers that it could show."""
    for row, column in cells_of(solution):
        if solution[row][column] != EMPTY:
            yield (row, column), [solution[row][column]]
    for side in Side:
        for line in range(puzzle.width if side.on_columns else puzzle.height):
            seen = [solution[r][c] for r, c in line_from(side, line, puzzle.height, puzzle.width)]
            yield (side, line), [next(filter(None, seen)), *([sum(seen)] if len(seen) > WINDOW else [])]


def with_clues(puzzle: TwentyFourSeven, clues: Clues) -> TwentyFourSeven:
    """Returns the puzzle with these clues instead of its own."""
    outside = {(side, line): number for (side, line), number in clues.items() if isinstance(side, Side)}
    givens = {(r, c): number for (r, c), number in clues.items() if not isinstance(r, Side)}
    return replace(puzzle, givens=givens, outside=outside)


def as_table(puzzle: TwentyFourSeven) -> dict[str, Any]:
    """Returns the puzzle's keys of an instance file."""
    rows = map(" ".join, puzzle.solution(lambda i: str(puzzle.givens.get(i, "."))))
    outside = {
        side.value: " ".join(str(puzzle.outside.get((side, line), ".")) for line in range(length))
        for side in Side
        for length in [puzzle.width if side.on_columns else puzzle.height]
        if any((side, line) in puzzle.outside for line in range(length))
    }
    windows = [list(corner) for corner in puzzle.windows]
    return {"windows": windows, "givens": "\n".join(rows) + "\n"} | ({"outside": outside} if outside else {})


def read(draft: Draft) -> tuple[TwentyFourSeven, Clues]:
    """Returns the puzzle of a draft, and its clues."""
    puzzle = parse(document(draft.table))
    clues: list[tuple[Place, int]] = [*puzzle.givens.items(), *puzzle.outside.items()]
    return puzzle, dict(clues)


def narrow(draft: Draft, other: Solution, rng: Random) -> Draft | None:
    """Returns the draft with one more cell given, or one more clue outside."""
    puzzle, clues = read(draft)
    more = [
        (place, number)
        for place, numbers in true_clues(puzzle, draft.solution)
        for number in numbers
        if place not in clues and with_clues(puzzle, {place: number}).check(other)
    ]
    if not more:
        return None
    place, number = rng.choice(more)
    return Draft(as_table(with_clues(puzzle, {**clues, place: number})), draft.solution)


def spoil(draft: Draft, rng: Random) -> Draft | None:
    """Returns the draft with another number in a cell that is given, or outside; None without any clue."""
    puzzle, clues = read(draft)
    if not clues:
        return None
    place = rng.choice(list(clues))
    number = rng.choice([number for number in NUMBERS if number != clues[place]])
    return Draft(as_table(with_clues(puzzle, {**clues, place: number})), draft.solution)
