"""Which numbers can lie inside a group of cells, and which outside, if those inside add up to a total."""

from collections.abc import Sequence


def supported(inside: int, outside: int, weights: Sequence[int], total: int, apart: bool) -> tuple[int, int]:
    """Returns what some choice has inside, and what some choice has outside; (0, 0) if there is no choice.

    A choice is a subset of the numbers 1..T; those in it are inside, the others outside. The weights of its
    numbers add up to the total.

    Args:
        inside, outside: the numbers that may be inside, and those that may be outside, as sets of bits.
        weights: of the numbers 1..T.
        apart: whether a choice has no two consecutive numbers.
    """
    possible = (2 << min(total, sum(weights))) - 1
    # The sums of the numbers before t if t - 1 is outside, and if it is inside, as sets of bits.
    without, within = 1, 0
    before = []
    for t, weight in enumerate(weights, 1):
        before.append((without, within))
        without, within = (
            without | within if outside >> t & 1 else 0,
            (without if apart else without | within) << weight & possible if inside >> t & 1 else 0,
        )
    # The sums of the numbers up to t that those behind t complete if t is outside, and if it is inside.
    completes_without = completes_within = 1 << total if total <= sum(weights) else 0
    in_some = out_of_some = 0
    for t in range(len(weights), 0, -1):
        without, within = before[t - 1]
        stays = completes_without if outside >> t & 1 else 0
        enters = completes_within >> weights[t - 1] if inside >> t & 1 else 0
        out_of_some |= ((without | within) & stays != 0) << t
        in_some |= ((without if apart else without | within) & enters != 0) << t
        completes_without, completes_within = stays | enters, stays if apart else stays | enters
    return in_some, out_of_some
