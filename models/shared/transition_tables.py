"""Layered automata from transition tables: arrays with a row for each state, a column for each symbol."""

from collections.abc import Sequence
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
    states = np.where(accepting, ACCEPT, DEAD).astype(np.int32)
    tables: list[Table] = []
    for layer in reversed(layers):
        # What is appended is found at DEAD.
        table, states = merged(np.append(states, np.int32(DEAD))[layer])
        tables.insert(0, table)
    return trimmed(tables, int(states[0]), symbols)


def merged(table: Table) -> tuple[Table, Table]:
    """Returns the different rows of a table, and which of them each row is: DEAD if nothing follows."""
    text, size = table.tobytes(), table.itemsize * table.shape[1]
    known: dict[bytes, int] = {np.full(table.shape[1], DEAD, table.dtype).tobytes(): DEAD}
    places = [known.setdefault(text[at : at + size], len(known) - 1) for at in range(0, len(text), size)]
    rows = np.frombuffer(b"".join(list(known)[1:]), table.dtype).reshape(-1, table.shape[1])
    return rows, np.array(places, dtype=np.int32)


def numbered(keys: Table) -> tuple[Table, Table]:
    """Returns the different keys, and which of them each key is; for few keys faster than np.unique."""
    known: dict[int, int] = {}
    places = [known.setdefault(key, len(known)) for key in keys.tolist()]
    return np.array(list(known), dtype=keys.dtype), np.array(places, dtype=np.intp)


def trimmed(tables: Sequence[Table], start: int, symbols: str) -> LayeredAutomaton:
    """Returns the automaton of tables without DEAD or equal rows, without the states that no word reaches."""
    if start == DEAD:
        return LayeredAutomaton(None, tuple({} for _ in tables))
    reached, offset = np.array([start]), ACCEPT + 1
    layers: list[dict[int, dict[str, int]]] = []
    for position, table in enumerate(tables):
        rows = table[reached]
        source, symbol = np.nonzero(rows != DEAD)
        target = rows[source, symbol]
        # States of the next layer are numbered in the order of its table.
        following = np.zeros(target.max(initial=0) + 1, dtype=bool)
        following[target] = True
        layer: dict[int, dict[str, int]] = {state: {} for state in range(offset, offset + len(reached))}
        source += offset
        offset += len(reached)
        target = ACCEPT if position == len(tables) - 1 else (np.cumsum(following) + offset - 1)[target]
        targets = np.broadcast_to(target, source.shape)
        for state, place, after in zip(source.tolist(), symbol.tolist(), targets.tolist(), strict=True):
            layer[state][symbols[place]] = after
        layers.append(layer)
        reached = np.flatnonzero(following)
    return LayeredAutomaton(ACCEPT + 1 if tables else ACCEPT, tuple(layers))
