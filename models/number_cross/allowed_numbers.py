"""The numbers that sparse clues allow in the places of a row, as arrays.

A sparse clue, such as a square or a palindrome, allows so few numbers of n digits, at most about 10^(n/2),
that they can be listed. A dense one, such as a multiple or a sum of digits, allows too many for that.

    pairs[c, a, b]   whether the columns c - 1 and c may hold the symbols a and b (CODES), by the rules of
                     regions and what is known of both cells; a border counts as shaded

Roots of squares are made from their last digit on, as the last j digits of a root are all that the last j
digits of its square depend on; palindromes are made from both ends inwards. What breaks `pairs` is dropped
at once.
"""

from bisect import bisect
from collections.abc import Iterator, Sequence
from math import isqrt
from typing import Any

import numpy as np

from models.number_cross.puzzle import CODES, SHADED, Clue
from models.shared.prefix_automaton import Numbers

DENSE = ("multiple of k", "digit sum = k", "digit product ends in k")
"""The clues that are not sparse."""

BESIDE = CODES[SHADED]
"""What is beside a number: a shaded cell, or the border."""

Pairs = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
Placed = tuple[Numbers, Numbers, Numbers]
"""The column where each number begins, the one after its last digit, and the number."""


def placed_numbers(clues: Sequence[Clue], pairs: Pairs) -> Placed:
    """Returns the numbers that all clues allow, one of which is sparse, in all their places.

    By definition they are the n of two digits or more with satisfies(n, clue) for each clue, at each column
    where no two neighbouring symbols break `pairs`.
    """
    width = len(pairs) - 1
    sparse = [fitting(*candidates(clue, pairs), pairs) for clue in clues if clue.name not in DENSE]
    begin, end, found = sparse[0]
    for other in sparse[1:]:
        keys = found * width + begin
        both = np.isin(keys, other[2] * width + other[0])
        begin, end, found = begin[both], end[both], found[both]
    for clue in clues:
        if clue.name in DENSE:
            kept = allows(clue, found, width)
            begin, end, found = begin[kept], end[kept], found[kept]
    return begin, end, found


def fitting(begin: Numbers, end: Numbers, found: Numbers, pairs: Pairs) -> Placed:
    """Returns the numbers of which no two neighbouring symbols break `pairs`."""
    width = len(pairs) - 1
    power = powers_of_ten(width)
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
    digits = [(found // 10**place % 10).astype(np.int64) for place in range(width)]
    match clue.name:
        case "multiple of k":
            return found.astype(whole(max(clue.k, 10**width))) % clue.k == 0
        case "digit sum = k":
            return sum(digits) == min(clue.k, 9 * width + 1)
        case "digit product ends in k":
            product = np.ones(len(found), dtype=np.int64)
            for place, digit in enumerate(digits):
                product = np.where(found >= 10**place, product * digit % 10, product)
            return product == clue.k
    raise ValueError(clue.name)


def candidates(clue: Clue, pairs: Pairs) -> Placed:
    """Returns numbers that a sparse clue allows: all that break no `pairs`, and perhaps others."""
    width = len(pairs) - 1
    match clue.name:
        case "square":
            end, roots = roots_of(2, pairs)
            return placed(end, roots**2)
        case "cube":
            end, roots = roots_of(3, pairs)
            return placed(end, roots**3)
        case "palindrome":
            return palindromes(0, pairs)
        case "palindrome + k":
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
    """Returns the type of an array of whole numbers up to this one."""
    return np.int64 if largest < 1 << 62 else object


def kind(width: int) -> type:
    """Returns the type of numbers of so many digits, and of their products with a column."""
    return whole(width * 10**width)


def powers_of_ten(width: int) -> Numbers:
    """Returns 10^0 to 10^width."""
    powers: Numbers = np.array([10**place for place in range(width + 1)], dtype=kind(width))
    return powers


def placed(end: Numbers, found: Numbers) -> Placed:
    """Returns those of the numbers that have room before their end, and two digits or more."""
    begin = end - sum(found >= 10**place for place in range(int(end.max(initial=0)) + 1))
    kept = (begin >= 0) & (end - begin >= 2)
    return begin[kept], end[kept], found[kept]


def everywhere(numbers: Sequence[int], width: int) -> Placed:
    """Returns the numbers, each at every column where it can be."""
    ends = np.arange(2, width + 1)
    return placed(np.tile(ends, len(numbers)), np.repeat(np.array(numbers, dtype=kind(width)), len(ends)))


def roots_of(degree: int, pairs: Pairs) -> tuple[Numbers, Numbers]:
    """Returns the roots of powers, each with the column after the last digit of its power."""
    width = len(pairs) - 1
    most: Numbers = np.array([root(10**length - 1, degree) for length in range(width + 1)], dtype=kind(width))
    end, digits = np.arange(2, width + 1), np.arange(10)
    roots: Numbers = np.zeros(len(end), dtype=kind(width))
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

    A digit of the number is one of the palindrome, plus one of the shift, plus what is carried into its
    place, less ten times what is carried out of it. From the right the carry into a place is known, from the
    left the carry out of it, and the carry into it is tried; in the middle both have to agree.
    """
    width, sign = len(pairs) - 1, -1 if shift < 0 else 1
    power = powers_of_ten(width)
    carries = [0, sign] if shift else [0]
    digit, carry = (tried.ravel() for tried in np.meshgrid(range(10), carries))
    starts = [
        (begin, begin + length, size, above, carried)
        for length in range(2, width + 1)
        for size, above, carried in shapes(length, shift, carries)
        for begin in range(width - length + 1)
    ]
    found: Numbers = np.array([above * 10**size for _, _, size, above, _ in starts], dtype=kind(width))
    left = np.array([above % 10 if above else BESIDE for _, _, _, above, _ in starts], dtype=int)
    begin, end, size, carry_out = (np.array([start[k] for start in starts], dtype=int) for k in (0, 1, 2, 4))
    right, carry_in = np.full(len(starts), BESIDE), np.zeros(len(starts), dtype=int)
    of_shift = np.array([sign * (abs(shift) // 10**place % 10) for place in range(size.max(initial=0) + 2)])
    complete = []
    for low in range(size.max(initial=0) // 2 + 2):
        high = size - 1 - low
        done, going = (high < low) & (carry_in == carry_out), high >= low
        complete.append((begin[done], end[done], found[done]))
        begin, end, size, found, left, right, carry_in, carry_out, high = (
            array[going] for array in (begin, end, size, found, left, right, carry_in, carry_out, high)
        )
        middle, length = (high == low)[:, None], (end - begin)[:, None]
        lower = digit + (of_shift[low] + carry_in)[:, None]
        upper = digit + carry + (of_shift[high] - 10 * carry_out)[:, None]
        kept = (upper >= 0) & (upper <= 9) & ((digit > 0) | (low > 0) | middle)
        kept &= ~middle | (carry == carry_in[:, None])
        # A palindrome may have more digits than the number, which then begins with zeros.
        beside_left = pairs[np.maximum(end - 1 - high, 0)[:, None], left[:, None], upper % 10]
        beside_right = pairs[np.maximum(end - low, 0)[:, None], lower % 10, right[:, None]]
        kept &= np.where(high[:, None] < length, beside_left, upper == 0)
        kept &= np.where(low < length, beside_right, lower % 10 == 0)
        before, choice = np.nonzero(kept)
        begin, end, size, high, found, left = (
            array[before] for array in (begin, end, size, high, found, left)
        )
        lower, upper, middle, inside = lower[kept], upper[kept], high == low, high < end - begin
        found = found + upper * power[np.minimum(high, width)]
        found = found + np.where(middle, 0, lower % 10) * power[min(low, width)]
        left, right, carry_in = np.where(inside, upper, left), lower % 10, lower // 10
        carry_out = np.where(middle, carry_in, carry[choice])
    begins, ends, numbers = zip(*complete, strict=True)
    return np.concatenate(begins), np.concatenate(ends), np.concatenate(numbers)


def shapes(length: int, shift: int, carries: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yields how long palindromes are whose sum with `shift` has this length.

    With it what is above the palindrome: the upper digits of the shift, plus a carry, which is the third.
    """
    least, most = max(10 ** (length - 1) - shift, 0), 10**length - 1 - shift
    for size in range(len(str(least)), len(str(most)) + 1) if least <= most else ():
        for carry in carries:
            above = carry + (1 if shift > 0 else -1) * (abs(shift) // 10**size)
            if len(str(above)) == length - size if above > 0 else above == 0 and size >= length:
                yield size, above, carry


def fibonacci(limit: int) -> list[int]:
    """Returns the Fibonacci numbers of two digits or more below a limit."""
    found, number, following = [], 1, 2
    while number < limit:
        if number >= 10:
            found.append(number)
        number, following = following, number + following
    return found


def powers(k: int, limit: int) -> list[int]:
    """Returns the powers of k of two digits or more below a limit; 0 and 1 have none."""
    found, power = [], k
    while 1 < power < limit:
        if power >= 10:
            found.append(power)
        power *= k
    return found


def prime_powers(pairs: Pairs) -> Placed:
    """Returns the p^q with p and q prime: squares as for the clue "square", the few others from a list."""
    width = len(pairs) - 1
    limit = 10**width
    is_prime = prime_sieve(max(root(limit, 2), limit.bit_length()))
    end, roots = roots_of(2, pairs)
    prime = is_prime[roots.astype(np.intp)]
    primes = np.flatnonzero(is_prime[: max(root(limit, 3), limit.bit_length()) + 1]).tolist()
    others = [
        p**q for q in primes[1:] if 1 << q < limit for p in primes[: bisect(primes, root(limit - 1, q))]
    ]
    found = placed(end[prime], roots[prime] ** 2), everywhere([n for n in others if n >= 10], width)
    begin, end, numbers = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
    return begin, end, numbers


def prime_sieve(limit: int) -> Numbers:
    """Tells for each number up to a limit whether it is prime."""
    prime = np.ones(limit + 1, dtype=bool)
    prime[:2] = False
    for n in range(2, isqrt(limit) + 1):
        if prime[n]:
            prime[n * n :: n] = False
    return prime


def root(number: int, degree: int) -> int:
    """Returns the largest r with r^degree <= number."""
    found: int = round(number ** (1 / degree))
    while found**degree > number:
        found -= 1
    while (found + 1) ** degree <= number:
        found += 1
    return found
