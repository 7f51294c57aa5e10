/* Bin packing by bin completion: one bin after the other, the fullest ones first.

   Each item goes into one bin; what is in a bin is not larger than its capacity. native.py describes the input.

       kind       a size, numbered from the largest
       left       how many items of each kind are in no bin
       sums       of a place in the order of the kinds, what items left from there on can add up to, as bits
       tried      sets of items that were beside the largest one before: no later bin may have all of one

   backtrack.py says why bins can be left out. */

#include "../shared/program.h"

#include <string.h>

enum { MOST_ITEMS = 1000, LARGEST = 100000 };

typedef struct {
    int length, kinds[MOST_ITEMS];
} Bin;

typedef struct {
    int places, *order; /* the kinds that can be beside the largest item, in the order in which they are tried */
    uint64_t *sums;
    int *tried; /* each set as its length, and its kinds one by one */
    size_t tried_end, tried_room;
} Level;

static int capacity, n, kinds, least, best;
static int64_t total; /* the sizes of all items left */
static int size_of[MOST_ITEMS], left[MOST_ITEMS], order[MOST_ITEMS], kind_of[MOST_ITEMS];
static int held[MOST_ITEMS]; /* how many items of each kind are in the bin that is tried */
static Bin bins[MOST_ITEMS];
static Level levels[MOST_ITEMS];
static size_t words; /* for the sums up to the capacity */

static bool ended(void) { return done() || best == least; }

/* Sets of sums, as bits. */

static bool has(const uint64_t *sums, int sum) { return sums[sum / 64] >> sum % 64 & 1; }

/* Adds the sums of another set, or the same one, with an item of this size. */
static void add_shifted(uint64_t *sums, const uint64_t *others, int size) {
    size_t skip = (size_t)size / 64;
    int bits = size % 64;
    for (size_t w = words; w-- > skip;) {
        sums[w] |= others[w - skip] << bits;
        if (bits && w > skip) sums[w] |= others[w - skip - 1] >> (64 - bits);
    }
}

/* Bounds, and the rules by which bins are left out. */

/* Martello and Toth's bound L2 for the items left, as in first_fit.py. */
static int least_bins(void) {
    static int sizes[MOST_ITEMS];
    int count = 0, large = 0;
    int64_t load = 0;
    for (int kind = 0; kind < kinds; kind++)
        for (int k = 0; k < left[kind]; k++) {
            sizes[count++] = size_of[kind];
            load += size_of[kind];
            large += 2 * size_of[kind] > capacity;
        }
    int bound = (int)((load + capacity - 1) / capacity), beside = large;
    if (bound < large) bound = large;
    load = 0;
    for (int k = large; k < count; k++) {
        load += sizes[k];
        while (beside && sizes[beside - 1] + sizes[k] <= capacity) load -= capacity - sizes[--beside];
        if (load > 0 && bound < large + (load + capacity - 1) / capacity)
            bound = large + (int)((load + capacity - 1) / capacity);
    }
    return bound;
}

/* Whether a bin has all items of a set that was tried in one before. */
static bool was_tried(int depth) {
    for (const Level *level = levels; level < levels + depth; level++)
        for (size_t at = 0; at < level->tried_end; at += 1 + (size_t)level->tried[at]) {
            const int *set = &level->tried[at + 1];
            int length = level->tried[at], k = 0, count = 0;
            for (; k < length; k++) {
                count = k && set[k] == set[k - 1] ? count + 1 : 1;
                if (count > held[set[k]]) break;
            }
            if (k == length) return true;
        }
    return false;
}

/* Whether an item that is left fits, or fits in place of a smaller one. */
static bool replaceable(const Bin *bin, int free_space) {
    for (int kind = 0; kind < kinds; kind++) {
        if (!left[kind]) continue;
        int size = size_of[kind];
        if (size <= free_space) return true;
        for (int k = 1; k < bin->length; k++) {
            int other = size_of[bin->kinds[k]];
            if (size - free_space <= other && other < size) return true;
        }
    }
    return false;
}

/* Whether a bin more, and those for items of this size together, are too many. */
static bool too_many(int depth, int64_t rest) { return depth + 1 + (rest + capacity - 1) / capacity >= best; }

/* Search. */

static void report(int count) {
    static int64_t bin_of[MOST_ITEMS];
    static int next[MOST_ITEMS]; /* of each kind, the first item that is in no bin */
    memset(next, 0, sizeof next);
    for (int b = 0; b < count; b++)
        for (int k = 0; k < bins[b].length; k++) {
            int kind = bins[b].kinds[k], *item = &next[kind];
            while (kind_of[*item] != kind) ++*item;
            bin_of[(*item)++] = b;
        }
    best = count;
    better_solution(bin_of, (size_t)n);
}

static void search(int depth);

static void try_bin(int depth, int free_space) {
    Level *level = &levels[depth];
    const Bin *bin = &bins[depth];
    if (too_many(depth, total) || replaceable(bin, free_space) || was_tried(depth)) return;
    branches++;
    if (depth + 1 + least_bins() < best) {
        memset(held, 0, sizeof held);
        search(depth + 1);
        for (int k = 0; k < bin->length; k++) held[bin->kinds[k]]++;
    } else
        failures++;
    size_t length = (size_t)bin->length;
    if (level->tried_end + length > level->tried_room) {
        level->tried_room = 2 * (level->tried_end + length);
        level->tried = grow(level->tried, level->tried_room, sizeof *level->tried);
    }
    level->tried[level->tried_end] = bin->length - 1;
    memcpy(&level->tried[level->tried_end + 1], &bin->kinds[1], (length - 1) * sizeof *bin->kinds);
    level->tried_end += length;
}

static void put(Bin *bin, int kind) {
    bin->kinds[bin->length++] = kind;
    held[kind]++;
    left[kind]--;
    total -= size_of[kind];
}

static void take_back(Bin *bin) {
    int kind = bin->kinds[--bin->length];
    held[kind]--;
    left[kind]++;
    total += size_of[kind];
}

/* Fills a room exactly, with kinds from a place in the order on. */
static void fill(int depth, int room, int free_space, int place) {
    const Level *level = &levels[depth];
    if (!room) try_bin(depth, free_space);
    for (; room && !ended() && has(&level->sums[(size_t)place * words], room); place++) {
        int kind = level->order[place], size = size_of[kind], count = 0;
        for (; left[kind] && (count + 1) * size <= room; count++) put(&bins[depth], kind);
        for (; count; count--) {
            if (!ended()) fill(depth, room - count * size, free_space, place + 1);
            take_back(&bins[depth]);
        }
    }
}

/* Fills a bin, where those before are done. */
static void search(int depth) {
    int first = 0;
    while (first < kinds && !left[first]) first++;
    if (first == kinds) {
        report(depth);
        return;
    }
    Level *level = &levels[depth];
    if (!level->order) {
        level->order = allocate((size_t)kinds, sizeof *order);
        level->sums = allocate(((size_t)kinds + 1) * words, sizeof *level->sums);
    }
    bins[depth].length = 0;
    put(&bins[depth], first);
    level->tried_end = 0;
    level->places = 0;
    for (int k = 0; k < kinds; k++)
        if (left[order[k]]) level->order[level->places++] = order[k];
    uint64_t *sums = &level->sums[(size_t)level->places * words];
    memset(sums, 0, words * sizeof *sums);
    sums[0] = 1;
    for (int place = level->places - 1; place >= 0; place--) {
        int kind = level->order[place], size = size_of[kind];
        sums = memcpy(sums - words, sums, words * sizeof *sums);
        for (int k = 1; k <= left[kind] && k * size <= capacity; k++) add_shifted(sums, sums, size);
    }
    int room = capacity - size_of[first];
    for (int free_space = 0; free_space <= room && !ended(); free_space++) {
        if (too_many(depth, total - room + free_space)) break;
        fill(depth, room - free_space, free_space, 0);
    }
    take_back(&bins[depth]);
}

static int falling(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }

int main(void) {
    read_request();
    capacity = (int)read_integer("the capacity", 1, LARGEST);
    n = (int)read_integer("the number of items", 1, MOST_ITEMS);
    static int sizes[MOST_ITEMS], sorted[MOST_ITEMS];
    for (int i = 0; i < n; i++) total += sizes[i] = (int)read_integer("a size", 1, LARGEST);
    read_end();

    memcpy(sorted, sizes, sizeof sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, falling);
    for (int i = 0; i < n; i++) {
        if (!i || sorted[i] != sorted[i - 1]) size_of[kinds++] = sorted[i];
        left[kinds - 1]++;
    }
    for (int kind = 0; kind < kinds; kind++) order[kind] = kind;
    shuffle(order, kinds);
    for (int i = 0; i < n; i++)
        while (size_of[kind_of[i]] != sizes[i]) kind_of[i]++;
    words = (size_t)capacity / 64 + 1;
    root(n, n);
    least = least_bins();
    bound(least);
    best = n + 1;
    if (size_of[0] <= capacity) search(0);
    return finish();
}
