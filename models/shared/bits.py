"""Domains as sets of bits, for hand searches: all different, sums, shaving, branching.

Bit v of a domain is 1 if the variable can still have the value v.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from typing import TypeVar

from models.shared.search import Step, Tally, View, depth_first

Variable = TypeVar("Variable", bound=Hashable)

Rule = Callable[[dict[Variable, int]], bool]
"""One round of propagation, which removes values from domains; False on a contradiction."""


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


def together(rules: Iterable[tuple[Collection[Variable], Rule[Variable]]]) -> Rule[Variable]:
    """Returns one round of rules, each with its scope: the variables whose domains it reads and changes.

    A rule is skipped if they are as when it last changed nothing.
    """
    listed, stable = list(rules), dict[int, list[int]]()

    def narrow(domains: dict[Variable, int]) -> bool:
        for number, (scope, rule) in enumerate(listed):
            before = [domains[variable] for variable in scope]
            if stable.get(number) != before:
                if not rule(domains):
                    return False
                if before == [domains[variable] for variable in scope]:
                    stable[number] = before
        return True

    return narrow


def fixpoint(domains: dict[Variable, int], narrow: Rule[Variable]) -> bool:
    """Repeats rounds of propagation until nothing changes; False on a contradiction."""
    before = None
    while before != domains:
        before = domains.copy()
        if not narrow(domains):
            return False
    return True


def shave(domains: dict[Variable, int], narrow: Rule[Variable], tally: Tally) -> bool:
    """One round of trials: removes each value that propagation refutes; False on a contradiction."""
    for variable in domains:
        for value in members(domains[variable]):
            bits, trial = domains[variable], domains | {variable: 1 << value}
            # Propagation has removed some of the values since, and may have left one.
            if bits >> value & 1 and bits & (bits - 1) and not fixpoint(trial, narrow):
                keep(domains, variable, ~(1 << value), tally)
                if not fixpoint(domains, narrow):
                    return False
    return True


def up_to_step(rules: Mapping[Step, Rule[Variable]], tally: Tally) -> Rule[Variable]:
    """Returns one round of the propagation that `tally.step` asks for.

    Rules of later steps are checked once all variables are decided, so each step has the same solutions.

    Args:
        rules: each with the step that it belongs to, in the order in which they are applied.
    """
    propagated = [rule for step, rule in rules.items() if step <= tally.step]
    checked = [rule for step, rule in rules.items() if step > tally.step]

    def narrow(domains: dict[Variable, int]) -> bool:
        return all(rule(domains) for rule in propagated) and (
            not checked or bool(undecided(domains)) or all(rule(domains) for rule in checked)
        )

    def narrow_and_shave(domains: dict[Variable, int]) -> bool:
        return fixpoint(domains, narrow) and shave(domains, narrow, tally)

    return narrow_and_shave if tally.step == Step.SHAVING else narrow


def undecided(domains: dict[Variable, int]) -> list[Variable]:
    """The variables with more than one value left."""
    return [variable for variable, bits in domains.items() if bits & (bits - 1)]


def total_size(domains: Collection[int]) -> int:
    """The number of values in all domains."""
    return sum(bits.bit_count() for bits in domains)


def record_root(tally: Tally, values: int, domains: Collection[int], consistent: bool) -> None:
    """Records what propagation leaves of the values at the root; all is decided if it refutes the puzzle."""
    several = sum(bits.bit_count() > 1 for bits in domains)
    left = total_size(domains) if consistent else len(domains)
    tally.root(variables=len(domains), undecided=several, values=values, values_left=left)


def assignments(
    domains: dict[Variable, int],
    rules: Mapping[Step, Rule[Variable]],
    tally: Tally,
    name: Callable[[Variable], str],
    first: int = 0,
) -> Iterator[dict[Variable, int]]:
    """Every assignment that the rules allow, by depth-first search on the first of the smallest domains.

    Args:
        domains: what the variables can be at first; propagation changes it.
        rules: as in `up_to_step`; at each node they are applied until nothing changes.
        tally: counts the nodes, and is told what propagation leaves at the root.
        name: says in words which variable it is.
        first: the number that bit 0 stands for.
    """
    narrow = up_to_step(rules, tally)

    def view(domains: dict[Variable, int]) -> View:
        return View({i: [first + value for value in members(bits)] for i, bits in domains.items()})

    def options(domains: dict[Variable, int]) -> Iterator[tuple[str, dict[Variable, int], bool]]:
        if open_ := undecided(domains):
            chosen = min(open_, key=lambda variable: domains[variable].bit_count())
            for value in members(domains[chosen]):
                child = domains | {chosen: 1 << value}
                yield f"{name(chosen)}: {first + value}", child, fixpoint(child, narrow)

    values = total_size(domains.values())
    consistent = fixpoint(domains, narrow)
    record_root(tally, values, domains.values(), consistent)
    yield from depth_first(tally, domains, consistent, options, view)
