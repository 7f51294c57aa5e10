"""Random instances of Twenty Four Seven, and the candidates for their solutions."""

import random
from collections.abc import Iterator

from hypothesis import strategies as st

from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header
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
    """A filled grid of which two or three rows are to be found; perhaps with a column more.

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
    free = rng.sample(range(7), rng.choice([2, 2, 3]))
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
    if rng.random() < 0.1:
        side = rng.choice(list(Side))
        outside[side][rng.randrange(len(outside[side]))] = str(rng.choice([1, 5, 20, 21]))
    return header("twenty_four_seven") | {
        "windows": [[0, 0], [0, 1]] if twice else [[0, shift or 0]],
        "givens": "\n".join(" ".join(row) for row in given),
        "outside": {side.value: " ".join(words) for side, words in outside.items()},
    }


INSTANCES = twenty_four_sevens()


def candidates(puzzle: TwentyFourSeven) -> Iterator[Solution]:
    """Every way to fill the rows one by one with what fits the windows and the sums beside them."""
    lefts = [left for _, left in puzzle.windows]
    inside = slice(min(lefts), max(lefts) + 7)

    def fits(row: tuple[int, ...]) -> bool:
        filled, total = sum(map(bool, row)), sum(row)
        return (filled, total) == (4, 20) if len(row) == 7 else filled <= 4 and total <= 20

    def words(row: int, start: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
        if not all(fits(start[left : left + 7]) for left in lefts):
            return
        if len(start) == puzzle.width:
            total = puzzle.outside.get((Side.LEFT, row), 0)
            if total < 8 or sum(start) == total:
                yield start
            return
        given = puzzle.givens.get((row, len(start)))
        for value in range(8) if given is None else [given]:
            yield from words(row, (*start, value))

    ways = [list(words(row)) for row in range(7)]
    order = sorted(range(7), key=lambda row: len(ways[row]))
    # The last row has in the window what the others leave to the sums of the columns.
    last: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for word in ways[order[-1]]:
        last.setdefault(word[inside], []).append(word)

    def fill(chosen: dict[int, tuple[int, ...]]) -> Iterator[Solution]:
        columns = list(zip(*chosen.values(), strict=True))[inside]
        if any(sum(column) > 20 or sum(map(bool, column)) > 4 for column in columns):
            return
        row = order[len(chosen)]
        if len(chosen) < 6:
            for word in ways[row]:
                yield from fill(chosen | {row: word})
            return
        rest = tuple(20 - sum(column) for column in columns)
        for word in last.get(rest, ()):
            rows = chosen | {row: word}
            yield [list(rows[r]) for r in range(7)]

    return fill({})
