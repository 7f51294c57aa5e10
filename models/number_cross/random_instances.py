"""Small random instances of Number Cross, and the candidates for their solutions."""

from collections.abc import Iterator

from hypothesis import strategies as st

from models.number_cross.puzzle import NumberCross
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, partitions

CLUES = [
    *("square", "cube", "fibonacci", "palindrome", "palindrome + 1", "palindrome - 1", "palindrome + 12"),
    *("palindrome - 9", "multiple of 3", "multiple of 7", "multiple of 11", "power of 2", "power of 3"),
    *(
        "prime ^ prime",
        "digit sum = 7",
        "digit sum = 10",
        "digit product ends in 0",
        "digit product ends in 2",
    ),
    *("palindrome & multiple of 11", "multiple of 2 & multiple of 3", "multiple of 4 & digit sum = 8"),
]


@st.composite
def number_crosses(draw: st.DrawFn) -> Table:
    """Two or three rows of three or four cells."""
    height, width = draw(st.sampled_from([(2, 3), (3, 3), (2, 4)]))
    regions = draw(partitions(height, width, draw(st.integers(2, height * width))))
    clues = [draw(st.sampled_from(CLUES)) for _ in range(height)]
    return header("number_cross") | {"regions": regions, "clues": clues}


INSTANCES = number_crosses()


def candidates(puzzle: NumberCross) -> Iterator[Solution]:
    """The grids of rows that the checker accepts alone and below the row above."""

    def part(first: int, last: int) -> NumberCross:
        rows = slice(first, last + 1)
        return NumberCross(puzzle.labels[rows], puzzle.clues[rows], ("",) * (last + 1 - first))

    words = [
        [word for word in region_words(labels) if not part(row, row).check([word])]
        for row, labels in enumerate(puzzle.labels)
    ]

    def fill(rows: list[str]) -> Iterator[Solution]:
        row = len(rows)
        if row == len(puzzle.labels):
            yield rows
            return
        for word in words[row]:
            if not rows or not part(row - 1, row).check([rows[-1], word]):
                yield from fill([*rows, word])

    return fill([])


def region_words(labels: tuple[str, ...]) -> list[str]:
    """Every word of digits and dots in which neighbours in one region are equal or one is shaded."""
    words = [""]
    for column in range(len(labels)):
        words = [
            word + symbol
            for word in words
            for symbol in ".0123456789"
            if not word
            or "." in (word[-1], symbol)
            or (word[-1] == symbol) == (labels[column - 1] == labels[column])
        ]
    return words
