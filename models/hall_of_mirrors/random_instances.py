"""Small random instances of Hall of Mirrors, and the candidates for their solutions."""

from collections.abc import Iterator
from itertools import product

from hypothesis import strategies as st

from models.hall_of_mirrors.puzzle import SIGNS, HallOfMirrors, numbers
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in
from models.shared.sides import Side


@st.composite
def halls(draw: st.DrawFn) -> Table:
    """A grid of up to 4x4 cells with mirrors, and some of its numbers; one of them perhaps spoilt."""
    n = draw(st.sampled_from([3, 1, 2, 3, 4]))
    rows = ["." * n] * (n + 1)
    for r, c in product(range(n), repeat=2):
        alone = rows[r - 1][c] == rows[r][c - 1] == "."
        sign = draw(st.sampled_from("../\\" if alone else "."))
        rows[r] = rows[r][:c] + sign + rows[r][c + 1 :]
    told = numbers(rows[:n])
    # In a larger grid few numbers leave many solutions.
    left_out = draw(st.sets(st.sampled_from(sorted(told)), max_size=12 if n < 4 else 5))
    shown = {laser: number for laser, number in told.items() if laser not in left_out}
    if draw(one_in(3)) and shown:
        shown[draw(st.sampled_from(sorted(shown)))] = draw(st.integers(1, 12))
    sides = {str(side): " ".join(str(shown.get((side, k), ".")) for k in range(n)) for side in Side}
    return header("hall_of_mirrors") | {"size": n} | sides


INSTANCES = halls()


def candidates(puzzle: HallOfMirrors) -> Iterator[Solution]:
    """Every way to place mirrors none of which stand side by side."""
    n = puzzle.height

    def fill(held: str) -> Iterator[Solution]:
        if len(held) == n * n:
            yield [held[k : k + n] for k in range(0, n * n, n)]
            return
        before = held[-n:][:1] * (len(held) >= n) + held[-1:] * (len(held) % n > 0)
        for sign in SIGNS if {*before} <= {"."} else ".":
            yield from fill(held + sign)

    yield from fill("")
