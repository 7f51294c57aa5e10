/* Golomb ruler by shifts: marks from left to right, the shortest rulers of 2, 3, ... marks one after the other.

   native.py describes the input, backtrack.py the search. At each mark three sets are known, as bits:

       back         distances to the marks before it, with 0
       used         distances that are forbidden, or between two marks
       blocked      gaps that cannot be next

   A set has as many words as the length that the next ruler may have needs. */

#include "../shared/program.h"

#include <string.h>

enum { MOST_MARKS = 30, LONGEST = 1000, BITS = 64 };

typedef struct {
    uint64_t *back, *used, *blocked;
} Sets;

static int m;
static int size;              /* of the rulers that are sought */
static int most;              /* the length that the next one may have */
static int words;             /* of a set */
static int span[MOST_MARKS];  /* what so many gaps span at least */
static int marks[MOST_MARKS];
static Sets sets[MOST_MARKS]; /* at each mark */
static int *gaps;             /* those to try at each mark, in rows */
static int row;                /* of these, room for all gaps */
static bool some;

static void set_most(int length) {
    most = length;
    words = length / BITS + 1;
}

/* The last place of the next mark with which a ruler can be short enough; 0 if there is none. */
static int farthest(int number) {
    int total = marks[number - 1], left = size - number;
    for (int w = 0; w < words && left; w++)
        for (uint64_t unused = ~sets[number - 1].used[w] & ~(uint64_t)(w ? 0 : 1); unused && left; unused &= unused - 1) {
            total += w * BITS + __builtin_ctzll(unused);
            left--;
        }
    if (left || total > most) return 0;
    int low = (size - 1) / 2, high = size / 2, place = most - span[size - 1 - number];
    int other = number <= low    ? (most - span[low - number] - span[high - number]) / 2
                : number == high ? most - marks[low]
                                 : place;
    return other < place ? other : place;
}

/* The least gap, above another, that is not blocked and within a limit; 0 if there is none. */
static int next_gap(const uint64_t *blocked, int above, int limit) {
    for (int bit = above + 1; bit <= limit; bit = (bit / BITS + 1) * BITS) {
        uint64_t free_bits = ~blocked[bit / BITS] >> bit % BITS;
        if (free_bits) {
            bit += __builtin_ctzll(free_bits);
            return bit <= limit ? bit : 0;
        }
    }
    return 0;
}

/* The sets at the next mark. */
static void place(int number, int gap) {
    const Sets *from = &sets[number - 1], *to = &sets[number];
    int whole = gap / BITS, part = gap % BITS;
    for (int w = 0; w < words; w++) {
        uint64_t added = 0, blocked = 0;
        if (w >= whole) added = from->back[w - whole] << part;
        if (part && w > whole) added |= from->back[w - whole - 1] >> (BITS - part);
        if (w + whole < words) blocked = from->blocked[w + whole] >> part;
        if (part && w + whole + 1 < words) blocked |= from->blocked[w + whole + 1] << (BITS - part);
        to->used[w] = from->used[w] | added;
        to->blocked[w] = blocked | to->used[w];
        to->back[w] = added;
    }
    to->back[0] |= 1;
    marks[number] = marks[number - 1] + gap;
}

static void report(void) {
    some = true;
    set_most(marks[size - 1] - 1);
    if (size < m) return;
    int64_t values[MOST_MARKS];
    for (int i = 0; i < m; i++) values[i] = marks[i];
    better_solution(values, (size_t)m);
}

/* Tries each next mark where some are placed; whether there was one. */
static bool search(int number) {
    if (number == size) {
        report();
        return true;
    }
    const uint64_t *blocked = sets[number - 1].blocked;
    int *tried = gaps + number * row, count = 0, last = marks[number - 1];
    int limit = farthest(number) - last;
    for (int gap = 0; (gap = next_gap(blocked, gap, limit));) tried[count++] = gap;
    shuffle(tried, count);
    for (int k = 0; k < count && !interrupted; k++) {
        /* A shorter ruler may have been found since. */
        if (tried[k] > farthest(number) - last) continue;
        place(number, tried[k]);
        branches++;
        if (!search(number + 1)) failures++;
    }
    return count > 0;
}

int main(void) {
    read_request();
    m = (int)read_integer("the number of marks", 2, MOST_MARKS);
    int longest = (int)read_integer("the last place", 1, LONGEST);
    set_most(longest);
    size_t room = (size_t)words;
    row = longest + 1;
    gaps = allocate((size_t)(m * row), sizeof *gaps);
    for (int i = 0; i < m; i++)
        sets[i] = (Sets){allocate(room, BITS / 8), allocate(room, BITS / 8), allocate(room, BITS / 8)};
    bool *forbidden = allocate(LONGEST + 1, sizeof *forbidden);
    for (int count = (int)read_integer("the number of forbidden distances", 0, LONGEST); count; count--)
        forbidden[read_integer("a forbidden distance", 1, LONGEST)] = true;
    read_end();

    for (int v = 1; v <= longest; v++)
        if (forbidden[v]) sets[0].used[v / BITS] |= sets[0].blocked[v / BITS] |= (uint64_t)1 << v % BITS;
    sets[0].back[0] = 1;
    for (int number = 1, v = 1; number < m; v++)
        if (v > LONGEST || !forbidden[v]) {
            span[number] = span[number - 1] + v;
            number++;
        }
    root(m, m - 1);
    for (size = 2; size <= m && !interrupted; size++) {
        int lower = 0;
        for (int i = 0; i < m; i++)
            if (span[i] + span[m - 1 - i] > lower) lower = span[i] + span[m - 1 - i];
        bound(lower);
        set_most(longest);
        some = false;
        search(1);
        if (!some) break;
        span[size - 1] = most + 1;
    }
    return finish();
}
