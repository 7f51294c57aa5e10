"""Magic hexagons with line sum 0 that have opposite numbers in opposite cells."""

import pytest

from bench.contract import SolveRequest, Task
from bench.drivers import native as driver
from bench.drivers._compiler import compiler
from models.magic_hexagon import native
from models.magic_hexagon.geometry import opposites as opposite_cells
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.puzzle import Solution


def hexagon(order: int) -> MagicHexagon:
    """A hexagon with line sum 0."""
    return MagicHexagon(order, -(3 * order * (order - 1) // 2), {})


def opposed(puzzle: MagicHexagon, solution: Solution) -> bool:
    """Whether all opposite cells hold opposite numbers."""
    return all(solution[r][c] == -solution[s][d] for (r, c), (s, d) in opposite_cells(puzzle).items())


@pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize("order", [3, 5])
def test_the_search_in_c_begins_with_opposite_numbers(order: int) -> None:
    puzzle, found = hexagon(order), []
    request = SolveRequest(Task.FIRST, time_s=60, threads=1, seed=1, solver="c")
    driver.solve(native.opposites(puzzle), request, lambda solution, _: found.append(solution))
    assert puzzle.check(found[0]) == [] and opposed(puzzle, found[0])
