/* Queens Domination by tabu search, as in local.py; it never ends: no queen at all is tried last.

   The number of queens is fixed: one fewer than in the best solution so far. A move brings a queen to where it
   reaches one of the missed squares, drawn at random; of all such moves it is one that leaves the fewest missed.
   The square that was left is forbidden for some moves, and the queen stays for some, unless fewer are missed
   then than ever since queens were placed. After many moves without that, they are placed anew. */

#include "board.h"

enum { TENURE = 4, PATIENCE = 50 }; /* in moves, and in moves for each queen */

static int *queens, count;
static Word *missed, *once; /* the squares that no queen reaches, and those that one does */

static int random_int(int n) { return (int)random_below((uint64_t)n); }

/* A random member of a set that is not empty. */
static int random_member(const Word *set) {
    int rest = random_int(common(set, everywhere)), square = 0;
    while (!has(set, square) || rest--) square++;
    return square;
}

/* Whether the queens reach all squares: sets those that they miss, and those that one of them alone reaches. */
static bool complete(void) {
    memset(once, 0, (size_t)words * sizeof *once);
    copy(missed, everywhere);
    for (int k = 0; k < count; k++)
        for (int w = 0; w < words; w++) {
            const Word reached = reached_from(queens[k])[w];
            once[w] = (once[w] & ~reached) | (missed[w] & reached);
            missed[w] &= ~reached;
        }
    return is_empty(missed);
}

/* Places queens, each so that it reaches a random missed square and the most of the others. */
static void place(int most) {
    for (count = 0; !complete() && count < most; count++) {
        const Word *options = reached_from(random_member(missed));
        int best = 0, ties = 0;
        for (int square = 0; square < square_count; square++) {
            if (!has(options, square)) continue;
            const int reached = common(reached_from(square), missed);
            if (reached > best) ties = 0, best = reached;
            if (reached == best && random_int(++ties) == 0) queens[count] = square;
        }
    }
}

int main(void) {
    read_board();
    queens = allocate((size_t)square_count, sizeof *queens);
    missed = allocate_sets(1);
    once = allocate_sets(1);
    Word *without = allocate_sets(1);
    int64_t *free_at = allocate((size_t)square_count, sizeof *free_at), now = 0; /* in moves */
    root(square_count, square_count);
    place(square_count);
    report(queens, count);
    for (int wanted_count = count - 1; !interrupted; wanted_count = count - 1) {
        int64_t until = now;
        int fewest = square_count;
        while (!interrupted) {
            if (now >= until) {
                place(wanted_count);
                fewest = square_count;
                memset(free_at, 0, (size_t)square_count * sizeof *free_at);
            }
            if (complete()) {
                report(queens, count);
                break;
            }
            const int missing = common(missed, missed);
            if (missing < fewest) {
                fewest = missing;
                until = now + PATIENCE * count;
            }
            now++;
            branches++;
            const Word *options = reached_from(random_member(missed));
            int least = square_count, ties = 0, from = 0, to = 0;
            for (int k = 0; k < count; k++) {
                for (int w = 0; w < words; w++) without[w] = missed[w] | (once[w] & reached_from(queens[k])[w]);
                const int size = common(without, without);
                const bool stays = free_at[queens[k]] > now;
                for (int square = 0; square < square_count; square++) {
                    if (!has(options, square)) continue;
                    const int rest = size - common(reached_from(square), without);
                    if (rest > least || (rest >= fewest && (stays || free_at[square] > now))) continue;
                    if (rest < least) ties = 0, least = rest;
                    if (random_int(++ties)) continue;
                    from = k;
                    to = square;
                }
            }
            if (!ties) continue;
            free_at[queens[from]] = now + 2 + random_int(TENURE);
            free_at[to] = now + 2 + random_int(TENURE);
            queens[from] = to;
        }
    }
    return finish();
}
