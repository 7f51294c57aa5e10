/* Perfect squares by search: the rows below those that are filled are a skyline of steps, each a range of columns that
   are filled down to the same row. A valley is a step between two that are filled further, or the border.

   The upper left corner of a valley is that of some square: the search branches on the sides that it can have there, in
   the narrowest valley.

   Propagates: sides of squares that are left must sum to the width of each valley, and to the rows below each step; in
   the branch itself, with that square, to the width.

   Of solutions that are reflections or rotations of each other it only looks for those in which no corner has a smaller
   square than the upper left one, nor, in a square, the lower left one than the upper right one; the other ones are
   reported with them. */

#include "../shared/program.h"
#include <string.h>

enum { MOST_SQUARES = 100, MOST = 1000, WORDS = MOST / 64 + 1, IMAGES = 8 };

typedef struct {
    int left, width, bottom; /* bottom: the first row that is not filled */
} Step;

typedef struct {
    int row, column, side;
} Square;

typedef struct {
    uint64_t word[WORDS];
} Sums;

static int width, height, squares, kinds;
static int side[MOST_SQUARES], left_of[MOST_SQUARES]; /* of each kind, its side, and how many are not placed */
static Square placed[MOST_SQUARES];
static int placed_count;
static int sum_words;

/* ---- Subset sums ---- */

static void add_side(Sums *sums, int by) {
    const int words = by / 64, bits = by % 64;
    for (int k = sum_words - 1; k >= words; k--) {
        uint64_t shifted = sums->word[k - words] << bits;
        if (bits && k > words) shifted |= sums->word[k - words - 1] >> (64 - bits);
        sums->word[k] |= shifted;
    }
}

static bool contains(const Sums *sums, int sum) { return sums->word[sum / 64] >> (sum % 64) & 1; }

/* The sums of sides of squares that are not placed. */
static void find_sums(Sums *sums) {
    memset(sums, 0, sizeof *sums);
    sums->word[0] = 1;
    for (int kind = 0; kind < kinds; kind++)
        for (int k = 0; k < left_of[kind]; k++) add_side(sums, side[kind]);
}

/* ---- Images ---- */

static int compare(const void *a, const void *b) {
    const Square *p = a, *q = b;
    if (p->row != q->row) return p->row < q->row ? -1 : 1;
    if (p->column != q->column) return p->column < q->column ? -1 : 1;
    return 0;
}

/* One of the images of what is placed, sorted. */
static void make_image(int which, Square *image) {
    for (int k = 0; k < squares; k++) {
        Square each = placed[k];
        if (which & 1) each.column = width - each.column - each.side;
        if (which & 2) each.row = height - each.row - each.side;
        if (which & 4) each = (Square){each.column, each.row, each.side};
        image[k] = each;
    }
    qsort(image, (size_t)squares, sizeof *image, compare);
}

/* The side of the square in a corner. */
static int corner(const Square *image, bool right, bool bottom) {
    for (int k = 0; k < squares; k++)
        if ((right ? image[k].column + image[k].side == width : !image[k].column) &&
            (bottom ? image[k].row + image[k].side == height : !image[k].row))
            return image[k].side;
    return 0;
}

/* By the corners, then by all squares. */
static int compare_images(const Square *a, const Square *b) {
    for (int k = 0; k < 3; k++) {
        int difference = corner(b, k == 1, k == 2) - corner(a, k == 1, k == 2);
        if (difference) return difference;
    }
    return memcmp(a, b, (size_t)squares * sizeof *a);
}

/* Reports all images of what is placed, if it is the least of them. */
static void report(void) {
    static Square image[IMAGES][MOST_SQUARES];
    static int64_t values[3 * MOST_SQUARES];
    const int images = width == height ? 8 : 4;
    for (int which = 0; which < images; which++) {
        make_image(which, image[which]);
        if (compare_images(image[which], image[0]) > 0) return;
    }
    for (int which = 0; which < images && !done(); which++) {
        bool is_new = true;
        for (int other = 0; other < which; other++) is_new &= compare_images(image[which], image[other]) != 0;
        if (!is_new) continue;
        for (int k = 0; k < squares; k++) {
            values[3 * k] = image[which][k].row;
            values[3 * k + 1] = image[which][k].column;
            values[3 * k + 2] = image[which][k].side;
        }
        solution(values, (size_t)(3 * squares));
    }
}

/* ---- Search ---- */

/* The narrowest valley; -1 if sides cannot sum to the width of one, or to the rows below a step. */
static int find_valley(const Step *steps, int count, const Sums *sums) {
    int best = -1;
    for (int k = 0; k < count; k++) {
        if (!contains(sums, height - steps[k].bottom)) return -1;
        if ((k == 0 || steps[k - 1].bottom > steps[k].bottom) &&
            (k == count - 1 || steps[k + 1].bottom > steps[k].bottom)) {
            if (!contains(sums, steps[k].width)) return -1;
            if (best < 0 || steps[k].width < steps[best].width) best = k;
        }
    }
    return best;
}

/* The skyline with a square in the upper left corner of a valley; how many steps it has. */
static int place(const Step *steps, int count, int valley, int size, Step *after) {
    int length = 0;
    for (int k = 0; k < count; k++) {
        if (k == valley) {
            const Step step = steps[k];
            const Step square = {step.left, size, step.bottom + size};
            if (length && after[length - 1].bottom == square.bottom)
                after[length - 1].width += size;
            else
                after[length++] = square;
            if (size < step.width) after[length++] = (Step){step.left + size, step.width - size, step.bottom};
        } else if (length && after[length - 1].bottom == steps[k].bottom)
            after[length - 1].width += steps[k].width;
        else
            after[length++] = steps[k];
    }
    return length;
}

/* Whether a square fits, and is not too small for a corner. */
static bool fits(const Step *step, int size) {
    if (size > step->width || step->bottom + size > height) return false;
    if (placed_count == 0) return true;
    const bool right = step->left + size == width, bottom = step->bottom + size == height;
    if ((right || step->left == 0) && (bottom || step->bottom == 0) && size < placed[0].side) return false;
    if (width != height) return true;
    /* Upper right against lower left. */
    for (int k = 0; k < placed_count; k++) {
        const Square other = placed[k];
        if (right && step->bottom == 0 && other.column == 0 && other.row + other.side == height && other.side < size)
            return false;
        if (step->left == 0 && bottom && other.row == 0 && other.column + other.side == width && other.side > size)
            return false;
    }
    return true;
}

static void branch(const Step *steps, int count, int valley, const Sums *sums) {
    Step after[MOST_SQUARES + 1];
    Sums left;
    if (placed_count == squares) {
        report();
        return;
    }
    const Step step = steps[valley];
    for (int kind = 0; kind < kinds && !done(); kind++) {
        if (!left_of[kind] || !fits(&step, side[kind])) continue;
        if (!contains(sums, step.width - side[kind]) || !contains(sums, height - step.bottom - side[kind])) {
            propagations++;
            continue;
        }
        branches++;
        left_of[kind]--;
        placed[placed_count++] = (Square){step.bottom, step.left, side[kind]};
        find_sums(&left);
        int length = place(steps, count, valley, side[kind], after);
        int next = placed_count == squares ? 0 : find_valley(after, length, &left);
        if (next < 0)
            failures++;
        else
            branch(after, length, next, &left);
        placed_count--;
        left_of[kind]++;
    }
}

int main(void) {
    read_request();
    height = (int)read_integer("the height", 1, MOST);
    width = (int)read_integer("the width", 1, MOST);
    squares = (int)read_integer("the number of squares", 1, MOST_SQUARES);
    int sides[MOST_SQUARES], area = 0;
    for (int k = 0; k < squares; k++) {
        sides[k] = (int)read_integer("a side", 1, MOST);
        area += sides[k] * sides[k];
    }
    shuffle(sides, squares);
    for (int k = 0; k < squares; k++) {
        int kind = 0;
        while (kind < kinds && side[kind] != sides[k]) kind++;
        if (kind == kinds) side[kinds++] = sides[k];
        left_of[kind]++;
    }
    read_end();
    sum_words = (width > height ? width : height) / 64 + 1;
    const Step whole = {0, width, 0};
    Sums sums;
    find_sums(&sums);
    int valley = area == height * width ? find_valley(&whole, 1, &sums) : -1;
    root(squares, valley < 0 ? 0 : squares);
    if (valley >= 0) branch(&whole, 1, valley, &sums);
    return finish();
}
