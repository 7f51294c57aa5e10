"""Die Agony: the walks that its generator plants."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from models.die_agony.generate import plant, spoil
from models.die_agony.puzzle import parse
from models.shared.generator import document


@given(st.integers(2, 9), st.floats(0, 1), st.integers(0, 10**6))
def test_any_clues_fit_the_walk_and_a_change_of_its_values_does_not(
    size: int, share: float, seed: int
) -> None:
    """The checker rolls a die of its own."""
    rng = Random(seed)
    planted = plant(size, rng)
    clues = [clue for group in planted.clues for clue in group if rng.random() < share]
    rng.shuffle(clues)
    puzzle = parse(document(planted.table(clues)))
    assert puzzle.check(planted.solution) == []
    assert puzzle.faces == ("integer" if ("faces", "integer") in clues else "rational")
    spoilt = parse(document(planted.table(spoil(planted, clues, rng))))
    assert any("but the cell has" in broken for broken in spoilt.check(planted.solution))
