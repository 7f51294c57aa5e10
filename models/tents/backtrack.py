"""Tents as an exact cover, by the search of models/shared/exact_cover.py.

The options are the pairs of a tree and an empty cell next to it. Those of a tree and its tent cover each tree
once, each row and column as often as it says, each cell and each two cells that touch at most once.

Constraints: cardinality
"""

from collections.abc import Collection, Iterator

from models.shared.exact_cover import exact_covers, items_of
from models.shared.grid import Cell, in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, propagates
from models.tents.puzzle import Tents


@propagates(Step.FULL, Step.ALL_DIFFERENT, Step.SHAVING)
def exact_cover(puzzle: Tents, tally: Tally) -> Iterator[Solution]:
    """Yields every solution: branches on the item with the fewest pairs to spare for its weight."""
    items = [([tree], (1, 1)) for tree in puzzle.trees]
    items += [([i for i in cells if i not in puzzle.trees], (count, count)) for cells, count in puzzle.lines]
    items += [([*cells], (0, 1)) for cells in [*([i] for i in puzzle.empty), *puzzle.touching]]
    covered = dict(zip(puzzle.cells, items_of(puzzle.cells, (cells for cells, _ in items)), strict=True))
    pairs = puzzle.pairs
    options = [covered[tree] + covered[i] for tree, i in pairs]

    def word(option: int) -> str:
        return f"{in_words(pairs[option][1])}: tent of {in_words(pairs[option][0])}"

    def view(possible: Collection[int], chosen: Collection[int]) -> View:
        left = {i: [0] for i in puzzle.empty} | {pairs[option][1]: [0, 1] for option in possible}
        return View(left | {pairs[option][1]: [1] for option in chosen})

    # The same tents may be paired with the trees in several ways.
    found = set[frozenset[Cell]]()
    for cover in exact_covers([bounds for _, bounds in items], options, tally, word, view):
        tents = frozenset(pairs[option][1] for option in cover)
        if tents not in found:
            found.add(tents)
            yield puzzle.solution((dict.fromkeys(puzzle.empty, 0) | dict.fromkeys(tents, 1)).__getitem__)


FORMULATIONS = by_name(exact_cover)
