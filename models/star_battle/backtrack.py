"""Star Battle as an exact cover with multiplicities, by the search of models/shared/exact_cover.py.

The cells are the options. Those with a star cover each row, column and region k times, and each 2x2 block at
most once.

Constraints: cardinality
"""

from collections.abc import Collection, Iterator

from models.shared.exact_cover import exact_covers, items_of
from models.shared.grid import in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, propagates
from models.star_battle.puzzle import StarBattle


@propagates(Step.FULL, Step.ALL_DIFFERENT, Step.SHAVING)
def exact_cover(puzzle: StarBattle, tally: Tally) -> Iterator[Solution]:
    """Yields every solution: branches on the line or region with the fewest cells to spare for its weight."""
    options = items_of(puzzle.cells, [*puzzle.units, *puzzle.blocks])
    items = [(puzzle.stars, puzzle.stars)] * len(puzzle.units) + [(0, 1)] * len(puzzle.blocks)

    def word(option: int) -> str:
        return f"{in_words(puzzle.cells[option])}: star"

    def view(possible: Collection[int], chosen: Collection[int]) -> View:
        """A star, none, or either in each cell."""
        left = {cell: [0] for cell in puzzle.cells}
        left |= {puzzle.cells[option]: [0, 1] for option in possible}
        return View(left | {puzzle.cells[option]: [1] for option in chosen})

    for stars in exact_covers(items, options, tally, word, view):
        held = dict.fromkeys(puzzle.cells, 0) | {puzzle.cells[option]: 1 for option in stars}
        yield puzzle.solution(held.__getitem__)


FORMULATIONS = by_name(exact_cover)
