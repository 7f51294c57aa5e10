/* Sudoku by a search that learns clauses from its failures, of models/shared/learning.h.

       variable     a digit in a cell, cell * m + digit; then a digit that is left out; then an alternative
       group        the digits of a cell; the cells of a digit in a unit, or that the digit is left out

   If the row divisor has too many multiples to list, a row that is none is a failure once all cells are chosen;
   nothing is propagated before. */

#include "instance.h"

#include "../shared/learning.h"

static int64_t *values;

/* States the rules; false if they contradict. */
static bool state_rules(void) {
    const int candidates = cells * m, left_out = candidates, first = candidates + (m > n ? m : 0);
    for (int cell = 0; cell < cells; cell++)
        for (int digit = 0; digit < m; digit++) {
            if (given[cell] != NONE && given[cell] != digit) continue;
            join(cell * m + digit, cell);
            for (int k = 0; k < 3; k++) join(cell * m + digit, cells + units_of[3 * cell + k] * m + digit);
        }
    for (int digit = 0; m > n && digit < m; digit++)
        for (int unit = 0; unit < units; unit++) join(left_out + digit, cells + unit * m + digit);
    bool possible = require_groups(cells + units * m);
    List clause = {0};
    for (int x = 0; x < candidates; x++)
        if (!groups_of[x].count && !value[2 * x]) assign(2 * x + 1, NIL);
    for (int k = 0, x = first; k < clue_count; k++) {
        List some = {0};
        const Part *part = parts + clues[k].first;
        for (int a = 0; a < clues[k].count; a++, x++) {
            push(&some, 2 * x);
            List all = {0};
            push(&all, 2 * x);
            for (int l = 0; l < clues[k].length; l++, part++) {
                const int y = part->cell * m + part->digit;
                push(&all, 2 * y + 1);
                clause.count = 0;
                push(&clause, 2 * x + 1);
                push(&clause, 2 * y);
                add_clause(&clause, 0);
            }
            add_clause(&all, 0);
            free(all.items);
        }
        possible &= require(&some);
        free(some.items);
    }
    free(clause.items);
    return possible;
}

static int undecided(void) {
    int count = 0;
    for (int cell = 0; cell < cells; cell++) {
        bool known = false;
        for (int digit = 0; digit < m; digit++) known |= value[2 * (cell * m + digit)] > 0;
        count += !known;
    }
    return count;
}

/* Reports what is chosen if each row is a multiple; a conflict, which excludes it. */
static void report(void) {
    for (int x = 0; x < cells * m; x++)
        if (value[2 * x] > 0) values[x / m] = digits[x % m];
    for (int row = 0; divisor && row < n; row++) {
        int64_t rest = 0;
        conflict.count = 0;
        for (int cell = row * n; cell < (row + 1) * n; cell++) {
            rest = (10 * rest + values[cell]) % divisor;
            for (int x = cell * m; x < (cell + 1) * m; x++)
                if (value[2 * x] > 0) push(&conflict, 2 * x + 1);
        }
        if (rest) return;
    }
    solution(values, (size_t)cells);
    exclude_solution();
}

int main(void) {
    read_request();
    read_instance();
    read_end();
    int count = cells * m + (m > n ? m : 0);
    for (int k = 0; k < clue_count; k++) count += clues[k].count;
    make_variables(count, cells + units * m);
    values = allocate((size_t)cells, sizeof *values);
    bool possible = state_rules() && propagate();
    root(cells, undecided());
    return search_all(possible);
}
