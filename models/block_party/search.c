/* Block Party by search: propagate, branch on the cell with the smallest domain, backtrack.

   A grid is cut into regions; one of k cells holds each of 1..k once. For every number K in the grid, the
   nearest other K lies at distance exactly K: in taxicab distance, or along the same row or column only.

   A literal says that a cell holds a value. It is possible until it is discarded.

       values of a cell                  one of them is true
       places of K in a region           one of them is true
       support of a literal (i, K)       the ring: literals (k, K) with k at distance exactly K from i;
                                         if (i, K) is true, one of them is

   Each of these is a choice: how many of its literals are possible, and the exclusive or of their indices. So
   the last one is known as soon as it is alone.

   Propagation discards literals until nothing follows any more:
   - A cell with one value left discards it in its region and in all cells closer than the value.
   - A region with one cell left for a value assigns the value to that cell.
   - A literal without support is discarded. If it is the last of its cell, and has one support left, that is
     assigned.

   Shaving (singleton consistency) also discards a literal if propagation refutes it on trial: at the root in
   all cells, below it in the cells close to a change. Trials are not counted as branches.

   The next cell to branch on has the least |domain| / (1 + failures of its branches so far), as by dom/wdeg.

   The trail lists all literals that were discarded, so that a trial or a branch is undone at the cost of what
   it changed, however large the grid is. */

#include "../shared/program.h"

/* A cell is close to a change in its own region, or at most this taxicab distance away. */
enum { CLOSE = 3 };

/* Of some literals the possible ones: how many, and the exclusive or of their indices. */
typedef struct {
    int count, last;
} Choice;

typedef struct {
    int cell, value;
    int *ring, ring_size; /* Literals of the same value, at exactly that distance. */
    Choice support;
    Choice *places; /* Of its value in its region. */
    bool possible;
} Literal;

typedef struct {
    int row, column, region, given; /* given: 0 if nothing is. */
    int first, size;                /* The literal of value 1, and how many there are; the others follow. */
    int weight;                     /* 1 + failures of the branches on this cell. */
    bool queued;
    Choice values;
} Cell;

typedef struct {
    int size, *cells;
    Choice *places; /* By value; [0] is not used. */
} Region;

typedef struct {
    int rows, columns;
} Step;

typedef struct {
    int cell, value, mark; /* The value that is being tried, and the length of the trail before it. */
} Node;

static bool shaving, row_column;
static int height, width, cell_count, region_count, literal_count, largest;
static Cell *cells; /* In the order of the seed. */
static int *at;     /* The cell at row * width + column. */
static Region *regions;
static Literal *literals;

/* Steps from a cell to others, the nearest first; steps[steps_from[d]] is the first of distance d. */
static Step *steps;
static int *steps_from;
static Step close_steps[2 * CLOSE * (CLOSE + 1) + 1];
static int close_count;

static int *trail, trail_size, propagated; /* What follows from the first `propagated` ones is on it too. */
static int *queue, queue_head, queue_size; /* Cells to be shaved, in a ring of cell_count places. */
static int *fresh;                         /* Cells about to be queued. */

static Node *path; /* From the root to the node that is searched, without it. */
static int depth;
static int64_t *grid; /* The values of a solution. */

/* ---- The instance ---- */

static void read_regions(void) {
    cells = allocate((size_t)cell_count, sizeof *cells);
    at = allocate((size_t)cell_count, sizeof *at);
    for (int i = 0; i < cell_count; i++) at[i] = i;
    shuffle(at, cell_count);
    for (int place = 0; place < cell_count; place++) {
        int region = (int)read_integer("the region of a cell", 0, cell_count - 1);
        cells[at[place]] =
            (Cell){.row = place / width, .column = place % width, .region = region, .weight = 1};
        if (region >= region_count) region_count = region + 1;
    }
    regions = allocate((size_t)region_count, sizeof *regions);
    for (int i = 0; i < cell_count; i++) regions[cells[i].region].size++;
    for (Region *region = regions; region < regions + region_count; region++) {
        region->cells = allocate((size_t)region->size, sizeof *region->cells);
        region->places = allocate((size_t)region->size + 1, sizeof *region->places);
        if (region->size > largest) largest = region->size;
        region->size = 0;
    }
    for (int i = 0; i < cell_count; i++) {
        Region *region = &regions[cells[i].region];
        region->cells[region->size++] = i;
    }
}

static void read_givens(void) {
    for (int place = 0; place < cell_count; place++) {
        Cell *cell = &cells[at[place]];
        cell->given = (int)read_integer("a given", 0, regions[cell->region].size);
    }
}

static void read_instance(void) {
    shaving = read_integer("whether to shave", 0, 1);
    row_column = read_integer("whether distances run along rows and columns", 0, 1);
    height = (int)read_integer("the height", 1, INT_MAX / 4);
    width = (int)read_integer("the width", 1, INT_MAX / 4 / height);
    cell_count = height * width;
    read_regions();
    read_givens();
    read_end();
}

/* ---- The rules as choices ---- */

/* Appends the steps of a taxicab distance that can stay in the grid. */
static void add_steps(Step *list, int *count, int distance, bool straight) {
    int most = distance < height ? distance : height - 1;
    for (int rows = -most; rows <= most; rows++) {
        int columns = distance - abs(rows);
        if (columns >= width || (straight && rows && columns)) continue;
        list[(*count)++] = (Step){rows, columns};
        if (columns) list[(*count)++] = (Step){rows, -columns};
    }
}

static void make_steps(void) {
    int count = 0;
    steps = allocate(4 * (size_t)cell_count, sizeof *steps); /* In all four directions. */
    steps_from = allocate((size_t)largest + 2, sizeof *steps_from);
    for (int distance = 0; distance <= largest; distance++) {
        steps_from[distance] = count;
        add_steps(steps, &count, distance, row_column);
    }
    steps_from[largest + 1] = count;
    for (int distance = 0; distance <= CLOSE; distance++)
        add_steps(close_steps, &close_count, distance, false);
}

/* The cell one step away, or -1 outside of the grid. */
static int neighbour(const Cell *from, Step step) {
    int row = from->row + step.rows, column = from->column + step.columns;
    bool inside = row >= 0 && row < height && column >= 0 && column < width;
    return inside ? at[row * width + column] : -1;
}

/* The literal that a cell holds a value, or -1 if its region is too small; cell -1 is none. */
static int literal_of(int cell, int value) {
    return cell >= 0 && value <= cells[cell].size ? cells[cell].first + value - 1 : -1;
}

static void add(Choice *choice, int literal) {
    choice->count++;
    choice->last ^= literal;
}

static void take(Choice *choice, int literal) {
    choice->count--;
    choice->last ^= literal;
}

static void make_literals(void) {
    int64_t count = 0;
    for (int i = 0; i < cell_count; i++) {
        cells[i].first = (int)count;
        cells[i].size = regions[cells[i].region].size;
        count += cells[i].size;
        if (count > INT_MAX) fail("the cells have more than %d values in all", INT_MAX);
    }
    literal_count = (int)count;
    literals = allocate((size_t)literal_count, sizeof *literals);
    for (int i = 0; i < cell_count; i++)
        for (int value = 1; value <= cells[i].size; value++) {
            int index = literal_of(i, value);
            Literal *literal = &literals[index];
            literal->cell = i;
            literal->value = value;
            literal->places = &regions[cells[i].region].places[value];
            literal->possible = !cells[i].given || cells[i].given == value;
            if (!literal->possible) continue;
            add(&cells[i].values, index);
            add(literal->places, index);
        }
}

static void make_ring(Literal *literal) {
    int least = steps_from[literal->value], end = steps_from[literal->value + 1];
    literal->ring = allocate((size_t)(end - least), sizeof *literal->ring);
    for (int step = least; step < end; step++) {
        int other = literal_of(neighbour(&cells[literal->cell], steps[step]), literal->value);
        if (other < 0 || !literals[other].possible) continue;
        literal->ring[literal->ring_size++] = other;
        add(&literal->support, other);
    }
}

static void prepare(void) {
    make_steps();
    make_literals();
    for (int i = 0; i < literal_count; i++)
        if (literals[i].possible) make_ring(&literals[i]);
    trail = allocate((size_t)literal_count, sizeof *trail);
    queue = allocate((size_t)cell_count, sizeof *queue);
    fresh = allocate((size_t)cell_count, sizeof *fresh);
    path = allocate((size_t)cell_count, sizeof *path);
    grid = allocate((size_t)cell_count, sizeof *grid);
}

/* ---- Propagation ---- */

static void discard(int literal) {
    if (literal < 0 || !literals[literal].possible) return;
    literals[literal].possible = false;
    trail[trail_size++] = literal;
}

static void assign(int literal) {
    const Cell *cell = &cells[literals[literal].cell];
    for (int other = cell->first; other < cell->first + cell->size; other++)
        if (other != literal) discard(other);
}

/* Applies the rules to the one value that a cell has left. */
static void hold(const Cell *cell) {
    const Literal *literal = &literals[cell->values.last];
    const Region *region = &regions[cell->region];
    int value = literal->value;
    for (int i = 0; i < region->size; i++)
        if (region->cells[i] != literal->cell) discard(literal_of(region->cells[i], value));
    for (int step = 1; step < steps_from[value]; step++) /* Step 0 stays. */
        discard(literal_of(neighbour(cell, steps[step]), value));
    if (literal->support.count == 1) assign(literal->support.last);
}

/* Applies the rules to what is left when a literal is gone; false on a contradiction. */
static bool propagate_one(int gone) {
    const Literal *literal = &literals[gone];
    Cell *cell = &cells[literal->cell];
    Choice *places = literal->places;
    propagations++;
    take(&cell->values, gone);
    take(places, gone);
    for (int i = 0; i < literal->ring_size; i++) {
        int other = literal->ring[i];
        Choice *support = &literals[other].support;
        take(support, gone);
        if (support->count > 1 || !literals[other].possible) continue;
        if (!support->count)
            discard(other);
        else if (cells[literals[other].cell].values.count == 1)
            assign(support->last);
    }
    if (!cell->values.count || !places->count) return false;
    if (cell->values.count == 1) hold(cell);
    if (places->count == 1) assign(places->last);
    return true;
}

static bool propagate(void) {
    while (propagated < trail_size)
        if (!propagate_one(trail[propagated++])) return false;
    return true;
}

static bool propagate_root(void) {
    for (int i = 0; i < literal_count; i++)
        if (!literals[i].support.count) discard(i);
    for (int i = 0; i < cell_count; i++)
        if (cells[i].values.count == 1) hold(&cells[i]);
    return propagate();
}

/* Restores all literals that were discarded since the trail had this length. */
static void undo(int mark) {
    while (trail_size > mark) {
        int back = trail[--trail_size];
        Literal *literal = &literals[back];
        literal->possible = true;
        if (trail_size >= propagated) continue;
        add(&cells[literal->cell].values, back);
        add(literal->places, back);
        for (int i = 0; i < literal->ring_size; i++) add(&literals[literal->ring[i]].support, back);
    }
    propagated = mark;
}

/* ---- Shaving ---- */

static void enqueue(int cell) { queue[(queue_head + queue_size++) % cell_count] = cell; }

static int dequeue(void) {
    int cell = queue[queue_head];
    queue_head = (queue_head + 1) % cell_count;
    queue_size--;
    cells[cell].queued = false;
    return cell;
}

static int ascending(const void *a, const void *b) {
    int first = *(const int *)a, second = *(const int *)b;
    return (first > second) - (first < second);
}

/* Queues all cells that are close to a cell with a value discarded since the trail had this length. */
static void enqueue_close(int mark) {
    int count = 0;
    for (; mark < trail_size; mark++) {
        const Cell *cell = &cells[literals[trail[mark]].cell];
        const Region *region = &regions[cell->region];
        for (int i = 0; i < region->size + close_count; i++) {
            int other = i < region->size ? region->cells[i] : neighbour(cell, close_steps[i - region->size]);
            if (other < 0 || cells[other].queued) continue;
            cells[other].queued = true;
            fresh[count++] = other;
        }
    }
    qsort(fresh, (size_t)count, sizeof *fresh, ascending);
    for (int i = 0; i < count; i++) enqueue(fresh[i]);
}

static bool refuted(int literal) {
    int mark = trail_size;
    assign(literal);
    bool consistent = propagate();
    undo(mark);
    return !consistent;
}

/* Discards all values of a cell that a trial refutes, the largest first; false on a contradiction. */
static bool shave_cell(const Cell *cell) {
    for (int value = cell->size; value && cell->values.count > 1; value--) {
        int literal = cell->first + value - 1, mark = trail_size;
        if (!literals[literal].possible || !refuted(literal)) continue;
        discard(literal);
        if (!propagate()) return false;
        enqueue_close(mark);
    }
    return true;
}

/* Shaves the cells that are queued, and all that are close to a change. */
static bool shave(void) {
    bool consistent = true;
    while (queue_size) {
        int cell = dequeue();
        consistent = consistent && !done() && shave_cell(&cells[cell]);
    }
    return consistent;
}

/* ---- Search ---- */

static bool consistent_root(void) {
    if (!propagate_root()) return false;
    for (int i = 0; shaving && i < cell_count; i++) {
        cells[i].queued = true;
        enqueue(i);
    }
    return shave();
}

static bool consistent_with(int literal) {
    int mark = trail_size;
    assign(literal);
    if (!propagate()) return false;
    if (shaving) enqueue_close(mark);
    return shave();
}

/* The cell to branch on, or -1 if all are decided. */
static int choose(void) {
    int best = -1;
    double least = 0;
    for (int i = 0; i < cell_count; i++) {
        if (cells[i].values.count == 1) continue;
        double score = (double)cells[i].values.count / cells[i].weight;
        if (best < 0 || score < least) best = i, least = score;
    }
    return best;
}

static void report(void) {
    for (int place = 0; place < cell_count; place++)
        grid[place] = literals[cells[at[place]].values.last].value;
    solution(grid, (size_t)cell_count);
}

/* Undoes the value tried last at a node, and goes on to the next possible one; false after the last. */
static bool next_value(Node *node) {
    const Cell *cell = &cells[node->cell];
    undo(node->mark);
    do node->value++;
    while (node->value <= cell->size && !literals[cell->first + node->value - 1].possible);
    return node->value <= cell->size;
}

/* Tries the next value on the path until one is consistent; false when there is none left. */
static bool advance(void) {
    while (depth && !done()) {
        Node *node = &path[depth - 1];
        if (!next_value(node)) {
            depth--;
            continue;
        }
        branches++;
        if (consistent_with(literal_of(node->cell, node->value))) return true;
        failures++;
        cells[node->cell].weight++;
    }
    return false;
}

/* Depth-first search from a consistent root; without recursion, as the path may be as long as the grid. */
static void search(void) {
    do {
        int cell = choose();
        if (cell < 0)
            report();
        else
            path[depth++] = (Node){cell, 0, trail_size};
    } while (advance());
}

int main(void) {
    read_request();
    read_instance();
    /* The largest number needs another one at that distance. */
    if (largest > (row_column ? (height > width ? height : width) - 1 : height + width - 2)) {
        root(cell_count, cell_count);
        return finish();
    }
    prepare();
    bool consistent = consistent_root();
    int undecided = 0;
    for (int i = 0; i < cell_count; i++) undecided += cells[i].values.count > 1;
    root(cell_count, undecided);
    if (consistent) search();
    return finish();
}
