"""Hooks: clues by their definition, layouts as paths of cuts, fillings that can be cut in several ways."""

import random
from dataclasses import replace
from itertools import product
from math import prod

from models.hooks.backtrack import propagation
from models.hooks.cuts import GRID, Cut, cuts
from models.hooks.line_clues import Clue, FirstBlockSum, FirstTwoProduct, Sum, clues_with_cells, supported
from models.hooks.puzzle import Hooks
from models.shared.bits import members
from models.shared.search import Tally

OPEN = Hooks(3, 3, {}, None, True, False, False, {}, {}, {}, {}, (), {}, "empty_product")
"""No clues."""


def holds(clue: Clue, values: tuple[int, ...]) -> bool:
    """The clue by its definition."""
    filled = [value for value in values if value]
    if isinstance(clue, Sum):
        return sum(values) == clue.number
    if isinstance(clue, FirstTwoProduct):
        return len(filled) > 1 and prod(filled[:2]) == clue.number
    words = " ".join(map(str, values)).split("0")
    return sum(map(int, next((word.split() for word in words if word.strip()), []))) == clue.number


def test_what_a_clue_supports_is_in_a_filling_that_it_accepts() -> None:
    """On random domains of up to five cells with numbers up to 4."""
    rng, kept = random.Random(1), 0
    for _ in range(300):
        product_of_two, total = rng.randrange(1, 17), rng.randrange(1, 12)
        clues: list[Clue] = [Sum(total), FirstTwoProduct(product_of_two, 4), FirstBlockSum(total)]
        clue = rng.choice(clues)
        domains = tuple(rng.randrange(1, 32) for _ in range(rng.randrange(1, 6)))
        left = [values for values in product(*map(members, domains)) if holds(clue, values)]
        columns = [set(column) for column in zip(*left, strict=True)]
        assert [set(members(domain)) for domain in supported(clue, domains)] == columns
        kept += bool(left)
    assert 100 < kept < 300


def test_states_before_are_those_that_lead_to_the_states_after() -> None:
    for clue in (Sum(5), FirstTwoProduct(12, 4), FirstBlockSum(4)):
        for value, before, after in product(range(5), range(6), range(6)):
            leads = bool(clue.after(1 << before, value) >> after & 1)
            assert bool(clue.before(1 << after, value) >> before & 1) == leads


def layouts(square: tuple[int, int], size: int) -> list[list[Cut]]:
    """All paths of cuts from a square to nothing."""
    return [
        [cut, *path]
        for cut in cuts(OPEN, size)
        if cut.square == square
        for path in (layouts(cut.rest, size - 1) if size > 1 else [[]])
    ]


def test_paths_of_cuts_are_layouts() -> None:
    """There are 4^(n-1), and each has every cell in one hook; the corner is in the row and in the column."""
    paths = layouts(GRID, 3)
    assert len({tuple(cut.cells for cut in path) for path in paths}) == 16
    for path in paths:
        assert sum(cut.cells for cut in path) == (1 << 9) - 1
        assert [cut.cells.bit_count() for cut in path] == [5, 3, 1]
        for cut in path:
            row, column = cut.corner
            across, down = 0b111 << 3 * row, 0b1001001 << column
            assert cut.cells & ~(across | down) == 0


def test_a_filling_that_can_be_cut_in_several_ways_is_one_solution() -> None:
    """Either the 3s or the 2s lie in the hook of size 3, where the numbers are free."""
    rows = [[3, 3, 0], [3, 1, 2], [0, 2, 0]]
    givens = {(r, c): value for r, row in enumerate(rows) for c, value in enumerate(row) if value}
    puzzle = replace(OPEN, by_size=False, givens=givens)
    for seed in (1, 2, 3):
        assert list(propagation(puzzle, Tally(seed))) == [rows]


def test_an_instance_without_a_filling_of_equal_regions_has_no_solution() -> None:
    """The numbers of a 3x3 grid sum to 14, which three regions cannot share; one region has it always."""
    rows = tuple(tuple((row, column) for column in range(3)) for row in range(3))
    assert list(propagation(replace(OPEN, regions=rows), Tally())) == []
    whole = replace(OPEN, regions=(sum(rows, ()),))
    assert list(clues_with_cells(whole)) == []


def test_the_cell_of_a_grid_of_one_cell_has_no_neighbours() -> None:
    one = replace(OPEN, height=1, width=1)
    assert list(propagation(one, Tally())) == [[[1]]]
    for total in (0, 1):
        assert list(propagation(replace(one, neighbour_sums={(0, 0): total}), Tally())) == []
