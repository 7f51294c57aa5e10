"""Sudoku by Peter Norvig's search, over the candidates, groups and alternatives of cover.py.

It branches on the cell with the fewest candidates, and propagates:
- a candidate that is the last of its group is chosen; others in a group of a chosen candidate are removed;
- an alternative is dropped when one of its candidates is removed; what all alternatives left of a clue
  exclude, as they have another digit in its cell, is removed;
- if the row divisor has too many multiples to list, a row keeps the digits that some multiple has there.
With all different alone, only the candidate that is the last of its cell is chosen, and a clue or row refutes
no more than what is decided. With shaving, a candidate that propagation refutes on trial is removed, at each
node, until nothing changes.

`exact_cover` is the general search for them, which checks clues at the end.

Constraints: exactly one (cells, units), table (clues), regular (multiples)
"""

from collections.abc import Collection, Iterator

from models.shared.bits import members
from models.shared.exact_cover import exact_covers, items_of
from models.shared.grid import Cell, in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, depth_first, propagates
from models.sudoku.clues import divisible_rows
from models.sudoku.cover import clues, cover_of, digits_of_multiples
from models.sudoku.puzzle import Sudoku

Node = tuple[int, int]
"""The candidates that are left, and those of them that are chosen."""


class Search:
    """The search for the solutions of one puzzle.

    Attributes:
        stated: the candidates, without those that givens exclude.
        clues: the alternatives of each, with their cells.
        divisor: the row divisor, if the rows are not listed among the clues; or 0.
    """

    def __init__(self, puzzle: Sudoku, tally: Tally) -> None:
        """States the givens and the clues."""
        self.puzzle, self.tally = puzzle, tally
        self.full = tally.step >= Step.FULL
        self.cells = list(tally.shuffled(puzzle.cells))
        self.cover = cover = cover_of(puzzle.box, len(puzzle.digits))
        self.start = {digit: d * cover.span for d, digit in enumerate(puzzle.digits)}
        self.number = number = {cell: i for i, cell in enumerate(puzzle.cells)}
        self.stated = cover.candidates
        for cell, digit in puzzle.givens.items():
            self.stated &= ~(cover.cell << number[cell]) | 1 << self.start[digit] + number[cell]
        rows = divisible_rows(puzzle)
        self.divisor = 0 if rows else puzzle.row_divisor or 0
        self.clues = [
            [
                (
                    sum(1 << self.start[v] + number[i] for i, v in option),
                    sum(1 << number[i] for i, _ in option),
                )
                for option in options
            ]
            for options in clues(puzzle, rows)
        ]

    def held(self, left: int, cell: Cell) -> dict[int, int]:
        """Returns the digits that a cell can hold, each with its candidate."""
        i = self.number[cell]
        return {digit: x for digit, start in self.start.items() if (x := 1 << start + i) & left}

    def narrow(self, node: Node, new: int = 0) -> tuple[bool, Node]:
        """Chooses new candidates, and propagates until nothing changes; False on a contradiction."""
        cover, (left, chosen) = self.cover, node
        while True:
            chosen |= new
            while new:
                x = new & -new
                left &= cover.excluding(x.bit_length() - 1)
                new ^= x
            last, missing = cover.last_of_cells(left)
            new = last & ~chosen
            if not missing and not new:
                last, missing = cover.last_of_units(left)
                new = last & ~chosen if self.full else 0
            if new and not missing:
                continue
            kept = 0 if missing else self.kept_by_clues(left)
            if kept in (0, left):
                self.tally.propagations += (node[0] ^ left).bit_count()
                return kept != 0, (left, chosen)
            left = kept

    def kept_by_clues(self, left: int) -> int:
        """Returns what the clues and the row divisor leave; nothing if a clue has no alternative."""
        for options in self.clues:
            some, common = 0, self.cover.board
            for option, cells in options:
                if left & option == option:
                    some |= option
                    common &= cells
            if not some:
                return 0
            if self.full:
                left &= ~(common * self.cover.cell) | some
        for row in range(self.puzzle.side) if self.divisor else ():
            held = [self.held(left, (row, column)) for column in range(self.puzzle.side)]
            if self.full or all(len(of_cell) == 1 for of_cell in held):
                for of_cell, kept in zip(held, digits_of_multiples(held, self.divisor), strict=True):
                    left ^= sum(x for digit, x in of_cell.items() if digit not in kept)
        return left

    def prune(self, node: Node, new: int = 0) -> tuple[bool, Node]:
        """Propagates as far as the step goes; False on a contradiction."""
        consistent, node = self.narrow(node, new)
        before = None
        while consistent and node != before and self.tally.step >= Step.SHAVING:
            before = node
            # A candidate that propagation refutes on trial is removed.
            for x in members(node[0] & ~node[1] & self.cover.in_cells):
                open_ = node[0] & ~node[1] & 1 << x
                if open_ and not self.narrow(node, open_)[0]:
                    consistent, node = self.narrow((node[0] ^ open_, node[1]))
                if not consistent:
                    break
        return consistent, node

    def options(self, node: Node) -> Iterator[tuple[str, Node, bool]]:
        """Yields what to try at a node, in words, with the node then, and whether it is consistent."""
        if fewest := self.cover.fewest(node[0]):
            cell = next(cell for cell in self.cells if fewest >> self.number[cell] & 1)
            for digit, x in self.held(node[0], cell).items():
                consistent, child = self.prune(node, x)
                yield f"{in_words(cell)}: {digit}", child, consistent

    def solution(self, left: int) -> Solution:
        """Returns the grid with the one candidate that is left in each cell."""
        of_digits = ((digit, left >> start & self.cover.board) for digit, start in self.start.items())
        held = {self.puzzle.cells[i]: digit for digit, cells in of_digits for i in members(cells)}
        return self.puzzle.solution(held.__getitem__)

    def view(self, node: Node) -> View:
        """The digits that are left in each cell."""
        return View({cell: [*self.held(node[0], cell)] for cell in self.puzzle.cells})


@propagates(Step.FULL, Step.ALL_DIFFERENT, Step.SHAVING)
def norvig(puzzle: Sudoku, tally: Tally) -> Iterator[Solution]:
    """Yields every solution: propagation, and the cell with the fewest candidates."""
    search = Search(puzzle, tally)
    cover = search.cover
    consistent, root = search.prune((search.stated, 0))
    stated, left, chosen = ((bits & cover.in_cells).bit_count() for bits in (search.stated, *root))
    undecided, left = puzzle.size - chosen, left if consistent else puzzle.size
    tally.root(variables=puzzle.size, undecided=undecided, values=stated, values_left=left)
    for left, _ in depth_first(tally, root, consistent, search.options, search.view):
        yield search.solution(left)


@propagates(Step.FULL, Step.ALL_DIFFERENT, Step.SHAVING)
def exact_cover(puzzle: Sudoku, tally: Tally) -> Iterator[Solution]:
    """Yields every solution: candidates that cover each group once, of which clues are checked at the end."""
    search = Search(puzzle, tally)
    cover, kinds = search.cover, len(puzzle.digits)
    candidates = members(search.stated)
    holding = items_of(puzzle.cells, puzzle.units)
    # A digit that is left out covers all its groups.
    everywhere = range(len(puzzle.units))

    def groups(candidate: int) -> list[int]:
        d, i = divmod(candidate, cover.span)
        in_cell = i < puzzle.size
        units = holding[i] if in_cell else everywhere
        return [i] * in_cell + [puzzle.size + unit * kinds + d for unit in units]

    def left_of(*options: Collection[int]) -> int:
        return sum(1 << candidates[option] for some in options for option in some)

    def word(option: int) -> str:
        d, i = divmod(candidates[option], cover.span)
        place = in_words(puzzle.cells[i]) if i < puzzle.size else "without"
        return f"{place}: {puzzle.digits[d]}"

    items = [(1, 1)] * (puzzle.size + len(puzzle.units) * kinds)
    options = [groups(candidate) for candidate in candidates]
    for chosen in exact_covers(
        items, options, tally, word, lambda *options: search.view((left_of(*options), 0))
    ):
        if search.kept_by_clues(left := left_of(chosen)) == left:
            yield search.solution(left)


FORMULATIONS = by_name(norvig, exact_cover)
