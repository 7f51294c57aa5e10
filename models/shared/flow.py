"""A unit of flow through a directed graph: the variables of the arcs by node, for any solver.

A model of a path has a variable for each arc that the path may take, and says
    one arc leaves the start                                 of leaving[start]
    as many arcs enter a node as leave it                    of entering[node] and leaving[node]
"""

from collections.abc import Callable, Hashable, Mapping
from typing import TypeVar

Arc = TypeVar("Arc", bound=Hashable)
Key = TypeVar("Key", bound=Hashable)
Variable = TypeVar("Variable")


def grouped(arc: Mapping[Arc, Variable], key: Callable[[Arc], Key]) -> dict[Key, list[Variable]]:
    """Returns the variables of the arcs by a property of the arc, groups and members in the arcs' order.

    The variables by target are `entering`, those by source `leaving`.
    """
    groups: dict[Key, list[Variable]] = {}
    for e, variable in arc.items():
        groups.setdefault(key(e), []).append(variable)
    return groups
