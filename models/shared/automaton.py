"""Layered automata: a set of words of one length as a minimal directed graph without cycles.

Layer p holds the states after p symbols; an arc of layer p reads symbol p. Each word is exactly one path from
`start` to `ACCEPT`, so that a unit of flow through the arcs chooses a word.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
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
class LayeredAutomaton:
    """A minimal layered automaton.

    Attributes:
        start: the only state of layer 0; None if there are no words, and then every layer is empty.
        layers: layers[p] maps each state of layer p to its arcs, symbol -> state. No state is in two layers.
    """

    start: int | None
    layers: tuple[Mapping[int, Mapping[str, int]], ...]

    def arcs(self) -> Iterator[Arc]:
        """Yields every arc, layer by layer."""
        for position, layer in enumerate(self.layers):
            for source, step in layer.items():
                for symbol, target in step.items():
                    yield Arc(position, source, symbol, target)

    @cached_property
    def symbols(self) -> list[set[str]]:
        """The symbols that some word has at each position."""
        return [set().union(*layer.values()) for layer in self.layers]

    def words(self, allowed: Sequence[Collection[str]] | None = None) -> Iterator[str]:
        """Yields every word whose symbols are all among those allowed at their positions."""

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
        """Returns the number of words."""
        paths = {ACCEPT: 1}
        for layer in reversed(self.layers):
            paths = {state: sum(paths[target] for target in step.values()) for state, step in layer.items()}
        return sum(paths.values()) if self.layers else 1

    def supported(self, allowed: Sequence[Collection[str]]) -> list[set[str]]:
        """Returns the symbols at each position of the words made of allowed symbols alone.

        By definition these are [{word[p] for word in self.words(allowed)} for each position p]. One pass from
        the left and one from the right find them without listing the words.
        """
        if self.allowed_by(allowed):
            return self.symbols
        reached: list[set[int]] = [set() if self.start is None else {self.start}]
        for layer, symbols in zip(self.layers, allowed, strict=True):
            steps = (step for state in reached[-1] for step in layer[state].items())
            reached.append({target for symbol, target in steps if symbol in symbols})
        alive = reached.pop()
        support: list[set[str]] = []
        for layer, symbols, states in zip(self.layers[::-1], allowed[::-1], reached[::-1], strict=True):
            arcs = [(state, *step) for state in states for step in layer[state].items()]
            kept = [(state, symbol) for state, symbol, to in arcs if to in alive and symbol in symbols]
            alive = {state for state, _ in kept}
            support.append({symbol for _, symbol in kept})
        return support[::-1]

    def allowed_by(self, allowed: Sequence[Collection[str]]) -> bool:
        """Tells whether every word is made of allowed symbols alone."""
        return all(map(set.issubset, self.symbols, allowed))

    def restricted(self, allowed: Sequence[Collection[str]]) -> "LayeredAutomaton":
        """Returns the minimal automaton of the words whose symbols are all among those allowed."""
        if self.start is None or self.allowed_by(allowed):
            return self

        def expand(position: int, state: int) -> Iterable[tuple[str, int]]:
            step, symbols = self.layers[position][state], allowed[position]
            return [(symbol, target) for symbol, target in step.items() if symbol in symbols]

        return minimal_automaton(len(self.layers), self.start, expand)


def minimal_automaton(
    length: int, start: State, expand: Callable[[int, State], Iterable[tuple[str, State]]]
) -> LayeredAutomaton:
    """Returns the minimal layered automaton of the words of `length` symbols that `expand` spells.

    By definition the words are words(0, start), where words(length, s) has the empty word alone, and
    words(p, s) has symbol + word for each (symbol, after) in expand(p, s) and each word in
    words(p + 1, after). The automaton has one state in layer p for each different set of endings of the words
    that begin with the same p symbols.

    Args:
        length: how many symbols each word has.
        start: the state before the first symbol.
        expand: gives the symbols that can follow at a position in a state, each with the state after it.
    """
    numbers: list[dict[tuple[tuple[str, int], ...], int]] = [{} for _ in range(length)]
    known: list[dict[State, int | None]] = [{} for _ in range(length + 1)]
    total = ACCEPT

    def number(position: int, state: State) -> int | None:
        """Returns the number of the minimal state, None if no word goes on from here."""
        nonlocal total
        result: int | None = ACCEPT
        if position < length:
            following = known[position + 1]
            arcs = []
            for symbol, after in expand(position, state):
                target = following[after] if after in following else number(position + 1, after)
                if target is not None:
                    arcs.append((symbol, target))
            step = tuple(arcs)
            result = numbers[position].get(step)
            if step and result is None:
                total += 1
                result = numbers[position][step] = total
        known[position][state] = result
        return result

    first = number(0, start)
    layers = [{state: dict(step) for step, state in layer.items()} for layer in numbers]
    # States that were numbered on the way to a dead end of an earlier layer are dropped.
    reachable = {first}
    for position, layer in enumerate(layers):
        layers[position] = {state: step for state, step in layer.items() if state in reachable}
        reachable = {target for step in layers[position].values() for target in step.values()}
    return LayeredAutomaton(first, tuple(layers))
