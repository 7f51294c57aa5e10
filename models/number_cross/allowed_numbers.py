"""The numbers that clues allow in the places of a row: sparse clues as arrays, dense ones digit by digit.

A sparse clue, such as a square or a palindrome, allows so few numbers of n digits, at most about 10^(n/2),
that they can be listed. A dense one, such as a multiple or a sum of digits, allows too many for that.

    pairs[c, a, b]   whether the columns c - 1 and c may hold the symbols a and b (CODES), by the rules of
                     regions and what is known of both cells; a border counts as shaded

Roots of squares are made from their last digit on, as the last j digits of a root are all that the last j
digits of its square depend on; palindromes are made from both ends inwards. What breaks `pairs` is dropped
at once.
"""

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isqrt
from typing import Any, NamedTuple

import numpy as np

from models.number_cross.puzzle import CODES, SHADED, Clue
from models.shared.prefix_automaton import Numbers

BESIDE = CODES[SHADED]
"""What is beside a number: a shaded cell, or the border."""

DENSE = ("multiple of k", "digit sum = k", "digit product ends in k")
"""The clues that are not sparse."""

Pairs = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
Placed = tuple[Numbers, Numbers, Numbers]
"""The column where each number begins, the one after its last digit, and the number."""


def placed_numbers(clues: Sequence[Clue], pairs: Pairs) -> Placed:
    """Returns the numbers that all clues allow, one of which is sparse, in all their places.

    By definition they are the n of two digits or more with satisfies(n, clue) for each clue, at each column
    where no two neighbouring symbols break `pairs`.
    """
    width = len(pairs) - 1
    first, *others = sorted(clues, key=lambda clue: clue.name in DENSE)
    begin, end, found = candidates(first, pairs)
    for clue in others:
        if clue.name in DENSE:
            kept = allows(clue, found, width)
        else:
            other_begin, _, other = candidates(clue, pairs)
            kept = np.isin(found * width + begin, other * width + other_begin)
        begin, end, found = begin[kept], end[kept], found[kept]
    return fitting(begin, end, found, pairs)


def fitting(begin: Numbers, end: Numbers, found: Numbers, pairs: Pairs) -> Placed:
    """Returns the numbers of which no two neighbouring symbols break `pairs`."""
    width = len(pairs) - 1
    power: Numbers = np.array([10**place for place in range(width + 1)], dtype=whole(width * 10**width))
    left = np.full(len(found), BESIDE)
    for place in range(width + 1):
        column = np.minimum(begin + place, end)
        digit = (found // power[np.maximum(end - 1 - column, 0)] % 10).astype(np.intp)
        right = np.where(column < end, digit, BESIDE)
        kept = (column == end) & (left == BESIDE) | pairs[column, left, right]
        begin, end, found, left = begin[kept], end[kept], found[kept], right[kept]
    return begin, end, found


def allows(clue: Clue, found: Numbers, width: int) -> Any:
    """Tells for each number of up to `width` digits whether a dense clue allows it."""
    if clue.name == "multiple of k":
        return found.astype(whole(max(clue.k, 10**width))) % clue.k == 0
    read = reader(clue, width)
    known: Numbers = np.full(len(found), read.begin, dtype=whole(10 * read.size))
    for place in reversed(range(width)):
        known = np.where(found >= 10**place, read.step(known, found // 10**place % 10), known)
    return read.accepts(known)


class Reader(NamedTuple):
    """Reads the digits of a number one by one, as far as a clue needs to know them."""

    begin: int  # What is known before the first digit.
    size: int  # What is known is less, or no number that satisfies the clue goes on like this.
    step: Callable[[Numbers, Numbers], Numbers]  # What is known after one more digit.
    accepts: Callable[[Numbers], Numbers]  # Whether the number may end.


def reader(clue: Clue, width: int) -> Reader:
    """Returns the reader of the numbers of up to `width` digits that satisfy a dense clue."""
    k = clue.k
    match clue.name:
        case "multiple of k":
            return Reader(0, k, lambda rest, digit: (10 * rest + digit) % k, lambda rest: rest == 0)
        case "digit sum = k":
            size = min(k, 9 * width) + 1
            return Reader(0, size, lambda total, digit: total + digit, lambda total: total == k)
        case "digit product ends in k":
            return Reader(1, 10, lambda product, digit: product * digit % 10, lambda product: product == k)
    raise ValueError(clue.name)


def candidates(clue: Clue, pairs: Pairs) -> Placed:
    """Returns numbers that a sparse clue allows: all that break no `pairs`, and perhaps others."""
    width = len(pairs) - 1
    match clue.name:
        case "square" | "cube":
            degree = 2 if clue.name == "square" else 3
            end, roots = roots_of(degree, pairs)
            return placed(end, roots**degree)
        case "palindrome" | "palindrome + k":
            return palindromes(clue.k, pairs)
        case "palindrome - k":
            return palindromes(-clue.k, pairs)
        case "fibonacci":
            return everywhere(fibonacci(10**width), width)
        case "power of k":
            return everywhere(powers(clue.k, 10**width), width)
        case "prime ^ prime":
            return prime_powers(pairs)
    raise ValueError(clue.name)


def whole(largest: int) -> type:
    """Returns the type of an array of whole numbers up to this one, as of numbers times a column."""
    return np.int64 if largest < 1 << 62 else object


def placed(end: Numbers, found: Numbers) -> Placed:
    """Returns those of the numbers that have room before their end, and two digits or more."""
    begin = end - sum(found >= 10**place for place in range(int(end.max(initial=0)) + 1))
    kept = (begin >= 0) & (end - begin >= 2)
    return begin[kept], end[kept], found[kept]


def everywhere(numbers: Iterable[int], width: int) -> Placed:
    """Returns the numbers, each at every column where it can be."""
    found: Numbers = np.array(list(numbers), dtype=whole(width * 10**width))
    ends = np.arange(2, width + 1)
    return placed(np.tile(ends, len(found)), np.repeat(found, len(ends)))


def roots_of(degree: int, pairs: Pairs) -> tuple[Numbers, Numbers]:
    """Returns the roots of powers, each with the column after the last digit of its power."""
    width = len(pairs) - 1
    kind = whole(width * 10**width)
    most: Numbers = np.array([root(10**length - 1, degree) for length in range(width + 1)], dtype=kind)
    end, digits = np.arange(2, width + 1), np.arange(10)
    roots: Numbers = np.zeros(len(end), dtype=kind)
    right, found = np.full(len(end), BESIDE), [(end[:0], roots[:0])]
    for place in range(len(str(most[-1]))):
        # A power has more than degree * place digits, if its root has more than `place`.
        room = end > degree * place
        roots = (roots[room, None] + 10**place * digits).ravel()
        end, right = np.repeat(end[room], 10), np.repeat(right[room], 10)
        small = roots <= most[end]
        end, right, roots = end[small], right[small], roots[small]
        left = (roots**degree // 10**place % 10).astype(np.intp)
        kept = pairs[end - place, left, right]
        end, right, roots = end[kept], left[kept], roots[kept]
        complete = roots >= 10**place
        found.append((end[complete], roots[complete]))
    ends, every = zip(*found, strict=True)
    return np.concatenate(ends), np.concatenate(every)


def palindromes(shift: int, pairs: Pairs) -> Placed:
    """Returns the numbers that are a palindrome plus `shift`.

    A palindrome of `size` digits ends in `low` and begins with `high`, the same digits in reverse. From low
    follow the last digits of the number; its first ones, `first`, from high and a carry, which is tried.
    """
    width = len(pairs) - 1
    least, most = max(10 - shift, 0), 10**width - 1 - shift
    if least > most:
        return everywhere([], width)
    longest = len(str(most))
    sizes, half = range(len(str(least)), longest + 1), whole(10 ** (longest // 2 + 2) + abs(shift))
    power: Numbers = np.array([10**n for n in range(longest + 1)], dtype=whole(10**longest + abs(shift)))
    shifts: Numbers = np.array([shift // 10**place for place in range(longest + 1)], dtype=half)
    carries, digit = np.arange(2 if shift else 1), np.arange(10)
    turned = (digit[:, None] + digit) % 10
    # Whether the digit d + k may be in a column after (before) a symbol a: after[column, a, k, d].
    after, before = pairs[:, :, turned], pairs.transpose(0, 2, 1)[:, :, turned]
    before[0] = False
    # As many digits the number has at least: of one digit the least palindrome is 0.
    smallest = [0, 0, *(10**n for n in range(1, longest))]
    digits = np.array([len(str(max(number + shift, 10))) for number in smallest])
    end, size, above = (array.ravel() for array in np.meshgrid(np.arange(2, width + 1), sizes, carries))
    first = shifts[size] + above
    room = (digits[size] <= end) & (first >= 0)
    end, size, first = end[room], size[room], first[room]
    low = high = np.zeros_like(first)
    complete = []
    for place in range((longest + 1) // 2 + 1):
        done = size <= 2 * place
        complete.append([array[done] for array in (end, size, low, high, first)])
        # The next digit by the last ones of the number: a row for each palindrome so far.
        end, size, low, high, first = (array[~done] for array in (end, size, low, high, first))
        units, column, last = size - 1 - place, end - place, (low + shift) // 10**place
        right = ((low + shift) // 10 ** (place - 1) % 10).astype(np.intp) if place else BESIDE
        fits = before[np.maximum(column, 0), right, (last % 10).astype(np.intp)]
        fits |= (digits[size] <= place)[:, None]
        # By the first ones: a row for each carry, too, to which with what is there the digit is added.
        row, carry = np.repeat(np.arange(len(end)), len(carries)), np.tile(carries, len(end))
        sums, left = (10 * high + shifts[units])[row] + carry, np.where(first == 0, BESIDE, first % 10)
        column, least = (end - 1 - units)[row], (10 * first[row] - sums)[:, None]
        kept = after[np.maximum(column, 0), left.astype(np.intp)[row], (sums % 10).astype(np.intp)]
        kept = kept & (column >= 0)[:, None] | (digit == -sums[:, None])
        kept &= fits[row] & (digit >= least) & (digit < least + 10)
        kept[:, 0] &= (high[row] > 0) | (units[row] < 1)
        at, choice = np.nonzero(kept)
        row, first = row[at], sums[at] + choice
        end, size, low, high = end[row], size[row], low[row] + 10**place * choice, 10 * high[row] + choice
    end, size, low, high, first = map(np.concatenate, zip(*complete, strict=True))
    below = power[size // 2]
    number = high * below + low % below + shift
    exact = number // below == first
    return placed(end[exact], number[exact].astype(whole(width * 10**width)))


def fibonacci(limit: int) -> Iterator[int]:
    """Yields the Fibonacci numbers below a limit."""
    number, following = 1, 2
    while number < limit:
        yield number
        number, following = following, number + following


def powers(k: int, limit: int) -> Iterator[int]:
    """Yields the powers of k below a limit; 0 and 1 have none of two digits."""
    power = k
    while 1 < power < limit:
        yield power
        power *= k


def prime_powers(pairs: Pairs) -> Placed:
    """Returns the p^q with p and q prime: squares as for the clue "square", the few others from a list."""
    width = len(pairs) - 1
    limit = 10**width
    is_prime = np.ones(max(root(limit, 2), limit.bit_length()) + 1, dtype=bool)
    is_prime[:2] = False
    for n in range(2, isqrt(len(is_prime)) + 1):
        if is_prime[n]:
            is_prime[n * n :: n] = False
    primes = np.flatnonzero(is_prime[: max(root(limit, 3), limit.bit_length()) + 1]).tolist()
    exponents = primes[1 : bisect(primes, limit.bit_length())]
    others = [p**q for q in exponents for p in primes[: bisect(primes, root(limit - 1, q))]]
    end, roots = roots_of(2, pairs)
    prime = is_prime[roots.astype(np.intp)]
    found = placed(end[prime], roots[prime] ** 2), everywhere(others, width)
    begin, end, numbers = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
    return begin, end, numbers


def root(number: int, degree: int) -> int:
    """Returns the largest r with r^degree <= number."""
    found: int = round(number ** (1 / degree))
    while found**degree > number:
        found -= 1
    while (found + 1) ** degree <= number:
        found += 1
    return found
