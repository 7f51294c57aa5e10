"""Magic hexagon: the hexagons that its generator plants."""

from random import Random

import pytest

from models.magic_hexagon.generate import plant, spoil
from models.magic_hexagon.geometry import opposites
from models.magic_hexagon.puzzle import MagicHexagon, parse
from models.shared.generator import document


@pytest.mark.parametrize("size", [1, 3, 4, 5, 6])
@pytest.mark.parametrize("seed", range(3))
def test_opposite_cells_do_not_all_add_up_to_0_from_order_4_on(size: int, seed: int) -> None:
    """The checker adds up the lines."""
    rng = Random(seed)
    planted = next(filter(None, (plant(size, rng) for _ in range(20))))
    (clues,) = planted.clues
    puzzle = parse(document(planted.table(clues)))
    assert isinstance(puzzle, MagicHexagon) and puzzle.check(planted.solution) == []
    sums = {puzzle.givens[i] + puzzle.givens[k] for i, k in opposites(puzzle).items()}
    assert (sums == {0}) == (size < 4)
    spoilt = spoil(planted, clues, rng)
    assert (
        spoilt is None if size == 1 else parse(document(planted.table(spoilt or ()))).check(planted.solution)
    )
