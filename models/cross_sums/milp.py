"""Cross Sums as an integer program without an objective; model.md states the formulations.

Constraints: set partitioning, set packing, linear
"""

import pulp

from models.cross_sums.entries import (
    entry_multisets,
    exponent,
    has_unlisted_sums,
    lines,
    powers,
    values,
    values_by_cell,
)
from models.cross_sums.puzzle import DIGITS, CrossSums, Rule
from models.shared.grid import Cell
from models.shared.milp import Holds, all_literals, literals, program, total
from models.shared.model import Model, by_name, from_literals, reasoned


@reasoned(values_by_cell)
def multisets(puzzle: CrossSums, domains: dict[Cell, list[int]]) -> Model:
    """Each entry holds one of the multisets that fit its clue."""
    problem, holds = _cells_and_lines(puzzle, domains)

    for number, entry in enumerate(puzzle.across + puzzle.down):
        # An entry sums to its clue, or holds one of the other multisets that fit.
        fitting = enumerate(entry_multisets(puzzle.rule, entry))
        has = {m: problem.add_variable(f"has_{number}_{k}", cat=pulp.LpBinary) for k, m in fitting}
        by_sum = []
        if has_unlisted_sums(puzzle.rule, entry):
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

    return Model(problem, from_literals(puzzle, holds), all_literals(holds))


def textbook(puzzle: CrossSums) -> Model:
    """Sums of values, and sums of the exponents of their primes."""
    problem, holds = _cells_and_lines(puzzle, dict.fromkeys(puzzle.cells, values(puzzle.rule)))

    for number, entry in enumerate(puzzle.across + puzzle.down):
        terms = [(v, variable) for i in entry.cells for v, variable in holds[i].items()]
        held = pulp.LpAffineExpression((variable, v) for v, variable in terms)
        if not (clue := powers(puzzle.rule, entry)):
            # The clue is the sum of the entry.
            problem += held == entry.clue
            continue

        # The clue is the sum of the entry, or by the rule its product.
        by_product = problem.add_variable(f"by_product_{number}", cat=pulp.LpBinary)
        least, most = len(entry.cells) * DIGITS[0], len(entry.cells) * DIGITS[-1]
        if least <= entry.clue <= most:
            problem += held >= entry.clue - (entry.clue - least) * by_product
            problem += held <= entry.clue + (most - entry.clue) * by_product
        else:
            problem += by_product == 1

        # The exponents of the primes of a product are the sums of those in its digits.
        for p, known in clue.items():
            times = pulp.LpAffineExpression((variable, exponent(p, v)) for v, variable in terms)
            highest = len(entry.cells) * max(exponent(p, d) for d in DIGITS)
            problem += times >= known * by_product
            problem += times <= highest - (highest - known) * by_product

    return Model(problem, from_literals(puzzle, holds), all_literals(holds))


def _cells_and_lines(puzzle: CrossSums, domains: dict[Cell, list[int]]) -> tuple[pulp.LpProblem, Holds]:
    """The constraints on cells and lines, which formulations share, and holds."""
    problem = program("cross_sums")
    holds = literals(problem, domains)

    # Each cell holds one value.
    for i in puzzle.cells:
        problem += total(holds[i].values()) == 1

    for line in lines(puzzle):
        # No digit is twice in a line.
        for d in DIGITS:
            problem += total(holds[i][v] for i in line for v in (d, -d) if v in holds[i]) <= 1

        # With signs, one value in it is negative.
        if puzzle.rule == Rule.SIGNED_SUM:
            problem += total(holds[i][v] for i in line for v in holds[i] if v < 0) == 1

    return problem, holds


FORMULATIONS = by_name(multisets, textbook)
