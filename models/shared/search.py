"""What a hand search gets beside its puzzle: counters, how much to propagate, a watcher; and its tree."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from random import Random
from time import perf_counter
from typing import Any, Protocol, TypeVar

Item = TypeVar("Item")
State = TypeVar("State")
Formulation = TypeVar("Formulation", bound=Callable[..., Any])


class Step(IntEnum):
    """How much a hand search propagates; a step includes those before it.

    Rules that it does not propagate are checked once all variables are decided, or all in their scope.
    """

    ALL_DIFFERENT = 1  # What is assigned is removed elsewhere: all different, exactly one.
    BOUNDS = 2  # And sums by the bounds of their terms.
    FULL = 3  # And every other rule of the search.
    SHAVING = 4  # And a value is removed if propagation refutes it on trial (singleton consistency).


def propagates(*steps: Step) -> Callable[[Formulation], Formulation]:
    """Declares which steps of propagation a hand search has: `tally.step` is one of them.

    The first is what it does by default; the others are run as variants (`backtrack:bounds`).
    """

    def declare(search: Formulation) -> Formulation:
        setattr(search, STEPS, steps)
        return search

    return declare


STEPS = "steps"
"""The attribute of a hand search that has its steps."""


def steps_of(search: Callable[..., Any]) -> Sequence[Step]:
    """Returns the steps of propagation that a hand search declares, its default first; none if none."""
    steps: Sequence[Step] = getattr(search, STEPS, ())
    return steps


Unknown = Any
"""What a person fills in: a cell as (row, column), an edge as a pair of nodes, or what has a number."""


@dataclass(frozen=True)
class View:
    """What a search knows at a node, as it is drawn.

    Attributes:
        left: the values that each unknown can still have, as they are written there.
        path: the cells of a walk so far, in order.
        notes: what has no place on the board, a line each.
    """

    left: Mapping[Unknown, Sequence[int | str]] = field(default_factory=dict)
    path: Sequence[Unknown] = ()
    notes: Sequence[str] = ()


class Watcher(Protocol):
    """Watches a search; a search calls it only if there is one (`if tally.watcher:`)."""

    def node(self, depth: int, decision: str, view: Callable[[], View], consistent: bool) -> None:
        """Takes note of a node, after its propagation; nodes come in the order of the search.

        Args:
            depth: 0 for the root, where propagation alone was at work; nodes at depth 1 are its children.
            decision: what was assumed there, as in `row 2, column 5: 7`; empty for the root.
            view: what is known there; not called for nodes that are not drawn.
            consistent: False if propagation refuted the node.
        """


@dataclass
class Tally:
    """Counters of a hand search, and the order in which it tries what the rules leave open.

    Attributes:
        seed: 1 for the order as written; any other number permutes it.
        step: how much to propagate, for a search that declares its steps.
        watcher: None if nobody watches.
        branches: nodes of the search tree below the root, one for each value tried.
        failures: nodes that propagation refuted.
        propagations: values removed from a domain by propagation.
        variables: all variables of the puzzle.
        undecided: those with more than one value left after propagation at the root.
        values: in all domains, before propagation at the root.
        values_left: of them after it.
        root_at: when propagation at the root was done (perf_counter, in seconds).
        on_bound: receives what a search for the best solution has proven that no value beats, whenever that
            improves; the end of the search is a proof by itself.
    """

    seed: int = 1
    step: Step = Step.FULL
    watcher: Watcher | None = None
    branches: int = 0
    failures: int = 0
    propagations: int = 0
    variables: int | None = None
    undecided: int | None = None
    values: int | None = None
    values_left: int | None = None
    root_at: float | None = None
    on_bound: Callable[[float], None] = lambda _: None

    def __post_init__(self) -> None:
        """Seeds the random numbers."""
        self.random = Random(self.seed)

    def shuffled(self, items: Iterable[Item]) -> Iterable[Item]:
        """The items in the order of the seed."""
        if self.seed == 1:
            return items
        permuted = list(items)
        self.random.shuffle(permuted)
        return permuted

    def root(
        self, variables: int, undecided: int, values: int | None = None, values_left: int | None = None
    ) -> None:
        """Records that propagation at the root is done, and what it left."""
        self.variables, self.undecided, self.root_at = variables, undecided, perf_counter()
        self.values, self.values_left = values, values_left


class Undecided(Exception):
    """The search reached its limit of branches without a result."""


class LimitedTally(Tally):
    """A tally that raises Undecided after `limit` branches: at the same place on any machine."""

    def __init__(self, seed: int, limit: int) -> None:
        """Starts all counters at 0."""
        self.limit = limit
        super().__init__(seed)

    @property
    def branches(self) -> int:
        """The nodes so far."""
        return self.counted

    @branches.setter
    def branches(self, count: int) -> None:
        if count > self.limit:
            raise Undecided
        self.counted = count


def depth_first(
    tally: Tally,
    root: State,
    consistent: bool,
    options: Callable[[State], Iterator[tuple[str, State, bool]]],
    view: Callable[[State], View],
    told: bool = False,
) -> Iterator[State]:
    """Yields the states in which all is decided; counts branches and failures, reports nodes to the watcher.

    Args:
        root: the state after propagation, and `consistent` whether that left all a value.
        options: yields what to try at a node, in words, with the state after propagation, and whether that is
            consistent; nothing if all is decided.
        view: what is drawn of a state.
        told: whether the watcher was told of the root.
    """
    if tally.watcher and not told:
        tally.watcher.node(0, "", partial(view, root), consistent)
    if not consistent:
        return
    # Not by recursion, which would be too deep in large puzzles.
    nodes: list[Iterator[tuple[str, State, bool]]] = []
    state, left, is_leaf = root, options(root), True
    while True:
        for decision, child, consistent in left:
            is_leaf = False
            tally.branches += 1
            if tally.watcher:
                tally.watcher.node(len(nodes) + 1, decision, partial(view, child), consistent)
            if consistent:
                nodes.append(left)
                state, left, is_leaf = child, options(child), True
                break
            tally.failures += 1
        else:
            if is_leaf:
                yield state
            if not nodes:
                return
            left, is_leaf = nodes.pop(), False
