"""Cross Sums in CPMpy, for any of its solvers.

Each open cell holds a digit, and an entry has its clue as its sum or its product; or a digit or its negative,
and an entry has its clue as its sum, no digit is twice in a row or column of the grid, and one value in each
is negative.

Let V be what a cell may hold, 1..9 and with the rule `signed_sum` also -9..-1; L the rows and columns of the
grid with this rule, empty with the other; E the entries; n(e) the length of entry e, and clue(e) its clue.

`integers`: integers x[i] in V, the value of cell i; literals by_product[e], true if clue(e) is the product of
  e and not the sum, integers factor[i, e] in 1..9, and part[e, k] in 1..min(clue(e), 9^k), the product of
  the first k factors, for each e that can have the product clue(e) and another sum. Some solvers, as Choco,
  hold no integers of more than 32 bits: they fail on larger products.
    all different |x[i]| over i in l                                   for each l in L
    exactly one i in l with x[i] < 0                                   for each l in L
    sum of x[i] over i in e  = clue(e)                                 for each e without by_product[e]
  and for each other e:
    by_product[e] <=> sum of x[i] over i in e  != clue(e)
    by_product[e] => factor[i, e] = x[i],  otherwise factor[i, e] = 1  for each i in e
    part[e, 0] = 1,  part[e, k] = part[e, k-1] * factor[i, e]          for the k-th cell i of e
    by_product[e] => part[e, n(e)] = clue(e)

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

Constraints: linear; absolute value, all different, product, half-reified linear (`integers`)
"""

from itertools import pairwise

import cpmpy

from models.cross_sums.entries import (
    entry_multisets,
    may_be_product,
    may_be_sum,
    signed_lines,
    values,
    values_by_cell,
)
from models.cross_sums.puzzle import DIGITS, CrossSums
from models.shared.model import Model, by_name, from_integers, from_literals


def integers(puzzle: CrossSums) -> Model:
    """Integers with sums, products and different absolute values."""
    model = cpmpy.Model()
    options = values(puzzle.rule)
    x = {i: cpmpy.intvar(min(options), max(options)) for i in puzzle.cells}

    for line in signed_lines(puzzle):
        # No digit is twice in a row or column; for some solvers one that is empty would be an error.
        if line:
            model += cpmpy.AllDifferent([abs(x[i]) for i in line])

        # One value in it is negative, and none is 0.
        model += cpmpy.sum(x[i] < 0 for i in line) == 1
        model += [x[i] != 0 for i in line]

    for entry in puzzle.across + puzzle.down:
        total = cpmpy.sum(x[i] for i in entry.cells)
        # A clue that is no sum may be too large for some solvers.
        reached = abs(entry.clue) <= DIGITS[-1] * len(entry.cells)
        is_sum = total == entry.clue if reached else cpmpy.BoolVal(False)
        if not may_be_product(puzzle.rule, entry):
            # The clue is the sum of the entry.
            model += is_sum
            continue

        # The clue is the sum of the entry, or else its product.
        by_product = cpmpy.boolvar()
        model += by_product == ~is_sum

        # The product of the first cells is never greater than the clue.
        factor = {i: cpmpy.intvar(1, DIGITS[-1]) for i in entry.cells}
        most = [min(entry.clue, DIGITS[-1] ** k) for k in range(1, len(entry.cells) + 1)]
        part = [1, *(cpmpy.intvar(1, number) for number in most)]
        for i, (before, after) in zip(entry.cells, pairwise(part), strict=True):
            model += by_product.implies(factor[i] == x[i])
            model += (~by_product).implies(factor[i] == 1)
            model += after == before * factor[i]
        model += by_product.implies(part[-1] == entry.clue)

    return Model(model, from_integers(puzzle, x), decisions=list(x.values()))


def multisets(puzzle: CrossSums) -> Model:
    """Each entry holds one of the multisets that fit its clue."""
    model = cpmpy.Model()
    holds = {i: {v: cpmpy.boolvar() for v in domain} for i, domain in values_by_cell(puzzle).items()}

    # Each cell holds one value.
    for i in puzzle.cells:
        model += cpmpy.sum(holds[i].values()) == 1

    for line in signed_lines(puzzle):
        # No digit is twice in a row or column.
        for d in DIGITS:
            model += cpmpy.sum(holds[i][v] for i in line for v in (d, -d) if v in holds[i]) <= 1

        # One value in it is negative.
        model += cpmpy.sum(holds[i][v] for i in line for v in holds[i] if v < 0) == 1

    for entry in puzzle.across + puzzle.down:
        # An entry sums to its clue, or holds one of the other multisets that fit.
        has = {m: cpmpy.boolvar() for m in entry_multisets(puzzle.rule, entry)}
        by_sum = [cpmpy.boolvar()] if may_be_sum(puzzle.rule, entry) else []
        model += cpmpy.sum([*by_sum, *has.values()]) == 1

        # The sum of its values is the clue, or that of the multiset.
        for literal in by_sum:
            total = cpmpy.sum(v * holds[i][v] for i in entry.cells for v in holds[i])
            known = [entry.clue * literal, *(sum(m) * held for m, held in has.items())]
            model += total == cpmpy.sum(known)

        # It has each value as often as the multiset, or without one as often as it likes.
        for v in values(puzzle.rule):
            times = cpmpy.sum(m.count(v) * held for m, held in has.items() if v in m)
            there = cpmpy.sum(holds[i][v] for i in entry.cells if v in holds[i])
            model += there >= times
            model += there <= times + len(entry.cells) * cpmpy.sum(by_sum)

    literals = [literal for options in holds.values() for literal in options.values()]
    return Model(model, from_literals(puzzle, holds), decisions=literals)


FORMULATIONS = by_name(integers, multisets)
