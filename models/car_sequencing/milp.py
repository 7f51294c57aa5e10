"""Car Sequencing as an integer program without an objective; model.md states it.

Constraints: set partitioning, linear
"""

import pulp

from models.car_sequencing.puzzle import CarSequencing
from models.shared.milp import all_literals, program, total
from models.shared.model import Model, by_name, from_literals


def textbook(puzzle: CarSequencing) -> Model:
    """A binary variable for each class of each car, sums over windows."""
    problem = program("car_sequencing")

    # Each car is of one class.
    holds = {
        i: {c: problem.add_variable(f"holds_{i}_{c}", cat=pulp.LpBinary) for c in puzzle.classes}
        for i in puzzle.cars
    }
    for i in puzzle.cars:
        problem += total(holds[i].values()) == 1

    # Each class has as many cars as demanded.
    for c in puzzle.classes:
        problem += total(holds[i][c] for i in puzzle.cars) == puzzle.demand[c]

    # Of any so many consecutive cars, at most so many have an option.
    for o, cars in puzzle.windows:
        having = puzzle.having(o)
        problem += total(holds[i][c] for i in cars for c in having) <= puzzle.max_in_window[o]

    return Model(problem, from_literals(puzzle, holds), all_literals(holds))


FORMULATIONS = by_name(textbook)
