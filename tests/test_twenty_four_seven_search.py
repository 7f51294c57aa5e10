"""Twenty Four Seven: the words of a row, by their definition, and clues outside as rules on cells."""

import random
from itertools import product

from models.shared.bits import members
from models.shared.sides import Side
from models.twenty_four_seven.puzzle import TwentyFourSeven
from models.twenty_four_seven.words import Words, first_numbers, sums

WORDS = Words()


def listed() -> list[tuple[int, ...]]:
    """All words by their definition."""
    triples = [triple for triple in product(range(8), repeat=3) if triple.count(0) < 3]
    return [
        word
        for word in (
            (*left, middle, *right)
            for left, middle, right in product([*triples, (0, 0, 0)], range(8), [*triples, (0, 0, 0)])
            if sum(left) + middle + sum(right) == 20
        )
        if word.count(0) == 3 and all(word.count(k) <= k for k in range(1, 8))
    ]


def test_what_a_row_supports_is_in_one_of_its_words() -> None:
    """On random domains and clues, some of which leave no word."""
    words, rng, kept = listed(), random.Random(1), 0
    assert WORDS.all.bit_count() == len(words) == 5215
    for _ in range(60):
        first, last = rng.choice([None, 3, 7]), rng.choice([None, 1, 6])
        domains = [sum(1 << v for v in range(8) if rng.random() < 0.6) or 255 for _ in range(7)]
        left = [
            word
            for word in words
            if first in (None, next(filter(None, word)))
            and last in (None, next(filter(None, word[::-1])))
            and all(domain >> value & 1 for domain, value in zip(domains, word, strict=True))
        ]
        supported = WORDS.supported(WORDS.between(first, last), domains)
        assert [set(members(domain)) for domain in supported] == (
            [set(column) for column in zip(*left, strict=True)] if left else []
        )
        kept += bool(left)
    assert 0 < kept < 60


def test_clues_beside_a_window_are_rules_on_cells() -> None:
    """A first number where the window ends before; a sum less what the window holds."""
    clues = {(Side.LEFT, 0): 3, (Side.RIGHT, 1): 4, (Side.TOP, 2): 5, (Side.RIGHT, 3): 27}
    puzzle = TwentyFourSeven(7, 8, {}, ((0, 0),), clues)
    assert first_numbers(puzzle) == [([(1, column) for column in range(8)][::-1], 4)]
    assert sums(puzzle) == [([(3, 7)], 7)]
