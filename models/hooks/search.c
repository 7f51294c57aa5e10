/* Hooks by search: propagate, cut the grid outside in, then fill the hooks, back up.

   A grid is cut into hooks of the sizes n..1; each gets a number v of its own, which v of its cells hold. Clues
   give sums, products, and whether what is filled is connected and free of full 2x2 blocks.

       domain      cell -> the values that it can still hold, 0 for an empty cell, as a set of bits
       cut         a hook that a square can lose, and the numbers that it can still get: none if it is ruled out
       level       the cuts for the hook of one size; what is left of the grid is always a square
       clue        cells as they are met, and an automaton that accepts their values
       trail       domains and numbers of cuts as they were, to be restored when the search backs up

   `propagation`, until nothing changes:
   - the cells of a clue keep values that a filling has there which the clue accepts;
   - if v cells hold the number v, no other does; if only v are left that can, they do;
   - of four cells in a block, the last is empty if three are filled;
   - a cell is empty if no path through cells that may be filled leads to it from those that are, and filled if
     without it there is none between two of them;
   - a cut keeps a number v if all filled cells of the hook, at most v, can hold v, at least v cells can, and no
     cell outside must. The numbers of the hooks are all different. A cut without a number, or on no path of
     cuts from the whole grid to nothing, goes; a cell can hold v if a cut with v is left that has it.

   It first branches on the outermost hook of which the cut or the number is not decided. Then on whether a cell
   is filled: in the hook that can be filled in the fewest ways, the one with the most neighbours, diagonal ones
   too, that are decided. A filling for which the grid can be cut in several ways is a solution in the first. */

#include "../shared/program.h"

#include <math.h>
#include <string.h>

enum { EMPTY = 0, MOST = 100, WORD = 64 }; /* the largest grid; the bits of half a set */
enum { SUM = 1, FIRST_TWO_PRODUCT, FIRST_BLOCK_SUM };

typedef unsigned __int128 Set; /* of values, or of numbers */

typedef struct {
    int top, left, size;  /* the square that is cut */
    int row, column;      /* of the hook, which share its corner */
    int down, right;      /* by how much the square that remains lies further */
} Cut;

typedef struct {
    int kind, number, count, *cells;
} Clue;

typedef struct {
    Set *place, before;
} Change;

typedef struct {
    enum { CUT, NUMBER, CELL } what;
    int which;               /* the size of the hook, or the cell */
    int options[MOST], count, next;
    size_t mark;
} Choice;

static int n, cell_count, clue_count, cut_count;
static bool by_size, must_connect, no_full_block;
static Set *domains;        /* by cell */
static Cut *all_cuts;       /* of size 1 first; those of a size from top to bottom */
static Set *numbers;        /* by cut */
static Set *first_numbers;  /* the same before the search */
static int *first_cut;      /* by size; those of the next size come after */
static Clue *clues;
static int **clues_of, *clues_of_count; /* by cell */
static int *stale, stale_count;         /* the clues of which a cell lost a value */
static bool *is_stale;
static int *rank;                       /* by cell: of equal ones, the lowest is branched on first */

static Change *trail;
static size_t trail_length, trail_room;
static bool changed; /* in this round of propagation */

/* Sets. */

static Set only(int value) { return (Set)1 << value; }
static bool single(Set set) { return !(set & (set - 1)); }
static int least(Set set) {
    return (uint64_t)set ? __builtin_ctzll((uint64_t)set) : WORD + __builtin_ctzll((uint64_t)(set >> WORD));
}
static int size_of(Set set) {
    return __builtin_popcountll((uint64_t)set) + __builtin_popcountll((uint64_t)(set >> WORD));
}
static bool has(int cell, int value) { return domains[cell] >> value & 1; }
static bool filled(int cell) { return !has(cell, EMPTY); }

/* Changes that the search can undo. */

static void change(Set *place, Set set) {
    if (*place == set) return;
    if (trail_length == trail_room) {
        trail_room = trail_room ? 2 * trail_room : 1024;
        trail = grow(trail, trail_room, sizeof *trail);
    }
    trail[trail_length++] = (Change){place, *place};
    *place = set;
}

static void undo(size_t mark) {
    while (trail_length > mark) {
        trail_length--;
        *trail[trail_length].place = trail[trail_length].before;
    }
}

/* Restricts a cell to the allowed values; false if none is left. */
static bool keep(int cell, Set allowed) {
    Set before = domains[cell], kept = before & allowed;
    if (kept == before) return kept;
    change(&domains[cell], kept);
    propagations += (uint64_t)size_of(before ^ kept);
    changed = true;
    for (int i = 0; i < clues_of_count[cell]; i++) {
        int clue = clues_of[cell][i];
        if (is_stale[clue]) continue;
        is_stale[clue] = true;
        stale[stale_count++] = clue;
    }
    return kept;
}

/* Clues. The states of their automata are numbers: of a sum, the sum so far; of a run of cells, the sum so far and
   above that its end; of a product the first number, 0 before it, and n + 1 after the second. */

static bool *states; /* for supported(): which are possible before each cell */

/* How many states an automaton has. */
static int state_count(const Clue *clue) { return clue->kind == FIRST_TWO_PRODUCT ? n + 2 : clue->number + 2; }

/* The state to which a value leads; -1 if the clue does not allow it. */
static int next_state(const Clue *clue, int state, int value) {
    int end = state_count(clue) - 1;
    if (clue->kind == SUM) return state + value <= clue->number ? state + value : -1;
    if (state == end) return end;
    if (clue->kind == FIRST_BLOCK_SUM) {
        if (value == EMPTY && state) return state == clue->number ? end : -1;
        return state + value <= clue->number ? state + value : -1;
    }
    if (value == EMPTY) return state;
    if (state) return clue->number % state == 0 && clue->number / state == value ? end : -1;
    return clue->number % value ? -1 : value;
}

/* Leaves each cell the values that it has in a filling which the clue accepts. */
static bool supported(const Clue *clue) {
    size_t count = (size_t)state_count(clue);
    bool *before = states, *after = states;
    memset(states, 0, count * ((size_t)clue->count + 1) * sizeof *states);
    before[0] = true;
    for (int i = 0; i < clue->count; i++, before = after) {
        after = before + count;
        for (int state = 0; state < (int)count; state++)
            for (Set rest = before[state] ? domains[clue->cells[i]] : 0; rest; rest &= rest - 1) {
                int next = next_state(clue, state, least(rest));
                if (next >= 0) after[next] = true;
            }
    }
    /* Accepted are the total, and the end. */
    for (int state = 0; state < (int)count - 2; state++) after[state] = false;
    if (clue->kind == FIRST_TWO_PRODUCT) after[n] = false;
    for (int i = clue->count - 1; i >= 0; i--, after = before) {
        Set kept = 0;
        before = after - count;
        for (int state = 0; state < (int)count; state++) {
            Set useful = 0;
            for (Set rest = before[state] ? domains[clue->cells[i]] : 0; rest; rest &= rest - 1) {
                int next = next_state(clue, state, least(rest));
                if (next >= 0 && after[next]) useful |= rest & -rest;
            }
            before[state] = useful;
            kept |= useful;
        }
        if (!keep(clue->cells[i], kept)) return false;
    }
    return true;
}

/* Each number v is in v cells. */
static bool in_as_many_cells(void) {
    for (int v = 1; v <= n; v++) {
        int placed = 0, possible = 0;
        for (int cell = 0; cell < cell_count; cell++) {
            possible += has(cell, v);
            placed += domains[cell] == only(v);
        }
        if (placed > v || possible < v) return false;
        if (possible == placed || (placed < v && v < possible)) continue;
        for (int cell = 0; cell < cell_count; cell++)
            if (has(cell, v) && !single(domains[cell]) && !keep(cell, placed == v ? ~only(v) : only(v)))
                return false;
    }
    return true;
}

/* No 2x2 block is completely filled. */
static bool no_block_filled(void) {
    for (int corner = 0; corner < cell_count - n; corner++) {
        if (corner % n == n - 1) continue;
        int block[4] = {corner, corner + 1, corner + n, corner + n + 1}, full = 0, last = corner;
        for (int i = 0; i < 4; i++) {
            full += filled(block[i]);
            if (!filled(block[i])) last = block[i];
        }
        if (full >= 3 && !keep(last, only(EMPTY))) return false;
    }
    return true;
}

/* Connection. */

static int *visited, *lowest; /* by cell: when it was visited, 0 if never; the first that is seen from beyond it */
static int visits;
static bool *separates;       /* by cell: whether without it there are filled cells in two parts */

/* Visits the cells that are reached through one that may be filled; returns how many of them are filled. */
static int visit(int cell) {
    int row = cell / n, column = cell % n, count = filled(cell);
    int beside[4] = {row > 0 ? cell - n : -1, row < n - 1 ? cell + n : -1, column > 0 ? cell - 1 : -1,
                     column < n - 1 ? cell + 1 : -1};
    visited[cell] = lowest[cell] = ++visits;
    for (int i = 0; i < 4; i++) {
        int other = beside[i];
        if (other < 0 || domains[other] == only(EMPTY)) continue;
        if (visited[other]) {
            if (visited[other] < lowest[cell]) lowest[cell] = visited[other];
            continue;
        }
        int beyond = visit(other);
        if (lowest[other] < lowest[cell]) lowest[cell] = lowest[other];
        if (beyond && lowest[other] >= visited[cell]) separates[cell] = true;
        count += beyond;
    }
    return count;
}

/* All filled cells are connected along edges. */
static bool connected(void) {
    int start = 0;
    while (start < cell_count && !filled(start)) start++;
    if (start == cell_count) return true;
    for (int cell = 0; cell < cell_count; cell++) visited[cell] = separates[cell] = 0;
    visits = 0;
    visit(start);
    for (int cell = 0; cell < cell_count; cell++) {
        if (!visited[cell] && !keep(cell, only(EMPTY))) return false;
        if (separates[cell] && !keep(cell, ~only(EMPTY))) return false;
    }
    return true;
}

/* Hooks. */

static Set *supported_by_cuts; /* by cell: the numbers of the hooks that can have it */
static bool *squares, *squares_next; /* for on_paths(), by the top left corner */

static int hook_length(const Cut *cut) { return 2 * cut->size - 1; }

/* The k-th cell of a hook: first those of the row. */
static int hook_cell(const Cut *cut, int k) {
    if (k < cut->size) return cut->row * n + cut->left + k;
    return (cut->top + cut->down + k - cut->size) * n + cut->column;
}

/* A hook with the number v has v cells with it, and all of them. */
static void keep_fitting_numbers(void) {
    int decided[MOST + 1] = {0};
    for (int cell = 0; cell < cell_count; cell++)
        if (single(domains[cell])) decided[least(domains[cell])]++;
    for (int i = 0; i < cut_count; i++) {
        if (!numbers[i]) continue;
        const Cut *cut = &all_cuts[i];
        int full = 0, length = hook_length(cut);
        Set kept = numbers[i];
        for (int k = 0; k < length; k++) {
            int cell = hook_cell(cut, k);
            if (!filled(cell)) continue;
            full++;
            kept &= domains[cell];
        }
        for (Set rest = kept; rest; rest &= rest - 1) {
            int v = least(rest), possible = 0, inside = 0;
            for (int k = 0; k < length; k++) {
                Set domain = domains[hook_cell(cut, k)];
                possible += domain >> v & 1;
                inside += domain == only(v);
            }
            if (full > v || possible < v || inside < decided[v]) kept ^= only(v);
        }
        change(&numbers[i], kept);
    }
}

/* Each cut is on a path from the whole grid to nothing; false if there is none. */
static bool on_paths(void) {
    memset(squares, 0, (size_t)cell_count * sizeof *squares);
    squares[0] = true;
    for (int forward = 1; forward >= 0; forward--)
        for (int step = 0; step < n; step++) {
            /* Forward from the squares that can be left to those that remain, then back. */
            int size = forward ? n - step : step + 1;
            bool any = false;
            memset(squares_next, 0, (size_t)cell_count * sizeof *squares_next);
            for (int i = first_cut[size]; i < first_cut[size + 1]; i++) {
                if (!numbers[i]) continue;
                const Cut *cut = &all_cuts[i];
                int square = cut->top * n + cut->left, rest = square + cut->down * n + cut->right;
                if (size == 1) rest = 0; /* Nothing, wherever it is. */
                if (!squares[forward ? square : rest]) {
                    change(&numbers[i], 0);
                    continue;
                }
                squares_next[forward ? rest : square] = any = true;
            }
            if (!any) return false;
            memcpy(squares, squares_next, (size_t)cell_count * sizeof *squares);
        }
    return true;
}

static Set numbers_of(int size) {
    Set set = 0;
    for (int i = first_cut[size]; i < first_cut[size + 1]; i++) set |= numbers[i];
    return set;
}

static void restrict_numbers(int size, Set allowed) {
    for (int i = first_cut[size]; i < first_cut[size + 1]; i++) change(&numbers[i], numbers[i] & allowed);
}

/* The numbers of the hooks are all different. */
static bool all_different(void) {
    Set once = 0, twice = 0, held = 0, left[MOST + 1];
    for (int size = 1; size <= n; size++) {
        left[size] = numbers_of(size);
        twice |= once & left[size];
        once |= left[size];
        if (!single(left[size])) continue;
        if (held & left[size]) return false;
        held |= left[size];
    }
    Set alone = once & ~twice & ~held;
    for (int size = 1; size <= n; size++)
        if (!single(left[size])) restrict_numbers(size, left[size] & alone ? alone : ~held);
    return size_of(once) == n;
}

/* A cell can hold a number if a cut with it is left that has the cell. */
static bool in_hooks(void) {
    for (int cell = 0; cell < cell_count; cell++) supported_by_cuts[cell] = only(EMPTY);
    for (int i = 0; i < cut_count; i++)
        for (int k = 0; numbers[i] && k < hook_length(&all_cuts[i]); k++)
            supported_by_cuts[hook_cell(&all_cuts[i], k)] |= numbers[i];
    for (int cell = 0; cell < cell_count; cell++)
        if (!keep(cell, supported_by_cuts[cell])) return false;
    return true;
}

/* The grid is cut into hooks, outside in, and v cells of a hook hold its number v. */
static bool hooks(void) {
    size_t before;
    keep_fitting_numbers();
    do {
        before = trail_length;
        if (!on_paths() || !all_different()) return false;
    } while (trail_length > before);
    return in_hooks();
}

/* Applies all rules until nothing changes. */
static bool propagate(void) {
    do {
        while (stale_count) {
            int clue = stale[--stale_count];
            bool possible = supported(&clues[clue]);
            is_stale[clue] = false; /* It has taken note of what it removed itself. */
            if (!possible) return false;
        }
        changed = false;
        if (!in_as_many_cells() || (no_full_block && !no_block_filled()) || (must_connect && !connected()))
            return false;
        /* The rule that takes longest waits for the clues. */
        if (!stale_count && !hooks()) return false;
    } while (changed);
    return true;
}

static bool fixpoint(void) {
    bool consistent = propagate();
    /* No clue is stale where the search backs up to. */
    while (stale_count) is_stale[stale[--stale_count]] = false;
    return consistent;
}

/* Search. */

static int undecided(void) {
    int count = 0;
    for (int cell = 0; cell < cell_count; cell++) count += !single(domains[cell]);
    return count;
}

static bool *was_left; /* by cut */

/* Whether the first way to cut the decided grid is one of those that are left. */
static bool first_way_left(void) {
    size_t mark = trail_length;
    bool first = true;
    for (int i = 0; i < cut_count; i++) {
        was_left[i] = numbers[i];
        change(&numbers[i], first_numbers[i]);
    }
    hooks();
    int row = 0, column = 0;
    for (int size = n; size >= 1; size--) {
        int i = first_cut[size];
        while (!numbers[i] || all_cuts[i].top != row || all_cuts[i].left != column) i++;
        first = first && was_left[i];
        row += all_cuts[i].down;
        column += all_cuts[i].right;
    }
    undo(mark);
    return first;
}

static void report(int64_t *values) {
    if (!first_way_left()) return;
    for (int cell = 0; cell < cell_count; cell++) values[cell] = least(domains[cell]);
    solution(values, (size_t)cell_count);
}

/* In how many ways so many cells can be chosen. */
static double ways(int cells, int chosen) {
    double count = 1;
    for (int i = 1; i <= chosen; i++) count = count * (cells - chosen + i) / i;
    return count;
}

/* How many cells around one, diagonal ones too, are decided. */
static int decided_around(int cell) {
    int count = 0, row = cell / n, column = cell % n;
    for (int r = row ? row - 1 : 0; r <= row + 1 && r < n; r++)
        for (int c = column ? column - 1 : 0; c <= column + 1 && c < n; c++) count += single(domains[r * n + c]);
    return count;
}

/* Whether to fill a cell of the hook that can be filled in the fewest ways; each hook has one cut and number. */
static void choose_cell(Choice *choice) {
    double fewest = INFINITY;
    for (int size = 1; size <= n; size++) {
        int i = first_cut[size], open = 0, full = 0, most = -1;
        while (!numbers[i]) i++;
        const Cut *cut = &all_cuts[i];
        for (int k = 0; k < hook_length(cut); k++) {
            open += !single(domains[hook_cell(cut, k)]);
            full += filled(hook_cell(cut, k));
        }
        int missing = least(numbers[i]) - full;
        if (!open || ways(open, missing) >= fewest) continue;
        fewest = ways(open, missing);
        choice->options[0] = 2 * missing > open;
        choice->options[1] = !choice->options[0];
        for (int k = 0; k < hook_length(cut); k++) {
            int cell = hook_cell(cut, k), known = single(domains[cell]) ? -1 : decided_around(cell);
            if (known < most || (known == most && rank[cell] > rank[choice->which])) continue;
            choice->which = cell;
            most = known;
        }
    }
    choice->what = CELL;
    choice->count = 2;
}

/* What to branch on, with its options in the order of the seed; none if all cells are decided. */
static Choice next_choice(void) {
    Choice choice = {.mark = trail_length};
    if (!undecided()) return choice;
    for (int size = n; size >= 1; size--) {
        choice.which = size;
        for (int i = first_cut[size]; i < first_cut[size + 1]; i++)
            if (numbers[i]) choice.options[choice.count++] = i;
        choice.what = CUT;
        if (choice.count == 1) {
            Set left = numbers[choice.options[0]];
            choice.count = 0;
            choice.what = NUMBER;
            for (int v = n; v >= 1 && !single(left); v--)
                if (left >> v & 1) choice.options[choice.count++] = v;
        }
        shuffle(choice.options, choice.count);
        if (choice.count) return choice;
    }
    choose_cell(&choice);
    return choice;
}

/* Assumes the next option; false on a contradiction. */
static bool assume(Choice *choice) {
    int option = choice->options[choice->next++];
    uint64_t before = propagations;
    branches++;
    if (choice->what == CELL) {
        keep(choice->which, option ? ~only(EMPTY) : only(EMPTY));
        propagations = before; /* What a branch removes is not counted. */
    } else if (choice->what == NUMBER) {
        restrict_numbers(choice->which, only(option));
    } else {
        for (int i = first_cut[choice->which]; i < first_cut[choice->which + 1]; i++)
            if (i != option) change(&numbers[i], 0);
    }
    if (fixpoint()) return true;
    failures++;
    return false;
}

/* Reports every solution below what is left now. */
static void search(int64_t *values) {
    /* At most a cut and a number of each hook, and each cell. */
    Choice *choices = allocate((size_t)cell_count + 2 * (size_t)n + 1, sizeof *choices);
    int depth = 0;
    choices[0] = next_choice();
    if (!choices[0].count) report(values);
    while (depth >= 0 && !done()) {
        Choice *choice = &choices[depth];
        undo(choice->mark);
        if (choice->next == choice->count) {
            depth--;
            continue;
        }
        if (!assume(choice)) continue;
        choices[++depth] = next_choice();
        if (!choices[depth].count) report(values);
    }
}

/* Input. */

/* Whether a hook is the one that is printed, or none is. */
static bool is_printed(const Cut *cut, const int *printed) {
    for (int k = 0; k < hook_length(cut); k++) {
        int size = printed[hook_cell(cut, k)];
        if (size && size != cut->size) return false;
    }
    return true;
}

/* The cuts of all sizes, outermost rows first, with the numbers that their hooks have room for. */
static void make_cuts(const int *printed) {
    size_t room = 1;
    for (int size = 2; size <= n; size++) room += 4 * (size_t)(n - size + 1) * (size_t)(n - size + 1);
    room += (size_t)cell_count - 1;
    all_cuts = allocate(room, sizeof *all_cuts);
    numbers = allocate(room, sizeof *numbers);
    first_numbers = allocate(room, sizeof *first_numbers);
    first_cut = allocate((size_t)n + 2, sizeof *first_cut);
    for (int size = 1; size <= n; size++) {
        first_cut[size] = cut_count;
        /* The three cells of the hook of size 2 make a block with the one of size 1, which is filled. */
        int most = 2 * size - 1 - (size == 2 && no_full_block);
        Set possible = by_size ? only(size) : only((most < n ? most : n) + 1) - 2;
        for (int square = 0; square < cell_count; square++)
            for (int way = 0; way < (size > 1 ? 4 : 1); way++) {
                int top = square / n, left = square % n, down = way < 2, right = way % 2 == 0;
                if (top + size > n || left + size > n) continue;
                Cut cut = {top, left, size, down ? top : top + size - 1, right ? left : left + size - 1, down, right};
                if (!is_printed(&cut, printed)) continue;
                all_cuts[cut_count] = cut;
                numbers[cut_count] = first_numbers[cut_count] = possible;
                cut_count++;
            }
    }
    first_cut[n + 1] = cut_count;
}

static void make_tables(void) {
    supported_by_cuts = allocate((size_t)cell_count, sizeof *supported_by_cuts);
    squares = allocate((size_t)cell_count, sizeof *squares);
    squares_next = allocate((size_t)cell_count, sizeof *squares_next);
    was_left = allocate((size_t)cut_count, sizeof *was_left);
    visited = allocate((size_t)cell_count, sizeof *visited);
    lowest = allocate((size_t)cell_count, sizeof *lowest);
    separates = allocate((size_t)cell_count, sizeof *separates);
}

static void read_clues(void) {
    size_t most_room = 0;
    clue_count = (int)read_integer("the number of clues", 0, 20 * cell_count);
    clues = allocate((size_t)clue_count, sizeof *clues);
    stale = allocate((size_t)clue_count, sizeof *stale);
    is_stale = allocate((size_t)clue_count, sizeof *is_stale);
    clues_of = allocate((size_t)cell_count, sizeof *clues_of);
    clues_of_count = allocate((size_t)cell_count, sizeof *clues_of_count);
    for (int k = 0; k < clue_count; k++) {
        Clue *clue = &clues[k];
        clue->kind = (int)read_integer("the kind of a clue", SUM, FIRST_BLOCK_SUM);
        /* A sum is out of reach from n * cell_count + 1 on. */
        int most = clue->kind == FIRST_TWO_PRODUCT ? INT_MAX : n * cell_count + 1;
        clue->number = (int)read_integer("the number of a clue", 0, most);
        clue->count = (int)read_integer("the number of cells of a clue", 0, cell_count);
        clue->cells = allocate((size_t)clue->count, sizeof *clue->cells);
        for (int i = 0; i < clue->count; i++) {
            int cell = clue->cells[i] = (int)read_integer("a cell of a clue", 0, cell_count - 1);
            clues_of[cell] = grow(clues_of[cell], (size_t)clues_of_count[cell] + 1, sizeof *clues_of[cell]);
            clues_of[cell][clues_of_count[cell]++] = k;
        }
        size_t room = (size_t)state_count(clue) * ((size_t)clue->count + 1);
        if (room > most_room) most_room = room;
        stale[stale_count++] = k;
        is_stale[k] = true;
    }
    states = allocate(most_room, sizeof *states);
}

int main(void) {
    read_request();
    n = (int)read_integer("the size", 1, MOST);
    cell_count = n * n;
    by_size = read_integer("whether hooks hold their size", 0, 1);
    must_connect = read_integer("whether filled cells are connected", 0, 1);
    no_full_block = read_integer("whether no block is filled", 0, 1);
    int *printed = allocate((size_t)cell_count, sizeof *printed);
    for (int cell = 0; cell < cell_count; cell++) printed[cell] = (int)read_integer("the size of a hook", 0, n);
    domains = allocate((size_t)cell_count, sizeof *domains);
    rank = allocate((size_t)cell_count, sizeof *rank);
    for (int cell = 0; cell < cell_count; cell++) {
        int given = (int)read_integer("a given number", 0, n);
        domains[cell] = given ? only(given) : only(n + 1) - 1;
        rank[cell] = cell;
    }
    shuffle(rank, cell_count);
    read_clues();
    read_end();

    make_cuts(printed);
    make_tables();
    int64_t *values = allocate((size_t)cell_count, sizeof *values);
    bool consistent = fixpoint();
    root(cell_count, undecided());
    if (consistent) search(values);
    return finish();
}
