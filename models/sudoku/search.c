/* Sudoku by search. native.py describes the input.

   n rows and n columns are cut into boxes of n cells. Of m digits n are used. Digits are numbered from 0 on.

       unit         a row, a column or a box; they are numbered in this order
       block        64 digits, one word of the set of a cell
       clue         alternatives, of which at least one holds as a whole: for remote, one for each cell N steps
                    away; for product, one for each two neighbours and digits with that product; for row
                    divisor, one for each multiple that the row can be
       part         a cell with its digit in an alternative

   Depth first. Each level of the search has sets of its own, so that nothing is undone. Propagates:
   - a cell with one digit left, and a digit with one place left in a unit, is chosen, and removed from the
     other cells of its units;
   - where a line and a box meet, a digit that has no other place in one of them is removed from the rest of
     the other (locked candidates);
   - a cell that all alternatives left of a clue name keeps the digits that these have there;
   - if the row divisor has too many multiples to list, a row keeps the digits that some multiple has there.

   Branches on the cell with the fewest digits, of equal ones on that whose units failed most often (weights of
   Boussemart, Hemery, Lecoutre and Sais, 2004). */

#include "../shared/program.h"

#include <string.h>

typedef uint64_t Word;
enum { BITS = 64, NONE = -1 };
enum { PLACES = 1, MULTIPLES = 2 }; /* what a unit that lost a digit is searched for */

typedef struct {
    int cell, digit;
} Part;

typedef struct {
    int first, count, length; /* its alternatives, and the parts of each of them */
    int row;                  /* which it describes, or NONE */
} Clue;

static int height, width, n, m, cells, units, blocks;
static int *digits;
static int64_t divisor, power; /* 0 for none; 10^n */
static bool rows_are_listed;   /* those that the divisor divides */

static int *cells_of;    /* each unit */
static int *units_of;    /* each cell: its row, column and box */
static int *order;       /* cells, in the order in which equal ones are branched on */
static uint64_t *failed; /* of each unit, how often */

static Word **levels; /* of the search; the others are sets of the level that was entered last */
static size_t level_bytes;
static Word *can;      /* of each block and cell, the digits that it can hold */
static Word *placed;   /* of each block and unit, the digits whose cell is known */
static Word *required; /* of each block, the digits that are known to be used */
static Word *offered;  /* of each block, the digits that are not known to be left out */
static int *left;      /* of each cell, how many digits it can hold */

static int *chosen; /* cells with one digit left, of which nothing has followed yet */
static int chosen_count;
static unsigned char *stale; /* of each unit */

static Word *segment, *once, *twice, *claimed; /* in lock() */
static Word *seen;                             /* of each block and cell, in exclude() */
static int *mentions;                          /* of each cell, in exclude() */
/* Of each column and remainder of the divisor, in divide(): whether the cells before the column leave it, and
   whether those from the column on make a multiple of it. */
static bool *reached, *completed;

static Part *parts;
static int part_count, part_room;
static Clue *clues;
static int clue_count, clue_room;

static int64_t *values; /* of a solution */

/* ---- Sets ---- */

static void enter(int depth) {
    if (!levels[depth]) levels[depth] = allocate(level_bytes, 1);
    can = levels[depth];
    placed = can + (ptrdiff_t)blocks * cells;
    required = placed + (ptrdiff_t)blocks * units;
    offered = required + blocks;
    left = (int *)(offered + blocks);
}

static Word *block_of(int digit) { return can + (ptrdiff_t)(digit / BITS) * cells; }

static Word bit_of(int digit) { return (Word)1 << digit % BITS; }

static bool holds(Part part) { return block_of(part.digit)[part.cell] & bit_of(part.digit); }

static inline void touch(int cell) {
    for (int k = 0; k < 3; k++) stale[units_of[3 * cell + k]] = PLACES | MULTIPLES;
}

/* Removes digits of a block from a cell; false if no digit is left. */
static inline bool take(Word *block, int cell, Word which) {
    Word had = block[cell] & which;
    if (!had) return true;
    block[cell] ^= had;
    touch(cell);
    for (; had; had &= had - 1, propagations++)
        if (--left[cell] == 1) chosen[chosen_count++] = cell;
    return left[cell] > 0;
}

/* Chooses a digit of a block in a cell; false if it is several. */
static bool choose(int b, int cell, Word which) {
    if (which & (which - 1)) return false;
    if (left[cell] == 1) return true;
    for (int other = 0; other < blocks; other++) can[other * cells + cell] = other == b ? which : 0;
    propagations += (uint64_t)left[cell] - 1;
    left[cell] = 1;
    chosen[chosen_count++] = cell;
    touch(cell);
    return true;
}

/* ---- Clues ---- */

/* The array with room for some more items than count. */
static void *with_room(void *array, int count, int more, int *room, size_t bytes) {
    if (count + more <= *room) return array;
    if (count > INT_MAX / 4 - more) fail("the clues have more than %d parts", INT_MAX / 4);
    *room = 2 * (count + more) + 64;
    return grow(array, (size_t)*room, bytes);
}

static void add_clue(int length, int row) {
    clues = with_room(clues, clue_count, 1, &clue_room, sizeof *clues);
    clues[clue_count++] = (Clue){part_count, 0, length, row};
}

/* Adds an alternative to the last clue, unless one of its parts cannot be. */
static void add_alternative(const Part *option) {
    Clue *clue = &clues[clue_count - 1];
    for (int k = 0; k < clue->length; k++)
        if (!holds(option[k])) return;
    parts = with_room(parts, part_count, clue->length, &part_room, sizeof *parts);
    memcpy(parts + part_count, option, (size_t)clue->length * sizeof *parts);
    part_count += clue->length;
    clue->count++;
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
    add_clue(1, NONE);
    for (int k = 0; k < count; k++)
        for (int digit = 0; digit < m; digit++)
            if (digits[digit] == steps) add_alternative(&(Part){ends[k], digit});
}

static bool share_a_unit(int i, int j) {
    bool share = false;
    for (int k = 0; k < 3; k++) share |= units_of[3 * i + k] == units_of[3 * j + k];
    return share;
}

/* Two cells beside the clue hold a pair of digits with its product. */
static void add_product(int cell, int64_t product) {
    int ends[4], count = cells_away(cell, 1, ends);
    add_clue(2, NONE);
    for (int k = 0; k < count; k++)
        for (int l = k + 1; l < count; l++)
            for (int a = 0; a < m; a++)
                for (int b = 0; b < m; b++)
                    if ((int64_t)digits[a] * digits[b] == product && !(a == b && share_a_unit(ends[k], ends[l])))
                        add_alternative((Part[]){{ends[k], a}, {ends[l], b}});
}

/* Each row is a multiple of the divisor. */
static void add_rows(void) {
    int digit_at[10]; /* the number of a digit */
    for (int value = 0; value < 10; value++) digit_at[value] = NONE;
    for (int digit = 0; digit < m; digit++) digit_at[digits[digit]] = digit;
    Part *option = allocate((size_t)n, sizeof *option);
    for (int row = 0; row < n; row++) {
        add_clue(n, row);
        for (int64_t number = 0; number < power; number += divisor) {
            int64_t rest = number;
            int used = 0, column = n - 1;
            for (; column >= 0; column--, rest /= 10) {
                int value = (int)(rest % 10);
                if (digit_at[value] == NONE || used >> value & 1) break;
                used |= 1 << value;
                option[column] = (Part){row * n + column, digit_at[value]};
            }
            if (column < 0) add_alternative(option);
        }
    }
}

/* Leaves a cell that all alternatives left of a clue name the digits that it has there; false on a
   contradiction. */
static bool exclude(const Clue *clue) {
    int alive = 0;
    const Part *end = parts + clue->first + clue->count * clue->length;
    for (const Part *option = parts + clue->first; option < end; option += clue->length) {
        int k = 0;
        while (k < clue->length && holds(option[k])) k++;
        if (k < clue->length) continue;
        alive++;
        for (k = 0; k < clue->length; k++) {
            mentions[option[k].cell]++;
            seen[option[k].digit / BITS * cells + option[k].cell] |= bit_of(option[k].digit);
        }
    }
    bool possible = alive > 0;
    for (const Part *part = parts + clue->first; part < end; part++) {
        int cell = part->cell, count = mentions[cell];
        mentions[cell] = 0;
        for (int b = 0; count && b < blocks; b++) {
            if (count == alive) possible &= take(can + b * cells, cell, ~seen[b * cells + cell]);
            seen[b * cells + cell] = 0;
        }
    }
    return possible;
}

/* Leaves a row the digits of its multiples; false on a contradiction. */
static bool divide(int row) {
    const size_t bytes = ((size_t)n + 1) * (size_t)divisor;
    memset(reached, false, bytes);
    memset(completed, false, bytes);
    reached[0] = completed[n * divisor] = true;
    for (int column = 0; column < n; column++)
        for (int64_t rest = 0; rest < divisor; rest++)
            for (int digit = 0; reached[column * divisor + rest] && digit < m; digit++)
                if (holds((Part){row * n + column, digit}))
                    reached[(column + 1) * divisor + (10 * rest + digits[digit]) % divisor] = true;
    for (int column = n - 1; column >= 0; column--)
        for (int digit = 0; digit < m; digit++) {
            if (!holds((Part){row * n + column, digit})) continue;
            bool has = false;
            for (int64_t rest = 0; rest < divisor; rest++)
                if (reached[column * divisor + rest] &&
                    completed[(column + 1) * divisor + (10 * rest + digits[digit]) % divisor])
                    completed[column * divisor + rest] = has = true;
            if (!has && !take(block_of(digit), row * n + column, bit_of(digit))) return false;
        }
    return true;
}

/* ---- Propagation ---- */

/* Removes the digit of a cell from the others of its units; false on a contradiction. */
static bool place(int cell) {
    int b = 0;
    while (!can[b * cells + cell]) b++;
    Word *block = can + b * cells;
    const Word digit = block[cell];
    if (!(required[b] & digit)) {
        required[b] |= digit;
        memset(stale, PLACES | MULTIPLES, (size_t)units);
    }
    bool possible = true;
    block[cell] = 0; /* while the digit is removed from the units */
    for (int k = 0; k < 3 && possible; k++) {
        int unit = units_of[3 * cell + k];
        placed[b * units + unit] |= digit;
        for (int i = 0; i < n; i++) possible &= take(block, cells_of[unit * n + i], digit);
        failed[unit] += !possible;
    }
    block[cell] = digit;
    return possible;
}

/* Chooses the digits of a block with one place in a unit; false on a contradiction. */
static bool find_places(int unit, int b) {
    const int *members = cells_of + unit * n;
    Word *block = can + b * cells, some = 0, several = 0;
    for (int i = 0; i < n; i++) {
        several |= some & block[members[i]];
        some |= block[members[i]];
    }
    bool possible = !(required[b] & ~some);
    Word out = offered[b] & ~some;
    offered[b] &= some;
    for (int cell = 0; out && possible && cell < cells; cell++) possible = take(block, cell, out);
    Word single = some & ~several & required[b] & ~placed[b * units + unit];
    for (int i = 0; single && possible; i++) {
        Word here = block[members[i]] & single;
        if (here) possible = choose(b, members[i], here);
        single &= ~here;
    }
    failed[unit] += !possible;
    return possible;
}

/* Chooses until each cell and digit with one possibility has it; false on a contradiction. */
static bool find_singles(void) {
    bool possible = true, changed = true;
    while (possible && changed) {
        changed = false;
        while (chosen_count && possible) possible = place(chosen[--chosen_count]);
        for (int unit = 0; unit < units && possible; unit++) {
            if (!(stale[unit] & PLACES)) continue;
            stale[unit] &= MULTIPLES;
            for (int b = 0; b < blocks && possible; b++) possible = find_places(unit, b);
            changed = true;
        }
    }
    return possible;
}

/* Locked candidates of a block; false on a contradiction. The lines are rows, or else columns. */
static bool lock(int b, bool rows) {
    const int boxes = rows ? height : width, size = n / boxes, first = rows ? 0 : n; /* the boxes of a line */
    Word *block = can + b * cells;
    bool possible = true;
    for (int unit = 0; unit < units; unit++) once[unit] = twice[unit] = claimed[unit] = 0;
    for (int pass = 0; pass < 3; pass++) /* Count, claim, remove. */
        for (int s = 0; s < n * boxes; s++) {
            const int *members = cells_of + first * n + s * size;
            const int line = units_of[3 * members[0] + !rows], box = units_of[3 * members[0] + 2];
            if (pass == 0) {
                Word word = 0;
                for (int i = 0; i < size; i++) word |= block[members[i]];
                segment[s] = word;
                twice[line] |= once[line] & word;
                once[line] |= word;
                twice[box] |= once[box] & word;
                once[box] |= word;
            } else if (pass == 1) {
                claimed[line] |= segment[s] & ~twice[box];
                claimed[box] |= segment[s] & ~twice[line];
            } else {
                Word gone = (claimed[line] & twice[box]) | (claimed[box] & twice[line]);
                gone &= segment[s] & required[b];
                for (int i = 0; gone && i < size; i++) possible &= take(block, members[i], gone);
            }
        }
    return possible;
}

/* Propagates clues; false on a contradiction. */
static bool follow_clues(void) {
    bool possible = true;
    for (int k = 0; k < clue_count && possible; k++)
        if (clues[k].row == NONE || stale[clues[k].row]) possible = exclude(&clues[k]);
    for (int row = 0; row < n && possible; row++) {
        if (divisor && !rows_are_listed && stale[row]) possible = divide(row);
        stale[row] &= PLACES;
    }
    return possible;
}

/* Propagates until nothing changes; false on a contradiction. */
static bool narrow(void) {
    bool possible = true;
    uint64_t count = 0;
    do {
        possible = find_singles();
        count = propagations;
        possible = possible && follow_clues();
        for (int b = 0; b < blocks && possible; b++) possible = lock(b, true) && lock(b, false);
    } while (possible && propagations != count);
    if (!possible) {
        chosen_count = 0;
        memset(stale, 0, (size_t)units);
    }
    return possible;
}

/* ---- Search ---- */

static uint64_t failures_of(int cell) {
    const int *unit = units_of + 3 * cell;
    return failed[unit[0]] + failed[unit[1]] + failed[unit[2]];
}

/* The cell to branch on; NONE if each has its digit. */
static int smallest_cell(void) {
    int best = NONE;
    for (int k = 0; k < cells; k++) {
        int cell = order[k];
        if (left[cell] == 1 || (best != NONE && left[cell] > left[best])) continue;
        if (best == NONE || left[cell] < left[best] || failures_of(cell) > failures_of(best)) best = cell;
    }
    return best;
}

static void report(void) {
    for (int digit = 0; digit < m; digit++)
        for (int cell = 0; cell < cells; cell++)
            if (holds((Part){cell, digit})) values[cell] = digits[digit];
    solution(values, (size_t)cells);
}

/* Reports every solution below a level. */
static void branch(int depth) {
    int cell = smallest_cell();
    if (cell == NONE) report();
    for (int digit = 0; cell != NONE && digit < m && !done(); digit++) {
        if (!holds((Part){cell, digit})) continue;
        branches++;
        enter(depth + 1);
        memcpy(levels[depth + 1], levels[depth], level_bytes);
        choose(digit / BITS, cell, bit_of(digit));
        if (narrow())
            branch(depth + 1);
        else
            failures++;
        enter(depth);
    }
}

static int undecided(void) {
    int count = 0;
    for (int cell = 0; cell < cells; cell++) count += left[cell] > 1;
    return count;
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

static void make_units(void) {
    cells_of = allocate((size_t)units * (size_t)n, sizeof *cells_of);
    units_of = allocate(3 * (size_t)cells, sizeof *units_of);
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) {
            int cell = row * n + column, box = row / height * height + column / width;
            int place = row % height * width + column % width;
            cells_of[cell] = cells_of[(n + column) * n + row] = cells_of[(2 * n + box) * n + place] = cell;
            memcpy(units_of + 3 * cell, (int[]){row, n + column, 2 * n + box}, 3 * sizeof *units_of);
        }
}

/* The sets before propagation. */
static void make_root(const int64_t *givens) {
    level_bytes = sizeof(Word) * (size_t)blocks * (size_t)(cells + units + 2) + sizeof(int) * (size_t)cells;
    levels = allocate((size_t)cells + 1, sizeof *levels);
    chosen = allocate((size_t)cells, sizeof *chosen);
    stale = allocate((size_t)units, sizeof *stale);
    enter(0);
    chosen_count = 0;
    for (int digit = 0; digit < m; digit++) offered[digit / BITS] |= bit_of(digit);
    if (m == n) memcpy(required, offered, (size_t)blocks * sizeof *required);
    for (int cell = 0; cell < cells; cell++) {
        int given = 0;
        while (givens[cell] >= 0 && given < m && digits[given] != givens[cell]) given++;
        if (given == m) fail("a given is not one of the digits");
        left[cell] = givens[cell] < 0 ? m : 1;
        for (int b = 0; b < blocks; b++) can[b * cells + cell] = givens[cell] < 0 ? offered[b] : 0;
        if (givens[cell] >= 0) block_of(given)[cell] = bit_of(given);
        if (left[cell] == 1) chosen[chosen_count++] = cell;
    }
    memset(stale, PLACES | MULTIPLES, (size_t)units);
}

static void make_clues(const int64_t *remote, const int64_t *product) {
    part_count = clue_count = 0;
    for (int cell = 0; cell < cells; cell++) {
        if (remote[cell] >= 0) add_remote(cell, remote[cell]);
        if (product[cell] >= 0) add_product(cell, product[cell]);
    }
    if (divisor && rows_are_listed) add_rows();
    if (divisor && !rows_are_listed) {
        reached = allocate((size_t)n + 1, (size_t)divisor);
        completed = allocate((size_t)n + 1, (size_t)divisor);
    }
}

static void read_instance(void) {
    height = (int)read_integer("the rows of a box", 1, 100);
    width = (int)read_integer("the columns of a box", 1, 100);
    n = height * width;
    cells = n * n;
    units = 3 * n;
    m = (int)read_integer("the number of digits", n, 100000000 / cells);
    blocks = (m + BITS - 1) / BITS;
    divisor = read_integer("the row divisor", 0, INT64_MAX);
    rows_are_listed = read_integer("whether rows are listed", 0, 1) == 1;
    read_digits();
    power = 1;
    for (int k = 0; divisor && k < n; k++) power *= 10;
    if (divisor > power) divisor = power;
    const int64_t *givens = read_clues("a given"), *remote = read_clues("a remote clue");
    const int64_t *product = read_clues("a product clue");
    make_units();
    make_root(givens);
    values = allocate((size_t)cells, sizeof *values);
    mentions = allocate((size_t)cells, sizeof *mentions);
    seen = allocate((size_t)blocks * (size_t)cells, sizeof *seen);
    segment = allocate((size_t)cells, sizeof *segment);
    once = allocate(3 * (size_t)units, sizeof *once);
    twice = once + units;
    claimed = twice + units;
    make_clues(remote, product);
    failed = allocate((size_t)units, sizeof *failed);
    order = allocate((size_t)cells, sizeof *order);
    for (int cell = 0; cell < cells; cell++) order[cell] = cell;
    shuffle(order, cells);
}

int main(void) {
    int code = 0;
    do {
        read_request();
        read_instance();
        bool possible = narrow();
        root(cells, undecided());
        if (possible) branch(0);
        code = finish();
    } while (!code && goes_on());
    return code;
}
