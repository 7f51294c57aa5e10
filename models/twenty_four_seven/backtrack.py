"""Twenty Four Seven by search: propagate, find out which cells are filled, then the numbers, back up.

`propagation`, until nothing changes:
- a cell keeps a value that a word of its row has there, made of values that are left (words.py); so for its
  column;
- a number that is placed as often as it may be is removed from the other cells of the window, one that has
  only as many cells left as it needs is assigned to them;
- of four cells in a block, the last is empty if three are filled;
- a cell is empty if no path through cells that may be filled leads to it from those that are;
- where no window is, the cells of a clue outside keep what can be the first number, or complete the sum.
With bounds, the word of a row or column waits until its cells are decided; until then four of them are
filled, by their count, and sum to 20, by the bounds of their values. With shaving, a value that propagation
refutes on trial is removed, at each node, until nothing changes.

It first branches on whether a cell is empty or filled: of those that may be both, the one with the most
neighbours, diagonal ones too, of which that is known. So a region grows, and its rows, columns and blocks
refute early what does not fit. Then it branches on the numbers of the smallest domain.

Constraints: table (the words of a row or column, to domain consistency), global cardinality, sum, first
number, clause (blocks), connected
"""

from collections.abc import Iterator, Sequence

from models.shared.bits import least
from models.shared.grid import in_words
from models.shared.model import by_name
from models.shared.partly_filled import EMPTY
from models.shared.partly_filled_search import Board, Search, State
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, View, propagates
from models.twenty_four_seven.layout import windows
from models.twenty_four_seven.puzzle import FILLED, TOTAL, TwentyFourSeven
from models.twenty_four_seven.words import SINGLE, VALUES, Words, first_numbers, sums, window_lines


class Rules:
    """The rules of Twenty Four Seven, and what to branch on."""

    def __init__(self, puzzle: TwentyFourSeven, tally: Tally):
        lines = window_lines(puzzle)
        self.puzzle, self.tally = puzzle, tally
        self.board = Board(puzzle.cells, puzzle.width, len(VALUES), [cells for cells, _, _ in lines], tally)
        self.root = self.board.root(puzzle.givens)
        self.words = Words()
        self.words_of = [self.words.between(first, last) for _, first, last in lines]
        index = self.board.index
        self.windows = [sum(1 << index[cell] for cell in window) for window in windows(puzzle)]
        self.firsts = [([index[cell] for cell in cells], n) for cells, n in first_numbers(puzzle)]
        self.sums = [([index[cell] for cell in cells], total) for cells, total in sums(puzzle)]

    def bounds(self, state: State, number: int) -> bool:
        """Four cells are filled, and sum to 20."""
        cells = self.board.lines[number]
        return self.four(state, cells) and self.board.adds_up(state, cells, TOTAL)

    def supported(self, number: int, domains: list[int]) -> Sequence[int]:
        """The values that the words of a line leave to its cells."""
        return self.words.supported(self.words_of[number], domains)

    def others(self, state: State) -> bool:
        """One round of the rules but words."""
        return (
            all(self.board.counts(state, window) for window in self.windows)
            and self.board.no_block(state)
            and self.board.connected(state)
            and all(self.first(state, cells, number) for cells, number in self.firsts)
            and all(self.board.adds_up(state, cells, total) for cells, total in self.sums)
        )

    def four(self, state: State, cells: list[int]) -> bool:
        """Four cells are filled."""
        may_be = [i for i in cells if state.domains[i] & ~(1 << EMPTY)]
        filled = [i for i in may_be if not state.domains[i] & 1 << EMPTY]
        if len(filled) > FILLED or len(may_be) < FILLED:
            return False
        if len(filled) == FILLED:
            return all(self.board.keep(state, i, 1 << EMPTY) for i in cells if i not in filled)
        return len(may_be) > FILLED or all(self.board.keep(state, i, ~(1 << EMPTY)) for i in may_be)

    def first(self, state: State, cells: list[int], number: int) -> bool:
        """The first filled cell that is met from outside holds the number."""
        places = []
        for i in cells:
            if state.domains[i] >> number & 1:
                places.append(i)
            if not state.domains[i] & 1 << EMPTY:
                break
        if not places:
            return False
        before = cells[: cells.index(places[0])]
        here = 1 << number | (1 << EMPTY if len(places) > 1 else 0)
        return all(self.board.keep(state, i, 1 << EMPTY) for i in before) and self.board.keep(
            state, places[0], here
        )

    def options(self, state: State) -> Iterator[tuple[str, State]]:
        """Yields what to try at a node, in words, and the state with it."""
        domains = state.domains
        undecided = [i for i in self.board.order if domains[i] & (domains[i] - 1)]
        # The cells of which it is not known whether they are filled.
        unknown = state.holders[EMPTY] & state.may_be_filled()
        if unknown:
            known = self.board.all & ~unknown
            chosen = max(
                (i for i in undecided if unknown >> i & 1),
                key=lambda i: (self.board.around[i] & known).bit_count(),
            )
            place = in_words(self.puzzle.cells[chosen])
            yield f"{place}: empty", self.board.assigned(state, chosen, 1 << EMPTY)
            yield f"{place}: filled", self.board.assigned(state, chosen, ~(1 << EMPTY))
        elif undecided:
            chosen = min(undecided, key=lambda i: domains[i].bit_count())
            place = in_words(self.puzzle.cells[chosen])
            for value in self.tally.shuffled(SINGLE[domains[chosen]]):
                yield f"{place}: {least(value)}", self.board.assigned(state, chosen, value)

    def solutions(self, state: State) -> Iterator[Solution]:
        """Yields the one solution of a state in which all is decided."""
        yield self.puzzle.solution(self.board.value_in(state))

    def view(self, state: State) -> View:
        """What is drawn of a state."""
        return self.board.view(state)


@propagates(Step.FULL, Step.BOUNDS, Step.SHAVING)
def propagation(puzzle: TwentyFourSeven, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    return Search(Rules(puzzle, tally), tally).search()


FORMULATIONS = by_name(propagation)
