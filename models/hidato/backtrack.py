"""Hidato by search: propagate, branch on the number with the fewest places, back up.

    x[t]    the cells where number t can still be, as a set of bits

Propagation, until nothing changes:
- a cell that has a number has no other, and a cell that only one number can have is its place;
- a number is a king's move away from some place of the number before it, and of the one behind it.

Constraints: all different, table (moves)
"""

from collections.abc import Iterator

from models.hidato.puzzle import Hidato
from models.shared.bits import all_different, fixpoint, keep, members, record_root, total_size, undecided
from models.shared.grid import in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Tally, View, depth_first

Places = dict[int, int]


def fewest_places(puzzle: Hidato, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    # Rows have a bit to spare, so that no move leads into another one.
    width = puzzle.width + 1
    bit = {(r, c): r * width + c for r, c in puzzle.cells}
    cell = {place: i for i, place in bit.items()}
    board = sum(1 << place for place in cell)

    def touched(places: int) -> int:
        """The cells a king's move away from some of these."""
        beside = places << 1 | places >> 1
        row = places | beside
        return (beside | row << width | row >> width) & board

    def narrow(x: Places) -> bool:
        """One round of propagation; False on a contradiction."""
        steps = [(t, t + 1) for t in puzzle.numbers[:-1]]
        steps += [(after, before) for before, after in reversed(steps)]
        return all_different(x, tally) and all(keep(x, b, touched(x[a]), tally) for a, b in steps)

    def options(x: Places) -> Iterator[tuple[str, Places, bool]]:
        """What to try at a node."""
        if open_ := undecided(x):
            t = min(open_, key=lambda t: x[t].bit_count())
            for place in tally.shuffled(members(x[t])):
                child = x | {t: 1 << place}
                yield f"{in_words(cell[place])}: {t}", child, fixpoint(child, narrow)

    def view(x: Places) -> View:
        """The numbers that each cell can have."""
        return View({i: [t for t in x if x[t] >> place & 1] for i, place in bit.items()})

    x = {t: sum(1 << bit[i] for i in cells) for t, cells in puzzle.places.items()}
    values = total_size(x.values())
    consistent = fixpoint(x, narrow)
    record_root(tally, values, x.values(), consistent)
    for leaf in depth_first(tally, x, consistent, options, view):
        cell_of = {t: cell[places.bit_length() - 1] for t, places in leaf.items()}
        yield puzzle.with_places(cell_of.__getitem__)


FORMULATIONS = by_name(fewest_places)
