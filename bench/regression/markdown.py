"""A comparison as a comment on a pull request, in Markdown."""

import html
from collections.abc import Sequence

import jinja2
import numpy as np

from bench.regression import gate, wording
from bench.regression.compare import COUNTERS, Comparison
from bench.regression.gate import Exit, Finding
from bench.regression.wording import Row

TEMPLATE = """\
### Benchmarks: {{ headline }}

{% for finding in findings %}
- **{{ finding.what }}** {{ finding.text }}
{% endfor %}
{% macro rows(which) %}
| measurement | base | new | new / base | 95% interval | counters, results |
| --- | ---: | ---: | ---: | ---: | --- |
{% for row in which %}
| {{ row | join(" | ") }} |
{% endfor %}
{% endmacro %}
{% if changed %}

{{ rows(changed) }}
{% endif %}

<details><summary>All {{ all | length }} measurements</summary>

{{ rows(all) }}
</details>

{{ how }}

"""


def comment(compared: Comparison, findings: Sequence[Finding] | None) -> str:
    """What regressed, a table of what changed, and folded away, all measurements.

    Args:
        findings: of `gate.judge`; None if nothing was judged.
    """
    rows = compared.table.to_dict("records")
    environment = jinja2.Environment(trim_blocks=True, undefined=jinja2.StrictUndefined)
    headline = "comparison" if findings is None else gate.conclusion(compared, findings)
    return environment.from_string(TEMPLATE).render(
        headline=headline,
        findings=[Finding(Exit.PASS, found.what, plain(found.text)) for found in findings or ()],
        changed=[cells(row) for row in rows if changed(row)],
        all=[cells(row) for row in rows],
        how=plain(wording.how(compared)),
    )


def changed(row: Row) -> bool:
    """Whether a reader should see the row at once: a status, a counter, or an interval that leaves out 1."""
    moved = any(wording.moves(row, counter) for counter in COUNTERS if not np.isnan(row[f"{counter}_ratio"]))
    return bool(row["change"]) or moved or row["ratio_low"] > 1 or row["ratio_high"] < 1


def cells(row: Row) -> list[str]:
    """The cells of a row."""
    return [plain(text) for text in wording.in_words(row)]


def plain(text: str) -> str:
    """Text that Markdown and HTML leave as it is: it may come from any runs.csv."""
    marked = "".join(f"\\{letter}" if letter in "\\`*_[]|#~" else letter for letter in " ".join(text.split()))
    # Entities make neither tags nor mentions.
    return html.escape(marked, quote=False).replace("@", "&#64;")
