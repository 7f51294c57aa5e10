"""That chosen edges of a graph form one loop, stated once for each library.

A graph has each edge once, as a pair of nodes. A loop has edges, and visits no node twice.
"""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from models.shared.graph import graph_of, parts_of

if TYPE_CHECKING:
    import pulp
    from ortools.sat.python import cp_model, cp_model_helper

Node = TypeVar("Node", bound=Hashable)
Item = TypeVar("Item")


def is_one_loop(edges: Sequence[tuple[Node, Node]], *chosen: int) -> bool:
    """Whether the edges with a 1 form one loop, for python-constraint."""
    graph = graph_of(edge for edge, taken in zip(edges, chosen, strict=True) if taken)
    return len(parts_of(graph)) == 1 and all(len(near) == 2 for near in graph.values())


def at_nodes(chosen: Mapping[tuple[Node, Node], Item]) -> dict[Node, list[Item]]:
    """What belongs to the edges at each node."""
    found: dict[Node, list[Item]] = {}
    for edge, item in chosen.items():
        for node in edge:
            found.setdefault(node, []).append(item)
    return found


def add_circuit(
    model: "cp_model.CpModel",
    chosen: "Mapping[tuple[Node, Node], cp_model_helper.Literal]",
    left_out: "Mapping[Node, cp_model_helper.Literal] | None" = None,
) -> None:
    """Adds it to a model of CP-SAT, as a circuit through both directions of each edge.

    Either direction of the loop is a solution, so `chosen` should be among the decisions of the model.

    Args:
        left_out: which nodes the loop does not visit, for all nodes; by default any may be left out.
    """
    nodes = list(at_nodes(chosen)) if left_out is None else list(left_out)
    number = {node: k for k, node in enumerate(nodes)}
    arcs: list[tuple[int, int, Any]] = []
    for (u, v), taken in chosen.items():
        there, back = model.new_bool_var(f"{u} to {v}"), model.new_bool_var(f"{v} to {u}")
        model.add_exactly_one(there, back, ~taken)
        arcs += [(number[u], number[v], there), (number[v], number[u], back)]
    for node, k in number.items():
        arcs.append((k, k, left_out[node] if left_out else model.new_bool_var(f"{node} left out")))
    model.add_circuit(arcs)
    # A circuit may leave out all nodes, a loop may not.
    model.add_bool_or(chosen.values())


def add_degrees(
    problem: "pulp.LpProblem",
    chosen: "Mapping[tuple[Node, Node], pulp.LpVariable]",
    visited: "Mapping[Node, pulp.LpVariable | pulp.LpAffineExpression]",
) -> None:
    """Adds to a program of PuLP that the edges form loops: two edges at each node that is visited.

    `visited` is 1 for such nodes, and 0 for others. `subtour_cuts` exclude several loops.
    """
    from models.shared.milp import total

    at = at_nodes(chosen)
    for node, once in visited.items():
        problem += total(at.get(node, ())) - 2 * once == 0
    problem += total(chosen.values()) >= 3


def subtour_cuts(
    chosen: "Mapping[tuple[Node, Node], pulp.LpVariable]",
    visited: "Mapping[Node, pulp.LpVariable | pulp.LpAffineExpression]",
    sure: Sequence[Collection[Node]] = (),
) -> Callable[[Callable[[Any], Any]], list[Any]]:
    """The `lazy` of such a program: two edges leave each of several loops, if there are others.

    Args:
        sure: sets of nodes, some of which any loop visits.
    """
    from models.shared.milp import total

    def broken(value: Callable[[Any], Any]) -> list[Any]:
        loops = parts_of(graph_of(edge for edge, taken in chosen.items() if round(value(taken))))
        cuts = []
        for k, loop in enumerate(loops if len(loops) > 1 else ()):
            leaving = total(taken for (u, v), taken in chosen.items() if (u in loop) != (v in loop))
            # Nodes on both sides are visited, at least if one of each is.
            inside = any(loop.issuperset(nodes) for nodes in sure) or visited[next(iter(loop))]
            outside = any(loop.isdisjoint(nodes) for nodes in sure) or visited[next(iter(loops[k - 1]))]
            cuts.append(leaving - 2 * inside - 2 * outside >= -2)
        return cuts

    return broken


def loop_for_cpmpy(chosen: Mapping[tuple[Node, Node], Any]) -> list[Any]:
    """For CPMpy, whose circuit leaves out no node: the nodes have numbers in the order of the loop.

    Either direction from any node is a solution, so `chosen` should be the decisions of the model.
    """
    import cpmpy

    constraints: list[Any] = []
    arcs: dict[tuple[Node, Node], Any] = {}
    for (u, v), taken in chosen.items():
        arcs[u, v], arcs[v, u] = cpmpy.boolvar(), cpmpy.boolvar()
        constraints.append(arcs[u, v] + arcs[v, u] == taken)
    nodes = {node: None for edge in chosen for node in edge}
    step = {node: cpmpy.intvar(0, len(nodes) - 1) for node in nodes}
    first = {node: cpmpy.boolvar() for node in nodes}

    # The loop enters a node once at most, and leaves it as often.
    leaving = {node: [arc for (u, _), arc in arcs.items() if u == node] for node in nodes}
    entering = {node: [arc for (_, v), arc in arcs.items() if v == node] for node in nodes}
    for node in nodes:
        constraints += [
            cpmpy.sum(entering[node]) == cpmpy.sum(leaving[node]),
            cpmpy.sum(leaving[node]) <= 1,
            cpmpy.sum(leaving[node]) >= first[node],
        ]

    # It has one first node, and numbers grow by 1 to any other.
    constraints.append(cpmpy.sum(list(first.values())) == 1)
    constraints += [(arc & ~first[v]).implies(step[v] == step[u] + 1) for (u, v), arc in arcs.items()]
    return constraints
