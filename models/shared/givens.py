"""Drafts in which some cells are given: rows of words, `.` for the other cells."""

from collections.abc import Mapping
from random import Random

from models.shared.generator import Draft
from models.shared.grid import Cell, cells_of
from models.shared.puzzle import Solution


def with_givens(draft: Draft, given: set[Cell], instead: Mapping[Cell, int] | None = None) -> Draft:
    """The draft with these cells given: the solution's value, or the one in `instead`."""
    values = {(r, c): value for r, row in enumerate(draft.solution) for c, value in enumerate(row)}
    shown = {cell: str(value) for cell, value in (values | dict(instead or {})).items() if cell in given}
    width = max((len(word) for word in shown.values()), default=1)
    rows = (
        " ".join(f"{shown.get((r, c), '.'):>{width}}" for c in range(len(row)))
        for r, row in enumerate(draft.solution)
    )
    return Draft(draft.table | {"givens": "\n".join(rows) + "\n"}, draft.solution)


def given_in(draft: Draft) -> set[Cell]:
    """The cells that are given."""
    lines = [line.split() for line in draft.table["givens"].splitlines()]
    return {(r, c) for r, words in enumerate(lines) for c, word in enumerate(words) if word != "."}


def differing(draft: Draft, other: Solution) -> list[Cell]:
    """The cells in which the other solution differs from the draft's."""
    return [(r, c) for r, c in cells_of(other) if other[r][c] != draft.solution[r][c]]


def one_more(draft: Draft, other: Solution, rng: Random) -> Draft:
    """The draft with one more cell given, in which the other solution differs."""
    return with_givens(draft, given_in(draft) | {rng.choice(differing(draft, other))})


def two_exchanged(draft: Draft, rng: Random) -> Draft | None:
    """The draft with two of its givens exchanged; None if it has fewer."""
    given = sorted(given_in(draft))
    return swapped(draft, *rng.sample(given, 2)) if len(given) > 1 else None


def swapped(draft: Draft, one: Cell, other: Cell) -> Draft:
    """The draft with the values of two cells swapped, so far as they are given."""
    (r, c), (s, d) = one, other
    rows = draft.solution
    return with_givens(draft, given_in(draft), {one: rows[s][d], other: rows[r][c]})
