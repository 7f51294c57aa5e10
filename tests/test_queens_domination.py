"""Queens Domination: the checker, malformed files, lines and attackers, bounds, symmetries, local search."""

from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.queens_domination import native as program
from models.queens_domination.backtrack import Search, cover
from models.queens_domination.generate import plant
from models.queens_domination.local import local
from models.queens_domination.puzzle import QueensDomination, parse
from models.queens_domination.random_instances import INSTANCES, candidates
from models.shared.document import InstanceError
from models.shared.generator import document
from models.shared.search import Tally
from tests.languages import found_alike, needs_compiler

PUZZLES = INSTANCES.map(parse)
FEWEST = [1, 1, 1, 2, 3, 3, 4, 5, 5, 5, 5]
"""On n x n squares for n from 1 on: OEIS A075458."""


def puzzle(*rows: str) -> QueensDomination:
    """The puzzle with these rows of the board."""
    return parse(document({"board": "\n".join(rows)}))


def full(n: int) -> QueensDomination:
    """The board with n x n squares."""
    return puzzle(*["." * n] * n)


@pytest.mark.parametrize(
    ("board", "says"),
    [
        ("", "board: the grid is empty; write one row a line"),
        ("..\n.", "board, row 2: 1 cells; every row needs 2"),
        ("..\n.Q", "board, row 2, column 2: 'Q' is neither . for a square nor # for a hole"),
        ("##\n##", "board: it has no square; write . for each"),
        ("\n".join(["." * 60] * 60), "board: 3600 cells; at most 2500 are allowed"),
    ],
)
def test_a_malformed_file_is_refused_in_words(board: str, says: str) -> None:
    with pytest.raises(InstanceError) as error:
        parse(document({"board": board}))
    assert str(error.value) == says


def test_broken_rules_are_told() -> None:
    board = puzzle("..#.", "....")
    assert board.check([[0, 1, 0, 1], [0, 0, 0, 0]]) == []
    assert board.answer([[0, 1, 0, 1], [0, 0, 0, 0]]) == 2
    assert board.check([[0, 1, 0, 0], [0, 0, 0, 0]]) == [
        "no queen occupies or attacks row 1, column 4",
        "no queen occupies or attacks row 2, column 4",
    ]
    assert board.check([[0, 1, 1, 2], [0, 0, 0, 1]]) == [
        "the queen in row 1, column 3 stands in a hole",
        "row 1, column 4 holds 2, neither 1 for a queen nor 0",
    ]
    for shape in (None, 1, "01", [], [[0, 1, 0, 1]], [[0, 1, 0, True], [0, 0, 0, 0]]):
        assert board.check(shape) == ["the solution is not 2 rows of 4 whole numbers each"]
    assert board.text([[0, 1, 0, 1], [0, 0, 0, 0]]) == ". Q # Q\n. . . ."


@given(PUZZLES, st.data())
def test_a_queen_reaches_its_lines(board: QueensDomination, data: st.DataObject) -> None:
    """The checker, which walks from the queens, misses all squares but these; each is in four lines."""
    queen = data.draw(st.sampled_from(board.squares))
    missed = board.check(board.solution(lambda square: int(square == queen)))
    assert len(missed) == board.size - len(board.attackers[queen])
    assert sum(queen in line for line in board.lines) == 4


@pytest.mark.parametrize("n", range(1, len(FEWEST) + 1))
def test_the_fewest_queens_are_proven(n: int) -> None:
    """By bounds that no solution is better than, each solution better than the one before."""
    board, bounds, tally = full(n), list[float](), Tally()
    tally.on_bound = bounds.append
    found = [board.answer(solution) for solution in cover(board, tally) if not board.check(solution)]
    assert found[-1] == FEWEST[n - 1] >= max(bounds) > 0
    assert found == sorted({*found}, reverse=True)


@given(PUZZLES, st.integers(1, 3))
def test_any_order_finds_the_fewest(board: QueensDomination, seed: int) -> None:
    """Also without symmetries; no bound is more than the queens of a solution."""
    fewest = min(board.answer(each) for each in candidates(board) if not board.check(each))
    assert board.answer([*cover(board, Tally(seed))][-1]) == fewest
    search = Search(board, Tally(seed))
    assert search.bound(search.root) <= fewest


def test_symmetries_are_those_of_the_board() -> None:
    boards = {full(3): 8, puzzle("..."): 4, puzzle("..#", "..."): 1, puzzle("#..", "...", "..#"): 4}
    for board, number in boards.items():
        assert len(Search(board, Tally()).root.symmetries) == number


@pytest.mark.parametrize("seed", [1, 2])
def test_local_search_has_fewer_and_fewer_queens(seed: int) -> None:
    for board, fewest in ((full(9), 5), (puzzle("...#...", ".#...#."), 3), (full(2), 1)):
        found = []
        for solution in islice(local(board, Tally(seed)), 20):
            assert board.check(solution) == []
            found.append(board.answer(solution))
            if found[-1] == fewest:
                break
        assert found == sorted({*found}, reverse=True) and found[-1] == fewest


@given(st.integers(1, 12), st.integers(0, 9))
def test_what_is_planted_reaches_every_square(size: int, seed: int) -> None:
    if planted := plant(size, Random(seed)):
        assert parse(document(planted.table([]))).check(planted.solution) == []


@needs_compiler
def test_the_searches_in_c_and_python_branch_alike() -> None:
    for board in (
        full(9),
        puzzle(*["." * 9] * 8),
        puzzle("..#....", ".......", "...#...", ".......", "#......"),
    ):
        python, c = found_alike(board, cover, program.cover(board))
        assert python == c
