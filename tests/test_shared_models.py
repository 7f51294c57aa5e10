"""The algorithms that model files share, each compared with the naive definition in its docstring."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from ortools.sat.python import cp_model

from models.shared.automaton import ACCEPT, minimal_automaton
from models.shared.bits import adds_up, all_different, least, members, most
from models.shared.cpsat import BulkModel
from models.shared.graph import grouped
from models.shared.prefix_automaton import prefix_automaton
from models.shared.search import Tally

WORDS = st.integers(0, 4).flatmap(lambda length: st.sets(st.text("ab.", min_size=length, max_size=length)))
DOMAINS = st.lists(st.sets(st.integers(0, 6), min_size=1), min_size=1, max_size=5)


def after(words: frozenset[str], symbol: str) -> frozenset[str]:
    """The endings of the words that begin with a symbol."""
    return frozenset(word[1:] for word in words if word[0] == symbol)


@given(WORDS)
def test_a_minimal_automaton_has_one_state_for_each_set_of_endings(words: set[str]) -> None:
    assume(words)
    length = len(next(iter(words)))
    automaton = minimal_automaton(
        length, frozenset(words), lambda _, state: [(s, after(state, s)) for s in "ab." if after(state, s)]
    )
    assert sorted(automaton.words()) == sorted(words) and automaton.count() == len(words)
    for position, layer in enumerate(automaton.layers):
        beginnings = {word[:position] for word in words}
        endings = {
            frozenset(word[position:] for word in words if word.startswith(beginning))
            for beginning in beginnings
        }
        assert len(layer) == len(endings)
        assert automaton.symbols[position] == {word[position] for word in words}
    states = [state for layer in automaton.layers for state in layer]
    assert len(set(states)) == len(states) and ACCEPT not in states


@given(WORDS, st.data())
def test_each_path_through_an_automaton_is_a_word(words: set[str], data: st.DataObject) -> None:
    """Of the arcs that a word takes, as many enter a node as leave it."""
    assume(words)
    length = len(next(iter(words)))
    automaton = minimal_automaton(
        length, frozenset(words), lambda _, state: [(s, after(state, s)) for s in "ab." if after(state, s)]
    )
    word = data.draw(st.sampled_from(sorted(words)))
    state, taken = automaton.start, set()
    for e in automaton.arcs():
        if e.source == state and e.symbol == word[e.position]:
            taken.add(e)
            state = e.target
    arc = {e: int(e in taken) for e in automaton.arcs()}
    entering, leaving = grouped(arc, lambda e: e.target), grouped(arc, lambda e: e.source)
    assert [sum(group) for group in grouped(arc, lambda e: e.position).values()] == [1] * length
    for node, group in leaving.items():
        assert sum(group) == (1 if node == automaton.start else sum(entering[node]))
    positions = [e.position for e in automaton.arcs()]
    assert positions == sorted(positions)


@settings(max_examples=60)
@given(st.integers(1, 5), st.data())
def test_a_prefix_automaton_spells_the_numbers_with_separators_between(
    width: int, data: st.DataObject
) -> None:
    """All words of digits 0 to 2 and separators are tried; numbers may begin with 0, and have one digit."""
    digits = [str(digit) for digit in range(3)]
    placed: dict[tuple[int, int], set[str]] = {}
    for begin in range(width):
        for end in range(begin + 1, width + 1):
            every = ["".join(word) for word in product(digits, repeat=end - begin)]
            if data.draw(st.booleans()):
                placed[begin, end] = data.draw(st.sets(st.sampled_from(every), max_size=6))

    def accepted(word: str) -> bool:
        runs, begin = [], 0
        for run in word.split("."):
            runs += [run in placed.get((begin, begin + len(run)), ())] if run else []
            begin += len(run) + 1
        return ".." not in word and all(runs)

    dtype: Any = data.draw(st.sampled_from([np.int64, object]))
    numbers = [(*place, int(number)) for place, some in placed.items() for number in some]
    begin, end, number = (
        (np.array(column, dtype=int) for column in zip(*numbers, strict=True))
        if numbers
        else [np.array([], dtype=int)] * 3
    )
    automaton = prefix_automaton(width, begin, end, number.astype(dtype), ".")
    every = ["".join(word) for word in product([*digits, "."], repeat=width)]
    assert sorted(automaton.words()) == sorted(filter(accepted, every))
    if automaton.start is not None:
        again = minimal_automaton(
            width,
            frozenset(automaton.words()),
            lambda _, state: [(s, after(state, s)) for s in "012." if after(state, s)],
        )
        assert [len(layer) for layer in automaton.layers] == [len(layer) for layer in again.layers]


@given(st.lists(st.integers(0, 30)), st.integers(1, 4))
def test_grouped_variables_keep_the_order_of_the_arcs(arcs: list[int], modulus: int) -> None:
    arc = {e: f"variable {e}" for e in arcs}
    groups = grouped(arc, lambda e: e % modulus)
    assert list(groups) == list(dict.fromkeys(e % modulus for e in arc))
    assert all(groups[key] == [arc[e] for e in arc if e % modulus == key] for key in groups)


def as_bits(values: set[int]) -> int:
    return sum(1 << value for value in values)


@given(st.integers(0, 10), st.data())
def test_a_sum_leaves_the_values_within_the_bounds_of_the_others(total: int, data: st.DataObject) -> None:
    sets = data.draw(DOMAINS)
    domains, tally = {i: as_bits(values) for i, values in enumerate(sets)}, Tally()
    kept = [
        {
            v
            for v in values
            if sum(min(s) for s in sets[:i] + sets[i + 1 :])
            <= total - v
            <= sum(max(s) for s in sets[:i] + sets[i + 1 :])
        }
        for i, values in enumerate(sets)
    ]
    assert adds_up(domains, list(domains), total, tally) == all(kept)
    if all(kept):
        assert [set(members(bits)) for bits in domains.values()] == kept
        assert tally.propagations == sum(map(len, sets)) - sum(map(len, kept))
        assert [(least(bits), most(bits)) for bits in domains.values()] == [(min(s), max(s)) for s in kept]


@given(DOMAINS)
def test_one_round_of_all_different_leaves_what_the_definition_leaves(sets: list[set[int]]) -> None:
    domains, tally = {i: as_bits(values) for i, values in enumerate(sets)}, Tally()
    kept = []
    for i, values in enumerate(sets):
        others = sets[:i] + sets[i + 1 :]
        alone = values - set().union(*others)
        only = set().union(*(other for other in others if len(other) == 1))
        kept.append(alone or values - only)
    possible = all(kept) and len(set().union(*sets)) == len(sets)
    assert all_different(domains, tally) == possible
    if possible:
        assert [set(members(bits)) for bits in domains.values()] == kept
        assert tally.propagations == sum(map(len, sets)) - sum(map(len, kept))


LITERALS = st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=6)
CLAUSES = ["add_bool_or", "add_exactly_one", "add_at_most_one", "add_implication", "add_conjunctions"]
KINDS = st.sampled_from([*CLAUSES, "sum", "if"])


@given(st.lists(st.tuples(KINDS, LITERALS), max_size=6), st.integers(-3, 3))
def test_a_model_stated_in_bulk_is_the_one_that_its_calls_state(stated: Any, total: int) -> None:
    """Negations, a literal that is twice in a sum, and integer variables between the constraints."""
    bulk, plain = BulkModel(), cp_model.CpModel()
    numbers = list(bulk.new_bool_vars({i: f"b{i}" for i in range(5)}).values())
    variables = [plain.new_bool_var(f"b{i}") for i in range(5)]
    for place, (kind, signed) in enumerate(stated):
        literals = [numbers[i] if positive else ~numbers[i] for i, positive in signed]
        objects = [variables[i] if positive else ~variables[i] for i, positive in signed]
        if kind in ("sum", "if"):
            x, y = (model.new_int_var(0, 9, f"x{place}") for model in (bulk.cp, plain))
            terms = [(1, x.index), *((place, literal) for literal in literals)]
            added = plain.add(y + sum(place * literal for literal in objects) == total)
            bulk.add_sum(terms, total, only_if=literals[0] if kind == "if" else None)
            if kind == "if":
                added.only_enforce_if(objects[0])
        elif kind == "add_conjunctions":
            bulk.add_conjunctions({literals[0]: tuple(literals[1:])}, only_if=literals[-1])
            for part in objects[1:]:
                plain.add_bool_or([~objects[-1], ~objects[0], part])
            plain.add_bool_or([~objects[-1], objects[0], *(~part for part in objects[1:])])
        elif kind == "add_implication":
            bulk.add_implication(literals[0], literals[-1])
            plain.add_implication(objects[0], objects[-1])
        else:
            getattr(bulk, kind)(*literals)
            getattr(plain, kind)(objects)
    assert str(bulk.cp.proto) == str(plain.proto)


def test_what_is_no_literal_is_refused_by_a_model_stated_in_bulk() -> None:
    bulk = BulkModel()
    bulk.add_bool_or(bulk.cp.new_bool_var("a"))
    with pytest.raises(ValueError, match="no number"):
        _ = bulk.cp


def test_a_solution_is_decoded_from_literals_by_their_numbers() -> None:
    bulk = BulkModel()
    a, b = bulk.new_bool_vars({0: "a", 1: "b"}).values()
    bulk.add_exactly_one(a, b)
    bulk.add_bool_or(~a)
    model = bulk.as_model(lambda value: [value(a), value(~a), value(b)])
    solver = cp_model.CpSolver()
    solver.solve(model.problem)
    assert model.decode(solver.value) == [0, 1, 1]
