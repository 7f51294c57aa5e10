"""Peaceable Queens for clingo; asp.lp states the rules.

Constraints: clauses, weighted sum
"""

from collections.abc import Sequence
from pathlib import Path

from models.peaceable_queens.puzzle import PeaceableQueens
from models.peaceable_queens.symmetry import inequalities
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name, from_atoms

RULES = Path(__file__).with_name("asp.lp")


def symmetry_breaking(puzzle: PeaceableQueens) -> Model:
    """An atom for each line besides, true if white owns it; of solutions that are alike only some."""
    kept = [*enumerate(inequalities(puzzle))]
    facts = [fact("on", i, line) for line, squares in puzzle.lines.items() for i in squares]
    facts += [fact("most", k, most) for k, (_, most) in kept]
    facts += [fact("weight", k, line, weight) for k, (weights, _) in kept for line, weight in weights.items()]
    return _model(puzzle, "symmetry_breaking", facts)


def textbook(puzzle: PeaceableQueens) -> Model:
    """An atom for each square and colour."""
    return _model(puzzle, "textbook", [fact("attacks", i, j) for i, j in puzzle.attacks()])


def _model(puzzle: PeaceableQueens, part: str, facts: Sequence[str]) -> Model:
    """The rules that all share, and those of one part."""
    facts = [*(fact("square", i) for i in puzzle.squares), *facts]
    return Model(LogicProgram(RULES, facts, (part,)), from_atoms(puzzle))


FORMULATIONS = by_name(symmetry_breaking, textbook)
