"""Yajilin by search: propagate, branch on the first undecided cell or step, row by row, back up.

Variables: whether a cell is black, and whether a step is on the loop. Propagation, until nothing changes: two
steps meet at a cell that is not black, none at a black one; black cells share no edge; a clue is the number
of black cells in its direction; where a loop is closed, all other cells are black.

Constraints: sum, one loop
"""

from collections.abc import Iterator
from typing import Any

from models.shared.bits import adds_up, assignments, keep, undecided
from models.shared.graph import graph_of, parts_of
from models.shared.grid import in_words
from models.shared.loop import at_nodes
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally
from models.yajilin.puzzle import Yajilin

NO, YES, EITHER = 0b01, 0b10, 0b11


def row_by_row(puzzle: Yajilin, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    at = {i: list[Any]() for i in puzzle.free} | at_nodes({e: e for e in puzzle.edges})

    def narrow(x: dict[Any, int]) -> bool:
        for i, steps in at.items():
            black = NO if YES in map(x.get, steps) else YES if sum(x[e] > NO for e in steps) < 2 else EITHER
            if not keep(x, i, black, tally):
                return False
            if x[i] != EITHER and not adds_up(x, steps, 2 if x[i] == NO else 0, tally):
                return False
        apart = all(x[i] != YES or keep(x, k, NO, tally) for e in puzzle.edges for i, k in (e, e[::-1]))
        if not apart or not all(adds_up(x, cells, number, tally) for number, cells in puzzle.clues):
            return False
        graph = graph_of(e for e in puzzle.edges if x[e] == YES)
        for part in parts_of(graph):
            if all(len(graph[i]) == 2 for i in part):
                return all(keep(x, i, YES, tally) for i in puzzle.free if i not in part)
        return bool(undecided(x))

    x = {i if i == k else (i, k): EITHER for i, k in sorted([(i, i) for i in puzzle.free] + puzzle.edges)}
    for leaf in assignments(x, {Step.FULL: narrow}, tally, lambda i: in_words(i) if i in at else str(i)):
        yield puzzle.with_loop(e for e in puzzle.edges if leaf[e] == YES)


FORMULATIONS = by_name(row_by_row)
