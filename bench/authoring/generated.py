"""Whether a generator makes instances that are as promised, and the same ones in every process."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench import catalogue, generate
from bench.authoring.findings import Findings
from bench.catalogue import RequestError
from bench.generate import Order, Wanted, as_file
from bench.workers import NoAnswer, ProcessEnded

TRIED = (3, 4, 5, 6, 7, 8, 9, 10, 2, 1)
"""The sizes that are tried, in this order: with one or two of anything there is often no instance."""

SIZES = 2
"""Instances of so many sizes are made: the first that there are."""

TIME_S = 60.0
"""How long one instance may take."""


def examine(findings: Findings, folder: Path) -> list[Path]:
    """Has tiny instances made, some of them twice; gives their files."""
    if not catalogue.source_of(findings.puzzle, "generate").exists():
        findings.note("there is no generate.py: no instance could be made and tried")
        return []
    made: list[Path] = []
    for order, answer in answers(findings):
        file = folder / f"size_{order.size}_{order.wanted}.toml"
        try:
            file.write_text(as_file(order, answer), encoding="utf-8")
            catalogue.load(file)
        except RequestError as error:
            # Not every size has an instance without a solution.
            if order.wanted != Wanted.NONE:
                said = f"size {order.size}, seed {order.seed}: {error}"
                findings.fault(findings.place("generate", "draft"), said, once="generate")
        else:
            made.append(file)
            findings.checked["generated instance"] += 1
    return made


def answers(findings: Findings) -> Iterator[tuple[Order, dict[str, Any]]]:
    """One solution of the first sizes; of the first also any number and none. With what was made."""
    sizes = []
    counts = catalogue.source_of(findings.puzzle, "backtrack").exists()
    if not counts:
        findings.note(
            "there is no backtrack.py, which counts solutions: the generator made instances with any"
        )
    for size in TRIED:
        order = Order(findings.puzzle, size, 1, 0.5, Wanted.ONE if counts else Wanted.ANY)
        answer = ask(findings, order)
        if not answer:
            return
        if "error" not in answer:
            sizes.append(size)
            compare(findings, order, answer)
            yield order, answer
        if len(sizes) == SIZES:
            break
    if not sizes:
        place = findings.place("generate", "draft")
        findings.fault(place, f"it makes no instance of any size from 1 to {max(TRIED)}")
    for size in sizes[:1] if counts else ():
        for order in (
            Order(findings.puzzle, size, 2, 1.0, Wanted.ANY),
            Order(findings.puzzle, size, 2, 0.5, Wanted.NONE),
        ):
            if answer := ask(findings, order):
                yield order, answer


def compare(findings: Findings, order: Order, answer: dict[str, Any]) -> None:
    """Has an order made again, in a process that hashes differently."""
    again = ask(findings, order, hash_seed=2)
    # As texts: the order of keys is that of the file.
    if again and json.dumps(again) != json.dumps(answer):
        findings.fault(
            findings.place("generate", "draft"),
            f"size {order.size}, seed {order.seed}: another process makes another instance; take all random "
            "numbers from `rng`, and no order from a set",
            once="deterministic",
        )


def ask(findings: Findings, order: Order, hash_seed: int = 1) -> dict[str, Any] | None:
    """What the process that makes an instance answers; None, and a fault, if it gives no answer."""
    try:
        answer = generate.ask(order, TIME_S, hash_seed)
    except NoAnswer:
        findings.note(f"the generator was not tried: size {order.size} takes more than {TIME_S:g} s")
        return None
    except ProcessEnded as error:
        findings.fault(findings.place("generate"), str(error), once="mistake")
        return None
    if "mistake" in answer:
        findings.say(f"{answer['mistake']} (size {order.size})", once="mistake")
        return None
    return answer
