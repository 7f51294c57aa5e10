"""Queens Domination by tabu search: one queen at a time moves to where fewer squares are missed.

The number of queens is fixed: one fewer than in the best solution so far. A move brings a queen to where it
reaches one of the missed squares, drawn at random; of all such moves it is one that leaves the fewest missed.
The square that was left is forbidden for some moves, and the queen stays for some, unless fewer are missed
then than ever since queens were placed. After many moves without that, they are placed anew.

Constraints: set covering
"""

from collections.abc import Iterator

from models.queens_domination.puzzle import QueensDomination
from models.shared.bits import members
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Tally

TENURE = 4
"""A queen stays for up to so many moves, and the square that it left is forbidden for as many."""

PATIENCE = 50
"""After so many moves for each queen, none of which left fewer squares missed, queens are placed anew."""


def local(puzzle: QueensDomination, tally: Tally) -> Iterator[Solution]:
    """Yields better and better solutions and never ends: no queen at all is tried last."""
    random, number = tally.random, {square: i for i, square in enumerate(puzzle.squares)}
    reach = [sum(1 << number[other] for other in others) for others in puzzle.attackers.values()]
    everywhere = (1 << puzzle.size) - 1
    tally.root(variables=puzzle.size, undecided=puzzle.size)

    def placed(most: int) -> list[int]:
        """Places queens, each so that it reaches a random missed square and the most of the others."""
        queens, missed = list[int](), everywhere
        while missed and len(queens) < most:
            options = members(reach[random.choice(members(missed))])
            random.shuffle(options)
            queens.append(max(options, key=lambda i: (reach[i] & missed).bit_count()))
            missed &= ~reach[queens[-1]]
        return queens

    queens, now = placed(puzzle.size), 0
    while True:
        yield puzzle.placed(puzzle.squares[i] for i in queens)
        count, until = len(queens) - 1, now
        while True:
            if now >= until:
                queens, fewest, free = placed(count), puzzle.size, [0] * puzzle.size
            missed, once = everywhere, 0
            for queen in queens:
                once, missed = once & ~reach[queen] | missed & reach[queen], missed & ~reach[queen]
            if not missed:
                break
            if missed.bit_count() < fewest:
                fewest, until = missed.bit_count(), now + PATIENCE * count
            now, tally.branches = now + 1, tally.branches + 1
            least, moves = puzzle.size, list[tuple[int, int]]()
            options = members(reach[random.choice(members(missed))])
            for k, queen in enumerate(queens):
                without = missed | once & reach[queen]
                for i in options:
                    left = (without & ~reach[i]).bit_count()
                    if left <= least and (left < fewest or max(free[queen], free[i]) <= now):
                        moves = [*moves, (k, i)] if left == least else [(k, i)]
                        least = left
            if moves:
                k, i = random.choice(moves)
                free[queens[k]], free[i] = (now + random.randint(2, TENURE + 1) for _ in range(2))
                queens[k] = i


FORMULATIONS = by_name(local)
