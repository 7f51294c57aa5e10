"""A unit of flow through a directed graph: the variables of the arcs by node, for any solver.

A model of a path has a variable for each arc that the path may take, and says
    one arc leaves the start                                 of leaving[start]
    as many arcs enter a node as leave it                    of entering[node] and leaving[node]
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from typing import TypeVar

Arc = TypeVar("Arc", bound=Hashable)
Key = TypeVar("Key", bound=Hashable)
Variable = TypeVar("Variable")


def grouped(arc: Mapping[Arc, Variable], key: Callable[[Arc], Key]) -> dict[Key, list[Variable]]:
    """Returns the variables of the arcs by a property of the arc, in the order of the arcs.

    By target they are `entering`, by source `leaving`. A key that no arc has gets an empty list.
    """
    groups: dict[Key, list[Variable]] = defaultdict(list)
    for e, variable in arc.items():
        groups[key(e)].append(variable)
    return groups
