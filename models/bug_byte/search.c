/* Bug Byte by search: propagate, branch, back up.

   The edges of a graph get the labels 1..m, each once, some of which are given. At some nodes the labels add
   up to a given sum. From some nodes, for each number listed there, a simple path has labels with that sum.

       domain      the labels that an edge can still have, as a set of bits (bit v for label v)
       sum         the edges at a node, and what their labels add up to
       number      a number listed at a node: the sum of some simple path from there
       route       a simple path that can have the sum: its least and its most labels allow it, and so do the
                   given labels with as many others, the smallest or the largest that are not given
       witnesses   the routes found last for a number, two at most

   Propagation, until nothing changes:
       each label is on one edge            the label of an edge is removed from all others; a label that
                                            only one edge can have is assigned to it
       the labels at a node add up          an edge keeps what the least and the most of the others leave it
       some route adds up to each number    a number without a route is a dead end; of its only route each
                                            edge keeps what the others leave it
   Routes are not listed: while both witnesses of a number are routes there is nothing to do, and else a walk
   through the graph looks for two, leaving out what is too long already. A search that backs up has nothing
   to undo in the witnesses: what was a route is one again. Below a node of the search at which a number has
   only one route, or a route whose labels are known, it needs no walk.

   Search, depth first, by the first edge of those with the fewest labels left, which gets them in ascending
   order.

   The input: the numbers of nodes, edges, sums, and listed numbers; of each edge its two nodes, from 0, and
   its given label or 0; of each sum its node and the total; of each listed number its node and the number.
   A solution: the label of each edge. */

#include "../shared/program.h"

#include <string.h>

typedef uint64_t Word;

/* More edges than this have domains that fit into no memory; of listed numbers nobody needs more. */
#define MOST 1000000

/* Edges in a row: those at a node, or a route from its first node on. */
typedef struct {
    int *edges, length;
} Edges;

typedef struct {
    Edges at;
    int64_t total;
} Sum;

typedef struct {
    int node;
    int64_t target;
    Edges witness[2];
} Number;

/* What is known of a number: two routes at least, no route but the first witness, or that it is reached. */
enum { OPEN, ONLY, REACHED };

/* A node of the search tree: the domain of each edge, and what is known of each number. */
typedef struct {
    Word *domains;
    char *known;
} State;

static int nodes, edges, sums, numbers;
static int words;           /* of a domain */
static int (*ends)[2];      /* the nodes of each edge */
static int *given;          /* the label of each edge, 0 where none is given */
static int *first_step;     /* the steps from node n are those from first_step[n] up to first_step[n + 1] */
static int *step_edge;      /* by which edge */
static int *step_node;      /* to which node */
static Sum *sum;
static int *sum_at;         /* of each node, -1 where there is none */
static Number *number;
static int64_t *smallest;   /* the k smallest labels that are not given add up to smallest[k] */
static int64_t *largest;    /* and the k largest to largest[k] */
static int *order;          /* the edges, as the seed has them */
static State *states;       /* those from the root to the present one */

/* Domains */

static Word *domain(const State *state, int edge) { return state->domains + (size_t)edge * (size_t)words; }

static int least(const Word *bits) {
    int word = 0;
    while (!bits[word]) word++;
    return 64 * word + __builtin_ctzll(bits[word]);
}

static int most(const Word *bits) {
    int word = words - 1;
    while (!bits[word]) word--;
    return 64 * word + 63 - __builtin_clzll(bits[word]);
}

static int size(const Word *bits) {
    int count = 0;
    for (int word = 0; word < words; word++) count += __builtin_popcountll(bits[word]);
    return count;
}

static void only(Word *bits, int label) {
    memset(bits, 0, (size_t)words * sizeof *bits);
    bits[label / 64] = (Word)1 << label % 64;
}

static bool has(const Word *bits, int label) { return bits[label / 64] >> label % 64 & 1; }

/* The part of a word that lies between two labels. */
static Word between(int64_t low, int64_t high, int word) {
    low -= 64 * (int64_t)word;
    high -= 64 * (int64_t)word;
    if (low > 63 || high < 0 || low > high) return 0;
    return ~(Word)0 << (low > 0 ? low : 0) & ~(Word)0 >> (high < 63 ? 63 - high : 0);
}

/* Propagation */

static bool changed;
static bool *waiting; /* the sums with an edge that has changed */

/* An edge has lost this many labels. */
static void lost(int edge, int labels) {
    if (!labels) return;
    propagations += (uint64_t)labels;
    changed = true;
    for (int end = 0; end < 2; end++)
        if (sum_at[ends[edge][end]] >= 0) waiting[sum_at[ends[edge][end]]] = true;
}

static Word *once, *twice, *held; /* the labels of one edge or more, of two or more, of decided edges */

/* Each label is on one edge; one round. */
static bool all_different(const State *state) {
    memset(once, 0, (size_t)words * sizeof *once);
    memset(twice, 0, (size_t)words * sizeof *twice);
    memset(held, 0, (size_t)words * sizeof *held);
    for (int edge = 0; edge < edges; edge++) {
        const Word *bits = domain(state, edge);
        bool decided = size(bits) == 1;
        for (int word = 0; word < words; word++) {
            twice[word] |= once[word] & bits[word];
            once[word] |= bits[word];
            if (!decided) continue;
            if (held[word] & bits[word]) return false;
            held[word] |= bits[word];
        }
    }
    if (size(once) < edges) return false;
    for (int edge = 0; edge < edges; edge++) {
        Word *bits = domain(state, edge);
        if (size(bits) == 1) continue;
        Word alone = 0, left = 0;
        for (int word = 0; word < words; word++) alone |= bits[word] & once[word] & ~twice[word];
        int before = size(bits);
        for (int word = 0; word < words; word++)
            left |= bits[word] &= alone ? once[word] & ~twice[word] : ~held[word];
        lost(edge, before - size(bits));
        if (!left) return false;
    }
    return true;
}

/* The labels of these edges add up to the total, by bounds; one round. */
static bool adds_up(const State *state, const Edges *row, int64_t total) {
    int64_t low = 0, high = 0;
    for (int k = 0; k < row->length; k++) {
        low += least(domain(state, row->edges[k]));
        high += most(domain(state, row->edges[k]));
    }
    if (total < low || total > high) return false;
    for (int k = 0; k < row->length; k++) {
        Word *bits = domain(state, row->edges[k]), left = 0;
        int before = size(bits);
        int64_t from = total - high + most(bits), to = total - low + least(bits);
        for (int word = 0; word < words; word++) left |= bits[word] &= between(from, to, word);
        lost(row->edges[k], before - size(bits));
        if (!left) return false;
    }
    return true;
}

/* Whether a route still is one; tells also whether all its labels are known. */
static bool possible(const State *state, const Edges *route, int64_t target, bool *reached) {
    int64_t low = 0, high = 0;
    for (int k = 0; k < route->length; k++) {
        low += least(domain(state, route->edges[k]));
        high += most(domain(state, route->edges[k]));
    }
    if (low <= target && target <= high && low == high) *reached = true;
    return low <= target && target <= high;
}

/* A path from a node, as it grows. */
typedef struct {
    int node, next_step; /* where it ends, and how it goes on */
    int64_t low, high;   /* the least and the most of its labels */
    int64_t known;       /* what its given labels add up to */
    int unknown;         /* how many others it has */
} Path;

static Path *path;    /* the path that a walk has come along, by its length */
static int *taken;    /* its edges */
static bool *visited; /* its nodes */

/* Walks in search of two routes for a number, its witnesses; returns how many there are. */
static int find_routes(const State *state, Number *n) {
    int64_t target = n->target;
    int routes = 0, length = 0;
    n->witness[0].length = n->witness[1].length = 0;
    path[0] = (Path){.node = n->node, .next_step = first_step[n->node]};
    visited[n->node] = true;
    while (length >= 0) {
        const Path *here = &path[length];
        if (routes == 2 || interrupted || here->next_step == first_step[here->node + 1]) {
            visited[here->node] = false;
            length--;
            continue;
        }
        int edge = step_edge[here->next_step], node = step_node[here->next_step];
        path[length].next_step++;
        if (visited[node]) continue;
        const Word *bits = domain(state, edge);
        Path longer = {.node = node, .next_step = first_step[node], .low = here->low + least(bits),
                       .high = here->high + most(bits), .known = here->known + given[edge],
                       .unknown = here->unknown + !given[edge]};
        if (longer.low > target || longer.known + smallest[longer.unknown] > target) continue;
        taken[length++] = edge;
        path[length] = longer;
        visited[node] = true;
        if (longer.high < target || longer.known + largest[longer.unknown] < target) continue;
        Edges *witness = &n->witness[routes++];
        memcpy(witness->edges, taken, (size_t)length * sizeof *taken);
        witness->length = length;
    }
    return routes;
}

/* Some route adds up to each number. */
static bool some_routes(const State *state) {
    for (int k = 0; k < numbers; k++) {
        Number *n = &number[k];
        bool reached = false;
        if (state->known[k] == OPEN) {
            if (!possible(state, &n->witness[0], n->target, &reached) ||
                !possible(state, &n->witness[1], n->target, &reached)) {
                int routes = find_routes(state, n);
                if (!routes) return false;
                if (routes == 1) state->known[k] = ONLY;
            } else if (reached) {
                state->known[k] = REACHED;
            }
        }
        if (state->known[k] == ONLY && !adds_up(state, &n->witness[0], n->target)) return false;
    }
    return true;
}

/* Repeats rounds until nothing changes; false on a contradiction. */
static bool propagate(const State *state) {
    do {
        changed = false;
        if (!all_different(state)) return false;
        for (int k = 0; k < sums; k++) {
            if (!waiting[k]) continue;
            waiting[k] = false;
            if (!adds_up(state, &sum[k].at, sum[k].total)) return false;
        }
        if (!some_routes(state)) return false;
    } while (changed);
    return true;
}

/* Search */

static int64_t *labels; /* of a solution */

static void report(const State *state) {
    for (int edge = 0; edge < edges; edge++) labels[edge] = least(domain(state, edge));
    solution(labels, (size_t)edges);
}

/* The first edge with the fewest labels of those that are not decided; -1 if all are. */
static int choose(const State *state) {
    int chosen = -1;
    int fewest = 0;
    for (int k = 0; k < edges; k++) {
        int count = size(domain(state, order[k]));
        if (count > 1 && (chosen < 0 || count < fewest)) {
            chosen = order[k];
            fewest = count;
        }
    }
    return chosen;
}

static State *state_at(int depth) {
    State *state = &states[depth];
    if (!state->domains) {
        state->domains = allocate((size_t)edges * (size_t)words, sizeof *state->domains);
        state->known = allocate((size_t)numbers, sizeof *state->known);
    }
    return state;
}

/* Searches below a state. */
static void search(int depth) {
    const State *state = &states[depth];
    int chosen = choose(state);
    if (chosen < 0) {
        report(state);
        return;
    }
    const State *child = state_at(depth + 1);
    for (int label = 1; label <= edges && !done(); label++) {
        if (!has(domain(state, chosen), label)) continue;
        branches++;
        memcpy(child->domains, state->domains, (size_t)edges * (size_t)words * sizeof *child->domains);
        memcpy(child->known, state->known, (size_t)numbers * sizeof *child->known);
        only(domain(child, chosen), label);
        memset(waiting, 0, (size_t)sums * sizeof *waiting);
        for (int end = 0; end < 2; end++)
            if (sum_at[ends[chosen][end]] >= 0) waiting[sum_at[ends[chosen][end]]] = true;
        if (propagate(child))
            search(depth + 1);
        else
            failures++;
    }
}

/* The instance */

static void read_edges(void) {
    ends = allocate((size_t)edges, sizeof *ends);
    given = allocate((size_t)edges, sizeof *given);
    for (int edge = 0; edge < edges; edge++) {
        ends[edge][0] = (int)read_integer("a node of an edge", 0, nodes - 1);
        ends[edge][1] = (int)read_integer("a node of an edge", 0, nodes - 1);
        given[edge] = (int)read_integer("a given label", 0, edges);
        if (ends[edge][0] == ends[edge][1]) fail("an edge from node %d to itself", ends[edge][0]);
    }
}

/* Sorts the steps by the node that they leave. */
static void make_steps(void) {
    first_step = allocate((size_t)nodes + 1, sizeof *first_step);
    step_edge = allocate(2 * (size_t)edges, sizeof *step_edge);
    step_node = allocate(2 * (size_t)edges, sizeof *step_node);
    int *filled = allocate((size_t)nodes, sizeof *filled);
    for (int edge = 0; edge < edges; edge++)
        for (int end = 0; end < 2; end++) first_step[ends[edge][end] + 1]++;
    for (int node = 0; node < nodes; node++) first_step[node + 1] += first_step[node];
    for (int edge = 0; edge < edges; edge++)
        for (int end = 0; end < 2; end++) {
            int node = ends[edge][end], step = first_step[node] + filled[node]++;
            step_edge[step] = edge;
            step_node[step] = ends[edge][!end];
        }
    free(filled);
}

static void read_sums(int64_t highest) {
    sum = allocate((size_t)sums, sizeof *sum);
    waiting = allocate((size_t)sums, sizeof *waiting);
    sum_at = allocate((size_t)nodes, sizeof *sum_at);
    for (int node = 0; node < nodes; node++) sum_at[node] = -1;
    for (int k = 0; k < sums; k++) {
        int node = (int)read_integer("the node of a sum", 0, nodes - 1);
        if (sum_at[node] >= 0) fail("node %d has a second sum", node);
        sum_at[node] = k;
        sum[k].total = read_integer("a sum", 0, highest + 1);
        sum[k].at = (Edges){step_edge + first_step[node], first_step[node + 1] - first_step[node]};
        waiting[k] = true;
    }
}

static void read_numbers(int64_t highest) {
    number = allocate((size_t)numbers, sizeof *number);
    for (int k = 0; k < numbers; k++) {
        number[k].node = (int)read_integer("the node of a listed number", 0, nodes - 1);
        number[k].target = read_integer("a listed number", 1, highest + 1);
    }
    for (int k = 0; k < numbers; k++)
        for (int w = 0; w < 2; w++) {
            int64_t longest = number[k].target < nodes ? number[k].target : nodes - 1;
            number[k].witness[w].edges = allocate((size_t)longest, sizeof(int));
        }
}

/* Adds up the smallest and the largest labels that are not given. */
static void add_up_others(void) {
    bool *is_given = allocate((size_t)edges + 1, sizeof *is_given);
    smallest = allocate((size_t)edges + 1, sizeof *smallest);
    largest = allocate((size_t)edges + 1, sizeof *largest);
    for (int edge = 0; edge < edges; edge++) is_given[given[edge]] = true;
    for (int label = 1, k = 0; label <= edges; label++)
        if (!is_given[label]) smallest[k + 1] = smallest[k] + label, k++;
    for (int label = edges, k = 0; label >= 1; label--)
        if (!is_given[label]) largest[k + 1] = largest[k] + label, k++;
    free(is_given);
}

static void read_instance(void) {
    nodes = (int)read_integer("the number of nodes", 2, 2 * MOST);
    edges = (int)read_integer("the number of edges", 1, MOST);
    sums = (int)read_integer("the number of sums", 0, nodes);
    numbers = (int)read_integer("the number of listed numbers", 0, MOST);
    int64_t highest = (int64_t)edges * edges;
    read_edges();
    make_steps();
    read_sums(highest);
    read_numbers(highest);
    read_end();
    add_up_others();
}

static void make_room(void) {
    words = edges / 64 + 1;
    once = allocate((size_t)words, sizeof *once);
    twice = allocate((size_t)words, sizeof *twice);
    held = allocate((size_t)words, sizeof *held);
    path = allocate((size_t)nodes, sizeof *path);
    taken = allocate((size_t)nodes, sizeof *taken);
    visited = allocate((size_t)nodes, sizeof *visited);
    labels = allocate((size_t)edges, sizeof *labels);
    order = allocate((size_t)edges, sizeof *order);
    states = allocate((size_t)edges + 1, sizeof *states);
}

static const State *make_root(void) {
    const State *state = state_at(0);
    for (int edge = 0; edge < edges; edge++) {
        order[edge] = edge;
        for (int word = 0; word < words; word++) domain(state, edge)[word] = between(1, edges, word);
        if (given[edge]) only(domain(state, edge), given[edge]);
    }
    shuffle(order, edges);
    return state;
}

int main(void) {
    read_request();
    read_instance();
    make_room();
    const State *state = make_root();
    bool consistent = propagate(state);
    int undecided = 0;
    for (int edge = 0; edge < edges; edge++) undecided += size(domain(state, edge)) > 1;
    root(edges, undecided);
    if (consistent) search(0);
    return finish();
}
