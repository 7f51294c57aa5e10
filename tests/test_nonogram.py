"""Nonogram: malformed files, the checker, collections, what models and searches infer, the generator."""

from dataclasses import asdict
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bench.contract import OnSolution, SolveRequest, Task
from bench.drivers import native as driver
from bench.drivers._compiler import compiler
from models.nonogram import generate, native
from models.nonogram.adapter import adapt
from models.nonogram.backtrack import lines, supported
from models.nonogram.clue_models import automaton, moves, passes, starts
from models.nonogram.puzzle import blocks, parse, words
from models.nonogram.random_instances import INSTANCES
from models.shared.document import InstanceError
from models.shared.generator import document
from models.shared.random_instances import header
from models.shared.search import Step, Tally

ARROW = [[0, 0, 1, 0, 0], [0, 1, 1, 1, 0], [1, 0, 1, 0, 1]]
SMALL = header("nonogram") | {"rows": ["1", "3", "1 1 1"], "columns": ["1", "1", "3", "?", "1"]}


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"rows": []}, "rows: there are none"),
        ({"columns": []}, "columns: there are none"),
        ({"rows": ["1", "", "1"]}, 'rows, entry 2: it is empty; write "0"'),
        ({"rows": ["1", "x", "1"]}, "rows, entry 2: 'x' is no length of a block"),
        ({"rows": ["1", "1 0", "1"]}, "rows, entry 2: '0' is no length of a block"),
        ({"rows": ["1 ?", "1", "1"]}, "rows, entry 1: '?' is no length of a block"),
        ({"columns": ["1", "1 2"] + ["1"] * 3}, "columns, entry 2: these blocks need 4 cells; it has 3"),
        ({"rows": "1"}, "rows: should be a list"),
    ],
)
def test_a_malformed_table_is_refused_with_the_place(keys: dict[str, Any], says: str) -> None:
    with pytest.raises(InstanceError) as refused:
        parse(SMALL | keys)
    assert says in str(refused.value) and "\n" not in str(refused.value)


def test_any_change_of_a_cell_is_found_in_its_lines() -> None:
    puzzle = parse(SMALL)
    assert puzzle.check(ARROW) == [] and puzzle.answer(ARROW) == ".###."
    assert puzzle.text(ARROW).splitlines()[1:] == [
        "     1     #",
        "     3   # # #",
        " 1 1 1 #   #   #",
    ]
    for row, column in puzzle.cells:
        changed = [line.copy() for line in ARROW]
        changed[row][column] ^= 1
        broken = puzzle.check(changed)
        assert len(broken) == (1 if column == 3 else 2) and broken[0].startswith(f"row {row + 1} has the")
    assert puzzle.check([[0, 0, 2, 0, 0], *ARROW[1:]]) == ["row 1, column 3 holds 2, not 0 or 1"]
    assert parse(SMALL | {"rows": ["0", "3", "1 1 1"]}).check(ARROW) == ["row 1 has the blocks 1, not 0"]


PUZZ_LINK = "6/6/12g1111h11112j12g11g21j11g3h"
"""From the tests of pzprjs."""


def test_every_notation_of_collections_is_read() -> None:
    picture = ["0 0 1", "1 1 0"]
    ours = {"rows": ["1", "2"], "columns": ["1", "1", "1"]}
    clues = {"row_clues": ["1", "2"], "col_clues": ["1", "1", "1"], "solution": picture}
    assert adapt(clues) == (ours, [[0, 0, 1], [1, 1, 0]])
    assert adapt({"sgt": "3x2:1/1/1/1/2"}) == (ours, None)
    assert adapt({"sgt": "2x2:2/2/1.1/"})[0] == {"rows": ["1 1", "0"], "columns": ["2", "2"]}
    rows, columns = ["2 1", "1 1", "1 2", "0", "1 1", "3"], ["2 1", "1 1 1", "1", "1 1 1", "2 1", "0"]
    assert adapt({"puzzlink": PUZZ_LINK})[0] == {"rows": rows, "columns": columns}
    wide = {"rows": ["17", "0"], "columns": ["1"] * 17}
    assert adapt({"puzzlink": "17/2/" + "1" * 17 + "-11w"})[0] == wide


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, "col_clues: should be a list of texts"),
        ({"col_clues": ["1"], "row_clues": [1]}, "row_clues: should be a list of texts"),
        ({"sgt": "10x10"}, "a Pattern is WIDTHxHEIGHT:CLUES"),
        ({"sgt": "2x2:1/1/1"}, "3 clues; 2 columns and 2 rows need 4"),
        ({"puzzlink": "2/2"}, "the address should end in WIDTH/HEIGHT/CODE"),
        ({"puzzlink": "2/2/11111"}, "should have 4 places or numbers"),
        ({"puzzlink": "2/2/1.11"}, "none unknown"),
        ({"col_clues": [], "row_clues": []}, "there are none"),
    ],
)
def test_what_collections_write_wrongly_is_refused(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(InstanceError, match=says):
        adapt(fields)


LINES = st.lists(st.integers(0, 1), min_size=1, max_size=9)


@given(LINES, st.data())
def test_what_is_inferred_of_a_clue_agrees_with_the_lines_that_have_it(
    line: list[int], data: st.DataObject
) -> None:
    """All lines are tried: by the automaton, by where blocks are, and by which values a solved line keeps."""
    clue, length = blocks(line), len(line)
    having = [each for each in product((0, 1), repeat=length) if blocks(each) == clue]
    steps, accepting = automaton(clue)
    after = {(state, value): then for state, value, then in steps}
    places, known = starts(clue, length), moves(clue, length)
    assert len(after) == len(steps)
    for each in product((0, 1), repeat=length):
        state: int | None = 0
        for value in each:
            state = after.get((state, value)) if state is not None else None
        assert (state in accepting) == (each in having)
    found = set()
    for each in having:
        begin = [p for p in range(length) if each[p] and not (p and each[p - 1])]
        assert all(p in places[b] for b, p in enumerate(begin))
        found.update(enumerate(begin))
        moved = {(b, k): begin[b] - places[b][0] <= k for b, k in known}
        true = [
            (place, value)
            for place, value, one, other in passes(clue, length)
            if (one is None or moved[one]) and not (other and moved[other])
        ]
        assert true == list(enumerate(each))
    assert found == {(b, p) for b, of_block in enumerate(places) for p in of_block}

    masks = st.integers(0, 2**length - 1)
    left = data.draw(masks) | data.draw(masks), data.draw(masks) | data.draw(masks)
    fits = [each for each in having if all(left[value] >> p & 1 for p, value in enumerate(each))]
    kept = [sum(1 << p for p in range(length) if any(each[p] == v for each in fits)) for v in (0, 1)]
    assert supported(clue, length, left) == (tuple(kept) if fits else None)


@pytest.mark.skipif(compiler() is None, reason="there is no C compiler")
@settings(max_examples=20, suppress_health_check=list(HealthCheck), database=None)
@given(st.one_of(INSTANCES, st.integers(4, 12)))
def test_the_search_in_c_executes_the_same_steps(drawn: Any) -> None:
    """Thus the two compare languages; of larger pictures without every fifth clue, too."""
    if isinstance(drawn, int):
        planted = generate.plant(drawn, Random(drawn))
        drawn = document(planted.table([clue for k, clue in enumerate(planted.clues[0]) if k % 5]))
    puzzle = parse(drawn)
    tally = Tally(step=Step.SHAVING)
    request = SolveRequest(Task.COUNT, time_s=60, threads=1, seed=1, solver="c")
    expected = []
    for solution in lines(puzzle, tally):
        expected.append(solution)
        assume(len(expected) < 500)
    found: list[Any] = []
    keep: OnSolution = lambda solution, stands_for: found.append(solution)  # noqa: E731
    figures = asdict(driver.solve(native.lines(puzzle), request, keep))
    assert found == expected
    for theirs, ours in {"presolved_variables": "undecided"}.items() | {
        (name, name) for name in ("variables", "branches", "failures", "propagations")
    }:
        assert figures[theirs] == getattr(tally, ours)


@given(st.integers(1, 12), st.integers(0, 10**6), st.data())
def test_any_clues_of_a_planted_picture_may_be_told(size: int, seed: int, data: st.DataObject) -> None:
    """Where another picture differs, one cell changes; a spoilt clue is the only one that is broken."""
    planted = generate.plant(size, Random(seed))
    for _ in range(2):
        told = data.draw(st.lists(st.sampled_from(planted.clues[0]), unique=True))
        puzzle = parse(document(planted.table(told)))
        assert puzzle.check(planted.solution) == []
        assert sum(clue is not None for clue in puzzle.rows + puzzle.columns) == len(told)
        if spoilt := generate.spoil(planted, told, Random(seed)):
            assert len(parse(document(planted.table(spoilt))).check(planted.solution)) == 1
        other = [[1 - value for value in row] for row in planted.solution]
        before, planted = planted, generate.refute(planted, other, Random(seed))
        pairs = zip(before.solution, planted.solution, strict=True)
        assert sum(a != b for rows in pairs for a, b in zip(*rows, strict=True)) == 1


def test_a_clue_is_written_as_it_is_read() -> None:
    assert [words(None), words(()), words((3, 1))] == [["?"], ["0"], ["3", "1"]]
