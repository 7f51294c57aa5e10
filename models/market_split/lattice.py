"""The integers that solve the equations of a Market Split: one solution, and a reduced basis of the others.

All integer solutions of A x = d are x = x0 + B y with integers y, where the columns of B are a basis of the
lattice of all z with A z = 0. The shorter its vectors, the fewer y leave all of x between 0 and 1. The
reduction of Lenstra, Lenstra and Lovasz (LLL) finds short ones, and x0 with them: Aardal, Hurkens, Lenstra,
Solving a system of linear Diophantine equations with lower and upper bounds on the variables, Mathematics of
Operations Research 25, 2000.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from operator import mul

import numpy as np

from models.market_split.puzzle import MarketSplit

Vector = list[int]

MARGIN = 1e-6
"""What a bound may be exceeded by before it is rounded: far more than the error of floating-point numbers."""


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
    rank = np.linalg.matrix_rank(equations)
    weight = 1_000
    while True:
        # A vector has x, a heavy factor of the totals, and what is wrong in each equation, which is heavier.
        vectors = []
        for k in range(n + 1):
            x = [int(i == k) for i in range(n)]
            vectors.append([*x, weight * (k == n), *(weight**2 * row[k] for row in equations)])
        reduced = lll(vectors)
        solving = [vector[: n + 1] for vector in reduced if not any(vector[n + 1 :])]
        factors = [vector[n] // weight for vector in solving if vector[n]]
        # Of the vectors as many are wrong as there are independent equations, and one has a factor.
        if len(solving) == n + 1 - rank and len(factors) <= 1:
            break
        weight **= 2
    basis = [vector[:n] for vector in solving if not vector[n]]
    starts = [[factors[0] * value for value in vector[:n]] for vector in solving if vector[n]]
    bounds = bounds_of(starts[0], basis) if [*map(abs, factors)] == [1] else [(1, 0)]
    if any(least > greatest for least, greatest in bounds):
        return Lattice([2] * n, [], [])
    return Lattice(starts[0], basis, bounds)


def bounds_of(start: Vector, basis: Sequence[Vector]) -> list[tuple[int, int]]:
    """Returns bounds of each y for which `start` + y `basis` is between 0 and 1."""
    # y = (x - start) times the inverse of the basis, which is linear in x.
    inverse = np.linalg.pinv(np.array(basis, dtype=float).reshape(len(basis), len(start)))
    least, most = np.minimum(inverse, 0).sum(axis=0), np.maximum(inverse, 0).sum(axis=0)
    middle = np.array(start) @ inverse
    return [
        (ceil(low - MARGIN), floor(high + MARGIN))
        for low, high in zip(least - middle, most - middle, strict=True)
    ]


def lll(basis: Sequence[Vector]) -> list[Vector]:
    """Returns an LLL-reduced basis of the same lattice, by integers alone.

    Cohen, A course in computational algebraic number theory, algorithm 2.6.7: d[k] is the determinant of
    the scalar products of the first k vectors; Gram and Schmidt's coefficients are scaled[k][j] / d[j + 1].
    """
    b, size = [*basis], len(basis)
    d, scaled = [1] + [0] * size, [[0] * size for _ in b]

    def shorten(k: int, j: int) -> None:
        """Takes vector j from vector k as often as makes that shortest."""
        times = (2 * scaled[k][j] + d[j + 1]) // (2 * d[j + 1])
        if times:
            b[k] = [x - times * y for x, y in zip(b[k], b[j], strict=True)]
            scaled[k][j] -= times * d[j + 1]
            for i in range(j):
                scaled[k][i] -= times * scaled[j][i]

    def swap(k: int, known: int) -> None:
        """Exchanges vector k with the one before it."""
        b[k], b[k - 1] = b[k - 1], b[k]
        for j in range(k - 1):
            scaled[k][j], scaled[k - 1][j] = scaled[k - 1][j], scaled[k][j]
        both = scaled[k][k - 1]
        changed = (d[k - 1] * d[k + 1] + both * both) // d[k]
        for row in scaled[k + 1 : known]:
            before = row[k]
            row[k] = (d[k + 1] * row[k - 1] - both * before) // d[k]
            row[k - 1] = (changed * before + both * row[k]) // d[k + 1]
        d[k] = changed

    k = known = 0
    while k < size:
        if k == known:
            known += 1
            for j in range(k + 1):
                product = sum(map(mul, b[k], b[j]))
                for i in range(j):
                    product = (d[i + 1] * product - scaled[k][i] * scaled[j][i]) // d[i]
                scaled[k][j] = product
            d[k + 1] = scaled[k][k]
        if k:
            shorten(k, k - 1)
        # Lovasz' condition, with 99/100.
        if k and 100 * (d[k + 1] * d[k - 1] + scaled[k][k - 1] ** 2) < 99 * d[k] ** 2:
            swap(k, known)
            k -= 1
        else:
            for j in range(k - 2, -1, -1):
                shorten(k, j)
            k += 1
    return b
