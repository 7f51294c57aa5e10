"""Inspects generate.py: it generates what was ordered, and the same instance in every process."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from bench import catalogue
from bench.authoring.inspection import Inspection
from bench.catalogue import errors
from bench.catalogue.errors import PuzzleError, RequestError
from bench.execution.process import NoAnswer, ProcessEnded
from bench.generation.instance_file import as_file, run_worker
from bench.generation.order import Generated, Order, Wanted
from bench.invocation import command_line

TRIED = (3, 4, 5, 6, 7, 8, 9, 10, 2, 1)
"""The sizes to try, in this order: with one or two of anything there is often no instance."""

SIZES = 2
"""The number of sizes to generate instances of, the first that have any."""

TIME_S = 60.0
"""The time limit in seconds for one instance."""

HARD_SEEDS = (1, 2, 3)
"""The seeds to try with as few clues as possible, until a draft needs one clue more."""


def inspect_generator(inspection: Inspection, folder: Path) -> dict[Path, Order]:
    """Generates small instances, some of them twice; returns their files in the folder, with their orders."""
    if not catalogue.source_of(inspection.puzzle, "generate").exists():
        inspection.note("there is no generate.py: no generated instance was tried")
        return {}
    files: dict[Path, Order] = {}
    for order, generated in generate_all(inspection):
        hard = "_hard" if (order.wanted, order.hardness) == (Wanted.ONE, 1.0) else ""
        file = folder / f"size_{order.size}_{order.wanted}{hard}.toml"
        try:
            file.write_text(as_file(order, generated), encoding="utf-8")
            catalogue.load(file)
        except PuzzleError as error:
            add_mistake(inspection, order, str(error))
        except RequestError as error:
            # Not every size has an instance without a solution.
            if order.wanted != Wanted.NONE:
                draft_fault(inspection, f"size {order.size}, seed {order.seed}: {error}", once="generate")
        else:
            files[file] = order
            inspection.checked["generated instance"] += 1
    return files


def explain(inspection: Inspection, files: Mapping[Path, Order]) -> None:
    """Adds a note on each generated instance that a fault names: the command that generates it."""
    folder = catalogue.elsewhere().get(inspection.puzzle)
    for file, order in files.items():
        if any(re.search(rf"\b{file.stem}\b", fault) for fault in inspection.faults):
            puzzle = errors.shown(folder) if folder else order.puzzle
            options = ("--size", order.size, "--seed", order.seed, "--hardness", f"{order.hardness:g}")
            more = ("--solutions", order.wanted, "--out", file.name)
            again = command_line("generate", puzzle, *options, *more)
            inspection.note(f"{file.stem} was generated for this check; to get it: {again}")


def add_mistake(inspection: Inspection, order: Order, mistake: str) -> None:
    """Adds a mistake in the puzzle's files that the generator ran into; a run may run into it too."""
    inspection.fault(f"{mistake} (size {order.size})", once=mistake.partition(": ")[0])


def draft_fault(inspection: Inspection, text: str, once: str = "") -> None:
    """Adds a fault in what `draft` returns."""
    inspection.fault(f"{inspection.place('generate', 'draft')}: {text}", once)


def generate_all(inspection: Inspection) -> Iterator[tuple[Order, Generated]]:
    """The instances of the first sizes with one solution; of the first one also others (`vary`)."""
    sizes = []
    reasons: dict[str, int] = {}
    narrowed = False
    counts = catalogue.source_of(inspection.puzzle, "backtrack").exists()
    if not counts:
        result = "generated instances may have any number of them, and narrow and spoil were not tried"
        inspection.note(f"there is no backtrack.py, which counts solutions: {result}")
    for size in TRIED:
        order = Order(inspection.puzzle, size, 1, 0.5, Wanted.ONE if counts else Wanted.ANY)
        generated = generate(inspection, order)
        if generated is None:
            return
        if generated.error:
            reasons.setdefault(generated.error, size)
        else:
            sizes.append(size)
            narrowed |= generated.narrowings > 0
            generate_again(inspection, order, generated)
            yield order, generated
        if len(sizes) == SIZES:
            break
    if sizes and counts:
        yield from vary(inspection, sizes[0], narrowed)
    elif not sizes:
        said = "; ".join(f"size {size}: {reason}" for reason, size in [*reasons.items()][:2])
        draft_fault(inspection, f"it generates no instance of any size from 1 to {max(TRIED)} ({said})")


def vary(inspection: Inspection, size: int, narrowed: bool) -> Iterator[tuple[Order, Generated]]:
    """The instances of a size with any number of solutions, with none, and one that needed `narrow`.

    Args:
        narrowed: whether an instance before these needed it.
    """
    for hardness, wanted in ((1.0, Wanted.ANY), (0.5, Wanted.NONE)):
        order = Order(inspection.puzzle, size, 2, hardness, wanted)
        if generated := generate(inspection, order):
            narrowed |= generated.narrowings > 0
            yield order, generated
    for seed in HARD_SEEDS:
        if narrowed:
            return
        order = Order(inspection.puzzle, size, seed, 1.0, Wanted.ONE)
        if (generated := generate(inspection, order)) is None:
            return
        if narrowed := generated.narrowings > 0:
            yield order, generated
    if not narrowed:
        inspection.note("narrow was not tried: every draft had one solution without it")


def generate_again(inspection: Inspection, order: Order, generated: Generated) -> None:
    """Generates an instance a second time, in a process that hashes differently, and compares the two."""
    again = generate(inspection, order, hash_seed=2)
    # As lines: the order of keys counts, it is that of the file.
    if again and again.line() != generated.line():
        other = f"size {order.size}, seed {order.seed}: another process generates another instance"
        fix = "draw all random numbers from `rng`, and rely on no order of a set"
        draft_fault(inspection, f"{other}; {fix}", once="deterministic")


def generate(inspection: Inspection, order: Order, hash_seed: int = 1) -> Generated | None:
    """What a process generates; None, and a fault, if it gives no answer."""
    try:
        generated = run_worker(order, TIME_S, hash_seed)
    except NoAnswer:
        inspection.note(f"the generator was not tried: size {order.size} needs more than {TIME_S:g} s")
        return None
    except ProcessEnded as error:
        inspection.fault(f"{inspection.place('generate')}: {error}", once="mistake")
        return None
    if generated.mistake:
        add_mistake(inspection, order, generated.mistake)
        return None
    return generated
