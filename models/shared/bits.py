"""Domains as sets of bits, for hand searches that place a permutation: all different, sums, a branching rule.

Bit v of a domain says that the variable can still have the value v.
"""

from collections.abc import Callable, Collection, Hashable, Iterator
from typing import TypeVar

from models.shared.model import Tally

Variable = TypeVar("Variable", bound=Hashable)


def least(bits: int) -> int:
    """Returns the smallest member of a set that is not empty."""
    return (bits & -bits).bit_length() - 1


def most(bits: int) -> int:
    """Returns the largest member of a set that is not empty."""
    return bits.bit_length() - 1


def members(bits: int) -> list[int]:
    """Returns the members of a set, the smallest first."""
    found = []
    while bits:
        found.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return found


def between(low: int, high: int) -> int:
    """Returns the set of all members from low to high."""
    return (1 << high + 1) - (1 << max(0, low)) if high >= max(0, low) else 0


def keep(domains: dict[Variable, int], variable: Variable, allowed: int, tally: Tally) -> bool:
    """Restricts a variable to the allowed values; False if none is left."""
    before = domains[variable]
    kept = before & allowed
    if kept != before:
        tally.propagations += (before ^ kept).bit_count()
        domains[variable] = kept
    return kept != 0


def all_different(domains: dict[Variable, int], tally: Tally) -> bool:
    """Does one round of propagation where there are as many values as variables; False if there is no way.

    By definition a variable keeps the values that no other has, if it has any; otherwise those that are not
    the only value of another. There is no way if two variables have the same only value, if a domain becomes
    empty, or if all domains together do not have as many values as there are variables.
    """
    once = twice = held = 0
    for bits in domains.values():
        twice |= once & bits
        once |= bits
        if not bits & (bits - 1):
            if held & bits:
                return False
            held |= bits
    only = once & ~twice & ~held
    for variable, bits in domains.items():
        if bits & (bits - 1) and not keep(domains, variable, bits & only or ~held, tally):
            return False
    return once.bit_count() == len(domains)


def adds_up(domains: dict[Variable, int], variables: Collection[Variable], total: int, tally: Tally) -> bool:
    """Restricts variables to values with which they can add up to `total`; False if one has none left.

    By definition a variable keeps v if total - v lies between the sum of the least and the sum of the largest
    values of the others, in the domains as they were before (bounds consistency, one round).
    """
    low = high = 0
    for variable in variables:
        bits = domains[variable]
        low += least(bits)
        high += most(bits)
    if not low <= total <= high:
        return False
    for variable in variables:
        bits = domains[variable]
        if not keep(domains, variable, between(total - high + most(bits), total - low + least(bits)), tally):
            return False
    return True


def fixpoint(domains: dict[Variable, int], narrow: Callable[[dict[Variable, int]], bool]) -> bool:
    """Narrows the domains until nothing changes; False as soon as a round finds that there is no way."""
    before = None
    while before != domains:
        before = domains.copy()
        if not narrow(domains):
            return False
    return True


def branch(
    domains: dict[Variable, int], narrow: Callable[[dict[Variable, int]], bool], tally: Tally
) -> Iterator[dict[Variable, int]]:
    """Yields every way to give each variable one value, branching on the first of the smallest domains."""
    undecided = [variable for variable, bits in domains.items() if bits & (bits - 1)]
    if not undecided:
        yield domains
        return
    chosen = min(undecided, key=lambda variable: domains[variable].bit_count())
    bits = domains[chosen]
    while bits:
        tally.branches += 1
        child = domains.copy()
        child[chosen] = bits & -bits
        bits &= bits - 1
        if fixpoint(child, narrow):
            yield from branch(child, narrow, tally)
        else:
            tally.failures += 1
