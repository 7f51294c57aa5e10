"""Small random instances of Yajilin, and the candidates for their solutions."""

from collections.abc import Iterator

from hypothesis import strategies as st

from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header
from models.yajilin.puzzle import Yajilin

SHAPES = ((3, 3), (3, 4), (4, 3), (4, 4), (2, 5), (4, 4), (3, 5), (2, 3), (2, 2), (1, 1), (1, 3), (4, 1))
GREY = ["#", "#", "#", "0n", "0e", "0s", "0w", "1n", "1e", "1s", "1w", "2n", "2e", "2s", "2w"]


@st.composite
def yajilins(draw: st.DrawFn) -> Table:
    """A grid of 1 to 16 cells, of which some are grey, most of these with any clue."""
    grid = Yajilin(*draw(st.sampled_from(SHAPES)), {})
    grey = draw(st.dictionaries(st.sampled_from(grid.cells), st.sampled_from(GREY), max_size=3))
    return header("yajilin") | {"cells": "\n".join(map(" ".join, grid.solution(lambda i: grey.get(i, "."))))}


INSTANCES = yajilins()


def candidates(puzzle: Yajilin) -> Iterator[Solution]:
    """Every grid of words in which neighbours agree on whether the loop goes from one to the other."""
    height, width = puzzle.height, puzzle.width

    def fill(words: list[str]) -> Iterator[Solution]:
        r, c = divmod(len(words), width)
        if r == height:
            yield [words[k : k + width] for k in range(0, len(words), width)]
            return
        entered = {*"n" * (r > 0 and "s" in words[-width]), *"w" * (c > 0 and "e" in words[-1])}
        decided = {"n", "w", *"s" * (r == height - 1), *"e" * (c == width - 1)}
        for word in ["."] if (r, c) in puzzle.grey else ["#", "ns", "ne", "nw", "se", "sw", "ew"]:
            if {*word} & decided == entered:
                yield from fill([*words, word])

    return fill([])
