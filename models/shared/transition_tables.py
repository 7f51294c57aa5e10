"""Layered automata from transition tables: arrays with a row for each state, a column for each symbol."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import count, islice, pairwise
from typing import Any

import numpy as np

from models.shared.automaton import ACCEPT, LayeredAutomaton

Table = np.ndarray[tuple[int, ...], np.dtype[Any]]
"""table[s, a] is the row of the next layer's table that symbol a leads to from state s, or DEAD."""

DEAD = -1
"""The state from which no word goes on."""


def minimised(layers: Sequence[Table], accepting: Table, symbols: str) -> LayeredAutomaton:
    """Returns the minimal automaton of the words that lead from the first row to an accepting state.

    Args:
        layers: the table of each layer, as int32.
        accepting: whether each state after the last symbol accepts.
        symbols: what the columns of the tables stand for.
    """
    # What is appended, here and by `merge`, is found at DEAD.
    states: Table = np.append(np.where(accepting, ACCEPT, DEAD), DEAD).astype(np.int32)
    tables: list[Table] = [np.full((1, len(symbols)), DEAD, dtype=np.int32)]
    for layer in reversed(layers):
        states = merge(states[layer], tables)
    return trimmed(tables, int(states[0]), symbols)


def merge(table: Table, tables: list[Table]) -> Table:
    """Appends the different rows that are not DEAD, and returns which of all rows each row is, and DEAD."""
    dead = np.int32(DEAD).tobytes() * table.shape[1]
    known = defaultdict(count(sum(map(len, tables))).__next__, {dead: DEAD})
    places = [*map(known.__getitem__, table.view(f"V{len(dead)}").ravel().tolist()), DEAD]
    tables.append(np.frombuffer(b"".join(known), table.dtype).reshape(-1, table.shape[1])[1:])
    return np.array(places, dtype=np.int32)


def numbered(keys: Table) -> tuple[Table, Table]:
    """Returns the different keys, and which of them each key is; for few keys faster than np.unique."""
    known: dict[int, int] = defaultdict(count().__next__)
    places = np.fromiter(map(known.__getitem__, keys.tolist()), np.intp, len(keys))
    return np.fromiter(known, keys.dtype, len(known)), places


def trimmed(tables: Sequence[Table], start: int, symbols: str) -> LayeredAutomaton:
    """Returns the automaton of tables by `merge`, ACCEPT alone in the first, without what no word reaches."""
    if start == DEAD:
        return LayeredAutomaton(None, tuple({} for _ in tables[1:]))
    every, ends = np.concatenate(tables), np.cumsum([*map(len, tables)])
    # States are numbered from left to right, in the order of their tables.
    reached, marked = [np.array([start])], np.zeros(len(every) + 1, dtype=bool)
    for first, end in pairwise(ends[-2::-1]):
        marked[every[reached[-1]]] = True
        reached.append(np.flatnonzero(marked[end:first]) + end)
    order = np.concatenate(reached)
    number = np.full(len(every), ACCEPT)
    number[order] = np.arange(ACCEPT + 1, ACCEPT + 1 + len(order))
    rows = every[order]
    source, symbol = np.nonzero(rows != DEAD)
    steps: list[dict[str, int]] = [{} for _ in order]
    targets = number[rows[source, symbol]].tolist()
    for state, place, target in zip(source.tolist(), symbol.tolist(), targets, strict=True):
        steps[state][symbols[place]] = target
    numbering = enumerate(steps, ACCEPT + 1)
    return LayeredAutomaton(ACCEPT + 1, tuple(dict(islice(numbering, len(states))) for states in reached))
