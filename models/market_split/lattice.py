"""The integers that solve the equations of a Market Split: one solution, and a reduced basis of the others.

All integer solutions of A x = d are x = x0 + B y with integers y, where the columns of B are a basis of the
lattice of all z with A z = 0. The shorter its vectors, the fewer y leave all of x between 0 and 1. The
reduction of Lenstra, Lenstra and Lovasz (LLL) finds short ones, and x0 with them: Aardal, Hurkens, Lenstra,
Solving a system of linear Diophantine equations with lower and upper bounds on the variables, Mathematics of
Operations Research 25, 2000. With few customers this decides the puzzle: each y has one value left, or none.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, gcd
from operator import mul

import numpy as np

from models.market_split.puzzle import MarketSplit

Vector = list[int]


@dataclass(frozen=True)
class Lattice:
    """The integer solutions of the equations.

    Attributes:
        start: one of them, x0.
        basis: the vectors that are added to it, each so many times as y says.
        bounds: the least and the greatest of each y for which x can be between 0 and 1.
    """

    start: Vector
    basis: Sequence[Vector]
    bounds: Sequence[tuple[int, int]]


def integer_solutions(puzzle: MarketSplit) -> Lattice:
    """Returns the integer solutions of the equations; 2 for each customer if none is between 0 and 1."""
    n, equations = puzzle.size, [[*row, -total] for row, total in puzzle.equations]
    weight, heavier, wrong = 1_000, 1_000_000, rank_of(equations)
    while True:
        # A vector has x, how often it counts the totals, and what is wrong then: these are heavy.
        reduced = lll(
            [int(i == k) for i in range(n)] + [weight * (k == n)] + [heavier * row[k] for row in equations]
            for k in range(n + 1)
        )
        solving = [vector[: n + 1] for vector in reduced if not any(vector[n + 1 :])]
        factors = [vector[n] // weight for vector in solving if vector[n]]
        # If they are heavy enough, no more are wrong than must be, and at most one counts totals.
        if len(solving) == n + 1 - wrong and len(factors) <= 1:
            break
        weight, heavier = weight**2, heavier**2
    basis = [vector[:n] for vector in solving if not vector[n]]
    starts = [[factors[0] * value for value in vector[:n]] for vector in solving if vector[n]]
    bounds = bounds_of(starts[0], basis) if [*map(abs, factors)] == [1] else [(1, 0)]
    if any(least > greatest for least, greatest in bounds):
        return Lattice([2] * n, [], [])
    return Lattice(starts[0], basis, bounds)


def bounds_of(start: Vector, basis: Sequence[Vector]) -> list[tuple[int, int]]:
    """Returns bounds of each y for which `start` + y `basis` is between 0 and 1."""
    # y = (x - start) times the inverse of the basis, which is linear in x; the margin is for its errors.
    inverse = np.linalg.pinv(np.array(basis, dtype=float).reshape(len(basis), len(start)))
    middle, margin = np.array(start) @ inverse, 1e-6
    least = np.minimum(inverse, 0).sum(axis=0) - middle - margin
    most = np.maximum(inverse, 0).sum(axis=0) - middle + margin
    return [*zip(map(ceil, least), map(floor, most), strict=True)]


def rank_of(rows: Sequence[Vector]) -> int:
    """Returns how many of the rows are independent."""
    rows, rank = [*rows], 0
    for column in range(len(rows[0])):
        if pivot := next((row for row in rows if row[column]), None):
            rank += 1
            rows.remove(pivot)
            rows = [
                [pivot[column] * a - row[column] * b for a, b in zip(row, pivot, strict=True)] for row in rows
            ]
            rows = [[value // (gcd(*row) or 1) for value in row] for row in rows]
    return rank


def lll(basis: Iterable[Vector]) -> list[Vector]:
    """Returns an LLL-reduced basis of the same lattice, by integers alone.

    Cohen, A course in computational algebraic number theory, algorithm 2.6.7: d[k] is the determinant of
    the scalar products of the first k vectors; Gram and Schmidt's coefficients are scaled[k][j] / d[j + 1].
    """
    b = [*basis]
    d, scaled = [1] * (len(b) + 1), [[0] * len(b) for _ in b]
    for k, row in enumerate(scaled):
        for j in range(k + 1):
            row[j] = sum(map(mul, b[k], b[j]))
            for i in range(j):
                row[j] = (d[i + 1] * row[j] - row[i] * scaled[j][i]) // d[i]
        d[k + 1] = row[k]

    def reduce_by(k: int, j: int) -> None:
        """Takes vector j from vector k as often as makes that shortest."""
        times = (2 * scaled[k][j] + d[j + 1]) // (2 * d[j + 1])
        if times:
            b[k] = [x - times * y for x, y in zip(b[k], b[j], strict=True)]
            scaled[k][j] -= times * d[j + 1]
            for i in range(j):
                scaled[k][i] -= times * scaled[j][i]

    def swap(k: int) -> None:
        """Exchanges vector k with the one before it."""
        b[k], b[k - 1] = b[k - 1], b[k]
        for j in range(k - 1):
            scaled[k][j], scaled[k - 1][j] = scaled[k - 1][j], scaled[k][j]
        both = scaled[k][k - 1]
        changed = (d[k - 1] * d[k + 1] + both * both) // d[k]
        for row in scaled[k + 1 :]:
            before = row[k]
            row[k] = (d[k + 1] * row[k - 1] - both * before) // d[k]
            row[k - 1] = (changed * before + both * row[k]) // d[k + 1]
        d[k] = changed

    k = 1
    while k < len(b):
        reduce_by(k, k - 1)
        # Lovasz' condition, with 99/100.
        if 100 * (d[k + 1] * d[k - 1] + scaled[k][k - 1] ** 2) < 99 * d[k] ** 2:
            swap(k)
            k = max(1, k - 1)
        else:
            for j in range(k - 2, -1, -1):
                reduce_by(k, j)
            k += 1
    return b
