"""Nurikabe for CP-SAT; model.md states the model.

Constraints: exactly one, clause, linear, half-reified linear
"""

from models.nurikabe.islands import WET, domains, largest_island, most_sea, sea_roots
from models.nurikabe.puzzle import Nurikabe
from models.shared.connected import add_ranking
from models.shared.cpsat import BulkModel
from models.shared.model import Model, by_name


def textbook(puzzle: Nurikabe) -> Model:
    """Each cell of an island and of the sea has a neighbour in it that is one step nearer to its root."""
    model, near = BulkModel(), puzzle.near
    holds = model.literals(domains(puzzle))
    never = model.cp.new_constant(0).index
    sea = {i: of.get(WET, never) for i, of in holds.items()}

    # Each cell is sea or of one island.
    for of in holds.values():
        model.add_exactly_one(*of.values())

    # Islands do not touch.
    for i, k in ((a, b) for a in holds for b in near[a]):
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
    roots = dict.fromkeys(puzzle.numbers, ~never)
    add_ranking(model, {i: [sea[i]] for i in sea}, roots, near, largest_island(puzzle))

    # The root of the sea is the first cell of some that is sea.
    candidates = sea_roots(puzzle)
    root = model.new_bool_vars({i: f"{i} is the root" for i in candidates})
    for place, i in enumerate(candidates):
        earlier = [sea[k] for k in candidates[:place]]
        model.add_bool_or(root[i], ~sea[i], *earlier)
        for none in (~sea[i], *earlier):
            model.add_implication(root[i], ~none)

    # The sea is connected.
    add_ranking(model, {i: [~sea[i]] for i in sea}, root, near, most_sea(puzzle))

    return model.as_model(lambda value: puzzle.solution(lambda i: value(sea[i])))


FORMULATIONS = by_name(textbook)
