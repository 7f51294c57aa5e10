"""Small random instances of Sudoku, and the candidates for their solutions."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations, product
from math import gcd

from hypothesis import strategies as st

from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header
from models.sudoku.puzzle import Sudoku

Rows = list[tuple[int, ...]]


@cache
def patterns(height: int, width: int) -> list[Rows]:
    """All grids of the digits 0..n-1, row by row."""
    n = height * width

    def below(rows: Rows) -> Iterator[Rows]:
        if len(rows) == n:
            yield rows
            return
        band = rows[len(rows) // height * height :]
        for row in permutations(range(n)):
            if all(a != b for above in rows for a, b in zip(above, row, strict=True)) and not any(
                {*above[left : left + width]} & {*row[left : left + width]}
                for above in band
                for left in range(0, n, width)
            ):
                yield from below([*rows, row])

    return list(below([]))


@st.composite
def sudokus(draw: st.DrawFn) -> Table:
    """A grid of 1 to 16 cells with clues of each kind, most of them from a solution."""
    height, width = draw(st.sampled_from([(1, 1), (1, 2), (1, 3), (3, 1), (2, 2), (2, 2), (2, 2), (2, 2)]))
    n = height * width
    digits = draw(st.permutations(range(draw(st.sampled_from([1, 1, 0])), 10)))[: n + draw(st.integers(0, 1))]
    used = draw(st.permutations(digits))[:n]
    rows = [[used[k] for k in row] for row in draw(st.sampled_from(patterns(height, width)))]
    rng = random.Random(draw(st.integers(0, 10**6)))
    cells = list(product(range(n), repeat=2))

    def beside(row: int, column: int, steps: int) -> list[int]:
        ends = ((row - steps, column), (row + steps, column), (row, column - steps), (row, column + steps))
        return [rows[r][c] for r, c in {*ends} if (r, c) in cells]

    givens, remote, product_ = ([["."] * n for _ in range(n)] for _ in range(3))
    for row, column in rng.sample(cells, rng.randint(0, n * n // 2)):
        givens[row][column] = str(rows[row][column])
    for row, column in rng.sample(cells, rng.choice([0, 1, n])):
        true = [steps for steps in digits if steps in beside(row, column, steps)]
        remote[row][column] = str(rng.choice(true * 40 + digits[:1])) if true else "."
    for row, column in rng.sample(cells, rng.choice([0, 1, n])):
        true = [a * b for a, b in combinations(beside(row, column, 1), 2)]
        product_[row][column] = str(rng.choice([*true * 40, 12])) if true else "."
    if rng.random() < 0.05:
        row, column = rng.choice(cells)
        givens[row][column] = str(rng.choice(digits))
    numbers = [int("".join(map(str, row))) for row in rows]
    divisor = rng.choice([None] * 5 + [1, 3, max(numbers)] + [gcd(*numbers)] * 5) or None
    table = header("sudoku") | {"box": [height, width], "digits": " ".join(map(str, digits))}
    for field, words in (("givens", givens), ("remote", remote), ("product", product_)):
        if any(word != "." for row in words for word in row):
            table[field] = "\n".join(" ".join(row) for row in words)
    return table | ({"row_divisor": divisor} if divisor else {})


INSTANCES = sudokus()


def candidates(puzzle: Sudoku) -> Iterator[Solution]:
    """Every grid of every choice of digits."""
    for used in combinations(puzzle.digits, puzzle.side):
        for rows in patterns(*puzzle.box):
            yield [[used[k] for k in row] for row in rows]
