"""The trace of a search: a file that drivers write as they search, and that pictures are drawn from.

Each line is a JSON list, and stands for a node of the search tree in the order of the search:

    [depth, decision, consistent, solution, view]

or for what is known at an earlier node, the one on the way to the first solution that has this number (the
root has 0):

    [number, view]

`view` is null for nodes that are not drawn, else {"left": [[unknown, [value, ...]], ...], "path": [unknown,
...], "notes": [text, ...]} as in models/shared/search.py.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

from models.shared.search import Unknown, View

MOST_NODES = 200_000
"""After so many nodes nothing is written: more are nothing to look at."""

MOST_VIEWS = 5_000
"""How many nodes are written with what is known there: the first ones, and the way to the first solution."""


class Node(NamedTuple):
    """A node of a search tree, consistent unless propagation refuted it; the root has an empty decision."""

    depth: int
    decision: str
    consistent: bool
    solution: bool = False
    view: View | None = None


class Recorder(AbstractContextManager["Recorder"]):
    """Writes the trace of a search to a file, as its Watcher; a context that ends with the search."""

    def __init__(self, path: Path) -> None:
        self.file = path.open("w", encoding="utf-8")
        self.nodes = 0
        self.solved = False
        self.last: Node | None = None
        # The later nodes on the way to the last one, by depth: their number, and what is known there.
        self.way: dict[int, tuple[int, View]] = {}

    def __exit__(self, *_: object) -> None:
        """Writes the last node and closes the file."""
        self.flush()
        self.file.close()

    def node(self, depth: int, decision: str, view: Callable[[], View], consistent: bool) -> None:
        """Takes note of a node."""
        self.flush()
        if self.nodes < MOST_NODES:
            first = self.nodes < MOST_VIEWS
            self.last = Node(depth, decision, consistent, view=view() if first else None)
            if not (first or self.solved):
                self.way = {above: each for above, each in self.way.items() if above < depth}
                self.way[depth] = self.nodes, view()
        self.nodes += 1

    def solution(self) -> None:
        """Takes note that the last node is a solution."""
        if self.last:
            self.last = self.last._replace(consistent=True, solution=True)
            self.flush()
            for number, view in self.way.values() if not self.solved else ():
                self.file.write(f"{json.dumps([number, _written(view)])}\n")
            self.solved = True

    def flush(self) -> None:
        """Writes the last node, of which all is known when the next one comes."""
        # Cleared first: an alarm between the two must not have it written twice.
        last, self.last = self.last, None
        if last:
            view = last.view and _written(last.view)
            line = [last.depth, last.decision, last.consistent, last.solution, view]
            self.file.write(f"{json.dumps(line)}\n")


def _written(view: View) -> dict[str, Any]:
    """Returns what is known at a node as its line has it."""
    left = [[unknown, list(values)] for unknown, values in view.left.items()]
    return {"left": left, "path": list(view.path), "notes": list(view.notes)}


def read_trace(path: Path) -> Iterator[Node]:
    """Yields the nodes of a trace in the order of the search; of one that was cut off, all whole lines."""
    later = {fields[0]: fields[1] for fields in _lines_of(path, 2)}
    for number, (depth, decision, consistent, solution, view) in enumerate(_lines_of(path, 5)):
        known = view or later.get(number)
        yield Node(depth, decision, consistent, solution, known and _view_of(known))


def _lines_of(path: Path, length: int) -> Iterator[list[Any]]:
    """Yields the lines with so many fields."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.endswith("\n") and len(fields := json.loads(line)) == length:
                yield fields


def _view_of(values: dict[str, Any]) -> View:
    """Returns what is known at a node, from its values in the file."""
    left = {_unknown_of(unknown): tuple(each) for unknown, each in values["left"]}
    return View(left, [_unknown_of(unknown) for unknown in values["path"]], values["notes"])


def _unknown_of(value: Any) -> Unknown:
    """Returns an unknown as models write it: a tuple where JSON has a list."""
    return tuple(map(_unknown_of, value)) if isinstance(value, list) else value
