/* Slitherlink by search: one loop along the sides of cells.

   Propagates, until nothing changes:
   - two edges on the loop or none meet at each dot;
   - a clue is the number of edges on the loop around its cell;
   - edges on the loop form paths; an edge that joins the ends of one is off the loop, unless it completes it;
   - an edge on the loop has one cell inside and one outside beside it, any other has two of a kind: where a
     chain of such cells leads from one side of an edge to the other, that decides it.
   A value that propagation refutes on trial is removed.

   Branches on the edge of which the trials have shown that the value that decides fewer edges decides most. */

#include "../shared/program.h"

enum { UNDECIDED = -1, NONE = -1 };

typedef struct {
    int edge, value;
} Decision;

/* An edge that has a value; the ends of the path that it made; and how its cells came under one label. */
typedef struct {
    int edge;
    int ends[2];
    int into, label, last; /* the last cell that the label had before */
    bool flip;
} Change;

/* Edges at a dot or around a clue. */
typedef struct {
    int clue; /* NONE for a dot */
    int edges[4], count;
    int on, left; /* how many of them are on the loop, and undecided */
} Group;

static int height, width, cells, dots, edges;

static Group *groups; /* of the dots, then of the clues */
static int group_count;

static int (*dots_of)[2];   /* of each edge */
static int (*cells_of)[2];  /* of each edge, left and right of it; the last cell is all that is outside of the grid */
static int (*groups_of)[4]; /* of each edge */
static int *groups_at;      /* how many of these there are */
static int *right_of, *down_from; /* of each dot, the edge, or NONE */
static int *around, *first_around; /* the edges around each cell, and where they begin; one more at the end */

static int *value;          /* of each edge */
static int *end;            /* of each dot at the end of a path, the other end; of a free one, itself */
static int paths, missing;  /* how many paths there are, and edges on the loop that clues still miss */
static bool closed;

static int *label;          /* of each cell: those with the same one are on one side of the loop if ... */
static bool *side;          /* ... this is the same */
static int *first, *last, *size; /* the cells of each label, as a list */
static int *next;

static Change *trail;       /* in the order of decisions */
static int trail_length;
static Decision *waiting;   /* what follows, and is not yet decided */
static size_t waiting_count, waiting_room;

static int chosen;          /* the edge to branch on */
static int *order;          /* edges, in the order in which they are tried */

static void wait_for(int edge, int on) {
    if (waiting_count == waiting_room) {
        waiting_room = 2 * waiting_room + 64;
        waiting = grow(waiting, waiting_room, sizeof *waiting);
    }
    waiting[waiting_count++] = (Decision){edge, on};
}

/* ---- The grid ---- */

static void add_to(int group, int edge) {
    Group *g = &groups[group];
    g->edges[g->count++] = edge;
    g->left++;
    groups_of[edge][groups_at[edge]++] = group;
}

static int cell_at(int row, int column) {
    return row < 0 || row == height || column < 0 || column == width ? cells : row * width + column;
}

static void add_edge(int from, int to, int left, int right) {
    dots_of[edges][0] = from;
    dots_of[edges][1] = to;
    cells_of[edges][0] = left;
    cells_of[edges][1] = right;
    add_to(from, edges);
    add_to(to, edges);
    edges++;
}

static void build(void) {
    const int across = width + 1;
    for (int dot = 0; dot < dots; dot++) {
        const int row = dot / across, column = dot % across;
        right_of[dot] = down_from[dot] = NONE;
        if (column < width) {
            right_of[dot] = edges;
            add_edge(dot, dot + 1, cell_at(row - 1, column), cell_at(row, column));
        }
        if (row < height) {
            down_from[dot] = edges;
            add_edge(dot, dot + across, cell_at(row, column), cell_at(row, column - 1));
        }
    }
    int length = 0;
    for (int cell = 0; cell < cells; cell++) {
        const int dot = cell / width * across + cell % width;
        const int four[] = {right_of[dot], down_from[dot], down_from[dot + 1], right_of[dot + across]};
        first_around[cell] = length;
        for (int k = 0; k < 4; k++) around[length++] = four[k];
    }
    first_around[cells] = length;
    for (int edge = 0; edge < edges; edge++)
        if (cells_of[edge][0] == cells || cells_of[edge][1] == cells) around[length++] = edge;
    first_around[cells + 1] = length;
}

/* The edge between two dots, or NONE. */
static int between(int from, int to) {
    if (from > to) {
        const int dot = from;
        from = to;
        to = dot;
    }
    if (to == from + 1) return right_of[from];
    return to == from + width + 1 ? down_from[from] : NONE;
}

/* ---- Propagation ---- */

/* Counts an edge that gets a value at its dots and clues; or with sign -1, one that loses it. */
static void count_edge(int edge, int on, int sign) {
    for (int k = 0; k < groups_at[edge]; k++) {
        Group *g = &groups[groups_of[edge][k]];
        g->left -= sign;
        if (on) {
            g->on += sign;
            if (g->clue != NONE) missing -= sign;
        }
    }
}

/* What follows for a dot or a clue; false on a contradiction. */
static bool fill(int group) {
    const Group *g = &groups[group];
    int low = g->clue, high = g->clue;
    if (g->clue == NONE) {
        low = g->on ? 2 : 0;
        high = g->on || g->left > 1 ? 2 : 0;
    }
    if (g->on > high || g->on + g->left < low) return false;
    if (g->left && (g->on == high || g->on + g->left == low))
        for (int k = 0; k < g->count; k++)
            if (value[g->edges[k]] == UNDECIDED) wait_for(g->edges[k], g->on < high);
    return true;
}

/* Puts the cells of a label under another one. */
static void relabel(int from, int into, bool flip) {
    int cell = first[from];
    for (int k = 0; k < size[from]; k++, cell = next[cell]) {
        label[cell] = into;
        side[cell] ^= flip;
    }
}

/* Gives an edge its value, and adds what follows to what waits; false on a contradiction. */
static bool set(int edge, int on) {
    value[edge] = on;
    count_edge(edge, on, 1);
    Change *change = &trail[trail_length++];
    *change = (Change){edge, {NONE, NONE}, NONE, NONE, NONE, false};
    const int u = dots_of[edge][0], v = dots_of[edge][1], a = end[u], b = end[v];
    bool consistent = !on || (!closed && groups[u].on <= 2 && groups[v].on <= 2);
    const bool joins = on && consistent && a != v;
    if (joins) {
        change->ends[0] = a;
        change->ends[1] = b;
        end[a] = b;
        end[b] = a;
        paths += 1 - (a != u) - (b != v);
    }
    const int cell = cells_of[edge][0], other = cells_of[edge][1];
    const bool flip = side[cell] ^ side[other] ^ (on == 1);
    int from = label[cell], into = label[other];
    if (from != into) {
        if (size[from] > size[into]) {
            const int smaller = into;
            into = from;
            from = smaller;
        }
        change->into = into;
        change->label = from;
        change->last = last[into];
        change->flip = flip;
        relabel(from, into, flip);
        next[last[into]] = first[from];
        last[into] = last[from];
        size[into] += size[from];
    } else if (flip) {
        consistent = false;
    }
    if (!consistent) return false;

    if (on && !joins) {
        closed = true;
        if (paths > 1 || missing) return false;
        for (int k = 0; k < edges; k++)
            if (value[order[k]] == UNDECIDED) wait_for(order[k], 0);
    } else if (joins) {
        const int joining = between(a, b);
        if (joining != NONE && value[joining] == UNDECIDED && (paths > 1 || missing > groups_at[joining] - 2))
            wait_for(joining, 0);
    }
    if (change->into != NONE) {
        int moved = first[from];
        for (int n = 0; n < size[from]; n++, moved = next[moved])
            for (int k = first_around[moved]; k < first_around[moved + 1]; k++)
                if (value[around[k]] == UNDECIDED) {
                    const int *two = cells_of[around[k]];
                    if (label[two[0]] == label[two[1]]) wait_for(around[k], side[two[0]] ^ side[two[1]]);
                }
    }
    for (int k = 0; k < groups_at[edge]; k++)
        if (!fill(groups_of[edge][k])) return false;
    return true;
}

/* Takes back all but the first so many values. */
static void undo(int length) {
    while (trail_length > length) {
        const Change *change = &trail[--trail_length];
        const int edge = change->edge, on = value[edge], a = change->ends[0], b = change->ends[1];
        value[edge] = UNDECIDED;
        count_edge(edge, on, -1);
        if (a != NONE) {
            const int u = dots_of[edge][0], v = dots_of[edge][1];
            end[a] = u;
            end[b] = v;
            paths -= 1 - (a != u) - (b != v);
        } else if (on) {
            closed = false;
        }
        if (change->into != NONE) {
            const int into = change->into;
            size[into] -= size[change->label];
            last[into] = change->last;
            relabel(change->label, change->label, change->flip);
        }
    }
}

/* Decides all that follows from what waits, of which so much was given; false on a contradiction. */
static bool narrow(int given) {
    const int before = trail_length;
    bool consistent = true;
    while (consistent && waiting_count) {
        const Decision each = waiting[--waiting_count];
        consistent = value[each.edge] == UNDECIDED ? set(each.edge, each.value) : value[each.edge] == each.value;
    }
    waiting_count = 0;
    if (trail_length - before > given) propagations += (uint64_t)(trail_length - before - given);
    return consistent && (closed || trail_length < edges);
}

static bool decide(int edge, int on) {
    wait_for(edge, on);
    return narrow(1);
}

/* Removes values that are refuted on trial, until nothing changes, and finds the edge to branch on; false on a
   contradiction. */
static bool prune(void) {
    bool changed = true;
    while (changed && !interrupted) {
        int fewer = 0, more = 0;
        changed = false;
        chosen = NONE;
        for (int k = 0; k < edges && !interrupted; k++) {
            const int edge = order[k], length = trail_length;
            int gains[2] = {0, 0};
            if (value[edge] != UNDECIDED) continue;
            for (int on = 1; on >= 0; on--) {
                const bool holds = decide(edge, on);
                gains[on] = trail_length - length;
                undo(length);
                if (!holds) {
                    changed = true;
                    if (!decide(edge, 1 - on)) return false;
                    break;
                }
            }
            if (value[edge] != UNDECIDED) continue;
            const int small = gains[0] < gains[1] ? gains[0] : gains[1], large = gains[0] + gains[1] - small;
            if (small > fewer || (small == fewer && large > more)) {
                fewer = small;
                more = large;
                chosen = edge;
            }
        }
    }
    return true;
}

/* ---- The search ---- */

/* A node: the edge that is branched on, how many edges were decided before, and the values that are tried. */
typedef struct {
    int edge, length, values[2], tried;
} Node;

/* Reports the cells inside the loop: an odd number of its edges is left of them. */
static void report(int64_t *inside) {
    for (int cell = 0; cell < cells; cell++) {
        const int column = cell % width, dot = cell / width * (width + 1) + column;
        inside[cell] = value[down_from[dot]] ^ (column ? inside[cell - 1] : 0);
    }
    solution(inside, (size_t)cells);
}

static void search(void) {
    Node *nodes = allocate((size_t)edges, sizeof *nodes);
    int64_t *inside = allocate((size_t)cells, sizeof *inside);
    int depth = 0;
    bool consistent = true;
    while (!done()) {
        if (consistent && trail_length < edges) {
            Node *node = &nodes[depth++];
            *node = (Node){chosen, trail_length, {1, 0}, 0};
            shuffle(node->values, 2);
        } else if (consistent) {
            report(inside);
        }
        while (depth && nodes[depth - 1].tried == 2) depth--;
        if (!depth) break;
        Node *node = &nodes[depth - 1];
        undo(node->length);
        branches++;
        consistent = decide(node->edge, node->values[node->tried++]) && prune();
        failures += !consistent;
    }
}

static void read_instance(void) {
    height = (int)read_integer("height", 1, 1000);
    width = (int)read_integer("width", 1, 1000);
    cells = height * width;
    dots = (height + 1) * (width + 1);
    const size_t most = 2 * (size_t)dots, points = (size_t)dots;
    groups = allocate(points + (size_t)cells, sizeof *groups);
    dots_of = allocate(most, sizeof *dots_of);
    cells_of = allocate(most, sizeof *cells_of);
    groups_of = allocate(most, sizeof *groups_of);
    groups_at = allocate(most, sizeof *groups_at);
    right_of = allocate(points, sizeof *right_of);
    down_from = allocate(points, sizeof *down_from);
    around = allocate(2 * most, sizeof *around);
    first_around = allocate((size_t)cells + 2, sizeof *first_around);
    for (group_count = 0; group_count < dots; group_count++) groups[group_count].clue = NONE;
    build();
    for (int cell = 0; cell < cells; cell++) {
        const int clue = (int)read_integer("a clue", NONE, 4);
        if (clue == NONE) continue;
        groups[group_count].clue = clue;
        missing += clue;
        for (int k = 0; k < 4; k++) add_to(group_count, around[4 * cell + k]);
        group_count++;
    }
    read_end();
}

/* The state before propagation. */
static void make_root(void) {
    const size_t labels = (size_t)cells + 1;
    value = allocate((size_t)edges, sizeof *value);
    order = allocate((size_t)edges, sizeof *order);
    trail = allocate((size_t)edges, sizeof *trail);
    end = allocate((size_t)dots, sizeof *end);
    label = allocate(labels, sizeof *label);
    side = allocate(labels, sizeof *side);
    first = allocate(labels, sizeof *first);
    last = allocate(labels, sizeof *last);
    size = allocate(labels, sizeof *size);
    next = allocate(labels, sizeof *next);
    for (int dot = 0; dot < dots; dot++) end[dot] = dot;
    for (int cell = 0; cell <= cells; cell++) {
        label[cell] = first[cell] = last[cell] = cell;
        size[cell] = 1;
    }
    for (int edge = 0; edge < edges; edge++) {
        value[edge] = UNDECIDED;
        order[edge] = edge;
    }
    shuffle(order, edges);
}

int main(void) {
    read_request();
    read_instance();
    make_root();
    bool possible = true;
    for (int group = 0; possible && group < group_count; group++) possible = fill(group);
    possible = possible && narrow(0) && prune();
    root(edges, possible ? edges - trail_length : 0);
    if (possible) search();
    return finish();
}
