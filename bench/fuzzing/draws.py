"""What fuzzing draws: small instances of a puzzle's own, and larger ones that its generator makes."""

from dataclasses import dataclass

from hypothesis import strategies as st

from bench import catalogue
from bench.fuzzing.finding import Table
from bench.generation.order import Order, Wanted

LARGEST = 16
"""The largest size that generators are asked for at first, in their own units."""


@dataclass(frozen=True)
class Drawn:
    """An instance to try.

    Attributes:
        source: its table, or the order by which a generator makes it.
        salt: decides on the seeds, orders and threads of all runs.
    """

    source: Table | Order
    salt: int


def drawn(puzzle: str, largest: int | None) -> st.SearchStrategy[Drawn]:
    """Instances of a puzzle, those that its generator makes up to a size, or its own small ones.

    Raises:
        PuzzleError: if the puzzle's file cannot be imported.
    """
    sources: st.SearchStrategy[Table | Order]
    if largest:
        wanted = st.sampled_from([Wanted.ONE, Wanted.NONE, Wanted.ANY])
        hardness = st.sampled_from([0.5, 0.8, 1.0])
        sources = st.builds(
            Order, st.just(puzzle), st.integers(1, largest), st.integers(1, 10_000), hardness, wanted
        )
    else:
        module = catalogue.random_instances(puzzle)
        assert module is not None
        sources = module.INSTANCES
    return st.builds(Drawn, sources, st.integers(0, 2**31))
