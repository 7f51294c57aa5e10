"""Peaceable Queens by simulated annealing on the owners of lines.

A state says which colour owns each row, column and diagonal: squares on lines of one colour are its army. A
queen of the smaller army is worth 1, one of the larger 0.1. On 8x8 squares the best armies, of 9 queens, need
0.05 to 0.25 s.
"""

from collections.abc import Iterator
from math import exp

from models.peaceable_queens.puzzle import BLACK, EMPTY, WHITE, PeaceableQueens
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Tally

COOLING = 1.9  # A descent is at temperatures from 1 to exp(-1.9).
MOVES = 600  # Of a descent, for each line.


def local(puzzle: PeaceableQueens, tally: Tally) -> Iterator[Solution]:
    """Yields better and better solutions, and never ends; each descent begins with random owners."""
    random, randrange = tally.random.random, tally.random.randrange
    number = {i: k for k, i in enumerate(puzzle.squares)}
    lines = [[number[i] for i in line] for line in puzzle.lines.values()]
    tally.root(variables=len(lines), undecided=len(lines))
    best, moves = -1, MOVES * len(lines)
    while True:
        owned = [random() < 0.5 for _ in lines]
        # For each square, how many of its four lines white owns.
        of_white = [0] * puzzle.size
        for line, is_white in zip(lines, owned, strict=True):
            for i in line:
                of_white[i] += is_white
        white, black = of_white.count(4), of_white.count(0)
        for move in range(moves):
            if min(white, black) > best:
                best = min(white, black)
                colours = {i: {4: WHITE, 0: BLACK}.get(of_white[k], EMPTY) for i, k in number.items()}
                yield puzzle.solution(colours.__getitem__)
            tally.branches += 1
            k = randrange(len(lines))
            before = [of_white[i] for i in lines[k]]
            if owned[k]:
                step, w, b = -1, white - before.count(4), black + before.count(1)
            else:
                step, w, b = 1, white + before.count(3), black - before.count(0)
            gain = min(w, b) - min(white, black) + 0.1 * (max(w, b) - max(white, black))
            if gain >= 0 or random() < exp(gain / exp(-COOLING * move / moves)):
                owned[k], white, black = not owned[k], w, b
                for i in lines[k]:
                    of_white[i] += step


FORMULATIONS = by_name(local)
