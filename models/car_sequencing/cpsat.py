"""Car Sequencing for CP-SAT; model.md states the constraint program.

Constraints: exactly one, linear; clauses (`counters`); automaton (`automata`)
"""

from ortools.sat.python import cp_model

from models.car_sequencing.counts import bounds, transitions
from models.car_sequencing.puzzle import CarSequencing
from models.shared.cpsat import BulkModel, Literal
from models.shared.model import Model, by_name, from_literals


def counters(puzzle: CarSequencing) -> Model:
    """For each option, literals that the first i cars have it j times or more (Artigues et al., 2013)."""
    model, holds = classes(puzzle)
    (true,) = model.new_bool_vars({0: "true"}).values()
    model.add_bool_or(true)
    for o in puzzle.options:
        has = model.new_bool_vars({i: f"{i} has {o}" for i in puzzle.cars})
        for i in puzzle.cars:
            for c in puzzle.classes:
                model.add_implication(holds[i][c], has[i] if puzzle.requires[c][o] else ~has[i])

        # As many of the first i cars have it, at least j for each literal.
        limits = bounds(puzzle, o)
        between = [(i, j) for i, (low, high) in enumerate(limits) for j in range(low + 1, high + 1)]
        some = model.new_bool_vars({(i, j): f"{j} of {i} have {o}" for i, j in between})
        if any(low > high for low, high in limits):
            model.add_bool_or()
        at_least = {
            (i, j): some.get((i, j), true if j <= low else ~true)
            for i, (low, _) in enumerate(limits)
            for j in range(limits[-1][1] + 2)
        }
        for i in puzzle.cars:
            for j in range(limits[i][0], limits[i + 1][1] + 1):
                model.add_implication(at_least[i, j], at_least[i + 1, j])
                model.add_implication(at_least[i + 1, j + 1], at_least[i, j])
                model.add_bool_or(~has[i], ~at_least[i, j], at_least[i + 1, j + 1])
                model.add_bool_or(has[i], at_least[i, j + 1], ~at_least[i + 1, j + 1])

        # Of any so many consecutive cars, at most so many have it.
        p, q = puzzle.max_in_window[o], puzzle.window[o]
        for i in range(puzzle.size - q + 1):
            for j in range(limits[i][0] + 1, limits[i + q][1] - p + 1):
                model.add_implication(at_least[i + q, j + p], at_least[i, j])

    return model.as_model(from_literals(puzzle, holds))


def textbook(puzzle: CarSequencing) -> Model:
    """Sums over windows."""
    model, holds = classes(puzzle)
    x = {i: {c: model.variable(literal) for c, literal in of.items()} for i, of in holds.items()}

    # Of any so many consecutive cars, at most so many have an option.
    having = [puzzle.having(o) for o in puzzle.options]
    for o, cars in puzzle.windows:
        terms = [x[i][c] for i in cars for c in having[o]]
        model.cp.add(cp_model.LinearExpr.sum(terms) <= puzzle.max_in_window[o])

    return model.as_model(from_literals(puzzle, holds))


def automata(puzzle: CarSequencing) -> Model:
    """An automaton for each option, whose states are the last cars."""
    model, holds = classes(puzzle)
    cp, variable = model.cp, model.variable

    # Of any so many consecutive cars, at most so many have an option.
    for o in dict(puzzle.windows):
        steps, states = transitions(puzzle.max_in_window[o], puzzle.window[o])
        has = [sum(variable(holds[i][c]) for c in puzzle.having(o)) for i in puzzle.cars]
        cp.add_automaton(has, 0, states, steps)

    return model.as_model(from_literals(puzzle, holds))


def classes(puzzle: CarSequencing) -> tuple[BulkModel, dict[int, dict[int, Literal]]]:
    """A model with a literal for each class of each car."""
    model = BulkModel()

    # Each car is of one class.
    found = model.new_bool_vars({(i, c): f"{i} is {c}" for i in puzzle.cars for c in puzzle.classes})
    holds = {i: {c: found[i, c] for c in puzzle.classes} for i in puzzle.cars}
    for i in puzzle.cars:
        model.add_exactly_one(*holds[i].values())

    # Each class has as many cars as demanded.
    for c in puzzle.classes:
        model.add_sum([(1, holds[i][c]) for i in puzzle.cars], puzzle.demand[c])
    return model, holds


FORMULATIONS = by_name(counters, textbook, automata)
