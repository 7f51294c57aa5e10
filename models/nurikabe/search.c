/* Nurikabe: the search of backtrack.py.

   A state is the value of each cell, and a trail of those that were decided. propagate() repeats rounds of the rules,
   each in time linear in the cells and in what the islands reach, until nothing changes; backtracking undoes the trail.
   Cells have a border of one around the grid, which is land of no island. */

#include "program.h"

#include <string.h>

enum { OPEN = -1, LAND = 0, SEA = 1 };

static int height, width, stride, size, cells; /* cells: with the border */
static int *inner;                             /* the cells of the grid, in the order of the seed */
static int near_[4], block_[4];
static int islands;
static int *number, *root_of; /* of an island: its size, 0 if unknown, and its cell */
static signed char *value;
static int *trail, decided;
static int least_land, least_sea;

/* Work: of a land cell its island, NONE if it is joined to no number. */
enum { NONE = -1, MANY = -2, FIXED = -3 };
static int *part, *coast; /* coast: the island that an open cell is beside, MANY if several */
static int *part_size, *queue, *steps, *mark;
static bool *inside;
static int marks;

static bool set(int cell, int wanted_value) {
    if (value[cell] != OPEN) return value[cell] == wanted_value;
    value[cell] = (signed char)wanted_value;
    trail[decided++] = cell;
    return true;
}

static bool in_grid(int cell) { return part[cell] != FIXED; }

/* Collects in the queue the cells of one value that are connected with a cell; returns how many.
   `exit` is the only open cell beside them that can have that value, NONE if there is none, MANY if several. */
static int collect(int cell, int kind, int label, int *exit) {
    int end = 0;
    queue[end++] = cell;
    mark[cell] = label;
    *exit = NONE;
    for (int at = 0; at < end; at++)
        for (int d = 0; d < 4; d++) {
            int next = queue[at] + near_[d];
            if (!in_grid(next)) continue;
            if (value[next] == kind) {
                if (mark[next] != label) mark[next] = label, queue[end++] = next;
            } else if (value[next] == OPEN) {
                bool fits = kind == SEA || coast[next] != MANY;
                if (fits && *exit != next) *exit = *exit == NONE ? next : MANY;
            }
        }
    return end;
}

/* One round of the rules of islands. */
static bool propagate_islands(void) {
    for (int k = 0; k < size; k++) {
        int cell = inner[k];
        part[cell] = coast[cell] = NONE;
        inside[cell] = false;
    }
    /* The part of the land that each number is in, and the cells beside it. */
    for (int island = 0; island < islands; island++) {
        int end = 0;
        if (part[root_of[island]] != NONE) return false;
        queue[end++] = root_of[island];
        part[root_of[island]] = island;
        for (int at = 0; at < end; at++)
            for (int d = 0; d < 4; d++) {
                int next = queue[at] + near_[d];
                if (!in_grid(next)) continue;
                if (value[next] == LAND) {
                    if (part[next] == NONE) part[next] = island, queue[end++] = next;
                } else {
                    coast[next] = coast[next] == NONE || coast[next] == island ? island : MANY;
                }
            }
        part_size[island] = end;
        if (number[island] && end > number[island]) return false;
    }
    for (int k = 0; k < size; k++)
        if (coast[inner[k]] == MANY && !set(inner[k], SEA)) return false;
    /* Land without a number has to grow. */
    for (int k = 0, seen = ++marks, only = NONE; k < size && only < 0; k++)
        if (value[inner[k]] == LAND && part[inner[k]] == NONE && mark[inner[k]] != seen) {
            collect(inner[k], LAND, seen, &only);
            if (only == NONE) return false;
            if (only >= 0 && !set(only, LAND)) return false; /* The land is another then. */
        }
    for (int island = 0; island < islands; island++) {
        /* What it reaches, the part first; neither beside another island nor in it. */
        int end = 0, most = number[island] ? number[island] - part_size[island] : size, exits = 0, last = NONE;
        int label = ++marks;
        queue[end++] = root_of[island];
        mark[root_of[island]] = label;
        for (int at = 0; at < end; at++)
            for (int d = 0; d < 4; d++) {
                int next = queue[at] + near_[d];
                if (in_grid(next) && part[next] == island && mark[next] != label) mark[next] = label, queue[end++] = next;
            }
        for (int at = 0; at < end; at++) steps[queue[at]] = 0;
        for (int at = 0; at < end; at++) {
            int cell = queue[at];
            inside[cell] = true;
            if (steps[cell] == most && number[island] != part_size[island]) continue;
            for (int d = 0; d < 4; d++) {
                int next = cell + near_[d];
                if (!in_grid(next) || mark[next] == label || value[next] == SEA) continue;
                if (number[island] == part_size[island]) {
                    if (!set(next, SEA)) return false;
                    continue;
                }
                if (coast[next] == MANY || (coast[next] != NONE && coast[next] != island)) continue;
                if (!steps[cell]) exits++, last = next;
                mark[next] = label;
                steps[next] = steps[cell] + 1;
                queue[end++] = next;
            }
        }
        if (!number[island] || number[island] == part_size[island]) continue;
        if (end < number[island]) return false;
        if (end == number[island])
            for (int at = 0; at < end; at++)
                if (!set(queue[at], LAND)) return false;
        if (exits == 1 && !set(last, LAND)) return false;
    }
    /* No other cell is land. */
    for (int k = 0; k < size; k++)
        if (!inside[inner[k]] && !set(inner[k], SEA)) return false;
    return true;
}

/* One round of the rules of the sea, and of the numbers of cells. */
static bool propagate_sea(void) {
    int sea = 0, land = 0, first = NONE;
    for (int k = 0; k < size; k++) {
        int cell = inner[k], held = 0, open = NONE;
        for (int b = 0; b < 4; b++) {
            int other = cell + block_[b];
            if (value[other] == SEA) held++;
            else if (value[other] == OPEN) open = other;
        }
        if (held == 4 || (held == 3 && open != NONE && !set(open, LAND))) return false;
    }
    for (int k = 0; k < size; k++) {
        if (value[inner[k]] == SEA) sea++, first = inner[k];
        if (value[inner[k]] == LAND) land++;
    }
    if (land > size - least_sea || sea > size - least_land) return false;
    if (first != NONE) {
        /* What the sea reaches. */
        int end = 0, label = ++marks;
        queue[end++] = first;
        mark[first] = label;
        for (int at = 0; at < end; at++)
            for (int d = 0; d < 4; d++) {
                int next = queue[at] + near_[d];
                if (in_grid(next) && value[next] != LAND && mark[next] != label) mark[next] = label, queue[end++] = next;
            }
        for (int k = 0; k < size; k++)
            if (mark[inner[k]] != label) {
                if (value[inner[k]] == OPEN) land++;
                if (!set(inner[k], LAND)) return false;
            }
        if (land > size - least_sea) return false;
        /* A part of it that is not all has to grow. */
        int seen = ++marks;
        for (int k = 0; k < size; k++)
            if (value[inner[k]] == SEA && mark[inner[k]] != seen) {
                int only, count = collect(inner[k], SEA, seen, &only);
                if (count == sea && sea >= least_sea) break;
                if (only == NONE || (only >= 0 && !set(only, SEA))) return false;
                if (only >= 0) {
                    sea++;
                    break; /* The sea is another now. */
                }
            }
    }
    if (land == size - least_sea || sea == size - least_land)
        for (int k = 0; k < size; k++)
            if (value[inner[k]] == OPEN && !set(inner[k], land == size - least_sea ? SEA : LAND)) return false;
    return true;
}

static bool propagate(void) {
    int before;
    do {
        before = decided;
        if (!propagate_islands() || !propagate_sea()) return false;
    } while (decided != before);
    return true;
}

static void undo(int mark_) {
    while (decided > mark_) value[trail[--decided]] = OPEN;
}

/* Decides each cell of which propagation refutes a value on trial. `gain`: how many cells a trial decided. */
static int *passed[2], passes;
static int *gain[2];

static bool shave(void) {
    int before;
    do {
        before = decided;
        passes++;
        for (int k = 0; k < size && !interrupted; k++)
            for (int wanted_value = 0; wanted_value < 2; wanted_value++) {
                int cell = inner[k], mark_ = decided;
                if (value[cell] != OPEN || passed[wanted_value][cell] == passes) continue;
                set(cell, wanted_value);
                bool consistent = propagate();
                if (consistent) {
                    gain[wanted_value][cell] = decided - mark_;
                    /* What is known in a consistent trial is consistent as well. */
                    for (int at = mark_; at < decided; at++) passed[(int)value[trail[at]]][trail[at]] = passes;
                }
                undo(mark_);
                if (!consistent) {
                    set(cell, 1 - wanted_value);
                    bool possible = propagate();
                    propagations += (uint64_t)(decided - mark_);
                    if (!possible) return false;
                }
            }
    } while (decided != before);
    return true;
}

static bool prune(void) {
    int mark_ = decided;
    bool possible = propagate();
    propagations += (uint64_t)(decided - mark_);
    return possible && shave();
}

static void report(void) {
    int64_t *found_values = allocate((size_t)size, sizeof *found_values);
    for (int row = 0, k = 0; row < height; row++)
        for (int column = 0; column < width; column++) found_values[k++] = value[(row + 1) * stride + column + 1];
    solution(found_values, (size_t)size);
    free(found_values);
}

static int least_gain(int cell) { return gain[0][cell] < gain[1][cell] ? gain[0][cell] : gain[1][cell]; }

static void branch(void) {
    int best = NONE;
    for (int k = 0; k < size; k++)
        if (value[inner[k]] == OPEN && (best == NONE || least_gain(inner[k]) > least_gain(best))) best = inner[k];
    if (best == NONE) {
        report();
        return;
    }
    int values[2] = {LAND, SEA};
    shuffle(values, 2);
    for (int k = 0; k < 2 && !done(); k++) {
        int mark_ = decided;
        branches++;
        set(best, values[k]);
        if (prune()) {
            if (!interrupted) branch();
        } else {
            failures++;
        }
        undo(mark_);
    }
}

static void read_instance(void) {
    height = (int)read_integer("the height", 1, 10000);
    width = (int)read_integer("the width", 1, 10000);
    stride = width + 2, size = height * width, cells = (height + 2) * stride;
    size_t n = (size_t)cells;
    inner = allocate((size_t)size, sizeof *inner);
    number = allocate((size_t)size, sizeof *number);
    root_of = allocate((size_t)size, sizeof *root_of);
    part_size = allocate((size_t)size, sizeof *part_size);
    trail = allocate((size_t)size, sizeof *trail);
    value = allocate(n, sizeof *value);
    part = allocate(n, sizeof *part);
    coast = allocate(n, sizeof *coast);
    queue = allocate(n, sizeof *queue);
    steps = allocate(n, sizeof *steps);
    mark = allocate(n, sizeof *mark);
    inside = allocate(n, sizeof *inside);
    for (int v = 0; v < 2; v++) {
        passed[v] = allocate(n, sizeof *passed[v]);
        gain[v] = allocate(n, sizeof *gain[v]);
    }
    int near[] = {-stride, -1, 1, stride}, block[] = {0, 1, stride, stride + 1};
    memcpy(near_, near, sizeof near);
    memcpy(block_, block, sizeof block);
    for (int cell = 0; cell < cells; cell++) part[cell] = FIXED, value[cell] = LAND;
    bool told = true;
    for (int row = 1, k = 0; row <= height; row++)
        for (int column = 1; column <= width; column++, k++) {
            int cell = row * stride + column, read = (int)read_integer("a number", -1, size);
            inner[k] = cell;
            part[cell] = NONE;
            value[cell] = OPEN;
            if (!read) continue;
            set(cell, LAND);
            root_of[islands] = cell;
            number[islands++] = read > 0 ? read : 0;
            least_land += read > 0 ? read : 1;
            told &= read > 0;
        }
    read_end();
    least_sea = told ? size - least_land : 0;
    shuffle(inner, size);
}

int main(void) {
    read_request();
    read_instance();
    bool possible = least_land <= size && prune();
    root(size, possible ? size - decided : 0);
    if (possible) branch();
    return finish();
}
