"""ABC End View by search on the smallest domain, in sets of bits: bit 0 for nothing, bit v for a letter.

A letter in a cell is removed from the others of its lines, and the last cell of a line for a letter holds it.
Seen from a clue, cells are empty up to its letter, which is in none behind a cell that cannot be empty.

Constraints: exactly one, automaton
"""

from collections.abc import Iterator
from functools import partial

from models.abc_end_view.puzzle import AbcEndView
from models.shared.bits import assignments, keep, least, together
from models.shared.grid import Cell, in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Step, Tally, propagates


def letters_once(domains: dict[Cell, int], cells: list[Cell], letters: int, tally: Tally) -> bool:
    """One round of propagation for a line that holds each letter once; False on a contradiction."""
    for bit in (1 << v for v in range(1, letters + 1)):
        possible = [i for i in cells if domains[i] & bit]
        held = [i for i in possible if domains[i] == bit] or possible
        if not possible or (len(held) > 1 and domains[held[0]] == bit):
            return False
        if len(held) == 1 and not all(
            keep(domains, i, bit if i == held[0] else ~bit, tally) for i in possible
        ):
            return False
    return True


def first_seen(domains: dict[Cell, int], cells: list[Cell], letter: int, tally: Tally) -> bool:
    """One round of propagation for the first letter that is seen; False on a contradiction."""
    bit, can_be_before, can_be_first = 1 << letter, False, True
    for i in cells:
        # Others need the letter before them, and it needs empty cells before it.
        allowed = (-1 if can_be_before else bit | 1) & (-1 if can_be_first else ~bit)
        if not keep(domains, i, allowed, tally):
            return False
        can_be_before |= bool(domains[i] & bit)
        can_be_first &= bool(domains[i] & 1)
    return can_be_before


@propagates(Step.FULL, Step.ALL_DIFFERENT, Step.SHAVING)
def propagation(puzzle: AbcEndView, tally: Tally) -> Iterator[Solution]:
    """Yields every solution."""
    k, lines = puzzle.letters, puzzle.rows_and_columns
    once = [(i, partial(letters_once, cells=i, letters=k, tally=tally)) for i in lines]
    first = [(i, partial(first_seen, cells=i, letter=letter, tally=tally)) for i, letter in puzzle.seen]
    rules = {Step.ALL_DIFFERENT: together(once), Step.FULL: together(first)}
    domains = {i: sum(1 << v for v in values) for i, values in tally.shuffled(puzzle.domains.items())}
    for found in assignments(domains, rules, tally, in_words):
        yield puzzle.solution({i: least(bits) for i, bits in found.items()}.__getitem__)


FORMULATIONS = by_name(propagation)
