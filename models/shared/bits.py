"""Domains as sets of bits, for hand searches for a permutation: all different, sums, branching.

Bit v of a domain is 1 if the variable can still have the value v.
"""

from collections.abc import Callable, Collection, Hashable, Iterator
from typing import TypeVar

from models.shared.search import Tally

Variable = TypeVar("Variable", bound=Hashable)


def least(bits: int) -> int:
    """The smallest member of a non-empty set."""
    return (bits & -bits).bit_length() - 1


def most(bits: int) -> int:
    """The largest member of a non-empty set."""
    return bits.bit_length() - 1


def members(bits: int) -> list[int]:
    """The members of a set in ascending order."""
    found = []
    while bits:
        found.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return found


def between(low: int, high: int) -> int:
    """The set of all numbers from `low` to `high`, both included; empty if there are none."""
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
    """One round of propagation for as many values as variables; False on a contradiction.

    A value that is assigned is removed from all other domains; a value left in one domain only is assigned.
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
    """One round of propagation on the bounds of a sum; False on a contradiction."""
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
    """Repeats rounds of propagation until nothing changes; False on a contradiction."""
    before = None
    while before != domains:
        before = domains.copy()
        if not narrow(domains):
            return False
    return True


def branch(
    domains: dict[Variable, int], narrow: Callable[[dict[Variable, int]], bool], tally: Tally
) -> Iterator[dict[Variable, int]]:
    """Every assignment of the variables, by depth-first search on the first of the smallest domains."""
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
