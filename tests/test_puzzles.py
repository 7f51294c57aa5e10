"""The rules of the other puzzles: checkers, malformed files, the sets that models share."""

import json
import random
from collections import defaultdict
from collections.abc import Callable
from itertools import pairwise, permutations
from pathlib import Path
from typing import Annotated, Any, Literal

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from bench import catalogue
from bench.catalogue import ROOT
from models.bug_byte.bounds import all_routes, few_routes
from models.bug_byte.puzzle import parse as parse_bug_byte
from models.bug_byte.random_instances import bug_bytes
from models.bug_byte.routes import simple_paths
from models.die_agony.network import Arc, all_arcs, consistent_arcs, moves, start
from models.die_agony.puzzle import DieAgony
from models.die_agony.puzzle import parse as parse_die_agony
from models.die_agony.random_instances import die_agonies
from models.magic_hexagon import geometry
from models.magic_hexagon.puzzle import MagicHexagon
from models.number_cross.allowed_numbers import BESIDE, DENSE, placed_numbers
from models.number_cross.puzzle import NumberCross, read_clues, satisfies
from models.number_cross.puzzle import parse as parse_number_cross
from models.number_cross.random_instances import CLUES, INSTANCES
from models.number_cross.row_automata import row_automaton
from models.shared.document import Document, InstanceError, Strict, read_document, within
from models.shared.graph import graph_of, parts_of
from models.shared.random_instances import header, partitions
from models.shared.search import Tally
from tests.conftest import Lab, Once

REAL = sorted((ROOT / "instances").glob("*/*.toml"))

Solved = Callable[[Path], tuple[catalogue.Instance, Any]]


@pytest.fixture
def solved(lab: Lab, once: Once) -> Solved:
    """Gives an instance and its solution, by the first model that finds one in a worker."""

    def solution(path: Path) -> tuple[catalogue.Instance, Any]:
        folder = once(
            f"solution-{path.parent.name}-{path.stem}",
            lambda folder: solve(lab, path, folder / "solution.json"),
        )
        if not (folder / "solution.json").exists():
            pytest.skip("no model finds a solution soon")
        return catalogue.load(path), json.loads((folder / "solution.json").read_text())

    return solution


def solve(lab: Lab, path: Path, file: Path) -> None:
    """Writes a solution to a file; those that are fastest as a rule are asked first."""
    instance = catalogue.load(path)
    models = lab.models(instance.puzzle_name)
    for backend, formulation in sorted(models, key=lambda model: model[0] not in ("native", "cpsat")):
        limit_s = 1 if instance.objective else 20
        row = lab.measure(path, backend, formulation, instance.tasks[0], time_limit_s=limit_s)
        if row.solution:
            file.write_text(row.solution)
            return


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_text_and_picture(solved: Solved, path: Path) -> None:
    """Instance and solution can be shown, in a terminal and as a picture; a solution adds something."""
    instance, solution = solved(path)
    assert instance.puzzle.text(None) != instance.puzzle.text(solution)
    for shown in (None, solution):
        axes = Figure().subplots()
        instance.puzzle.draw(axes, shown)
        assert axes.has_data() or axes.texts


def spoil(value: Any, rng: random.Random) -> Any:
    """The same JSON with one leaf changed."""
    if isinstance(value, list) and value:
        place = rng.randrange(len(value))
        return [spoil(item, rng) if number == place else item for number, item in enumerate(value)]
    if isinstance(value, dict):
        place = rng.choice(sorted(value))
        return {key: spoil(item, rng) if key == place else item for key, item in value.items()}
    if isinstance(value, str):
        place = rng.randrange(len(value))
        return value[:place] + rng.choice("0123456789.AZ") + value[place + 1 :]
    return rng.choice([None, "x", 1.5, True, -1, 0, 1, 2, 99])


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_a_spoilt_solution_is_refused_in_words(solved: Solved, path: Path) -> None:
    """No change of one value is another solution; of an instance with several only those that there are."""
    instance, solution = solved(path)
    assert instance.puzzle.check(solution) == []
    rng = random.Random(1)
    accepted = {json.dumps(solution)}
    for _ in range(300):
        spoilt = spoil(solution, rng)
        broken = instance.puzzle.check(spoilt)
        assert all(isinstance(rule, str) and rule for rule in broken)
        if not broken:
            accepted.add(json.dumps(spoilt))
    near = 1 if instance.puzzle_name == "magic_hexagon" else instance.expected.solutions
    assert near is None or len(accepted) <= near, accepted


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_any_json_is_checked_without_an_error(path: Path) -> None:
    puzzle = catalogue.load(path).puzzle
    for shape in (None, 1, "x", [], {}, [[]], [None], {"path": []}, {"path": [], "faces": []}, ["x"]):
        assert puzzle.check(shape), shape


BUG_BYTE = header("bug_byte") | {"edges": [["A", "B"], ["B", "C"]], "endpoints": ["A", "C"]}
DIE = header("die_agony") | {"grid": "1 2\n3 4", "faces": "integer", "max_moves": 3}
HEXAGON = header("magic_hexagon") | {"order": 2, "start": 1}
CROSS = header("number_cross") | {"regions": "AB\nAC", "clues": ["square", "cube"]}


@pytest.mark.parametrize(
    ("table", "changes", "says"),
    [
        (BUG_BYTE, {"edges": []}, "edges: there are none"),
        (BUG_BYTE, {"edges": [["A"]]}, "edges, entry 1: ['A'] is not [node, node]"),
        (BUG_BYTE, {"edges": [["A", "B"], ["B", "A"]]}, "edges, entry 2: a second edge between B and A"),
        (BUG_BYTE, {"edges": [["A", "A"]]}, "edges, entry 1: an edge from A to itself"),
        (BUG_BYTE, {"edges": [["A", "B", 9]]}, "9 is outside 1..1"),
        (BUG_BYTE, {"edges": [["A", "B", 1], ["B", "C", 1]]}, "the label 1 is given a second time"),
        (BUG_BYTE, {"endpoints": ["A", "Z"]}, "endpoints: node 'Z' is on no edge"),
        (BUG_BYTE, {"endpoints": ["A"]}, "endpoints: write two different nodes"),
        (BUG_BYTE, {"edges": [["A", "B"], ["C", "D"]]}, "endpoints: there is no path from A to C"),
        (BUG_BYTE, {"sums": {"Q": 3}}, "sums: node 'Q' is on no edge"),
        (BUG_BYTE, {"paths": {"A": [3, 3]}}, "paths.A, number 2: 3 stands there a second time"),
        (BUG_BYTE, {"paths": {"A": [0]}}, "paths.A, number 1: 0"),
        (BUG_BYTE, {"nodes": 3}, "nodes: unknown key"),
        (DIE, {"grid": "1 2\n3"}, "grid, row 2: 1 cells"),
        (DIE, {"grid": "1 x\n3 4"}, "grid, row 1, column 2: 'x' is not a whole number"),
        (DIE, {"grid": "12"}, "the grid needs two cells or more"),
        (DIE, {"faces": "real"}, "faces: "),
        (DIE, {"max_moves": 0}, "max_moves: "),
        (HEXAGON, {"order": 0}, "order: "),
        (HEXAGON, {"order": True}, "order: "),
        (HEXAGON, {"givens": ". ."}, "givens: 1 rows; a hexagon of order 2 has 3"),
        (HEXAGON, {"givens": ". .\n. .\n. ."}, "givens, row 2: 2 cells; this row needs 3"),
        (HEXAGON, {"givens": "1 .\n. . 1\n. ."}, "givens, row 2, column 3: 1 is given a second time"),
        (HEXAGON, {"givens": "9 .\n. . .\n. ."}, "givens, row 1, column 1: 9 is outside 1..7"),
        (CROSS, {"clues": ["square"]}, "clues: 1 clues; the grid has 2 rows"),
        (CROSS, {"clues": ["square", "round"]}, "clues, row 2: unknown clue 'round'"),
        (CROSS, {"clues": ["square & round", "cube"]}, "clues, row 1: unknown clue 'round'"),
        (CROSS, {"clues": ["multiple of 0", "cube"]}, "clues, row 1: multiple of 0"),
        (CROSS, {"regions": "AB\nBA"}, "is not connected"),
    ],
)
def test_a_malformed_table_is_refused_with_the_place(table: Any, changes: Any, says: str) -> None:
    with pytest.raises(InstanceError) as refused:
        catalogue.puzzle_module(table["puzzle"]).parse(table | changes)
    assert says in str(refused.value) and "\n" not in str(refused.value)


def region_words(labels: tuple[str, ...]) -> list[str]:
    """Every word of digits and dots in which neighbours in one region are equal or one is shaded."""
    words = [""]
    for column in range(len(labels)):
        words = [
            word + symbol
            for word in words
            for symbol in ".0123456789"
            if not word
            or "." in (word[-1], symbol)
            or (word[-1] == symbol) == (labels[column - 1] == labels[column])
        ]
    return words


@settings(max_examples=40)
@given(st.data())
def test_a_row_automaton_spells_what_the_checker_accepts(data: st.DataObject) -> None:
    """Every clue of the vocabulary, on rows of up to 6 cells in a few regions."""
    width = data.draw(st.integers(2, 6))
    labels = data.draw(partitions(1, width, data.draw(st.integers(1, min(3, width)))))
    clue = data.draw(st.sampled_from([*CLUES, "palindrome + 3", "palindrome - 27", "palindrome + 99"]))
    puzzle = parse_number_cross(header("number_cross") | {"regions": labels, "clues": [clue]})
    words = list(row_automaton(puzzle, 0).words())
    assert len(words) == len(set(words))
    assert set(words) == {word for word in region_words(puzzle.labels[0]) if not puzzle.check([word])}


SPARSE = [clue for clue in CLUES if read_clues("", clue)[0].name not in DENSE]


@settings(max_examples=60)
@given(st.data())
def test_the_numbers_that_clues_allow_are_those_that_the_checker_accepts(data: st.DataObject) -> None:
    """One or two clues, the first of them sparse, some with a k beyond 64 bits; numbers of up to 4 digits."""
    length = data.draw(st.integers(2, 4))
    k = data.draw(st.one_of(st.integers(0, 120), st.integers(10**18, 10**30 - 2)))
    shifted = [f"palindrome + {k}", f"palindrome - {k}", f"power of {k}"]
    texts = [data.draw(st.sampled_from([*SPARSE, *shifted]))]
    if data.draw(st.booleans()):
        texts.append(
            data.draw(st.sampled_from([*CLUES, *shifted, f"multiple of {k + 1}", f"digit sum = {k}"]))
        )
    clues = read_clues("", " & ".join(texts))
    everyone = range(10, 10**length)
    pairs = np.ones((length + 1, 11, 11), dtype=bool)
    pairs[:, BESIDE, 0] = False
    begin, end, found = placed_numbers(clues, pairs)
    for column in range(length - 1):
        numbers = found[(begin == column) & (end <= length)].tolist()
        assert sorted(numbers) == [
            n
            for n in everyone
            if column + len(str(n)) <= length and all(satisfies(n, clue) for clue in clues)
        ]
    assert (end - begin).tolist() == [len(str(number)) for number in found.tolist()]


def test_numbers_of_more_digits_than_fit_into_64_bits() -> None:
    clues = read_clues("", "power of 3 & multiple of 9")
    begin, _, found = placed_numbers(clues, np.ones((26, 11, 11), dtype=bool))
    assert sorted(found[begin == 0].tolist()) == [3**n for n in range(3, 60) if 3**n < 10**25]


@settings(max_examples=60)
@given(INSTANCES, st.randoms(use_true_random=False))
def test_the_support_in_an_automaton_is_what_its_words_have(table: Any, rng: random.Random) -> None:
    automaton = row_automaton(parse_number_cross(table), 0)
    allowed = [{symbol for symbol in ".0123456789" if rng.random() < 0.7} for _ in automaton.layers]
    words = list(automaton.words(allowed))
    assert automaton.supported(allowed) == [{word[p] for word in words} for p in range(len(allowed))]
    assert automaton.count() == len(list(automaton.words()))


def test_the_known_numbers_of_candidates() -> None:
    """Number Cross 4: the candidates of each row by its own rules alone, as published."""
    puzzle = catalogue.load(ROOT / "instances/number_cross/may_2024.toml").puzzle
    assert isinstance(puzzle, NumberCross)
    counts = [row_automaton(puzzle, row).count() for row in range(11)]
    assert counts == [6, 38159, 116, 934, 619, 30, 4731, 145, 970, 9076, 1458]


def paths_of_arcs(puzzle: DieAgony) -> list[list[Arc]]:
    """Every path from the start to the end, whatever values the faces show."""
    complete, stack = [], [(start(puzzle), list[Arc]())]
    while stack:
        node, path = stack.pop()
        stack += [(arc.target, [*path, arc]) for arc in moves(puzzle, node)]
        if node.cell == puzzle.end:
            complete.append(path)
    return complete


def agreeing(paths: list[list[Arc]]) -> set[Arc]:
    """The arcs that agree with the paths that take them, as `consistent_arcs` defines it."""
    before: dict[Arc, list[set[Any]]] = defaultdict(lambda: [set() for _ in range(6)])
    after: dict[Arc, list[set[Any]]] = defaultdict(lambda: [set() for _ in range(6)])
    for path in paths:
        for position, arc in enumerate(path):
            for face in range(6):
                past = [other.value for other in path[:position] if other.face == face]
                future = [other.value for other in path[position + 1 :] if other.face == face]
                before[arc][face].add(past[-1] if past else None)
                after[arc][face].add(future[0] if future else None)
    return {
        arc
        for arc in before
        if before[arc][arc.face] & {None, arc.value}
        and after[arc][arc.face] & {None, arc.value}
        and all(
            None in b or None in a or a & b
            for face, (b, a) in enumerate(zip(before[arc], after[arc], strict=True))
            if face != arc.face
        )
    }


SMALL_GRIDS = st.sampled_from([(1, 3), (2, 2), (2, 3), (3, 2)]).flatmap(
    lambda shape: st.tuples(*[st.tuples(*[st.integers(-2, 4)] * shape[1])] * shape[0])
)
"""Few values, so that faces often agree and the network is pruned in several rounds."""


@given(st.builds(DieAgony, SMALL_GRIDS, st.sampled_from(["integer", "rational"]), st.integers(1, 8)))
def test_the_arcs_of_the_die_network_are_those_of_the_naive_definitions(puzzle: DieAgony) -> None:
    paths = paths_of_arcs(puzzle)
    assert set(all_arcs(puzzle)).issuperset(arc for path in paths for arc in path)
    left: set[Arc] | None = None
    while left != (kept := agreeing(paths)):
        left, paths = kept, [path for path in paths if kept.issuperset(path)]
    assert consistent_arcs(puzzle) == sorted(kept)


@given(die_agonies())
def test_pruning_the_network_loses_no_solution(table: Any) -> None:
    """Each path that the hand search finds uses arcs that are still there."""
    from models.die_agony.backtrack import roll

    puzzle = parse_die_agony(table)
    kept = consistent_arcs(puzzle)
    steps = {(arc.number, arc.source.cell, arc.target.cell) for arc in kept}
    for solution in roll(puzzle, Tally()):
        path = [tuple(cell) for cell in solution["path"]]
        assert {(n, path[n - 1], path[n]) for n in range(1, len(path))} <= steps


def test_the_known_sizes_of_the_die_network() -> None:
    for name, arcs in (("december_2022", 2203), ("december_2022_rational", 24126)):
        puzzle = catalogue.load(ROOT / f"instances/die_agony/{name}.toml").puzzle
        assert isinstance(puzzle, DieAgony)
        assert len(all_arcs(puzzle)) == arcs
        assert len(consistent_arcs(puzzle)) == 32, "the moves of the solution, and nothing else"


def test_routes_that_cannot_have_the_sum_are_left_out(solved: Solved) -> None:
    """Of 3,429 simple paths few can have their sums; those of the solution are among them."""
    instance, solution = solved(ROOT / "instances/bug_byte/bug_byte.toml")
    label = {(u, v): number for u, v, number in solution}
    puzzle: Any = instance.puzzle
    assert sum(len(simple_paths(puzzle, node)) for node, _ in puzzle.listed) == 3429
    (_, routes), (_, few) = all_routes(puzzle), few_routes(puzzle)
    assert routes == few and sum(map(len, routes.values())) < 100
    assert all(
        any(sum(label[edge] for edge in route) == target for route in some)
        for (_, target), some in routes.items()
    )


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6))), st.sets(st.integers(0, 9)))
def test_parts_of_a_graph_are_its_connected_components(edges: list[tuple[int, int]], nodes: set[int]) -> None:
    graph = networkx.Graph(edges)
    graph.add_nodes_from(nodes)
    components = sorted(map(sorted, networkx.connected_components(graph)))
    assert sorted(map(sorted, parts_of(graph_of(edges, nodes)))) == components


@given(bug_bytes(), st.randoms(use_true_random=False))
def test_the_answer_of_a_bug_byte_is_the_first_of_the_shortest_paths(table: Any, rng: random.Random) -> None:
    puzzle = parse_bug_byte(table)
    labels = rng.sample(puzzle.labels, len(puzzle.labels))
    label = dict(zip(puzzle.edges, labels, strict=True))
    graph = networkx.Graph()
    graph.add_weighted_edges_from((u, v, number) for (u, v), number in label.items())
    path = min(networkx.all_shortest_paths(graph, *puzzle.endpoints, weight="weight"))
    letters = (chr(ord("A") + graph[u][v]["weight"] - 1) for u, v in pairwise(path))
    assert puzzle.answer(puzzle.solution(label.__getitem__)) == "".join(letters)


@given(bug_bytes())
def test_simple_paths_are_those_of_networkx(table: Any) -> None:
    puzzle = parse_bug_byte(table)
    graph = networkx.Graph(puzzle.graph)
    for node in puzzle.graph:
        naive = {
            tuple((u, v) if (u, v) in puzzle.edges else (v, u) for u, v in path)
            for path in networkx.all_simple_edge_paths(graph, node, set(graph) - {node})
        }
        found = simple_paths(puzzle, node)
        assert len(found) == len(naive) and set(found) == naive


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_hexagon_lines_and_symmetries(order: int) -> None:
    puzzle = MagicHexagon(order, 1, {})
    lines = geometry.lines(puzzle)
    found = {frozenset(line) for line in lines}
    assert len(lines) == 3 * (2 * order - 1)
    assert sorted(map(len, lines)) == sorted(3 * [len(row) for row in puzzle.solution(lambda _: 0)])
    images = geometry.symmetries(puzzle)
    assert len(images) == (1 if order == 1 else 12)
    for image in images:
        assert {frozenset(image[cell] for cell in line) for line in found} == found
    if order > 1:
        corners = geometry.corners(puzzle)
        assert len(set(corners)) == 6
        assert all(sum(cell in line for line in found if len(line) == order) == 2 for cell in corners)


@pytest.mark.parametrize("order", [1, 2])
def test_the_symmetries_of_the_hexagon_are_all_maps_of_lines_to_lines(order: int) -> None:
    puzzle = MagicHexagon(order, 1, {})
    lines = {frozenset(line) for line in geometry.lines(puzzle)}
    maps = [dict(zip(puzzle.cells, images, strict=True)) for images in permutations(puzzle.cells)]
    expected = [image for image in maps if {frozenset(map(image.get, line)) for line in lines} == lines]
    images = geometry.symmetries(puzzle)
    assert len(images) == len(expected) and all(image in expected for image in images)


@given(st.sampled_from([2, 3, 4]).flatmap(lambda order: st.permutations(MagicHexagon(order, 1, {}).cells)))
def test_the_order_of_corners_leaves_one_of_the_symmetric_solutions(cells: list[tuple[int, int]]) -> None:
    """Whatever numbers the cells hold, in one of the 12 images the corners are in order."""
    puzzle = MagicHexagon({7: 2, 19: 3, 37: 4}[len(cells)], 1, {})
    x = {cell: number for number, cell in enumerate(cells)}
    images = [
        all(x[image[i]] < x[image[k]] for i, k in geometry.corner_order(puzzle))
        for image in geometry.symmetries(puzzle)
    ]
    assert images.count(True) == 1 and len(images) == geometry.stands_for(puzzle)


@given(
    st.integers(10, 10**7), st.sampled_from(sorted({part for clue in CLUES for part in clue.split(" & ")}))
)
def test_the_checker_of_clues_agrees_with_plain_definitions(number: int, text: str) -> None:
    from math import isqrt, prod

    from models.number_cross.puzzle import satisfies

    (clue,) = read_clues("here", text)
    k, digits = clue.k, [int(digit) for digit in str(number)]

    def is_palindrome(n: int) -> bool:
        return n >= 0 and str(n) == str(n)[::-1]

    def fibonacci() -> set[int]:
        members = [1, 2]
        while members[-1] < number:
            members.append(members[-1] + members[-2])
        return set(members)

    def is_prime(n: int) -> bool:
        return n > 1 and all(n % d for d in range(2, isqrt(n) + 1))

    meaning = {
        "square": lambda: isqrt(number) ** 2 == number,
        "cube": lambda: round(number ** (1 / 3)) ** 3 == number,
        "fibonacci": lambda: number in fibonacci(),
        "palindrome": lambda: is_palindrome(number),
        "palindrome + k": lambda: is_palindrome(number - k),
        "palindrome - k": lambda: is_palindrome(number + k),
        "multiple of k": lambda: number % k == 0,
        "power of k": lambda: any(k**e == number for e in range(30)),
        "prime ^ prime": lambda: any(
            is_prime(q) and is_prime(p) and p**q == number
            for q in range(2, 24)
            for p in [round(number ** (1 / q))]
        ),
        "digit sum = k": lambda: sum(digits) == k,
        "digit product ends in k": lambda: prod(digits) % 10 == k,
    }
    assert satisfies(number, clue) == meaning[clue.name]()


class Sign(Strict):
    cells: list[int]


class Signs(Document):
    signs: list[Sign] | None = None
    by_name: dict[str, Sign] | None = None
    pairs: list[tuple[int, int]] | None = None
    least: Annotated[int, within(1, 9)] | None = None
    rule: Literal["sum", "product"] = "sum"
    words: str | list[int] = ""


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"expected": {"solution": 1}}, "expected.solution: unknown key; known are solutions, answer"),
        ({"signs": [{"cells": [1], "cell": 1}]}, "signs, entry 1.cell: unknown key; known are cells"),
        ({"by_name": {"a": {"cells": [], "b": 1}}}, "by_name.a.b: unknown key; known are cells"),
        ({"signs": [{"cells": [1, "x"]}]}, "signs, entry 1.cells, entry 2: should be a whole number"),
        (
            {"pairs": [[1, 2]]},
            "pairs, entry 1: should be tuple, not [1, 2]; the schema says tuple",
        ),
        (
            {"sings": []},
            "sings: unknown key; known are puzzle, title, source, expected, collection, license, ",
        ),
        ({"by_name": {"a": 1}}, "by_name.a: should be a table, not 1"),
        ({"least": True}, "least: should be a whole number, not True"),
        ({"least": 10}, "least: should be 1..9, not 10"),
        ({"rule": "square"}, "rule: should be 'sum' or 'product', not 'square'"),
        ({"words": 1.5}, "words: should be a text or a list, not 1.5"),
        ({"words": [1, "x"]}, "words, entry 2: should be a whole number, not 'x'"),
        ({"title": ""}, "title: should have 1..200 characters, not ''"),
        ({"expected": {"solutions": -1}}, "expected.solutions: should be 0 or more, not -1"),
    ],
)
def test_a_place_in_a_document_is_named_as_a_person_counts(keys: dict[str, Any], says: str) -> None:
    table = {"puzzle": "signs", "title": "t", "source": "s"}
    with pytest.raises(InstanceError) as refused:
        read_document(Signs, table | keys)
    assert str(refused.value).startswith(says)
