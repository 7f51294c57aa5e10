/* What search.c and local.c share: the words, and walks that read them, with sets of cells as bits.

   Cell r, c is bit (n + 1) r + c: an empty column beside the last one keeps apart what lies at both sides. */

#ifndef WALKS_H
#define WALKS_H

#include "../shared/program.h"

enum { LARGEST = 7, MOST_CELLS = LARGEST * LARGEST, LETTERS = 26, MOST_REPLACED = 1 };

typedef struct {
    int64_t points;
    int length, *letters;
    uint32_t set; /* of its letters, as bits */
} Word;

static int n, cells, may_replace, letter_count, word_count;
static Word *words;
static uint64_t grid;        /* all cells */
static uint64_t holds[LETTERS]; /* of each letter, the cells that hold it, or may */

/* The cell of a number, row by row. */
static inline uint64_t bit(int cell) { return (uint64_t)1 << (cell / n * (n + 1) + cell % n); }

static inline void read_words(void) {
    read_request();
    n = (int)read_integer("the number of rows", 2, LARGEST);
    may_replace = (int)read_integer("how many letters may be replaced", 0, MOST_REPLACED);
    letter_count = (int)read_integer("the number of letters", 1, LETTERS);
    word_count = (int)read_integer("the number of words", 1, INT32_MAX);
    words = allocate((size_t)word_count, sizeof *words);
    for (Word *word = words; word < words + word_count; word++) {
        word->points = read_integer("points", 1, INT32_MAX);
        word->length = (int)read_integer("a length", 1, INT32_MAX);
        word->letters = allocate((size_t)word->length, sizeof *word->letters);
        for (int k = 0; k < word->length; k++) {
            word->letters[k] = (int)read_integer("a letter", 0, letter_count - 1);
            word->set |= (uint32_t)1 << word->letters[k];
        }
    }
    read_end();
    cells = n * n;
    for (int cell = 0; cell < cells; cell++) grid |= bit(cell);
}

/* The cells that a king reaches from some of these in one move. */
static inline uint64_t near(uint64_t from) {
    uint64_t beside = from << 1 | from >> 1, rows = from | beside;
    return (beside | rows << (n + 1) | rows >> (n + 1)) & grid;
}

/* The fewest letters of a word to replace so that a walk reads it, most + 1 if these are not enough. */
static inline int replaced(const Word *word, int most) {
    uint64_t ends[MOST_REPLACED + 2] = {holds[word->letters[0]], grid, grid};
    for (int k = 1; k < word->length && ends[most]; k++) {
        uint64_t here = holds[word->letters[k]], others = 0;
        for (int r = 0; r <= most; r++) {
            uint64_t steps = near(ends[r]);
            ends[r] = (steps & here) | others;
            others = steps;
        }
    }
    for (int r = 0; r <= most; r++)
        if (ends[r]) return r;
    return most + 1;
}

#endif
