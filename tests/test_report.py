"""The page, in a real browser: complete, alone, readable without scripts, and the pictures behind it."""

import html
import io
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import psutil
import pytest
from matplotlib.image import imread

from bench import catalogue
from bench.analysis import scores, tables
from bench.analysis.measurements import measurements
from bench.analysis.plots import drawing
from bench.analysis.plots.pictures import pictures
from bench.campaign import machine_json
from bench.catalogue.errors import RequestError
from bench.cli.run import finish
from bench.report import page as report
from tests import synthetic
from tests.conftest import Once, started
from tests.test_catalogue import PUZZLE, make

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
RESUME = ("run", "june_2022_example", "--backend", "backtrack", "--task", "first", "--no-plots", "--out", ".")
HOSTILE = "<img src=x onerror=alert(1)>$x_{2}$"


@pytest.fixture(scope="session")
def page(once: Once, command_in: Any) -> Path:
    """The report of a campaign with failures, of an instance with a hostile name, and of hostile messages."""
    return once("report", partial(write_page, command_in)) / "report.html"


def write_page(command_in: Any, folder: Path) -> None:
    runs = synthetic.campaign(instances=1, repeats=5, failing=0.06)
    runs.loc[runs["puzzle"] == "die_agony", "instance"] = HOSTILE
    runs.loc[runs["status"] == "timeout", "error"] = f"</script><script>alert(2)</script> {HOSTILE}"
    synthetic.write(folder, runs)
    result = command_in(folder, "report", folder)
    assert result.returncode == 0, result.stderr


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("needs Chromium; .ci/run installs it")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


class Opened:
    """A page in the browser, and what it complained of or asked for."""

    def __init__(self, browser: Any, path: Path, **options: Any):
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(path.as_uri())


@pytest.mark.parametrize(
    ("scheme", "viewport"), [("light", DESKTOP), ("dark", PHONE)], ids=["light-desktop", "dark-phone"]
)
def test_opens_without_complaint_and_fetches_nothing(
    browser: Any, page: Path, viewport: dict[str, int], scheme: str, tmp_path: Path
) -> None:
    opened = Opened(browser, page, viewport=viewport, color_scheme=scheme)
    assert opened.complaints == []
    assert opened.requests == [page.as_uri()]
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    paper, ink = opened.page.evaluate(
        "['backgroundColor', 'color'].map(n => getComputedStyle(document.body)[n])"
    )
    brightness = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in (paper, ink)]
    assert (brightness[0] > brightness[1]) == (scheme == "light")
    ids = opened.page.evaluate("[...document.querySelectorAll('[id]')].map(element => element.id)")
    assert len(ids) == len(set(ids))


def everything(page: Any) -> None:
    """Opens what can be opened."""
    page.evaluate("document.querySelectorAll('details').forEach(details => (details.open = true))")


def test_it_is_short_until_something_is_opened(browser: Any, page: Path) -> None:
    opened = Opened(browser, page, viewport={"width": 1400, "height": 900}).page
    assert opened.evaluate("document.documentElement.scrollHeight") <= 3000
    assert opened.get_by_text("CP against MIP, one solution").is_visible()
    assert not opened.locator("#failures td").first.is_visible()
    opened.evaluate("location.hash = '#failures'")
    opened.locator("#failures td").first.wait_for()


def test_what_comes_from_files_is_text(browser: Any, page: Path) -> None:
    opened = Opened(browser, page)
    assert opened.page.locator("img").count() == 0
    assert opened.page.locator("td", has_text=HOSTILE).count() > 0
    assert opened.page.locator("svg text", has_text=HOSTILE).count() > 0, "no formula is made of a dollar"
    everything(opened.page)
    assert "</script><script>alert(2)" in opened.page.locator("#failures").inner_text()
    assert opened.complaints == []


def test_everything_can_be_read_without_scripts(browser: Any, page: Path) -> None:
    plain = Opened(browser, page, java_script_enabled=False).page
    assert not plain.locator("#choice").is_visible(), "what would do nothing is not there"
    for summary in plain.locator("main > details > summary").all():
        summary.click()
    for text in (
        "Overview",
        "Pair by pair",
        "Scores",
        "Failures",
        "All measurements",
        "Machine and versions",
    ):
        assert plain.get_by_text(text).locator("visible=true").count() > 0, text
    assert plain.locator("#measurements tbody tr").count() == synthetic.ROWS
    assert plain.locator("main svg").count() == 5 + 5 + 3, (
        "of each puzzle times and a comparison, and those across"
    )


def test_backends_and_puzzles_can_be_hidden(browser: Any, page: Path) -> None:
    opened = Opened(browser, page)
    everything(opened.page)
    rows = opened.page.locator("#measurements tbody tr:visible")
    assert rows.count() == synthetic.ROWS
    opened.page.get_by_role("checkbox", name="csp").focus()
    opened.page.keyboard.press("Space")
    assert rows.count() == synthetic.ROWS * 4 // 5
    assert opened.page.locator("svg [data-backend=csp]:visible").count() == 0
    assert opened.page.locator("svg [data-backend=cpsat]:visible").count() > 0
    opened.page.get_by_role("checkbox", name="bug_byte").uncheck()
    assert not opened.page.locator("#puzzle-bug_byte").is_visible()
    assert rows.count() == synthetic.ROWS * 4 // 5 * 4 // 5
    assert f"{rows.count()} of {synthetic.ROWS} measurements" in opened.page.locator("#shown").inner_text()
    opened.page.get_by_role("checkbox", name="timeout").uncheck()
    assert opened.page.locator("#failures tbody tr:visible").count() == 0
    assert opened.complaints == []


def test_what_is_not_computed_anew_is_hidden(browser: Any, page: Path) -> None:
    """No winner among backends of which some are hidden, nor a ratio, a sentence or a score."""
    opened = Opened(browser, page)
    everything(opened.page)
    of_backends = {"backtrack", "winner", "times as fast", "no significant difference"}
    of_all = {"CP against MIP", "Pair by pair", "PAR-2", "corrected", "Slowdown relative to the fastest"}

    def said() -> set[str]:
        """What can be read, of tables, sentences and pictures, but for definitions and the machine."""
        elements = ":is(p, li, td, th, h3, caption, figcaption, text):visible"
        texts = opened.page.locator(f"main > :not(#machine) {elements}")
        found = "".join(text for text in texts.all_text_contents() if " is a hand-written search" not in text)
        return {text for text in of_backends | of_all if text in found}

    assert said() == of_backends | of_all
    opened.page.get_by_role("checkbox", name="bug_byte").uncheck()
    assert said() == of_backends, "another puzzle changes nothing about who wins"
    opened.page.get_by_role("checkbox", name="bug_byte").check()
    opened.page.get_by_role("checkbox", name="backtrack").uncheck()
    assert said() == set()
    assert opened.page.locator("#across svg:visible").count() == 2, "the curves are computed anew"
    assert "what is said of all backends is hidden" in opened.page.locator("#shown").inner_text()
    opened.page.get_by_role("checkbox", name="backtrack").check()
    assert said() == of_backends | of_all
    assert opened.complaints == []


def ratios_drawn(page: Any, label: str) -> list[float]:
    """The ratios at which a curve of the first performance profile steps, read from its path."""
    return page.evaluate(
        """label => {
          const frame = document.querySelector("[data-kind=profile][data-task=first]");
          const box = frame.querySelector("path").getBBox();
          const {left, right} = frame.dataset;
          const path = frame.parentNode.querySelector(`[data-curve][data-backend="${label}"] path`);
          const numbers = path.getAttribute("d").match(/[HV] ?[\\d.e+-]+/g).filter(text => text[0] === "H");
          const xs = numbers.slice(0, -1).map(text => Number(text.slice(1)));
          return xs.map(x => left * (right / left) ** ((x - box.x) / box.width));
        }""",
        label,
    )  # type: ignore[no-any-return]


def test_the_profile_is_computed_anew(browser: Any, page: Path) -> None:
    """The curves that the page draws are those that Python computes for the backends that are left."""
    led, _ = scores.shared(scores.best_formulations(measurements(tables.read_runs(page.parent))))
    opened = Opened(browser, page)
    everything(opened.page)
    opened.page.get_by_role("checkbox", name="backtrack").uncheck()
    expected = scores.profile(scores.times(led, "first").drop(columns="backtrack"))
    assert expected["cpsat"] != scores.profile(scores.times(led, "first"))["cpsat"]
    for label, ratios in expected.items():
        assert ratios_drawn(opened.page, label) == pytest.approx(ratios, rel=1e-3)
    heading = opened.page.locator("[data-heading=first]").last
    assert "5 problems" in heading.inner_html()
    opened.page.get_by_role("checkbox", name="bug_byte").uncheck()
    assert "4 problems" in heading.inner_html()


def test_tables_are_sorted_by_keyboard(browser: Any, page: Path) -> None:
    opened = Opened(browser, page)
    everything(opened.page)
    heading = opened.page.locator("#measurements th", has_text="total")
    totals = "[...document.querySelectorAll('#measurements tbody tr')].map(row => row.cells[7].dataset.value)"
    heading.get_by_role("button").focus()
    for direction in ("ascending", "descending"):
        opened.page.keyboard.press("Enter")
        assert heading.get_attribute("aria-sort") == direction
        values = [value for value in opened.page.evaluate(totals) if value is not None]
        numbers = list(map(float, values))
        assert numbers == sorted(numbers, reverse=direction == "descending")


def test_a_thousand_rows_need_little_room(command: Any, tmp_path: Path) -> None:
    """As many measurements as there are rows, as nothing makes a page larger: five thousand can be mailed."""
    runs = synthetic.campaign(instances=100, repeats=1)
    synthetic.write(tmp_path, runs[runs["puzzle"] == "bug_byte"])
    assert command("report", tmp_path).returncode == 0
    page = (tmp_path / "report.html").read_text()
    assert len(page.encode()) < 1.6e6
    assert "http" not in re.sub(r'xmlns(:xlink)?="[^"]*"|http-equiv', "", page)


def test_one_that_nothing_solved_is_reported_too(command: Any, tmp_path: Path) -> None:
    synthetic.write(tmp_path, synthetic.campaign(instances=1, repeats=1, failing=1.0))
    result = command("report", tmp_path)
    assert result.returncode == 0 and "Warning" not in result.stderr, result.stderr
    assert ">unsolved</td>" in (tmp_path / "report.html").read_text()


@pytest.mark.parametrize("content", ["{", "[]", '{"sessions": [{"request": {"instances": 3}}]}'])
def test_a_spoilt_machine_json_does_not_keep_the_report_from_being_made(tmp_path: Path, content: str) -> None:
    """A line says so."""
    (tmp_path / "machine.json").write_text(content)
    synthetic.write(tmp_path, synthetic.campaign(instances=1, repeats=1, failing=0).iloc[:1])
    _, problems = report.publish(tmp_path, plots=False, page=tmp_path / "report.html")
    assert problems == [f"{tmp_path}/machine.json: it cannot be read, and is ignored"]
    assert "All measurements" in (tmp_path / "report.html").read_text()


@pytest.mark.parametrize("where", ["nowhere", "/proc"])
def test_a_page_that_cannot_be_written_is_one_line(command: Any, tmp_path: Path, where: str) -> None:
    synthetic.write(tmp_path, synthetic.campaign(instances=1, repeats=1))
    result = command("report", tmp_path, "--out", f"{where}/page.html")
    assert result.returncode == 2 and result.stderr.count("\n") == 1 and where in result.stderr
    assert result.stdout == "", "it is told before anything is drawn"


def test_names_do_not_lead_to_another_folder(tmp_path: Path) -> None:
    """runs.csv may come from anywhere."""
    drawn = [drawing.Drawn("times-../../elsewhere", "<svg/>", b"png")]
    (tmp_path / "a").mkdir()
    drawing.write(tmp_path / "a", drawn)
    assert {path.name for path in tmp_path.rglob("*elsewhere*")} == {
        "times-.._.._elsewhere.svg",
        "times-.._.._elsewhere.png",
    }


@pytest.mark.parametrize("words", ["plot {}", "report {} --puzzle models/sudoku --out x.html"])
def test_ctrl_c_while_drawing_is_one_line(tmp_path: Path, words: str) -> None:
    words = words.format(tmp_path)
    synthetic.write(tmp_path, synthetic.campaign(instances=20, repeats=1))
    process = subprocess.Popen(
        [sys.executable, "-m", "bench", *words.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not psutil.Process(process.pid).children():
        assert process.poll() is None
        time.sleep(0.01)
    # As a terminal does: to every process that it has.
    os.killpg(process.pid, signal.SIGINT)
    said, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and errors == ""
    assert said.count("\n") == 1 and said.endswith(f" To draw: python -m bench {words}\n")


def test_ctrl_c_in_the_summary_says_that_all_is_recorded(capsys: pytest.CaptureFixture[str]) -> None:
    def summary(folder: Path) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(SystemExit, match="130"):
        finish(Path("results/mine"), True, summary)
    assert (
        "all runs are recorded. For a report: python -m bench report results/mine" in capsys.readouterr().out
    )


@pytest.mark.parametrize("task", ["first", "both"])
def test_no_picture_is_cut_off_at_its_edge(task: str) -> None:
    """Nor a long title above a narrow table."""
    runs = synthetic.campaign(instances=2 if task == "both" else 7, repeats=2)
    if task == "first":
        runs = runs[(runs["task"] == task) & runs["backend"].isin(["cpsat", "milp"])]
    # One of each kind, that with the longest name: the others look the same.
    kinds = {
        picture.name.split("-")[0]: picture
        for picture in sorted(pictures(runs, measurements(runs)), key=lambda picture: len(picture.name))
    }
    for picture in drawing.draw_all(list(kinds.values()), png=True):
        pixels = imread(io.BytesIO(picture.png))[..., :3].mean(axis=2)
        edges = [pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]]
        assert min(edge.min() for edge in edges) > 0.9, picture.name


@pytest.fixture(scope="session")
def solved(once: Once, command_in: Any) -> Path:
    """A real campaign of one solved instance, without pictures."""
    return once("solved", partial(solve, command_in))


def solve(command_in: Any, folder: Path) -> None:
    only = ["--instance", "june_2022_example", "--backend", "cpsat", "--task", "first", "--repeat", 1]
    result = command_in(folder, "run", *only, "--no-plots", "--out", folder)
    assert result.returncode == 0, result.stderr


def copied(campaign: Path, folder: Path, **columns: str) -> Path:
    """The campaign in a folder of its own, with other values in its rows."""
    runs = pd.read_csv(campaign / "runs.csv", dtype=str, keep_default_na=False).assign(**columns)
    runs.to_csv(folder / "runs.csv", index=False)
    shutil.copy(campaign / "machine.json", folder)
    return folder


@pytest.mark.parametrize("make", ["report", "plot"])
def test_a_draw_that_raises_is_one_picture_less(
    solved: Path, make: str, command: Any, tmp_path: Path
) -> None:
    """All else is made; one line names file and line of the puzzle, on the terminal and in the report."""
    folder = copied(solved, tmp_path, solution="[[1]]")
    (folder / "plots").mkdir()
    old = folder / "plots" / "solution-block_party-june_2022_example.svg"
    old.write_text("of an earlier time")
    result = command(make, folder)
    assert result.returncode == 0, result.stderr
    said = r"june_2022_example: no picture: \S*models/block_party/puzzle.py:\d+: \w+Error: .*"
    assert re.search(f"^solution-block_party-{said}$", result.stdout, re.MULTILINE)
    if make == "report":
        page = html.unescape((folder / "report.html").read_text())
        assert re.search(said, page) and "comparison by backend" in page
    else:
        assert not old.exists()
        assert (folder / "plots" / "comparison-block_party-june_2022_example.png").exists()


def test_a_page_that_cannot_be_written_leaves_the_old_one(
    solved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(solved, tmp_path)
    (page := folder / "report.html").write_text("old")
    files = set(folder.iterdir())
    monkeypatch.setattr(report, "make_report", lambda *_: "x" * 2000)
    monkeypatch.setattr(drawing, "draw_all", lambda *_, **__: [])
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(RequestError, match=r"report\.html: File too large; nothing recorded is lost"):
            report.publish(folder, plots=False, page=page)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert page.read_text() == "old" and set(folder.iterdir()) == files


@pytest.mark.parametrize("broken", ["parse", "instance"])
def test_a_broken_puzzle_does_not_keep_the_report_from_being_made(
    solved: Path, broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was measured can be read though the puzzle's files are not what they were."""

    def raises(*_: Any) -> Any:
        raise ValueError("a row is missing")

    _, problems = report.publish(copied(solved, tmp_path), plots=False, page=tmp_path / "report.html")
    assert problems == [] and "solution-block_party" in (tmp_path / "report.html").read_text()
    if broken == "parse":
        monkeypatch.setattr(catalogue.puzzle_module("block_party"), "parse", raises)
    else:
        monkeypatch.setattr(catalogue, "instance_paths", lambda puzzle: {})
    _, problems = report.publish(tmp_path, plots=False, page=tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "<summary>Rules</summary>" in page and "no picture: " in page and "comparison by backend" in page
    if broken != "instance":
        (line,) = problems
        assert "block_party" in line and "a row is missing" in line and html.escape(line) in page


def test_reading_results_executes_nothing_that_they_name(command: Any, tmp_path: Path) -> None:
    """Neither a folder or a file that machine.json names, nor a path in the place of a puzzle's name.

    What the user names is executed.
    """
    executed = tmp_path / "executed"
    folder = make(tmp_path / "steps", puzzle=f"{PUZZLE}\n\nopen({str(executed)!r}, 'w').close()\n")
    path = folder / "instances" / "three.toml"
    only = ["--backend", "backtrack", "--task", "first", "--repeat", 1, "--no-plots", "--out", "out"]
    assert command("run", path, *only).returncode == 0
    facts = machine_json.read_facts(tmp_path / "out")
    assert facts.sessions[0].request.what == [str(path)]
    facts.sessions[0].environment = {catalogue.PUZZLES: str(folder)}
    machine_json.write(tmp_path / "out", facts)
    (tmp_path / "by_path").mkdir()
    copied(tmp_path / "out", tmp_path / "by_path", puzzle=str(path.parent))
    executed.unlink()
    for words in (
        ("report", "by_path"), ("report", "out"), ("plot", "out"), ("compare", "by_path", "out"),
        ("gate", "out", "out"), ("which", "out"), ("merge", "out", "--out", "all"),
    ):  # fmt: skip
        result = command(*words)
        assert "internal" not in result.stderr and not executed.exists(), words
        if words[0] == "report":
            assert "no rules, no pictures of solutions" in result.stdout
            assert f"python -m bench report {words[1]} --puzzle PATH/" in result.stdout
            assert '<figure class="solution">' not in (tmp_path / words[1] / "report.html").read_text()
    result = command("report", "out", "--puzzle", "steps")
    assert "no pictures" not in result.stdout and executed.exists()
    assert '<figure class="solution">' in (tmp_path / "out" / "report.html").read_text()


@pytest.mark.parametrize(
    "words", [("report", "."), ("merge", ".", "--out", "all", "--no-plots"), RESUME], ids=lambda it: it[0]
)
def test_results_bring_no_modules_with_them(solved: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    """`python -m` looks for modules in the current folder, where results of somebody may lie."""
    copied(solved, tmp_path)
    for name in ("models", "numpy", "pandas", "typing", "enum", "multiprocessing"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"raise SystemExit('executed: {name}')")
    result = started(tmp_path, *words)
    assert result.returncode == 0, result.stderr
    assert "executed" not in result.stdout + result.stderr


def test_a_puzzle_elsewhere_is_drawn_again(command: Any, tmp_path: Path) -> None:
    """The user's environment names its folder; what is broken there by now costs only its picture."""
    folder = make(tmp_path / "steps")
    only = ["--backend", "backtrack", "--task", "first", "--repeat", 1, "--no-plots", "--out", "out"]
    assert command("run", "steps", *only).returncode == 0
    page = tmp_path / "out" / "report.html"
    for broken, said in (
        ("", ""),
        ("def (", r"steps/puzzle.py:\d+: SyntaxError: "),
        (None, "no rules, no pictures of solutions"),
    ):
        if broken is None:
            shutil.rmtree(folder)
        else:
            (folder / "puzzle.py").write_text(f"{PUZZLE}\n{broken}")
        result = command("report", "out", env=os.environ | {catalogue.PUZZLES: str(folder)})
        left_out = broken is None and "left out: BENCH_PUZZLES"
        assert result.returncode == 0 and (left_out or "\n") in f"{result.stderr}\n"
        assert bool(re.search(said, result.stdout)) and bool(re.search(said, html.unescape(page.read_text())))
        assert ('<figure class="solution">' in page.read_text()) == (broken == "")
        assert "three: comparison by backend" in page.read_text()


def test_what_instruments_wrote_is_linked(tmp_path: Path) -> None:
    """From wherever the page is written."""
    folder, runs = tmp_path / "a b", synthetic.campaign(instances=1, repeats=1)
    folder.mkdir()
    (folder / "which.md").write_text("cpsat")
    made = partial(report.make_report, runs, measurements(runs), [], report.Facts(), folder)
    assert 'href="a%20b/which.md"' in made(within=tmp_path) and "why.html" not in made()
