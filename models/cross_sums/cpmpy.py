"""Cross Sums in CPMpy, for any of its solvers.

Each open cell holds a digit, and an entry has its clue as its sum or its product; or a digit or its negative,
and an entry has its clue as its sum, no digit is twice in a row or column of the grid, and one value in each
is negative.

Let V be what a cell may hold, 1..9 and with the rule `signed_sum` also -9..-1; L the rows and columns of the
grid with this rule, empty with the other; E the entries, clue(e) the clue of entry e.

`multisets`: let M(e) be the multisets of values that fit the clue of entry e, count(m, v) how often m has v,
  and D(i) the values that some multiset of each entry of cell i has (entries.py). Literals holds[i][v], true
  if cell i holds v, and takes[e, m], true if entry e holds the multiset m.
    exactly one v in D(i) with holds[i][v]                             for each cell i
    exactly one m in M(e) with takes[e, m]                             for each e in E
    sum of holds[i][v] over i in e  = sum of count(m, v) * takes[e, m] over m    for each e in E and v in V
    at most one of holds[i][d], holds[i][-d] over i in l               for each l in L and d = 1..9
    exactly one of holds[i][v] over i in l and v < 0                   for each l in L

`integers`: integers x[i] in V, the value of cell i, and digit[i], its absolute value; literals negative[i],
  and by_product[e], true if clue(e) is the product of e and not the sum; integers factor[i, e] in 1..9, and
  part[e, k] in 1..clue(e), the product of the first k factors.
    digit[i] = |x[i]|,  negative[i] <=> x[i] < 0                       for each cell i in a line of L
    all different digit[i] over i in l                                 for each l in L
    exactly one i in l with negative[i]                                for each l in L
    by_product[e] <=> sum of x[i] over i in e  != clue(e)              for each e in E
    by_product[e] => factor[i, e] = x[i],  otherwise factor[i, e] = 1  for each e in E and i in e
    part[e, 0] = 1,  part[e, k] = part[e, k-1] * factor[i, e]          for each e in E and its k-th cell i
    by_product[e] => part[e, k] = clue(e)                              for each e in E and its last k
  An entry whose clue is no product of so many digits has only the sum.

Constraints: linear; absolute value, all different, product, half-reified linear (`integers`)
"""

from itertools import pairwise

import cpmpy

from models.cross_sums.entries import domains, fitting_multisets, may_be_product, signed_lines, values
from models.cross_sums.puzzle import DIGITS, CrossSums
from models.shared.model import Model, by_name, from_integers, from_literals


def multisets(puzzle: CrossSums) -> Model:
    """Each entry holds one of the multisets that fit its clue."""
    model = cpmpy.Model()
    holds = {i: {v: cpmpy.boolvar() for v in domain} for i, domain in domains(puzzle).items()}

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
        # An entry holds one of the multisets that fit its clue.
        takes = {m: cpmpy.boolvar() for m in fitting_multisets(puzzle.rule, entry)}
        model += cpmpy.sum(takes.values()) == 1
        for v in values(puzzle.rule):
            times = cpmpy.sum(m.count(v) * literal for m, literal in takes.items() if v in m)
            model += cpmpy.sum(holds[i][v] for i in entry.cells if v in holds[i]) == times

    literals = [literal for options in holds.values() for literal in options.values()]
    return Model(model, from_literals(puzzle, holds), decisions=literals)


def integers(puzzle: CrossSums) -> Model:
    """Integers with sums, products and different absolute values."""
    model = cpmpy.Model()
    options = values(puzzle.rule)
    x = {i: cpmpy.intvar(min(options), max(options)) for i in puzzle.cells}

    for line in signed_lines(puzzle):
        # No digit is twice in a row or column.
        model += cpmpy.AllDifferent([abs(x[i]) for i in line])

        # One value in it is negative, and none is 0.
        model += cpmpy.sum(x[i] < 0 for i in line) == 1
        model += [x[i] != 0 for i in line]

    for entry in puzzle.across + puzzle.down:
        total = cpmpy.sum(x[i] for i in entry.cells)
        if not may_be_product(puzzle.rule, entry):
            # The clue is the sum of the entry.
            model += total == entry.clue
            continue

        # The clue is the sum of the entry, or else its product.
        by_product = cpmpy.boolvar()
        model += by_product == (total != entry.clue)

        # The product of the first cells is never greater than the clue.
        factor = {i: cpmpy.intvar(1, DIGITS[-1]) for i in entry.cells}
        part = [cpmpy.intvar(1, entry.clue) for _ in range(len(entry.cells) + 1)]
        for i, (before, after) in zip(entry.cells, pairwise(part), strict=True):
            model += by_product.implies(factor[i] == x[i])
            model += (~by_product).implies(factor[i] == 1)
            model += after == before * factor[i]
        model += part[0] == 1
        model += by_product.implies(part[-1] == entry.clue)

    return Model(model, from_integers(puzzle, x), decisions=list(x.values()))


FORMULATIONS = by_name(multisets, integers)
