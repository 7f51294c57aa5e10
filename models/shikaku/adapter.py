"""Shikaku of collections: grids, addresses of puzz.link, and descriptions by Rectangles of sgt-puzzles."""

import re
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from models.shared.adapter import address, block, coded_grid
from models.shared.document import InstanceError, shorten
from models.shared.graph import graph_of, parts_of
from models.shared.grid import cells_of
from models.shared.puzzle import Solution

KINDS = ("shikaku", "rect")

Words = Sequence[Sequence[str]]


def adapt(fields: Mapping[str, Any]) -> tuple[dict[str, Any], Solution]:
    """The puzzle's keys of an instance file, and the published solution or None; raises InstanceError."""
    labels = fields.get("solution")
    if "sgt" in fields:
        shape, _, code = str(fields["sgt"]).partition(":")
        if not (found := re.fullmatch("([1-9][0-9]?)x([1-9][0-9]?)", shape)):
            raise InstanceError(f"{shorten(shape)} should be the width and height of the grid, as in 9x9")
        clues = coded_grid(code, int(found[1]), int(found[2]), "a", 10)
    elif "puzzlink" in fields:
        width, height, code = address(fields["puzzlink"])
        # & ends the code.
        clues = coded_grid(re.split("[&%]", code)[0], width, height, "g", 16)
        labels = _parts(width, height, str(fields["moves"])) if "moves" in fields else None
    else:
        clues = [row.split() for row in block(fields, "givens").splitlines()]
    return {"clues": "\n".join(map(" ".join, clues))}, _numbered(labels, clues)


def _parts(width: int, height: int, moves: str) -> list[str]:
    """The rows of labels that lines leave, which are drawn from point to point, counted in half cells."""
    lines = {tuple(map(int, each)) for each in re.findall("mouse,left" + ",([0-9]+)" * 4, moves)}
    cells = list(product(range(height), range(width)))
    edges = []
    for (row, column), (down, right) in product(cells, ((0, 1), (1, 0))):
        # The side between two cells, from its upper or left end.
        x, y = 2 * (column + right), 2 * (row + down)
        if (row + down, column + right) in cells and (x, y, x + 2 * down, y + 2 * right) not in lines:
            edges.append(((row, column), (row + down, column + right)))
    parts = enumerate(parts_of(graph_of(edges, cells)))
    label = {cell: str(number) for number, part in parts for cell in part}
    return [" ".join(label[r, c] for c in range(width)) for r in range(height)]


def _numbered(rows: Any, clues: Words) -> Solution:
    """The rows of labels, each as the number of the clue that it has, 0 if none; others stay as they are."""
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        return rows
    labels = [row.split() for row in rows]
    if [*map(len, labels)] != [*map(len, clues)]:
        return rows
    with_clues = [labels[r][c] for r, c in cells_of(clues) if clues[r][c] != "."]
    number = {label: n for n, label in enumerate(with_clues, 1)}
    return [[number.get(label, 0) for label in row] for row in labels]
