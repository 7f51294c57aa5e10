"""Walks that read a word: where they can end, as sets of cells, the bits of an integer."""

from collections.abc import Mapping

from models.altered_states.puzzle import AlteredStates
from models.shared.grid import Cell


class Walks:
    """The walks in a grid, whose cells have a `bit` each."""

    def __init__(self, puzzle: AlteredStates) -> None:
        """Numbers the cells; an empty column beside the last one keeps both sides of the grid apart."""
        self.stride, self.letters = puzzle.width + 1, puzzle.letters
        self.bit = {(r, c): 1 << r * self.stride + c for r, c in puzzle.cells}
        self.all = sum(self.bit.values())

    def holds(self, letters: Mapping[Cell, str]) -> dict[str, int]:
        """Of each letter, the cells that have it, and those that have none."""
        found = dict.fromkeys(self.letters, self.all - sum(map(self.bit.__getitem__, letters)))
        for i, letter in letters.items():
            found[letter] |= self.bit[i]
        return found

    def near(self, cells: int) -> int:
        """The cells that a king reaches from some of these in one move."""
        beside = cells << 1 | cells >> 1
        rows = cells | beside
        return (beside | rows << self.stride | rows >> self.stride) & self.all

    def replaced(self, word: str, holds: Mapping[str, int], most: int) -> int:
        """The fewest letters of a word to replace so that a walk reads it; `most` + 1 if it needs more."""
        # Where walks can end with at most so many letters replaced.
        ends = [holds[word[0]]] + [self.all] * most
        for letter in word[1:]:
            others = 0
            for k, cells in enumerate(ends):
                steps = self.near(cells)
                ends[k], others = steps & holds[letter] | others, steps
        return next((k for k, cells in enumerate(ends) if cells), most + 1)
