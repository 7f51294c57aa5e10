/* The board of Queens Domination, and sets of its squares, for search.c and local.c; native.py describes the input. */

#ifndef BOARD_H
#define BOARD_H

#include "../shared/program.h"

#include <string.h>

typedef uint64_t Word;

enum { WORD = 64, MOST_CELLS = 2500 };

static int height, width, square_count, words; /* words of a set of squares */
static int *number_of;                         /* of each cell, its square, or -1 for a hole */
static int *cell_of;                           /* of each square */
static Word *reach;                            /* of each square, the set of those that a queen on it reaches */
static Word *everywhere;                       /* the set of all squares */

static inline Word *reached_from(int square) { return reach + (size_t)square * (size_t)words; }

static inline bool has(const Word *set, int square) { return set[square / WORD] >> square % WORD & 1; }

static inline void add(Word *set, int square) { set[square / WORD] |= (Word)1 << square % WORD; }

static inline void drop(Word *set, int square) { set[square / WORD] &= ~((Word)1 << square % WORD); }

static inline void copy(Word *set, const Word *other) { memcpy(set, other, (size_t)words * sizeof *set); }

static inline Word *allocate_sets(int count) { return allocate((size_t)count * (size_t)words, sizeof(Word)); }

static inline bool is_empty(const Word *set) {
    for (int w = 0; w < words; w++)
        if (set[w]) return false;
    return true;
}

/* How many squares two sets have in common. */
static inline int common(const Word *a, const Word *b) {
    int count = 0;
    for (int w = 0; w < words; w++) count += __builtin_popcountll(a[w] & b[w]);
    return count;
}

/* Removes what another set has. */
static inline void subtract(Word *set, const Word *other) {
    for (int w = 0; w < words; w++) set[w] &= ~other[w];
}

/* Reads the board; squares are numbered in the order of the seed. */
static inline void read_board(void) {
    read_request();
    height = (int)read_integer("height", 1, MOST_CELLS);
    width = (int)read_integer("width", 1, MOST_CELLS / height);
    const int cells = height * width;
    number_of = allocate((size_t)cells, sizeof *number_of);
    cell_of = allocate((size_t)cells, sizeof *cell_of);
    for (int cell = 0; cell < cells; cell++) {
        number_of[cell] = -1;
        if (read_integer("a cell", 0, 1)) cell_of[square_count++] = cell;
    }
    read_end();
    shuffle(cell_of, square_count);
    words = (square_count + WORD - 1) / WORD;
    reach = allocate_sets(square_count);
    everywhere = allocate_sets(1);
    for (int square = 0; square < square_count; square++) {
        number_of[cell_of[square]] = square;
        add(everywhere, square);
    }
    for (int square = 0; square < square_count; square++)
        for (int step = 0; step < 9; step++) { /* in all directions; 4 stays where it is */
            int row = cell_of[square] / width, column = cell_of[square] % width;
            do {
                int other = number_of[row * width + column];
                if (other < 0) break;
                add(reached_from(square), other);
                row += step / 3 - 1;
                column += step % 3 - 1;
            } while (step != 4 && row >= 0 && row < height && column >= 0 && column < width);
        }
}

/* Reports the solution with these queens: 1 for each, 0 for all other cells. */
static inline void report(const int *queens, int count) {
    static int64_t *values;
    if (!values) values = allocate((size_t)(height * width), sizeof *values);
    memset(values, 0, (size_t)(height * width) * sizeof *values);
    for (int k = 0; k < count; k++) values[cell_of[queens[k]]] = 1;
    better_solution(values, (size_t)(height * width));
}

#endif
