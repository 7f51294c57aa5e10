"""Cross Sums as an integer program without an objective.

Each open cell holds a digit, and an entry has its clue as its sum or its product; or a digit or its negative,
and an entry has its clue as its sum, no digit is twice in a row or column of the grid, and one value in each
is negative.

Let V be what a cell may hold, 1..9 and with the rule `signed_sum` also -9..-1; L the rows and columns of the
grid with this rule, empty with the other; E the entries, clue(e) the clue of entry e.

`multisets`: let M(e) be the multisets of values that fit the clue of entry e, count(m, v) how often m has v,
  and D(i) the values that some multiset of each entry of cell i has (entries.py). The binary variable
  holds[i][v] is 1 if cell i holds v, takes[e, m] if entry e holds the multiset m.
    sum of holds[i][v] over v in D(i)  = 1                             for each cell i
    sum of takes[e, m] over m in M(e)  = 1                             for each e in E
    sum of holds[i][v] over i in e  = sum of count(m, v) * takes[e, m] over m    for each e in E and v in V
    sum of holds[i][d] + holds[i][-d] over i in l  <= 1                for each l in L and d = 1..9
    sum of holds[i][v] over i in l and v < 0  = 1                      for each l in L

`literals`: binary variables holds[i][v], and by_product[e], 1 if clue(e) is the product of e. Let n(e) be the
  number of cells of e, and exponent(p, n) how often the prime p divides n: a product of digits is clue(e)
  exactly if these are equal for p = 2, 3, 5, 7 (and no other prime divides it). No exponent of a digit is
  greater than b(p). For each e, S is the sum of v * holds[i][v] over i in e and v in V, and T(p) that of
  exponent(p, v) * holds[i][v].
    sum of holds[i][v] over v in V  = 1                                for each cell i
    S = clue(e)                                                        for each e whose clue is no product
  and for each other e:
    clue(e) - (clue(e) - n(e)) * by_product[e] <= S <= clue(e) + (9 * n(e) - clue(e)) * by_product[e]
    exponent(p, clue(e)) * by_product[e] <= T(p)                       for p = 2, 3, 5, 7
    T(p) <= b(p) * n(e) - (b(p) * n(e) - exponent(p, clue(e))) * by_product[e]    for p = 2, 3, 5, 7
  where by_product[e] = 1 takes the place of the bounds of S if clue(e) > 9 * n(e) or clue(e) < n(e).
  The rules for L are those of `multisets`.

Constraints: set partitioning, set packing, linear
"""

import pulp

from models.cross_sums.entries import (
    PRIMES,
    domains,
    exponent,
    fitting_multisets,
    may_be_product,
    may_be_sum,
    signed_lines,
    values,
)
from models.cross_sums.puzzle import DIGITS, CrossSums
from models.shared.grid import Cell
from models.shared.milp import total
from models.shared.model import Model, by_name, from_literals

Holds = dict[Cell, dict[int, pulp.LpVariable]]


def multisets(puzzle: CrossSums) -> Model:
    """Each entry holds one of the multisets that fit its clue."""
    problem, holds = _signed_lines(puzzle, domains(puzzle))

    for number, entry in enumerate(puzzle.across + puzzle.down):
        # An entry holds one of the multisets that fit its clue.
        takes = {
            m: problem.add_variable(f"takes_{number}_{option}", cat=pulp.LpBinary)
            for option, m in enumerate(fitting_multisets(puzzle.rule, entry))
        }
        problem += total(takes.values()) == 1
        for v in values(puzzle.rule):
            terms = [(holds[i][v], 1) for i in entry.cells if v in holds[i]]
            terms += [(variable, -m.count(v)) for m, variable in takes.items() if v in m]
            problem += pulp.LpAffineExpression(terms) == 0

    return Model(problem, from_literals(puzzle, holds), decisions=_literals(holds))


def literals(puzzle: CrossSums) -> Model:
    """Sums of values, and sums of the exponents of their primes."""
    problem, holds = _signed_lines(puzzle, dict.fromkeys(puzzle.cells, values(puzzle.rule)))

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


def _signed_lines(puzzle: CrossSums, domain: dict[Cell, list[int]]) -> tuple[pulp.LpProblem, Holds]:
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
