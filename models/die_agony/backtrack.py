"""Die Agony by search: roll the die move by move, and learn a face when it is first on top.

    faces       place in the starting position -> the value that the face was seen to have

A move fits if its face is still unknown (then it takes the value that the score needs) or has that value.
"""

from collections.abc import Iterator
from fractions import Fraction

from models.die_agony.puzzle import DieAgony
from models.die_agony.rolls import Node, moves, start
from models.shared.grid import Cell
from models.shared.model import Tally
from models.shared.puzzle import Solution


def search(puzzle: DieAgony, tally: Tally) -> Iterator[Solution]:
    """Every solution, by depth-first search from the start."""
    faces: dict[int, Fraction] = {}

    def roll(node: Node, path: list[Cell]) -> Iterator[Solution]:
        if node[1] == puzzle.end:
            yield puzzle.solution(path, faces)
            return
        dead_end = True
        for arc in tally.shuffled(moves(puzzle, node)):
            if faces.get(arc.face, arc.value) == arc.value:
                dead_end = False
                tally.branches += 1
                known = arc.face in faces
                faces[arc.face] = arc.value
                yield from roll(arc.target, [*path, arc.target[1]])
                if not known:
                    del faces[arc.face]
        tally.failures += dead_end

    tally.root(variables=puzzle.max_moves, undecided=puzzle.max_moves)
    return roll(start(puzzle), [puzzle.start])


FORMULATIONS = {"roll": search}
