/* Altered States by branch and bound: letters for one cell after the other; native.py describes the input.

       open         a cell without a letter. Where a walk is looked for, it holds any letter
       missing      letters of a word that no cell holds. Of k open cells at most k such letters come
       share        an m-th of the points of a word that lacks m letters, for each of them: all such words score
                    at most what the k letters with the most shares have. If a letter may be replaced, a word
                    needs but m - 1 of them

   Only letters of words that can still be read are tried, those with the best bounds first. The grid can be turned
   and reflected: so the first corner has the least letter of all corners, and the second less than the third. */

#include "walks.h"

#include <string.h>

typedef struct {
    int letter, count;
    int *left; /* the words that can still be read, so many */
    int64_t bound;
} Child;

static int order[MOST_CELLS];
static int64_t letters[MOST_CELLS];
static Child *children[MOST_CELLS]; /* of the node at each depth */
static int64_t best = -1;

/* The cells up to a place have letters: which of so many words can be read then, and the bound. */
static void look_at(Child *child, int place, const int *before, int count) {
    int64_t sure = 0, all = 0, shares[LETTERS] = {0};
    uint32_t present = 0;
    int open = cells - place - 1;
    for (int k = 0; k <= place; k++) present |= (uint32_t)1 << letters[order[k]];
    child->count = 0;
    for (int k = 0; k < count; k++) {
        const Word *word = &words[before[k]];
        uint32_t missing = word->set & ~present;
        int needed = __builtin_popcount(missing) - may_replace;
        if (needed > open || replaced(word, may_replace) > may_replace) continue;
        child->left[child->count++] = before[k];
        all += word->points;
        if (needed <= 0) sure += word->points;
        for (int a = 0; a < letter_count && needed > 0; a++)
            if (missing >> a & 1) shares[a] += (word->points + needed - 1) / needed;
    }
    for (int k = 0; k < open && k < letter_count; k++) {
        int most = 0;
        for (int a = 1; a < letter_count; a++)
            if (shares[a] > shares[most]) most = a;
        sure += shares[most];
        shares[most] = 0;
    }
    child->bound = sure < all ? sure : all;
}

/* Puts a letter into the cell at a place of the order, of which it is known that it is open; or takes it away. */
static void put(int place, int letter) {
    uint64_t cell = bit(order[place]);
    for (int a = 0; a < letter_count; a++) holds[a] &= ~cell;
    holds[letter] |= cell;
    letters[order[place]] = letter;
}

static void take(int place) {
    for (int a = 0; a < letter_count; a++) holds[a] |= bit(order[place]);
}

/* Searches where the cells before a place have letters, and these words can be read. */
static void search(int place, const int *left, int count) {
    if (place == cells) {
        best = 0;
        for (int k = 0; k < count; k++) best += words[left[k]].points;
        better_solution(letters, (size_t)cells);
        return;
    }
    uint32_t useful = 0;
    for (int k = 0; k < count; k++) useful |= words[left[k]].set;
    int tried[LETTERS], tries = 0;
    int64_t least = place < 1 || place > 3 ? 0 : letters[order[place < 3 ? 0 : 2]];
    for (int a = 0; a < letter_count; a++)
        if (useful >> a & 1) tried[tries++] = a;
    shuffle(tried, tries);
    int kept = 0;
    Child *of = children[place];
    for (int k = 0; k < tries || kept == 0; k++) {
        int letter = k < tries ? tried[k] : letter_count - 1; /* if none is of use, the last may stand in any corner */
        if (letter < least) continue;
        put(place, letter);
        of[kept].letter = letter;
        look_at(&of[kept], place, left, count);
        take(place);
        /* Those with the best bounds come first. */
        Child child = of[kept];
        int at = kept++;
        for (; at > 0 && of[at - 1].bound < child.bound; at--) of[at] = of[at - 1];
        of[at] = child;
    }
    for (int k = 0; k < kept && !done(); k++) {
        branches++;
        if (of[k].bound <= best) {
            failures++;
            continue;
        }
        put(place, of[k].letter);
        search(place + 1, of[k].left, of[k].count);
        take(place);
    }
}

int main(void) {
    read_words();
    int last = n - 1, corners[] = {0, n * n - 1, last, n * last}, count = 0;
    for (; count < 4; count++) order[count] = corners[count];
    for (int cell = 0; cell < cells; cell++)
        if (cell != corners[0] && cell != corners[1] && cell != corners[2] && cell != corners[3]) order[count++] = cell;
    int *all = allocate((size_t)word_count, sizeof *all);
    for (int w = 0; w < word_count; w++) all[w] = w;
    for (int place = 0; place < cells; place++) {
        children[place] = allocate(LETTERS, sizeof(Child));
        for (int a = 0; a < LETTERS; a++) children[place][a].left = allocate((size_t)word_count, sizeof(int));
    }
    for (int a = 0; a < letter_count; a++) holds[a] = grid;
    Child start = {.left = allocate((size_t)word_count, sizeof(int))};
    look_at(&start, -1, all, word_count);
    bound(start.bound);
    root(cells, cells);
    search(0, start.left, start.count);
    return finish();
}
