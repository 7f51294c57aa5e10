"""Hall of Mirrors for CP-SAT; model.md states the formulations.

Constraints: exactly one, clause; linear (`textbook`)
"""

from collections import defaultdict

from models.hall_of_mirrors.light import EMPTY, FALLING, RISING, Clue, Path, all_paths, network
from models.hall_of_mirrors.puzzle import HallOfMirrors
from models.shared.cpsat import BulkModel, Holds
from models.shared.model import Model, by_name, from_literals, reasoned


@reasoned(all_paths)
def paths(puzzle: HallOfMirrors, possible: dict[Clue, list[Path]]) -> Model:
    """A literal for each path that gives a laser its number."""
    model = BulkModel()
    holds = _mirrors(puzzle, model)
    for (side, line), options in possible.items():
        # The light of a laser takes one of its paths.
        chosen = model.new_bool_vars({k: f"{side} {line} path {k}" for k in range(len(options))})
        model.add_exactly_one(*chosen.values())

        # The cells of that hold what it needs.
        for number, path in enumerate(options):
            for i, v in path.items():
                model.add_implication(chosen[number], holds[i][v])

    return model.as_model(from_literals(puzzle, holds))


def textbook(puzzle: HallOfMirrors) -> Model:
    """A literal for each state of the light of a laser, and what the cell holds then."""
    model = BulkModel()
    holds = _mirrors(puzzle, model)
    for side, line in puzzle.clues:
        states = network(puzzle, (side, line))
        arcs = {(s, v): f"{side} {line} {tuple(s)} {v}" for s, ways in states.items() for v in ways}
        goes = model.new_bool_vars(arcs)
        coming = defaultdict(list)
        for (state, v), literal in goes.items():
            coming[states[state][v]].append(literal)

            # It finds what the cell holds.
            model.add_implication(literal, holds[state.cell][v])

        # The light of a laser goes on from state to state, until it has given the number.
        for state, ways in states.items():
            terms = [*((1, goes[state, v]) for v in ways), *((-1, k) for k in coming[state])]
            model.add_sum(terms, 0 if coming[state] else 1)

    return model.as_model(from_literals(puzzle, holds))


def _mirrors(puzzle: HallOfMirrors, model: BulkModel) -> Holds:
    holds = model.literals(dict.fromkeys(puzzle.cells, (EMPTY, RISING, FALLING)))

    # Each cell has a mirror, on one of two diagonals, or none.
    for literals in holds.values():
        model.add_exactly_one(*literals.values())

    # Mirrors do not stand side by side.
    for i, k in puzzle.beside:
        model.add_bool_or(holds[i][EMPTY], holds[k][EMPTY])
    return holds


FORMULATIONS = by_name(paths, textbook)
