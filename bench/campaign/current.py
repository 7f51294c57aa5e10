"""Which rows of runs.csv count: those that no later one supersedes."""

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter

from bench.campaign.results import CONTENTS, KEY, MEASUREMENT


def current(rows: Sequence[Mapping[str, str]]) -> list[int]:
    """The numbers of the rows that count, in their order: those that no later row supersedes."""
    return without_repeated(rows, latest_contents(rows))


def latest_contents(rows: Sequence[Mapping[str, str]]) -> list[int]:
    """The numbers of the rows with the latest contents, in their order.

    Of an instance only the file of its latest row counts, for all backends; of a measurement only the model
    and the solver release (CONTENTS) of its latest row. If a backend had no model for a while (its rows have
    no formulation), its latest row decides whether those rows count or the ones with a formulation. Rows of a
    solver that was not available count only if there are no others of it.
    """
    files = {(row["puzzle"], row["instance"]): row["instance_sha256"] for row in rows}
    kept = [
        (number, row, asked_of(row))
        for number, row in enumerate(rows)
        if row["instance_sha256"] == files[row["puzzle"], row["instance"]]
    ]
    available = {asked for _, row, asked in kept if row["status"] != "unavailable"}
    # A backend that was not installed could not name its solver: any solver of the backend stands for it.
    available |= {(*asked[:-1], "") for asked in available}
    kept = [each for each in kept if each[1]["status"] != "unavailable" or each[2] not in available]
    has_model = {asked: row["formulation"] != "" for _, row, asked in kept}
    kept = [each for each in kept if (each[1]["formulation"] != "") == has_model[each[2]]]
    latest = {measurement(row): contents_of(row) for _, row, _ in kept}
    return [number for number, row, _ in kept if contents_of(row) == latest[measurement(row)]]


def without_repeated(rows: Sequence[Mapping[str, str]], numbers: Iterable[int]) -> list[int]:
    """Of these rows only the last one of each run, in their order."""
    return sorted({run_of(rows[number]): number for number in numbers}.values())


asked_of = itemgetter("puzzle", "instance", "task", "backend", "solver")
"""The problem of a row and the solver that it was handed to, whatever the formulation."""

measurement = itemgetter(*MEASUREMENT)
contents_of = itemgetter(*CONTENTS)
run_of = itemgetter(*KEY, "repeat")
