"""Hall of Mirrors as an integer program without an objective; model.md states the formulations.

Constraints: set partitioning, linear (`paths`); unit flow, linear (`textbook`)
"""

from collections import defaultdict

import pulp

from models.hall_of_mirrors.light import EMPTY, FALLING, RISING, Clue, Path, all_paths, network
from models.hall_of_mirrors.puzzle import HallOfMirrors
from models.shared.milp import Holds, all_literals, literals, program, total
from models.shared.model import Model, by_name, from_literals, reasoned


@reasoned(all_paths)
def paths(puzzle: HallOfMirrors, possible: dict[Clue, list[Path]]) -> Model:
    """A binary variable for each path that gives a laser its number."""
    problem = program("hall_of_mirrors")
    holds = _mirrors(puzzle, problem)
    for (side, line), options in possible.items():
        # The light of a laser takes one of its paths.
        names = (f"path_{side}_{line}_{k}" for k in range(len(options)))
        chosen = [problem.add_variable(name, cat=pulp.LpBinary) for name in names]
        problem += total(chosen) == 1

        # The cells of that hold what it needs.
        needing = defaultdict(list)
        for variable, path in zip(chosen, options, strict=True):
            for i, v in path.items():
                needing[i, v].append(variable)
        problem.extend(total(variables, [holds[i][v]]) <= 0 for (i, v), variables in needing.items())

    return Model(problem, from_literals(puzzle, holds), decisions=all_literals(holds))


def textbook(puzzle: HallOfMirrors) -> Model:
    """A binary variable for each state of the light of a laser, and what the cell holds then."""
    problem = program("hall_of_mirrors")
    holds = _mirrors(puzzle, problem)
    for side, line in puzzle.clues:
        states = network(puzzle, (side, line))
        coming, going = defaultdict(list), defaultdict(list)
        for number, (state, ways) in enumerate(states.items()):
            for v, after in ways.items():
                goes = problem.add_variable(f"goes_{side}_{line}_{number}_{v}", cat=pulp.LpBinary)
                going[state].append(goes)
                coming[after].append(goes)

                # It finds what the cell holds.
                problem += goes <= holds[state.cell][v]

        # The light of a laser goes on from state to state, until it has given the number.
        problem.extend(total(going[s], coming[s]) == (0 if coming[s] else 1) for s in states)

    return Model(problem, from_literals(puzzle, holds), decisions=all_literals(holds))


def _mirrors(puzzle: HallOfMirrors, problem: pulp.LpProblem) -> Holds:
    holds = literals(problem, dict.fromkeys(puzzle.cells, (EMPTY, RISING, FALLING)))

    # Each cell has a mirror, on one of two diagonals, or none.
    problem.extend(total(variables.values()) == 1 for variables in holds.values())

    # Mirrors do not stand side by side.
    problem.extend(holds[i][EMPTY] + holds[k][EMPTY] >= 1 for i, k in puzzle.beside)
    return holds


FORMULATIONS = by_name(paths, textbook)
