"""Small random instances of Number Cross, and the candidates for their solutions."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice, pairwise

from hypothesis import strategies as st

from models.number_cross.puzzle import Clue, NumberCross, parse, satisfies
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, partitions

CLUES = [
    *("square", "cube", "fibonacci", "palindrome", "palindrome + 1", "palindrome - 1", "palindrome + 12"),
    *("palindrome - 9", "multiple of 3", "multiple of 7", "multiple of 11", "power of 2", "power of 3"),
    *("prime ^ prime", "digit sum = 7", "digit sum = 10", *(f"digit product ends in {k}" for k in (0, 2))),
    *("palindrome & multiple of 11", "multiple of 2 & multiple of 3", "multiple of 4 & digit sum = 8"),
]
TIGHT = (
    *("square", "cube", "fibonacci", "power of 2", "power of 3", "prime ^ prime", "power of 1"),
    *("palindrome & multiple of 11", "multiple of 4 & digit sum = 8", "multiple of 97", "digit sum = 1"),
    *("multiple of 1000000007", "palindrome + 100 & multiple of 7", "digit product ends in 5 & square"),
)
"""Clues that few numbers satisfy, or none."""

SHAPES = ((1, 1), (1, 2), (2, 1), (1, 4), (2, 2), (2, 3), (3, 3), (2, 4), (4, 3), (2, 5), (3, 4))


@st.composite
def any_number(draw: st.DrawFn) -> Table:
    """1 to 12 cells: a clue at random for each row, or one that is true of a filled grid, or nearly."""
    kind = draw(st.sampled_from(["tight", "loose", "true", "true"]))
    height, width = draw(st.sampled_from(SHAPES))
    regions = draw(partitions(height, width, draw(st.integers(1, min(9, height * width)))))
    if kind == "true" and width > 1:
        digit_of = dict(zip("ABCDEFGHI", draw(st.permutations("123456789")), strict=True))
        rows = ["".join(digit_of[label] for label in labels) for labels in regions.split()]
        clues = [draw(clue_of(int(row))) for row in rows]
    else:
        clues = [draw(st.sampled_from(TIGHT)) for _ in range(height)]
    if kind == "loose" and width < 5:
        # One row that many numbers satisfy; with more of them there are too many candidates.
        clues[draw(st.integers(0, height - 1))] = draw(st.sampled_from(CLUES))
    return header("number_cross") | {"regions": regions, "clues": clues}


@st.composite
def many(draw: st.DrawFn) -> Table:
    """5 to 8 cells in rows that many numbers satisfy."""
    height, width, least = draw(st.sampled_from([*[(2, 4, 4)] * 6, (2, 3, 3), (1, 5, 3)]))
    regions = draw(partitions(height, width, draw(st.integers(least, least + 2))))
    clues = [draw(st.sampled_from(CLUES)) for _ in range(height)]
    return header("number_cross") | {"regions": regions, "clues": clues}


@st.composite
def clue_of(draw: st.DrawFn, number: int) -> str:
    """A clue that few numbers satisfy, and this one does, or nearly."""
    off = draw(st.sampled_from([0, 0, 0, 0, 0, 0, 1, -1]))
    total = sum(map(int, str(number)))
    divisor = next(d for d in (97, 41, 37, 29, 23, 19, 17, 13, 11, 7, 3, 1) if number % d == 0)
    half = str(number)[: (len(str(number)) + 1) // 2]
    above = number - int(half + half[: len(str(number)) // 2][::-1])
    shift = f"palindrome {'-' if above < 0 else '+'} {abs(above + off)}"
    clues = [
        f"multiple of {number + off}",
        f"digit sum = {total + off} & multiple of {divisor}",
        f"{shift} & digit sum = {total}",
        f"power of {number + off}",
    ]
    return draw(st.sampled_from(clues))


@st.composite
def several(draw: st.DrawFn) -> Table:
    """An instance of 8 to 40 solutions, which a solver can lose one after another, if 8 tries find it."""
    for _ in range(8):
        puzzle = parse(table := draw(many()))
        found = (candidate for candidate in candidates(puzzle) if not puzzle.check(candidate))
        if 8 <= len([*islice(found, 41)]) <= 40:
            break
    return table


INSTANCES = st.one_of(any_number(), several(), any_number(), several(), several())


def candidates(puzzle: NumberCross) -> Iterator[Solution]:
    """The grids of rows that are right alone, and of which each is right below the row above."""
    words = [row_words(labels, clues) for labels, clues in zip(puzzle.labels, puzzle.clues, strict=True)]

    def fill(rows: list[str]) -> Iterator[Solution]:
        if len(rows) == len(words):
            yield rows
            return
        row = len(rows)
        for word in words[row]:
            if not rows or fits(word, puzzle.labels[row], rows[-1], puzzle.labels[row - 1]):
                yield from fill([*rows, word])

    return fill([])


def fits(word: str, labels: Sequence[str], above: str, labels_above: Sequence[str]) -> bool:
    """Whether a row can stand below another."""
    return all(
        a != b if "." in (a, b) else (a == b) == (label == label_above)
        for a, label, b, label_above in zip(word, labels, above, labels_above, strict=True)
    )


def row_words(labels: Sequence[str], clues: tuple[Clue, ...]) -> list[str]:
    """The fillings of a row, in which each number has a property."""
    if not labels:
        return [""]
    # A shaded cell first, or a number and then a shaded cell; shaded cells do not touch.
    words = [f".{rest}" for rest in row_words(labels[1:], clues) if rest[:1] != "."]
    for length in range(2, len(labels) + 1):
        apart = [a != b for a, b in pairwise(labels[:length])]
        fitting = [
            number for number in numbers(clues, length) if [a != b for a, b in pairwise(number)] == apart
        ]
        rests = [rest for rest in row_words(labels[length:], clues) if not rest or rest[0] == "."]
        words += [number + rest for number in fitting for rest in rests]
    return words


@cache
def numbers(clues: tuple[Clue, ...], length: int) -> list[str]:
    """The numbers of so many digits that have all properties."""
    return [n for n in having(clues[0], length) if all(satisfies(int(n), clue) for clue in clues[1:])]


@cache
def having(clue: Clue, length: int) -> list[str]:
    """The numbers of so many digits that have one property."""
    return [str(n) for n in range(10 ** (length - 1), 10**length) if satisfies(n, clue)]
