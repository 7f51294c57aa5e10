/* Twenty Four Seven by search.

   Each window of 7x7 cells holds every k in 1..7 k times, and four numbers that sum to 20 in each row and
   column. The filled cells are connected, and no 2x2 block is filled. A clue outside is the first number that
   is met from there, or, beyond 7, the sum of the line.

       domain      cell -> the values that it can still hold, 0 for an empty cell, as a set of bits
       line        a row or column of a window, and the words that it may hold with its clues outside: seven
                   values, four of them numbers that sum to 20, no k more than k times
       segment     cells whose first number or sum is known from a clue where no window says it
       trail       domains as they were, to be restored when the search backs up

   `propagation`, until nothing changes:
   - a cell keeps a value that a word of its row has there, made of values that are left; so for its column;
   - a number that is placed as often as it may be is removed from the other cells of the window, one that has
     only as many cells left as it needs is assigned to them;
   - of four cells in a block, the last is empty if three are filled;
   - a cell is empty if no path through cells that may be filled leads to it from those that are;
   - the cells of a segment keep what can be the first number, or complete the sum.
   It first branches on whether a cell is empty or filled: of those that may be both the one with the most
   neighbours, diagonal ones too, of which that is known. Then on the numbers of the smallest domain.

   `row_by_row` fills the cells in reading order, as long as what stands there can be continued. */

#include "../shared/program.h"

#include <string.h>

enum { EMPTY = 0, VALUES = 8, DOMAINS = 1 << VALUES, SIDE = 7, FILLED = 4, TOTAL = 20 };
enum { ROOM = 5248, BITS = 64, CHUNKS = ROOM / BITS }; /* room for all words, in machine words */
enum { TOP, BOTTOM, LEFT, RIGHT };

typedef uint64_t Words[CHUNKS];

typedef struct {
    int cells[SIDE];
    Words words;
    int filled, sum; /* so far, in row_by_row() */
} Line;

typedef struct {
    int window, row, column;          /* a window of a cell, and the cell's lines there */
    int right, below;                 /* how many cells of the row and of the column come after it */
} Place;

typedef struct {
    int *cells, count, number;
    bool is_sum;
} Segment;

typedef struct {
    int cell, before;
} Change;

typedef struct {
    int cell, options[VALUES], count, next; /* options: sets of values */
    size_t mark;
} Choice;

static int height, width, n, window_count, line_count, segment_count;
static int *domains;
static int (*corners)[2];  /* of each window, the row and column of its top left corner */
static int *clues[4];      /* by side; 0 where there is none */
static Line *lines;        /* of each window its rows, then its columns */
static bool *stale;        /* by line: a domain was changed */
static Segment *segments;
static Place *places;      /* cell by cell */
static int *first_place;   /* by cell; those of the next cell come after */
static int *sequence;      /* all cells, in the order in which equal domains are branched on */

static int word_count;
static int words[ROOM][SIDE];
static Words allowed[SIDE][DOMAINS]; /* the words with a value of the domain in the place */

static int *reached, *stack; /* for flood() */

static Change *trail;
static size_t trail_length, trail_room;
static bool changed; /* in this round of propagation */

/* Sets of values. */

static bool single(int domain) { return !(domain & (domain - 1)); }
static int size(int domain) { return __builtin_popcount((unsigned)domain); }
static int least(int domain) { return __builtin_ctz((unsigned)domain); }
static int most(int domain) { return 31 - __builtin_clz((unsigned)domain); }
static bool may_be_empty(int cell) { return domains[cell] & 1 << EMPTY; }

/* The set of the values from low to high. */
static int between(int low, int high) {
    if (low < 0) low = 0;
    if (high > VALUES - 1) high = VALUES - 1;
    return low > high ? 0 : (2 << high) - (1 << low);
}

/* Words. */

/* All words that begin with `length` values, which have so many numbers and such a sum. */
static void list_words(int *word, int length, int filled, int sum) {
    if (length == SIDE) {
        if (filled != FILLED || sum != TOTAL) return;
        for (int place = 0; place < SIDE; place++) {
            words[word_count][place] = word[place];
            allowed[place][1 << word[place]][word_count / BITS] |= (uint64_t)1 << word_count % BITS;
        }
        word_count++;
        return;
    }
    for (int value = 0; value < VALUES; value++) {
        int count = 0;
        for (int place = 0; place < length; place++) count += word[place] == value;
        if (value != EMPTY && (count == value || filled == FILLED || sum + value > TOTAL)) continue;
        word[length] = value;
        list_words(word, length + 1, filled + (value != EMPTY), sum + value);
    }
}

static void make_words(void) {
    int word[SIDE];
    list_words(word, 0, 0, 0);
    for (int place = 0; place < SIDE; place++)
        for (int domain = 1; domain < DOMAINS; domain++)
            for (int c = 0; c < CHUNKS && !single(domain); c++)
                allowed[place][domain][c] =
                    allowed[place][domain & (domain - 1)][c] | allowed[place][domain & -domain][c];
}

/* Keeps the words whose first number, from the front or from the back, is this one. */
static void keep_words(Line *line, int number, bool from_front) {
    for (int w = 0; w < word_count; w++) {
        int place = 0;
        while (!words[w][from_front ? place : SIDE - 1 - place]) place++;
        if (words[w][from_front ? place : SIDE - 1 - place] != number)
            line->words[w / BITS] &= ~((uint64_t)1 << w % BITS);
    }
}

/* Domains. */

/* Restricts a cell to the allowed values; false if none is left. */
static bool keep(int cell, int kept) {
    int before = domains[cell];
    kept &= before;
    if (kept == before) return true;
    if (trail_length == trail_room) {
        trail_room = trail_room ? 2 * trail_room : 1024;
        trail = grow(trail, trail_room, sizeof *trail);
    }
    trail[trail_length++] = (Change){cell, before};
    domains[cell] = kept;
    propagations += (uint64_t)size(before ^ kept);
    changed = true;
    for (int p = first_place[cell]; p < first_place[cell + 1]; p++)
        stale[places[p].row] = stale[places[p].column] = true;
    return kept;
}

static void undo(size_t mark) {
    while (trail_length > mark) {
        trail_length--;
        domains[trail[trail_length].cell] = trail[trail_length].before;
    }
}

/* Propagation: each function applies one rule, and returns false on a contradiction. */

/* Each row and column of a window is a word. */
static bool spells_word(const Line *line) {
    uint64_t left[CHUNKS];
    int live[CHUNKS], count = 0; /* the machine words that are not 0 */
    for (int c = 0; c < CHUNKS; c++) {
        uint64_t chunk = line->words[c];
        for (int place = 0; place < SIDE; place++) chunk &= allowed[place][domains[line->cells[place]]][c];
        left[c] = chunk;
        if (chunk) live[count++] = c;
    }
    if (!count) return false;
    for (int place = 0; place < SIDE; place++) {
        int cell = line->cells[place], kept = 0, domain = domains[cell];
        if (single(domain)) continue;
        for (int rest = domain; rest; rest &= rest - 1) {
            const uint64_t *with = allowed[place][rest & -rest];
            int i = 0;
            while (i < count && !(left[live[i]] & with[live[i]])) i++;
            if (i < count) kept |= rest & -rest;
        }
        keep(cell, kept);
    }
    return true;
}

/* Each window holds every number k exactly k times. */
static bool has_numbers(const Line *rows) {
    for (int k = 1; k < VALUES; k++) {
        int placed = 0, possible = 0;
        for (int i = 0; i < SIDE * SIDE; i++) {
            int domain = domains[rows[i / SIDE].cells[i % SIDE]];
            possible += domain >> k & 1;
            placed += domain == 1 << k;
        }
        if (placed > k || possible < k) return false;
        if (placed < k && k < possible) continue;
        for (int i = 0; i < SIDE * SIDE; i++) {
            int cell = rows[i / SIDE].cells[i % SIDE];
            int domain = domains[cell];
            if (domain >> k & 1 && !single(domain)) keep(cell, placed == k ? ~(1 << k) : 1 << k);
        }
    }
    return true;
}

/* No 2x2 block is completely filled. */
static bool no_block_filled(void) {
    for (int corner = 0; corner < n - width; corner++) {
        if (corner % width == width - 1) continue;
        int block[4] = {corner, corner + 1, corner + width, corner + width + 1};
        int filled = 0, last = block[0];
        for (int i = 0; i < 4; i++) {
            if (may_be_empty(block[i]))
                last = block[i];
            else
                filled++;
        }
        if (filled >= 3 && !keep(last, 1 << EMPTY)) return false;
    }
    return true;
}

/* Marks the cells to which a path leads from one that is filled, through cells that may be filled. */
static void flood(void) {
    int start = 0, length = 0;
    while (start < n && may_be_empty(start)) start++;
    for (int cell = 0; cell < n; cell++) reached[cell] = start == n;
    if (start == n) return;
    reached[stack[length++] = start] = true;
    while (length) {
        int cell = stack[--length], row = cell / width, column = cell % width;
        int beside[4] = {row > 0 ? cell - width : -1, row < height - 1 ? cell + width : -1,
                         column > 0 ? cell - 1 : -1, column < width - 1 ? cell + 1 : -1};
        for (int i = 0; i < 4; i++)
            if (beside[i] >= 0 && !reached[beside[i]] && domains[beside[i]] != 1 << EMPTY)
                reached[stack[length++] = beside[i]] = true;
    }
}

/* All filled cells are connected along edges. */
static bool connected(void) {
    flood();
    for (int cell = 0; cell < n; cell++)
        if (!reached[cell] && !keep(cell, 1 << EMPTY)) return false;
    return true;
}

/* The first filled cell that is met from outside holds the number. */
static bool shows_first(const Segment *segment) {
    int first = -1, candidates = 0;
    for (int i = 0; i < segment->count; i++) {
        int cell = segment->cells[i];
        if (domains[cell] >> segment->number & 1 && !candidates++) first = i;
        if (!may_be_empty(cell)) break;
    }
    if (!candidates) return false;
    for (int i = 0; i < first; i++) keep(segment->cells[i], 1 << EMPTY);
    return keep(segment->cells[first], 1 << segment->number | (candidates > 1 ? 1 << EMPTY : 0));
}

/* The cells sum to the total. */
static bool adds_up(const Segment *segment) {
    int low = 0, high = 0;
    for (int i = 0; i < segment->count; i++) {
        low += least(domains[segment->cells[i]]);
        high += most(domains[segment->cells[i]]);
    }
    if (segment->number < low || segment->number > high) return false;
    for (int i = 0; i < segment->count; i++) {
        int domain = domains[segment->cells[i]];
        int kept = between(segment->number - high + most(domain), segment->number - low + least(domain));
        if (!keep(segment->cells[i], kept)) return false;
    }
    return true;
}

/* One round of all rules. */
static bool narrow(void) {
    for (int i = 0; i < line_count; i++) {
        if (stale[i] && !spells_word(&lines[i])) return false;
        stale[i] = false;
    }
    for (int w = 0; w < window_count; w++)
        if (!has_numbers(&lines[2 * SIDE * w])) return false;
    if (!no_block_filled() || !connected()) return false;
    for (int i = 0; i < segment_count; i++)
        if (!(segments[i].is_sum ? adds_up : shows_first)(&segments[i])) return false;
    return true;
}

/* Repeats rounds until nothing changes. */
static bool fixpoint(void) {
    do {
        changed = false;
        if (!narrow()) {
            /* Nor is any line where the search backs up to. */
            memset(stale, 0, (size_t)line_count * sizeof *stale);
            return false;
        }
    } while (changed);
    return true;
}

/* Search. */

static int undecided(void) {
    int count = 0;
    for (int cell = 0; cell < n; cell++) count += !single(domains[cell]);
    return count;
}

static void report(int64_t *values) {
    for (int cell = 0; cell < n; cell++) values[cell] = least(domains[cell]);
    solution(values, (size_t)n);
}

/* How many cells around one, diagonal ones too, are known to be filled or empty. */
static int known_around(int cell) {
    int count = 0, row = cell / width, column = cell % width;
    for (int r = row ? row - 1 : 0; r <= row + 1 && r < height; r++)
        for (int c = column ? column - 1 : 0; c <= column + 1 && c < width; c++)
            count += domains[r * width + c] == 1 << EMPTY || !may_be_empty(r * width + c);
    return count;
}

/* A cell to branch on, and what of its domain to try, in the order of the seed; no cell if all is decided. */
static Choice next_choice(void) {
    Choice choice = {.cell = -1, .mark = trail_length};
    int best = 0;
    for (int i = 0; i < n; i++) {
        int cell = sequence[i], domain = domains[cell];
        if (single(domain)) continue;
        /* Positive where it is not known whether the cell is filled, as such cells come first. */
        int worth = may_be_empty(cell) ? known_around(cell) + 1 : -size(domain);
        if (choice.cell >= 0 && worth <= best) continue;
        choice.cell = cell;
        best = worth;
    }
    if (choice.cell < 0) return choice;
    int domain = domains[choice.cell];
    if (best > 0) {
        choice.options[choice.count++] = 1 << EMPTY;
        choice.options[choice.count++] = domain & ~(1 << EMPTY);
        return choice;
    }
    for (int rest = domain; rest; rest &= rest - 1) choice.options[choice.count++] = rest & -rest;
    shuffle(choice.options, choice.count);
    return choice;
}

/* Reports every solution below the domains as they are. */
static void search(int64_t *values) {
    Choice *choices = allocate((size_t)n + 1, sizeof *choices);
    int depth = 0;
    choices[0] = next_choice();
    if (choices[0].cell < 0) report(values);
    while (depth >= 0 && !done()) {
        Choice *choice = &choices[depth];
        undo(choice->mark);
        if (choice->next == choice->count) {
            depth--;
            continue;
        }
        branches++;
        uint64_t before = propagations;
        keep(choice->cell, choice->options[choice->next++]);
        propagations = before; /* What a branch removes is not counted. */
        if (!fixpoint()) {
            failures++;
            continue;
        }
        choices[depth + 1] = next_choice();
        if (choices[depth + 1].cell < 0)
            report(values);
        else
            depth++;
    }
}

/* Row by row. */

static int *row_sum, *column_sum;       /* of the whole grid, so far */
static int (*placed)[VALUES];           /* by window: how often each number was placed so far */

/* Adds the value of a cell to counts and sums of its lines and windows, or with sign -1 takes it away. */
static void add_value(int cell, int sign) {
    int value = least(domains[cell]);
    if (value == EMPTY) return;
    row_sum[cell / width] += sign * value;
    column_sum[cell % width] += sign * value;
    for (const Place *place = places + first_place[cell]; place < places + first_place[cell + 1]; place++) {
        placed[place->window][value] += sign;
        lines[place->row].filled += sign;
        lines[place->row].sum += sign * value;
        lines[place->column].filled += sign;
        lines[place->column].sum += sign * value;
    }
}

/* Whether a line can have four numbers that sum to 20 with this value and so many cells after it. */
static bool can_go_on(const Line *line, int value, int rest) {
    int more = FILLED - line->filled - (value != EMPTY), missing = TOTAL - line->sum - value;
    return 0 <= more && more <= rest && more <= missing && missing <= (VALUES - 1) * more;
}

/* Whether the clues at both ends of a row or column allow a value in a cell, with the sum of those before. */
static bool fits_clues(int start, int end, int sum, int value, int cell, int step, bool complete) {
    if (!start && !end) return true;
    if (value && !sum && start && start < VALUES && start != value) return false;
    sum += value;
    if (start >= VALUES && (sum > start || (complete && sum < start))) return false;
    if (end >= VALUES && (sum > end || (complete && sum < end))) return false;
    if (!complete || !sum) return !complete;
    while (!value) value = least(domains[cell -= step]);
    return !end || end >= VALUES || end == value;
}

/* Whether the rules allow a value in a cell, all cells before it and none after it being filled. */
static bool fits(int cell, int value) {
    for (const Place *place = places + first_place[cell]; place < places + first_place[cell + 1]; place++)
        if ((value && placed[place->window][value] == value) ||
            !can_go_on(&lines[place->row], value, place->right) ||
            !can_go_on(&lines[place->column], value, place->below))
            return false;
    int row = cell / width, column = cell % width;
    if (value && row && column && !may_be_empty(cell - 1) && !may_be_empty(cell - width) &&
        !may_be_empty(cell - width - 1))
        return false;
    bool row_ends = column == width - 1, column_ends = row == height - 1;
    return fits_clues(clues[LEFT][row], clues[RIGHT][row], row_sum[row], value, cell, 1, row_ends) &&
           fits_clues(clues[TOP][column], clues[BOTTOM][column], column_sum[column], value, cell, width,
                      column_ends);
}

static bool all_connected(void) {
    flood();
    for (int cell = 0; cell < n; cell++)
        if (!may_be_empty(cell) && !reached[cell]) return false;
    return true;
}

/* Reports every solution, filling the cells in reading order. */
static void row_by_row(int64_t *values) {
    Choice *choices = allocate((size_t)n, sizeof *choices);
    row_sum = allocate((size_t)height, sizeof *row_sum);
    column_sum = allocate((size_t)width, sizeof *column_sum);
    placed = allocate((size_t)window_count, sizeof *placed);
    for (int cell = 0; cell < n; cell++) {
        for (int rest = domains[cell]; rest; rest &= rest - 1)
            choices[cell].options[choices[cell].count++] = rest & -rest;
        shuffle(choices[cell].options, choices[cell].count);
    }
    int cell = 0;
    while (cell >= 0 && !done()) {
        Choice *choice = &choices[cell];
        if (choice->next == choice->count) {
            choice->next = 0;
            if (--cell >= 0) add_value(cell, -1);
            continue;
        }
        branches++;
        int value = choice->options[choice->next++];
        if (!fits(cell, least(value))) {
            failures++;
            continue;
        }
        domains[cell] = value;
        if (cell < n - 1)
            add_value(cell++, 1);
        else if (all_connected())
            report(values);
        else
            failures++;
    }
}

/* Input. */

/* The lines of the windows, and for each cell those that it is on. */
static void make_lines(void) {
    line_count = 2 * SIDE * window_count;
    lines = allocate((size_t)line_count, sizeof *lines);
    stale = allocate((size_t)line_count, sizeof *stale);
    places = allocate((size_t)window_count * SIDE * SIDE, sizeof *places);
    first_place = allocate((size_t)n + 1, sizeof *first_place);
    int count_places = 0;
    for (int cell = 0; cell < n; cell++) {
        first_place[cell] = count_places;
        for (int w = 0; w < window_count; w++) {
            int down = cell / width - corners[w][0], across = cell % width - corners[w][1];
            if (down < 0 || down >= SIDE || across < 0 || across >= SIDE) continue;
            int row = 2 * SIDE * w + down, column = 2 * SIDE * w + SIDE + across;
            lines[row].cells[across] = lines[column].cells[down] = cell;
            places[count_places++] = (Place){w, row, column, SIDE - 1 - across, SIDE - 1 - down};
        }
    }
    first_place[n] = count_places;
    for (int i = 0; i < line_count; i++) {
        stale[i] = true;
        for (int w = 0; w < word_count; w++) lines[i].words[w / BITS] |= (uint64_t)1 << w % BITS;
    }
}

/* The cells of a row or column of the grid as one meets them from a side. */
static int *cells_from(int side, int number, int length) {
    int *cells = allocate((size_t)length, sizeof *cells);
    bool is_column = side == TOP || side == BOTTOM;
    for (int i = 0; i < length; i++) {
        int at = side == TOP || side == LEFT ? i : length - 1 - i;
        cells[i] = is_column ? at * width + number : number * width + at;
    }
    return cells;
}

static void add_segment(int *cells, int count, int number, bool is_sum) {
    segments = grow(segments, (size_t)segment_count + 1, sizeof *segments);
    segments[segment_count++] = (Segment){cells, count, number, is_sum};
}

/* Takes in a clue: the words of window lines at its end, or segments. */
static void add_clue(int side, int number, int clue) {
    bool is_row = side == LEFT || side == RIGHT, from_front = side == TOP || side == LEFT, applied = false;
    int length = is_row ? width : height;
    int *cells = cells_from(side, number, length);
    for (int w = 0; w < window_count; w++) {
        int line_number = number - corners[w][!is_row], start = corners[w][is_row];
        if (line_number < 0 || line_number >= SIDE) continue;
        Line *line = &lines[2 * SIDE * w + (is_row ? 0 : SIDE) + line_number];
        if (clue < VALUES) {
            if (line->cells[from_front ? 0 : SIDE - 1] != cells[0]) continue;
            keep_words(line, clue, from_front);
        } else {
            int *rest = cells_from(from_front ? side : side - 1, number, length);
            memmove(rest + start, rest + start + SIDE, (size_t)(length - start - SIDE) * sizeof *rest);
            add_segment(rest, length - SIDE, clue - TOTAL, true);
        }
        applied = true;
    }
    if (!applied) add_segment(cells, length, clue, clue >= VALUES);
}

int main(void) {
    read_request();
    bool propagate = read_integer("the formulation", 0, 1) == 1;
    height = (int)read_integer("the height", SIDE, 1000);
    width = (int)read_integer("the width", SIDE, 1000);
    n = height * width;
    window_count = (int)read_integer("the number of windows", 1, (height - SIDE + 1) * (width - SIDE + 1));
    corners = allocate((size_t)window_count, sizeof *corners);
    for (int w = 0; w < window_count; w++) {
        corners[w][0] = (int)read_integer("the row of a window", 0, height - SIDE);
        corners[w][1] = (int)read_integer("the column of a window", 0, width - SIDE);
    }
    domains = allocate((size_t)n, sizeof *domains);
    sequence = allocate((size_t)n, sizeof *sequence);
    reached = allocate((size_t)n, sizeof *reached);
    stack = allocate((size_t)n, sizeof *stack);
    for (int cell = 0; cell < n; cell++) {
        int given = (int)read_integer("a given number", 0, VALUES - 1);
        domains[cell] = given ? 1 << given : DOMAINS - 1;
        sequence[cell] = cell;
    }
    shuffle(sequence, n);
    for (int side = TOP; side <= RIGHT; side++) {
        int length = side == TOP || side == BOTTOM ? width : height;
        clues[side] = allocate((size_t)length, sizeof *clues[side]);
        for (int i = 0; i < length; i++) clues[side][i] = (int)read_integer("a clue", 0, 10000);
    }
    read_end();

    if (propagate) make_words();
    make_lines();
    for (int side = TOP; side <= RIGHT && propagate; side++)
        for (int i = 0; i < (side == TOP || side == BOTTOM ? width : height); i++)
            if (clues[side][i]) add_clue(side, i, clues[side][i]);

    bool consistent = !propagate || fixpoint();
    int64_t *values = allocate((size_t)n, sizeof *values);
    root(n, undecided());
    if (consistent) (propagate ? search : row_by_row)(values);
    return finish();
}
