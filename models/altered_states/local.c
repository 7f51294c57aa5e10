/* Altered States by simulated annealing: the search of local.py, which never ends; native.py describes the input. */

#include "walks.h"

#include <string.h>

static const double NEARLY = 0.3;   /* the part of its points for which a word counts that is nearly read */
static const double SWAPS = 0.2;    /* the part of the moves that swap two letters */
static const double HOT = 0.5;      /* the first temperature, in what a word scores on average; */
static const double COOLING = 1.61; /* the last one is smaller by a factor of exp(1.61) */
enum { FIRST_MOVES = 10000 };

static int64_t letters[MOST_CELLS];
static int *lacks;         /* how many letters of each word must be replaced */
static int *changed, *now; /* words for which a move changes that, and how many then */

static void put(int cell, int64_t letter) {
    holds[letters[cell]] ^= bit(cell);
    holds[letter] ^= bit(cell);
    letters[cell] = letter;
}

/* From random letters, with so many moves; reports what is better than all before. */
static void anneal(uint64_t moves, int64_t *best) {
    double mean = 0, worth[MOST_REPLACED + 3] = {1, 1, 1};
    worth[may_replace + 1] = NEARLY;
    worth[may_replace + 2] = 0;
    memset(holds, 0, sizeof holds);
    for (int cell = 0; cell < cells; cell++) {
        letters[cell] = (int64_t)random_below((uint64_t)letter_count);
        holds[letters[cell]] |= bit(cell);
    }
    int64_t score = 0;
    for (int w = 0; w < word_count; w++) {
        lacks[w] = replaced(&words[w], may_replace + 1);
        if (lacks[w] <= may_replace) score += words[w].points;
        mean += (double)words[w].points / word_count;
    }
    double temperature = HOT * mean;
    for (uint64_t move = 0; move < moves && !done(); move++, temperature *= 1 - COOLING / (double)moves) {
        if (score > *best) {
            *best = score;
            better_solution(letters, (size_t)cells);
        }
        branches++;
        int i = (int)random_below((uint64_t)cells), j = i;
        int64_t gone = letters[i], come;
        if (random_fraction() < SWAPS) {
            j = (int)random_below((uint64_t)cells);
            come = letters[j];
        } else {
            come = (int64_t)random_below((uint64_t)letter_count);
        }
        if (come == gone) continue;
        put(i, come);
        if (j != i) put(j, gone);

        uint32_t spoils = (uint32_t)1 << gone, helps = (uint32_t)1 << come;
        if (j != i) spoils = helps = spoils | helps;
        double better = 0;
        int64_t gain = 0;
        int count = 0;
        for (int w = 0; w < word_count; w++) {
            int before = lacks[w];
            bool may_change = (before < may_replace + 2 && words[w].set & spoils) || (before && words[w].set & helps);
            if (!may_change) continue;
            int after = replaced(&words[w], may_replace + 1);
            if (after == before) continue;
            changed[count] = w;
            now[count++] = after;
            better += (worth[after] - worth[before]) * (double)words[w].points;
            gain += ((after <= may_replace) - (before <= may_replace)) * words[w].points;
        }
        if (better >= 0 || random_fraction() < exponential(better > -700 * temperature ? better / temperature : -700)) {
            for (int k = 0; k < count; k++) lacks[changed[k]] = now[k];
            score += gain;
        } else {
            failures++;
            if (j != i) put(j, come);
            put(i, gone);
        }
    }
}

int main(void) {
    read_words();
    lacks = allocate((size_t)word_count, sizeof *lacks);
    changed = allocate((size_t)word_count, sizeof *changed);
    now = allocate((size_t)word_count, sizeof *now);
    root(cells, cells);
    int64_t best = -1;
    for (uint64_t moves = FIRST_MOVES; !done(); moves *= 2) anneal(moves, &best);
    return finish();
}
