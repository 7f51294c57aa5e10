"""Hooks: the checker and what it knows of hooks, answers, clues in words, malformed files."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import catalogue
from bench.catalogue import ROOT
from models.hooks.generate import plant, random_filling, spoil
from models.hooks.puzzle import Hooks, parse
from models.shared.document import InstanceError
from models.shared.generator import document
from models.shared.grid import Cell
from models.shared.random_instances import header

EXAMPLE = catalogue.load(ROOT / "instances/hooks/march_2024_example.toml").puzzle
assert isinstance(EXAMPLE, Hooks)
SOLUTION = "00422 00010 03444 53030 05555"

FIXED = "3 3 3\n2 2 3\n1 2 3"
"""A layout in which the hooks of size 3 and 2 have their corners at the top right."""


def grid(text: str) -> list[list[int]]:
    return [[int(symbol) for symbol in word] for word in text.split()]


def puzzle(size: int, **keys: Any) -> Hooks:
    return parse(header("hooks") | {"size": size, "layout": "free", "numbering": "free"} | keys)


def layouts(top: int, left: int, size: int) -> Iterator[dict[Cell, int]]:
    """Every way to cut a square: four for each hook but the last, with the size of the hook of each cell."""
    if size == 1:
        yield {(top, left): 1}
        return
    for down, right in ((0, 0), (0, 1), (1, 0), (1, 1)):
        for inner in layouts(top + down, left + right, size - 1):
            square = ((r, c) for r in range(top, top + size) for c in range(left, left + size))
            yield {cell: inner.get(cell, size) for cell in square}


LAYOUTS = {n: list(layouts(0, 0, n)) for n in range(1, 5)}


def test_the_solution_of_the_published_example_passes() -> None:
    assert EXAMPLE.check(grid(SOLUTION)) == []
    assert EXAMPLE.answer(grid(SOLUTION)) == 6


@settings(max_examples=40)
@given(st.integers(0, 24), st.integers(-1, 6))
def test_any_other_value_in_a_cell_is_refused(cell: int, value: int) -> None:
    changed = grid(SOLUTION)
    changed[cell // 5][cell % 5] = value
    assert bool(EXAMPLE.check(changed)) == (changed != grid(SOLUTION))


@pytest.mark.parametrize("shape", [None, 3, [], grid(SOLUTION)[:4], [["5"] * 5] * 5, [[True] * 5] * 5])
def test_a_solution_of_the_wrong_shape_is_refused_in_words(shape: object) -> None:
    assert EXAMPLE.check(shape) == ["the solution is not 5 rows of 5 whole numbers each"]


@settings(max_examples=60)
@given(st.sampled_from([2, 3, 4, 4]), st.booleans(), st.booleans(), st.booleans(), st.integers(0, 10**6))
def test_hooks_are_looked_for_in_all_layouts(
    n: int, by_size: bool, fixed: bool, move: bool, seed: int
) -> None:
    """Numbers in the cells of hooks of one layout, two of them perhaps swapped."""
    rng = Random(seed)
    layout = rng.choice(LAYOUTS[n])
    numbers = rng.sample(range(1, n + 1), n) if move or not by_size else list(range(1, n + 1))
    value = dict.fromkeys(layout, 0)
    for size, number in enumerate(numbers, 1):
        hook = [cell for cell in layout if layout[cell] == size]
        value |= dict.fromkeys(rng.sample(hook, min(number, len(hook))), number)
    if move:
        one, other = rng.sample(list(value), 2)
        value[one], value[other] = value[other], value[one]

    def fits(hooks: dict[Cell, int]) -> bool:
        held = [{value[i] for i in hooks if hooks[i] == size and value[i]} for size in range(1, n + 1)]
        once = sorted(held, key=sorted) == [{number} for number in range(1, n + 1)]
        return once and (not by_size or held == [{number} for number in range(1, n + 1)])

    printed = rng.choice(LAYOUTS[n])
    expected = all(list(value.values()).count(number) == number for number in range(1, n + 1)) and any(
        fits(hooks) for hooks in ([printed] if fixed else LAYOUTS[n])
    )
    rows = [[printed[r, c] for c in range(n)] for r in range(n)]
    layout_keys = {"layout": "fixed", "hooks": "\n".join(" ".join(map(str, row)) for row in rows)}
    rules = puzzle(n, numbering="by_size" if by_size else "free", **(layout_keys if fixed else {}))
    assert (rules.check([[value[r, c] for c in range(n)] for r in range(n)]) == []) == expected


CUT = "333 220 100"
"""A filled grid of 3x3 cells."""


@pytest.mark.parametrize(
    ("text", "keys", "broken"),
    [
        (CUT, {"layout": "fixed", "hooks": FIXED, "connected": True}, []),
        ("303 220 103", {"connected": True}, ["the filled cells are 3 groups, not one"]),
        (
            "330 322 001",
            {"no_full_2x2": True},
            ["the 2x2 block with its top left corner in row 1, column 1 is filled"],
        ),
        ("333 222 100", {}, ["2 stands in 3 cells, not in 2"]),
        (
            "330 220 103",
            {"layout": "fixed", "hooks": "1 2 3\n2 2 3\n3 3 3"},
            [
                "the hook of size 1 holds 1 x 3, not all of one number",
                "the hook of size 2 holds 2 x 2, 1 x 3, not all of one number",
                "the hook of size 3 holds 1 x 1, 1 x 3, not all of one number",
            ],
        ),
        (
            "003 002 321",
            {"numbering": "by_size"},
            ["3 stands in 2 cells, not in 3"],
        ),
        (
            "333 020 102",
            {"numbering": "by_size"},
            ["no hooks down to size 3 can be cut off that each hold all of the number of its size"],
        ),
        ("330 302 102", {}, ["no hooks down to size 3 can be cut off that each hold all of one number"]),
        (CUT, {"givens": ". . .\n. 1 .\n. . ."}, ["row 2, column 2 holds 2, but 1 is given"]),
        (CUT, {"row_sums": "9 4 2"}, ["row 3 sums to 1, not 2"]),
        (CUT, {"column_sums": ". 4 ."}, ["column 2 sums to 5, not 4"]),
        (CUT, {"first_two_product": {"top": "6 6 .", "bottom": "2 6 .", "left": "9 4 ."}}, []),
        (
            CUT,
            {"first_two_product": {"bottom": "6 . .", "right": ". . 1"}},
            [
                "column 1 shows a product of 2 from the bottom, not 6",
                "row 3 shows a product of nothing from the right, not 1",
            ],
        ),
        (CUT, {"first_block_sum": {"bottom": "6 5 3", "right": "9 4 1"}}, []),
        ("303 220 103", {"first_block_sum": {"left": "3 . .", "right": "3 . 3", "top": "6 2 3"}}, []),
        (
            CUT,
            {"first_block_sum": {"top": ". . 6"}},
            ["column 3 shows a block that sums to 3 from the top, not 6"],
        ),
        (CUT, {"regions": "AAB\nBBB\nBBB"}, ["the regions have different sums: 6, 8"]),
        (CUT, {"regions": "ABB\nAAB\n.BB"}, ["the regions have different sums: 1, 6, 7"]),
        (CUT, {"neighbour_sums": ". . .\n. . 5\n. 3 0"}, []),
        (
            CUT,
            {"neighbour_sums": ". . .\n. . .\n2 4 ."},
            [
                "row 3, column 1 holds 1, but must stay empty",
                "the neighbours of row 3, column 2 sum to 3, not 4",
            ],
        ),
    ],
)
def test_what_is_wrong_is_said(text: str, keys: dict[str, Any], broken: list[str]) -> None:
    assert puzzle(3, **keys).check(grid(text)) == broken


def test_every_answer_rule_has_its_answer() -> None:
    assert puzzle(3).answer(grid(CUT)) == 3
    assert puzzle(3, answer_rule="checkerboard_sum").answer(grid(CUT)) == 9


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"size": 0}, "size: "),
        ({"layout": "fixed"}, "hooks: this key is missing"),
        ({"hooks": FIXED}, "hooks: they are to be found"),
        ({"layout": "fixed", "hooks": "3 3 3\n2 2 3\n1 . 3"}, "hooks, row 3, column 2: there is no size"),
        ({"layout": "fixed", "hooks": "3 3 3\n3 2 2\n1 2 3"}, "hooks: the cells with 3 are not an outer row"),
        (
            {"layout": "fixed", "hooks": "3 3 3\n2 1 3\n1 2 3"},
            "2x2 cells that the larger hooks leave, from row 2",
        ),
        ({"givens": "4 . .\n. . .\n. . ."}, "givens, row 1, column 1: 4 is outside 1..3"),
        ({"givens": "1 2\n3 4"}, "givens"),
        ({"row_sums": "1 2"}, "row_sums: 2 entries; it needs 3"),
        ({"column_sums": ". 10 ."}, "column_sums, entry 2: 10 is more than 3 x 3"),
        ({"first_two_product": {"left": ". . 10"}}, "first_two_product.left, entry 3: 10 is more"),
        ({"first_block_sum": {"top": "0 . ."}}, "first_block_sum.top, entry 1"),
        ({"neighbour_sums": ". . .\n. 13 .\n. . ."}, "neighbour_sums, row 2, column 2: 13 is outside 0..12"),
        ({"regions": "AAB\nAB\nBBB"}, "regions, row 2"),
    ],
)
def test_malformed_files_are_refused_with_the_place(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InstanceError, match=message):
        puzzle(**{"size": 3} | changes)


def test_clues_of_several_kinds_are_all_in_the_text() -> None:
    sides = {"left": "8 . ."}
    text = puzzle(
        3,
        first_two_product=sides,
        first_block_sum={"left": ". 7 ."},
        row_sums="6 5 4",
        neighbour_sums="0 . .\n. . .\n. . .",
    ).text(None)
    for line in ("8 │", "  left: . 7 .", "  right: 6 5 4", "(0)"):
        assert line in text


def test_a_random_filling_is_connected_and_without_a_full_block() -> None:
    found = [random_filling(5, by_size, Random(seed)) for by_size in (True, False) for seed in (1, 2, 3)]
    rules = puzzle(5, connected=True, no_full_2x2=True)
    assert any(found)
    assert not any(rules.check(filling) for filling in found if filling)


@given(st.integers(1, 5), st.floats(0, 1), st.integers(0, 10**6))
def test_any_clues_fit_the_planted_grid_and_a_wrong_one_does_not(size: int, share: float, seed: int) -> None:
    rng = Random(seed)
    if not (planted := plant(size, rng)):
        return
    clues = [clue for group in planted.clues for clue in group if rng.random() < share]
    rng.shuffle(clues)
    assert not parse(document(planted.table(clues))).check(planted.solution)
    spoilt = spoil(planted, clues, rng)
    assert spoilt is None or parse(document(planted.table(spoilt))).check(planted.solution)
    assert spoilt or size == 1 or not clues
