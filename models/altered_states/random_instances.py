"""Small random instances of Altered States, and the candidates for their solutions."""

from collections.abc import Iterator
from itertools import product

from hypothesis import strategies as st

from models.altered_states.puzzle import AlteredStates
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """A few words of up to four letters in a 2x2 grid, or of two in a 3x3 grid."""
    n, letters = draw(st.sampled_from([(2, "ABCD"), (3, "AB")]))
    words = st.dictionaries(
        st.text(letters, min_size=1, max_size=5), st.integers(1, 9), min_size=1, max_size=4
    )
    return header("altered_states") | {"n": n, "replaced": draw(st.integers(0, 1)), "words": draw(words)}


INSTANCES = tables()


def candidates(puzzle: AlteredStates) -> Iterator[Solution]:
    """Every grid of letters that are in words."""
    rows = product(puzzle.letters, repeat=puzzle.width)
    return ([*map(list, grid)] for grid in product(list(rows), repeat=puzzle.height))
