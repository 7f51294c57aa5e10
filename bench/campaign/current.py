"""Selects the rows of runs.csv that count: those that no later one supersedes."""

from collections.abc import Iterable, Sequence
from operator import attrgetter

from bench.campaign.results import KEY, Row, contents, model_and_solver
from bench.contract import Status


def current(rows: Sequence[Row]) -> list[int]:
    """The numbers of the rows that count, in their order: those that no later row supersedes."""
    return without_repeated(rows, latest_contents(rows))


def latest_contents(rows: Sequence[Row]) -> list[int]:
    """The numbers of the rows with the latest contents, in their order.

    Of an instance only the file of its latest row counts, for all backends; of a model and solver on it only
    the model file and the solver release (CONTENTS) of the latest row, whatever the threads. If a backend had
    no model for a while (its rows have no formulation), its latest row decides whether those rows count or
    the ones with a formulation. Rows of a solver that was not available count only if there are no others of
    it.
    """
    files = {(row.puzzle, row.instance): row.instance_sha256 for row in rows}
    kept = [n for n, row in enumerate(rows) if row.instance_sha256 == files[row.puzzle, row.instance]]
    available = {solver_of(rows[n]) for n in kept if rows[n].status != Status.UNAVAILABLE}
    # A backend that was not installed could not name its solver: any solver of the backend stands for it.
    available |= {(*solver[:-1], "") for solver in available}
    kept = [n for n in kept if rows[n].status != Status.UNAVAILABLE or solver_of(rows[n]) not in available]
    has_model = {solver_of(rows[n]): rows[n].formulation != "" for n in kept}
    kept = [n for n in kept if (rows[n].formulation != "") == has_model[solver_of(rows[n])]]
    latest = {model_and_solver(rows[n]): contents(rows[n]) for n in kept}
    return [n for n in kept if latest[model_and_solver(rows[n])] == contents(rows[n])]


def without_repeated(rows: Sequence[Row], numbers: Iterable[int]) -> list[int]:
    """Of these rows only the last one of each run, in their order."""
    return sorted({run_of(rows[number]): number for number in numbers}.values())


solver_of = attrgetter("puzzle", "instance", "task", "backend", "solver")
"""The problem of a row and the solver that it was handed to, whatever the formulation."""

run_of = attrgetter(*KEY, "repeat")
"""The run of a row, as it stands in the row."""
