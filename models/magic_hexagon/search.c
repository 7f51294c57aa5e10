/* Magic hexagon by search: propagate, branch, back up.

   The numbers start, start + 1, ... go one into each of the n cells of a hexagon with `order` cells on a
   side, so that all lines in all three directions have the same sum. Value v stands for the number start + v.

       domain      cell -> the values that it can still hold, as a set of bits in `words` machine words
       line        cells that one meets going straight on, and their total; each cell is on three lines
       trail       the words of domains that were changed, to be restored when the search backs up

   Propagation, until nothing changes:
   - a value that a cell holds is removed from all others; one with one cell left is assigned to it;
   - in a line, a cell keeps what the least and the most of the others leave to it;
   - of two corners in order, each keeps what lies on its side of the other.
   With `pairs`, moreover, where two cells of a line are open, each keeps the values that the other can
   complete; and only lines that are stale are looked at, those with a cell whose domain was changed since.

   The search branches on the smallest domain, of several on a corner first, and tries its least value first.

   `loops` propagates like `pairs`, but only at the root. Below it are nested loops over the cells, in an order
   that closes lines early, which is Anton Ertl's idea: the last cell of a line has the rest of its sum, and the
   last but one only values that leave an unused one to the last. A node needs a hundredth of the time.

   Unless numbers are given, only one of each 12 symmetric solutions is searched for: the first corner holds
   less than all others, and the second less than the last. */

#include "../shared/program.h"

typedef uint64_t Word;
enum { BITS = 64 };

typedef struct {
    int *cells, count;
    int64_t total;
} Line;

typedef struct {
    size_t at; /* the index in `domains` */
    Word before;
} Change;

typedef struct {
    int cell, value;
    size_t mark;
} Choice;

static enum { PROPAGATION, PAIRS, LOOPS } formulation;
static int order, n, words;
static Word *domains;            /* cell by cell */
static Word *once, *held, *only; /* sets of values, for all_different() */
static Line *lines;
static int line_count;
static bool *stale;        /* by line */
static int (*lines_of)[3]; /* by cell */
static int *row_start;     /* the first cell of each row */
static int *sequence;      /* all cells, in the order in which equal domains are branched on */
static int in_order[5][2]; /* pairs of corners: the first holds less */
static int in_order_count;
static bool possible; /* whether the sum of a line is a whole number */

static Change *trail;
static size_t trail_length, trail_room;
static bool changed; /* in this round of propagation */

/* Sets of values. */

static Word *domain(int cell) { return domains + (size_t)cell * (size_t)words; }

static int size(const Word *set) {
    int count = 0;
    for (int w = 0; w < words; w++) count += __builtin_popcountll(set[w]);
    return count;
}

/* The first member from `value` on; -1 if there is none. */
static int next(const Word *set, int value) {
    for (int w = value / BITS; w < words; w++) {
        Word rest = w == value / BITS ? set[w] & ~(Word)0 << value % BITS : set[w];
        if (rest) return w * BITS + __builtin_ctzll(rest);
    }
    return -1;
}

static int least(const Word *set) { return next(set, 0); }

static int most(const Word *set) {
    int w = words - 1;
    while (!set[w]) w--;
    return w * BITS + BITS - 1 - __builtin_clzll(set[w]);
}

static bool contains(const Word *set, int64_t value) {
    return value >= 0 && value < n && set[value / BITS] >> value % BITS & 1;
}

/* Whether a set that is not empty has one member. */
static bool single(const Word *set) {
    Word seen = 0;
    for (int w = 0; w < words; w++) {
        if (set[w] && (seen || set[w] & (set[w] - 1))) return false;
        seen |= set[w];
    }
    return true;
}

/* The bits of word w that stand for values from low to high. */
static Word between(int64_t low, int64_t high, int w) {
    int64_t first = (int64_t)w * BITS;
    if (high < first || low >= first + BITS) return 0;
    Word mask = ~(Word)0;
    if (low > first) mask &= mask << (low - first);
    if (high < first + BITS - 1) mask &= ~(Word)0 >> (first + BITS - 1 - high);
    return mask;
}

/* Domains. */

static void set_word(int cell, int w, Word value) {
    size_t at = (size_t)cell * (size_t)words + (size_t)w;
    if (trail_length == trail_room) {
        trail_room = trail_room ? 2 * trail_room : 1024;
        trail = grow(trail, trail_room, sizeof *trail);
    }
    trail[trail_length++] = (Change){at, domains[at]};
    domains[at] = value;
    changed = true;
    for (int axis = 0; axis < 3; axis++) stale[lines_of[cell][axis]] = true;
}

static void undo(size_t mark) {
    while (trail_length > mark) {
        trail_length--;
        domains[trail[trail_length].at] = trail[trail_length].before;
    }
}

/* Restricts a word of a domain; returns what is left of it. */
static Word keep_word(int cell, int w, Word allowed) {
    Word before = domain(cell)[w], kept = before & allowed;
    if (kept != before) {
        propagations += (uint64_t)__builtin_popcountll(before ^ kept);
        set_word(cell, w, kept);
    }
    return kept;
}

/* Restricts a cell to the values from low to high; false if none is left. */
static bool keep_between(int cell, int64_t low, int64_t high) {
    Word left = 0;
    for (int w = 0; w < words; w++) left |= keep_word(cell, w, between(low, high, w));
    return left != 0;
}

static void assign(int cell, int value) {
    for (int w = 0; w < words; w++) {
        Word kept = between(value, value, w);
        if (domain(cell)[w] != kept) set_word(cell, w, kept);
    }
}

/* Propagation. */

/* Each number is placed once: one round; false on a contradiction. */
static bool all_different(void) {
    for (int w = 0; w < words; w++) once[w] = only[w] = held[w] = 0;
    for (int i = 0; i < n; i++) {
        const Word *set = domain(sequence[i]);
        bool decided = single(set);
        for (int w = 0; w < words; w++) {
            if (decided && held[w] & set[w]) return false;
            if (decided) held[w] |= set[w];
            only[w] |= once[w] & set[w];
            once[w] |= set[w];
        }
    }
    /* The values of one cell alone, which is not decided. */
    for (int w = 0; w < words; w++) only[w] = once[w] & ~only[w] & ~held[w];
    for (int i = 0; i < n; i++) {
        const Word *set = domain(sequence[i]);
        if (single(set)) continue;
        bool alone = false;
        for (int w = 0; w < words; w++) alone |= (set[w] & only[w]) != 0;
        Word left = 0;
        for (int w = 0; w < words; w++) left |= keep_word(sequence[i], w, alone ? only[w] : ~held[w]);
        if (!left) return false;
    }
    return size(once) == n;
}

/* A line has its sum: one round on the bounds; false on a contradiction. */
static bool adds_up(const Line *line) {
    int64_t low = 0, high = 0;
    for (int i = 0; i < line->count; i++) {
        const Word *set = domain(line->cells[i]);
        low += least(set);
        high += most(set);
    }
    if (line->total < low || line->total > high) return false;
    for (int i = 0; i < line->count; i++) {
        int cell = line->cells[i];
        const Word *set = domain(cell);
        if (!keep_between(cell, line->total - high + most(set), line->total - low + least(set))) return false;
    }
    return true;
}

/* Restricts a cell to the values that another one completes to a sum; false if none is left. */
static bool completes(int cell, int other, int64_t sum) {
    const Word *set = domain(cell);
    for (int value = least(set); value >= 0; value = next(set, value + 1)) {
        int64_t rest = sum - value;
        if (rest == value || !contains(domain(other), rest))
            keep_word(cell, value / BITS, ~between(value, value, value / BITS));
    }
    return least(set) >= 0;
}

/* If two cells of a line are open, both have what completes the other; false on a contradiction. */
static bool last_two(const Line *line) {
    int open[2], count = 0;
    int64_t rest = line->total;
    for (int i = 0; i < line->count; i++) {
        const Word *set = domain(line->cells[i]);
        if (single(set))
            rest -= least(set);
        else if (count == 2)
            return true;
        else
            open[count++] = line->cells[i];
    }
    return count < 2 || (completes(open[0], open[1], rest) && completes(open[1], open[0], rest));
}

/* One round of all propagation; false on a contradiction. */
static bool narrow(void) {
    /* Each number is placed once. */
    if (!all_different()) return false;
    /* All lines have the same sum. */
    for (int i = 0; i < line_count; i++) {
        if (formulation != PROPAGATION && !stale[i]) continue;
        stale[i] = false;
        if (!adds_up(&lines[i]) || (formulation != PROPAGATION && !last_two(&lines[i]))) return false;
    }
    /* Of 12 symmetric solutions one is left. */
    for (int i = 0; i < in_order_count; i++) {
        int less = in_order[i][0], more = in_order[i][1];
        if (!keep_between(less, 0, most(domain(more)) - 1)) return false;
        if (!keep_between(more, least(domain(less)) + 1, n)) return false;
    }
    return true;
}

/* Repeats rounds of propagation until nothing changes; false on a contradiction. */
static bool fixpoint(void) {
    do {
        changed = false;
        if (!narrow()) {
            /* Nor is any line where the search backs up to. */
            for (int i = 0; i < line_count; i++) stale[i] = false;
            return false;
        }
    } while (changed);
    return true;
}

/* Search. */

/* The first of the smallest domains with several values; -1 if there is none. */
static int smallest(void) {
    int best = -1, best_size = INT_MAX;
    for (int i = 0; i < n && best_size > 2; i++) {
        int count = size(domain(sequence[i]));
        if (count > 1 && count < best_size) {
            best_size = count;
            best = sequence[i];
        }
    }
    return best;
}

static void report(int64_t *values) {
    for (int cell = 0; cell < n; cell++) values[cell] = least(domain(cell));
    solution(values, (size_t)n);
}

/* Reports every solution below the domains as they are. */
static void search(void) {
    Choice *choices = allocate((size_t)n, sizeof *choices);
    int64_t *values = allocate((size_t)n, sizeof *values);
    int depth = 0;
    int cell = smallest();
    if (cell < 0) {
        report(values);
        return;
    }
    choices[0] = (Choice){cell, -1, trail_length};
    while (depth >= 0 && !done()) {
        Choice *choice = &choices[depth];
        undo(choice->mark);
        choice->value = next(domain(choice->cell), choice->value + 1);
        if (choice->value < 0) {
            depth--;
            continue;
        }
        branches++;
        assign(choice->cell, choice->value);
        if (!fixpoint())
            failures++;
        else if ((cell = smallest()) >= 0)
            choices[++depth] = (Choice){cell, -1, trail_length};
        else
            report(values);
    }
}

/* Loops. */

typedef struct {
    int cell, lines[3];
    const Word *domain;
    int closed[3], closed_count; /* lines of which this is the last cell */
    int paired[3], paired_count; /* lines of which one more cell comes later */
    int less[5], less_count;     /* corners before this one that hold less */
    int more[5], more_count;
} Loop;

static Loop *loops;
static Word *unused, *mirrored; /* the values that are not placed; bit words * BITS + n - 1 - v for each v */
static int64_t *value_of;       /* by cell */
static int64_t *rest;           /* of each line: what its open cells add up to */

static void flip(Word *set, unsigned bit) { set[bit / BITS] ^= (Word)1 << bit % BITS; }

/* Moves a value from the unused ones into the cell of a loop, or back. */
static void move(const Loop *loop, int value, int sign) {
    flip(unused, (unsigned)value);
    flip(mirrored, (unsigned)(words * BITS + n - 1 - value));
    for (int axis = 0; axis < 3; axis++) rest[loop->lines[axis]] -= sign * value;
}

/* The values in word w that fit into the cell of a loop. */
static Word fitting(const Loop *loop, int w) {
    Word fits = loop->domain[w] & unused[w];
    for (int i = 0; i < loop->closed_count; i++) {
        uint64_t value = (uint64_t)rest[loop->closed[i]];
        fits &= value / BITS == (uint64_t)w ? (Word)1 << value % BITS : 0;
    }
    for (int i = 0; i < loop->paired_count; i++) {
        uint64_t sum = (uint64_t)rest[loop->paired[i]];
        if (sum > 2 * (uint64_t)(n - 1)) return 0;
        /* Shifted down, bit v of the mirrored set is that of sum - v, which is another value than v. */
        uint64_t down = (uint64_t)((words + w) * BITS + n - 1) - sum;
        const Word *from = mirrored + down / BITS;
        fits &= from[0] >> down % BITS | from[1] << 1 << (BITS - 1 - down % BITS);
        if (sum % 2 == 0 && sum / 2 / BITS == (uint64_t)w) fits &= ~((Word)1 << sum / 2 % BITS);
    }
    for (int i = 0; i < loop->less_count; i++) fits &= between(value_of[loop->less[i]] + 1, n, w);
    for (int i = 0; i < loop->more_count; i++) fits &= between(0, value_of[loop->more[i]] - 1, w);
    return fits;
}

/* Fills the cells of all loops from one on in all ways. */
static void fill(const Loop *loop) {
    if (loop == loops + n) {
        solution(value_of, (size_t)n);
        return;
    }
    uint64_t before = branches;
    for (int w = 0; w < words; w++)
        for (Word fits = fitting(loop, w); fits && !done(); fits &= fits - 1) {
            int value = w * BITS + __builtin_ctzll(fits);
            branches++;
            value_of[loop->cell] = value;
            move(loop, value, 1);
            fill(loop + 1);
            move(loop, value, -1);
        }
    failures += branches == before;
}

/* Next comes a cell of the line with the fewest open cells, of several the one that was begun first. */
static void nest(void) {
    int *open = allocate((size_t)line_count, sizeof *open);
    bool *filled = allocate((size_t)n, sizeof *filled);
    int *begun = allocate((size_t)line_count, sizeof *begun);
    for (int i = 0; i < line_count; i++) {
        open[i] = lines[i].count;
        begun[i] = n;
    }
    for (int k = 0; k < n; k++) {
        Loop *loop = &loops[k];
        int best = -1;
        for (int i = 0; i < n; i++)
            for (int axis = 0; axis < 3 && !filled[sequence[i]]; axis++) {
                int line = lines_of[sequence[i]][axis], more = best < 0 ? -1 : open[line] - open[best];
                if (more > 0 || (more == 0 && begun[line] >= begun[best])) continue;
                best = line;
                loop->cell = sequence[i];
            }
        for (int axis = 0; axis < 3; axis++) {
            int line = loop->lines[axis] = lines_of[loop->cell][axis];
            if (open[line] == 1) loop->closed[loop->closed_count++] = line;
            if (open[line] == 2) loop->paired[loop->paired_count++] = line;
            open[line]--;
            if (begun[line] == n) begun[line] = k;
        }
        for (int i = 0; i < in_order_count; i++) {
            int less = in_order[i][0], more = in_order[i][1];
            if (loop->cell == more && filled[less]) loop->less[loop->less_count++] = less;
            if (loop->cell == less && filled[more]) loop->more[loop->more_count++] = more;
        }
        filled[loop->cell] = true;
        loop->domain = domain(loop->cell);
    }
}

static void search_in_loops(void) {
    loops = allocate((size_t)n, sizeof *loops);
    unused = allocate((size_t)words, sizeof *unused);
    mirrored = allocate(3 * (size_t)words + 1, sizeof *mirrored);
    value_of = allocate((size_t)n, sizeof *value_of);
    rest = allocate((size_t)line_count, sizeof *rest);
    for (int value = 0; value < n; value++) {
        flip(unused, (unsigned)value);
        flip(mirrored, (unsigned)(words * BITS + value));
    }
    for (int i = 0; i < line_count; i++) rest[i] = lines[i].total;
    nest();
    fill(loops);
}

/* The hexagon. A cell has coordinates a + b + c = 0, all three from -(order - 1) to order - 1; a is its row,
   counted from the middle, and the cells of a line share a coordinate. */

static int cell_at(int a, int b) {
    int last = order - 1;
    return row_start[a + last] + b + last + (a < 0 ? a : 0);
}

/* The lines, in the order in which one meets them row by row. */
static void make_lines(void) {
    int last = order - 1, diameter = 2 * order - 1;
    int *number = allocate(3 * (size_t)diameter, sizeof *number); /* of a line, from 1 on */
    lines = allocate(3 * (size_t)diameter, sizeof *lines);
    lines_of = allocate((size_t)n, sizeof *lines_of);
    stale = allocate(3 * (size_t)diameter, sizeof *stale);
    for (int a = -last; a <= last; a++)
        for (int b = -last - (a < 0 ? a : 0); b <= last - (a > 0 ? a : 0); b++) {
            int coordinates[3] = {a, b, -a - b};
            for (int axis = 0; axis < 3; axis++) {
                int *index = &number[axis * diameter + coordinates[axis] + last];
                if (!*index) *index = ++line_count;
                Line *line = &lines[*index - 1];
                if (!line->cells) line->cells = allocate((size_t)diameter, sizeof *line->cells);
                line->cells[line->count++] = cell_at(a, b);
                lines_of[cell_at(a, b)][axis] = *index - 1;
            }
        }
    for (int i = 0; i < line_count; i++) stale[i] = true;
}

/* The corners, in the order in which one walks around. */
static void find_corners(int corners[6]) {
    int a = 1 - order, b = order - 1;
    for (int k = 0; k < 6; k++) {
        corners[k] = cell_at(a, b);
        int next_b = a + b; /* Turned by 60 degrees, (a, b, c) is (-b, -c, -a). */
        a = -b;
        b = next_b;
    }
}

/* Without givens, the first corner holds the least of the six, and the second less than the last. */
static void put_in_order(const int corners[6]) {
    const int ordered[5][2] = {{0, 1}, {1, 5}, {0, 2}, {0, 3}, {0, 4}};
    for (in_order_count = 0; in_order_count < 5; in_order_count++)
        for (int side = 0; side < 2; side++)
            in_order[in_order_count][side] = corners[ordered[in_order_count][side]];
}

/* All cells once: the corners in the order of the seed, then the others. */
static void make_sequence(int corners[6]) {
    bool *placed = allocate((size_t)n, sizeof *placed);
    int *cells = allocate((size_t)n, sizeof *cells), length = 0;
    sequence = allocate((size_t)n, sizeof *sequence);
    for (int cell = 0; cell < n; cell++) cells[cell] = cell;
    shuffle(corners, 6);
    shuffle(cells, n);
    for (int i = 0; i < 6 + n; i++) {
        int cell = i < 6 ? corners[i] : cells[i - 6];
        if (!placed[cell]) sequence[length++] = cell;
        placed[cell] = true;
    }
}

/* Reads the formulation, the order, the least number, and the value that is given for each cell, or -1. */
static void read_hexagon(void) {
    formulation = (int)read_integer("the formulation", PROPAGATION, LOOPS);
    order = (int)read_integer("the order", 1, 1000);
    int diameter = 2 * order - 1;
    n = 3 * order * (order - 1) + 1;
    words = (n + BITS - 1) / BITS;
    int64_t start = read_integer("the least number", -2 * (int64_t)order * n, 2 * (int64_t)order * n);
    row_start = allocate((size_t)diameter, sizeof *row_start);
    for (int row = 1; row < diameter; row++)
        row_start[row] = row_start[row - 1] + diameter - abs(row - order);
    bool any_given = false;
    int *given = allocate((size_t)n, sizeof *given);
    for (int cell = 0; cell < n; cell++) {
        given[cell] = (int)read_integer("a given value", -1, n - 1);
        any_given |= given[cell] >= 0;
    }
    read_end();

    domains = allocate((size_t)n * (size_t)words, sizeof *domains);
    for (int cell = 0; cell < n; cell++)
        for (int w = 0; w < words; w++)
            domain(cell)[w] = given[cell] < 0 ? between(0, n - 1, w) : between(given[cell], given[cell], w);
    once = allocate((size_t)words, sizeof *once);
    held = allocate((size_t)words, sizeof *held);
    only = allocate((size_t)words, sizeof *only);

    int corners[6];
    find_corners(corners);
    if (!any_given && order > 1) put_in_order(corners);
    make_sequence(corners);
    make_lines();
    int64_t all = n * start + (int64_t)n * (n - 1) / 2;
    possible = all % diameter == 0;
    for (int i = 0; i < line_count; i++) lines[i].total = all / diameter - lines[i].count * start;
}

static int undecided(void) {
    int count = 0;
    for (int cell = 0; cell < n; cell++) count += size(domain(cell)) > 1;
    return count;
}

int main(void) {
    read_request();
    read_hexagon();
    bool consistent = possible && fixpoint();
    root(n, undecided());
    if (consistent && formulation == LOOPS)
        search_in_loops();
    else if (consistent)
        search();
    return finish();
}
