"""Latin sums for clingo: the facts of an instance. asp.lp has the rules.

`integers`: holds(I,V) for each cell I and one V in D(I); D(I) is 1..n, or the given number alone.

Constraints: cardinality, sum
"""

from pathlib import Path

from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name, from_atoms

from .puzzle import LatinSums


def integers(puzzle: LatinSums) -> Model:
    """One atom a cell and value; cells are pairs (row, column)."""
    facts = [
        *(fact("value", i, v) for i in puzzle.cells for v in puzzle.domain(i)),
        *(fact("on", number, i) for number, line in enumerate(puzzle.rows_and_columns) for i in line),
        *(fact("cage", number, total) for number, (_, total) in enumerate(puzzle.cages)),
        *(fact("in", number, i) for number, (cells, _) in enumerate(puzzle.cages) for i in cells),
    ]
    program = LogicProgram(Path(__file__).with_name("asp.lp"), facts)
    return Model(program, from_atoms(puzzle))


FORMULATIONS = by_name(integers)
