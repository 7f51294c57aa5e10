"""Random instances of Twenty Four Seven, and the candidates for their solutions."""

import random
from collections.abc import Iterator
from itertools import chain

from hypothesis import strategies as st

from models.shared.grid import Cell
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in
from models.shared.sides import Side, line_from
from models.twenty_four_seven.puzzle import TwentyFourSeven

FILLED = (
    "0060716 0440606 0607502 4500056 7033070 4007270 5573000",
    "0003476 0676010 3507050 7000472 6250007 4050605 0734600",
    "0765200 4500470 4003067 5207006 0055703 0030764 7660010",
)
"""Grids that obey the rules."""


@st.composite
def twenty_four_sevens(draw: st.DrawFn) -> Table:
    """A filled grid of which up to three rows are to be found, perhaps spoilt, perhaps with a column more.

    That is in no window, or in a second one that shares the other six columns with the first.
    """
    rows = [[int(symbol) for symbol in word] for word in draw(st.sampled_from(FILLED)).split()]
    rng = random.Random(draw(st.integers(0, 10**6)))
    shift = rng.choice((None, None, 0, 1))
    twice = False
    if rng.random() < 0.5:
        rows = [list(column) for column in zip(*rows, strict=True)]
    if shift is not None:
        # A column that is in no window; what it holds is told by sums, or by what is given.
        beside = rng.choice([None, *range(7)])
        for number, numbers in enumerate(rows):
            numbers.insert(7 * (1 - shift), rng.randint(1, 7) if number == beside else 0)
    elif twice := rng.random() < 0.4:
        # As the rows of both windows sum to 20, the last column is the first once more.
        rows = [[*row, row[0]] for row in rows]
    width = len(rows[0])
    given = [[str(value or ".") for value in row] for row in rows]
    free = rng.sample(range(7), draw(st.sampled_from([2, 1, 0, 2, 3])))
    for row in free:
        filled = [column for column in range(width) if rows[row][column]]
        kept = rng.sample(filled, 2 if len(free) == 3 else rng.choice([0, 1, 2]))
        for column in {*filled} - {*kept}:
            given[row][column] = "."
    share = rng.choice([0, 0.1, 0.5])
    outside: dict[Side, list[str]] = {side: ["."] * (width if side.on_columns else 7) for side in Side}
    for side in Side:
        for line in range(len(outside[side])):
            first = next((rows[r][c] for r, c in line_from(side, line, 7, width) if rows[r][c]), None)
            if first and rng.random() < share:
                outside[side][line] = str(first)
    if shift is not None:
        for line in range(7):
            if line not in free or rng.random() < 0.7:
                outside[Side.LEFT][line] = str(sum(rows[line]))
    if draw(one_in(8)):
        side = draw(st.sampled_from(list(Side)))
        outside[side][rng.randrange(len(outside[side]))] = draw(st.sampled_from(["1", "5", "20", "21", "49"]))
    if draw(one_in(4)):
        row, column = rng.choice([(r, c) for r in range(7) for c in range(width) if given[r][c] != "."])
        given[row][column] = str(rows[row][column] % 7 + 1)
    return header("twenty_four_seven") | {
        "windows": [[0, 0], [0, 1]] if twice else [[0, shift or 0]],
        "givens": "\n".join(" ".join(row) for row in given),
        "outside": {side.value: " ".join(words) for side, words in outside.items()},
    }


INSTANCES = twenty_four_sevens()


def candidates(puzzle: TwentyFourSeven) -> Iterator[Solution]:
    """Every filling in which the rows, columns and numbers of the windows are right, and sums outside."""
    # A line by its cells: how many of them are filled (None if that is free), and their sum.
    windows = [
        [[(top + row, left + column) for column in range(7)] for row in range(7)]
        for top, left in puzzle.windows
    ]
    lines: list[tuple[list[Cell], int | None, int]] = [
        (list(cells), 4, 20) for window in windows for cells in (*window, *zip(*window, strict=True))
    ]
    lines += [(cells, None, number) for cells, number in puzzle.seen if number > 7]
    lines_of = {cell: [line for line in lines if cell in line[0]] for cell in puzzle.cells}
    squares = [list(chain(*window)) for window in windows]
    windows_of = {cell: [square for square in squares if cell in square] for cell in puzzle.cells}
    # Rows of which much is given come first, as they leave less to the others.
    order = sorted(puzzle.cells, key=lambda cell: (-sum(row == cell[0] for row, _ in puzzle.givens), cell))
    values: dict[Cell, int] = {}

    def possible(cell: Cell) -> bool:
        """Whether the lines and windows of the cell that was filled last can still be completed."""
        for cells, filled, total in lines_of[cell]:
            held = [values[i] for i in cells if i in values]
            open_, rest = len(cells) - len(held), total - sum(held)
            numbers = (filled or len(cells)) - sum(map(bool, held))
            if not 0 <= rest <= 7 * min(open_, numbers) or (filled and not numbers <= min(open_, rest)):
                return False
        value = values[cell]
        return not value or all([values.get(i) for i in w].count(value) <= value for w in windows_of[cell])

    def fill() -> Iterator[Solution]:
        if len(values) == len(order):
            yield puzzle.solution(values.__getitem__)
            return
        cell = order[len(values)]
        for value in [puzzle.givens[cell]] if cell in puzzle.givens else range(8):
            values[cell] = value
            if possible(cell):
                yield from fill()
            del values[cell]

    return fill()
