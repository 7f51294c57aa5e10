"""Translates what servers of earlier revisions of the project say, and what they are told."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bench.catalogue import earlier
from bench.contract import Backend, Outcome, Run, Status
from bench.execution import protocol
from bench.execution.answer import Answer, is_figure
from bench.execution.process import Checkout
from bench.execution.protocol import Found

FIGURES = b'{"figures": '
"""How the answer of an earlier server begins."""


class Revision:
    """The servers of a checkout of the project: today's, or those of an earlier revision.

    Attributes:
        server: the module that serves a backend.
    """

    def __init__(self, checkout: Checkout):
        self.checkout, self.bench = checkout, checkout.root / "bench"
        today = (self.bench / "execution" / "forkserver.py").exists()
        self.server = "bench.execution.forkserver" if today else "bench.server"
        self.formulations: dict[tuple[str, str, str], str] = {}

    def server_name(self, name: str) -> str:
        """The name of a server in the checkout: of a backend, or of one solver of it, `backend:solver`."""
        backend, *solver = name.split(":")
        return ":".join([self.backend(backend), *solver])

    def backend(self, name: str) -> str:
        """The name that the checkout has for a backend."""
        for old, new in earlier.BACKENDS.items():
            if new == name and (self.bench / "drivers" / f"{old}.py").exists():
                return old
        return name

    def read_backend(self, server: str, line: bytes) -> Backend:
        """What a server offers, by its name today."""
        backend = server.split(":")[0]
        offers = json.loads(line)
        for solver in offers.setdefault("solvers", {}).values():
            solver.setdefault("separate_process", solver.get("own", False))
        for puzzle, names in offers.get("formulations", {}).items():
            for position, old in enumerate(names):
                names[position] = new = earlier.formulation(puzzle, old)
                self.formulations[backend, puzzle, new] = old
                # What a program of a user reads, whose runs have none.
                self.formulations.setdefault((backend, puzzle, ""), old)
        return protocol.backend_of(offers | {"name": server})

    def run_line(self, run: Run) -> bytes:
        """The line that asks a server to execute a run."""
        formulation = self.formulations.get((run.backend, run.puzzle, run.formulation), run.formulation)
        there = replace(run, path=self.checkout.place(run.path), formulation=formulation)
        return protocol.run_line(replace(there, backend=self.backend(run.backend)))

    def read_answer(self, line: bytes) -> tuple[list[Found], Answer | None]:
        """The solutions that a line sends, and the answer if it is one.

        Raises:
            AttributeError, KeyError, TypeError, ValueError: if it is of a form that is not known.
        """
        if not line.startswith(FIGURES):
            return protocol.read_answer(line)
        values = json.loads(line)
        figures = values.pop("figures")
        found = figures.get("found", [])
        each = figures["solutions"] // len(found) if found else 1
        return [(solution, each) for solution in found], answer_of(values, figures)


def answer_of(values: Mapping[str, Any], figures: Mapping[str, Any]) -> Answer:
    """The answer of a server that has what its worker reported in a table of figures."""
    numbers = {name: value for name, value in {**figures, **values}.items() if is_figure(value)}
    outcome, status = protocol.known(Outcome, numbers), figures.get("status")
    texts = {"claim": status, "killed": values.get("killed"), "tail": values.get("tail")}
    texts |= {name: figures.get(name) for name in ("error", "traceback")}
    said: dict[str, Any] = numbers | {name: text for name, text in texts.items() if text}
    if status and outcome:
        said["outcome"] = outcome | {"complete": Status(status).conclusive}
    return protocol.answer_of(said)
