"""Small random instances of Hooks, and the candidates for their solutions."""

import random
from collections.abc import Iterator
from itertools import combinations

from hypothesis import strategies as st

from models.hooks.puzzle import Hooks, peels, product_of_first_two, sum_of_first_block
from models.shared.grid import Cell, connected_parts, neighbours
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in
from models.shared.sides import Side, line_from

KINDS = {
    "givens": "givens",
    "row_sums": "sums",
    "column_sums": "sums",
    "first_two_product": "products",
    "first_block_sum": "blocks",
    "regions": "regions",
    "neighbour_sums": "neighbours",
}
"""The kind of clue of each key."""

Lines = list[list[str]]
"""The words of a key, line by line."""

Clues = dict[tuple[str, str], Lines]
"""What is written under a key, at a side if it has sides."""

Rows = list[list[int]]
"""A filled grid, 0 for an empty cell."""

FILLINGS = 30
"""How many fillings of a layout are tried for one that is connected."""


@st.composite
def hooks(draw: st.DrawFn) -> Table:
    """A filled grid of up to 4x4 cells, and clues of each kind that are true of it, one perhaps spoilt."""
    n = draw(st.sampled_from([3, 1, 2, 3, 4, 4]))
    fixed, by_size = draw(st.booleans()), draw(st.booleans())
    kinds = draw(st.sets(st.sampled_from(sorted(set(KINDS.values())))))
    if n > 2:
        # Without these there may be thousands of solutions.
        kinds.add(draw(st.sampled_from(["sums", "givens"])))
    rng = random.Random(draw(st.integers(0, 10**6)))
    layout = cut(n, rng)
    rows = next(
        (filled for filled in (fill(layout, by_size, rng) for _ in range(FILLINGS)) if one_group(filled)),
        fill(layout, by_size, rng),
    )
    table = header("hooks") | {
        "size": n,
        "layout": "fixed" if fixed else "free",
        "numbering": "by_size" if by_size else "free",
        "connected": draw(one_in(10)) or (one_group(rows) and draw(st.booleans())),
        "no_full_2x2": draw(one_in(10)) or (no_block(rows) and draw(st.booleans())),
        "answer_rule": draw(st.sampled_from(["empty_product", "checkerboard_sum", "max_rook_product"])),
    }
    if fixed:
        size_of = {cell: n - place for place, hook in enumerate(layout) for cell in hook}
        table["hooks"] = block([[str(size_of[r, c]) for c in range(n)] for r in range(n)])
    clues = {clue: lines for clue, lines in true_clues(rows, rng).items() if KINDS[clue[0]] in kinds}
    if draw(one_in(4)):
        spoil(clues, n, rng)
    for (key, side), lines in clues.items():
        text = block(lines)
        table[key] = table.get(key, {}) | {side: text} if side else text
    return table


def cut(n: int, rng: random.Random) -> list[list[Cell]]:
    """A random layout: the cells of each hook, from the outermost."""
    corner, layout = (0, 0), []
    for size in range(n, 0, -1):
        corner, cells = rng.choice(list(peels(*corner, size)))
        layout.append(cells)
    return layout


def fill(layout: list[list[Cell]], by_size: bool, rng: random.Random) -> Rows:
    """A grid in which the hooks hold random numbers, in random cells."""
    n = len(layout)
    left = list(range(1, n + 1))
    rows = [[0] * n for _ in range(n)]
    # The innermost hook has room for the fewest numbers.
    for size, cells in enumerate(reversed(layout), 1):
        number = size if by_size else rng.choice([v for v in left if v <= len(cells)])
        left.remove(number)
        for row, column in rng.sample(cells, number):
            rows[row][column] = number
    return rows


def one_group(rows: Rows) -> bool:
    """Whether the filled cells are connected."""
    n = len(rows)
    return len(connected_parts((r, c) for r in range(n) for c in range(n) if rows[r][c])) == 1


def no_block(rows: Rows) -> bool:
    """Whether no 2x2 block is completely filled."""
    inner = range(len(rows) - 1)
    return not any(all((*rows[r][c : c + 2], *rows[r + 1][c : c + 2])) for r in inner for c in inner)


def true_clues(rows: Rows, rng: random.Random) -> Clues:
    """Clues of each kind, some left out."""
    n = len(rows)
    share = rng.choice([1.0, 0.6])

    def some(numbers: list[int | None]) -> list[str]:
        return ["." if number is None or rng.random() > share else str(number) for number in numbers]

    columns = [list(column) for column in zip(*rows, strict=True)]
    beside = [[sum(rows[s][d] for s, d in neighbours((r, c), n)) for c in range(n)] for r in range(n)]
    clues = {
        ("givens", ""): [
            some([value if value and rng.random() < 0.7 else None for value in row]) for row in rows
        ],
        ("row_sums", ""): [some([sum(row) for row in rows])],
        ("column_sums", ""): [some([sum(column) for column in columns])],
        ("regions", ""): regions(rows, rng),
        ("neighbour_sums", ""): [
            some([None if rows[r][c] else beside[r][c] for c in range(n)]) for r in range(n)
        ],
    }
    for side in Side:
        seen = [[rows[r][c] for r, c in line_from(side, line, n, n)] for line in range(n)]
        clues["first_two_product", side.value] = [some([product_of_first_two(line) for line in seen])]
        clues["first_block_sum", side.value] = [some([sum_of_first_block(line) for line in seen])]
    return clues


def regions(rows: Rows, rng: random.Random) -> Lines:
    """Labels of regions with equal sums, connected or not; one region if no others are found soon."""
    n = len(rows)
    total = sum(map(sum, rows))
    count = rng.choice([count for count in range(1, 6) if total % count == 0])
    snake = [(r, c if r % 2 else n - 1 - c) for r in range(n) for c in range(n)]
    for _ in range(300):
        cuts = sorted(rng.choices(range(n * n + 1), k=count - 1))
        label = {cell: sum(cut <= place for cut in cuts) for place, cell in enumerate(snake)}
        if rng.random() < 0.5:
            label = {cell: rng.randrange(count) for cell in snake}
        sums = [sum(rows[r][c] for (r, c), region in label.items() if region == k) for k in range(count)]
        if len({*sums}) == 1:
            break
    else:
        label = dict.fromkeys(snake, 0)
    return [[str(label[r, c]) for c in range(n)] for r in range(n)]


def spoil(clues: Clues, n: int, rng: random.Random) -> None:
    """Changes one clue, or the region of one cell, within what the format allows; or lets a cell be empty."""
    places = [
        (words, place, key)
        for (key, _), lines in clues.items()
        for words in lines
        for place, word in enumerate(words)
        if word != "." or key == "neighbour_sums"
    ]
    if places:
        words, place, key = rng.choice(places)
        least = 0 if KINDS[key] in ("sums", "regions", "neighbours") else 1
        most = {"givens": n, "neighbour_sums": 4 * n}.get(key, n * n)
        number = int(words[place].replace(".", "0")) + rng.choice([1, -1, 2])
        words[place] = str(min(max(number, least), most))


def block(lines: Lines) -> str:
    """The lines of words as they are written in a file; a single line if there is one."""
    return "\n".join(" ".join(words) for words in lines)


INSTANCES = hooks()


def candidates(puzzle: Hooks) -> Iterator[Solution]:
    """Every way to cut and number hooks and to fill them, if it keeps to the givens and the clues of lines.

    With a hook a row and a column are filled: what lies outside is in larger hooks.
    """
    n = puzzle.n
    values = dict.fromkeys(puzzle.cells, 0)
    seen: set[tuple[int, ...]] = set()

    def fill(corner: Cell, size: int, left: frozenset[int]) -> Iterator[Solution]:
        if not left:
            if (grid := tuple(values.values())) not in seen:
                seen.add(grid)
                yield puzzle.solution(values.__getitem__)
            return
        for inner, cells in peels(*corner, size):
            if puzzle.hooks and any(puzzle.hooks[cell] != size for cell in cells):
                continue
            given = {puzzle.givens[cell] for cell in cells if cell in puzzle.givens}
            free = [cell for cell in cells if cell not in puzzle.givens and cell not in puzzle.neighbour_sums]
            bound = [cell for cell in cells if cell in puzzle.givens]
            for number in [size] if puzzle.by_size else sorted(left):
                if not given <= {number} or not len(bound) <= number <= len(bound) + len(free):
                    continue
                for more in combinations(free, number - len(bound)):
                    values.update(dict.fromkeys([*bound, *more], number))
                    if lines_hold(puzzle, values, cells[0][0], cells[-1][1]):
                        yield from fill(inner, size - 1, left - {number})
                    values.update(dict.fromkeys(cells, 0))

    return fill((0, 0), n, frozenset(range(1, n + 1)))


def lines_hold(puzzle: Hooks, values: dict[Cell, int], row: int, column: int) -> bool:
    """Whether the clues of a row and a column hold, if both are filled."""
    across = [values[row, c] for c in range(puzzle.n)]
    down = [values[r, column] for r in range(puzzle.n)]
    seen = {
        (Side.LEFT, row): across,
        (Side.RIGHT, row): across[::-1],
        (Side.TOP, column): down,
        (Side.BOTTOM, column): down[::-1],
    }
    return (
        puzzle.row_sums.get(row, sum(across)) == sum(across)
        and puzzle.column_sums.get(column, sum(down)) == sum(down)
        and all(
            clues.get(end, found(line)) == found(line)
            for clues, found in (
                (puzzle.first_two_product, product_of_first_two),
                (puzzle.first_block_sum, sum_of_first_block),
            )
            for end, line in seen.items()
        )
    )
