"""Small random instances of Golomb ruler, and the candidates for their solutions."""

from collections.abc import Iterator
from itertools import combinations

from hypothesis import strategies as st

from models.golomb_ruler.puzzle import GolombRuler
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header


@st.composite
def golomb_rulers(draw: st.DrawFn) -> Table:
    """Up to 6 marks, some small distances forbidden, with a length that may be too small."""
    table = header("golomb_ruler") | {"marks": draw(st.integers(2, 6)), "longest": draw(st.integers(1, 18))}
    if forbidden := draw(st.lists(st.integers(1, 8), max_size=3)):
        table["forbidden"] = forbidden
    return table


INSTANCES = golomb_rulers()


def candidates(puzzle: GolombRuler) -> Iterator[Solution]:
    """Every choice of places within the longest length."""
    places = range(1, puzzle.longest + 1)
    return ([0, *chosen] for chosen in combinations(places, puzzle.size - 1))
