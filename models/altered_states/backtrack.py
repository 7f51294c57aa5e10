"""Altered States by branch and bound: letters for one cell after the other.

A word can still be read if a walk does so where open cells hold any letter. A word that lacks m letters gives
each of them an m-th of its points: k open cells bring at most k letters, so all such words score at most what
the k letters with the most points have. If a letter may be replaced, the word needs but m - 1 of them.

Only letters of such words are tried, those with the best bounds first. The grid can be turned and reflected:
the first corner has the least letter of all corners, and the third none less than the second.

Constraints: walks, bounds
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from models.altered_states.puzzle import AlteredStates
from models.altered_states.walks import Walks
from models.shared.grid import in_words
from models.shared.model import by_name
from models.shared.puzzle import Solution
from models.shared.search import Tally, View, depth_first


class Node(NamedTuple):
    """The letters of the first cells, the words that can still be read, and what no completion exceeds."""

    letters: str
    words: list[str]
    bound: int


def branch_and_bound(puzzle: AlteredStates, tally: Tally) -> Iterator[Solution]:
    """Yields better and better grids; its end proves the last to be the best."""
    walks, points, most, last, best = Walks(puzzle), puzzle.points, puzzle.replaced, puzzle.height - 1, -1
    corners = [(0, 0), (last, last), (0, last), (last, 0)]
    order = corners + [i for i in puzzle.cells if i not in corners]

    def node(letters: str, words: Iterable[str]) -> Node:
        """The node with these letters, of those words that could be read before."""
        left, holds = puzzle.size - len(letters), walks.holds(dict(zip(order, letters, strict=False)))
        read, sure, shares = [], 0, dict.fromkeys(puzzle.letters, 0)
        for word in words:
            missing = {*word}.difference(letters)
            needed = len(missing) - most
            if needed > left or walks.replaced(word, holds, most) > most:
                continue
            read.append(word)
            if needed <= 0:
                sure += points[word]
            for letter in missing if needed > 0 else ():
                shares[letter] += -(-points[word] // needed)
        added = sum(sorted(shares.values(), reverse=True)[:left])
        return Node(letters, read, min(sure + added, sum(points[word] for word in read)))

    def options(parent: Node) -> Iterator[tuple[str, Node, bool]]:
        """Yields what to try at a node, in words, with the node then, and whether that may be better."""
        if (at := len(parent.letters)) == puzzle.size:
            return
        least = parent.letters[0 if at < 3 else 2] if 0 < at < 4 else ""
        useful = sorted({letter for word in parent.words for letter in word if letter >= least})
        # If none is of use, the last one may stand in any corner.
        tried = tally.shuffled(useful or puzzle.letters[-1])
        children = [node(parent.letters + letter, parent.words) for letter in tried]
        for child in sorted(children, key=lambda child: -child.bound):
            yield f"{in_words(order[at])}: {child.letters[-1]}", child, child.bound > best

    def view(state: Node) -> View:
        return View({i: [letter] for i, letter in zip(order, state.letters, strict=False)})

    root, n, values = node("", points), puzzle.size, puzzle.size * len(puzzle.letters)
    tally.on_bound(root.bound)
    tally.root(variables=n, undecided=n, values=values, values_left=values)
    for leaf in depth_first(tally, root, True, options, view):
        best = leaf.bound
        yield puzzle.solution(dict(zip(order, leaf.letters, strict=True)).__getitem__)


FORMULATIONS = by_name(branch_and_bound)
