/* Choco Banana by search.

   Some cells of a grid are shaded. Of the groups, connected along edges, the shaded ones are rectangles, the
   unshaded ones are not, and a number is the size of the group that holds its cell.

       set          cells as bits of machine words, bit row * (width + 1) + column of each: the bit between two
                    rows is no cell
       rectangle    one that can be the group of a number if that is shaded, and the cells beside it
       state        what is known at a node: the shaded and the unshaded cells; by number the rectangles that
                    are left, and the cells whose shade can change what follows from it; by size the cells that
                    are known to lie in unshaded groups with such a number; by cell what its trials have shown

   `propagation`, until nothing changes:
   - a 2x2 block has not exactly three shaded cells: two that are shaded and one that is not, or three that are
     shaded, decide the last one. A cell with shaded neighbours only is shaded;
   - a number keeps the rectangles that have no unshaded cell, and no shaded one beside them. If it is shaded,
     what all of them hold is shaded, and what is beside all of them is not. If none is left, it is unshaded;
   - a number is shaded if its group, were it unshaded, is too large, is a rectangle or has another number, or
     cannot reach its size through cells that are neither shaded nor in or beside a group with another number;
   - the group of an unshaded number takes all cells that it can reach if these are no more than its size, and
     the cell beside it through which alone it can grow. The other cells beside it are shaded if it has its
     size, and so is each one that would connect it to too many cells or to another number;
   - an unshaded group that is a rectangle takes the only cell beside it that is not shaded;
   - a shade that is refuted on trial is removed: at the root until nothing changes, then at each node near the
     cells that have changed.
   It branches on the cell of which the trials have shown that the shade that decides fewer cells decides most. */

#include "../shared/program.h"

#include <string.h>

enum { UNSHADED, SHADED, SHADES };
enum { NEAR = 3 }; /* how far from a change shades are tried */
enum { BITS = 64 };

typedef uint64_t Word;

typedef struct {
    int bit, size, slot;     /* slot: of the size */
    size_t first, end;       /* its rectangles */
} Number;

typedef struct {
    Word *shaded, *unshaded; /* the block of memory begins here */
    Word *known;             /* a set for each slot */
    Word *watched;           /* a set for each number */
    unsigned char *left;     /* by rectangle */
    int (*worth)[SHADES];    /* by cell: how many cells its shades decide, the lesser first */
} State;

typedef struct {
    State state;
    int cell;                /* to branch on */
    int next;                /* the next shade */
} Node;

static int height, width, stride, n, number_count, slot_count;
static size_t words;         /* in a set */
static size_t trial_size, state_size; /* in bytes: without and with `worth` */
static int *bit_of, *sequence; /* by cell; the cells in the order of the seed */
static Number *numbers;
static Word *rectangles;     /* two sets each: its cells, and those beside it */
static size_t rectangle_count, rectangle_room;
static Word *board, *corners; /* all cells, and those that are the top left one of a 2x2 block */
static Word *numbered, *same; /* the cells with a number; by slot those with a number of that size */

/* Sets. */

static Word *new_sets(size_t count) {
    if (count > SIZE_MAX / words) fail("the grid is too large");
    return allocate(count * words, sizeof(Word));
}

/* A set for a function to compute with; it keeps its memory, and what was in it. */
#define SCRATCH(name)     \
    static Word *name;    \
    if (!name) name = new_sets(1)

static bool has(const Word *set, int bit) { return set[bit / BITS] >> bit % BITS & 1; }
static void put(Word *set, int bit) { set[bit / BITS] |= (Word)1 << bit % BITS; }
static void take(Word *set, int bit) { set[bit / BITS] &= ~((Word)1 << bit % BITS); }
static void copy(Word *set, const Word *from) { memcpy(set, from, words * sizeof *set); }
static void clear(Word *set) { memset(set, 0, words * sizeof *set); }
static bool equal(const Word *a, const Word *b) { return !memcmp(a, b, words * sizeof *a); }

static void add(Word *set, const Word *more) {
    for (size_t i = 0; i < words; i++) set[i] |= more[i];
}

static void keep(Word *set, const Word *kept) {
    for (size_t i = 0; i < words; i++) set[i] &= kept[i];
}

static void leave_out(Word *set, const Word *gone) {
    for (size_t i = 0; i < words; i++) set[i] &= ~gone[i];
}

static bool meet(const Word *a, const Word *b) {
    for (size_t i = 0; i < words; i++)
        if (a[i] & b[i]) return true;
    return false;
}

static int size_of(const Word *set) {
    int count = 0;
    for (size_t i = 0; i < words; i++) count += __builtin_popcountll(set[i]);
    return count;
}

/* The least member from a bit on, or -1. */
static int next_member(const Word *set, int bit) {
    for (size_t i = (size_t)bit / BITS; i < words; i++) {
        Word rest = i == (size_t)bit / BITS ? set[i] >> bit % BITS << bit % BITS : set[i];
        if (rest) return (int)(i * BITS) + __builtin_ctzll(rest);
    }
    return -1;
}

/* A machine word of the set whose members are greater by a distance, or smaller. */
static Word up(const Word *set, size_t i, int distance) {
    size_t whole = (size_t)distance / BITS;
    int rest = distance % BITS;
    if (i < whole) return 0;
    return set[i - whole] << rest | (rest && i > whole ? set[i - whole - 1] >> (BITS - rest) : 0);
}

static Word down(const Word *set, size_t i, int distance) {
    size_t whole = (size_t)distance / BITS;
    int rest = distance % BITS;
    if (i + whole >= words) return 0;
    return set[i + whole] >> rest | (rest && i + whole + 1 < words ? set[i + whole + 1] << (BITS - rest) : 0);
}

/* The cells of a set and those that share an edge with one of them. */
static void around(Word *result, const Word *set) {
    for (size_t i = 0; i < words; i++)
        result[i] = (set[i] | up(set, i, 1) | down(set, i, 1) | up(set, i, stride) | down(set, i, stride)) & board[i];
}

/* The cells beside a set. */
static void beside(Word *result, const Word *set) {
    around(result, set);
    leave_out(result, set);
}

/* Adds to some cells of a set those to which a path in it leads from them. */
static void connect(Word *some, const Word *cells) {
    SCRATCH(more);
    for (;;) {
        around(more, some);
        keep(more, cells);
        add(more, some);
        if (equal(more, some)) return;
        copy(some, more);
    }
}

/* Whether connected cells are a full rectangle: no 2x2 block has exactly three of them. */
static bool is_rectangle(const Word *group) {
    for (size_t i = 0; i < words; i++) {
        Word here = group[i], right = down(group, i, 1), below = down(group, i, stride);
        Word across = down(group, i, stride + 1);
        if (((here & right & (below ^ across)) | (below & across & (here ^ right))) & corners[i]) return false;
    }
    return true;
}

/* Propagation. */

static void decided(Word *result, const State *state) {
    copy(result, state->shaded);
    add(result, state->unshaded);
}

/* One step of: no 2x2 block has exactly three shaded cells, and an unshaded cell has an unshaded neighbour. */
static void complete_blocks(Word *shaded, Word *unshaded, const State *state) {
    static Word *forced; /* by place in the block and shade, seen from the top left cell */
    if (!forced) forced = new_sets(4 * SHADES);
    int distance[4] = {0, 1, stride, stride + 1};
    for (size_t i = 0; i < words; i++) {
        Word yes[4], no[4];
        for (int place = 0; place < 4; place++) {
            yes[place] = down(state->shaded, i, distance[place]);
            no[place] = down(state->unshaded, i, distance[place]);
        }
        for (int last = 0; last < 4; last++) {
            int a = last == 0, b = last <= 1 ? 2 : 1, c = last == 3 ? 2 : 3;
            Word two = (no[a] & yes[b] & yes[c]) | (yes[a] & no[b] & yes[c]) | (yes[a] & yes[b] & no[c]);
            forced[(size_t)(SHADES * last + SHADED) * words + i] = yes[a] & yes[b] & yes[c] & corners[i];
            forced[(size_t)(SHADES * last + UNSHADED) * words + i] = two & corners[i];
        }
    }
    copy(shaded, state->shaded);
    copy(unshaded, state->unshaded);
    for (size_t i = 0; i < words; i++)
        for (int last = 0; last < 4; last++) {
            shaded[i] |= up(&forced[(size_t)(SHADES * last + SHADED) * words], i, distance[last]);
            unshaded[i] |= up(&forced[(size_t)(SHADES * last + UNSHADED) * words], i, distance[last]);
        }
    Word *open = forced;
    copy(open, board);
    leave_out(open, shaded);
    for (size_t i = 0; i < words; i++) {
        Word near = up(open, i, 1) | down(open, i, 1) | up(open, i, stride) | down(open, i, stride);
        shaded[i] |= board[i] & ~near;
    }
}

static void blocks(State *state) {
    SCRATCH(shaded);
    SCRATCH(unshaded);
    bool changed = true;
    while (changed && !meet(state->shaded, state->unshaded)) {
        complete_blocks(shaded, unshaded, state);
        changed = !equal(shaded, state->shaded) || !equal(unshaded, state->unshaded);
        copy(state->shaded, shaded);
        copy(state->unshaded, unshaded);
    }
}

/* A shaded number lies in a rectangle of its size. */
static void shaded_group(State *state, const Number *number, Word *watched) {
    SCRATCH(inside);
    SCRATCH(outside);
    bool any = false;
    copy(inside, board);
    copy(outside, board);
    for (size_t r = number->first; r < number->end; r++) {
        if (!state->left[r]) continue;
        const Word *cells = &rectangles[2 * r * words], *border = cells + words;
        state->left[r] = !meet(cells, state->unshaded) && !meet(border, state->shaded);
        if (!state->left[r]) continue;
        any = true;
        keep(inside, cells);
        keep(outside, border);
        add(watched, cells);
        add(watched, border);
    }
    if (!any) {
        put(state->unshaded, number->bit);
    } else if (has(state->shaded, number->bit)) {
        add(state->shaded, inside);
        add(state->unshaded, outside);
    }
}

/* Of the cells beside a group that is too small some are shaded; one that is left alone is not. */
static void exits(State *state, const Number *number, const Word *group, const Word *allowed, Word *watched) {
    SCRATCH(edge);
    SCRATCH(open);
    SCRATCH(near);
    SCRATCH(merged);
    beside(edge, group);
    leave_out(edge, state->shaded);
    copy(open, edge);
    keep(open, allowed);
    copy(merged, state->unshaded);
    leave_out(merged, group);
    around(near, merged);
    keep(near, open);
    for (int bit = next_member(near, 0); bit >= 0; bit = next_member(near, bit + 1)) {
        copy(merged, group);
        put(merged, bit);
        connect(merged, state->unshaded);
        bool too_large = size_of(merged) > number->size, other = false;
        for (size_t i = 0; i < words; i++)
            other |= (merged[i] & numbered[i] & ~same[(size_t)number->slot * words + i]) != 0;
        if (too_large || other) take(open, bit);
        around(edge, merged);
        add(watched, edge);
    }
    beside(edge, group);
    leave_out(edge, state->shaded);
    leave_out(edge, open);
    add(state->shaded, edge);
    if (size_of(open) <= 1) add(state->unshaded, open);
}

/* An unshaded number lies in a group of its size that is no rectangle; adds what is new in it to `news`. */
static void unshaded_group(State *state, const Number *number, Word *watched, Word *news) {
    SCRATCH(group);
    SCRATCH(others);
    SCRATCH(allowed);
    SCRATCH(reach);
    SCRATCH(more);
    clear(group);
    put(group, number->bit);
    connect(group, state->unshaded);
    copy(others, numbered);
    leave_out(others, &same[(size_t)number->slot * words]);
    for (int slot = 0; slot < slot_count; slot++)
        if (slot != number->slot) add(others, &state->known[(size_t)slot * words]);
    copy(more, others);
    keep(more, state->unshaded);
    around(reach, more);
    for (size_t i = 0; i < words; i++)
        allowed[i] = (board[i] & ~(state->shaded[i] | others[i] | reach[i])) | group[i];

    copy(reach, group);
    int least = size_of(group), count = least;
    for (int step = least; step < number->size && count <= number->size; step++) {
        around(more, reach);
        keep(more, allowed);
        if (equal(more, reach)) break;
        copy(reach, more);
        count = size_of(reach);
    }
    around(more, reach);
    add(watched, more);
    bool fits = number->size >= 3 && !meet(group, others) && least <= number->size && number->size <= count;
    if (!fits || (count == number->size && is_rectangle(reach))) {
        put(state->shaded, number->bit);
        return;
    }
    if (!has(state->unshaded, number->bit)) return;
    if (count == number->size) {
        add(state->unshaded, reach);
        beside(more, reach);
        add(state->shaded, more);
        copy(group, reach);
    } else {
        exits(state, number, group, allowed, watched);
    }
    Word *known = &state->known[(size_t)number->slot * words];
    leave_out(group, known);
    add(known, group);
    add(news, group);
}

/* An unshaded group that nothing can be added to is no rectangle. */
static void closed(State *state, const Word *changed) {
    SCRATCH(seeds);
    SCRATCH(group);
    SCRATCH(edge);
    around(seeds, changed);
    keep(seeds, state->unshaded);
    for (int bit = next_member(seeds, 0); bit >= 0; bit = next_member(seeds, bit + 1)) {
        clear(group);
        put(group, bit);
        connect(group, state->unshaded);
        leave_out(seeds, group);
        beside(edge, group);
        leave_out(edge, state->shaded);
        int exit_count = size_of(edge);
        if (exit_count > 1 || !is_rectangle(group)) continue;
        /* Without an exit this is a contradiction. */
        if (exit_count)
            add(state->unshaded, edge);
        else
            add(state->shaded, group);
    }
}

/* One round of all rules, where they see cells that have changed, which become those that changed since. */
static void narrow(State *state, Word *changed) {
    SCRATCH(before);
    SCRATCH(now);
    SCRATCH(news);
    SCRATCH(fresh);
    decided(before, state);
    blocks(state);
    decided(now, state);
    leave_out(now, before);
    add(changed, now);
    decided(before, state);
    clear(news);
    for (int k = 0; k < number_count; k++) {
        const Number *number = &numbers[k];
        Word *watched = &state->watched[(size_t)k * words];
        if (!meet(watched, changed)) continue;
        clear(watched);
        put(watched, number->bit);
        clear(fresh);
        if (!has(state->shaded, number->bit)) unshaded_group(state, number, watched, fresh);
        if (!has(state->unshaded, number->bit)) shaded_group(state, number, watched);
        if (meet(state->shaded, state->unshaded)) return;
        add(news, fresh);
        add(changed, fresh);
        decided(now, state);
        leave_out(now, before);
        add(changed, now);
    }
    closed(state, changed);
    decided(changed, state);
    leave_out(changed, before);
    add(changed, news);
}

/* Applies all rules until nothing changes; false on a contradiction. */
static bool fixpoint(State *state, const Word *first) {
    SCRATCH(changed);
    SCRATCH(before);
    copy(changed, first);
    decided(before, state);
    bool consistent = true;
    while (consistent && meet(changed, board)) {
        narrow(state, changed);
        consistent = !meet(state->shaded, state->unshaded);
    }
    decided(changed, state);
    propagations += (uint64_t)(size_of(changed) - size_of(before));
    return consistent;
}

/* Search. */

static State new_state(void) {
    State state = {.shaded = allocate(state_size, 1)};
    state.unshaded = state.shaded + words;
    state.known = state.unshaded + words;
    state.watched = state.known + (size_t)slot_count * words;
    Word *end = state.watched + (size_t)number_count * words;
    state.worth = (int (*)[SHADES])(void *)((char *)state.shaded + trial_size);
    state.left = (unsigned char *)(void *)end;
    return state;
}

/* The cells at most NEAR steps away from some that have changed. */
static void add_near(Word *near, const Word *changed) {
    SCRATCH(here);
    SCRATCH(more);
    copy(here, changed);
    for (int step = 0; step < NEAR; step++) {
        around(more, here);
        copy(here, more);
    }
    add(near, here);
}

/* Tries a shade of a cell; how many cells it decides, or -1 if it is refuted. */
static int try_shade(State *trial, const State *state, int bit, int shade) {
    SCRATCH(changed);
    memcpy(trial->shaded, state->shaded, trial_size);
    put(shade == SHADED ? trial->shaded : trial->unshaded, bit);
    clear(changed);
    put(changed, bit);
    if (!fixpoint(trial, changed)) return -1;
    int before = size_of(state->shaded) + size_of(state->unshaded);
    return size_of(trial->shaded) + size_of(trial->unshaded) - before;
}

/* Removes what propagation refutes on trial, near cells that have changed; false on a contradiction. */
static bool shave(State *state, const Word *changed) {
    static State trials[SHADES];
    SCRATCH(near);
    SCRATCH(before);
    SCRATCH(now);
    for (int shade = 0; shade < SHADES; shade++)
        if (!trials[shade].shaded) trials[shade] = new_state();
    clear(near);
    add_near(near, changed);
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < n; i++) {
            int cell = sequence[i], bit = bit_of[cell];
            if (!has(near, bit) || has(state->shaded, bit) || has(state->unshaded, bit)) continue;
            if (done()) return false;
            more = true;
            take(near, bit);
            int worth[SHADES];
            for (int shade = 0; shade < SHADES; shade++)
                worth[shade] = try_shade(&trials[shade], state, bit, shade);
            if (worth[UNSHADED] < 0 && worth[SHADED] < 0) return false;
            if (worth[UNSHADED] >= 0 && worth[SHADED] >= 0) {
                bool less = worth[SHADED] < worth[UNSHADED];
                state->worth[cell][0] = worth[less];
                state->worth[cell][1] = worth[!less];
                continue;
            }
            propagations++;
            decided(before, state);
            memcpy(state->shaded, trials[worth[SHADED] >= 0].shaded, trial_size);
            decided(now, state);
            leave_out(now, before);
            add_near(near, now);
        }
    }
    return true;
}

/* Propagates what follows from cells that have changed. */
static bool prune(State *state, const Word *changed) {
    SCRATCH(before);
    SCRATCH(now);
    decided(before, state);
    leave_out(before, changed);
    if (!fixpoint(state, changed)) return false;
    decided(now, state);
    leave_out(now, before);
    add(now, changed);
    return shave(state, now);
}

/* The undecided cell whose trials decided most, or -1 if all are decided. */
static int choice(const State *state) {
    int best = -1;
    for (int i = 0; i < n; i++) {
        int cell = sequence[i];
        if (has(state->shaded, bit_of[cell]) || has(state->unshaded, bit_of[cell])) continue;
        const int *worth = state->worth[cell], *most = best < 0 ? NULL : state->worth[best];
        if (!most || worth[0] > most[0] || (worth[0] == most[0] && worth[1] > most[1])) best = cell;
    }
    return best;
}

static void report(const State *state) {
    static int64_t *values;
    if (!values) values = allocate((size_t)n, sizeof *values);
    for (int cell = 0; cell < n; cell++) values[cell] = has(state->shaded, bit_of[cell]) ? SHADED : UNSHADED;
    solution(values, (size_t)n);
}

/* Reports every solution below a state in which something is undecided. */
static void search(State root_state) {
    Node *nodes = NULL;
    int depth = 0, room = 0;
    Word *changed = new_sets(1);
    nodes = grow(nodes, 2, sizeof *nodes);
    nodes[0] = (Node){.state = root_state, .cell = choice(&root_state)};
    while (depth >= 0 && !done()) {
        if (nodes[depth].next == SHADES) {
            depth--;
            continue;
        }
        if (depth == room) {
            nodes = grow(nodes, (size_t)++room + 1, sizeof *nodes);
            nodes[room].state = new_state();
        }
        Node *node = &nodes[depth], *child = &nodes[depth + 1];
        branches++;
        memcpy(child->state.shaded, node->state.shaded, state_size);
        put(node->next++ == SHADED ? child->state.shaded : child->state.unshaded, bit_of[node->cell]);
        clear(changed);
        put(changed, bit_of[node->cell]);
        if (!prune(&child->state, changed)) {
            failures += !done(); /* What was interrupted is not refuted. */
            continue;
        }
        child->cell = choice(&child->state);
        child->next = UNSHADED;
        if (child->cell < 0)
            report(&child->state);
        else
            depth++;
    }
}

/* Input. */

static void add_rectangle(int top, int left, int rows, int columns, const Number *number) {
    if (rectangle_count == rectangle_room) {
        rectangle_room = rectangle_room ? 2 * rectangle_room : 64;
        if (rectangle_room > SIZE_MAX / words / 2) fail("the grid is too large");
        rectangles = grow(rectangles, 2 * rectangle_room * words, sizeof *rectangles);
    }
    Word *cells = &rectangles[2 * rectangle_count * words];
    clear(cells);
    for (int row = top; row < top + rows; row++)
        for (int column = left; column < left + columns; column++) put(cells, row * stride + column);
    for (size_t i = 0; i < words; i++)
        if (cells[i] & numbered[i] & ~same[(size_t)number->slot * words + i]) return;
    beside(cells + words, cells);
    rectangle_count++;
}

/* The rectangles of the size of a number that hold its cell, and no other number. */
static void make_rectangles(Number *number) {
    int row = number->bit / stride, column = number->bit % stride;
    number->first = rectangle_count;
    for (int rows = 1; rows <= height && rows <= number->size; rows++) {
        int columns = number->size / rows;
        if (rows * columns != number->size || columns > width) continue;
        for (int top = row < rows ? 0 : row - rows + 1; top <= row && top + rows <= height; top++)
            for (int left = column < columns ? 0 : column - columns + 1; left <= column && left + columns <= width;
                 left++)
                add_rectangle(top, left, rows, columns, number);
    }
    number->end = rectangle_count;
}

/* The numbers of an instance by cell, 0 where there is none. */
static void make_numbers(const int *given) {
    int *slot = allocate((size_t)n + 1, sizeof *slot); /* by size, from 1 */
    for (int cell = 0; cell < n; cell++) {
        number_count += given[cell] > 0;
        if (given[cell] && !slot[given[cell]]) slot[given[cell]] = ++slot_count;
    }
    numbers = allocate((size_t)number_count, sizeof *numbers);
    numbered = new_sets(1);
    same = new_sets((size_t)slot_count);
    for (int cell = 0, k = 0; cell < n; cell++) {
        if (!given[cell]) continue;
        numbers[k] = (Number){.bit = bit_of[cell], .size = given[cell], .slot = slot[given[cell]] - 1};
        put(numbered, bit_of[cell]);
        put(&same[(size_t)numbers[k++].slot * words], bit_of[cell]);
    }
    for (int k = 0; k < number_count; k++) make_rectangles(&numbers[k]);
}

int main(void) {
    read_request();
    height = (int)read_integer("the height", 1, 10000);
    width = (int)read_integer("the width", 1, 10000);
    n = height * width;
    stride = width + 1;
    words = ((size_t)height * (size_t)stride + BITS - 1) / BITS;
    int *given = allocate((size_t)n, sizeof *given);
    for (int cell = 0; cell < n; cell++) given[cell] = (int)read_integer("a number", 0, n);
    read_end();

    bit_of = allocate((size_t)n, sizeof *bit_of);
    sequence = allocate((size_t)n, sizeof *sequence);
    board = new_sets(1);
    corners = new_sets(1);
    for (int cell = 0; cell < n; cell++) {
        int row = cell / width, column = cell % width;
        sequence[cell] = cell;
        put(board, bit_of[cell] = row * stride + column);
        if (row < height - 1 && column < width - 1) put(corners, bit_of[cell]);
    }
    shuffle(sequence, n);
    make_numbers(given);

    size_t sets = 2 + (size_t)slot_count + (size_t)number_count;
    if (sets > SIZE_MAX / 16 / words) fail("the grid is too large");
    trial_size = (sets * words + (rectangle_count + 7) / 8) * sizeof(Word);
    state_size = trial_size + (size_t)n * sizeof(int[SHADES]);
    State state = new_state();
    memset(state.left, 1, rectangle_count);
    for (int k = 0; k < number_count; k++) copy(&state.watched[(size_t)k * words], board);

    bool consistent = prune(&state, board);
    int undecided = n - size_of(state.shaded) - size_of(state.unshaded);
    if (done()) return finish();
    root(n, consistent ? undecided : 0);
    if (consistent && undecided)
        search(state);
    else if (consistent)
        report(&state);
    return finish();
}
