/* Sudoku by search. A block is 64 digits, which are one word of the set of a cell.

   Depth first. Each level of the search has sets of its own, so that nothing is undone. Propagates:
   - a cell with one digit left, and a digit with one place left in a unit, is chosen, and removed from the
     other cells of its units;
   - where a line and a box meet, a digit that has no other place in one of them is removed from the rest of
     the other (locked candidates);
   - a cell that all alternatives left of a clue name keeps the digits that these have there;
   - if the row divisor has too many multiples to list, a row keeps the digits that some multiple has there.

   What follows an instance in the input is another request, with its instance.

   Branches on the cell with the fewest digits, of equal ones on that whose units failed most often (weights
   of Boussemart, Hemery, Lecoutre and Sais, 2004). */

#include "instance.h"

typedef uint64_t Word;
enum { BITS = 64 };
enum { PLACES = 1, MULTIPLES = 2 }; /* what a unit that lost a digit is searched for */

static int blocks;
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

static int64_t *values; /* of a solution */

/* ---- Sets ---- */

static void enter(int depth) {
    if (!levels[depth]) levels[depth] = instance_array(level_bytes, 1);
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

/* The sets before propagation, and others. */
static void make_root(void) {
    blocks = (m + BITS - 1) / BITS;
    level_bytes = sizeof(Word) * (size_t)blocks * (size_t)(cells + units + 2) + sizeof(int) * (size_t)cells;
    levels = instance_array((size_t)cells + 1, sizeof *levels);
    chosen = instance_array((size_t)cells, sizeof *chosen);
    stale = instance_array((size_t)units, sizeof *stale);
    enter(0);
    chosen_count = 0;
    for (int digit = 0; digit < m; digit++) offered[digit / BITS] |= bit_of(digit);
    if (m == n) memcpy(required, offered, (size_t)blocks * sizeof *required);
    for (int cell = 0; cell < cells; cell++) {
        left[cell] = given[cell] == NONE ? m : 1;
        for (int b = 0; b < blocks; b++) can[b * cells + cell] = given[cell] == NONE ? offered[b] : 0;
        if (given[cell] != NONE) block_of(given[cell])[cell] = bit_of(given[cell]);
        if (left[cell] == 1) chosen[chosen_count++] = cell;
    }
    memset(stale, PLACES | MULTIPLES, (size_t)units);
    values = instance_array((size_t)cells, sizeof *values);
    mentions = instance_array((size_t)cells, sizeof *mentions);
    seen = instance_array((size_t)blocks * (size_t)cells, sizeof *seen);
    segment = instance_array((size_t)cells, sizeof *segment);
    once = instance_array(3 * (size_t)units, sizeof *once);
    twice = once + units;
    claimed = twice + units;
    if (divisor && !rows_are_listed) {
        reached = instance_array((size_t)n + 1, (size_t)divisor);
        completed = instance_array((size_t)n + 1, (size_t)divisor);
    }
    failed = instance_array((size_t)units, sizeof *failed);
    order = instance_array((size_t)cells, sizeof *order);
    for (int cell = 0; cell < cells; cell++) order[cell] = cell;
    shuffle(order, cells);
}

int main(void) {
    int code = 0;
    do {
        read_request();
        read_instance();
        make_root();
        bool possible = narrow();
        root(cells, undecided());
        if (possible) branch(0);
        code = finish();
    } while (!code && goes_on());
    return code;
}
