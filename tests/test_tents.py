"""Tents: what parse refuses, damaged solutions, pairs, notations of collections."""

from itertools import product
from random import Random
from typing import Any

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.shared.document import InstanceError
from models.shared.generator import document
from models.shared.grid import Cell, Grid
from models.tents.adapter import adapt
from models.tents.puzzle import parse

RING = {"trees": ".T.\nT.T\n.T."}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"trees": ". T\n. X"}, "trees, row 2, column 2: 'X' is neither T nor ."),
        ({"trees": ". T\n."}, "trees, row 2: 1 cells; every row needs 2"),
        ({"trees": ""}, "trees: the grid is empty"),
        ({"row_counts": "1 1"}, "row_counts: 2 entries; it needs 3"),
        ({"col_counts": "1 -1 ?"}, "col_counts, entry 2: '-1' is neither . nor a whole number"),
    ],
)
def test_what_parse_refuses(more: dict[str, Any], message: str) -> None:
    with pytest.raises(InstanceError) as error:
        parse(document(RING | more))
    assert str(error.value).startswith(message) and "\n" not in str(error.value)


def test_any_change_of_a_cell_breaks_a_rule() -> None:
    told = RING | {"row_counts": "2 0 ?", "col_counts": ". 0 2"}
    puzzle, solution = parse(document(told)), [[1, 0, 1], [0, 0, 0], [1, 0, 1]]
    assert not puzzle.check(solution) and puzzle.answer(solution) == "1 0 1"
    for (row, column), value in product(puzzle.cells, (-1, 0, 1, 2)):
        damaged = [[*line] for line in solution]
        damaged[row][column] = value
        assert bool(puzzle.check(damaged)) == (damaged != solution)


@given(seed=st.integers(0, 10**6), share=st.sampled_from([0.2, 0.4, 0.6]))
def test_pairs_are_found_as_networkx_finds_them(seed: int, share: float) -> None:
    rng, grid = Random(seed), Grid(5, 6)
    tents = set[Cell]()
    for r, c in rng.sample(grid.cells, grid.size):
        if rng.random() < share and all(max(abs(r - a), abs(c - b)) > 1 for a, b in tents):
            tents.add((r, c))
    free = [i for i in grid.cells if i not in tents and tents.intersection(grid.near[i])]
    trees = {*rng.sample(free, min(len(tents), len(free)))}
    puzzle = parse(document({"trees": "\n".join(map("".join, grid.solution(lambda i: ".T"[i in trees])))}))
    graph = networkx.Graph((tree, i) for tree, i in puzzle.pairs if i in tents)
    graph.add_nodes_from(tents | trees)
    found = not puzzle.check(grid.solution(lambda i: int(i in tents)))
    assert found == (len(tents) == len(trees) == len(networkx.max_weight_matching(graph)))


def test_what_collections_write() -> None:
    table = {"trees": ". T T\n. . .", "row_counts": "1 1", "col_counts": "1 0 1"}
    assert adapt({"sgt": "3x2:a_c,1,0,1,1,1"}) == (table, None)
    line = {"trees": [". T"], "row_counts": "1", "solution": ["1 0"]}
    assert adapt(line) == ({"trees": ". T", "row_counts": "1"}, [[1, 0]])
    for wrong in ("3x2:a_b,1,0,1,1,1", "3x2:a_c,1,0,1,1", "3x2:A_c,1", "3x2"):
        with pytest.raises(InstanceError):
            adapt({"sgt": wrong})
