"""Layered automata: the words of a fixed length that a row may hold, as a minimal directed graph.

Layer p holds the states after p symbols; an arc of layer p reads symbol p. Each accepted word is exactly one
path from `start` to `ACCEPT`, so a flow of one unit through the arcs chooses a word.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

ACCEPT = 0
"""The number of the only state of the last layer."""

State = TypeVar("State", bound=Hashable)


class Arc(NamedTuple):
    """A step from one state to another that reads the symbol at a position."""

    position: int
    source: int
    symbol: str
    target: int


@dataclass(frozen=True)
class Layered:
    """A minimal layered automaton. `layers[p]` maps each state of layer p to its arcs, symbol -> state.

    `start` is None if no word is accepted; then every layer is empty.
    """

    start: int | None
    layers: tuple[Mapping[int, Mapping[str, int]], ...]

    def arcs(self) -> Iterator[Arc]:
        """Yields every arc, layer by layer."""
        for position in range(len(self.layers)):
            yield from self.arcs_at(position)

    def arcs_at(self, position: int) -> Iterator[Arc]:
        """Yields the arcs that read the symbol at a position."""
        for source, step in self.layers[position].items():
            for symbol, target in step.items():
                yield Arc(position, source, symbol, target)

    def symbols(self) -> list[set[str]]:
        """The symbols that some word has at each position."""
        return [{symbol for step in layer.values() for symbol in step} for layer in self.layers]

    def words(self, allowed: Sequence[Collection[str]] | None = None) -> Iterator[str]:
        """Every word whose symbols are all among the allowed ones."""

        def extend(state: int, word: str) -> Iterator[str]:
            position = len(word)
            if position == len(self.layers):
                yield word
                return
            for symbol, target in self.layers[position][state].items():
                if allowed is None or symbol in allowed[position]:
                    yield from extend(target, word + symbol)

        return iter(()) if self.start is None else extend(self.start, "")

    def count(self) -> int:
        """The number of words."""
        paths = {ACCEPT: 1}
        for layer in reversed(self.layers):
            paths = {state: sum(paths[target] for target in step.values()) for state, step in layer.items()}
        return sum(paths.values()) if self.layers else 1

    def supported(self, allowed: Sequence[Collection[str]]) -> list[set[str]]:
        """The symbols at each position of the words made of allowed symbols alone ."""
        reached: list[set[int]] = [set() if self.start is None else {self.start}]
        for position, layer in enumerate(self.layers):
            symbols = allowed[position]
            reached.append(
                {
                    target
                    for state in reached[-1]
                    for symbol, target in layer[state].items()
                    if symbol in symbols
                }
            )
        alive = reached[-1]
        support: list[set[str]] = []
        for position in reversed(range(len(self.layers))):
            layer, symbols = self.layers[position], allowed[position]
            found: set[str] = set()
            before: set[int] = set()
            for state in reached[position]:
                for symbol, target in layer[state].items():
                    if target in alive and symbol in symbols:
                        found.add(symbol)
                        before.add(state)
            support.append(found)
            alive = before
        return support[::-1]


def minimal(
    length: int, start: State, expand: Callable[[int, State], Iterable[tuple[str, State]]]
) -> Layered:
    """The minimal layered automaton of the words that `expand` spells.

    Args:
        expand: gives the symbols that can follow at a position in a state, each with the state after it. A
            word is accepted if it has `length` symbols.
    """
    numbers: list[dict[tuple[tuple[str, int], ...], int]] = [{} for _ in range(length)]
    known: list[dict[State, int | None]] = [{} for _ in range(length)]
    total = ACCEPT

    def number(position: int, state: State) -> int | None:
        """The number of the minimal state, None if no word goes on from here."""
        nonlocal total
        if position == length:
            return ACCEPT
        seen = known[position]
        if state in seen:
            return seen[state]
        step = tuple(
            (symbol, target)
            for symbol, after in expand(position, state)
            if (target := number(position + 1, after)) is not None
        )
        if not step:
            result = None
        elif step in numbers[position]:
            result = numbers[position][step]
        else:
            total += 1
            result = numbers[position][step] = total
        seen[state] = result
        return result

    first = number(0, start)
    layers = [{state: dict(step) for step, state in layer.items()} for layer in numbers]
    # States that were numbered on the way to a dead end of an earlier layer are dropped.
    reachable = {first}
    for position, layer in enumerate(layers):
        layers[position] = {state: step for state, step in layer.items() if state in reachable}
        reachable = {target for step in layers[position].values() for target in step.values()}
    return Layered(first, tuple(layers))
