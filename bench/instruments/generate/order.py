"""Orders for instances, and the answers of the process that generates them; both go as lines of JSON."""

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from models.shared.puzzle import Solution


class Wanted(StrEnum):
    """How many solutions an instance is to have: one or more, exactly one, none."""

    ANY = "any"
    ONE = "one"
    NONE = "none"


@dataclass(frozen=True)
class Order:
    """An instance to generate; the same order gives the same instance, with the same versions.

    `hardness` is between 0 (as many clues as possible) and 1 (as few as possible). `hard` asks for the hard
    kind of the puzzle's instances.
    """

    puzzle: str
    size: int
    seed: int
    hardness: float
    wanted: Wanted
    hard: bool = False

    def seed_text(self, attempt: int) -> str:
        """The seed of the random numbers of an attempt; the order of the usual kind has no word for it."""
        kind = ["hard"] if self.hard else []
        parts = (self.puzzle, self.size, self.seed, self.hardness, self.wanted, *kind, attempt)
        return " ".join(map(str, parts))

    def line(self) -> bytes:
        """The order as a line."""
        return json.dumps(asdict(self)).encode()

    @staticmethod
    def from_line(line: bytes) -> "Order":
        """The order that a line has."""
        values = json.loads(line)
        return Order(**{**values, "wanted": Wanted(values["wanted"])})


@dataclass(frozen=True)
class Generated:
    """What became of an order.

    Attributes:
        counts: the unit of the size, in words.
        table: the puzzle's own keys of the instance file, None if there is no instance.
        solution: one of the instance, None if it has none.
        narrowings: how many clues were added to make its solution the only one.
        error: why there is no instance.
        mistake: what is wrong in the puzzle's files.
    """

    counts: str = ""
    table: dict[str, Any] | None = None
    solution: Solution | None = None
    narrowings: int = 0
    error: str = ""
    mistake: str = ""

    def line(self) -> bytes:
        """The answer as a line."""
        return json.dumps(asdict(self)).encode()

    @staticmethod
    def from_line(line: bytes) -> "Generated":
        """The answer that a line has."""
        return Generated(**json.loads(line))
