"""Small random instances of Sudoku, and the candidates for their solutions."""

import random
from collections.abc import Iterator
from itertools import combinations, product
from math import gcd

from hypothesis import strategies as st

from models.shared.grid import Cell
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in
from models.sudoku.puzzle import Sudoku

BOXES = ((1, 1), (1, 2), (3, 1), (1, 3), (2, 2), (2, 2), (2, 2), (4, 1), (1, 5), (2, 3), (3, 2))


@st.composite
def sudokus(draw: st.DrawFn) -> Table:
    """A grid of 1 to 36 cells with clues of each kind from a solution, one of them perhaps spoilt."""
    height, width = draw(st.sampled_from(BOXES))
    n = height * width
    digits = draw(st.permutations(range(draw(st.sampled_from([1, 1, 0])), 10)))
    digits = digits[: n + (n < 5 and draw(st.integers(0, 2)))]
    if draw(one_in(8)):
        digits[0] = draw(st.sampled_from([10, 9999]))
    used = draw(st.permutations(digits))[:n]
    rng = random.Random(draw(st.integers(0, 10**6)))
    # Rows of a band may change places, and so may columns of a stack.
    down, across = (
        [start + k for start in range(0, n, size) for k in rng.sample(range(size), size)]
        for size in (height, width)
    )
    rows = [[used[(width * (r % height) + r // height + c) % n] for c in across] for r in down]
    cells = list(product(range(n), repeat=2))

    def beside(row: int, column: int, steps: int) -> list[int]:
        ends = ((row - steps, column), (row + steps, column), (row, column - steps), (row, column + steps))
        return [rows[r][c] for r, c in {*ends} if (r, c) in cells]

    givens, remote, product_ = ([["."] * n for _ in range(n)] for _ in range(3))
    # Of a large grid most is given, so that there are few candidates.
    fewest = max(0, n * n - 16)
    for row, column in rng.sample(cells, rng.randint(fewest, max(fewest, n * n // 2))):
        givens[row][column] = str(rows[row][column])
    for row, column in rng.sample(cells, rng.choice([0, 1, n])):
        true = [steps for steps in digits if steps in beside(row, column, steps)]
        remote[row][column] = str(rng.choice(true)) if true else "."
    for row, column in rng.sample(cells, rng.choice([0, 1, n])):
        true = [a * b for a, b in combinations(beside(row, column, 1), 2)]
        product_[row][column] = str(rng.choice(true)) if true else "."
    table = header("sudoku") | {"box": [height, width], "digits": " ".join(map(str, digits))}
    if max(digits) < 10 and draw(st.booleans()):
        numbers = [int("".join(map(str, row))) for row in rows]
        table["row_divisor"] = draw(st.sampled_from([gcd(*numbers) or 1, 1, 3, max(*numbers, 1)]))
    if draw(one_in(3)):
        spoilt = ((givens, str(digits[0])), (remote, str(digits[-1])), (product_, "12"), (product_, "0"))
        field, word = draw(st.sampled_from(spoilt))
        row, column = draw(st.sampled_from(cells))
        field[row][column] = word
    for name, words in (("givens", givens), ("remote", remote), ("product", product_)):
        if any(word != "." for row in words for word in row):
            table[name] = "\n".join(" ".join(row) for row in words)
    return table


INSTANCES = sudokus()


def candidates(puzzle: Sudoku) -> Iterator[Solution]:
    """Every grid of every choice of digits in which rows, columns and boxes are right and givens stand."""
    height, width = puzzle.box

    def fill(used: tuple[int, ...], grid: dict[Cell, int]) -> Iterator[Solution]:
        if len(grid) == puzzle.size:
            yield puzzle.solution(grid.__getitem__)
            return
        row, column = cell = divmod(len(grid), puzzle.side)
        taken = {
            digit
            for (r, c), digit in grid.items()
            if r == row or c == column or (r // height, c // width) == (row // height, column // width)
        }
        for digit in [puzzle.givens[cell]] if cell in puzzle.givens else used:
            if digit in used and digit not in taken:
                yield from fill(used, grid | {cell: digit})

    for used in combinations(puzzle.digits, puzzle.side):
        if {*puzzle.givens.values()} <= {*used}:
            yield from fill(used, {})
