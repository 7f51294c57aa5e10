"""What models state constraints on: lines, the values of cells, and the multisets that fit an entry."""

from collections.abc import Iterator
from itertools import combinations
from math import prod

from models.cross_sums.puzzle import DIGITS, CrossSums, Entry, Rule
from models.shared.grid import Cell

Multiset = tuple[int, ...]
"""The values of an entry, each as often as cells hold it, in the order of their digits."""

PRIMES = (2, 3, 5, 7)
"""The primes that divide digits."""


def values(rule: Rule) -> list[int]:
    """What an open cell may hold."""
    return [*DIGITS, *(-digit for digit in DIGITS)] if rule == Rule.SIGNED_SUM else list(DIGITS)


def lines(puzzle: CrossSums) -> list[list[Cell]]:
    """The cells whose digits differ: of each row and column with `signed_sum`, of each entry with `sum`."""
    if puzzle.rule == Rule.SUM:
        return [[*entry.cells] for entry in puzzle.across + puzzle.down]
    if puzzle.rule == Rule.SUM_OR_PRODUCT:
        return []
    rows = [[cell for cell in puzzle.cells if cell[0] == row] for row in range(puzzle.height)]
    columns = [[cell for cell in puzzle.cells if cell[1] == column] for column in range(puzzle.width)]
    return rows + columns


def entry_multisets(rule: Rule, entry: Entry) -> list[Multiset]:
    """The multisets of as many values as an entry has cells that fit it and are stated one by one.

    With the rule `sum_or_product` their product is the clue and their sum is not: those that sum to it can be
    many, and exclude little. With `sum` they differ; with `signed_sum` too, and at most one is negative.
    """
    length, clue = len(entry.cells), entry.clue
    if rule == Rule.SUM_OR_PRODUCT:
        return [digits for digits in _with_product(length, clue, DIGITS[0]) if sum(digits) != clue]
    found = []
    for digits in combinations(DIGITS, length):
        if sum(digits) == clue:
            found.append(digits)
        # A digit that turns negative takes twice its value from the sum.
        negative, odd = divmod(sum(digits) - clue, 2)
        if rule == Rule.SIGNED_SUM and not odd and negative in digits:
            found.append(tuple(-digit if digit == negative else digit for digit in digits))
    return found


def has_unlisted_sums(rule: Rule, entry: Entry) -> bool:
    """Whether digits can sum to the clue with the rule `sum_or_product`; False with the others."""
    length = len(entry.cells)
    return rule == Rule.SUM_OR_PRODUCT and length * DIGITS[0] <= entry.clue <= length * DIGITS[-1]


def values_by_cell(puzzle: CrossSums) -> dict[Cell, list[int]]:
    """The values of each open cell that some multiset or sum of each of its entries has."""
    found = {cell: values(puzzle.rule) for cell in puzzle.cells}
    for entry in puzzle.across + puzzle.down:
        fit = {value for multiset in entry_multisets(puzzle.rule, entry) for value in multiset}
        if has_unlisted_sums(puzzle.rule, entry):
            others = len(entry.cells) - 1
            fit |= {d for d in DIGITS if others * DIGITS[0] <= entry.clue - d <= others * DIGITS[-1]}
        for cell in entry.cells:
            found[cell] = [value for value in found[cell] if value in fit]
    return found


def without(multiset: Multiset, values: list[int]) -> list[int] | None:
    """Returns what is left of a multiset without these values; None if it lacks one of them."""
    rest = list(multiset)
    for value in values:
        if value not in rest:
            return None
        rest.remove(value)
    return rest


def exponent(prime: int, number: int) -> int:
    """How often a prime divides a positive number."""
    times = 0
    while number % prime == 0:
        number, times = number // prime, times + 1
    return times


def powers(rule: Rule, entry: Entry) -> dict[int, int]:
    """How often each prime of digits divides a clue that may be their product; nothing if it may not."""
    if rule != Rule.SUM_OR_PRODUCT or entry.clue < 1:
        return {}
    found = {p: exponent(p, entry.clue) for p in PRIMES}
    return found if prod(p**times for p, times in found.items()) == entry.clue else {}


def _with_product(length: int, product: int, least: int) -> Iterator[Multiset]:
    """The ascending tuples of so many digits from `least` on with this product."""
    if length == 0:
        if product == 1:
            yield ()
        return
    for digit in range(least, DIGITS[-1] + 1):
        if product % digit == 0 and digit**length <= product <= digit * DIGITS[-1] ** (length - 1):
            for others in _with_product(length - 1, product // digit, digit):
                yield (digit, *others)
