"""Altered States by simulated annealing, which proves nothing.

A move changes the letter of one cell, or swaps those of two. One that is worse by d is accepted with
probability exp(-d / t); t falls from HOT to COLD. Then it starts again from random letters, with twice as
many moves. A word counts for a part of its points if it could be read with one more letter replaced: the
change of one cell seldom completes a word. Only words that a move can spoil or help are looked at.

Constraints: walks
"""

from collections.abc import Iterator
from itertools import count
from math import exp

from models.altered_states.puzzle import AlteredStates
from models.altered_states.walks import Walks
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Tally

NEARLY = 0.3  # The part of its points for which a word counts that needs one more replaced letter.
SWAPS = 0.2  # The part of the moves that swap two letters.
HOT, COLD, FIRST_MOVES = 0.5, 0.1, 10_000  # Temperatures are in what a word scores on average.


def local(puzzle: AlteredStates, tally: Tally) -> Iterator[Solution]:
    """Yields each grid that is better than those before; never ends."""
    random, walks, points, nearly = tally.random, Walks(puzzle), puzzle.points, puzzle.replaced + 1
    worth, best = [1.0] * nearly + [NEARLY, 0.0], -1
    mean, sets = sum(points.values()) / len(points), [(word, {*word}) for word in points]
    for run in count():
        letters = {i: random.choice(puzzle.letters) for i in puzzle.cells}
        holds, moves = walks.holds(letters), FIRST_MOVES << run
        # Of each word the letters to be replaced, if no more than one more than may be.
        replaced = {word: walks.replaced(word, holds, nearly) for word in points}
        for move in range(moves):
            if (score := sum(points[word] for word, k in replaced.items() if k < nearly)) > best:
                best = score
                yield puzzle.solution(letters.__getitem__)
            tally.branches += 1
            i, j = random.choices(puzzle.cells, k=2)
            changes = [(i, letters[j]), (j, letters[i])]
            if random.random() >= SWAPS:
                changes = [(i, random.choice(puzzle.letters))]
            gone, come, now, old = {letters[k] for k, _ in changes}, {a for _, a in changes}, {}, holds.copy()
            for k, letter in changes:
                holds[letters[k]] ^= walks.bit[k]
                holds[letter] ^= walks.bit[k]
            for word, its in sets:
                if (replaced[word] <= nearly and gone & its) or (replaced[word] and come & its):
                    now[word] = walks.replaced(word, holds, nearly)
            better = sum(points[word] * (worth[k] - worth[replaced[word]]) for word, k in now.items())
            temperature = mean * HOT * (COLD / HOT) ** (move / moves)
            if better >= 0 or random.random() < exp(better / temperature):
                letters |= changes
                replaced |= now
            else:
                tally.failures += 1
                holds = old


FORMULATIONS = by_name(local)
