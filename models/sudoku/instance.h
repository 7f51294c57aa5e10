/* A Sudoku as the searches in C read it; native.py describes the input.

   n rows and n columns are cut into boxes of n cells. Of m digits n are used. Digits are numbered from 0 on.

       unit         a row, a column or a box; they are numbered in this order
       clue         alternatives, of which at least one holds as a whole: for remote, one for each cell N
                    steps away; for product, one for each two neighbours and digits with that product; for row
                    divisor, one for each multiple that the row can be
       part         a cell with its digit in an alternative */

#ifndef INSTANCE_H
#define INSTANCE_H

#include "../shared/program.h"

#include <string.h>

enum { NONE = -1 };

typedef struct {
    int cell, digit;
} Part;

typedef struct {
    int first, count, length; /* its alternatives, and the parts of each of them */
    int row;                  /* which it describes, or NONE */
} Clue;

static int height, width, n, m, cells, units;
static int *digits;
static int64_t divisor, power; /* 0 for none; 10^n */
static bool rows_are_listed;   /* those that the divisor divides */

static int *given;    /* of each cell, its digit or NONE */
static int *cells_of; /* each unit */
static int *units_of; /* each cell: its row, column and box */

static Part *parts;
static int part_count, part_room;
static Clue *clues;
static int clue_count, clue_room;

/* The array with room for some more items than count. */
static void *with_room(void *array, int count, int more, int *room, size_t bytes) {
    if (count + more <= *room) return array;
    if (count > INT_MAX / 4 - more) fail("the clues have more than %d parts", INT_MAX / 4);
    *room = 2 * (count + more) + 64;
    return grow(array, (size_t)*room, bytes);
}

static void add_clue(int length, int row) {
    clues = with_room(clues, clue_count, 1, &clue_room, sizeof *clues);
    clues[clue_count++] = (Clue){part_count, 0, length, row};
}

/* Adds an alternative to the last clue, unless one of its parts cannot be. */
static void add_alternative(const Part *option) {
    Clue *clue = &clues[clue_count - 1];
    for (int k = 0; k < clue->length; k++)
        if (given[option[k].cell] != NONE && given[option[k].cell] != option[k].digit) return;
    parts = with_room(parts, part_count, clue->length, &part_room, sizeof *parts);
    memcpy(parts + part_count, option, (size_t)clue->length * sizeof *parts);
    part_count += clue->length;
    clue->count++;
}

/* The cells so many steps up, left, right and down, once each; returns how many there are. */
static int cells_away(int cell, int64_t steps, int ends[4]) {
    const int64_t row = cell / n, column = cell % n;
    if (steps >= n) return 0;
    const int64_t rows[4] = {row - steps, row, row, row + steps};
    const int64_t columns[4] = {column, column - steps, column + steps, column};
    int count = 0;
    for (int k = 0; k < (steps ? 4 : 1); k++)
        if (rows[k] >= 0 && rows[k] < n && columns[k] >= 0 && columns[k] < n)
            ends[count++] = (int)(rows[k] * n + columns[k]);
    return count;
}

/* Some cell N steps away holds N. */
static void add_remote(int cell, int64_t steps) {
    int ends[4], count = cells_away(cell, steps, ends);
    add_clue(1, NONE);
    for (int k = 0; k < count; k++)
        for (int digit = 0; digit < m; digit++)
            if (digits[digit] == steps) add_alternative(&(Part){ends[k], digit});
}

static bool share_a_unit(int i, int j) {
    bool share = false;
    for (int k = 0; k < 3; k++) share |= units_of[3 * i + k] == units_of[3 * j + k];
    return share;
}

/* Two cells beside the clue hold a pair of digits with its product. */
static void add_product(int cell, int64_t product) {
    int ends[4], count = cells_away(cell, 1, ends);
    add_clue(2, NONE);
    for (int k = 0; k < count; k++)
        for (int l = k + 1; l < count; l++)
            for (int a = 0; a < m; a++)
                for (int b = 0; b < m; b++)
                    if ((int64_t)digits[a] * digits[b] == product &&
                        !(a == b && share_a_unit(ends[k], ends[l])))
                        add_alternative((Part[]){{ends[k], a}, {ends[l], b}});
}

/* Each row is a multiple of the divisor. */
static void add_rows(void) {
    int digit_at[10]; /* the number of a digit */
    for (int value = 0; value < 10; value++) digit_at[value] = NONE;
    for (int digit = 0; digit < m; digit++) digit_at[digits[digit]] = digit;
    Part *option = instance_array((size_t)n, sizeof *option);
    for (int row = 0; row < n; row++) {
        add_clue(n, row);
        for (int64_t number = 0; number < power; number += divisor) {
            int64_t rest = number;
            int used = 0, column = n - 1;
            for (; column >= 0; column--, rest /= 10) {
                int value = (int)(rest % 10);
                if (digit_at[value] == NONE || used >> value & 1) break;
                used |= 1 << value;
                option[column] = (Part){row * n + column, digit_at[value]};
            }
            if (column < 0) add_alternative(option);
        }
    }
}

/* Reads a grid of numbers, -1 for none. */
static int64_t *read_clues(const char *name) {
    int64_t *numbers = instance_array((size_t)cells, sizeof *numbers);
    for (int cell = 0; cell < cells; cell++) numbers[cell] = read_integer(name, -1, INT64_MAX);
    return numbers;
}

static void read_digits(void) {
    digits = instance_array((size_t)m, sizeof *digits);
    for (int digit = 0; digit < m; digit++)
        digits[digit] = (int)read_integer("a digit", digit ? digits[digit - 1] + 1 : 0, INT_MAX - 1);
    if (divisor && digits[m - 1] > 9) fail("with a row divisor all digits are below 10");
}

/* The numbers of the digits that are given. */
static void read_givens(void) {
    const int64_t *givens = read_clues("a given");
    given = instance_array((size_t)cells, sizeof *given);
    for (int cell = 0; cell < cells; cell++) {
        given[cell] = NONE;
        for (int digit = 0; digit < m && givens[cell] >= 0; digit++)
            if (digits[digit] == givens[cell]) given[cell] = digit;
        if (givens[cell] >= 0 && given[cell] == NONE) fail("a given is not one of the digits");
    }
}

static void make_units(void) {
    cells_of = instance_array((size_t)units * (size_t)n, sizeof *cells_of);
    units_of = instance_array(3 * (size_t)cells, sizeof *units_of);
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) {
            int cell = row * n + column, box = row / height * height + column / width;
            int place = row % height * width + column % width;
            cells_of[cell] = cells_of[(n + column) * n + row] = cells_of[(2 * n + box) * n + place] = cell;
            memcpy(units_of + 3 * cell, (int[]){row, n + column, 2 * n + box}, 3 * sizeof *units_of);
        }
}

static void read_instance(void) {
    height = (int)read_integer("the rows of a box", 1, 100);
    width = (int)read_integer("the columns of a box", 1, 100);
    n = height * width;
    cells = n * n;
    units = 3 * n;
    m = (int)read_integer("the number of digits", n, 100000000 / cells);
    divisor = read_integer("the row divisor", 0, INT64_MAX);
    rows_are_listed = read_integer("whether rows are listed", 0, 1) == 1;
    read_digits();
    power = 1;
    for (int k = 0; divisor && k < n; k++) power *= 10;
    if (divisor > power) divisor = power;
    read_givens();
    const int64_t *remote = read_clues("a remote clue"), *product = read_clues("a product clue");
    make_units();
    part_count = clue_count = 0;
    for (int cell = 0; cell < cells; cell++) {
        if (remote[cell] >= 0) add_remote(cell, remote[cell]);
        if (product[cell] >= 0) add_product(cell, product[cell]);
    }
    if (divisor && rows_are_listed) add_rows();
}

#endif
