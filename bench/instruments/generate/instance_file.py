"""Instance files made to order, which a process makes and checks: worker.py."""

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from bench import catalogue
from bench.catalogue import errors
from bench.catalogue.errors import PuzzleError, RequestError
from bench.execution.process import NoAnswer, Process, ProcessEnded

WORKER = "bench.instruments.generate.worker"


class Wanted(StrEnum):
    """How many solutions an instance is to have."""

    ANY = "any"  # One or more.
    ONE = "one"
    NONE = "none"


@dataclass(frozen=True)
class Order:
    """An instance to generate; the same order gives the same instance, with the same versions."""

    puzzle: str
    size: int
    seed: int
    hardness: float  # The share of the clues that go; where the number of solutions is proved, if they can.
    wanted: Wanted
    rule: str = ""  # One of the generator's RULES; empty for the first of them, or where there are none.


@dataclass(frozen=True)
class Generated:
    """What became of an order."""

    text: str = ""  # The instance file; empty if there is no instance.
    table: dict[str, Any] | None = None  # The puzzle's own keys in it.
    error: str = ""  # Why there is no instance.
    mistake: bool = False  # Whether that is a mistake in the puzzle's files.


def ask(worker: Process, order: Order, time_limit_s: float) -> Generated:
    """What becomes of an order in a process of WORKER; raises ProcessEnded if there is no answer."""
    return Generated(**json.loads(worker.ask(json.dumps(asdict(order)).encode(), time_limit_s)))


def run_worker(order: Order, time_limit_s: float, hash_seed: int = 0) -> Generated:
    """What becomes of an order in a process of its own; it may not depend on `hash_seed`.

    Raises RequestError if the puzzle has no generator, and ProcessEnded if there is no answer.
    """
    file = catalogue.source_of(order.puzzle, "generate")
    if not file.exists():
        raise RequestError(f"{order.puzzle}: it has no generator; write {errors.shown(file)}")
    process = Process(WORKER, hash_seed=hash_seed)
    try:
        return ask(process, order, time_limit_s)
    except BaseException:
        # It is busy, and `close` would wait for it.
        process.popen.kill()
        raise
    finally:
        process.close()


def generate(order: Order, time_limit_s: float) -> str:
    """The text of an instance file.

    Raises RequestError if the puzzle has no generator, no instance of this size, or none within the time;
    PuzzleError if the puzzle's files have a mistake.
    """
    try:
        generated = run_worker(order, time_limit_s)
    except ProcessEnded as error:
        mend = "; choose a smaller size, or a longer --time-limit SECONDS" * isinstance(error, NoAnswer)
        raise RequestError(f"{order.puzzle}, size {order.size}: {error}{mend}") from None
    if generated.mistake:
        raise PuzzleError(order.puzzle, generated.error)
    if generated.error:
        raise RequestError(f"{order.puzzle}, {generated.error}")
    return generated.text


def as_toml(table: dict[str, Any]) -> str:
    """The table as a person would write it: grids as text blocks, a line for each item of a list."""
    # Only this command needs it, and every command would wait for its import.
    import tomlkit

    document = tomlkit.document()
    for key, value in table.items():
        if isinstance(value, str) and "\n" in value:
            document[key] = tomlkit.string(value, multiline=True)
        elif isinstance(value, list):
            array = tomlkit.array()
            array.extend(value)
            document[key] = array.multiline(len(value) > 2)
        else:
            document[key] = value
    # A line break after the quotes is not part of the text.
    return tomlkit.dumps(document).replace(' = """', ' = """\n')
