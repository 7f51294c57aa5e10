"""Which of solutions that are alike the models look for, as inequalities on the lines that white owns."""

from models.peaceable_queens.puzzle import Line, PeaceableQueens


def inequalities(puzzle: PeaceableQueens) -> list[tuple[dict[Line, int], int]]:
    """The weight of lines and the most that those of white weigh, of which some best solution keeps all.

    Of two that differ by the colours, white has no more rows and columns: that stays so however the board
    is turned. If the board is then the same upside down, from left to right, or with its rows as columns,
    the rows of white are rather the upper ones, its columns those on the left, and the rows more so.
    """
    board, lines = puzzle.board, puzzle.lines
    upper = {line: 2 * line[1] + 1 - len(board) for line in lines if line[0] == "row"}
    left = {line: 2 * line[1] + 1 - len(board[0]) for line in lines if line[0] == "column"}
    rows_first = upper | {line: -weight for line, weight in left.items()}
    return [
        (dict.fromkeys(rows_first, 1), len(rows_first) // 2),
        *[(upper, 0)] * (board == board[::-1]),
        *[(left, 0)] * (board == tuple(row[::-1] for row in board)),
        *[(rows_first, 0)] * (board == tuple(zip(*board, strict=True))),
    ]
