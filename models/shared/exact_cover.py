"""Exact cover with multiplicities, by sets of bits: the search that several puzzles share.

Some of the options are to be chosen, so that each item is covered as often as its bounds say: once, as in
Knuth's Algorithm X, or so many times, as in his Algorithm M (The Art of Computer Programming, volume 4B,
section 7.2.2.1). It branches on an option of the item with the fewest to spare for its weight, which grows
with each of its failures (Boussemart and others, Boosting systematic search by weighting constraints, 2004).
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from models.shared.bits import from_places, least, members
from models.shared.search import Step, Tally, View, depth_first


def items_of(options: Iterable[Hashable], covering: Iterable[Iterable[Hashable]]) -> list[list[int]]:
    """The items that each option covers, from the options that cover each item."""
    found: dict[Hashable, list[int]] = {option: [] for option in options}
    for item, some in enumerate(covering):
        for option in some:
            found[option].append(item)
    return [*found.values()]


class _Node(NamedTuple):
    """The options that are undecided, and those that are chosen."""

    open: int
    chosen: int


def exact_covers(
    items: Sequence[tuple[int, int]],
    options: Sequence[Collection[int]],
    tally: Tally,
    word: Callable[[int], str],
    view: Callable[[Collection[int], Collection[int]], View],
) -> Iterator[list[int]]:
    """Yields the chosen options of each cover.

    Args:
        items: how often each is to be covered, at least and at most.
        options: the items that each covers.
        tally: with ALL_DIFFERENT, what is left of an item that has enough is removed; with FULL, it is
            chosen if it needs all; with SHAVING, an option is removed if it is refuted on trial.
        word: names an option.
        view: draws a node, of its undecided and its chosen options.
    """
    order = list(tally.shuffled(range(len(options))))
    places: list[list[int]] = [[] for _ in items]
    for place, option in enumerate(order):
        for item in options[option]:
            places[item].append(place)
    covering = [from_places(found) if found else 0 for found in places]

    weight = [1] * len(items)

    def narrow(node: _Node, changed: Iterable[int]) -> tuple[bool, _Node]:
        """Propagates what follows for items whose options have changed; False on a contradiction."""
        open_, chosen = node
        waiting = dict.fromkeys(changed)
        while waiting:
            item = waiting.popitem()[0]
            fewest, most = items[item]
            left = covering[item] & open_
            covered, spare = (covering[item] & chosen).bit_count(), left.bit_count()
            if covered > most or covered + spare < fewest:
                weight[item] += 1
                return False, _Node(open_, chosen)
            needed = covered + spare == fewest and tally.step >= Step.FULL
            if spare and (needed or covered == most):
                tally.propagations += spare
                open_ ^= left
                chosen |= left if needed else 0
                for place in members(left):
                    waiting.update(dict.fromkeys(options[order[place]]))
        return True, _Node(open_, chosen)

    def decide(node: _Node, place: int, choose: bool) -> tuple[bool, _Node]:
        """Chooses or removes an option, and propagates."""
        bit = 1 << place
        return narrow(_Node(node.open ^ bit, node.chosen | bit * choose), options[order[place]])

    def prune(consistent: bool, node: _Node) -> tuple[bool, _Node]:
        """Removes options that are refuted on trial, until nothing changes, if the step asks for it."""
        before = None
        while consistent and node != before and tally.step >= Step.SHAVING:
            before = node
            for place in members(node.open):
                if consistent and node.open >> place & 1 and not decide(node, place, True)[0]:
                    consistent, node = decide(node, place, False)
        return consistent, node

    def nearest(node: _Node) -> int:
        """The first option of the item with the fewest to spare for its weight."""
        fewest, heaviest, found = len(options), 1, node.open
        for (need, _), of_item, heavy in zip(items, covering, weight, strict=True):
            if left := of_item & node.open:
                need -= (of_item & node.chosen).bit_count()
                if need > 0 and (spare := left.bit_count() - need + 1) * heaviest < fewest * heavy:
                    fewest, heaviest, found = spare, heavy, left
        return least(found)

    def children(node: _Node) -> Iterator[tuple[str, _Node, bool]]:
        if node.open:
            place = nearest(node)
            for choose in (True, False):
                consistent, child = prune(*decide(node, place, choose))
                yield ("" if choose else "not ") + word(order[place]), child, consistent

    def of_places(bits: int) -> list[int]:
        return sorted(order[place] for place in members(bits))

    def drawn(node: _Node) -> View:
        return view(of_places(node.open), of_places(node.chosen))

    count = len(options)
    consistent, root = prune(*narrow(_Node((1 << count) - 1, 0), range(len(items))))
    undecided = root.open.bit_count() if consistent else 0
    tally.root(variables=count, undecided=undecided, values=2 * count, values_left=count + undecided)
    for node in depth_first(tally, root, consistent, children, drawn):
        yield of_places(node.chosen)
