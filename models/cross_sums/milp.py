"""Cross Sums as an integer program without an objective.

Each open cell holds a digit, and an entry has its clue as its sum or its product; or a digit or its negative,
and an entry has its clue as its sum, no digit is twice in a row or column of the grid, and one value in each
is negative.

Let V be what a cell may hold, 1..9 and with the rule `signed_sum` also -9..-1; L the rows and columns of the
grid with this rule, empty with the other; E the entries; n(e) the length of entry e, and clue(e) its clue.

`multisets`: let M(e) be the multisets of values that fit entry e, with the rule `sum_or_product` only those
  with the product clue(e) and another sum, since those with the sum clue(e) are many and exclude little;
  count(m, v) how often m has v, sum(m) the sum of m, and D(i) the values that fit each entry of cell i
  (entries.py). The binary variable holds[i][v] is 1 if cell i holds v, has[e, m] if entry e holds the
  multiset m, and by_sum[e] if it holds none of them, for each e with that rule whose digits can have the sum
  clue(e).
    sum of holds[i][v] over v in D(i)  = 1                             for each cell i
    by_sum[e] + sum of has[e, m] over m in M(e)  = 1                   for each e in E
    sum of v * holds[i][v] over i in e and v  = clue(e) * by_sum[e] + sum of sum(m) * has[e, m] over m
                                                                       for each e in E with by_sum[e]
    0 <= sum of holds[i][v] over i in e  - sum of count(m, v) * has[e, m] over m  <= n(e) * by_sum[e]
                                                                       for each e in E and v in V
    sum of holds[i][d] + holds[i][-d] over i in l  <= 1                for each l in L and d = 1..9
    sum of holds[i][v] over i in l and v < 0  = 1                      for each l in L

`literals`: binary variables holds[i][v], and by_product[e], for each e that can have the product clue(e) and
  another sum: with 0 clue(e) is the sum of e, with 1 it is the product. Let exponent(p, n) be how often the
  prime p divides n, and most(p) the greatest for digits: a product of digits is clue(e) exactly if these are
  equal for p = 2, 3, 5, 7 (and no other prime divides it). S(e) stands for the sum of v * holds[i][v] over i
  in e and v in V, T(p, e) for that of exponent(p, v) * holds[i][v].
    sum of holds[i][v] over v in V  = 1                                for each cell i
    S(e) = clue(e)                                                     for each e without by_product[e]
  and for each other e, with by_product[e] = 1 in place of the first if clue(e) is not from n(e) to 9 * n(e):
    (n(e) - clue(e)) * by_product[e] <= S(e) - clue(e) <= (9 * n(e) - clue(e)) * by_product[e]
    exponent(p, clue(e)) * by_product[e] <= T(p, e)                    for p = 2, 3, 5, 7
    T(p, e) <= most(p) * n(e) - (most(p) * n(e) - exponent(p, clue(e))) * by_product[e]    for p = 2, 3, 5, 7
  The rules for L are those of `multisets`.

Constraints: set partitioning, set packing, linear
"""

import pulp

from models.cross_sums.entries import (
    PRIMES,
    entry_multisets,
    exponent,
    may_be_product,
    may_be_sum,
    signed_lines,
    values,
    values_by_cell,
)
from models.cross_sums.puzzle import DIGITS, CrossSums
from models.shared.grid import Cell
from models.shared.milp import total
from models.shared.model import Model, by_name, from_literals

Holds = dict[Cell, dict[int, pulp.LpVariable]]


def multisets(puzzle: CrossSums) -> Model:
    """Each entry holds one of the multisets that fit its clue."""
    problem, holds = _cells_and_lines(puzzle, values_by_cell(puzzle))

    for number, entry in enumerate(puzzle.across + puzzle.down):
        # An entry sums to its clue, or holds one of the other multisets that fit.
        has = {
            m: problem.add_variable(f"has_{number}_{option}", cat=pulp.LpBinary)
            for option, m in enumerate(entry_multisets(puzzle.rule, entry))
        }
        by_sum = []
        if may_be_sum(puzzle.rule, entry):
            by_sum.append(problem.add_variable(f"by_sum_{number}", cat=pulp.LpBinary))
        problem += total([*by_sum, *has.values()]) == 1

        # The sum of its values is the clue, or that of the multiset.
        for variable in by_sum:
            terms = [(holds[i][v], v) for i in entry.cells for v in holds[i]]
            terms += [(variable, -entry.clue), *((held, -sum(m)) for m, held in has.items())]
            problem += pulp.LpAffineExpression(terms) == 0

        # It has each value as often as the multiset, or without one as often as it likes.
        for v in values(puzzle.rule):
            terms = [(holds[i][v], 1) for i in entry.cells if v in holds[i]]
            terms += [(held, -m.count(v)) for m, held in has.items() if v in m]
            problem += pulp.LpAffineExpression(terms) >= 0
            problem += pulp.LpAffineExpression(terms) <= len(entry.cells) * total(by_sum)

    return Model(problem, from_literals(puzzle, holds), decisions=_literals(holds))


def literals(puzzle: CrossSums) -> Model:
    """Sums of values, and sums of the exponents of their primes."""
    problem, holds = _cells_and_lines(puzzle, dict.fromkeys(puzzle.cells, values(puzzle.rule)))

    for number, entry in enumerate(puzzle.across + puzzle.down):
        terms = [(v, variable) for i in entry.cells for v, variable in holds[i].items()]
        values_sum = pulp.LpAffineExpression((variable, v) for v, variable in terms)
        if not may_be_product(puzzle.rule, entry):
            # The clue is the sum of the entry.
            problem += values_sum == entry.clue
            continue

        # The clue is the sum of the entry, or else its product.
        by_product = problem.add_variable(f"by_product_{number}", cat=pulp.LpBinary)
        if may_be_sum(puzzle.rule, entry):
            least, most = len(entry.cells) * DIGITS[0], len(entry.cells) * DIGITS[-1]
            problem += values_sum >= entry.clue - (entry.clue - least) * by_product
            problem += values_sum <= entry.clue + (most - entry.clue) * by_product
        else:
            problem += by_product == 1

        # The exponents of its primes are the sums of those in the digits.
        for p in PRIMES:
            times = pulp.LpAffineExpression((variable, exponent(p, v)) for v, variable in terms)
            known, most = exponent(p, entry.clue), len(entry.cells) * max(exponent(p, d) for d in DIGITS)
            problem += times >= known * by_product
            problem += times <= most - (most - known) * by_product

    return Model(problem, from_literals(puzzle, holds), decisions=_literals(holds))


def _cells_and_lines(puzzle: CrossSums, domain: dict[Cell, list[int]]) -> tuple[pulp.LpProblem, Holds]:
    """The constraints on cells and lines, which formulations share, and holds."""
    problem = pulp.LpProblem("cross_sums")
    problem += 0
    holds = {
        i: {v: problem.add_variable(f"holds_{i[0]}_{i[1]}_{_name(v)}", cat=pulp.LpBinary) for v in domain[i]}
        for i in puzzle.cells
    }

    # Each cell holds one value.
    for i in puzzle.cells:
        problem += total(holds[i].values()) == 1

    for line in signed_lines(puzzle):
        # No digit is twice in a row or column.
        for d in DIGITS:
            problem += total(holds[i][v] for i in line for v in (d, -d) if v in holds[i]) <= 1

        # One value in it is negative.
        problem += total(holds[i][v] for i in line for v in holds[i] if v < 0) == 1

    return problem, holds


def _name(value: int) -> str:
    return f"minus_{-value}" if value < 0 else str(value)


def _literals(holds: Holds) -> list[pulp.LpVariable]:
    return [variable for cell in holds.values() for variable in cell.values()]


FORMULATIONS = by_name(multisets, literals)
