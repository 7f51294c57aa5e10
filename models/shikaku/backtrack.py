"""Shikaku by exact cover: the search of models/shared/exact_cover.py.

It branches on a rectangle of the cell that the fewest can hold for its weight. With all different alone, a
rectangle that overlaps a chosen one is removed; with full propagation, the last one of a cell is chosen.

Constraints: exactly one
"""

from collections.abc import Collection, Iterator

from models.shared.exact_cover import exact_covers
from models.shared.grid import in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, propagates
from models.shikaku.puzzle import Shikaku
from models.shikaku.rectangles import clues_left, cut, fitting_rectangles


@propagates(Step.FULL, Step.ALL_DIFFERENT, Step.SHAVING)
def exact_cover(puzzle: Shikaku, tally: Tally) -> Iterator[Solution]:
    """Yields every solution: each cell lies in one rectangle."""
    fitting, clues = fitting_rectangles(puzzle), list(puzzle.clues)
    index = {cell: i for i, cell in enumerate(puzzle.cells)}

    def word(option: int) -> str:
        each = fitting[option]
        corner = in_words((each.top, each.left))
        return f"clue in {in_words(clues[each.clue - 1])}: {each.height}x{each.width} from {corner}"

    def view(undecided: Collection[int], chosen: Collection[int]) -> View:
        return clues_left(puzzle, (fitting[option] for option in sorted([*undecided, *chosen])))

    options = [[index[cell] for cell in each.cells] for each in fitting]
    for chosen in exact_covers([(1, 1)] * puzzle.size, options, tally, word, view):
        yield cut(puzzle, [fitting[option] for option in chosen])


FORMULATIONS = by_name(exact_cover)
