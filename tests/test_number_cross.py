"""Number Cross: grids that are planted, and the clues of their rows."""

from itertools import count
from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st

from models.number_cross import generate
from models.number_cross.puzzle import parse
from models.shared.generator import document


@given(st.integers(2, 12), st.integers(0, 10**6), st.data())
def test_a_grid_obeys_its_clues_before_and_after_a_row_is_replaced(
    size: int, seed: int, data: st.DataObject
) -> None:
    """Any of them may be told; a row of which none is has the one that it was made for."""
    planted = generate.plant(size, Random(seed))
    for _ in range(2):
        assume(planted)
        assert planted
        told = data.draw(st.lists(st.sampled_from([*planted.clues[0], *planted.clues[1]]), unique=True))
        puzzle = parse(document(planted.table(told)))
        assert puzzle.check(planted.solution) == []
        for own in planted.clues[1]:
            number, _ = own
            expected = [clue for row, clue in told if row == number] or [own[1]]
            assert {*puzzle.clues[number]} == {*expected}
        if spoilt := generate.spoil(planted, told, Random(seed)):
            assert parse(document(planted.table(spoilt))).check(planted.solution)
        before = planted.solution
        number = data.draw(st.integers(0, size - 1))
        other = ["" if row == number else line for row, line in enumerate(before)]
        planted = generate.refute(planted, other, Random(seed))
        if planted:
            assert {row for row in range(size) if planted.solution[row] != before[row]} <= {number}


@given(st.integers(10, 10**6))
def test_the_nearest_palindromes(number: int) -> None:
    """By counting."""
    below, above = generate.palindromes_beside(number)
    assert below == next(k for k in count(number - 1, -1) if str(k) == str(k)[::-1])
    assert above == next(k for k in count(number + 1) if str(k) == str(k)[::-1])
