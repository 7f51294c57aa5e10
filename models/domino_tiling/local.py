"""Domino Tiling by local search: dominoes move along cycles, by simulated annealing.

Constraints: matching
"""

from collections.abc import Iterator
from itertools import count
from math import exp

from models.domino_tiling.matching import partners
from models.domino_tiling.puzzle import DominoTiling
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Tally

HOT, COLD = 20.0, 0.3  # the first and the last temperature, in points


def cycles(puzzle: DominoTiling, tally: Tally) -> Iterator[Solution]:
    """Yields better and better tilings; each round of annealing has twice as many sweeps as the one before.

    A random walk goes to a cell beside, to the other cell of its domino, and so on, until it meets itself:
    each domino of that cycle may move on by a cell. Mostly two turn in a 2x2 block; some go around a hole.
    """
    tally.root(variables=len(puzzle.scores), undecided=len(puzzle.scores))
    random, cells = tally.random.random, puzzle.colour
    if (start := partners(puzzle, tally.random.sample(cells, len(cells)))) is None:
        return
    # Cells of either colour have numbers; those of a domino at the start have the same.
    number = {cell: k for k, i in enumerate(cells) for cell in (i, start[i])}
    beside = [{number[j]: puzzle.scores[of] for j, of in puzzle.options[i].items()} for i in cells]
    choices = [[*options] for options in beside]
    partner, owner = [*range(len(cells))], [*range(len(cells))]
    best, score = -1, sum(options[k] for k, options in enumerate(beside))

    for sweeps in (50 << k for k in count()):
        for sweep in range(sweeps):
            if score > best:
                best = score
                yield puzzle.partners(lambda i: start[cells[partner[number[i]]]])
            temperature = HOT * (COLD / HOT) ** (sweep / sweeps)
            for k in range(len(cells)):
                walk, onto = [k], list[int]()
                while len(choices[walk[-1]]) > 1:
                    options = choices[walk[-1]]
                    j = options[int(random() * len(options))]
                    if j == partner[walk[-1]]:
                        continue
                    onto.append(j)
                    if owner[j] in walk:
                        break
                    walk.append(owner[j])
                else:
                    continue
                first = walk.index(owner[j])
                moved = [*zip(walk[first:], onto[first:], strict=True)]
                gain = sum(beside[i][j] - beside[i][partner[i]] for i, j in moved)
                tally.branches += 1
                if gain >= 0 or random() < exp(gain / temperature):
                    score += gain
                    for i, j in moved:
                        partner[i], owner[j] = j, i


FORMULATIONS = by_name(cycles)
