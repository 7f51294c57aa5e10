"""Hooks for CP-SAT; model.md states the formulations.

In `textbook` literals are channelled to x[i] = v and row[r] < row[r+1]. The automaton of a clue is stated
step by step, as tables of its states: CP-SAT's own automaton finds the same solution many times.

Constraints: all different, maximum, minimum, element, table, linear, clause (`textbook`); exactly one,
linear, table, clause (`ranking`)
"""

from collections.abc import Sequence
from itertools import pairwise

from ortools.sat.python import cp_model

from models.hooks.cuts import possible_sizes
from models.hooks.line_clues import LineClue, line_clues, sums, transitions
from models.hooks.puzzle import Hooks
from models.shared.connected import add_ranking, add_steps
from models.shared.cpsat import BulkModel, Literal, equal
from models.shared.grid import Cell
from models.shared.model import Model, by_name, from_integers, from_literals
from models.shared.partly_filled import EMPTY


def ranking(puzzle: Hooks) -> Model:
    """Literals; each filled cell but the one with 1 has a filled neighbour that is a step nearer to that."""
    model = BulkModel()
    holds = model.literals(puzzle.domains)
    never = model.cp.new_constant(0).index
    filled = {i: ~holds[i].get(EMPTY, never) for i in puzzle.cells}
    numbers = sizes = range(1, puzzle.n + 1)

    # Each cell holds one value.
    for i in puzzle.cells:
        model.add_exactly_one(*holds[i].values())

    # Each number v is in v cells.
    for v in numbers:
        model.add_sum(((1, holds[i][v]) for i in puzzle.cells if v in holds[i]), v)

    # Each number has a hook, and each hook a number.
    possible = possible_sizes(puzzle)
    takes = {v: model.new_bool_vars({k: f"size of {v} is {k}" for k in possible[v]}) for v in numbers}
    for k in numbers:
        model.add_exactly_one(*takes[k].values())
        model.add_exactly_one(*(takes[v][k] for v in numbers if k in takes[v]))
    within = model.new_bool_vars({(v, k): f"size of {v} at most {k}" for v in numbers for k in sizes})
    for (v, k), literal in within.items():
        model.add_sum([(1, literal), *((-1, takes[v][m]) for m in takes[v] if m <= k)], 0)

    # A filled cell holds the number of its hook.
    inside = _squares(model, puzzle)
    for i in puzzle.cells:
        for v in filter(None, holds[i]):
            model.add_conjunctions({within[v, k]: inside[i, k] for k in sizes}, only_if=holds[i][v])

    # Some cell of each 2x2 block is empty.
    for block in puzzle.blocks:
        model.add_bool_or(*(~filled[i] for i in block))

    # Lines, regions and neighbours have their sums.
    for cells, total in sums(puzzle):
        model.add_sum((term for i in cells for term in holds[i].items()), total)

    # The first two filled cells of a line have the product, the first run of filled cells has the sum.
    clues = list(line_clues(puzzle))
    seen = sorted({i for cells, _ in clues for i in cells})
    x = {i: model.cp.new_int_var(0, puzzle.n, f"x{i}") for i in seen}
    for i in seen:
        model.add_sum([(1, x[i].index), *((-v, literal) for v, literal in holds[i].items())], 0)
    for cells, clue in clues:
        _accept(model.cp, clue, [x[i] for i in cells], puzzle.n)

    # All filled cells are connected.
    if puzzle.connected:
        root = {i: holds[i][1] for i in puzzle.cells if 1 in holds[i]}
        empty = {i: [~filled[i]] for i in puzzle.cells}
        add_ranking(model, empty, root, puzzle.near, puzzle.filled)

    return model.as_model(from_literals(puzzle, holds))


def _squares(model: BulkModel, puzzle: Hooks) -> dict[tuple[Cell, int], tuple[Literal, ...]]:
    """Adds the squares of the sizes n..1; literals that are all true if the square of a size has a cell."""
    n, sizes = puzzle.n, range(1, puzzle.n + 1)
    if puzzle.hooks is not None:
        constant = model.cp.new_constant
        return {(i, k): (constant(hook <= k).index,) for i, hook in puzzle.hooks.items() for k in sizes}
    inside = {}
    for name in ("row", "column"):
        places = {k: range(n - k + 1) for k in sizes}
        begins = {k: model.new_bool_vars({s: f"{k} from {name} {s}" for s in places[k]}) for k in sizes}
        for k in sizes:
            # A square begins in one row and one column.
            model.add_exactly_one(*begins[k].values())

            # It has the rows and columns from there on.
            has = model.new_bool_vars({r: f"{k} has {name} {r}" for r in range(n)})
            for r, literal in has.items():
                inside[name, r, k] = literal
                model.add_exactly_one(~literal, *(begins[k][s] for s in begins[k] if s <= r < s + k))
        for small, large in pairwise(sizes):
            # A square loses its first or last row, and its first or last column.
            for s, literal in begins[large].items():
                model.add_bool_or(~literal, begins[small][s], begins[small][s + 1])

            # What is in a square is in the larger ones.
            for r in range(n):
                model.add_implication(inside[name, r, small], inside[name, r, large])
    return {(i, k): (inside["row", i[0], k], inside["column", i[1], k]) for i in puzzle.cells for k in sizes}


def _accept(model: cp_model.CpModel, clue: LineClue, line: Sequence[cp_model.IntVar], n: int) -> None:
    """Adds that the automaton of a clue accepts the values of a line."""
    steps, accepted = transitions(clue, n)
    state = [model.new_int_var(0, len(steps), "") for _ in range(len(line) + 1)]
    model.add(state[0] == 0)
    for before, x, after in zip(state, line, state[1:], strict=False):
        model.add_allowed_assignments([before, x, after], steps)
    model.add_allowed_assignments([state[-1]], [(q,) for q in accepted])


def textbook(puzzle: Hooks) -> Model:
    """Integers; rows, columns and numbers are permutations, and each filled cell is some steps from the 1."""
    model = cp_model.CpModel()
    n, cells, sizes = puzzle.n, puzzle.cells, range(1, puzzle.n + 1)

    # Each cell holds one value.
    x = {i: model.new_int_var(0, n, f"x{i}") for i in cells}
    holds = {i: [equal(model, x[i], v, f"x{i} = {v}") for v in range(n + 1)] for i in cells}
    for i, v in puzzle.fixed:
        model.add(x[i] == v)

    # Each number v is in v cells.
    for v in sizes:
        model.add(sum(holds[i][v] for i in cells) == v)

    # Each hook takes a row and a column, from the outside in.
    taken = {axis: [model.new_int_var(1, n, f"{axis}{r}") for r in range(n)] for axis in ("row", "column")}
    for line in taken.values():
        model.add_all_different(line)
        rises = [model.new_bool_var("") for _ in range(n - 1)]
        for literal, (one, other) in zip(rises, pairwise(line), strict=True):
            model.add(one < other).only_enforce_if(literal)
            model.add(one > other).only_enforce_if(~literal)
        for literal, after in pairwise(rises):
            model.add_implication(literal, after)
    hook = {i: model.new_int_var(1, n, f"hook{i}") for i in cells}
    for r, c in cells:
        model.add_max_equality(hook[r, c], [taken["row"][r], taken["column"][c]])
    for i, k in (puzzle.hooks or {}).items():
        model.add(hook[i] == k)

    # Each number has a hook, and each hook a number.
    number = [model.new_int_var(1, n, f"number of hook {k}") for k in sizes]
    model.add_all_different(number)
    for k in sizes if puzzle.by_size else []:
        model.add(number[k - 1] == k)

    # A filled cell holds the number of its hook.
    for i in cells:
        its_number = model.new_int_var(1, n, "")
        model.add_element(hook[i] - 1, number, its_number)
        model.add(x[i] == its_number).only_enforce_if(~holds[i][EMPTY])

    # Some cell of each 2x2 block is empty.
    for block in puzzle.blocks:
        model.add_bool_or(holds[i][EMPTY] for i in block)

    # Lines, regions and neighbours have their sums.
    for group, total in sums(puzzle):
        model.add(sum(x[i] for i in group) == total)

    # The first two filled cells of a line have the product, the first run of filled cells has the sum.
    for seen, clue in line_clues(puzzle):
        _accept(model, clue, [x[i] for i in seen], n)

    # All filled cells are connected: with the one with 1.
    if puzzle.connected:
        filled = {i: ~holds[i][EMPTY] for i in cells}
        add_steps(model, filled, {i: holds[i][1] for i in cells}, puzzle.near, puzzle.filled)

    return Model(model, from_integers(puzzle, x))


FORMULATIONS = by_name(ranking, textbook)
