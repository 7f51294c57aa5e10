/* Knight Moves by search: propagate, branch on the number with the fewest places, back up.

   A knight makes moves on a board and visits no cell twice; the t-th cell that it visits has the number t, up
   to T, with least <= T <= greatest. The clues are listed in puzzle.py.

       places(t)   t = 1..last -> the cells where t can still be, as a set of bits; one more bit, `end`, which
                   only places(t) for t > least has, stands for t > T

   Propagation, until nothing changes:
   - from each number to the next there is a knight's move, or the end; after the end there is only the end;
   - a cell where a number must be has no other number;
   - a number goes to the cell that must be visited and has no other number left. Such a cell has a number
     already; or it is turned onto one that must be visited, by the clue `rotation`; or there are only as many
     cells as numbers. Where one of four cells that are turned onto each other cannot be visited, none is;
   - the number that is first seen from an end of a line is in that line, no cell before its first place is
     visited, and it is not behind a cell that must be;
   - in a line or region with a sum, t is inside or outside only if the numbers before it and those behind it
     can complete the sum, and the greatest numbers that its cells can have must reach it. Its number of visits
     is a sum with weights 1. No two numbers in succession are in the same line.

   What equal lines or regions have in common depends on T: there each T is searched by itself. The search
   tries those cells first from which the fewest moves are left (Warnsdorff's rule).

   A bit of a set of cells is row * (side + 2) + column: with two to spare, a set is moved by shifts. */

#include "../shared/program.h"

#include <string.h>

typedef uint64_t Word;
enum { BITS = 64, INSIDE = 1, OUTSIDE = 2 };

/* Cells whose numbers, or visits, add up to a total. */
typedef struct {
    Word *cells;
    bool weighted;          /* by the numbers; else each visit counts 1 */
    bool apart;             /* whether there is no knight's move inside */
    int64_t given;          /* the total, or -1 if it is the same in each of so many parts */
    int parts;
    int64_t total;          /* for the `last` of the search */
    unsigned char *settled; /* by number: whether it was found to go INSIDE, OUTSIDE, or both */
} Group;

/* A number that is seen first along the bits of a line. */
typedef struct {
    int number, *cells;
} Seen;

/* The paths of some lengths, and the places of their numbers after propagation at the root. */
typedef struct {
    int last;
    Word *x;
    bool consistent;
} Search;

/* A number that the search branches on: its places, in the order in which they are tried. */
typedef struct {
    int number, *places, count, next;
} Choice;

static int side, width, end, words;
static int fewest, greatest; /* the bounds of T; the first is at least the greatest number of a clue */
static int last;             /* the greatest T of the search */
static Word *x;              /* the places of each number, from number 0 on */
static bool *stale;          /* by number: whether its places were changed */
static int first_stale;      /* no number below it is stale */
static Word *board, **rows, **columns;
static Word *possible, *must;                                 /* cells that can, and must, be visited */
static Word *near, *far, *reached, *some, *several, *decided; /* work space */

static Group *groups;
static int group_count;
static Seen *seen;
static int seen_count;
static Word **orbits;
static int orbit_count;

static unsigned char *can; /* by number: whether it can be INSIDE a group, OUTSIDE, or both */
static Word *sums;         /* by number: the sets of sums up to it if it is outside, and if it is inside */
static Word *completes;    /* two sets of sums that a number completes, and room for the next two */

/* Sets of bits. */

static Word *new_set(void) { return allocate((size_t)words, sizeof(Word)); }

static void clear(Word *set) { memset(set, 0, (size_t)words * sizeof *set); }

static void add(Word *set, int bit) { set[bit / BITS] |= (Word)1 << bit % BITS; }

static void drop(Word *set, int bit) { set[bit / BITS] &= ~((Word)1 << bit % BITS); }

static bool contains(const Word *set, int bit) { return set[bit / BITS] >> bit % BITS & 1; }

static bool intersect(const Word *set, const Word *other) {
    for (int w = 0; w < words; w++)
        if (set[w] & other[w]) return true;
    return false;
}

/* Whether some member of a set is not in the other. */
static bool exceeds(const Word *set, const Word *other) {
    for (int w = 0; w < words; w++)
        if (set[w] & ~other[w]) return true;
    return false;
}

static int size(const Word *set) {
    int count = 0;
    for (int w = 0; w < words; w++) count += __builtin_popcountll(set[w]);
    return count;
}

/* The first member of a set that is not empty. */
static int first_member(const Word *set) {
    int w = 0;
    while (!set[w]) w++;
    return w * BITS + __builtin_ctzll(set[w]);
}

/* Adds to `to` the members of `from`, each more by so many, below length * BITS. */
static void add_more(Word *to, const Word *from, int64_t by, int64_t length) {
    int64_t whole = by / BITS;
    int part = (int)(by % BITS);
    for (int64_t w = whole; w < length; w++) {
        to[w] |= from[w - whole] << part;
        if (part && w > whole) to[w] |= from[w - whole - 1] >> (BITS - part);
    }
}

/* Adds to `to` the members of `from`, each less by so many. */
static void add_less(Word *to, const Word *from, int64_t by, int64_t length) {
    int64_t whole = by / BITS;
    int part = (int)(by % BITS);
    for (int64_t w = 0; w + whole < length; w++) {
        to[w] |= from[w + whole] >> part;
        if (part && w + whole + 1 < length) to[w] |= from[w + whole + 1] << (BITS - part);
    }
}

/* The cells that are a knight's move away from some cell of a set, in `reached`. */
static void find_moves(const Word *cells) {
    clear(near);
    clear(far);
    for (int w = 0; w < words; w++) reached[w] = cells[w] & board[w];
    add_more(near, reached, 1, words);
    add_less(near, reached, 1, words);
    add_more(far, reached, 2, words);
    add_less(far, reached, 2, words);
    clear(reached);
    add_more(reached, near, 2 * width, words);
    add_less(reached, near, 2 * width, words);
    add_more(reached, far, width, words);
    add_less(reached, far, width, words);
    for (int w = 0; w < words; w++) reached[w] &= board[w];
}

/* Places. */

static Word *places(int t) { return x + (size_t)t * (size_t)words; }

static void mark(int t) {
    stale[t] = true;
    if (t < first_stale) first_stale = t;
}

/* Restricts a number to the allowed places, or with flip = ~0 to all others; false if none is left. */
static bool keep(int t, const Word *allowed, Word flip) {
    Word *here = places(t), left = 0;
    int removed = 0;
    for (int w = 0; w < words; w++) {
        Word kept = here[w] & (allowed[w] ^ flip);
        removed += __builtin_popcountll(here[w] ^ kept);
        left |= here[w] = kept;
    }
    if (removed) mark(t);
    propagations += (uint64_t)removed;
    return left != 0;
}

/* Removes cells from the places of all numbers but one; false if one has no place left. */
static bool empty(const Word *cells, int number) {
    for (int t = 1; t <= last; t++)
        if (t != number && intersect(places(t), cells) && !keep(t, cells, ~(Word)0)) return false;
    return true;
}

/* Propagation. */

/* The moves, and that no cell is visited twice, from all stale numbers; false on a contradiction. */
static bool moved(void) {
    while (first_stale <= last) {
        int t = first_stale++;
        if (!stale[t]) continue;
        stale[t] = false;
        find_moves(places(t));
        bool may_end = contains(places(t), end);
        /* A cell has one number. */
        if (!may_end && size(places(t)) == 1 && !empty(places(t), t)) return false;
        /* From each number to the next there is a knight's move; after the end there is only the end. */
        add(reached, end);
        if (t < last && !keep(t + 1, reached, 0)) return false;
        if (may_end || t == 1) continue;
        drop(reached, end);
        if (!keep(t - 1, reached, 0)) return false;
    }
    return true;
}

/* Which cells must, and which can, be visited; false on a contradiction. */
static bool visited(void) {
    int needed = 0;
    clear(some);
    clear(several);
    clear(decided);
    for (int t = 1; t <= last; t++) {
        const Word *here = places(t);
        bool single = size(here) == 1;
        for (int w = 0; w < words; w++) {
            several[w] |= some[w] & here[w];
            some[w] |= here[w];
            if (single) decided[w] |= here[w];
        }
        needed += !contains(here, end);
    }
    for (int w = 0; w < words; w++) {
        possible[w] = some[w] & board[w];
        must[w] = decided[w] & board[w];
    }
    /* The visited cells are the same after a quarter turn. */
    for (int k = 0; k < orbit_count; k++) {
        if (exceeds(orbits[k], some)) {
            if (intersect(orbits[k], must) || !empty(orbits[k], 0)) return false;
        } else if (intersect(orbits[k], must))
            for (int w = 0; w < words; w++) must[w] |= orbits[k][w];
    }
    /* There is a cell for each number. */
    int count = size(possible);
    if (count < needed) return false;
    if (count == needed) memcpy(must, possible, (size_t)words * sizeof *must);
    Word *only = several;
    for (int w = 0; w < words; w++) only[w] = must[w] & ~several[w] & ~decided[w];
    for (int t = 1; t <= last; t++)
        if (intersect(places(t), only) && !keep(t, only, 0)) return false;
    return true;
}

/* The numbers that are seen from the ends of lines; false on a contradiction. */
static bool first_seen(void) {
    Word *line = some;
    for (int k = 0; k < seen_count; k++) {
        int number = seen[k].number, i;
        const int *cells = seen[k].cells;
        clear(line);
        for (i = 0; i < side; i++) {
            add(line, cells[i]);
            if (contains(must, cells[i])) break;
        }
        if (!keep(number, line, 0)) return false;
        clear(line);
        for (i = 0; !contains(places(number), cells[i]); i++) add(line, cells[i]);
        if (!empty(line, 0)) return false;
    }
    return true;
}

/* Whether two sets of sums have one in common. */
static bool meet(const Word *set, const Word *other, int64_t length) {
    for (int64_t w = 0; w < length; w++)
        if (set[w] & other[w]) return true;
    return false;
}

static void join(Word *to, const Word *from, int64_t length) {
    for (int64_t w = 0; w < length; w++) to[w] |= from[w];
}

static int64_t weight(const Group *group, int t) { return group->weighted ? t : 1; }

static int64_t sum_of_weights(const Group *group) {
    return group->weighted ? (int64_t)last * (last + 1) / 2 : last;
}

/* In `sums`: those of the numbers up to t, if t is outside and if it is inside. */
#define OUT(t) (sums + 2 * (size_t)(t) * (size_t)length)
#define IN(t) (OUT(t) + length)

/* What numbers go inside a group, and outside, in some choice with its total. */
static void find_supported(const Group *group, unsigned char *found_to) {
    memset(found_to, 0, (size_t)last + 1);
    if (group->total > sum_of_weights(group)) return;
    int64_t length = group->total / BITS + 1;
    size_t bytes = (size_t)length * sizeof(Word);
    Word top = ~(Word)0 >> (BITS - 1 - group->total % BITS);
    /* The sums of the numbers up to t, if t is outside and if it is inside. */
    memset(OUT(0), 0, 2 * bytes);
    *OUT(0) = 1;
    for (int t = 1; t <= last; t++) {
        memset(OUT(t), 0, 2 * bytes);
        if (can[t] & OUTSIDE) {
            join(OUT(t), OUT(t - 1), length);
            join(OUT(t), IN(t - 1), length);
        }
        if (can[t] & INSIDE) {
            add_more(IN(t), OUT(t - 1), weight(group, t), length);
            if (!group->apart) add_more(IN(t), IN(t - 1), weight(group, t), length);
            IN(t)[length - 1] &= top;
        }
    }
    /* The sums up to t that those behind t complete, if t is outside and if it is inside. */
    Word *without = completes, *within = without + length, *stays = within + length, *enters = stays + length;
    memset(without, 0, 2 * bytes);
    without[length - 1] = within[length - 1] = (Word)1 << group->total % BITS;
    for (int t = last; t > 0; t--) {
        memset(stays, 0, 2 * bytes);
        if (can[t] & OUTSIDE) join(stays, without, length);
        if (can[t] & INSIDE) add_less(enters, within, weight(group, t), length);
        if (meet(OUT(t - 1), stays, length) || meet(IN(t - 1), stays, length)) found_to[t] |= OUTSIDE;
        if (meet(OUT(t - 1), enters, length) || (!group->apart && meet(IN(t - 1), enters, length)))
            found_to[t] |= INSIDE;
        memcpy(without, stays, bytes);
        join(without, enters, length);
        memcpy(within, group->apart ? stays : without, bytes);
    }
}

/* Whether the greatest numbers that the cells of a group can have reach its total. */
static bool reaches(const Group *group) {
    int64_t sum = 0;
    clear(some);
    for (int t = last; t > 0; t--)
        for (int w = 0; w < words; w++) {
            Word new = places(t)[w] & group->cells[w] & ~some[w];
            sum += weight(group, t) * __builtin_popcountll(new);
            some[w] |= new;
        }
    return sum >= group->total;
}

/* The sums and visits of groups; false on a contradiction. */
static bool summed(void) {
    for (int k = 0; k < group_count; k++)
        if (!reaches(&groups[k])) return false;
    for (int k = 0; k < group_count; k++) {
        Group *group = &groups[k];
        for (int t = 1; t <= last; t++)
            can[t] = (intersect(places(t), group->cells) ? INSIDE : 0) |
                     (exceeds(places(t), group->cells) ? OUTSIDE : 0);
        if (!memcmp(can, group->settled, (size_t)last + 1)) continue;
        find_supported(group, group->settled);
        for (int t = 1; t <= last; t++)
            if (can[t] & ~group->settled[t] & INSIDE && !keep(t, group->cells, ~(Word)0)) return false;
        for (int t = 1; t <= last; t++)
            if (can[t] & ~group->settled[t] & OUTSIDE && !keep(t, group->cells, 0)) return false;
    }
    return true;
}

/* Repeats rounds of propagation until nothing changes; false on a contradiction. */
static bool propagate(void) {
    while (first_stale <= last) {
        if (!moved() || !visited() || !first_seen() || !summed()) {
            memset(stale, 0, (size_t)last + 1);
            first_stale = last + 1;
            return false;
        }
    }
    return true;
}

/* Search. */

/* Chooses the first of the numbers with the fewest places; false if all have one. */
static bool choose(Choice *choice) {
    int count = INT_MAX;
    for (int t = 1; t <= last; t++) {
        int places_left = size(places(t));
        if (places_left > 1 && places_left < count) {
            count = places_left;
            choice->number = t;
        }
    }
    if (count == INT_MAX) return false;
    choice->next = choice->count = 0;
    choice->places = grow(choice->places, (size_t)count, sizeof *choice->places);
    const Word *here = places(choice->number);
    for (int bit = 0; bit <= end; bit++)
        if (contains(here, bit)) choice->places[choice->count++] = bit;
    shuffle(choice->places, choice->count);
    /* Those first from which the fewest moves are left; equal ones stay as they are. */
    int *moves_left = allocate((size_t)count, sizeof *moves_left);
    for (int k = 0; k < count; k++) {
        int place = choice->places[k], at = k;
        clear(some);
        add(some, place);
        find_moves(some);
        for (int w = 0; w < words; w++) reached[w] &= possible[w];
        int left = size(reached);
        for (; at > 0 && moves_left[at - 1] > left; at--) {
            moves_left[at] = moves_left[at - 1];
            choice->places[at] = choice->places[at - 1];
        }
        moves_left[at] = left;
        choice->places[at] = place;
    }
    free(moves_left);
    return true;
}

static void report(int64_t *values) {
    for (int cell = 0; cell < side * side; cell++) values[cell] = 0;
    for (int t = 1; t <= last; t++) {
        int bit = first_member(places(t));
        if (bit != end) values[bit / width * side + bit % width] = t;
    }
    solution(values, (size_t)side * (size_t)side);
}

/* Searches from now on for the paths of some lengths. */
static void enter(const Search *search) {
    last = search->last;
    x = search->x;
    for (int k = 0; k < group_count; k++) {
        Group *group = &groups[k];
        group->total = group->given >= 0 ? group->given : sum_of_weights(group) / group->parts;
        memset(group->settled, 0, (size_t)last + 1);
    }
    memset(stale, 0, (size_t)last + 1);
    first_stale = last + 1;
}

/* Reports every solution below the places as they are; each depth has its own. Where there are several searches,
   one that propagation has decided is a node by itself. */
static void branch(int64_t *values, bool several_searches) {
    size_t count = ((size_t)last + 1) * (size_t)words;
    Word **below = allocate((size_t)last + 1, sizeof *below);
    Choice *choices = allocate((size_t)last + 1, sizeof *choices);
    below[0] = x;
    int depth = choose(&choices[0]) ? 0 : -1;
    if (depth < 0) {
        branches += several_searches;
        report(values);
    }
    while (depth >= 0 && !done()) {
        Choice *choice = &choices[depth];
        if (choice->next == choice->count) {
            depth--;
            continue;
        }
        if (!below[depth + 1]) below[depth + 1] = allocate(count, sizeof(Word));
        x = below[depth + 1];
        memcpy(x, below[depth], count * sizeof *x);
        branches++;
        clear(places(choice->number));
        add(places(choice->number), choice->places[choice->next++]);
        mark(choice->number);
        if (!propagate())
            failures++;
        else if (choose(&choices[depth + 1]))
            depth++;
        else
            report(values);
    }
}

/* The instance. */

static int bit_of(int row, int column) { return row * width + column; }

static void make_sets(void) {
    end = side * width;
    words = end / BITS + 1;
    Word **sets[] = {&board, &possible, &must, &near, &far, &reached, &some, &several, &decided};
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) *sets[k] = new_set();
    rows = allocate((size_t)side, sizeof *rows);
    columns = allocate((size_t)side, sizeof *columns);
    for (int k = 0; k < side; k++) {
        rows[k] = new_set();
        columns[k] = new_set();
        for (int i = 0; i < side; i++) {
            add(rows[k], bit_of(k, i));
            add(columns[k], bit_of(i, k));
            add(board, bit_of(k, i));
        }
    }
}

/* Adds a group, if it has a total: a given one, or the same in each of so many parts. */
static void add_group(const Word *cells, bool weighted, int64_t given, int parts) {
    if (given < 0 && !parts) return;
    Group *group = &groups[group_count++];
    *group = (Group){new_set(), weighted, false, given, parts, 0, allocate((size_t)greatest + 1, 1)};
    memcpy(group->cells, cells, (size_t)words * sizeof *cells);
    find_moves(cells);
    group->apart = !intersect(reached, cells);
}

static int64_t *read_sums(void) {
    int64_t cells = (int64_t)side * side, *line_sums = allocate((size_t)side, sizeof *line_sums);
    for (int k = 0; k < side; k++) line_sums[k] = read_integer("a sum", -1, cells * (cells + 1) / 2 + 1);
    return line_sums;
}

/* Whether lines can have these sums, -1 for none, if all numbers add up to so much. */
static bool fits(const int64_t *line_sums, int64_t all) {
    int64_t total = 0;
    bool each = true;
    for (int k = 0; k < side; k++) {
        if (line_sums[k] >= 0) total += line_sums[k];
        each &= line_sums[k] >= 0;
    }
    return each ? total == all : total <= all;
}

static void read_first_seen(int from) {
    for (int line = 0; line < side; line++) {
        int number = (int)read_integer("a first number", 0, side * side + 1);
        if (!number) continue;
        Seen *clue = &seen[seen_count++];
        *clue = (Seen){number, allocate((size_t)side, sizeof *clue->cells)};
        for (int k = 0; k < side; k++) {
            int place = from % 2 ? side - 1 - k : k; /* from the bottom, or from the right */
            clue->cells[k] = from < 2 ? bit_of(place, line) : bit_of(line, place);
        }
        if (number > fewest) fewest = number;
    }
}

/* The cells that quarter turns take to each other; four, but for the cell in the middle. */
static void add_orbits(void) {
    orbits = allocate((size_t)side * (size_t)side, sizeof *orbits);
    for (int row = 0; row < side - side / 2; row++)
        for (int column = 0; column < side / 2; column++) {
            Word *orbit = orbits[orbit_count++] = new_set();
            for (int turn = 0, r = row, c = column; turn < 4; turn++) {
                add(orbit, bit_of(r, c));
                int before = r;
                r = c;
                c = side - 1 - before;
            }
        }
    if (side % 2) add(orbits[orbit_count++] = new_set(), bit_of(side / 2, side / 2));
}

/* Work space for sums up to the greatest total that a number of the paths can have. */
static void make_space(void) {
    int64_t all = (int64_t)greatest * (greatest + 1) / 2, total = 0;
    for (int k = 0; k < group_count; k++) {
        int64_t most = groups[k].given < 0 && groups[k].parts ? all / groups[k].parts : groups[k].given;
        if (most > all) most = all;
        if (most > total) total = most;
    }
    size_t length = (size_t)(total / BITS + 1);
    stale = allocate((size_t)greatest + 1, sizeof *stale);
    can = allocate((size_t)greatest + 1, sizeof *can);
    sums = allocate(2 * ((size_t)greatest + 1) * length, sizeof *sums);
    completes = allocate(4 * length, sizeof *completes);
}

/* Propagates at the root; numbers that are given have one place. */
static Search started(int least, int longest, const int *given) {
    Search search = {longest, allocate(((size_t)longest + 1) * (size_t)words, sizeof(Word)), false};
    enter(&search);
    for (int t = 1; t <= last; t++) {
        memcpy(places(t), board, (size_t)words * sizeof *board);
        if (t > least) add(places(t), end);
        mark(t);
    }
    for (int row = 0; row < side; row++)
        for (int column = 0; column < side; column++) {
            int number = given[row * side + column];
            if (!number) continue;
            clear(places(number));
            add(places(number), bit_of(row, column));
        }
    search.consistent = propagate();
    return search;
}

int main(void) {
    read_request();
    side = (int)read_integer("the size", 1, 1000);
    int cells = side * side;
    fewest = (int)read_integer("the least T", 1, cells);
    greatest = (int)read_integer("the greatest T", fewest, cells);
    bool rotation = read_integer("rotation", 0, 1);
    bool equal_lines = read_integer("whether lines have equal visits", 0, 1);
    bool equal_visits = read_integer("whether regions have equal visits", 0, 1);
    bool equal_sums = read_integer("whether regions have equal sums", 0, 1);
    width = side + 2;
    int64_t *row_sums = read_sums(), *column_sums = read_sums();
    int parts = (int)read_integer("the number of regions", 1, cells);
    int *region = allocate((size_t)cells, sizeof *region);
    for (int cell = 0; cell < cells; cell++) region[cell] = (int)read_integer("a region", 0, parts - 1);
    int *given = allocate((size_t)cells, sizeof *given);
    for (int cell = 0; cell < cells; cell++) {
        given[cell] = (int)read_integer("a given number", 0, greatest);
        if (given[cell] > fewest) fewest = given[cell];
    }
    seen = allocate(4 * (size_t)side, sizeof *seen);
    for (int from = 0; from < 4; from++) read_first_seen(from);
    read_end();

    make_sets();
    Word **regions = allocate((size_t)parts, sizeof *regions);
    for (int part = 0; part < parts; part++) regions[part] = new_set();
    for (int cell = 0; cell < cells; cell++) add(regions[region[cell]], bit_of(cell / side, cell % side));
    groups = allocate(4 * (size_t)side + 2 * (size_t)parts, sizeof *groups);
    for (int k = 0; k < side; k++) add_group(rows[k], true, row_sums[k], 0);
    for (int k = 0; k < side; k++) add_group(columns[k], true, column_sums[k], 0);
    for (int part = 0; part < parts; part++) add_group(regions[part], true, -1, equal_sums ? parts : 0);
    for (int part = 0; part < parts; part++) add_group(regions[part], false, -1, equal_visits ? parts : 0);
    for (int k = 0; k < side; k++) add_group(rows[k], false, -1, equal_lines ? side : 0);
    for (int k = 0; k < side; k++) add_group(columns[k], false, -1, equal_lines ? side : 0);
    if (rotation) add_orbits();
    make_space();

    /* The lengths that the clues allow; each by itself if totals depend on it. */
    bool each = equal_lines || equal_visits || equal_sums;
    int *lengths = allocate((size_t)greatest, sizeof *lengths), length_count = 0;
    for (int length = fewest; length <= greatest; length++) {
        int64_t all = (int64_t)length * (length + 1) / 2;
        if ((equal_sums && all % parts) || (equal_visits && length % parts) || (equal_lines && length % side))
            continue;
        if (rotation && length % 4 && length % 4 != side % 2) continue;
        if (fits(row_sums, all) && fits(column_sums, all)) lengths[length_count++] = length;
    }
    int count = each ? length_count : length_count > 0, variables = 0, undecided = 0;
    Search *searches = allocate((size_t)count, sizeof *searches);
    for (int k = 0; k < count; k++) {
        searches[k] = started(lengths[k], lengths[each ? k : length_count - 1], given);
        variables += last;
        for (int t = 1; t <= last; t++) undecided += size(places(t)) > 1;
    }
    root(variables, undecided);
    int consistent = 0;
    for (int k = 0; k < count; k++) consistent += searches[k].consistent;
    int64_t *values = allocate((size_t)cells, sizeof *values);
    for (int k = 0; k < count; k++) {
        if (!searches[k].consistent || done()) continue;
        enter(&searches[k]);
        visited(); /* changes nothing, but finds again which cells are possible */
        branch(values, consistent > 1);
    }
    return finish();
}
