"""The command `watch`: the tree of a search, which nodes are shown, and what is drawn of them."""

import json
import random
import re
import shutil
import subprocess
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bench import trace
from bench.instruments.watch.icicle import blocks
from bench.instruments.watch.tree import SearchTree, frames_of, tree_of
from bench.trace import Node, Recorder, read_trace
from models.shared.search import View
from tests.conftest import Once, with_forked_servers
from tests.test_report import DESKTOP, Opened, browser

__all__ = ["browser"]

PUZZLE = """
class Row:
    size = 4
    def check(self, solution): return [] if solution == [2, 1, 2, 1] else ["not alternating"]
    def answer(self, solution): return 21
    def text(self, solution): return str(solution)
    def draw(self, axes, solution):
        axes.plot([0, 4, 4, 0, 0], [0, 0, 1, 1, 0])
        axes.set(xlim=(0, 4), ylim=(1, 0), aspect="equal", title="$x_{2}$ </script>")
def parse(table): return Row()
"""
"""The values 1 and 2 in turns, and 2 first."""

SEARCH = """
from models.shared.search import View
def watched(puzzle, tally):
    def extend(row):
        if len(row) == 4:
            yield row
            return
        for value in (1, 2):
            tally.branches += 1
            child = [*row, value]
            ok = value not in row[-1:] and child != [1, 2, 1, 2]
            left = {(0, k): [v] for k, v in enumerate(child)} | {(0, k): [1, 2] for k in range(len(child), 4)}
            tally.failures += not ok
            if tally.watcher:
                words = f"row 1, column {len(child)}: {value}"
                tally.watcher.node(len(child), words, lambda: View(left, notes=["<b>"]), ok)
            if ok:
                yield from extend(child)
    if tally.watcher:
        tally.watcher.node(0, "", lambda: View({(0, k): [1, 2] for k in range(4)}), True)
    yield from extend([])
def silent(puzzle, tally):
    yield [2, 1, 2, 1]
def endless(puzzle, tally):
    while True:
        if tally.watcher:
            tally.watcher.node(0, "", lambda: View({(0, 0): [1, 2]}), True)
    yield
FORMULATIONS = {"watched": watched, "silent": silent, "endless": endless}
"""
NODES = 13
FILES = {"search.gif", "search.html", "tree.svg", "tree.png"}


@pytest.fixture(scope="session")
def home(once: Once, command_in: Any) -> Path:
    """A folder with the puzzle, what the command writes there, and what it prints."""
    return once("watch", partial(fill, command_in))


def fill(command_in: Any, home: Path) -> None:
    puzzle = home / "alternating"
    (puzzle / "instances").mkdir(parents=True)
    (puzzle / "puzzle.py").write_text(PUZZLE)
    (puzzle / "backtrack.py").write_text(SEARCH)
    four = puzzle / "instances" / "four.toml"
    four.write_text('puzzle = "alternating"\ntitle = "Four"\nsource = "me"\n')
    result = command_in(home, "watch", four, "--frames", 9)
    assert (result.returncode, result.stderr) == (0, "")
    (home / "printed").write_text(result.stdout)


@pytest.fixture
def four(home: Path) -> Path:
    return home / "alternating" / "instances" / "four.toml"


@pytest.fixture
def drawn(home: Path) -> Path:
    return home / "results" / "watch" / "four-backtrack"


def random_tree(seed: int, least: int = 1) -> SearchTree:
    """A search without a meaning: some nodes are refuted, few are solutions."""
    draw = random.Random(seed)
    nodes = [Node(0, "", True, view=View())]
    while len(nodes) < least or draw.random() < 0.99:
        above = nodes[-1]
        leaf = above.solution or not above.consistent
        depth = draw.randint(1, max(1, above.depth + (not leaf)))
        kind = draw.random()
        nodes.append(Node(depth, f"row {depth}: 1", kind > 0.4, kind > 0.99, View()))
    return tree_of(nodes, finished=draw.random() < 0.5)


@pytest.fixture(params=range(15))
def tree(request: pytest.FixtureRequest) -> SearchTree:
    return random_tree(request.param)


def below(tree: SearchTree, i: int) -> range:
    return range(i, i + tree.sizes[i])


def test_a_subtree_is_what_lies_below(tree: SearchTree) -> None:
    """By definition: the nodes after it, up to the next that is not deeper."""
    for i, node in enumerate(tree.nodes):
        after = (k for k in range(i + 1, len(tree.nodes)) if tree.nodes[k].depth <= node.depth)
        subtree = tree.nodes[i : next(after, len(tree.nodes))]
        assert tree.sizes[i] == len(subtree)
        assert tree.failures[i] == sum(not each.consistent for each in subtree)
        assert tree.solutions[i] == sum(each.solution for each in subtree)


def test_the_widest_wasted_subtree_has_no_solution_and_is_complete(tree: SearchTree) -> None:
    last = len(tree.nodes) - 1
    wasted = [
        i
        for i in range(1, len(tree.nodes))
        if not tree.solutions[i] and (tree.finished or last not in below(tree, i))
    ]
    widest = tree.widest_wasted
    assert (widest is None) == (not wasted)
    assert widest is None or (widest in wasted and tree.sizes[widest] == max(tree.sizes[i] for i in wasted))


@pytest.mark.parametrize("most", [2, 10, 60])
def test_frames_name_what_they_skip(tree: SearchTree, most: int) -> None:
    """Shown and skipped nodes are all nodes up to the last one shown, which include the first solution."""
    frames = frames_of(tree, most)
    assert 1 <= len(frames) <= most
    told: list[int] = []
    for frame in frames:
        skipped = [int(number.replace(",", "")) for number in re.findall(r"[\d,]+", frame.caption)]
        told += [*(range(skipped[0], skipped[-1] + 1) if skipped else ()), frame.number]
        refuted = sum(not node.consistent for node in tree.nodes[: frame.number])
        assert frame.place.endswith(f", refuted so far: {refuted:,}")
    assert told == list(range(1, frames[-1].number + 1))
    goal = tree.first_solution
    assert goal is None or goal + 1 in {frame.number for frame in frames}


def test_the_way_to_the_first_solution_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the first nodes and of those on that way the trace has what is known there, of no others."""
    monkeypatch.setattr(trace, "MOST_VIEWS", 20)
    recorded = random_tree(4, least=1_000)
    with Recorder(tmp_path / "trace") as recorder:
        for i, node in enumerate(recorded.nodes):
            recorder.node(node.depth, node.decision, partial(View, notes=[str(i)]), node.consistent)
            if node.solution:
                recorder.solution()
    read = tree_of(read_trace(tmp_path / "trace"), finished=True)
    assert read.sizes == recorded.sizes and read.first_solution == recorded.first_solution
    goal = read.first_solution
    assert goal is not None and goal > 20
    known = {i: node.view.notes for i, node in enumerate(read.nodes) if node.view}
    assert known == {i: [str(i)] for i in (*range(20), *read.path_to(goal))}


@pytest.mark.parametrize(
    ("decision", "unknowns", "named"),
    [
        ("row 1, column 2: 7", [(0, 0), (0, 1), (1, 1)], [(0, 1)]),
        ("edge A-B: 7", [("A", "B"), ("A", "C")], [("A", "B")]),
        ("2: 0", [1, 2, 3], [2]),
    ],
)
def test_what_a_decision_names_is_marked(
    tmp_path: Path, decision: str, unknowns: list[Any], named: list[Any]
) -> None:
    with Recorder(tmp_path / "trace") as recorder:
        for depth, words in enumerate(("", decision)):
            recorder.node(depth, words, partial(View, {unknown: [0, 1] for unknown in unknowns}), True)
    frame = frames_of(tree_of(read_trace(tmp_path / "trace"), finished=True), 2)[1]
    assert [unknown for unknown, field in frame.fields.items() if field == "about"] == named


def test_blocks_of_one_depth_lie_side_by_side_and_are_few() -> None:
    """However large a tree is; each node is within a block at its depth."""
    tree = random_tree(3, least=5_000)
    rows: dict[int, list[tuple[int, int]]] = {}
    for block in blocks(tree):
        rows.setdefault(block.depth, []).append((block.start, block.end))
    for row in rows.values():
        assert all(end <= start for (_, end), (start, _) in pairwise(row))
        assert len(row) <= 700
    for i, node in enumerate(tree.nodes):
        assert any(start <= i and i + tree.sizes[i] <= end for start, end in rows[node.depth])


def test_what_is_written_and_printed(home: Path, drawn: Path) -> None:
    assert {path.name for path in drawn.iterdir()} == FILES
    printed = (home / "printed").read_text()
    assert f"{NODES} nodes" in printed and "“row 1, column 1: 1”, which leads to no solution" in printed
    with Image.open(drawn / "search.gif") as gif:
        assert 2 <= gif.n_frames <= 9


def data_of(page: Path) -> dict[str, Any]:
    found = re.search(r'(?s)<script type="application/json" id="data">(.*?)</script>', page.read_text())
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_the_page_ends_with_the_solution(drawn: Path) -> None:
    data = data_of(drawn / "search.html")
    last = data["frames"][-1]
    assert last["outcome"] == "solution"
    texts = [[text for *_, text, _ in data["looks"][look]] for look in last["written"]]
    assert texts == [["2"], ["1"], ["2"], ["1"]]


def test_the_page_can_be_stepped_through(browser: Any, drawn: Path) -> None:
    page = drawn / "search.html"
    opened = Opened(browser, page, viewport=DESKTOP)
    numbers = [frame["number"] for frame in data_of(page)["frames"]]
    shown = []
    for key in ["Home", *["ArrowRight"] * (len(numbers) - 1)]:
        opened.page.keyboard.press(key)
        shown.append(opened.page.locator("#node").inner_text())
    assert all(f"node {number} of {NODES}," in text for number, text in zip(numbers, shown, strict=True))
    assert opened.page.locator("#decision").inner_text() == "row 1, column 4: 1 solution"
    assert (opened.complaints, opened.requests) == ([], [page.as_uri()])
    still = Opened(browser, page, viewport=DESKTOP, java_script_enabled=False).page
    assert still.locator("#still img").is_visible() and not still.locator("#player").is_visible()
    assert still.locator("#tree svg").is_visible()


def test_a_search_without_an_end_is_drawn(command: Any, four: Path, tmp_path: Path) -> None:
    words = ("--formulation", "endless", "--time-limit", 1, "--frames", 3, "--out", tmp_path / "seen")
    result = command("watch", four, *words)
    assert result.returncode == 1
    assert "did not end: timeout" in result.stdout
    assert {path.name for path in (tmp_path / "seen").iterdir()} == FILES


def test_a_board_that_is_never_drawn_is_one_line(four: Path, tmp_path: Path) -> None:
    puzzle = shutil.copytree(four.parents[1], tmp_path / "alternating")
    endless = PUZZLE.replace("(self, axes, solution):", "(self, axes, solution):\n        while True: pass")
    (puzzle / "puzzle.py").write_text(endless)
    soon = "from bench.catalogue import puzzles; puzzles.CALL_S = 0.5"
    words = ("watch", str(puzzle / "instances" / "four.toml"), "--out", str(tmp_path / "out"))
    result = subprocess.run(
        with_forked_servers(*words, before=soon), capture_output=True, text=True, timeout=60, cwd=tmp_path
    )
    line = result.stderr.splitlines()[-1]
    assert result.returncode == 2, result.stderr
    assert line.endswith("puzzle.py:8: draw of alternating has not returned after 0.5 s"), line


MISTAKES: list[tuple[list[str], str]] = [
    (["four", "--backend", "milp"], "milp does not show its search; --backend backtrack"),
    (["four", "--backend", "nobody"], "nobody"),
    (["nothing"], "nothing"),
    (["four", "--formulation", "silent"], "docs/adding.md"),
    (["four", "--formulation", "all"], "one formulation"),
    (["four", "--out", __file__], "this is a file; choose another folder"),
    (["four", "--out", "/proc/bench/below"], "; choose another folder with --out"),
]


@pytest.mark.parametrize(("words", "said"), MISTAKES)
def test_a_mistake_gets_one_line(
    command: Any, four: Path, words: list[str], said: str, tmp_path: Path
) -> None:
    words = [str(four) if word == "four" else word for word in words]
    result = command("watch", *words)
    assert result.returncode in (1, 2) and not any(tmp_path.iterdir())
    assert result.stdout == "", "it is told before a search"
    assert result.stderr.count("\n") == 1 and said in result.stderr, result.stderr
