"""Die Agony by search: roll the die move by move, and learn a face when it is first on top.

    faces[f]    the value that face f was seen to have, by its place in the starting position

`roll` makes a move if the face on top has the value that the move shows (model.md), or none yet: then it has
this one until the search backs up.

Constraints: none is propagated
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from models.die_agony.network import Node, moves, start
from models.die_agony.puzzle import NAMES, DieAgony, written
from models.shared.grid import Cell, in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Tally, View


def roll(puzzle: DieAgony, tally: Tally) -> Iterator[Solution]:
    """Yields every solution, by depth-first search from the start."""
    faces: dict[int, Fraction] = {}

    def view(path: list[Cell]) -> View:
        known = [f"{name} at the start: {written(faces[f])}" for f, name in enumerate(NAMES) if f in faces]
        return View(path=path, notes=known)

    def extend(node: Node, path: list[Cell]) -> Iterator[Solution]:
        if tally.watcher:
            decision = f"to {in_words(node.cell)}" if node.moves else ""
            goes_on = any(faces.get(arc.face, arc.value) == arc.value for arc in moves(puzzle, node))
            tally.watcher.node(node.moves, decision, partial(view, path), goes_on or node.cell == puzzle.end)
        if node.cell == puzzle.end:
            yield puzzle.solution(path, faces)
            return
        dead_end = True
        for arc in tally.shuffled(moves(puzzle, node)):
            if faces.get(arc.face, arc.value) == arc.value:
                dead_end = False
                tally.branches += 1
                known = arc.face in faces
                faces[arc.face] = arc.value
                yield from extend(arc.target, [*path, arc.target.cell])
                if not known:
                    del faces[arc.face]
        tally.failures += dead_end

    tally.root(variables=puzzle.max_moves, undecided=puzzle.max_moves)
    return extend(start(puzzle), [puzzle.start])


FORMULATIONS = by_name(roll)
