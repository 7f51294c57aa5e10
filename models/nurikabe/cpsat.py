"""Nurikabe for CP-SAT; model.md states the constraint program.

Constraints: exactly one, clause, linear, minimum, half-reified linear
"""

from models.nurikabe.islands import WET, Told, given, largest_island, most_sea, reached
from models.nurikabe.puzzle import Nurikabe
from models.shared.connected import add_steps
from models.shared.cpsat import BulkModel
from models.shared.model import Model, Reasoned


def textbook(puzzle: Nurikabe, told: Told | None = None) -> Model:
    """A literal for each value of each cell, and the steps from a root to each."""
    model, (values, candidates) = BulkModel(), told or given(puzzle)
    holds = model.literals(values)
    never = model.cp.new_constant(0).index
    sea = {i: of.get(WET, never) for i, of in holds.items()}

    # Each cell is sea or of one island.
    for of in holds.values():
        model.add_exactly_one(*of.values())

    # Islands do not touch.
    for i, k in ((a, b) for a in holds for b in puzzle.near[a]):
        for island in holds[i].keys() - {WET}:
            model.add_bool_or(~holds[i][island], *(holds[k][v] for v in (WET, island) if v in holds[k]))

    # An island has as many cells as its number says.
    for island, size in enumerate(puzzle.numbers.values(), 1):
        if size:
            model.add_sum(((1, of[island]) for of in holds.values() if island in of), size)

    # No 2x2 block is sea.
    for block in puzzle.blocks:
        model.add_bool_or(*(~sea[i] for i in block))

    # Islands are connected with their numbers.
    is_sea = {i: model.variable(literal) for i, literal in sea.items()}
    land = {i: ~literal for i, literal in is_sea.items()}
    add_steps(model.cp, land, {i: land[i] for i in puzzle.numbers}, puzzle.near, largest_island(puzzle))

    # The root of the sea is the first cell of some that is sea.
    root = model.new_bool_vars({i: f"{i} is the root" for i in candidates})
    for place, i in enumerate(candidates):
        earlier = [sea[k] for k in candidates[:place]]
        model.add_bool_or(root[i], ~sea[i], *earlier)
        for none in (~sea[i], *earlier):
            model.add_implication(root[i], ~none)

    # The sea is connected.
    is_root = {i: model.variable(literal) for i, literal in root.items()}
    add_steps(model.cp, is_sea, is_root, puzzle.near, most_sea(puzzle))

    return model.as_model(lambda value: puzzle.solution(lambda i: value(sea[i])))


FORMULATIONS = {"reach": Reasoned(reached, textbook), "textbook": textbook}
