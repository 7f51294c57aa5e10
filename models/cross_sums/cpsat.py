"""Cross Sums for CP-SAT.

Each open cell holds a digit, and an entry has its clue as its sum or its product; or a digit or its negative,
and an entry has its clue as its sum, no digit is twice in a row or column of the grid, and one value in each
is negative.

Let V be what a cell may hold, 1..9 and with the rule `signed_sum` also -9..-1; L the rows and columns of the
grid with this rule, empty with the other; E the entries; n(e) the length of entry e, and clue(e) its clue.

`multisets`: let M(e) be the multisets of values that fit entry e, with the rule `sum_or_product` only those
  with the product clue(e) and another sum, since those with the sum clue(e) are many and exclude little;
  count(m, v) how often m has v, sum(m) the sum of m, and D(i) the values that fit each entry of cell i
  (entries.py). Literals holds[i][v], true if cell i holds v, has[e, m], true if entry e holds the multiset m,
  and by_sum[e], true if it holds none of them, for each e with that rule whose digits can sum to clue(e).
    exactly one v in D(i) with holds[i][v]                             for each cell i
    exactly one of by_sum[e] and has[e, m], m in M(e)                  for each e in E
    sum of v * holds[i][v] over i in e and v  = clue(e) * by_sum[e] + sum of sum(m) * has[e, m] over m
                                                                       for each e in E with by_sum[e]
    0 <= sum of holds[i][v] over i in e  - sum of count(m, v) * has[e, m] over m  <= n(e) * by_sum[e]
                                                                       for each e in E and v in V
    at most one of holds[i][d], holds[i][-d] over i in l               for each l in L and d = 1..9
    exactly one of holds[i][v] over i in l and v < 0                   for each l in L

`integers`: integers x[i] in V, the value of cell i, and digit[i], its absolute value; literals negative[i];
  literals by_product[e], true if clue(e) is the product of e and not the sum, integers factor[i, e] in 1..9,
  and part[e, k] in 1..min(clue(e), 9^k), the product of the first k factors, for each e that can have the
  product clue(e) and another sum.
    digit[i] = |x[i]|,  negative[i] <=> x[i] < 0                       for each cell i in a line of L
    all different digit[i] over i in l                                 for each l in L
    exactly one i in l with negative[i]                                for each l in L
    sum of x[i] over i in e  = clue(e)                                 for each e without by_product[e]
  and for each other e:
    by_product[e] <=> sum of x[i] over i in e  != clue(e)
    by_product[e] => factor[i, e] = x[i],  otherwise factor[i, e] = 1  for each i in e
    part[e, 0] = 1,  part[e, k] = part[e, k-1] * factor[i, e]          for the k-th cell i of e
    by_product[e] => part[e, n(e)] = clue(e)

`literals`: literals holds[i][v] and by_product[e]. Let exponent(p, n) be how often the prime p divides n: a
  product of digits is clue(e) exactly if these are equal for p = 2, 3, 5, 7 (and no other prime divides it).
    exactly one v in V with holds[i][v]                                for each cell i
    sum of v * holds[i][v] over i in e and v in V  = clue(e)           for each e without by_product[e]
  and for each other e:
    by_product[e] <=> sum of v * holds[i][v] over i in e and v in V  != clue(e)
    by_product[e] => sum of exponent(p, v) * holds[i][v] over i in e and v  = exponent(p, clue(e))
                                                                       for p = 2, 3, 5, 7
  The rules for L are those of `multisets`.

Constraints: exactly one, at most one, linear; half-reified linear (`integers`, `literals`); absolute value,
all different, product (`integers`)
"""

from itertools import pairwise

from ortools.sat.python import cp_model

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
from models.shared.model import Model, by_name, from_integers, from_literals

Literals = dict[Cell, dict[int, cp_model.IntVar]]


def multisets(puzzle: CrossSums) -> Model:
    """Each entry holds one of the multisets that fit its clue."""
    model, holds = _cells_and_lines(puzzle, values_by_cell(puzzle))

    for number, entry in enumerate(puzzle.across + puzzle.down):
        # An entry sums to its clue, or holds one of the other multisets that fit.
        has = {m: model.new_bool_var(f"entry {number} has {m}") for m in entry_multisets(puzzle.rule, entry)}
        by_sum = [model.new_bool_var(f"entry {number} by sum")] if may_be_sum(puzzle.rule, entry) else []
        model.add_exactly_one([*by_sum, *has.values()])

        # The sum of its values is the clue, or that of the multiset.
        for literal in by_sum:
            total = sum(v * holds[i][v] for i in entry.cells for v in holds[i])
            model.add(total == entry.clue * literal + sum(sum(m) * held for m, held in has.items()))

        # It has each value as often as the multiset, or without one as often as it likes.
        for v in values(puzzle.rule):
            times = sum(m.count(v) * held for m, held in has.items() if v in m)
            there = sum(holds[i][v] for i in entry.cells if v in holds[i])
            model.add(there >= times)
            model.add(there <= times + len(entry.cells) * sum(by_sum))

    return Model(model, from_literals(puzzle, holds))


def integers(puzzle: CrossSums) -> Model:
    """Integers with sums, products and different absolute values."""
    model = cp_model.CpModel()
    domain = cp_model.Domain.from_values(values(puzzle.rule))
    x = {i: model.new_int_var_from_domain(domain, f"x{i}") for i in puzzle.cells}
    digit, negative = {}, {}

    lines = signed_lines(puzzle)
    for i in puzzle.cells if lines else []:
        # The absolute value of a cell, and whether its value is negative.
        digit[i] = model.new_int_var(DIGITS[0], DIGITS[-1], f"digit{i}")
        model.add_abs_equality(digit[i], x[i])
        negative[i] = model.new_bool_var(f"{i} negative")
        model.add(x[i] < 0).only_enforce_if(negative[i])
        model.add(x[i] > 0).only_enforce_if(~negative[i])

    for line in lines:
        # No digit is twice in a row or column.
        model.add_all_different(digit[i] for i in line)

        # One value in it is negative.
        model.add_exactly_one(negative[i] for i in line)

    for number, entry in enumerate(puzzle.across + puzzle.down):
        total = sum(x[i] for i in entry.cells)
        if not may_be_product(puzzle.rule, entry):
            # The clue is the sum of the entry.
            model.add(total == entry.clue)
            continue

        # The clue is the sum of the entry, or else its product.
        by_product = model.new_bool_var(f"entry {number} by product")
        model.add(total == entry.clue).only_enforce_if(~by_product)
        model.add(total != entry.clue).only_enforce_if(by_product)

        # The product of the first cells is never greater than the clue.
        factor = {i: model.new_int_var(1, DIGITS[-1], f"factor {i}") for i in entry.cells}
        most = [min(entry.clue, DIGITS[-1] ** k) for k in range(len(entry.cells) + 1)]
        part = [model.new_int_var(1, bound, f"part {k}") for k, bound in enumerate(most)]
        for i, (before, after) in zip(entry.cells, pairwise(part), strict=True):
            model.add(factor[i] == x[i]).only_enforce_if(by_product)
            model.add(factor[i] == 1).only_enforce_if(~by_product)
            model.add_multiplication_equality(after, [before, factor[i]])
        model.add(part[-1] == entry.clue).only_enforce_if(by_product)

    return Model(model, from_integers(puzzle, x))


def literals(puzzle: CrossSums) -> Model:
    """Sums of values, and sums of the exponents of their primes."""
    model, holds = _cells_and_lines(puzzle, dict.fromkeys(puzzle.cells, values(puzzle.rule)))

    for number, entry in enumerate(puzzle.across + puzzle.down):
        terms = [(v, literal) for i in entry.cells for v, literal in holds[i].items()]
        total = sum(v * literal for v, literal in terms)
        if not may_be_product(puzzle.rule, entry):
            # The clue is the sum of the entry.
            model.add(total == entry.clue)
            continue

        # The clue is the sum of the entry, or else its product.
        by_product = model.new_bool_var(f"entry {number} by product")
        model.add(total == entry.clue).only_enforce_if(~by_product)
        model.add(total != entry.clue).only_enforce_if(by_product)

        # The exponents of its primes are the sums of those in the digits.
        for p in PRIMES:
            times = sum(exponent(p, v) * literal for v, literal in terms)
            model.add(times == exponent(p, entry.clue)).only_enforce_if(by_product)

    return Model(model, from_literals(puzzle, holds))


def _cells_and_lines(puzzle: CrossSums, domain: dict[Cell, list[int]]) -> tuple[cp_model.CpModel, Literals]:
    """The constraints on cells and lines, which formulations share, and holds."""
    model = cp_model.CpModel()
    holds = {i: {v: model.new_bool_var(f"{i} is {v}") for v in domain[i]} for i in puzzle.cells}

    # Each cell holds one value.
    for i in puzzle.cells:
        model.add_exactly_one(holds[i].values())

    for line in signed_lines(puzzle):
        # No digit is twice in a row or column.
        for d in DIGITS:
            model.add_at_most_one(holds[i][v] for i in line for v in (d, -d) if v in holds[i])

        # One value in it is negative.
        model.add_exactly_one(holds[i][v] for i in line for v in holds[i] if v < 0)

    return model, holds


FORMULATIONS = by_name(multisets, integers, literals)
