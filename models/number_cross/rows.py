"""The words that each row may hold by its own rules, as automata, for the models.

A row is read from left to right. A state tells what the clues need to know about the run of digits that is
open, so candidates are generated digit by digit along the regions, not by listing numbers:

- `multiple of k`, `digit sum = k`, `digit product ends in k` need a remainder, a sum, a last digit;
- the others are sparse sets of numbers. They need the digits so far and the columns where the run may still
  end: those for which the set has a member from `digits 00...0` to `digits 99...9`. The first digits of a
  palindrome tell its last ones too, which are held against the regions at once.
"""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import isqrt
from typing import Any

from models.number_cross.puzzle import SHADED, Clue, NumberCross
from models.shared.automaton import Layered, minimal
from models.shared.grid import Cell

Member = Callable[[int, int], int | None]
"""The smallest member of a set of numbers from `low` to `high`, None if there is none."""

LARGEST = 10**60
"""No row is longer than this number."""


@dataclass(frozen=True)
class Reader:
    """Reads a number digit by digit.

    `step(state, digit, column)` is the state after one more digit, None if no number goes on like this;
    `accepts(state, column)` tells whether the number may end before that column.
    """

    begin: Hashable
    step: Callable[[Any, int, int], Hashable | None]
    accepts: Callable[[Any, int], bool]


def row_automata(puzzle: NumberCross) -> list[Layered]:
    """The words of each row."""
    return [row_automaton(puzzle, row) for row in range(len(puzzle.labels))]


def neighbours(puzzle: NumberCross) -> Iterator[tuple[Cell, Cell, bool]]:
    """Each cell above another, and whether both lie in one region."""
    for row in range(len(puzzle.labels) - 1):
        for column in range(puzzle.width):
            same = puzzle.labels[row][column] == puzzle.labels[row + 1][column]
            yield (row, column), (row + 1, column), same


def compatible(one: str, other: str, same_region: bool) -> bool:
    """Whether two cells that share an edge may hold these symbols."""
    if SHADED in (one, other):
        return one != other
    return (one == other) == same_region


def row_automaton(puzzle: NumberCross, row: int) -> Layered:
    """The words of a row; only digits that stand beside each other in the row are held against each other."""
    labels, width = puzzle.labels[row], puzzle.width
    readers = [reader(clue, labels) for clue in puzzle.clues[row]]
    # A state: length of the open run up to 2 (0: none), its last digit, one state a reader.
    State = tuple[int, int, tuple[Hashable, ...]]
    begin: State = (0, -1, tuple(reader.begin for reader in readers))

    def expand(column: int, state: State) -> Iterator[tuple[str, State]]:
        length, last, inside = state
        if length and labels[column] == labels[column - 1]:
            digits: Sequence[int] = [last]
        else:
            digits = [digit for digit in range(10) if digit != last and (digit or length)]
        for digit in digits:
            after = []
            for reader, before in zip(readers, inside, strict=True):
                stepped = reader.step(before, digit, column)
                if stepped is None:
                    break
                after.append(stepped)
            else:
                grown = (min(2, length + 1), digit, tuple(after))
                if column + 1 < width or ends(grown, width):
                    yield str(digit), grown
        # A shaded cell ends a run; without an open run it may only be the first of the row.
        if column == 0 or (length and ends(state, column)):
            yield SHADED, begin

    def ends(state: State, column: int) -> bool:
        return state[0] == 2 and all(
            reader.accepts(inside, column) for reader, inside in zip(readers, state[2], strict=True)
        )

    return minimal(width, begin, expand)


def reader(clue: Clue, labels: Sequence[str]) -> Reader:
    """What a clue needs to know of the digits, in a row of these regions."""
    k = clue.k
    match clue.name:
        case "multiple of k":
            return Reader(0, lambda rest, digit, _: (10 * rest + digit) % k, lambda rest, _: rest == 0)
        case "digit sum = k":
            return Reader(
                0,
                lambda total, digit, _: total + digit if total + digit <= k else None,
                lambda total, _: total == k,
            )
        case "digit product ends in k":
            return Reader(1, lambda product, digit, _: product * digit % 10, lambda product, _: product == k)
        case "palindrome":
            return palindromes(labels)
        case "palindrome + k":
            return sparse(lambda low, high: palindrome_in(low, high, k), labels, offset=k)
        case "palindrome - k":
            return sparse(lambda low, high: palindrome_in(low, high, -k), labels, offset=-k)
        case "square":
            return sparse(lambda low, high: power_in(low, high, 2), labels)
        case "cube":
            return sparse(lambda low, high: power_in(low, high, 3), labels)
        case "fibonacci":
            return sparse(listed(fibonacci()), labels)
        case "power of k":
            return sparse(listed(powers(k)), labels)
        case "prime ^ prime":
            return sparse(prime_power_in, labels)
    raise ValueError(clue.name)


def palindromes(labels: Sequence[str]) -> Reader:
    """Palindromes. A state: how many digits so far, those still to be mirrored, where the run may end.

    What is mirrored already is forgotten, so that all numbers that end alike become one.
    """
    same = [left == right for left, right in pairwise(labels)]

    def step(state: tuple[int, str, frozenset[int]], digit: int, column: int) -> Hashable | None:
        length, kept, ends = state
        alive = frozenset(
            end for end in ends if end > column and mirrors(length, kept, str(digit), end, column)
        )
        if not alive:
            return None
        whole = kept + str(digit) if len(kept) == length else kept
        return length + 1, whole[: max(alive) - column - 1], alive

    def mirrors(length: int, kept: str, digit: str, end: int, column: int) -> bool:
        """Whether the digit agrees with its mirror image: an earlier digit, or the regions there."""
        missing = end - column - 1
        if missing < length:
            return kept[missing] == digit
        return length == 0 or missing == length or same[column - 1] == same[end - length - 1]

    return Reader((0, "", frozenset(range(len(labels) + 1))), step, lambda state, column: column in state[2])


def sparse(member: Member, labels: Sequence[str], offset: int = 0) -> Reader:
    """A set of numbers. A state: the digits so far as a number, and the columns where the run may end.

    Args:
        offset: if the set is that of the palindromes plus a number, this number.
    """

    def step(state: tuple[int, frozenset[int]], digit: int, column: int) -> Hashable | None:
        prefix = 10 * state[0] + digit
        alive = frozenset(end for end in state[1] if end > column and goes_on(prefix, end, end - column - 1))
        return (prefix, alive) if alive else None

    def goes_on(prefix: int, end: int, missing: int) -> bool:
        """Whether a member begins with the prefix, misses so many digits, and ends as the regions allow."""
        scale = 10**missing
        if member(prefix * scale, prefix * scale + scale - 1) is None:
            return False
        return not offset or any(
            fits(tail, labels[end - len(tail) : end]) for tail in palindrome_tails(prefix, missing, offset)
        )

    return Reader((0, frozenset(range(len(labels) + 1))), step, lambda state, column: column in state[1])


def fits(digits: str, labels: Sequence[str]) -> bool:
    """Whether neighbours are equal exactly if they lie in one region."""
    return all((digits[i] == digits[i - 1]) == (labels[i] == labels[i - 1]) for i in range(1, len(digits)))


def palindrome_tails(prefix: int, missing: int, offset: int) -> Iterator[str]:
    """The last digits that a palindrome plus `offset` can have if it begins with `prefix`.

    The offset changes the first digits of the palindrome by one at most, and only if a carry goes through
    all that lies between. Where that is not so simple, the tail is the empty one, which rules nothing out.
    """
    length = len(str(prefix))
    scale = 10**length
    if missing < length or abs(offset) >= scale:
        yield ""
        return
    carry = 1 if offset > 0 else -1
    for beginning in (prefix, prefix - carry):
        if beginning <= 0 or len(str(beginning)) != length:
            yield ""
            continue
        tail = int(str(beginning)[::-1]) + offset
        if beginning == prefix or not 0 <= tail < scale:
            yield str(tail % scale).zfill(length)


def palindrome_in(low: int, high: int, offset: int) -> int | None:
    """The smallest palindrome plus `offset`."""
    least = max(0, low - offset)
    text = str(least)
    half = text[: (len(text) + 1) // 2]
    for first in (half, str(int(half) + 1)):
        mirrored = (
            first[: len(text) // 2][::-1] if len(first) == len(half) else "0" * (len(text) // 2 - 1) + "1"
        )
        found = int(first + mirrored)
        if found >= least:
            return found + offset if found + offset <= high else None
    raise AssertionError(low)


def power_in(low: int, high: int, degree: int) -> int | None:
    """The smallest number to the power of `degree`."""
    found: int = root_from(low, degree) ** degree
    return found if found <= high else None


def root_from(x: int, degree: int) -> int:
    """The smallest r >= 0 with r^degree >= x."""
    if degree == 2:
        return isqrt(x - 1) + 1 if x > 0 else 0
    root: int = round(max(0, x) ** (1 / degree))
    while root and root**degree >= x:
        root -= 1
    while root**degree < x:
        root += 1
    return root


def listed(members: list[int]) -> Member:
    """A set that is given as a sorted list."""

    def member(low: int, high: int) -> int | None:
        place = bisect_left(members, low)
        return members[place] if place < len(members) and members[place] <= high else None

    return member


def fibonacci() -> list[int]:
    """The Fibonacci numbers."""
    members = [1, 2]
    while members[-1] < LARGEST:
        members.append(members[-2] + members[-1])
    return members


def powers(k: int) -> list[int]:
    """The powers of k; 0 and 1 have none of two digits."""
    members = [k]
    while k > 1 and members[-1] < LARGEST:
        members.append(members[-1] * k)
    return members


def prime_power_in(low: int, high: int) -> int | None:
    """Some p^q with p and q prime."""
    for q in EXPONENTS:
        if 2**q > high:
            break
        p = max(2, root_from(low, q))
        while (found := p**q) <= high:
            if is_prime(p):
                return int(found)
            p += 1
    return None


@cache
def sieve(limit: int) -> bytearray:
    """A byte for each number below the limit: 1 if it is prime."""
    primes = bytearray([0, 0]) + bytearray([1]) * (limit - 2)
    for n in range(2, isqrt(limit) + 1):
        if primes[n]:
            primes[n * n :: n] = bytes(len(range(n * n, limit, n)))
    return primes


def is_prime(n: int) -> bool:
    """Whether n is prime: by a sieve if it is small, else by the Miller-Rabin test.

    The bases decide it for all n below 3.3 * 10^24, more than the root of any number in a row.
    """
    if n < 1 << 19:
        return bool(sieve(1 << 19)[n])
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
    if any(n % base == 0 for base in bases):
        return False
    twos = ((n - 1) & -(n - 1)).bit_length() - 1
    for base in bases:
        x = pow(base, (n - 1) >> twos, n)
        if x != 1 and not any(pow(x, 1 << power, n) == n - 1 for power in range(twos)):
            return False
    return True


EXPONENTS = [q for q in range(LARGEST.bit_length()) if all(q % d for d in range(2, q)) and q > 1]
"""The exponents that a prime power of a row can have."""
