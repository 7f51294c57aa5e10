"""Matchings of greatest score that cover one cell after the other, and the prices that prove it."""

from collections.abc import Iterable, Mapping
from heapq import heappop, heappush
from math import inf

from models.domino_tiling.puzzle import Domino, DominoTiling
from models.shared.grid import Cell


class Matching:
    """Dominoes on some cells of `colour`, of the greatest score that dominoes on just these can have.

    Each cell has a price. No domino scores more than its two prices, so no tiling more than all of them; a
    domino that is laid scores just that.

    Attributes:
        partner: of each cell that is covered, the other cell of its domino.
        bound: the sum of all prices.
    """

    def __init__(self, puzzle: DominoTiling, scores: Mapping[Domino, int]) -> None:
        """Lays no domino."""
        self.partner: dict[Cell, Cell] = {}
        self.beside = {i: [(j, scores[of]) for j, of in puzzle.options[i].items()] for i in puzzle.colour}
        best = {i: max((score for _, score in options), default=0) for i, options in self.beside.items()}
        self.price, self.bound = dict.fromkeys(puzzle.numbers, 0) | best, sum(best.values())

    def cover(self, start: Cell) -> bool:
        """Covers one more cell of `colour`; False if that is not possible.

        By Dijkstra's algorithm it finds the alternating path to an uncovered cell on which least is lost: by
        a domino what its prices are above its score.
        """
        price, partner, i, loss = self.price, self.partner, start, 0
        lost, before = dict[Cell, int](), dict[Cell, Cell]()
        queue, reached = list[tuple[int, Cell]](), list[Domino]()
        while True:
            for j, score in self.beside[i]:
                total = loss + price[i] + price[j] - score
                if total < lost.get(j, inf):
                    lost[j], before[j] = total, i
                    heappush(queue, (total, j))
            while queue:
                loss, j = heappop(queue)
                if loss == lost[j]:
                    break
            else:
                return False
            if j not in partner:
                break
            i = partner[j]
            reached.append((i, j))

        # With these prices nothing is lost on the path, and no domino scores more than they are.
        self.bound -= loss
        price[start] -= loss
        for i, other in reached:
            price[i] -= loss - lost[other]
            price[other] += loss - lost[other]

        # The dominoes on the path move on.
        free: Cell | None = j
        while free:
            i = before[free]
            partner[free], partner[i], free = i, free, partner.get(i)
        return True


def partners(puzzle: DominoTiling, order: Iterable[Cell]) -> dict[Cell, Cell] | None:
    """The partners in some tiling, which covers `colour` in this order; None if there is none."""
    matching = Matching(puzzle, dict.fromkeys(puzzle.scores, 0))
    return matching.partner if all(map(matching.cover, order)) else None
