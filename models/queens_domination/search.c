/* Queens Domination by branch and bound, as in backtrack.py: with seed 1 branches and failures are the same.

   Branches on the square not yet reached for which the fewest squares are left: a queen stands on one of them,
   first on those that reach most. A square that was tried holds no queen in the branches after it, nor does any
   that a symmetry of the board, the queens so far and the squares left makes of it.

   Bounds: a square not yet reached counts 1/m, where m is the most of such squares that a queen reaching it can
   reach; as many queens are missing as all of them count, rounded up. */

#include "board.h"

enum { NONE = -1, SYMMETRIES = 8 };

static int *image[SYMMETRIES]; /* of each square, by each symmetry of the board */
static int symmetry_count;

static int best;    /* how many queens the best solution so far has */
static int *queens; /* of each depth, the one that is placed there */
static Word *missed, *left; /* of each depth: the squares not yet reached, and those that may hold a queen */
static Word *uncounted;     /* of the missed squares, in a bound */

static int *first_with, *next_with; /* lists of squares by how many they reach */

static Word *of_depth(Word *sets, int depth) { return sets + (size_t)depth * (size_t)words; }

/* Finds the symmetries of the board. */
static void find_symmetries(void) {
    for (int turn = 0; turn < SYMMETRIES; turn++) {
        int *of = allocate((size_t)square_count, sizeof *of);
        bool is_symmetry = true;
        for (int square = 0; square < square_count && is_symmetry; square++) {
            int row = cell_of[square] / width, column = cell_of[square] % width;
            if (turn & 1) row = height - 1 - row;
            if (turn & 2) column = width - 1 - column;
            if (turn & 4) {
                int swapped = row;
                row = column;
                column = swapped;
            }
            is_symmetry = row < height && column < width;
            if (is_symmetry) of[square] = number_of[row * width + column];
            is_symmetry = is_symmetry && of[square] >= 0;
        }
        if (is_symmetry)
            image[symmetry_count++] = of;
        else
            free(of);
    }
}

/* Lists the squares of a set by how many of another set they reach; returns the most that one reaches. */
static int list_by_reach(const Word *set, const Word *others, bool ascending) {
    int most = 0;
    for (int count = 0; count <= square_count; count++) first_with[count] = NONE;
    for (int k = 0; k < square_count; k++) {
        const int square = ascending ? square_count - 1 - k : k; /* the last one is the first in its list */
        if (!has(set, square)) continue;
        const int count = common(reached_from(square), others);
        next_with[square] = first_with[count];
        first_with[count] = square;
        if (count > most) most = count;
    }
    return most;
}

/* How many queens a solution below a node has at least; `best` if it can have none. */
static int bound_of(int depth) {
    int rest = common(of_depth(missed, depth), everywhere);
    double needed = 0;
    copy(uncounted, of_depth(missed, depth));
    for (int number = list_by_reach(of_depth(left, depth), uncounted, false); number && rest; number--)
        for (int square = first_with[number]; square != NONE && rest; square = next_with[square]) {
            const int counted = common(reached_from(square), uncounted);
            needed += (double)counted / number;
            rest -= counted;
            subtract(uncounted, reached_from(square));
        }
    if (rest) return best;
    needed -= 1e-6; /* The sum of fractions may be too large by rounding. */
    return depth + (int)needed + (needed > (int)needed);
}

/* A missed square that the fewest squares reach which are left. */
static int target_of(int depth) {
    int target = NONE, fewest = square_count + 1;
    for (int square = 0; square < square_count; square++) {
        if (!has(of_depth(missed, depth), square)) continue;
        const int count = common(reached_from(square), of_depth(left, depth));
        if (count < fewest) {
            fewest = count;
            target = square;
        }
    }
    return target;
}

/* Reports every better solution below a node, whose symmetries are a set. */
static void branch(int depth, unsigned symmetries) {
    Word *may = of_depth(left, depth), *missing = of_depth(missed, depth);
    const int target = target_of(depth);
    if (target == NONE) {
        best = depth;
        report(queens, depth);
        return;
    }
    int *options = allocate((size_t)square_count, sizeof *options), count = 0;
    for (int number = list_by_reach(may, missing, true); number; number--)
        for (int square = first_with[number]; square != NONE; square = next_with[square])
            if (has(reached_from(target), square)) options[count++] = square;
    for (int k = 0; k < count && !done(); k++) {
        const int square = queens[depth] = options[k];
        if (!has(may, square)) continue;
        branches++;
        drop(may, square);
        copy(of_depth(left, depth + 1), may);
        copy(of_depth(missed, depth + 1), missing);
        subtract(of_depth(missed, depth + 1), reached_from(square));
        unsigned kept = 0;
        for (int s = 0; s < symmetry_count; s++)
            if (symmetries >> s & 1 && image[s][square] == square) kept |= 1u << s;
        if (bound_of(depth + 1) < best)
            branch(depth + 1, kept);
        else
            failures++;
        for (int s = 0; s < symmetry_count; s++)
            if (symmetries >> s & 1) drop(may, image[s][square]);
    }
    free(options);
}

int main(void) {
    read_board();
    find_symmetries();
    const size_t squares = (size_t)square_count;
    queens = allocate(squares + 1, sizeof *queens);
    first_with = allocate(squares + 1, sizeof *first_with);
    next_with = allocate(squares, sizeof *next_with);
    uncounted = allocate_sets(1);
    missed = allocate_sets(square_count + 1);
    left = allocate_sets(square_count + 1);
    copy(missed, everywhere);
    copy(left, everywhere);
    best = square_count + 1;
    root(square_count, square_count);
    bound(bound_of(0));
    branch(0, (1u << symmetry_count) - 1);
    return finish();
}
