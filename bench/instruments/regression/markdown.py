"""A comparison as a comment on a pull request, in Markdown."""

import html
from collections.abc import Sequence

import jinja2

from bench.instruments.regression import gate, wording
from bench.instruments.regression.change import Comparison
from bench.instruments.regression.gate import Exit, Finding

_TEMPLATE = """\
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
{% for line in only_in %}

{{ line }}
{% endfor %}

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
    cells = {change: [plain(text) for text in wording.in_words(change)] for change in compared.changes}
    # A status or a counter changed, or the interval of the ratio leaves out 1.
    both = [each for each in cells if not each.one_sided]
    changed = [each for each in both if each.kind or wording.changed_counters(each) or each.ratio.differs]
    environment = jinja2.Environment(trim_blocks=True, undefined=jinja2.StrictUndefined)
    return environment.from_string(_TEMPLATE).render(
        headline="comparison" if findings is None else gate.conclusion(compared, findings),
        findings=[Finding(Exit.PASS, found.what, plain(found.text)) for found in findings or ()],
        changed=[cells[change] for change in changed],
        all=list(cells.values()),
        only_in=map(plain, wording.only_in(compared)),
        how=plain(wording.how(compared)),
    )


def plain(text: str) -> str:
    """Text that Markdown and HTML leave as it is: it may come from any runs.csv."""
    marked = "".join(f"\\{letter}" if letter in "\\`*_[]|#~" else letter for letter in " ".join(text.split()))
    # Entities make neither tags nor mentions.
    return html.escape(marked, quote=False).replace("@", "&#64;")
