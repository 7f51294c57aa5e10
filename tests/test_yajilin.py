"""Yajilin: malformed files, the checker, collections and addresses, the candidates."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.shared.document import InstanceError
from models.shared.generator import document
from models.yajilin.adapter import adapt
from models.yajilin.puzzle import Yajilin, parse
from models.yajilin.random_instances import candidates

RING = [["se", "ew", "sw"], ["ns", "#", "ns"], ["ne", "ew", "nw"]]
CLUED = [["se", "sw", "."], ["ne", "nw", "#"], [".", "#", "."]]


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        ("", "cells: the grid is empty"),
        (". .\n.", "cells, row 2: 1 cells; every row needs 2"),
        (". .\n. 2x", "cells, row 2, column 2: '2x' should be ., # or a clue such as 2e"),
        (". 1E\n. .", "cells, row 1, column 2: '1E' should be ., # or a clue such as 2e"),
    ],
)
def test_a_malformed_grid_is_refused_with_the_place(cells: str, says: str) -> None:
    with pytest.raises(InstanceError) as refused:
        parse(document({"cells": cells}))
    assert str(refused.value).startswith(says)


@given(
    st.integers(0, 2), st.integers(0, 2), st.sampled_from([".", "#", "ns", "ne", "se", "ew", "x", 1, None])
)
def test_a_word_that_changes_breaks_a_rule(row: int, column: int, word: object) -> None:
    damaged: list[list[object]] = [[*line] for line in RING]
    damaged[row][column] = word
    assert bool(Yajilin(3, 3, {}).check(damaged)) == (damaged != RING)


def test_each_rule_is_checked() -> None:
    puzzle = parse(document({"cells": ". . 1s\n. . .\n# . 1n"}))
    assert puzzle.check(CLUED) == [] and puzzle.answer(CLUED) == 2
    assert puzzle.clues == [(1, [(1, 2)]), (1, [(1, 2)])]
    assert parse(document({"cells": ". . 2s\n. . .\n# . 0n"})).check(CLUED) == [
        "row 1, column 3 sees 1 black cells, not 2",
        "row 3, column 3 sees 1 black cells, not 0",
    ]
    assert len(Yajilin(1, 2, {}).check([["#", "#"]])) == 3
    two = [["se", "sw", "se", "sw"], ["ne", "nw", "ne", "nw"]]
    assert Yajilin(2, 4, {}).check(two) == ["there is not one loop"]
    assert Yajilin(2, 4, {}).check([]) == ["the solution is not 2 rows of 4 words each"]


def test_the_loops_of_nine_cells_go_around_the_middle_or_cut_a_corner() -> None:
    puzzle = Yajilin(3, 3, {})
    found = [solution for solution in candidates(puzzle) if not puzzle.check(solution)]
    assert RING in found and len(found) == 5
    assert all(solution[1][1] == "#" or puzzle.answer(solution) == 1 for solution in found)


def test_notations_of_collections() -> None:
    """Directions come in either order; an address has numbers of one, two and three digits, and none."""
    fields = {"cells": [". . 1s", ". . .", "# . 1n"], "solution": ["es ws .", "en wn #", ". # ."]}
    assert adapt(fields) == ({"cells": ". . 1s\n. . .\n# . 1n"}, CLUED)
    assert adapt({"puzzlink": "b/3/3/b21c0.a11"}) == ({"cells": ". . 1s\n. . .\n# . 1n"}, None)
    assert adapt({"puzzlink": "5/1/810-30102.45a"})[0] == {"cells": "16w 16w # 5e ."}
    for end in ("3/3/b21c0.a1", "3/3/b21c0.a11a", "3/3/b21c0.a1!", "o/3/3/i"):
        with pytest.raises(InstanceError):
            adapt({"puzzlink": end})
