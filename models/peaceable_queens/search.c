/* Peaceable Queens by branch and bound on the owners of lines.

   Each row, column and diagonal belongs to one colour. A square that lies on lines of white alone can have a
   white queen, so the owners of all lines make two armies. native.py describes the input, backtrack.py the bounds.

       possible     of a colour: whether each square may have a queen of it yet, how many may, and how many of
                    each line. A line that goes to one colour takes these from the other
       least        of each inequality, the least that the lines of white weigh */

#include "queens.h"

typedef struct {
    bool *at;
    int count, *of_line;
} Possible;

static Possible possible[3]; /* of WHITE and BLACK */
static int least[MOST_INEQUALITIES];
static int best = -1;
static int *order;     /* of the lines: those of a kind are in the order of the seed */
static int *taken;     /* squares that lines took from a colour, in the order in which they did */
static int taken_count;

static int smaller(int a, int b) { return a < b ? a : b; }
static int positive(int a) { return a > 0 ? a : 0; }

static void put(Possible *of, int square, bool is) {
    int step = is ? 1 : -1;
    of->at[square] = is;
    of->count += step;
    for (int k = 0; k < LINES; k++) of->of_line[lines_of[square][k]] += step;
}

/* Whether bounds leave a better solution, one that keeps the inequalities. */
static bool consistent(void) {
    int white = possible[WHITE].count, black = possible[BLACK].count;
    if (smaller(white, black) <= best) return false;
    for (int k = 0; k < inequality_count; k++)
        if (least[k] > most[k]) return false;
    int64_t total[KINDS] = {0}, needed = (int64_t)(best + 1) * (white + black);
    for (int l = 0; l < line_count; l++) {
        int64_t w = (int64_t)black * possible[WHITE].of_line[l], b = (int64_t)white * possible[BLACK].of_line[l];
        total[lines[l].kind] += w > b ? w : b;
    }
    for (int kind = 0; kind < KINDS; kind++)
        if (total[kind] < needed) return false;
    return true;
}

/* The line that both colours may use most, of the first kind that has one; -1 if there is none. */
static int shared_line(void) {
    int line = -1, most_shared = 0;
    for (int k = 0; k < line_count; k++) {
        int l = order[k], shared = smaller(possible[WHITE].of_line[l], possible[BLACK].of_line[l]);
        if (line >= 0 && lines[l].kind > lines[line].kind) break;
        if (shared > most_shared) line = l, most_shared = shared;
    }
    return line;
}

static void search(void) {
    int line = shared_line();
    if (line < 0) {
        best = smaller(possible[WHITE].count, possible[BLACK].count);
        for (int i = 0; i < square_count; i++)
            colours[i] = possible[WHITE].at[i] ? WHITE : possible[BLACK].at[i] ? BLACK : 0;
        better_solution(colours, (size_t)square_count);
        return;
    }
    const Line *chosen = &lines[line];
    for (int owner = WHITE; owner <= BLACK && !done(); owner++) {
        Possible *other = &possible[WHITE + BLACK - owner];
        int begin = taken_count, sign = owner == WHITE ? 1 : -1;
        for (int s = 0; s < chosen->count; s++) {
            int square = chosen->squares[s];
            if (!other->at[square]) continue;
            put(other, square, false);
            taken[taken_count++] = square;
        }
        for (int k = 0; k < inequality_count; k++) least[k] += positive(sign * chosen->weights[k]);
        branches++;
        if (consistent())
            search();
        else
            failures++;
        for (int k = 0; k < inequality_count; k++) least[k] -= positive(sign * chosen->weights[k]);
        while (taken_count > begin) put(other, taken[--taken_count], true);
    }
}

int main(void) {
    read_board();
    order = allocate((size_t)line_count, sizeof *order);
    taken = allocate(2 * (size_t)square_count, sizeof *taken);
    for (int l = 0; l < line_count; l++) order[l] = l;
    for (int begin = 0, end; begin < line_count; begin = end) {
        for (end = begin; end < line_count && lines[end].kind == lines[begin].kind; end++) {}
        shuffle(order + begin, end - begin);
    }
    for (int l = 0; l < line_count; l++)
        for (int k = 0; k < inequality_count; k++) least[k] -= positive(-lines[l].weights[k]);
    for (int colour = WHITE; colour <= BLACK; colour++) {
        possible[colour].at = allocate((size_t)square_count, sizeof(bool));
        possible[colour].of_line = allocate((size_t)line_count, sizeof(int));
        for (int i = 0; i < square_count; i++) put(&possible[colour], i, true);
    }
    root(line_count, line_count);
    search();
    return finish();
}
