"""Block Party for a program: search.c, or any other.

The lines of an instance:
    shave straight height width    1 for `shaving`, else 0; 1 for row-column distance, 0 for taxicab
    the regions of a row's cells   one line for each row; regions are numbered from 0
    the givens of a row's cells    one line for each row; 0 where nothing is given

A solution has the values of all cells, row by row.

The searches are those of backtrack.py: with seed 1, branches and failures are the same numbers. Propagations
are 0.8 to 1.1 times as many: values are removed breadth first here and depth first there, until a
contradiction is found.

Constraints: exactly one (cells, regions), clause (rings), implication (conflicts)
"""

from pathlib import Path

from models.block_party.puzzle import BlockParty
from models.shared.model import Model, by_name, from_integers
from models.shared.native import NativeInput, numbered

SEARCH = Path(__file__).with_name("search.c")


def shaving(puzzle: BlockParty) -> Model:
    """Propagation and trial assignments at each node."""
    return _model(puzzle, shave=True)


def propagation(puzzle: BlockParty) -> Model:
    """Propagation at each node."""
    return _model(puzzle, shave=False)


def _model(puzzle: BlockParty, shave: bool) -> Model:
    region = {cell: number for number, region in enumerate(puzzle.regions) for cell in region}
    rows = [[(r, c) for c in range(len(line))] for r, line in enumerate(puzzle.labels)]
    lines = [
        [int(shave), int(puzzle.distance == "row-column"), len(rows), len(rows[0])],
        *([region[cell] for cell in row] for row in rows),
        *([puzzle.givens.get(cell, 0) for cell in row] for row in rows),
    ]
    return Model(NativeInput(SEARCH, lines, puzzle.size), from_integers(puzzle, numbered(puzzle.cells)))


FORMULATIONS = by_name(shaving, propagation)
