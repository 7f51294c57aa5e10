"""Golomb ruler by local search: marks that repeat distances are moved until none is repeated.

All marks but the first lie below the length of the best ruler so far. One that repeats a distance, chosen at
random, moves to where the fewest are repeated; for a while no mark comes back to its place. After many moves
it begins anew. Dotu, Van Hentenryck, A simple hybrid evolutionary algorithm for finding Golomb rulers.

Constraints: all different
"""

from collections.abc import Iterator
from itertools import combinations

from models.golomb_ruler.bounds import greedy_ruler
from models.golomb_ruler.puzzle import GolombRuler
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Tally

MOVES = 1_000  # After so many the search begins anew.
TENURE = 10  # For at most so many moves no mark comes back to a place.


def tabu(puzzle: GolombRuler, tally: Tally) -> Iterator[Solution]:
    """Yields shorter and shorter rulers: the greedy one, and those that moves find."""
    most = puzzle.longest
    if (greedy := greedy_ruler(puzzle.size, puzzle.forbidden))[-1] <= most:
        yield greedy
        most = greedy[-1] - 1
    while most >= puzzle.size - 1:
        if found := attempt(puzzle, most, tally):
            yield found
            most = found[-1] - 1


def attempt(puzzle: GolombRuler, most: int, tally: Tally) -> Solution | None:
    """Moves marks within a length, from random places; the ruler that is found, if any."""
    random, m = tally.random, puzzle.size
    marks, closed = [0, *random.sample(range(1, most + 1), m - 1)], dict[int, int]()
    for move in range(MOVES):
        between: dict[int, list[int]] = {distance: [0] for distance in puzzle.forbidden}
        for a, b in combinations(marks, 2):
            between.setdefault(abs(b - a), []).extend((a, b))
        repeating = {mark for ends in between.values() if len(ends) > 2 for mark in ends if mark}
        if not repeating:
            return sorted(marks)
        tally.branches += 1
        moved = random.choice(sorted(repeating))
        marks.remove(moved)
        closed[moved] = move + random.randint(2, TENURE)
        taken = puzzle.forbidden.union(abs(b - a) for a, b in combinations(marks, 2))
        places = (p for p in range(1, most + 1) if p not in marks and closed.get(p, 0) <= move)
        new = {place: len({abs(place - mark) for mark in marks} - taken) for place in places}
        best = [place for place, count in new.items() if count == max(new.values())]
        marks.append(random.choice(best or [moved]))
    return None


FORMULATIONS = by_name(tabu)
