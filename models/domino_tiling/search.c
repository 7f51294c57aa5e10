/* Domino Tiling by a matching of greatest score: shortest augmenting paths, with prices of cells.

   Dominoes cover each cell once; each scores the product of its two numbers.

       colour     of the two colours of a chessboard, that with more cells
       price      of a cell: no domino scores more than its two prices, so no tiling more than all of them
       lost       by a domino: what its prices are above its score, nothing if it is laid

   Covers the cells of the colour, one after the other. A new domino may push others aside, along a path that ends in
   a cell which was not covered. Dijkstra's algorithm finds the path on which least is lost, and prices change so that
   nothing is lost on it. The score of the last matching is the sum of all prices. */

#include "../shared/program.h"

enum { HOLE = -1, NONE = -1, SIDES = 4 };

typedef struct {
    int64_t loss;
    int cell;
} Entry;

static int height, width, cells;
static int *number;
static int *partner;   /* of each cell, or NONE */
static int64_t *price;
static int64_t *lost;  /* of each cell of the other colour, on the best path to it */
static int *before;    /* the cell before it there, of the colour */
static bool *seen;     /* whether there is such a path yet */
static int *met, *done_with;
static Entry *queue;   /* a binary heap */
static size_t queued, room;

/* The heap. */

static void push(int64_t loss, int cell) {
    if (queued == room) queue = grow(queue, room = 2 * room + 64, sizeof *queue);
    size_t at = queued++;
    for (; at && queue[(at - 1) / 2].loss > loss; at = (at - 1) / 2) queue[at] = queue[(at - 1) / 2];
    queue[at] = (Entry){loss, cell};
}

static Entry pop(void) {
    Entry first = queue[0], last = queue[--queued];
    size_t at = 0, child;
    while ((child = 2 * at + 1) < queued) {
        if (child + 1 < queued && queue[child + 1].loss < queue[child].loss) child++;
        if (queue[child].loss >= last.loss) break;
        queue[at] = queue[child];
        at = child;
    }
    queue[at] = last;
    return first;
}

/* The board. */

/* The cell on a side of another; NONE if that is a hole, or outside. */
static int beside(int cell, int side) {
    const int row = cell / width, column = cell % width;
    const int r = row + (side == 3) - (side == 0), c = column + (side == 2) - (side == 1);
    if (r < 0 || r >= height || c < 0 || c >= width || number[r * width + c] == HOLE) return NONE;
    return r * width + c;
}

/* Covers one more cell; returns what is lost, or NONE if it is not possible. */
static int64_t cover(int start) {
    int met_count = 0, reached = 0, i = start, end = NONE;
    int64_t loss = 0;
    queued = 0;
    for (;;) {
        for (int side = 0; side < SIDES; side++) {
            const int j = beside(i, side);
            if (j == NONE) continue;
            const int64_t total = loss + price[i] + price[j] - number[i] * number[j];
            if (seen[j] && total >= lost[j]) continue;
            if (!seen[j]) met[met_count++] = j;
            seen[j] = true;
            lost[j] = total;
            before[j] = i;
            push(total, j);
        }
        end = NONE;
        while (queued && end == NONE) {
            Entry next = pop();
            if (next.loss == lost[next.cell]) {
                end = next.cell;
                loss = next.loss;
            }
        }
        if (end == NONE || partner[end] == NONE) break;
        done_with[reached++] = end;
        i = partner[end];
    }
    while (met_count) seen[met[--met_count]] = false;
    if (end == NONE) return NONE;
    price[start] -= loss;
    while (reached) {
        const int j = done_with[--reached];
        price[j] += loss - lost[j];
        price[partner[j]] -= loss - lost[j];
    }
    while (end != NONE) {
        i = before[end];
        const int freed = partner[i];
        partner[i] = end;
        partner[end] = i;
        end = freed;
    }
    return loss;
}

int main(void) {
    read_request();
    height = (int)read_integer("height", 1, 10000);
    width = (int)read_integer("width", 1, 10000);
    cells = height * width;
    const size_t size = (size_t)cells;
    number = allocate(size, sizeof *number);
    partner = allocate(size, sizeof *partner);
    price = allocate(size, sizeof *price);
    lost = allocate(size, sizeof *lost);
    before = allocate(size, sizeof *before);
    seen = allocate(size, sizeof *seen);
    met = allocate(size, sizeof *met);
    done_with = allocate(size, sizeof *done_with);
    int *order = allocate(size, sizeof *order);
    int of_parity[2] = {0, 0}, dominoes = 0;
    for (int cell = 0; cell < cells; cell++) {
        number[cell] = (int)read_integer("a number", HOLE, 9);
        partner[cell] = NONE;
        if (number[cell] != HOLE) of_parity[(cell / width + cell % width) % 2]++;
    }
    read_end();

    const int colour = of_parity[1] > of_parity[0];
    int count = 0;
    int64_t best = 0;
    for (int cell = 0; cell < cells; cell++) {
        if (number[cell] == HOLE || (cell / width + cell % width) % 2 != colour) continue;
        order[count++] = cell;
        for (int side = 0; side < SIDES; side++) {
            const int j = beside(cell, side);
            if (j == NONE) continue;
            dominoes++;
            if (number[cell] * number[j] > price[cell]) price[cell] = number[cell] * number[j];
        }
        best += price[cell];
    }
    shuffle(order, count);
    root(dominoes, dominoes);
    bound(best);

    bool possible = true;
    for (int k = 0; k < count && possible && !done(); k++) {
        const int64_t loss = cover(order[k]);
        branches++;
        possible = loss != NONE;
        if (!possible) failures++;
        if (possible && loss) bound(best -= loss);
    }
    if (possible && !done()) {
        int64_t *values = allocate(size, sizeof *values);
        for (int cell = 0; cell < cells; cell++) values[cell] = partner[cell];
        better_solution(values, size);
        free(values);
    }
    return finish();
}
