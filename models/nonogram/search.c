/* Nonogram by search: lines are solved, cells are tried, and one is branched on where that is not enough.

   A cell keeps a value if it has it in some filling of its line that has the clue and, in each cell, a value
   that is left. A line is looked at again if a cell of it lost a value. At the root, values that this refutes
   on trial are removed. Branches on the cell whose lines failed most often, of equal ones on that with the
   fewest open cells in them. */

#include "../shared/program.h"

#include <string.h>

enum { EMPTY = 1, FILLED = 2, OPEN = EMPTY | FILLED }; /* the values that a cell can have, as bits */

typedef struct {
    int first, step, length; /* its first cell, from one cell to the next, and how many there are */
    int crossing;            /* the first of the lines that cross it */
    int count, slack;        /* how many blocks it has, -1 without a clue, and by how much they can move */
    int *blocks;             /* their lengths */
} Line;

static int height, width, cells, line_count;
static Line *lines;
static int *order; /* cells, in the order of the seed */

static unsigned char *can; /* of each cell */
static size_t bytes;       /* of that */

static int *queue, queue_first, queue_count; /* lines to be looked at */
static bool *waiting;                        /* of each line, whether it is there */

/* In solve(). A place is that of a cell in the line; behind the last cell there is an empty one. */
static int *run;               /* of each place, how many cells from there on can be filled */
static bool *ahead, *behind;   /* of each number of blocks and each move: see there */
static unsigned char *support; /* of each place */

static int *left;        /* of each line, how many cells are open */
static uint64_t *failed; /* and how often it had no filling */

/* ---- Lines ---- */

static bool can_be_empty(const Line *line, int place) {
    return place == line->length || can[line->first + place * line->step] & EMPTY;
}

/* Finds the values of each cell in the fillings of a line that have the clue; false if there is none.

   Before block b, the cells up to the place first + move can hold the blocks before it (ahead), and those from
   there on block b and the ones behind it (behind), where the first of each is as far left as can be. A block
   takes the empty cell behind it with it. */
static bool solve(const Line *line) {
    const int n = line->length, moves = line->slack + 1;
    run[n] = 0;
    for (int place = n - 1; place >= 0; place--)
        run[place] = can[line->first + place * line->step] & FILLED ? run[place + 1] + 1 : 0;
    memset(ahead, false, (size_t)((line->count + 1) * moves));
    ahead[0] = true;
    int first = 0;
    for (int b = 0; b <= line->count; b++) {
        bool *here = ahead + b * moves, *next = here + moves;
        int size = b < line->count ? line->blocks[b] : n + 1;
        for (int move = 0; move < moves; move++) {
            if (!here[move]) continue;
            int place = first + move;
            if (move + 1 < moves && can_be_empty(line, place)) here[move + 1] = true;
            if (run[place < n ? place : n] >= size && can_be_empty(line, place + size)) next[move] = true;
        }
        first += size + 1;
    }
    if (!ahead[line->count * moves + moves - 1]) return false;

    memset(support, 0, (size_t)n + 1);
    memset(behind, false, (size_t)((line->count + 1) * moves));
    behind[line->count * moves + moves - 1] = true;
    first = n + 1 - line->slack;
    for (int b = line->count; b >= 0; b--) {
        bool *here = behind + b * moves, *next = here + moves;
        int size = b < line->count ? line->blocks[b] : n + 1;
        if (b < line->count) first -= size + 1;
        int filled_from = n + 1; /* what is right of it is marked already */
        for (int move = moves - 1; move >= 0; move--) {
            if (!ahead[b * moves + move]) continue;
            int place = first + move;
            if (move + 1 < moves && here[move + 1] && can_be_empty(line, place)) {
                here[move] = true;
                support[place] |= EMPTY;
            }
            if (b == line->count || !next[move] || run[place < n ? place : n] < size) continue;
            if (!can_be_empty(line, place + size)) continue;
            here[move] = true;
            support[place + size] |= EMPTY;
            int end = place + size < filled_from ? place + size : filled_from;
            for (int at = place; at < end; at++) support[at] |= FILLED;
            filled_from = place;
        }
    }
    return true;
}

static void enqueue(int line) {
    if (waiting[line]) return;
    waiting[line] = true;
    queue[(queue_first + queue_count++) % line_count] = line;
}

/* Solves the lines that wait, and those that cross them where a cell has lost a value; false on a
   contradiction. */
static bool narrow(void) {
    bool possible = true;
    while (queue_count) {
        int number = queue[queue_first];
        const Line *line = &lines[number];
        queue_first = (queue_first + 1) % line_count;
        queue_count--;
        waiting[number] = false;
        if (!possible || line->count < 0) continue;
        possible = solve(line);
        failed[number] += !possible;
        for (int value = EMPTY; possible && value <= FILLED; value++)
            for (int place = 0; place < line->length; place++) {
                unsigned char *cell = can + line->first + place * line->step;
                if (!(*cell & value) || support[place] & value) continue;
                *cell &= (unsigned char)~value;
                propagations++;
                enqueue(line->crossing + place);
            }
    }
    return possible;
}

/* Gives a cell a value, and propagates; false on a contradiction. */
static bool decide(int cell, int value) {
    can[cell] = (unsigned char)value;
    enqueue(cell / width);
    enqueue(height + cell % width);
    return narrow();
}

/* Removes each value that this refutes on trial, until none is; false on a contradiction. */
static bool shave(unsigned char *before) {
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < cells && !interrupted; i++)
            for (int value = EMPTY; value <= FILLED; value++) {
                if (can[order[i]] != OPEN) continue;
                memcpy(before, can, bytes);
                bool possible = decide(order[i], value);
                memcpy(can, before, bytes);
                if (possible) continue;
                if (!decide(order[i], OPEN ^ value)) return false;
                changed = true;
            }
    }
    return true;
}

/* ---- Search ---- */

/* The first of the cells whose lines failed most often, then with the fewest open cells in these; -1 if none is
   open. */
static int choice(void) {
    memset(left, 0, (size_t)line_count * sizeof *left);
    for (int cell = 0; cell < cells; cell++)
        if (can[cell] == OPEN) {
            left[cell / width]++;
            left[height + cell % width]++;
        }
    int best = -1, best_left = 0;
    uint64_t best_failed = 0;
    for (int i = 0; i < cells; i++) {
        if (can[order[i]] != OPEN) continue;
        int row = order[i] / width, column = height + order[i] % width, count = left[row] + left[column];
        uint64_t failures_here = failed[row] + failed[column];
        bool better = failures_here > best_failed || (failures_here == best_failed && count < best_left);
        if (best >= 0 && !better) continue;
        best = order[i];
        best_left = count;
        best_failed = failures_here;
    }
    return best;
}

static void report(void) {
    static int64_t *values;
    if (!values) values = allocate((size_t)cells, sizeof *values);
    for (int cell = 0; cell < cells; cell++) values[cell] = can[cell] == FILLED;
    solution(values, (size_t)cells);
}

typedef struct {
    int cell, tried; /* where it branches, and how many values were tried */
    unsigned char *can;
} Node;

/* Reports every solution, when propagation at the root is done. */
static void search(void) {
    Node *nodes = allocate((size_t)cells + 1, sizeof *nodes);
    int depth = -1;
    bool possible = true; /* of the node that was reached last */
    while (!done()) {
        int cell = possible ? choice() : -1;
        if (possible && cell < 0) report();
        if (cell >= 0) {
            Node *node = &nodes[++depth];
            if (!node->can) node->can = allocate(bytes, 1);
            memcpy(node->can, can, bytes);
            node->cell = cell;
            node->tried = 0;
        }
        while (depth >= 0 && nodes[depth].tried == 2) depth--;
        if (depth < 0) return;
        Node *node = &nodes[depth];
        memcpy(can, node->can, bytes);
        branches++;
        possible = decide(node->cell, node->tried++ ? EMPTY : FILLED);
        failures += !possible;
    }
}

/* ---- Input ---- */

static void read_line(int number) {
    Line *line = &lines[number];
    bool row = number < height;
    *line = row ? (Line){number * width, 1, width, height, 0, 0, NULL}
                : (Line){number - height, width, height, 0, 0, 0, NULL};
    line->count = (int)read_integer("the number of blocks", -1, line->length);
    line->blocks = allocate(line->count > 0 ? (size_t)line->count : 0, sizeof *line->blocks);
    line->slack = line->length + 1;
    for (int b = 0; b < line->count; b++) {
        line->blocks[b] = (int)read_integer("the length of a block", 1, line->length);
        line->slack -= line->blocks[b] + 1;
    }
    if (line->slack < 0) fail("the blocks of line %d need more cells than it has", number);
}

int main(void) {
    read_request();
    height = (int)read_integer("the height", 1, 10000);
    width = (int)read_integer("the width", 1, 10000);
    cells = height * width;
    line_count = height + width;
    bytes = (size_t)cells;
    lines = allocate((size_t)line_count, sizeof *lines);
    size_t longest = (size_t)(height > width ? height : width) + 2, states = 0;
    for (int line = 0; line < line_count; line++) {
        read_line(line);
        size_t needed = (size_t)(lines[line].count + 1) * (size_t)(lines[line].slack + 1);
        if (lines[line].count >= 0 && needed > states) states = needed;
    }
    read_end();

    can = allocate(bytes, 1);
    memset(can, OPEN, bytes);
    order = allocate(bytes, sizeof *order);
    for (int cell = 0; cell < cells; cell++) order[cell] = cell;
    shuffle(order, cells);
    queue = allocate((size_t)line_count, sizeof *queue);
    waiting = allocate((size_t)line_count, sizeof *waiting);
    left = allocate((size_t)line_count, sizeof *left);
    failed = allocate((size_t)line_count, sizeof *failed);
    run = allocate(longest, sizeof *run);
    support = allocate(longest, 1);
    ahead = allocate(states, sizeof *ahead);
    behind = allocate(states, sizeof *behind);
    unsigned char *before = allocate(bytes, 1);

    for (int line = 0; line < line_count; line++) enqueue(line);
    bool possible = narrow() && shave(before);
    int undecided = 0;
    for (int cell = 0; cell < cells; cell++) undecided += can[cell] == OPEN;
    root(cells, undecided);
    if (possible) search();
    return finish();
}
