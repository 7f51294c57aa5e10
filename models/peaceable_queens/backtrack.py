"""Peaceable Queens by branch and bound on the owners of lines.

Each row, column and diagonal belongs to one colour. A square that lies on lines of white alone can have a
white queen, so the owners of all lines make two armies. The search branches on the owner of a line that both
colours may still use, rows first, then columns, then diagonals.

If W white and B black queens are possible yet, and w and b of them on a line, then that has at most b black
ones or at most w white ones. So the smaller army has at most the sum of max(B w, W b) over all rows, divided
by W + B; likewise over columns and both kinds of diagonals.

Constraints: linear
"""

from collections.abc import Iterator
from operator import add, gt

from models.peaceable_queens.puzzle import BLACK, EMPTY, SIGNS, WHITE, Line, PeaceableQueens
from models.peaceable_queens.symmetry import inequalities
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Tally, View, depth_first

Node = tuple[int, int, tuple[int, ...]]
"""Squares that may have a white queen, as bits; black; the least weight of white's lines by inequality."""


def lines(puzzle: PeaceableQueens, tally: Tally) -> Iterator[Solution]:
    """Yields better and better solutions, the last of which is best."""
    bit = {i: 1 << k for k, i in enumerate(puzzle.squares)}
    kinds: dict[str, dict[Line, int]] = {kind: {} for kind, _ in puzzle.lines}
    for line in tally.shuffled(puzzle.lines):
        kinds[line[0]][line] = sum(bit[i] for i in puzzle.lines[line])
    weights, limits = zip(*inequalities(puzzle), strict=True)
    best = -1

    def consistent(white: int, black: int, least: tuple[int, ...]) -> bool:
        """Whether bounds leave a better solution, one of those that symmetry.py looks for."""
        whites, blacks = white.bit_count(), black.bit_count()
        if min(whites, blacks) <= best or any(map(gt, least, limits)):
            return False
        for of_kind in kinds.values():
            pairs = [((white & each).bit_count(), (black & each).bit_count()) for each in of_kind.values()]
            if sum(max(blacks * w, whites * b) for w, b in pairs) < (best + 1) * (whites + blacks):
                return False
        return True

    def options(node: Node) -> Iterator[tuple[str, Node, bool]]:
        white, black, least = node
        for of_kind in kinds.values():
            pairs = [((white & each).bit_count(), (black & each).bit_count()) for each in of_kind.values()]
            if not (shared := max(map(min, pairs))):
                continue
            line = [*of_kind][[*map(min, pairs)].index(shared)]
            for owner, sign in (("white", 1), ("black", -1)):
                # A line that white has adds its weight if that is above 0; others are in `least` already.
                heavier = tuple(map(add, least, (max(0, sign * each.get(line, 0)) for each in weights)))
                removed = ~of_kind[line]
                child = (white, black & removed, heavier) if sign > 0 else (white & removed, black, heavier)
                yield f"{line[0]} {line[1]}: {owner}", child, consistent(*child)
            return

    def view(node: Node) -> View:
        masks = {EMPTY: -1 if any(options(node)) else ~(node[0] | node[1]), WHITE: node[0], BLACK: node[1]}
        return View({i: [SIGNS[v] for v, mask in masks.items() if mask & bit[i]] for i in bit})

    n, everything = len(puzzle.lines), (1 << puzzle.size) - 1
    tally.root(variables=n, undecided=n, values=2 * n, values_left=2 * n)
    root = (everything, everything, tuple(sum(min(0, w) for w in each.values()) for each in weights))
    for white, black, _ in depth_first(tally, root, True, options, view):
        best = min(white.bit_count(), black.bit_count())
        colours = {i: WHITE * bool(white & k) + BLACK * bool(black & k) for i, k in bit.items()}
        yield puzzle.solution(colours.__getitem__)


FORMULATIONS = by_name(lines)
