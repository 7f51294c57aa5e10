"""Small random instances of Hooks, and the candidates for their solutions."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

from hypothesis import strategies as st

from models.hooks.filled_grids import Clues, as_table, random_hooks, random_numbers, true_clues
from models.hooks.puzzle import Hooks, peels, product_of_first_two, sum_of_first_block
from models.shared.grid import Cell, cells_of, connected_parts
from models.shared.partly_filled import full_blocks
from models.shared.puzzle import Solution
from models.shared.random_instances import Table, header, one_in
from models.shared.sides import Side

KINDS = {
    "givens": "givens",
    "row_sums": "sums",
    "column_sums": "sums",
    "first_two_product": "products",
    "first_block_sum": "blocks",
    "neighbour_sums": "neighbours",
}
"""The kind of clue of each key; a further one are regions."""

FILLINGS = 30
"""How many fillings of a layout are tried for one that is connected."""


@st.composite
def hooks(draw: st.DrawFn) -> Table:
    """A filled grid of up to 4x4 cells, and clues of each kind that are true of it, one perhaps spoilt."""
    n = draw(st.sampled_from([3, 1, 2, 3, 4, 4]))
    fixed, by_size = draw(st.booleans()), draw(st.booleans())
    kinds = draw(st.sets(st.sampled_from(sorted({*KINDS.values(), "regions"}))))
    if n > 2:
        # Without these there may be thousands of solutions.
        kinds.add(draw(st.sampled_from(["sums", "givens"])))
    rng = Random(draw(st.integers(0, 10**6)))
    layout = random_hooks(n, rng)
    fillings = [random_numbers(layout, by_size, rng) for _ in range(FILLINGS)]
    value = next((filled for filled in fillings if one_group(filled)), fillings[0])
    rows = [[value[r, c] for c in range(n)] for r in range(n)]
    full = full_blocks(rows)
    rules = header("hooks") | {
        "size": n,
        "layout": "fixed" if fixed else "free",
        "numbering": "by_size" if by_size else "free",
        "connected": draw(one_in(10)) or (one_group(value) and draw(st.booleans())),
        "no_full_2x2": draw(one_in(10)) or (not full and draw(st.booleans())),
        "answer_rule": draw(st.sampled_from(["empty_product", "checkerboard_sum"])),
    }
    if fixed:
        rules["hooks"] = block({cell: n - place for place, hook in enumerate(layout) for cell in hook})
    spoilt, share = draw(one_in(4)), rng.choice([1.0, 0.6])
    clues = {
        clue: number
        for clue, number in true_clues(rows)
        if KINDS[clue[0]] in kinds and rng.random() < share * (0.7 if clue[0] == "givens" else 1)
    }
    if "regions" in kinds:
        rules["regions"] = block(regions(rows, spoilt and rng.random() < 0.3, rng))
    return as_table(spoil(clues, n, rng) if spoilt else clues, rules)


def one_group(value: dict[Cell, int]) -> bool:
    """Whether the filled cells are connected."""
    return len(connected_parts(cell for cell in value if value[cell])) == 1


def regions(rows: Solution, unequal: bool, rng: Random) -> dict[Cell, int]:
    """Regions with equal sums, connected or not; one region if no others are found soon; or any."""
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
        if unequal or len({*sums}) == 1:
            return label
    return dict.fromkeys(snake, 0)


def spoil(clues: Clues, n: int, rng: Random) -> Clues:
    """The clues with one changed, within what the format allows, or with one more sum of neighbours."""
    if not clues:
        return clues
    (field, place), number = rng.choice(list(clues.items()))
    if field == "neighbour_sums" and rng.random() < 0.5:
        place = rng.choice(cells_of([[0] * n] * n))
    least = 0 if KINDS[field] in ("sums", "neighbours") else 1
    most = {"givens": n, "neighbour_sums": 4 * n}.get(field, n * n)
    return {**clues, (field, place): min(max(number + rng.choice([1, -1, 2]), least), most)}


def block(label: dict[Cell, int]) -> str:
    """The labels of a square grid as they are written in a file."""
    n = max(row for row, _ in label) + 1
    return "\n".join(" ".join(str(label[r, c]) for c in range(n)) for r in range(n))


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
            puzzle.first_two_product.get(end, pair) == pair and puzzle.first_block_sum.get(end, run) == run
            for end, line in seen.items()
            for pair, run in [(product_of_first_two(line), sum_of_first_block(line))]
        )
    )
