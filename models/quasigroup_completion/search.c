/* Quasigroup completion by a search that learns clauses from its failures, of models/shared/learning.h.

       variable     a number in a cell, cell * n + number
       group        the numbers of a cell; the cells of a number in a row or column

   Variables that a given excludes are in no group. */

#include "../shared/learning.h"

static int n, cells;
static int *given; /* of each cell, its number from 0 on, or NIL */
static int64_t *values;

static void read_instance(void) {
    n = (int)read_integer("the order", 1, 1000);
    cells = n * n;
    given = allocate((size_t)cells, sizeof *given);
    for (int cell = 0; cell < cells; cell++) given[cell] = (int)read_integer("a given", 0, n) - 1;
    values = allocate((size_t)cells, sizeof *values);
}

/* States the rules; false if they contradict. */
static bool state_rules(void) {
    bool *taken = allocate(3 * (size_t)cells, sizeof *taken); /* of each group, whether a given is in it */
    for (int pass = 0; pass < 2; pass++)
        for (int cell = 0; cell < cells; cell++)
            for (int number = 0; number < n; number++) {
                const int x = cell * n + number;
                const int of[3] = {cell, cells + cell / n * n + number, 2 * cells + cell % n * n + number};
                const bool is_given = given[cell] == number;
                if (pass == 0 && !is_given) continue;
                const bool excluded = taken[of[0]] || taken[of[1]] || taken[of[2]];
                for (int k = 0; k < 3; k++) {
                    if (pass == 0) taken[of[k]] = true;
                    if (is_given ? pass == 0 : !excluded) join(x, of[k]);
                }
                if (!is_given && excluded) assign(2 * x + 1, NIL);
            }
    free(taken);
    return require_groups(3 * cells);
}

static int undecided(void) {
    int count = cells;
    for (int x = 0; x < variables; x++) count -= value[2 * x] > 0;
    return count;
}

/* Reports what is chosen; the decisions that led to it are a conflict, which excludes it. */
static void report(void) {
    for (int x = 0; x < variables; x++)
        if (value[2 * x] > 0) values[x / n] = x % n + 1;
    solution(values, (size_t)cells);
    exclude_solution();
}

int main(void) {
    read_request();
    read_instance();
    read_end();
    make_variables(n * cells, 3 * cells);
    bool possible = state_rules() && propagate();
    root(cells, undecided());
    return search_all(possible);
}
