"""Small random instances of each puzzle as tables, and what an exhaustive look with the checker counts."""

from tests.strategies.block_party import block_parties, count_block_party
from tests.strategies.bug_byte import bug_bytes, count_bug_byte
from tests.strategies.die_agony import count_die_agony, die_agonies
from tests.strategies.knight_moves import count_knight_moves, knight_moves
from tests.strategies.magic_hexagon import count_magic_hexagon, magic_hexagons
from tests.strategies.number_cross import count_number_cross, number_crosses
from tests.strategies.sudoku import count_sudoku, sudokus
from tests.strategies.twenty_four_seven import count_twenty_four_seven, twenty_four_sevens

MADE = {
    "block_party": (block_parties(), count_block_party),
    "bug_byte": (bug_bytes(), count_bug_byte),
    "die_agony": (die_agonies(), count_die_agony),
    "knight_moves": (knight_moves(), count_knight_moves),
    "magic_hexagon": (magic_hexagons(), count_magic_hexagon),
    "number_cross": (number_crosses(), count_number_cross),
    "sudoku": (sudokus(), count_sudoku),
    "twenty_four_seven": (twenty_four_sevens(), count_twenty_four_seven),
}
"""For each puzzle, random tables and what an exhaustive look counts."""
