"""Generates Star Battles: stars that do not touch, with random regions around them.

The rows are the first regions. Two neighbours are joined again and again, and cut along an edge of a random
spanning tree that leaves each its stars. Where another solution differs, a cell is moved to another region.
Regions cannot be left out of an instance, so its only clues are false ones: cells that are moved.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence, Set
from random import Random

from models.shared.exact_cover import exact_covers, items_of
from models.shared.generator import Clue, Planted, Table, document
from models.shared.grid import Cell, Grid, connected_parts, labels_text
from models.shared.puzzle import Solution
from models.shared.search import LimitedTally, Undecided, View
from models.star_battle.puzzle import StarBattle, parse

SIZE = "cells on a side"

SMALLEST = 4  # the smallest grid with stars that do not touch, but for a single cell
LEAST = {2: 9, 3: 12}  # the sizes from which on so many stars are in a row: the denser, the fewer solutions
SEARCHES, BRANCHES = 30, 300  # for such stars
CUTS = 40  # for each region
CHANGES = 4  # of which one is chosen where another solution differs

Regions = Mapping[Cell, Hashable]
"""The label of the region of each cell."""


def plant(size: int, rng: Random) -> Planted | None:
    """Stars with regions; None if no stars were found."""
    if size != 1 and size < SMALLEST:
        raise ValueError(f"the grid needs {SMALLEST} cells or more on a side, or one")
    return with_stars(size, max([1, *(k for k, least in LEAST.items() if size >= least)]), rng)


def with_stars(size: int, k: int, rng: Random) -> Planted | None:
    """A grid with k stars in each row, column and region; None if no stars were found."""
    grid = Grid(size, size)
    for _ in range(SEARCHES):
        if stars := random_stars(grid, k, rng):
            return with_regions(stars, k, random_regions(grid, stars, rng))
    return None


def random_stars(grid: Grid, k: int, rng: Random) -> set[Cell] | None:
    """Stars that do not touch, k in each row and column; None if a short search finds none."""
    lines, blocks = grid.rows_and_columns, grid.blocks
    items, options = [(k, k)] * len(lines) + [(0, 1)] * len(blocks), items_of(grid.cells, lines + blocks)
    tally = LimitedTally(rng.randrange(2, 10**9), BRANCHES)
    try:
        found = next(exact_covers(items, options, tally, str, lambda *_: View()), [])
    except Undecided:
        return None
    return {grid.cells[option] for option in found}


def random_regions(grid: Grid, stars: Set[Cell], rng: Random) -> Regions:
    """Connected regions with as many stars as a row has."""
    regions = {cell: cell[0] for cell in grid.cells}
    for _ in range(CUTS * grid.height):
        cell = rng.choice(grid.cells)
        one, other = regions[cell], regions[rng.choice(grid.near[cell] or [cell])]
        if one != other:
            joined = [i for i in grid.cells if regions[i] in (one, other)]
            part = random_half(grid, joined, stars, rng)
            regions |= {i: one if i in part else other for i in joined if part}
    return regions


def random_half(grid: Grid, cells: Sequence[Cell], stars: Set[Cell], rng: Random) -> set[Cell]:
    """A part of connected cells with half of their stars; it is connected, and so are the others.

    It is a branch of a random spanning tree; there may be none, which returns no cells.
    """
    inside, parent, edges = {*cells}, dict[Cell, Cell](), [(cells[0], cells[0])]
    while edges:
        cell, before = edges.pop(rng.randrange(len(edges)))
        if cell not in parent:
            parent[cell] = before
            edges += [(other, cell) for other in grid.near[cell] if other in inside]
    # The tree is listed from its root on.
    below = {cell: int(cell in stars) for cell in parent}
    for cell, before in reversed(parent.items()):
        below[before] += below[cell] * (before != cell)
    half = len(stars & inside) // 2
    tops = [cell for cell in parent if below[cell] == half]
    part = {rng.choice(tops)} if tops else set()
    for cell, before in parent.items():
        if before in part:
            part.add(cell)
    return part


def with_regions(stars: Set[Cell], k: int, regions: Regions) -> Planted:
    """The grid with these regions; a clue moves a cell to the region of another."""
    side = max(regions)[0] + 1

    def table(clues: Collection[Clue]) -> Table:
        parts: dict[Hashable, list[Cell]] = {}
        for cell, region in ({**regions} | {cell: regions[other] for cell, other in clues}).items():
            parts.setdefault(region, []).append(cell)
        return {"stars": k, "regions": labels_text(parts.values(), side)}

    solution = [[int((row, column) in stars) for column in range(side)] for row in range(side)]
    return Planted(solution, [], table)


def moves(puzzle: StarBattle, cells: Iterable[Cell]) -> list[tuple[Cell, Cell]]:
    """The cells that may leave their region, which stays connected, each with a cell of the next one."""
    return [
        (cell, other)
        for cell in cells
        if len(connected_parts({*puzzle.regions[label(puzzle, cell)]} - {cell})) == 1
        for other in puzzle.near[cell]
        if label(puzzle, other) != label(puzzle, cell)
    ]


def label(puzzle: StarBattle, cell: Cell) -> str:
    """The label of its region."""
    return puzzle.labels[cell[0]][cell[1]]


def refute(planted: Planted, other: Solution, rng: Random) -> Planted | None:
    """A cell in which only the other solution has a star changes its region; None if none can.

    Of several such changes it is the one to the largest region from the smallest: small ones leave less open.
    """
    puzzle = parse(document(planted.table([])))
    empty = [(row, column) for row, column in puzzle.cells if not planted.solution[row][column]]
    starred = [(row, column) for row, column in empty if other[row][column]]
    if not (options := moves(puzzle, starred) or moves(puzzle, empty)):
        return None

    def growth(move: tuple[Cell, Cell]) -> int:
        """By how much the region that is entered is larger than the one that is left."""
        left, entered = (len(puzzle.regions[label(puzzle, i)]) for i in move)
        return entered - left

    cell, beside = max(rng.choices(options, k=CHANGES), key=growth)
    regions = {i: label(puzzle, i) for i in puzzle.cells} | {cell: label(puzzle, beside)}
    return with_regions({*puzzle.cells} - {*empty}, puzzle.stars, regions)


def spoil(planted: Planted, clues: Sequence[Clue], rng: Random) -> Sequence[Clue] | None:
    """A star is in another region; None if none can be."""
    puzzle = parse(document(planted.table([])))
    stars = [(row, column) for row, column in puzzle.cells if planted.solution[row][column]]
    return [rng.choice(options)] if (options := moves(puzzle, stars)) else None
