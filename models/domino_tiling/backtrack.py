"""Domino Tiling by a matching of greatest score: shortest augmenting paths, with prices of cells.

It covers the cells of one colour, one after the other, each by the path of dominoes that move on to a cell
not yet covered on which the score loses least. A branch covers a cell; a cell that cannot be is a failure.

Kuhn, The Hungarian method for the assignment problem, Naval Research Logistics Quarterly 2, 1955; Jonker and
Volgenant, A shortest augmenting path algorithm, Computing 38, 1987.

Constraints: matching
"""

from collections.abc import Iterator
from functools import partial

from models.domino_tiling.matching import Matching
from models.domino_tiling.puzzle import DominoTiling
from models.shared.grid import in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Tally, View


def matching(puzzle: DominoTiling, tally: Tally) -> Iterator[Solution]:
    """Yields the best tiling; before that it has bounds alone."""
    found = Matching(puzzle, puzzle.scores)
    tally.root(variables=len(puzzle.scores), undecided=len(puzzle.scores))
    tally.on_bound(found.bound)
    if tally.watcher:
        tally.watcher.node(0, "", View, True)
    for depth, start in enumerate(tally.shuffled(puzzle.colour), 1):
        tally.branches += 1
        before, covered = found.bound, found.cover(start)
        if tally.watcher:
            tally.watcher.node(depth, f"covered: {in_words(start)}", partial(_view, puzzle, found), covered)
        if not covered:
            tally.failures += 1
            return
        if found.bound < before:
            tally.on_bound(found.bound)
    yield puzzle.partners(found.partner.__getitem__)


def _view(puzzle: DominoTiling, found: Matching) -> View:
    """The halves of dominoes that are laid, and what no tiling scores more than."""
    rows = puzzle.tiling(puzzle.options[i][j] for i, j in found.partner.items())
    return View({(r, c): [rows[r][c]] for r, c in found.partner}, notes=[f"at most {found.bound}"])


FORMULATIONS = by_name(matching)
