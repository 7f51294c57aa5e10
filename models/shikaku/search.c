/* Shikaku by search: an exact cover.

   Each cell is to lie in one of the rectangles that hold one clue, and as many cells as that says.

   Propagates, until nothing changes:
   - rectangles that share a cell with one that is chosen are removed;
   - the last rectangle of a cell is chosen. If a cell has none left, it gains weight.

   Branches on the cell with the fewest rectangles for its weight (Boussemart, Hemery, Lecoutre and Sais,
   2004): chooses a rectangle of it, then removes that. */

#include "../shared/program.h"

enum { NONE = -1, ANY_AREA = -1 };

typedef struct {
    int clue, top, left, bottom, right; /* borders are inside */
} Rectangle;

static int height, width, cells;
static int *number;          /* of each cell */
static Rectangle *rectangles;
static size_t rectangle_count, rectangle_room;

static size_t *first_holder; /* of each cell, among the holders; one more at the end */
static int *holders;         /* the rectangles that hold the cell */

static bool *alive;          /* of each rectangle, whether it is not removed */
static int *left_count;      /* of each cell, how many of its rectangles are alive */
static int *chosen;          /* of each cell, its rectangle, or NONE */
static uint64_t *weight;     /* of each cell */
static int *order;           /* cells, in the order in which equal ones are branched on */

static int *trail;           /* what to undo: a rectangle that was removed, or ~ one that was chosen */
static size_t trail_length;
static int *single;          /* cells with one rectangle left, of which nothing has followed yet */
static size_t single_count;

#define FOR_CELLS(cell, rectangle)                                                        \
    for (int row_ = (rectangle).top, cell; row_ <= (rectangle).bottom; row_++)            \
        for (cell = row_ * width + (rectangle).left; cell <= row_ * width + (rectangle).right; cell++)

/* ---- The rectangles ---- */

static void add_rectangle(Rectangle rectangle) {
    if (rectangle_count == rectangle_room) {
        rectangle_room = 2 * rectangle_room + 64;
        rectangles = grow(rectangles, rectangle_room, sizeof *rectangles);
    }
    if (rectangle_count == INT_MAX) fail("the grid has too many rectangles");
    rectangles[rectangle_count++] = rectangle;
}

/* Whether no cell of a column between two rows has a clue. */
static bool is_free(int column, int from, int to) {
    for (int row = from; row <= to; row++)
        if (number[row * width + column]) return false;
    return true;
}

/* Adds the rectangles of a clue: rows above and below it, then columns on both sides. */
static void find_rectangles(int clue, int row, int column) {
    const int area = number[row * width + column], most = area == ANY_AREA ? cells : area;
    for (int top = row; top >= 0 && row - top < most; top--) {
        if (top < row && number[top * width + column]) break;
        for (int bottom = row; bottom < height && bottom - top < most; bottom++) {
            if (bottom > row && number[bottom * width + column]) break;
            const int rows = bottom - top + 1;
            for (int left = column; left >= 0 && rows * (column - left + 1) <= most; left--) {
                if (left < column && !is_free(left, top, bottom)) break;
                for (int right = column; right < width && rows * (right - left + 1) <= most; right++) {
                    if (right > column && !is_free(right, top, bottom)) break;
                    if (area == ANY_AREA || rows * (right - left + 1) == area)
                        add_rectangle((Rectangle){clue, top, left, bottom, right});
                }
            }
        }
    }
}

/* ---- Propagation ---- */

/* Removes a rectangle; false if a cell has none left. */
static bool drop(int which) {
    bool possible = true;
    alive[which] = false;
    trail[trail_length++] = which;
    propagations++;
    FOR_CELLS(cell, rectangles[which]) {
        if (--left_count[cell] == 0) {
            weight[cell]++;
            possible = false;
        } else if (left_count[cell] == 1 && chosen[cell] == NONE)
            single[single_count++] = cell;
    }
    return possible;
}

/* Chooses a rectangle; false if a cell has none left. */
static bool choose(int which) {
    bool possible = true;
    trail[trail_length++] = ~which;
    FOR_CELLS(cell, rectangles[which]) chosen[cell] = which;
    FOR_CELLS(cell, rectangles[which])
        for (size_t k = first_holder[cell]; k < first_holder[cell + 1] && left_count[cell] > 1; k++)
            if (holders[k] != which && alive[holders[k]]) possible &= drop(holders[k]);
    return possible;
}

/* Chooses the last rectangles of cells; false if a cell has none left, or it was not possible before. */
static bool propagate(bool possible) {
    while (possible && single_count) {
        int cell = single[--single_count];
        if (chosen[cell] != NONE) continue;
        size_t k = first_holder[cell];
        while (!alive[holders[k]]) k++;
        possible = choose(holders[k]);
    }
    single_count = 0;
    return possible;
}

static void undo(size_t length) {
    while (trail_length > length) {
        int which = trail[--trail_length];
        if (which < 0) {
            FOR_CELLS(cell, rectangles[~which]) chosen[cell] = NONE;
        } else {
            alive[which] = true;
            FOR_CELLS(cell, rectangles[which]) left_count[cell]++;
        }
    }
}

/* ---- Search ---- */

/* The cell to branch on; NONE if each has its rectangle. */
static int next_cell(void) {
    int best = NONE;
    for (int k = 0; k < cells; k++) {
        int cell = order[k];
        if (chosen[cell] == NONE &&
            (best == NONE ||
             (uint64_t)left_count[cell] * weight[best] < (uint64_t)left_count[best] * weight[cell]))
            best = cell;
    }
    return best;
}

static void report(void) {
    int64_t *values = allocate((size_t)cells, sizeof *values);
    for (int cell = 0; cell < cells; cell++) values[cell] = rectangles[chosen[cell]].clue;
    solution(values, (size_t)cells);
    free(values);
}

/* Reports every solution below a node. */
static void branch(void) {
    const size_t length = trail_length;
    bool possible = true;
    while (possible && !done()) {
        const int cell = next_cell();
        if (cell == NONE) {
            report();
            break;
        }
        size_t k = first_holder[cell], before = trail_length;
        while (!alive[holders[k]]) k++;
        branches += 2;
        if (propagate(choose(holders[k])))
            branch();
        else
            failures++;
        undo(before);
        possible = propagate(drop(holders[k]));
        failures += !possible;
    }
    undo(length);
}

/* Reads the grid, and finds its rectangles. */
static void read_instance(void) {
    height = (int)read_integer("height", 1, 10000);
    width = (int)read_integer("width", 1, 10000);
    cells = height * width;
    number = allocate((size_t)cells, sizeof *number);
    for (int cell = 0; cell < cells; cell++) number[cell] = (int)read_integer("a number", ANY_AREA, cells);
    read_end();
    for (int cell = 0, clue = 0; cell < cells; cell++)
        if (number[cell]) find_rectangles(++clue, cell / width, cell % width);
}

/* The state before propagation; false if a cell has no rectangle. */
static bool make_root(void) {
    const size_t count = rectangle_count;
    alive = allocate(count, sizeof *alive);
    trail = allocate(2 * count, sizeof *trail);
    left_count = allocate((size_t)cells, sizeof *left_count);
    chosen = allocate((size_t)cells, sizeof *chosen);
    weight = allocate((size_t)cells, sizeof *weight);
    order = allocate((size_t)cells, sizeof *order);
    single = allocate((size_t)cells, sizeof *single);
    first_holder = allocate((size_t)cells + 1, sizeof *first_holder);
    int *by_seed = allocate(count, sizeof *by_seed);
    for (size_t which = 0; which < count; which++) {
        by_seed[which] = (int)which;
        alive[which] = true;
        FOR_CELLS(cell, rectangles[which]) left_count[cell]++;
    }
    bool possible = true;
    for (int cell = 0; cell < cells; cell++) {
        order[cell] = cell;
        chosen[cell] = NONE;
        weight[cell] = 1;
        first_holder[cell + 1] = first_holder[cell] + (size_t)left_count[cell];
        possible &= left_count[cell] > 0;
        if (left_count[cell] == 1) single[single_count++] = cell;
    }
    shuffle(by_seed, (int)count);
    shuffle(order, cells);
    holders = allocate(first_holder[cells], sizeof *holders);
    size_t *end = allocate((size_t)cells, sizeof *end);
    for (int cell = 0; cell < cells; cell++) end[cell] = first_holder[cell];
    for (size_t k = 0; k < count; k++) FOR_CELLS(cell, rectangles[by_seed[k]]) holders[end[cell]++] = by_seed[k];
    free(by_seed);
    free(end);
    return possible;
}

static int undecided(void) {
    int count = 0;
    for (size_t which = 0; which < rectangle_count; which++)
        count += alive[which] && chosen[rectangles[which].top * width + rectangles[which].left] == NONE;
    return count;
}

int main(void) {
    read_request();
    read_instance();
    bool possible = propagate(make_root());
    root((int)rectangle_count, possible ? undecided() : 0);
    if (possible) branch();
    return finish();
}
