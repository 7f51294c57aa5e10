/* Sudoku by search. native.py describes the input.

   n rows and n columns are cut into boxes of n cells. Of m digits n are used. Digits are numbered from 0 on.

       candidate    a digit in a cell, cell * m + digit; or a digit that is left out, n * n * m + digit
       group        candidates of which exactly one is chosen: the digits of a cell; the cells of a digit in a
                    row, column or box, or that the digit is left out
       clue         alternatives, sets of candidates, of which at least one is chosen as a whole: for remote,
                    one for each cell N steps away; for product, one for each two neighbours and digits with
                    that product; for row divisor, one for each multiple that the row can be
       node         a candidate in a group; the nodes of a group are a ring that begins at its head

   Peter Norvig's search. Branches on the cell with the fewest candidates, and propagates:
   - a candidate that is the last of its group is chosen; others in a group of a chosen candidate are removed;
   - an alternative is dropped when one of its candidates is removed; what all alternatives left of a clue
     exclude, as they have another digit in its cell, is removed;
   - if the row divisor has too many multiples to list, a row keeps the digits that some multiple has there. */

#include "../shared/program.h"

#include <string.h>

typedef uint64_t Word;
enum { BITS = 64, NONE = -1 };

typedef struct {
    int candidate, alternative, next; /* the next part with this candidate */
} Part;

typedef struct {
    int clue, first, count; /* its parts */
    int lost;               /* how many of them are removed */
} Alternative;

typedef struct {
    int first, count; /* its alternatives */
    int left;         /* how many of them have lost nothing */
    bool stale;       /* alternatives were lost since it was looked at */
} Clue;

static int height, width, n, m, cells, candidates, groups;
static int *digits;
static int64_t divisor, power; /* 0 for none; 10^n */
static bool rows_are_listed;   /* those that the divisor divides */

static int *down;              /* of each node; the first ones are the heads of the groups */
static int *newest;            /* of each group, the node that was added last */
static int *group_of, *holder; /* the group and the candidate of a node */
static int *first_node;        /* of each candidate; its nodes end where those of the next one begin */
static int *size;              /* of each group, how many candidates are left */
static bool *alive;            /* whether a candidate is not removed */
static int *order;             /* cells, in the order in which equal ones are branched on */

static Part *parts;
static int part_count, part_room;
static int *first_part; /* of each candidate */
static Alternative *alternatives;
static int alternative_count, alternative_room;
static Clue *clues;
static int clue_count, clue_room;

static int64_t *values; /* of a solution */

/* The array with room for one more item than count. */
static void *with_room(void *array, int count, int *room, size_t bytes) {
    if (count < *room) return array;
    if (count > INT_MAX / 4) fail("the clues have more than %d alternatives", INT_MAX / 4);
    *room = 2 * count + 64;
    return grow(array, (size_t)*room, bytes);
}

/* ---- Candidates and groups ---- */

static int cell_of(int x) { return x / m; }

static int box_of(int cell) { return cell / n / height * (n / width) + cell % n / width; }

static void add_node(int node, int x, int group) {
    holder[node] = x;
    group_of[node] = group;
    down[newest[group]] = node;
    down[node] = group;
    newest[group] = node;
    size[group]++;
}

/* The number of the group of a digit in row, column or box `unit`; those of the cells come before. */
static int unit_group(int unit, int digit) { return cells + unit * m + digit; }

static void make_groups(const int *given) {
    size_t nodes = (size_t)groups + 4 * (size_t)cells * (size_t)m + 3 * (size_t)n * (size_t)m;
    down = allocate(nodes, sizeof *down);
    group_of = allocate(nodes, sizeof *group_of);
    holder = allocate(nodes, sizeof *holder);
    newest = allocate((size_t)groups, sizeof *newest);
    size = allocate((size_t)groups, sizeof *size);
    alive = allocate((size_t)candidates, sizeof *alive);
    first_node = allocate((size_t)candidates + 1, sizeof *first_node);
    for (int g = 0; g < groups; g++) down[g] = newest[g] = g;
    int node = groups;
    for (int x = 0; x < candidates; x++) {
        int cell = cell_of(x), digit = x % m;
        first_node[x] = node;
        if (cell < cells && (given[cell] == NONE || given[cell] == digit)) {
            const int units[3] = {cell / n, n + cell % n, 2 * n + box_of(cell)};
            alive[x] = true;
            add_node(node++, x, cell);
            for (int k = 0; k < 3; k++) add_node(node++, x, unit_group(units[k], digit));
        } else if (cell == cells && m > n) {
            alive[x] = true;
            for (int unit = 0; unit < 3 * n; unit++) add_node(node++, x, unit_group(unit, digit));
        }
    }
    first_node[candidates] = node;
}

/* ---- Clues ---- */

static void add_clue(void) {
    clues = with_room(clues, clue_count, &clue_room, sizeof *clues);
    clues[clue_count++] = (Clue){alternative_count, 0, 0, true};
}

/* Adds an alternative to the last clue, unless one of its candidates cannot be chosen. */
static void add_alternative(const int *chosen, int count) {
    for (int k = 0; k < count; k++)
        if (!alive[chosen[k]]) return;
    alternatives = with_room(alternatives, alternative_count, &alternative_room, sizeof *alternatives);
    alternatives[alternative_count] = (Alternative){clue_count - 1, part_count, count, 0};
    for (int k = 0; k < count; k++) {
        parts = with_room(parts, part_count, &part_room, sizeof *parts);
        parts[part_count] = (Part){chosen[k], alternative_count, first_part[chosen[k]]};
        first_part[chosen[k]] = part_count++;
    }
    alternative_count++;
    clues[clue_count - 1].count++;
    clues[clue_count - 1].left++;
}

/* The cells so many steps up, left, right and down, once each; returns how many there are. */
static int cells_away(int cell, int64_t steps, int ends[4]) {
    const int64_t row = cell / n, column = cell % n;
    if (steps >= n) return 0;
    const int64_t rows[4] = {row - steps, row, row, row + steps};
    const int64_t columns[4] = {column, column - steps, column + steps, column};
    int count = 0;
    for (int k = 0; k < (steps ? 4 : 1); k++)
        if (rows[k] >= 0 && rows[k] < n && columns[k] >= 0 && columns[k] < n)
            ends[count++] = (int)(rows[k] * n + columns[k]);
    return count;
}

/* Some cell N steps away holds N. */
static void add_remote(int cell, int64_t steps) {
    int ends[4], count = cells_away(cell, steps, ends);
    add_clue();
    for (int k = 0; k < count; k++)
        for (int digit = 0; digit < m; digit++)
            if (digits[digit] == steps) add_alternative(&(int){ends[k] * m + digit}, 1);
}

/* Two cells beside the clue hold a pair of digits with its product. */
static void add_product(int cell, int64_t product) {
    int ends[4], count = cells_away(cell, 1, ends);
    add_clue();
    for (int k = 0; k < count; k++)
        for (int l = k + 1; l < count; l++) {
            int i = ends[k], j = ends[l];
            bool share = i / n == j / n || i % n == j % n || box_of(i) == box_of(j);
            for (int a = 0; a < m; a++)
                for (int b = 0; b < m; b++)
                    if ((int64_t)digits[a] * digits[b] == product && !(a == b && share))
                        add_alternative((int[]){i * m + a, j * m + b}, 2);
        }
}

/* Each row is a multiple of the divisor. */
static void add_rows(void) {
    int digit_at[10]; /* the number of a digit */
    for (int value = 0; value < 10; value++) digit_at[value] = NONE;
    for (int digit = 0; digit < m; digit++) digit_at[digits[digit]] = digit;
    int *option = allocate((size_t)n, sizeof *option);
    for (int row = 0; row < n; row++) {
        add_clue();
        for (int64_t number = 0; number < power; number += divisor) {
            int64_t rest = number;
            int used = 0, column = n - 1;
            for (; column >= 0; column--, rest /= 10) {
                int value = (int)(rest % 10);
                if (digit_at[value] == NONE || used >> value & 1) break;
                used |= 1 << value;
                option[column] = (row * n + column) * m + digit_at[value];
            }
            if (column < 0) add_alternative(option, n);
        }
    }
}

/* Removes the alternatives that contain a candidate; false if a clue has none left. */
static bool lose(int x) {
    bool possible = true;
    for (int p = first_part[x]; p != NONE; p = parts[p].next) {
        Alternative *alternative = &alternatives[parts[p].alternative];
        if (alternative->lost++) continue;
        Clue *clue = &clues[alternative->clue];
        clue->stale = true;
        possible &= --clue->left > 0;
    }
    return possible;
}

static void regain(int x) {
    for (int p = first_part[x]; p != NONE; p = parts[p].next) {
        Alternative *alternative = &alternatives[parts[p].alternative];
        if (!--alternative->lost) clues[alternative->clue].left++;
    }
}

/* ---- Multiples: the remainders that the first cells of a row leave, and those that the others need ---- */

static int words;
static Word *before, *moved, *next; /* sets of remainders */
static Word *after;                 /* one for each cell, and for the end of the row */
static int64_t *weight;             /* 10^k modulo the divisor, for each column */
static bool *without;               /* the candidates of a row that no multiple has */

/* Adds to a set the members of another one plus `by`, so far as the sum lies in 0..divisor - 1. */
static void add_moved(Word *to, const Word *from, int64_t by) {
    int64_t whole = by >= 0 ? by / BITS : -((-by + BITS - 1) / BITS);
    int bits = (int)(by - whole * BITS);
    for (int64_t w = 0; w < words; w++) {
        int64_t low = w - whole - 1, high = w - whole;
        if (high >= 0 && high < words) to[w] |= from[high] << bits;
        if (bits && low >= 0 && low < words) to[w] |= from[low] >> (BITS - bits);
    }
    if (divisor % BITS) to[words - 1] &= ((Word)1 << divisor % BITS) - 1;
}

/* Adds to a set the remainders of another one after digits with this remainder. */
static void add_shifted(Word *to, const Word *from, int64_t by) {
    add_moved(to, from, by);
    add_moved(to, from, by - divisor);
}

/* What the divisor leaves of a digit in a column. */
static int64_t remainder_of(int column, int digit) { return digits[digit] * weight[column] % divisor; }

/* Finds the candidates of a row that no multiple has; false if there is no multiple. */
static bool find_multiples(int row) {
    const size_t bytes = (size_t)words * sizeof(Word);
    memset(after, 0, ((size_t)n + 1) * bytes);
    memset(before, 0, bytes);
    before[0] = after[n * words] = 1;
    for (int column = n - 1; column >= 0; column--)
        for (int digit = 0; digit < m; digit++)
            if (alive[(row * n + column) * m + digit]) {
                int64_t by = remainder_of(column, digit);
                add_shifted(after + column * words, after + (column + 1) * words, by ? divisor - by : 0);
            }
    for (int column = 0; column < n; column++) {
        const Word *rest = after + (column + 1) * words;
        memset(next, 0, bytes);
        for (int digit = 0; digit < m; digit++) {
            bool has = false;
            if (alive[(row * n + column) * m + digit]) {
                memset(moved, 0, bytes);
                add_shifted(moved, before, remainder_of(column, digit));
                for (int w = 0; w < words; w++) has |= (moved[w] & rest[w]) != 0;
            }
            for (int w = 0; has && w < words; w++) next[w] |= moved[w];
            without[column * m + digit] = !has;
        }
        Word *swap = before;
        before = next;
        next = swap;
    }
    return before[0] & 1;
}

/* ---- norvig ---- */

static int *chosen; /* the last ones of their groups, of which nothing has followed yet */
static int chosen_count;
static int *trail; /* the candidates that were removed */
static int trail_length;
static bool *stale_rows;
static bool *seen; /* candidates, in exclude() */
static int *mentions; /* of each cell, in exclude() */

/* Removes a candidate; false on a contradiction. */
static bool remove_candidate(int x) {
    bool possible = true;
    propagations++;
    alive[x] = false;
    trail[trail_length++] = x;
    for (int node = first_node[x]; node < first_node[x + 1]; node++) {
        int g = group_of[node], left = --size[g];
        possible &= left > 0;
        if (left != 1) continue;
        int last = down[g];
        while (!alive[holder[last]]) last = down[last];
        chosen[chosen_count++] = holder[last];
    }
    if (cell_of(x) < cells) stale_rows[cell_of(x) / n] = true;
    return lose(x) && possible;
}

static void undo(int mark) {
    while (trail_length > mark) {
        int x = trail[--trail_length];
        alive[x] = true;
        for (int node = first_node[x]; node < first_node[x + 1]; node++) size[group_of[node]]++;
        regain(x);
    }
}

/* Removes what shares a group with a candidate that is chosen; false on a contradiction. */
static bool choose(int x) {
    for (int node = first_node[x]; node < first_node[x + 1]; node++)
        for (int other = down[group_of[node]]; other >= groups; other = down[other])
            if (holder[other] != x && alive[holder[other]] && !remove_candidate(holder[other])) return false;
    return true;
}

/* Removes what all alternatives left of a clue exclude by its cell; false on a contradiction. */
static bool exclude(const Clue *clue) {
    const int left = clue->left;
    bool possible = left > 0;
    for (int pass = 0; pass < 3; pass++) /* Mark, remove, clear. */
        for (int a = clue->first; a < clue->first + clue->count; a++)
            for (int p = alternatives[a].first; p < alternatives[a].first + alternatives[a].count; p++) {
                int x = parts[p].candidate, cell = cell_of(x);
                if (pass == 0 && !alternatives[a].lost) {
                    seen[x] = true;
                    mentions[cell]++;
                } else if (pass == 1 && mentions[cell] == left) {
                    mentions[cell] = 0;
                    for (int y = cell * m; y < (cell + 1) * m && possible; y++)
                        if (alive[y] && !seen[y]) possible = remove_candidate(y);
                } else if (pass == 2) {
                    seen[x] = false;
                    mentions[cell] = 0;
                }
            }
    return possible;
}

/* Leaves a row the digits of its multiples; false on a contradiction. */
static bool divide(int row) {
    if (!find_multiples(row)) return false;
    for (int k = 0; k < n * m; k++)
        if (without[k] && alive[row * n * m + k] && !remove_candidate(row * n * m + k)) return false;
    return true;
}

/* One step of propagation; false on a contradiction. */
static bool step(bool *changed) {
    *changed = true;
    if (chosen_count) return choose(chosen[--chosen_count]);
    for (int k = 0; k < clue_count; k++)
        if (clues[k].stale) {
            clues[k].stale = false;
            return exclude(&clues[k]);
        }
    for (int row = 0; words && row < n; row++)
        if (stale_rows[row]) {
            stale_rows[row] = false;
            return divide(row);
        }
    *changed = false;
    return true;
}

/* Propagates until nothing changes; false on a contradiction, after which nothing is stale. */
static bool narrow(void) {
    bool changed = true, possible = true;
    while (changed && possible) possible = step(&changed);
    if (!possible) {
        chosen_count = 0;
        for (int k = 0; k < clue_count; k++) clues[k].stale = false;
        for (int row = 0; row < n; row++) stale_rows[row] = false;
    }
    return possible;
}

/* The first of the cells with the fewest candidates, of those with several; NONE if there is none. */
static int smallest_cell(void) {
    int best = NONE;
    for (int k = 0; k < cells; k++)
        if (size[order[k]] > 1 && (best == NONE || size[order[k]] < size[best])) best = order[k];
    return best;
}

static void report(void) {
    for (int x = 0; x < cells * m; x++)
        if (alive[x]) values[cell_of(x)] = digits[x % m];
    solution(values, (size_t)cells);
}

/* Reports every solution below the candidates that are left. */
static void branch(void) {
    int cell = smallest_cell();
    if (cell == NONE) {
        report();
        return;
    }
    for (int x = cell * m; x < (cell + 1) * m && !done(); x++) {
        if (!alive[x]) continue;
        int mark = trail_length;
        branches++;
        chosen[chosen_count++] = x;
        if (narrow())
            branch();
        else
            failures++;
        undo(mark);
    }
}

static int undecided(void) {
    int count = 0;
    for (int cell = 0; cell < cells; cell++) count += size[cell] > 1;
    return count;
}

static void norvig(bool possible) {
    chosen = allocate((size_t)groups + 1, sizeof *chosen);
    trail = allocate((size_t)candidates, sizeof *trail);
    stale_rows = allocate((size_t)n, sizeof *stale_rows);
    seen = allocate((size_t)candidates, sizeof *seen);
    mentions = allocate((size_t)cells, sizeof *mentions);
    for (int g = 0; g < groups; g++)
        if (size[g] == 1) chosen[chosen_count++] = holder[down[g]];
    for (int row = 0; row < n; row++) stale_rows[row] = true;
    possible = possible && narrow();
    root(cells, undecided());
    if (possible) branch();
}

/* ---- The instance ---- */

/* Reads a grid of numbers, -1 for none. */
static int64_t *read_clues(const char *name) {
    int64_t *numbers = allocate((size_t)cells, sizeof *numbers);
    for (int cell = 0; cell < cells; cell++) numbers[cell] = read_integer(name, -1, INT64_MAX);
    return numbers;
}

static void read_digits(void) {
    digits = allocate((size_t)m, sizeof *digits);
    for (int digit = 0; digit < m; digit++)
        digits[digit] = (int)read_integer("a digit", digit ? digits[digit - 1] + 1 : 0, INT_MAX - 1);
    if (divisor && digits[m - 1] > 9) fail("with a row divisor all digits are below 10");
}

/* The numbers of the digits that are given, NONE elsewhere. */
static int *numbers_of(const int64_t *givens) {
    int *given = allocate((size_t)cells, sizeof *given);
    for (int cell = 0; cell < cells; cell++) {
        given[cell] = NONE;
        for (int digit = 0; digit < m; digit++)
            if (digits[digit] == givens[cell]) given[cell] = digit;
        if (givens[cell] >= 0 && given[cell] == NONE) fail("a given is not one of the digits");
    }
    return given;
}

static void make_clues(const int64_t *remote, const int64_t *product) {
    first_part = allocate((size_t)candidates, sizeof *first_part);
    for (int x = 0; x < candidates; x++) first_part[x] = NONE;
    for (int cell = 0; cell < cells; cell++)
        if (remote[cell] >= 0) add_remote(cell, remote[cell]);
    for (int cell = 0; cell < cells; cell++)
        if (product[cell] >= 0) add_product(cell, product[cell]);
    if (divisor && rows_are_listed) add_rows();
    if (divisor && !rows_are_listed) {
        words = (int)((divisor + BITS - 1) / BITS);
        before = allocate((size_t)words, sizeof *before);
        moved = allocate((size_t)words, sizeof *moved);
        next = allocate((size_t)words, sizeof *next);
        after = allocate(((size_t)n + 1) * (size_t)words, sizeof *after);
        without = allocate((size_t)n * (size_t)m, sizeof *without);
        weight = allocate((size_t)n, sizeof *weight);
        weight[n - 1] = 1 % divisor;
        for (int column = n - 2; column >= 0; column--) weight[column] = weight[column + 1] * 10 % divisor;
    }
}

static void read_instance(void) {
    height = (int)read_integer("the rows of a box", 1, 100);
    width = (int)read_integer("the columns of a box", 1, 100);
    n = height * width;
    cells = n * n;
    m = (int)read_integer("the number of digits", n, 100000000 / cells);
    candidates = (cells + 1) * m;
    groups = cells + 3 * n * m;
    divisor = read_integer("the row divisor", 0, INT64_MAX);
    rows_are_listed = read_integer("whether rows are listed", 0, 1) == 1;
    read_digits();
    power = 1;
    for (int k = 0; divisor && k < n; k++) power *= 10;
    if (divisor > power) divisor = power;
    const int64_t *givens = read_clues("a given"), *remote = read_clues("a remote clue");
    const int64_t *product = read_clues("a product clue");
    read_end();
    make_groups(numbers_of(givens));
    make_clues(remote, product);
    values = allocate((size_t)cells, sizeof *values);
    order = allocate((size_t)cells, sizeof *order);
    for (int cell = 0; cell < cells; cell++) order[cell] = cell;
    shuffle(order, cells);
}

int main(void) {
    read_request();
    read_instance();
    bool possible = true;
    for (int g = 0; g < groups; g++) possible &= size[g] > 0;
    for (int k = 0; k < clue_count; k++) possible &= clues[k].left > 0;
    norvig(possible);
    return finish();
}
