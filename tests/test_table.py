"""One table in three forms."""

import io

from rich.console import Console

from bench.report.table import Table

TABLE = Table(
    "Times <of> all",
    ["backend", "time", "for example"],
    [["a[b]", "1", "x|y"], ["c", "23", "<b>"]],
    words=["for example"],
    notes=["A note."],
)


def test_for_terminal() -> None:
    console = Console(file=io.StringIO(), width=80)
    console.print(TABLE.for_terminal())
    lines = [" ".join(line.split()) for line in console.file.getvalue().splitlines()]  # type: ignore[attr-defined]
    assert lines[0] == "Times <of> all"
    assert "a[b] 1 x|y" in lines and "c 23 <b>" in lines and lines[-1] == "A note."


def test_markdown() -> None:
    assert TABLE.markdown().splitlines()[2:] == [
        "| backend | time | for example |", "| --- | --: | --- |", r"| a[b] | 1 | x\|y |", "| c | 23 | <b> |",
        "", "A note.",
    ]  # fmt: skip


def test_html_is_escaped() -> None:
    text = str(TABLE.html())
    assert "<caption>Times &lt;of&gt; all</caption>" in text
    assert '<tr><td>c</td><td class="figure">23</td><td>&lt;b&gt;</td></tr>' in text
    assert text.endswith("<p>A note.</p>")
