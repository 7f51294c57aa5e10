"""The numbers that the clues leave to each cell, by the hand search's propagation before it branches."""

from models.knight_moves.backtrack import Search, lengths
from models.knight_moves.puzzle import KnightMoves
from models.knight_moves.visits import Visits
from models.shared.bits import members
from models.shared.search import Tally


def possible_visits(puzzle: KnightMoves) -> Visits:
    """The numbers T of visited cells, and of each cell its numbers, that some search has at its root."""
    searches = [Search(puzzle, steps, Tally()) for steps in lengths(puzzle)]
    left: set[int] = set()
    numbers = dict.fromkeys(puzzle.cells, 0)
    for search in searches:
        if search.consistent:
            x = search.x
            # The last number has a cell, and all behind it have none.
            ends = [
                t for t in range(search.fewest, search.last) if x[t] & search.board and x[t + 1] & search.end
            ]
            left.update([*ends, *([search.last] if x[search.last] & search.board else [])])
            for cell, bit in search.bit.items():
                numbers[cell] |= sum(1 << t for t, places in enumerate(x) if places & bit)
                numbers[cell] |= not search.must & bit
    return Visits(sorted(left), {cell: members(bits) for cell, bits in numbers.items()})
