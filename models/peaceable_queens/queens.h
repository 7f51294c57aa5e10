/* The board of Peaceable Queens, as native.py describes the input. */

#include "../shared/program.h"

enum { MOST_SQUARES = 2500, MOST_LINES = 300, MOST_INEQUALITIES = 4, KINDS = 4, LINES = 4 };
enum { WHITE = 1, BLACK = 2 };

typedef struct {
    int kind;  /* 0 for rows, 1 for columns, 2 and 3 for diagonals */
    int count; /* of its squares */
    int *squares;
    int weights[MOST_INEQUALITIES];
} Line;

static int square_count, line_count, inequality_count;
static int (*lines_of)[LINES]; /* of each square */
static Line *lines;
static int most[MOST_INEQUALITIES]; /* that the lines of white weigh in each inequality */
static int64_t *colours;            /* of each square, in a solution */

static void read_board(void) {
    read_request();
    square_count = (int)read_integer("the number of squares", 1, MOST_SQUARES);
    line_count = (int)read_integer("the number of lines", 1, MOST_LINES);
    inequality_count = (int)read_integer("the number of inequalities", 0, MOST_INEQUALITIES);
    lines_of = allocate((size_t)square_count, sizeof *lines_of);
    colours = allocate((size_t)square_count, sizeof *colours);
    lines = allocate((size_t)line_count, sizeof *lines);
    for (int i = 0; i < square_count; i++)
        for (int k = 0; k < LINES; k++) {
            lines_of[i][k] = (int)read_integer("a line", 0, line_count - 1);
            lines[lines_of[i][k]].count++;
        }
    for (int l = 0; l < line_count; l++) {
        lines[l].squares = allocate((size_t)lines[l].count, sizeof(int));
        lines[l].count = 0;
        lines[l].kind = (int)read_integer("a kind of lines", 0, KINDS - 1);
        for (int k = 0; k < inequality_count; k++) lines[l].weights[k] = (int)read_integer("a weight", -99, 99);
    }
    for (int i = 0; i < square_count; i++)
        for (int k = 0; k < LINES; k++) {
            Line *line = &lines[lines_of[i][k]];
            line->squares[line->count++] = i;
        }
    for (int k = 0; k < inequality_count; k++) most[k] = (int)read_integer("a limit", -9999, 9999);
    read_end();
}
