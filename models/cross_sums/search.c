/* Cross Sums by search.

   Each open cell holds a digit, and an entry has its clue as its sum or its product, or, with another rule, as its
   sum and no digit twice. With signs it holds a digit or its negative, an entry has its clue as its sum, no digit
   is twice in a row or column of the grid, and one value in each is negative.

       place        of a value: v + 9, from 0 to 18
       set          values as bits of an integer, by their places
       domain       the set of the values that an open cell can hold
       line         cells whose digits differ: with signs the open ones of a row or column of the grid, with the
                    rule `sum` those of an entry
       multiset     how often each value is there, by place. Those that fit an entry are those of different
                    digits, with signs at most one of them negative, that sum to its clue; with the rule
                    `sum_or_product` those of digits that have the clue as their product, and another sum
       total        the clue as a sum of places

   `propagation`, until nothing changes:
   - in a line, the digit of a decided cell is in no other cell; with signs, if a cell is surely negative the
     others are positive, and if only one can be negative it is;
   - an entry whose clue is its sum: the bounds of its cells;
   - an entry: the multisets that fit it. One is out if it lacks the value of a decided cell; or if, of what is
     left of it for the open cells, a cell can hold nothing, or a value fits no cell. A cell holds what is left
     of some multiset. A value that is left of all of them and fits one cell is there; a digit that all of them
     have is in no other cell of the line. With the rule `sum_or_product`, digits that sum to the clue fit too: a
     cell then also holds what the bounds of the others allow.
   It branches on the first of the smallest domains. */

#include "../shared/program.h"

#include <string.h>

enum { DIGITS = 9, PLACES = 2 * DIGITS + 1 };
enum { ALL = (1 << PLACES) - 1, NEGATIVE = (1 << DIGITS) - 1, POSITIVE = ALL & ~NEGATIVE & ~(1 << DIGITS) };
enum { ACROSS, DOWN, DIRECTIONS };
enum { SUM_OR_PRODUCT, SIGNED_SUM, SUM, RULES };

static const int64_t LARGEST_CLUE = 999999999999999999;

typedef uint32_t Set;

typedef struct {
    int *cells;
    int count;
} Line;

typedef struct {
    int *cells;
    int count;
    int64_t clue, total;
    int (*multisets)[PLACES];
    size_t multiset_count, room;
    bool may_be_sum;       /* with the rule `sum_or_product`: digits can sum to the clue */
    const Line *lines[DIRECTIONS]; /* those that it lies in, or NULL */
    int first[DIRECTIONS]; /* the index of its first cell in each of them */
} Entry;

typedef struct {
    int cell;
    Set before;
} Change;

typedef struct {
    int cell;              /* to branch on */
    Set values;            /* those that are not tried yet */
    size_t changes;        /* how many there were */
} Node;

static int rule;
static int height, width, n, line_count, entry_count; /* n: the open cells */
static int *cell_at;       /* by row and column, -1 where it is blocked */
static Line *lines;        /* rows, then columns; or those of the entries */
static Entry *entries;
static Set *domains;
static Change *changes;    /* of domains, to undo them */
static size_t change_count, change_room;

/* Sets. */

static int least(Set set) { return __builtin_ctz(set); }
static int most(Set set) { return 31 - __builtin_clz(set); }
static int size_of(Set set) { return __builtin_popcount(set); }
static Set value_at(int place) { return (Set)1 << place; }
static bool decided(int cell) { return !(domains[cell] & (domains[cell] - 1)); }

/* All places from low to high. */
static Set between(int64_t low, int64_t high) {
    if (low < 0) low = 0;
    if (high >= PLACES) high = PLACES - 1;
    return low <= high ? (value_at((int)high + 1) - 1) & ~(value_at((int)low) - 1) : 0;
}

/* The values of a set and their negatives. */
static Set either_sign(Set set) {
    Set both = set;
    for (; set; set &= set - 1) both |= value_at(PLACES - 1 - least(set));
    return both;
}

/* Restricts a cell to some values; false if none is left. */
static bool keep(int cell, Set allowed) {
    Set before = domains[cell], kept = before & allowed;
    if (kept != before) {
        if (change_count == change_room) {
            change_room = change_room ? 2 * change_room : 1024;
            changes = grow(changes, change_room, sizeof *changes);
        }
        changes[change_count++] = (Change){cell, before};
        propagations += (uint64_t)size_of(before ^ kept);
        domains[cell] = kept;
    }
    return kept != 0;
}

/* Propagation. */

/* No digit is in two cells of a line. */
static bool different(const Line *line) {
    for (int i = 0; i < line->count; i++) {
        if (!decided(line->cells[i])) continue;
        Set taken = either_sign(domains[line->cells[i]]);
        for (int k = 0; k < line->count; k++)
            if (k != i && !keep(line->cells[k], ~taken)) return false;
    }
    return true;
}

/* One value of a line is negative. */
static bool one_negative(const Line *line) {
    int surely = 0, maybe = 0, sure_cell = -1, cell = -1;
    for (int i = 0; i < line->count; i++) {
        Set domain = domains[line->cells[i]];
        if (!(domain & NEGATIVE)) continue;
        maybe++;
        cell = line->cells[i];
        if (domain & POSITIVE) continue;
        surely++;
        sure_cell = cell;
    }
    if (surely > 1 || !maybe) return false;
    if (!surely) return maybe > 1 || keep(cell, NEGATIVE);
    for (int i = 0; i < line->count; i++)
        if (line->cells[i] != sure_cell && !keep(line->cells[i], POSITIVE)) return false;
    return true;
}

/* The sums of the least and of the greatest places of an entry. */
static void bounds(const Entry *entry, int64_t *low, int64_t *high) {
    *low = *high = 0;
    for (int i = 0; i < entry->count; i++) {
        *low += least(domains[entry->cells[i]]);
        *high += most(domains[entry->cells[i]]);
    }
}

/* What a cell can hold by the bounds of a sum. */
static Set by_bounds(const Entry *entry, int cell, int64_t low, int64_t high) {
    return between(entry->total - high + most(domains[cell]), entry->total - low + least(domains[cell]));
}

/* The clue of an entry is the sum of its cells. */
static bool adds_up(const Entry *entry) {
    int64_t low, high;
    bounds(entry, &low, &high);
    if (entry->total < low || entry->total > high) return false;
    for (int i = 0; i < entry->count; i++)
        if (!keep(entry->cells[i], by_bounds(entry, entry->cells[i], low, high))) return false;
    return true;
}

/* What a multiset leaves for the open cells without the values of the others, if that fits them; else false. */
static bool left_of(const int *multiset, const int *known, const Entry *entry, Set possible, Set *rest) {
    *rest = 0;
    for (int place = 0; place < PLACES; place++) {
        if (multiset[place] < known[place]) return false;
        if (multiset[place] > known[place]) *rest |= value_at(place);
    }
    if (*rest & ~possible) return false;
    for (int i = 0; i < entry->count; i++)
        if (!decided(entry->cells[i]) && !(domains[entry->cells[i]] & *rest)) return false;
    return true;
}

/* A value that is left of all multisets and fits one of the open cells is there. */
static bool place_common(Set common, const int *open, int open_count) {
    for (; common; common &= common - 1) {
        Set value = common & -common;
        int able = 0, cell = -1;
        for (int i = 0; i < open_count; i++)
            if (domains[open[i]] & value) able++, cell = open[i];
        if (able == 1 && !keep(cell, value)) return false;
    }
    return true;
}

/* The other cells of the lines of an entry do not hold what is taken. */
static bool keep_elsewhere(const Entry *entry, Set taken) {
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        const Line *line = entry->lines[direction];
        if (!line) continue;
        int first = entry->first[direction];
        for (int i = 0; i < line->count; i++)
            if ((i < first || i >= first + entry->count) && !keep(line->cells[i], ~taken)) return false;
    }
    return true;
}

/* The cells of an entry hold one of its multisets, or digits that sum to its clue. */
static bool fits(const Entry *entry) {
    static int *open;
    static Set *allowed;
    if (!open) {
        open = allocate((size_t)n, sizeof *open);
        allowed = allocate((size_t)n, sizeof *allowed);
    }
    int open_count = 0, known[PLACES] = {0};
    Set possible = 0, known_values = 0;
    for (int i = 0; i < entry->count; i++) {
        int cell = entry->cells[i];
        if (decided(cell)) {
            known[least(domains[cell])]++;
            known_values |= domains[cell];
        } else {
            open[open_count++] = cell;
            possible |= domains[cell];
        }
    }
    Set any = 0, common = ALL, common_digits = ALL, rest;
    bool some = false;
    for (size_t m = 0; m < entry->multiset_count; m++) {
        if (!left_of(entry->multisets[m], known, entry, possible, &rest)) continue;
        some = true;
        any |= rest;
        common &= rest;
        common_digits &= either_sign(rest);
    }
    int64_t low, high;
    bounds(entry, &low, &high);
    bool sums = entry->may_be_sum && low <= entry->total && entry->total <= high;
    if (!some && !sums) return false;
    for (int i = 0; i < open_count; i++) allowed[i] = any | (sums ? by_bounds(entry, open[i], low, high) : 0);
    if (!sums) {
        if (!place_common(common, open, open_count)) return false;
        if (!keep_elsewhere(entry, either_sign(known_values) | common_digits)) return false;
    }
    for (int i = 0; i < open_count; i++)
        if (!keep(open[i], allowed[i])) return false;
    return true;
}

/* One round of all rules; false on a contradiction. */
static bool narrow(void) {
    for (int i = 0; i < line_count; i++)
        if (!different(&lines[i]) || (rule == SIGNED_SUM && !one_negative(&lines[i]))) return false;
    for (int i = 0; i < entry_count; i++)
        if ((rule != SUM_OR_PRODUCT || !entries[i].multiset_count) && !adds_up(&entries[i])) return false;
    for (int i = 0; i < entry_count; i++)
        if (interrupted || !fits(&entries[i])) return false;
    return true;
}

/* Applies all rules until nothing changes; false on a contradiction. */
static bool fixpoint(void) {
    size_t before;
    do {
        before = change_count;
        if (!narrow()) return false;
    } while (change_count != before);
    return true;
}

/* Search. */

static void undo(size_t count) {
    while (change_count > count) {
        change_count--;
        domains[changes[change_count].cell] = changes[change_count].before;
    }
}

/* The first of the smallest domains with several values, or -1. */
static int choice(void) {
    int best = -1;
    for (int cell = 0; cell < n; cell++)
        if (!decided(cell) && (best < 0 || size_of(domains[cell]) < size_of(domains[best]))) best = cell;
    return best;
}

static void report(void) {
    static int64_t *values;
    if (!values) values = allocate((size_t)n, sizeof *values);
    for (int cell = 0; cell < n; cell++) values[cell] = least(domains[cell]) - DIGITS;
    solution(values, (size_t)n);
}

static Node new_node(int cell) { return (Node){cell, domains[cell], change_count}; }

/* Reports every solution, when propagation at the root is done. */
static void search(void) {
    int depth = 0, cell = choice();
    if (cell < 0) {
        report();
        return;
    }
    Node *nodes = allocate((size_t)n, sizeof *nodes);
    nodes[0] = new_node(cell);
    while (depth >= 0 && !done()) {
        Node *node = &nodes[depth];
        undo(node->changes);
        if (!node->values) {
            depth--;
            continue;
        }
        Set value = node->values & -node->values;
        node->values ^= value;
        branches++;
        uint64_t removed = propagations;
        keep(node->cell, value);
        propagations = removed; /* A decision is none. */
        if (!fixpoint()) {
            failures++;
            continue;
        }
        cell = choice();
        if (cell < 0)
            report();
        else
            nodes[++depth] = new_node(cell);
    }
}

/* The multisets of an entry. */

static void add_multiset(Entry *entry, const int *multiset) {
    if (entry->multiset_count == entry->room) {
        entry->room = entry->room ? 2 * entry->room : 8;
        entry->multisets = grow(entry->multisets, entry->room, sizeof *entry->multisets);
    }
    memcpy(entry->multisets[entry->multiset_count++], multiset, sizeof *entry->multisets);
}

/* Different digits, with signs at most one of them negative, that sum to the clue. */
static void add_sums(Entry *entry) {
    for (int digits = 0; digits < 1 << DIGITS; digits++) {
        if (size_of((Set)digits) != entry->count) continue;
        int sum = 0, multiset[PLACES] = {0};
        for (int digit = 1; digit <= DIGITS; digit++) {
            if (!(digits >> (digit - 1) & 1)) continue;
            sum += digit;
            multiset[DIGITS + digit] = 1;
        }
        if (sum == entry->clue) add_multiset(entry, multiset);
        /* A digit that turns negative takes twice its value from the sum. */
        for (int digit = 1; digit <= DIGITS && rule == SIGNED_SUM; digit++) {
            if (!multiset[DIGITS + digit] || sum - 2 * digit != entry->clue) continue;
            multiset[DIGITS + digit] = 0;
            multiset[DIGITS - digit] = 1;
            add_multiset(entry, multiset);
            multiset[DIGITS + digit] = 1;
            multiset[DIGITS - digit] = 0;
        }
    }
}

/* How often a prime divides a number, which is divided by it as often. */
static int divide_out(int64_t *number, int prime) {
    int times = 0;
    for (; *number % prime == 0; times++) *number /= prime;
    return times;
}

/* Digits that have the clue as their product, and another sum. */
static void add_products(Entry *entry) {
    int64_t rest = entry->clue;
    if (rest < 1) return;
    int twos = divide_out(&rest, 2), threes = divide_out(&rest, 3);
    int fives = divide_out(&rest, 5), sevens = divide_out(&rest, 7);
    if (rest != 1) return;
    for (int sixes = 0; sixes <= twos && sixes <= threes; sixes++)
        for (int nines = 0; 2 * nines <= threes - sixes; nines++)
            for (int eights = 0; 3 * eights <= twos - sixes; eights++)
                for (int fours = 0; 2 * fours <= twos - sixes - 3 * eights; fours++) {
                    int two = twos - sixes - 3 * eights - 2 * fours, three = threes - sixes - 2 * nines;
                    int one = entry->count - (two + three + fours + fives + sixes + sevens + eights + nines);
                    int64_t sum = one + 2 * two + 3 * three + 4 * fours + 5 * fives + 6 * sixes;
                    sum += 7 * sevens + 8 * eights + 9 * nines;
                    int digits[] = {one, two, three, fours, fives, sixes, sevens, eights, nines};
                    int multiset[PLACES] = {0};
                    memcpy(multiset + DIGITS + 1, digits, sizeof digits);
                    if (one >= 0 && sum != entry->clue) add_multiset(entry, multiset);
                }
}

/* Finds what fits an entry, and removes all other values from its cells. */
static void make_fitting(Entry *entry) {
    entry->total = entry->clue + (int64_t)DIGITS * entry->count;
    if (rule == SUM_OR_PRODUCT)
        add_products(entry);
    else
        add_sums(entry);
    int64_t others = entry->count - 1;
    bool in_reach = entry->count <= entry->clue && entry->clue <= DIGITS * (others + 1);
    entry->may_be_sum = rule == SUM_OR_PRODUCT && in_reach;
    Set fit = 0;
    for (size_t m = 0; m < entry->multiset_count; m++)
        for (int place = 0; place < PLACES; place++)
            if (entry->multisets[m][place]) fit |= value_at(place);
    for (int digit = 1; digit <= DIGITS && entry->may_be_sum; digit++)
        if (others <= entry->clue - digit && entry->clue - digit <= DIGITS * others)
            fit |= value_at(DIGITS + digit);
    for (int i = 0; i < entry->count; i++) domains[entry->cells[i]] &= fit;
}

/* Input. */

/* The open cell there, or -1. */
static int cell_in(int row, int column) {
    bool inside = row >= 0 && row < height && column >= 0 && column < width;
    return inside ? cell_at[(size_t)row * (size_t)width + (size_t)column] : -1;
}

static void read_grid(void) {
    height = (int)read_integer("the height", 1, 10000);
    width = (int)read_integer("the width", 1, 10000);
    size_t area = (size_t)height * (size_t)width;
    cell_at = allocate(area, sizeof *cell_at);
    for (size_t i = 0; i < area; i++) cell_at[i] = read_integer("a cell", 0, 1) ? n++ : -1;
    if (!n) fail("no cell is open");
    domains = allocate((size_t)n, sizeof *domains);
    for (int cell = 0; cell < n; cell++) domains[cell] = rule == SIGNED_SUM ? POSITIVE | NEGATIVE : POSITIVE;
}

/* The open cells of a row or column. */
static void make_line(Line *line, int direction, int number) {
    int length = direction == ACROSS ? width : height;
    line->cells = allocate((size_t)length, sizeof *line->cells);
    for (int i = 0; i < length; i++) {
        int cell = direction == ACROSS ? cell_in(number, i) : cell_in(i, number);
        if (cell >= 0) line->cells[line->count++] = cell;
    }
}

static void make_lines(void) {
    if (rule != SIGNED_SUM) return;
    line_count = height + width;
    lines = allocate((size_t)line_count, sizeof *lines);
    for (int row = 0; row < height; row++) make_line(&lines[row], ACROSS, row);
    for (int column = 0; column < width; column++) make_line(&lines[height + column], DOWN, column);
}

static void make_lines_of_entries(void) {
    line_count = entry_count;
    lines = allocate((size_t)line_count, sizeof *lines);
    for (int i = 0; i < line_count; i++) lines[i] = (Line){entries[i].cells, entries[i].count};
}

/* Notes that an entry lies in a line. */
static void put_in_line(Entry *entry, int direction, const Line *line) {
    entry->lines[direction] = line;
    while (line->cells[entry->first[direction]] != entry->cells[0]) entry->first[direction]++;
}

static void read_entry(Entry *entry, bool *listed) {
    int direction = (int)read_integer("the direction of an entry", ACROSS, DOWN);
    int row = (int)read_integer("the row of an entry", 0, height - 1);
    int column = (int)read_integer("the column of an entry", 0, width - 1);
    entry->clue = read_integer("a clue", -LARGEST_CLUE, LARGEST_CLUE);
    int down = direction == DOWN, right = direction == ACROSS, cell = cell_in(row, column);
    if (cell < 0) fail("the entry from row %d, column %d begins at a blocked cell", row, column);
    if (cell_in(row - down, column - right) >= 0) fail("the cell before row %d, column %d is open", row, column);
    bool *before = &listed[(size_t)cell * DIRECTIONS + (size_t)direction];
    if (*before) fail("the entry from row %d, column %d is listed twice", row, column);
    *before = true;
    while (cell_in(row + down * entry->count, column + right * entry->count) >= 0) entry->count++;
    entry->cells = allocate((size_t)entry->count, sizeof *entry->cells);
    for (int i = 0; i < entry->count; i++) entry->cells[i] = cell_in(row + down * i, column + right * i);
    if (rule == SIGNED_SUM && (right || entry->count == 1)) put_in_line(entry, ACROSS, &lines[row]);
    if (rule == SIGNED_SUM && (down || entry->count == 1)) put_in_line(entry, DOWN, &lines[height + column]);
}

int main(void) {
    read_request();
    rule = (int)read_integer("the rule", 0, RULES - 1);
    read_grid();
    make_lines();
    entry_count = (int)read_integer("the number of entries", 0, (int64_t)DIRECTIONS * n);
    entries = allocate((size_t)entry_count, sizeof *entries);
    bool *listed = allocate((size_t)n * DIRECTIONS, sizeof *listed);
    for (int i = 0; i < entry_count; i++) read_entry(&entries[i], listed);
    read_end();
    if (rule == SUM) make_lines_of_entries();

    bool consistent = true;
    for (int i = 0; i < entry_count; i++) make_fitting(&entries[i]);
    for (int cell = 0; cell < n; cell++) consistent &= domains[cell] != 0;
    consistent = consistent && fixpoint();
    int undecided = 0;
    for (int cell = 0; cell < n; cell++) undecided += !decided(cell);
    root(n, undecided);
    if (consistent) search();
    return finish();
}
