"""Generates Altered States: random words of consonants and vowels in turn, which score their lengths."""

from random import Random

from models.altered_states.puzzle import LARGEST
from models.shared.generator import Planted

SIZE = "rows and columns"


def plant(size: int, rng: Random) -> Planted:
    """Some grid, which need not be good, and as many words as it has cells."""
    if not 2 <= size <= LARGEST:
        raise ValueError(f"there are 2..{LARGEST} rows and columns")
    words: dict[str, int] = {}
    while len(words) < size * size:
        word = "".join(rng.choice("BDKLMNRST") + rng.choice("AEIO") for _ in range(rng.randint(2, 4)))
        words[word] = len(word)
    return Planted([["A"] * size] * size, [], lambda _: {"n": size, "words": words})


def spoil(*_: object) -> None:
    """Nothing can be spoilt."""
