/* Die Agony by search: roll the die move by move, and learn a face when it is first on top.

   A die with an unknown value on each face starts with score 0 and rolls over a grid to the end cell. Its nth
   move adds n times the value of the face that is then on top to the score, which must then equal the value
   of the cell. So the nth move, from cell i to cell k, must show a face of the value
   (value of k - value of i) / n, where i counts as 0 if it is the start of the first move.

   known[f]   the value that face f was seen to have, where f is its place in the starting position
   walk[n]    where the die is, and how it lies, after n moves of the walk that is being tried

   A move is made if its face has this value, or none yet: then it has this one until the search backs up.

   `roll` does no more, as in backtrack.py. `dead_states` also leaves out two kinds of moves: into a cell from
   which the end is farther than there are moves left, and into a dead state. A state is the number of moves,
   the cell, the die and the known faces; it is dead if the search has left it and no walk from it reached the
   end. This matters where the die can go in circles, on cells of equal value. */

#include "../shared/program.h"

#include <string.h>

enum { TOP, BOTTOM, NORTH, SOUTH, WEST, EAST, FACES };
enum { NONE = -1, DIRECTIONS = 4 };

static const int DOWN[DIRECTIONS] = {-1, 1, 0, 0}, RIGHT[DIRECTIONS] = {0, 0, -1, 1};

/* For each direction, the place from which the face comes that is then on top, bottom, ... */
static const int FROM[DIRECTIONS][FACES] = {
    {SOUTH, NORTH, TOP, BOTTOM, WEST, EAST},
    {NORTH, SOUTH, BOTTOM, TOP, WEST, EAST},
    {EAST, WEST, NORTH, SOUTH, TOP, BOTTOM},
    {WEST, EAST, NORTH, SOUTH, BOTTOM, TOP},
};

/* A reduced fraction; denominator 0 if the face is not known. */
typedef struct {
    int64_t numerator, denominator;
} Value;

typedef struct {
    int row, column;
    int8_t die[FACES];         /* The faces on top, bottom, ... */
    int8_t order[DIRECTIONS];  /* The directions, as they are tried for the next move, */
    int8_t tried;              /* and how many of them were. */
    int8_t learned;            /* The face that the move into the cell was the first to show, or NONE. */
    bool moved_on, reached;    /* Whether a move out of the cell was made; whether one led to the end. */
} Step;

static int height, width, most_moves;
static bool integers, prunes; /* Whether the faces are integers; whether the search is `dead_states`. */
static int64_t *grid;
static Value known[FACES];
static Step *walk;
static int moves; /* How many the walk has that is being tried. */

/* ---- The faces ---- */

static int64_t greatest_common_divisor(int64_t a, int64_t b) {
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* Whether a face can have the value difference / number. Nothing is multiplied, so that nothing overflows. */
static bool can_have(int face, int64_t difference, int number) {
    Value value = known[face];
    if (!value.denominator) return !integers || difference % number == 0;
    if (number % value.denominator) return false;
    int64_t times = number / value.denominator;
    return difference % times == 0 && difference / times == value.numerator;
}

/* Gives a face the value difference / number, if it has none; returns the face then, or else NONE. */
static int8_t learn(int8_t face, int64_t difference, int number) {
    if (known[face].denominator) return NONE;
    int64_t divisor = greatest_common_divisor(difference, number);
    known[face] = (Value){difference / divisor, number / divisor};
    return face;
}

static void forget(int8_t face) {
    if (face != NONE) known[face] = (Value){0, 0};
}

/* ---- Dead states: a hash table, in which a state replaces an older one that has the same place ---- */

typedef struct {
    int moves, cell; /* No state that is looked up has 0 moves: an empty place has. */
    int8_t die[8];   /* The last two are 0. */
    Value known[FACES];
} State;

_Static_assert(sizeof(State) == 16 + sizeof known, "states are compared as bytes, so they have no padding");

enum { FIRST_PLACES = 1 << 10, MOST_PLACES = 1 << 20 }; /* Powers of 2; the most are 117 MB. */

static State *places;
static size_t place_count, used;

static State state_of(const Step *step) {
    State state = {.moves = moves, .cell = step->row * width + step->column};
    memcpy(state.die, step->die, sizeof step->die);
    memcpy(state.known, known, sizeof known);
    return state;
}

static State *place_of(const State *state) {
    uint64_t words[sizeof(State) / sizeof(uint64_t)], hash = 0;
    memcpy(words, state, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return &places[hash & (place_count - 1)];
}

static bool is_dead(const Step *step) {
    State state = state_of(step);
    return !memcmp(place_of(&state), &state, sizeof state);
}

static void double_places(void) {
    State *old = places;
    size_t old_count = place_count;
    place_count = old_count ? 2 * old_count : FIRST_PLACES;
    places = allocate(place_count, sizeof *places);
    for (size_t i = 0; i < old_count; i++)
        if (old[i].moves) *place_of(&old[i]) = old[i];
    free(old);
}

static void remember_dead(const Step *step) {
    if (2 * used >= place_count && place_count < MOST_PLACES) double_places();
    State state = state_of(step);
    State *place = place_of(&state);
    used += !place->moves;
    *place = state;
}

/* ---- The search ---- */

static void arrive(Step *step, int row, int column, int8_t learned) {
    step->row = row;
    step->column = column;
    step->learned = learned;
    step->tried = 0;
    step->moved_on = step->reached = false;
    int order[DIRECTIONS] = {0, 1, 2, 3};
    shuffle(order, DIRECTIONS);
    for (int i = 0; i < DIRECTIONS; i++) step->order[i] = (int8_t)order[i];
}

/* Makes the next move in this direction, unless the grid, the faces or a dead state forbids it. */
static bool make_move(int direction) {
    const Step *here = &walk[moves];
    Step *there = &walk[moves + 1];
    int row = here->row + DOWN[direction], column = here->column + RIGHT[direction], number = moves + 1;
    if (row < 0 || row == height || column < 0 || column == width) return false;
    if (prunes && row + (width - 1 - column) > most_moves - number) return false;

    int8_t face = here->die[FROM[direction][TOP]];
    int64_t score = moves ? grid[here->row * width + here->column] : 0;
    int64_t difference = grid[row * width + column] - score;
    if (!can_have(face, difference, number)) return false;

    arrive(there, row, column, learn(face, difference, number));
    for (int place = 0; place < FACES; place++) there->die[place] = here->die[FROM[direction][place]];
    moves++;
    if (prunes && is_dead(there)) {
        forget(there->learned);
        moves--;
        return false;
    }
    return true;
}

/* Makes the first of the moves that are left; false if there is none. */
static bool advance(void) {
    Step *here = &walk[moves];
    if (moves == most_moves) return false;
    while (here->tried < DIRECTIONS)
        if (make_move(here->order[here->tried++])) {
            here->moved_on = true;
            branches++;
            return true;
        }
    return false;
}

/* Takes the last move back. */
static void retreat(void) {
    const Step *here = &walk[moves];
    if (here->reached) walk[moves - 1].reached = true;
    else if (prunes && here->moved_on) remember_dead(here); /* Trying the others again costs less. */
    forget(here->learned);
    moves--;
}

/* The six faces, each a numerator and a denominator, then the cells, -1 behind the last one. */
static void report(void) {
    static int64_t *values;
    size_t length = 2 * FACES + (size_t)most_moves + 1;
    if (!values) values = allocate(length, sizeof *values);
    memcpy(values, known, sizeof known);
    for (int n = 0; n <= most_moves; n++)
        values[2 * FACES + n] = n <= moves ? walk[n].row * width + walk[n].column : -1;
    solution(values, length);
}

static void search(void) {
    arrive(&walk[0], height - 1, 0, NONE);
    for (int8_t face = 0; face < FACES; face++) walk[0].die[face] = face;
    while (!done()) {
        Step *here = &walk[moves];
        if (here->row == 0 && here->column == width - 1) {
            here->reached = true;
            report();
        } else if (advance()) {
            continue;
        } else {
            failures += !here->moved_on;
        }
        if (!moves) return;
        retreat();
    }
}

/* The array grows with the input, as its size is only claimed. */
static void read_grid(void) {
    int cells = height * width, room = 0;
    for (int cell = 0; cell < cells; cell++) {
        if (cell == room) {
            room = room < cells / 2 ? 2 * room + 1 : cells;
            grid = grow(grid, (size_t)room, sizeof *grid);
        }
        grid[cell] = read_integer("the value of a cell", -INT64_MAX / 2, INT64_MAX / 2);
    }
}

int main(void) {
    read_request();
    prunes = read_integer("whether the search is `dead_states`", 0, 1);
    integers = read_integer("whether the faces are integers", 0, 1);
    most_moves = (int)read_integer("the number of moves", 1, 1000000); /* A solution is one line. */
    height = (int)read_integer("the height", 1, INT_MAX);
    width = (int)read_integer("the width", 1, INT_MAX / height);
    if (height * width < 2) fail("the start is the end");
    read_grid();
    read_end();
    walk = allocate((size_t)most_moves + 1, sizeof *walk);
    double_places();
    root(most_moves, most_moves);
    search();
    return finish();
}
