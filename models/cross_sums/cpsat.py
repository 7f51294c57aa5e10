"""Cross Sums for CP-SAT; model.md states the formulations.

Constraints: exactly one, at most one, linear (`multisets`); absolute value, all different, product,
half-reified linear (`textbook`)
"""

from ortools.sat.python import cp_model

from models.cross_sums.entries import entry_multisets, has_unlisted_sums, lines, values, values_by_cell
from models.cross_sums.puzzle import DIGITS, CrossSums, Rule
from models.shared.cpsat import literals
from models.shared.grid import Cell
from models.shared.model import Model, by_name, from_integers, from_literals, reasoned


@reasoned(values_by_cell)
def multisets(puzzle: CrossSums, domains: dict[Cell, list[int]]) -> Model:
    """Each entry holds one of the multisets that fit its clue."""
    model = cp_model.CpModel()
    holds = literals(model, {i: domains[i] for i in puzzle.cells})

    # Each cell holds one value.
    for i in puzzle.cells:
        model.add_exactly_one(holds[i].values())

    for line in lines(puzzle):
        # No digit is twice in a line.
        for d in DIGITS:
            model.add_at_most_one(holds[i][v] for i in line for v in (d, -d) if v in holds[i])

        # With signs, one value in it is negative.
        if puzzle.rule == Rule.SIGNED_SUM:
            model.add_exactly_one(holds[i][v] for i in line for v in holds[i] if v < 0)

    for number, entry in enumerate(puzzle.across + puzzle.down):
        # An entry sums to its clue, or holds one of the other multisets that fit.
        has = {m: model.new_bool_var(f"entry {number} has {m}") for m in entry_multisets(puzzle.rule, entry)}
        by_sum = (
            [model.new_bool_var(f"entry {number} by sum")] if has_unlisted_sums(puzzle.rule, entry) else []
        )
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


def textbook(puzzle: CrossSums) -> Model:
    """Integers with sums, products and different digits."""
    model = cp_model.CpModel()

    # Each cell holds a digit, or with signs also the negative of one.
    domain = cp_model.Domain.from_values(values(puzzle.rule))
    x = {i: model.new_int_var_from_domain(domain, f"x{i}") for i in puzzle.cells}

    digit, negative = dict(x), {}
    for i in puzzle.cells if puzzle.rule == Rule.SIGNED_SUM else []:
        digit[i] = model.new_int_var(DIGITS[0], DIGITS[-1], f"digit{i}")
        model.add_abs_equality(digit[i], x[i])
        negative[i] = model.new_bool_var(f"{i} negative")
        model.add(x[i] < 0).only_enforce_if(negative[i])
        model.add(x[i] > 0).only_enforce_if(~negative[i])

    for line in lines(puzzle):
        # No digit is twice in a line.
        model.add_all_different(digit[i] for i in line)

        # With signs, one value in it is negative.
        if negative:
            model.add_exactly_one(negative[i] for i in line)

    for number, entry in enumerate(puzzle.across + puzzle.down):
        # The clue is the sum of the entry, or by the rule its product.
        total = sum(x[i] for i in entry.cells)
        if puzzle.rule != Rule.SUM_OR_PRODUCT:
            model.add(total == entry.clue)
            continue
        product = model.new_int_var(1, DIGITS[-1] ** len(entry.cells), f"product of entry {number}")
        model.add_multiplication_equality(product, [x[i] for i in entry.cells])
        by_product = model.new_bool_var(f"entry {number} by product")
        model.add(total == entry.clue).only_enforce_if(~by_product)
        model.add(total != entry.clue).only_enforce_if(by_product)
        model.add(product == entry.clue).only_enforce_if(by_product)

    return Model(model, from_integers(puzzle, x))


FORMULATIONS = by_name(multisets, textbook)
