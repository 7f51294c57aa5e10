"""That chosen edges of a graph form one loop, stated once for each library.

A graph has each edge once, as a pair of nodes. A loop has edges, and visits no node twice.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
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


def two_or_none(*chosen: int) -> bool:
    """Whether two of the edges at a node are chosen, or none, for python-constraint."""
    return sum(chosen) in (0, 2)


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
    arcs: dict[tuple[Node, Node], Any] = {}
    for (u, v), taken in chosen.items():
        arcs[u, v], arcs[v, u] = model.new_bool_var(f"{u} to {v}"), model.new_bool_var(f"{v} to {u}")
        model.add_exactly_one(arcs[u, v], arcs[v, u], ~taken)
    add_directed_circuit(model, arcs, left_out)


def add_directed_circuit(
    model: "cp_model.CpModel",
    arcs: "Mapping[tuple[Node, Node], cp_model_helper.Literal]",
    left_out: "Mapping[Node, cp_model_helper.Literal] | None" = None,
) -> None:
    """Adds that arcs form a circuit through three nodes or more, if never both arcs of an edge are taken."""
    nodes = list(at_nodes(arcs)) if left_out is None else list(left_out)
    number = {node: k for k, node in enumerate(nodes)}
    circuit: list[tuple[int, int, Any]] = [(number[u], number[v], taken) for (u, v), taken in arcs.items()]
    for node, k in number.items():
        circuit.append((k, k, left_out[node] if left_out else model.new_bool_var(f"{node} left out")))
    if circuit:
        model.add_circuit(circuit)
    # A circuit may leave out all nodes, a loop may not.
    model.add_bool_or(arcs.values())


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
) -> Callable[[Callable[[Any], Any]], list[Any]]:
    """The `lazy` of such a program: two edges leave each of several loops, if there are others."""
    from models.shared.milp import total

    def broken(value: Callable[[Any], Any]) -> list[Any]:
        loops = parts_of(graph_of(edge for edge, taken in chosen.items() if round(value(taken))))
        cuts = []
        for k, loop in enumerate(loops if len(loops) > 1 else ()):
            leaving = total(taken for (u, v), taken in chosen.items() if (u in loop) != (v in loop))
            # A node on each side is visited.
            inside, outside = visited[next(iter(loop))], visited[next(iter(loops[k - 1]))]
            cuts.append(leaving - 2 * inside - 2 * outside >= -2)
        return cuts

    return broken


def loop_for_cpmpy(chosen: Mapping[tuple[Node, Node], Any]) -> list[Any]:
    """For CPMpy, whose circuit leaves out no node: each node has its number of steps along the loop.

    It begins at the first node that it visits, along the last edge there, both in the order of `chosen`.
    """
    import cpmpy

    arcs: dict[tuple[Node, Node], Any] = {}
    constraints: list[Any] = []
    for (u, v), taken in chosen.items():
        arcs[u, v], arcs[v, u] = cpmpy.boolvar(), cpmpy.boolvar()
        constraints.append(arcs[u, v] + arcs[v, u] == taken)
    ends = at_nodes({edge: edge for edge in chosen})
    visited, first, begun = ({node: cpmpy.boolvar() for node in ends} for _ in range(3))
    step = {node: cpmpy.intvar(0, len(ends) - 1) for node in ends}

    before: Any = cpmpy.BoolVal(False)
    for node, edges in ends.items():
        # The loop enters a node that it visits once, and leaves it once.
        near = [v if u == node else u for u, v in edges]
        constraints += [cpmpy.sum([arcs[other, node] for other in near]) == visited[node]]
        constraints += [cpmpy.sum([arcs[node, other] for other in near]) == visited[node]]

        # It begins where no node before is visited, and goes on along the last of its edges there.
        constraints += [begun[node] == (before | visited[node]), first[node] == (visited[node] & ~before)]
        before = begun[node]
        for k, other in enumerate(near):
            constraints += [~first[node] | ~arcs[node, other] | ~arcs[later, node] for later in near[k + 1 :]]

        # There, and where it never is, the number is 0.
        constraints += [first[node].implies(step[node] == 0), (~visited[node]).implies(step[node] == 0)]

    # There is a loop, and numbers grow by 1 to any other node.
    constraints.append(before)
    constraints += [(arc & ~first[v]).implies(step[v] == step[u] + 1) for (u, v), arc in arcs.items()]
    return constraints
