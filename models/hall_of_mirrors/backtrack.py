"""Hall of Mirrors by search on the paths of the lasers.

Domains are what each cell can hold, and the paths of each laser. The search branches on the laser with the
fewest paths left; then on cells through which no light of these goes. It propagates:
- a path that needs what a cell cannot hold is removed, and next to a mirror there is none;
- a cell through which all paths go that a laser has left holds what one of them needs.

Constraints: exactly one, clause
"""

from collections.abc import Iterator
from functools import partial

from models.hall_of_mirrors.light import EMPTY, all_paths
from models.hall_of_mirrors.puzzle import SIGNS, HallOfMirrors, laser
from models.shared.bits import (
    Rule,
    fixpoint,
    keep,
    least,
    members,
    record_root,
    together,
    undecided,
    up_to_step,
)
from models.shared.grid import Cell, in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, depth_first, propagates

Variable = Cell | int
"""A cell, or the number of a laser among those with a clue."""

Domains = dict[Variable, int]

Needs = dict[Cell, list[int]]
"""For each cell and what it may hold, the set of the paths of a laser that need that."""


@propagates(Step.FULL, Step.SHAVING)
def paths(puzzle: HallOfMirrors, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    domains: Domains = dict.fromkeys(puzzle.cells, (1 << len(SIGNS)) - 1)
    lasers, needs = list(puzzle.clues), list[Needs]()
    for number, options in enumerate(all_paths(puzzle).values()):
        domains[number] = (1 << len(options)) - 1
        needs.append({})
        for place, path in enumerate(tally.shuffled(options)):
            for i, v in path.items():
                needs[number].setdefault(i, [0] * len(SIGNS))[v] |= 1 << place

    def alone(domains: Domains) -> bool:
        """Next to a mirror there is none."""
        return all(
            keep(domains, k, 1 << EMPTY, tally)
            for i in puzzle.cells
            if not domains[i] >> EMPTY & 1
            for k in puzzle.near[i]
        )

    def agreed(number: int, domains: Domains) -> bool:
        """Removes paths that need what a cell cannot hold; a cell on all others holds what one needs."""
        left = domains[number]
        for i, sets in needs[number].items():
            for v, needing in enumerate(sets):
                if not domains[i] >> v & 1:
                    left &= ~needing
        if not keep(domains, number, left, tally):
            return False
        for i, sets in needs[number].items():
            held = [needing & left for needing in sets]
            needed = sum(1 << v for v, some in enumerate(held) if some)
            if held[0] | held[1] | held[2] == left and not keep(domains, i, needed, tally):
                return False
        return True

    rules: list[tuple[list[Variable], Rule[Variable]]] = [([*puzzle.cells], alone)]
    rules += [([number, *of_cell], partial(agreed, number)) for number, of_cell in enumerate(needs)]
    narrow = up_to_step({Step.FULL: together(rules)}, tally)

    def children(domains: Domains) -> Iterator[tuple[str, Domains, bool]]:
        if several := undecided(domains):
            on_lasers = [i for i in several if isinstance(i, int)]
            chosen = min(on_lasers or several, key=lambda i: domains[i].bit_count())
            for value in members(domains[chosen]):
                child = domains | {chosen: 1 << value}
                yield word(chosen, value), child, fixpoint(child, narrow)

    def word(i: Variable, value: int) -> str:
        if isinstance(i, int):
            return f"{laser(*lasers[i])}: path {value + 1}"
        return f"{in_words(i)}: {SIGNS[value]}"

    def view(domains: Domains) -> View:
        return View({i: [SIGNS[v] for v in members(domains[i])] for i in puzzle.cells})

    values = sum(map(int.bit_count, domains.values()))
    consistent = fixpoint(domains, narrow)
    record_root(tally, values, domains.values(), consistent)
    for leaf in depth_first(tally, domains, consistent, children, view):
        held = {i: least(leaf[i]) for i in puzzle.cells}
        yield puzzle.solution(held.__getitem__)


FORMULATIONS = by_name(paths)
