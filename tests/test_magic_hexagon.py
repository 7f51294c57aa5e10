"""Magic hexagons with line sum 0 that have opposite numbers in opposite cells."""

from random import Random

import pytest

from bench.contract import SolveRequest, Task
from bench.drivers import native as driver
from bench.drivers._compiler import compiler
from models.magic_hexagon import native
from models.magic_hexagon.filling import LimitReached, fill
from models.magic_hexagon.geometry import opposites as opposite_cells
from models.magic_hexagon.puzzle import MagicHexagon
from models.shared.puzzle import Solution
from models.shared.search import Tally


def hexagon(order: int, **givens: int) -> MagicHexagon:
    """A hexagon with line sum 0; `r0c1=5` gives a number."""
    cells = {(int(name[1]), int(name[3])): value for name, value in givens.items()}
    return MagicHexagon(order, -(3 * order * (order - 1) // 2), cells)


def opposed(puzzle: MagicHexagon, solution: Solution) -> bool:
    """Whether all opposite cells hold opposite numbers."""
    return all(solution[r][c] == -solution[s][d] for (r, c), (s, d) in opposite_cells(puzzle).items())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("puzzle", [hexagon(1), hexagon(3), hexagon(4), hexagon(4, r0c0=-18, r1c1=7)])
def test_a_filling_is_a_solution_with_opposite_numbers(puzzle: MagicHexagon, seed: int) -> None:
    found = fill(puzzle, Random(seed), 10**6, Tally())
    assert found
    solution = puzzle.solution(found.__getitem__)
    assert puzzle.check(solution) == [] and opposed(puzzle, solution)


@pytest.mark.parametrize(
    "puzzle",
    [
        hexagon(2),
        hexagon(3, r2c2=1),
        hexagon(3, r0c0=0),
        hexagon(3, r0c0=5, r4c2=4),
        hexagon(3, r0c0=5, r0c1=-5),
    ],
)
def test_no_filling(puzzle: MagicHexagon) -> None:
    """Neither is there a hexagon of order 2, nor one with other numbers in the middle, or elsewhere."""
    assert fill(puzzle, Random(1), 10**6, Tally()) is None


def test_a_filling_has_a_limit() -> None:
    tally = Tally()
    with pytest.raises(LimitReached):
        fill(hexagon(5), Random(1), 10, tally)
    assert tally.branches == 10


@pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize("order", [3, 5])
def test_the_search_in_c_begins_with_opposite_numbers(order: int) -> None:
    puzzle, found = hexagon(order), []
    request = SolveRequest(Task.FIRST, time_s=60, threads=1, seed=1, solver="c")
    driver.solve(native.opposites(puzzle), request, lambda solution, _: found.append(solution))
    assert puzzle.check(found[0]) == [] and opposed(puzzle, found[0])
