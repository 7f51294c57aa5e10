/* Peaceable Queens by simulated annealing on the owners of lines, as in local.py; it never ends.

   A state says which colour owns each line: the squares that lie on lines of one colour alone are its army. A
   move gives a line to the other colour. native.py describes the input. */

#include "queens.h"

#include <string.h>

static const double COOLING = 1.9;               /* a descent is at temperatures from 1 to exp(-1.9) */
static const double SMALLER = 1.0, LARGER = 0.1; /* what queens of the smaller and the larger army are worth */
enum { MOVES = 600 };                            /* of a descent, for each line */

static double worth(int white, int black) {
    return white < black ? SMALLER * white + LARGER * black : SMALLER * black + LARGER * white;
}

int main(void) {
    read_board();
    bool *owned = allocate((size_t)line_count, sizeof *owned);
    int *of_white = allocate((size_t)square_count, sizeof *of_white); /* how many of its lines white owns */
    int best = -1, moves = MOVES * line_count;
    root(line_count, line_count);
    while (!interrupted) {
        int with[LINES + 1] = {square_count}; /* how many squares have so many lines of white */
        memset(of_white, 0, sizeof *of_white * (size_t)square_count);
        memset(owned, 0, sizeof *owned * (size_t)line_count);
        for (int move = -line_count; move < moves && !interrupted; move++) {
            /* Before the first move, each line is given to one of the colours. */
            int l = move < 0 ? move + line_count : (int)random_below((uint64_t)line_count);
            int step = owned[l] ? -1 : 1, changed[LINES + 1] = {0};
            for (int s = 0; s < lines[l].count; s++) changed[of_white[lines[l].squares[s]]]++;
            int white = with[LINES] + (owned[l] ? -changed[LINES] : changed[LINES - 1]);
            int black = with[0] + (owned[l] ? changed[1] : -changed[0]);
            double gain = worth(white, black) - worth(with[LINES], with[0]);
            if (move < 0) {
                if (random_below(2)) continue;
            } else {
                branches++;
                double temperature = exponential(-COOLING * move / moves);
                if (gain < 0 && random_fraction() >= exponential(gain / temperature)) continue;
            }
            owned[l] = !owned[l];
            for (int s = 0; s < lines[l].count; s++) of_white[lines[l].squares[s]] += step;
            with[LINES] = white;
            with[0] = black;
            int smaller = white < black ? white : black;
            if (move < 0 || smaller <= best) continue;
            best = smaller;
            for (int i = 0; i < square_count; i++)
                colours[i] = of_white[i] == LINES ? WHITE : of_white[i] ? 0 : BLACK;
            better_solution(colours, (size_t)square_count);
        }
    }
    return finish();
}
