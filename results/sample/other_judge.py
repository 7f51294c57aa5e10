"""Generates three Sudokus like those of the sample, whose uniqueness a SAT solver proves.

pip install python-sat && python results/sample/other_judge.py results/sample/other_judge
"""

import sys
from itertools import combinations, product
from pathlib import Path
from random import Random

from pysat.solvers import Glucose4

from models.shared.puzzle import Solution
from models.sudoku import generate
from models.sudoku.puzzle import Sudoku

SIDE = 25
CONFLICTS = 20_000
"""How many conflicts a proof may need: the sample's search may need 100 branches."""


class Judge:
    """Glucose on the empty grid, with givens as assumptions: what it learns serves all proofs."""

    def __init__(self, puzzle: Sudoku, solution: Solution) -> None:
        """States the rules, and that at least one cell differs from the known solution."""
        side, (height, width) = puzzle.side, puzzle.box
        self.solver = Glucose4()
        boxes: dict[tuple[int, int, int], list[int]] = {}
        for line, digit in product(range(side), puzzle.digits):
            self.exactly_one([literal(puzzle, line, column, digit) for column in range(side)])
            self.exactly_one([literal(puzzle, row, line, digit) for row in range(side)])
        for row, column in puzzle.cells:
            self.exactly_one([literal(puzzle, row, column, digit) for digit in puzzle.digits])
            for digit in puzzle.digits:
                box = boxes.setdefault((row // height, column // width, digit), [])
                box.append(literal(puzzle, row, column, digit))
        for literals in boxes.values():
            self.exactly_one(literals)
        self.solver.add_clause([-literal(puzzle, r, c, solution[r][c]) for r, c in puzzle.cells])

    def exactly_one(self, literals: list[int]) -> None:
        """One of these is true."""
        self.solver.add_clause(literals)
        for pair in combinations(literals, 2):
            self.solver.add_clause([-each for each in pair])

    def proves(self, puzzle: Sudoku) -> bool:
        """Whether the givens of the puzzle leave no other solution, proven within the limit."""
        given = [literal(puzzle, row, column, digit) for (row, column), digit in puzzle.givens.items()]
        self.solver.conf_budget(CONFLICTS)
        return self.solver.solve_limited(assumptions=given) is False


def literal(puzzle: Sudoku, row: int, column: int, digit: int) -> int:
    """The variable that says that the cell holds the digit."""
    return (row * puzzle.side + column) * puzzle.side + digit


def text(seed: int, puzzle: Sudoku, clues: set[tuple[int, int]], solution: Solution) -> str:
    """The instance file."""
    rows = "\n".join(
        " ".join(str(solution[r][c]) if (r, c) in clues else "." for c in range(puzzle.side))
        for r in range(puzzle.side)
    )
    return f'''puzzle = "sudoku"
title = "Sudoku, {SIDE}x{SIDE}, seed {seed}, judged by a SAT solver"
source = "results/sample/other_judge.py"

box = {list(puzzle.box)}
digits = "{" ".join(map(str, puzzle.digits))}"
givens = """
{rows}
"""
'''


def main(folder: Path) -> None:
    """Writes the instances."""
    folder.mkdir(exist_ok=True)
    for seed in (1, 2, 3):
        rng, puzzle = Random(seed), generate.empty(SIDE)
        solution = generate.random_grid(puzzle, rng)
        judge = Judge(puzzle, solution)
        generate.is_only_solution = lambda fewer, _, judge=judge: judge.proves(fewer)
        cells = rng.sample(puzzle.cells, len(puzzle.cells))
        clues = generate.needed(puzzle, solution, cells)
        (folder / f"sudoku_{SIDE}_{seed}.toml").write_text(text(seed, puzzle, clues, solution))
        print(seed, f"{len(clues)} givens", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
