"""The numbers of a given length that clues allow, as sorted arrays.

A sparse clue, such as a square or a palindrome, allows so few numbers of n digits, at most about 10^(n/2),
that they can be listed. A dense one, such as a multiple or a sum of digits, allows too many for that.
"""

from collections.abc import Sequence
from functools import reduce
from math import isqrt
from typing import Any

import numpy as np

from models.number_cross.puzzle import Clue
from models.shared.prefix_automaton import Numbers

DENSE = ("multiple of k", "digit sum = k", "digit product ends in k")
"""The clues that are not sparse."""


def allowed_numbers(clues: Sequence[Clue], length: int) -> Numbers:
    """Returns the numbers of so many digits that all clues allow, one of which is sparse.

    By definition they are the n from 10^(length - 1) to 10^length - 1 with satisfies(n, clue) for each clue.
    """
    sparse = [listed(clue, length) for clue in clues if clue.name not in DENSE]
    found: Numbers = reduce(np.intersect1d, sparse)
    for clue in clues:
        if clue.name in DENSE:
            found = found[allows(clue, found, length)]
    return found


def fitting(found: Numbers, same: Sequence[bool]) -> Numbers:
    """Returns the numbers whose neighbouring digits are equal exactly where `same` is True, from the left."""
    for missing, equal in zip(reversed(range(len(same))), same, strict=True):
        pair = found // 10**missing % 100
        found = found[(pair % 11 == 0) == equal]
    return found


def digits_of(found: Numbers, length: int) -> Numbers:
    """Returns a row of digits for each number."""
    places = [(found // 10**place % 10).astype(np.int8) for place in reversed(range(length))]
    return np.stack(places, axis=1)


def allows(clue: Clue, found: Numbers, length: int) -> Any:
    """Tells for each number of this length whether a dense clue allows it."""
    match clue.name:
        case "multiple of k":
            return found.astype(whole(max(clue.k, 10**length))) % clue.k == 0
        case "digit sum = k":
            return digits_of(found, length).sum(axis=1, dtype=whole(clue.k)) == clue.k
        case "digit product ends in k":
            product = np.ones(len(found), dtype=np.int64)
            for place in digits_of(found, length).T:
                product = product * place % 10
            return product == clue.k
    raise ValueError(clue.name)


def listed(clue: Clue, length: int) -> Numbers:
    """Returns the numbers of this length that a sparse clue allows."""
    low, high, k = 10 ** (length - 1), 10**length - 1, clue.k
    match clue.name:
        case "square":
            return between(root(low - 1, 2) + 1, root(high, 2), high) ** 2
        case "cube":
            return between(root(low - 1, 3) + 1, root(high, 3), high) ** 3
        case "palindrome":
            return palindromes(low, high)
        case "palindrome + k":
            return palindromes(low, high, k)
        case "palindrome - k":
            return palindromes(low, high, -k)
        case "fibonacci":
            return array(fibonacci(low, high), high)
        case "power of k":
            return array(powers(k, low, high), high)
        case "prime ^ prime":
            return prime_powers(low, high)
    raise ValueError(clue.name)


def whole(largest: int) -> type:
    """Returns the type of an array of whole numbers up to this one."""
    return np.int64 if largest < 1 << 62 else object


def array(values: list[int], high: int) -> Numbers:
    """Returns the values as an array that can hold numbers up to `high`."""
    return np.array(values, dtype=whole(high))


def between(first: int, last: int, high: int) -> Numbers:
    """Returns all numbers from the first to the last, in an array that can hold numbers up to `high`."""
    return np.arange(first, last + 1, dtype=whole(high))


def palindromes(low: int, high: int, offset: int = 0) -> Numbers:
    """Returns the numbers from `low` to `high` that are a palindrome plus `offset`."""
    least, largest = max(low - offset, 0), high - offset
    found = [array([], high)]
    for length in range(len(str(least)), len(str(largest)) + 1 if least <= largest else 0):
        mirrored, middle = length // 2, 10 if length % 2 else 1
        first = max(least, 10 ** (length - 1) if length > 1 else 0) // 10**mirrored
        last = min(largest, 10**length - 1) // 10**mirrored
        heads = between(first, last, max(high, largest))
        rest = between(first // middle, last // middle, max(high, largest))
        tails = 0 * rest
        for _ in range(mirrored):
            tails, rest = 10 * tails + rest % 10, rest // 10
        # Heads that differ in the middle digit alone have the same tail.
        tail = tails[(heads // middle - first // middle).astype(int)]
        found.append(10**mirrored * heads + tail + offset)
    every = np.concatenate(found)
    return every[(low <= every) & (every <= high)].astype(whole(high))


def fibonacci(low: int, high: int) -> list[int]:
    """Returns the Fibonacci numbers from `low` to `high`."""
    found, number, following = [], 1, 2
    while number <= high:
        if number >= low:
            found.append(number)
        number, following = following, number + following
    return found


def powers(k: int, low: int, high: int) -> list[int]:
    """Returns the powers of k from `low` to `high`; 0 and 1 have none of two digits."""
    found, power = [], k
    while 1 < power <= high:
        if power >= low:
            found.append(power)
        power *= k
    return found


def prime_powers(low: int, high: int) -> Numbers:
    """Returns the p^q from `low` to `high` with p and q prime."""
    found = []
    primes = primes_to(max(root(high, 2), high.bit_length()))
    for q in primes[primes < high.bit_length()].tolist():
        bases = primes[(root(low - 1, q) < primes) & (primes <= root(high, q))]
        found.append(bases.astype(whole(high)) ** q)
    return np.sort(np.concatenate(found))


def primes_to(limit: int) -> Numbers:
    """Returns the primes up to a limit, by a sieve."""
    prime = np.ones(limit + 1, dtype=bool)
    prime[:2] = False
    for n in range(2, isqrt(limit) + 1):
        if prime[n]:
            prime[n * n :: n] = False
    return np.flatnonzero(prime)


def root(number: int, degree: int) -> int:
    """Returns the largest r with r^degree <= number."""
    found: int = round(number ** (1 / degree))
    while found**degree > number:
        found -= 1
    while (found + 1) ** degree <= number:
        found += 1
    return found
