"""Small random instances of car sequencing, and the candidates for their solutions."""

from collections.abc import Iterator

from hypothesis import strategies as st

from models.car_sequencing.puzzle import CarSequencing
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in


@st.composite
def car_sequences(draw: st.DrawFn) -> Table:
    """1 to 7 cars; windows of one car, without room, and beyond the line; classes without cars or options."""
    size, options, classes = draw(st.integers(1, 7)), draw(st.integers(1, 3)), draw(st.integers(1, 4))
    window = [draw(st.sampled_from([2, 3, 3, 4, 5, 1, 9])) for _ in range(options)]
    most = [0 if draw(one_in(9)) else draw(st.integers(1, max(1, q - 1))) for q in window]
    of_class = draw(st.lists(st.integers(0, classes - 1), min_size=size, max_size=size))
    rows = [[draw(st.sampled_from([0, 1, 0])) for _ in range(options)] for _ in range(classes)]
    requires = "\n".join(" ".join(map(str, row)) for row in rows)
    demand, cars = [of_class.count(c) for c in range(classes)], {"cars": size} if draw(one_in(4)) else {}
    table = {"max_in_window": most, "window": window, "demand": demand, "requires": requires}
    return header("car_sequencing") | table | cars


INSTANCES = car_sequences()


def candidates(puzzle: CarSequencing) -> Iterator[Solution]:
    """Every order of the classes with as many cars of each as demanded."""

    def extend(cars: list[int], left: list[int]) -> Iterator[Solution]:
        if not any(left):
            yield cars
        for c, count in enumerate(left):
            if count:
                yield from extend([*cars, c], [*left[:c], count - 1, *left[c + 1 :]])

    return extend([], [*puzzle.demand])
