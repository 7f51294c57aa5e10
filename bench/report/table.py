"""A table, made once and shown in a terminal, in Markdown or on a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup
from rich import box
from rich import table as rich_table
from rich.markup import escape


class Cell(str):
    """A text whose element on a page has attributes, such as `title`, or `data_value` to sort by."""

    attributes: Mapping[str, str]

    def __new__(cls, text: str, **attributes: str) -> "Cell":
        """Makes the text; attributes are named as in HTML, but with underscores (`class_`, `data_value`)."""
        made = super().__new__(cls, text)
        made.attributes = {name.strip("_").replace("_", "-"): text for name, text in attributes.items()}
        return made


@dataclass(frozen=True)
class Table:
    """Rows of texts.

    Attributes:
        rows: a text for each column; on a page a `Cell` has attributes, and Markup is shown as such.
        words: the columns of words beside the first, aligned to the left; the others are figures.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: Sequence[str] = ()
    notes: Sequence[str] = ()

    def for_terminal(self) -> rich_table.Table:
        """One line a row, with little ornament."""
        shown = rich_table.Table(
            title=escape(self.title), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD,
            pad_edge=False, padding=(0, 1, 0, 0), caption=escape("\n".join(self.notes)) or None,
            caption_justify="left",
        )  # fmt: skip
        for number, name in enumerate(self.columns):
            figures = not self._is_words(number)
            shown.add_column(
                escape(name), justify="right" if figures else "left", no_wrap=figures, overflow="fold"
            )
        for row in self.rows:
            shown.add_row(*map(escape, row))
        return shown

    def markdown(self) -> str:
        """The title in bold, the table, then a line for each note."""
        rule = ["---" if self._is_words(number) else "--:" for number in range(len(self.columns))]
        lines = [_line(self.columns), _line(rule), *map(_line, self.rows)]
        title = [f"**{self.title}**", ""] if self.title else []
        return "\n".join([*title, *lines, *(line for note in self.notes for line in ("", note))]) + "\n"

    def html(self) -> Markup:
        """A `table` in a region that can be scrolled, then a paragraph for each note."""
        region = '<div class="wide" tabindex="0" role="region" aria-label="{0}"><table>\n{1}'
        region += "<thead>{2}</thead>\n<tbody>{3}</tbody></table></div>"
        caption = Markup("<caption>{}</caption>\n").format(self.title) if self.title else ""
        rows = Markup("\n").join(self._html_row("td", row) for row in self.rows)
        table = Markup(region).format(self.title, caption, self._html_row("th", self.columns), rows)
        return Markup("\n").join([table, *(Markup("<p>{}</p>").format(note) for note in self.notes)])

    def _repr_html_(self) -> str:
        """The table as a notebook shows it."""
        return self.html()

    def _html_row(self, tag: str, cells: Sequence[str]) -> Markup:
        elements = []
        for number, cell in enumerate(cells):
            attributes = dict(cell.attributes) if isinstance(cell, Cell) else {}
            if not self._is_words(number):
                attributes["class"] = f"figure {attributes.get('class', '')}".rstrip()
            listed = Markup("").join(map(Markup(' {}="{}"').format, attributes, attributes.values()))
            elements.append(Markup("<{0}{1}>{2}</{0}>").format(tag, listed, cell))
        return Markup("<tr>{}</tr>").format(Markup("").join(elements))

    def _is_words(self, number: int) -> bool:
        return number == 0 or self.columns[number] in self.words


def _line(cells: Sequence[str]) -> str:
    """A row in Markdown."""
    texts = (cell.replace("|", r"\|").replace("\n", " ") for cell in cells)
    return f"| {' | '.join(texts)} |"
