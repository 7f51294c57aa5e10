"""Whether a generator makes instances that are as promised, and the same ones in every process."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from bench import catalogue
from bench.authoring.findings import Findings
from bench.catalogue import errors
from bench.catalogue.errors import PuzzleError, RequestError
from bench.execution.process import NoAnswer, ProcessEnded
from bench.generation.instance_file import as_file, run_worker
from bench.generation.order import Generated, Order, Wanted
from bench.invocation import command_line

TRIED = (3, 4, 5, 6, 7, 8, 9, 10, 2, 1)
"""The sizes that are tried, in this order: with one or two of anything there is often no instance."""

SIZES = 2
"""Instances of so many sizes are made: the first that there are."""

TIME_S = 60.0
"""How long one instance may take."""


HARD_SEEDS = (1, 2, 3)
"""With so few clues as there can be, and these seeds, instances are made until one needs one clue more."""


def examine(findings: Findings, folder: Path) -> dict[Path, Order]:
    """Has tiny instances made, some of them twice; gives their files, and what was ordered."""
    if not catalogue.source_of(findings.puzzle, "generate").exists():
        findings.note("there is no generate.py: no instance could be made and tried")
        return {}
    made: dict[Path, Order] = {}
    for order, answer in answers(findings):
        hard = "_hard" if (order.wanted, order.hardness) == (Wanted.ONE, 1.0) else ""
        file = folder / f"size_{order.size}_{order.wanted}{hard}.toml"
        try:
            file.write_text(as_file(order, answer), encoding="utf-8")
            catalogue.load(file)
        except PuzzleError as error:
            add_mistake(findings, order, str(error))
        except RequestError as error:
            # Not every size has an instance without a solution.
            if order.wanted != Wanted.NONE:
                said = f"size {order.size}, seed {order.seed}: {error}"
                findings.fault(findings.place("generate", "draft"), said, once="generate")
        else:
            made[file] = order
            findings.checked["generated instance"] += 1
    return made


def explain(findings: Findings, made: Mapping[Path, Order]) -> None:
    """Says of each generated instance that a fault names how to get it."""
    folder = catalogue.elsewhere().get(findings.puzzle)
    for file, order in made.items():
        if any(re.search(rf"\b{file.stem}\b", fault) for fault in findings.faults):
            words = {"--size": order.size, "--seed": order.seed, "--hardness": f"{order.hardness:g}"}
            again = command_line(
                "generate",
                errors.shown(folder) if folder else order.puzzle,
                *(word for pair in words.items() for word in pair),
                *("--solutions", order.wanted, "--out", file.name),
            )
            findings.note(f"{file.stem} was generated for this check; to get it: {again}")


def add_mistake(findings: Findings, order: Order, mistake: str) -> None:
    """Adds a mistake in the puzzle's files that the generator came upon; a run may come upon it too."""
    findings.say(f"{mistake} (size {order.size})", once=mistake.partition(": ")[0])


def answers(findings: Findings) -> Iterator[tuple[Order, Generated]]:
    """What the first sizes give with one solution; the first also with any number, none, and few clues."""
    sizes = []
    reasons: dict[str, int] = {}
    narrowed = False
    counts = catalogue.source_of(findings.puzzle, "backtrack").exists()
    if not counts:
        findings.note(
            "there is no backtrack.py, which counts solutions: the generator made instances with any, "
            "narrow and spoil were not tried"
        )
    for size in TRIED:
        order = Order(findings.puzzle, size, 1, 0.5, Wanted.ONE if counts else Wanted.ANY)
        answer = ask(findings, order)
        if answer is None:
            return
        if answer.table is None:
            reasons.setdefault(answer.error, size)
        else:
            sizes.append(size)
            narrowed |= answer.narrowings > 0
            compare(findings, order, answer)
            yield order, answer
        if len(sizes) == SIZES:
            break
    if not sizes:
        place = findings.place("generate", "draft")
        said = "; ".join(f"size {size}: {reason}" for reason, size in [*reasons.items()][:2])
        findings.fault(place, f"it makes no instance of any size from 1 to {max(TRIED)} ({said})")
    for size in sizes[:1] if counts else ():
        for order in (
            Order(findings.puzzle, size, 2, 1.0, Wanted.ANY),
            Order(findings.puzzle, size, 2, 0.5, Wanted.NONE),
        ):
            if answer := ask(findings, order):
                narrowed |= answer.narrowings > 0
                yield order, answer
        for seed in HARD_SEEDS:
            if narrowed:
                break
            order = Order(findings.puzzle, size, seed, 1.0, Wanted.ONE)
            if (answer := ask(findings, order)) is None:
                return
            if narrowed := answer.narrowings > 0:
                yield order, answer
        if not narrowed:
            findings.note("narrow was not tried: every draft had one solution without it")


def compare(findings: Findings, order: Order, answer: Generated) -> None:
    """Has an order made again, in a process that hashes differently."""
    again = ask(findings, order, hash_seed=2)
    # As lines: the order of keys is that of the file.
    if again and again.line() != answer.line():
        findings.fault(
            findings.place("generate", "draft"),
            f"size {order.size}, seed {order.seed}: another process makes another instance; take all random "
            "numbers from `rng`, and no order from a set",
            once="deterministic",
        )


def ask(findings: Findings, order: Order, hash_seed: int = 1) -> Generated | None:
    """What the process that makes an instance answers; None, and a fault, if it gives no answer."""
    try:
        answer = run_worker(order, TIME_S, hash_seed)
    except NoAnswer:
        findings.note(f"the generator was not tried: size {order.size} takes more than {TIME_S:g} s")
        return None
    except ProcessEnded as error:
        findings.fault(findings.place("generate"), str(error), once="mistake")
        return None
    if answer.mistake:
        add_mistake(findings, order, answer.mistake)
        return None
    return answer
