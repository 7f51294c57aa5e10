/* Market Split by four lists: Schroeppel and Shamir's meeting in the middle, with remainders for their heaps.

   Each customer goes to the first division or to the second; of each product those of the first buy its total.
   native.py describes the input.

       part         a quarter of the customers, with the sums of what each of its subsets buys
       key          a sum as one number of 64 bits: each product has a random factor, and all are added modulo
                    2^64. Subsets that buy the same have the same key. If others have it, their amounts tell
       remainder    of a sum, for a modulus. For this it is taken as one number, too, in which each product has so
                    many bits that it does not overflow
       pair         a subset of the first part and one of the second

   The search branches on the remainder of what the first two parts buy in the first division. The pairs with it
   go into a table by their keys. What subsets of the third and the fourth part leave of the totals is looked up
   there, if it has that remainder. With n customers it looks at 2^(n/2) sums of each half, and a part has 2^(n/4)
   subsets.

   Beyond 64 customers it branches on the others before, by bounds. The table has limited room: if more pairs have
   one remainder, as where customers are alike, it is filled several times. */

#include "../shared/program.h"

#include <string.h>

enum { MOST_PRODUCTS = 1000000, MOST_CUSTOMERS = 1000, LARGEST_AMOUNT = 9999, LARGEST_TOTAL = 9999999 };
enum { LISTED = 64, PARTS = 4, ROOM = 1 << 20 };

static const uint32_t NONE = UINT32_MAX;

typedef struct {
    uint64_t key;
    uint32_t remainder;
    uint32_t subset; /* of the part, as bits */
} Sum;

typedef struct {
    int begin, count; /* its customers, by their places in the order of the search */
    Sum *sums;        /* of its subsets, in the order of the remainders */
    uint32_t *end;    /* of each remainder, the place behind its last sum; it begins with a 0 */
} Part;

typedef struct {
    uint64_t key;
    uint32_t subsets[2];
    uint32_t next; /* of the same slot, or NONE */
} Pair;

static int products, n;
static int single;    /* customers that are branched on, one by one; the others are in the parts */
static int *order;    /* the customer at each place in the order of the search */
static int *amounts;  /* of each place, what it buys of each product */
static int *rest;     /* of each place, what those from there on buy of each product */
static int *missing;  /* to each total */
static int64_t *split;
static uint64_t *factors; /* of each product in a key, */
static uint64_t *powers;  /* and in a remainder */
static uint32_t modulus;
static Part parts[PARTS];
static Pair *pairs;
static uint32_t *slots, pair_count;
static int slot_bits;

/* Sums. */

static int *at(int *of_places, int place) { return of_places + (size_t)place * (size_t)products; }

static uint64_t key_of(const int *bought) {
    uint64_t key = 0;
    for (int p = 0; p < products; p++) key += factors[p] * (uint64_t)bought[p];
    return key;
}

static uint32_t remainder_of(const int *bought) {
    uint64_t sum = 0;
    for (int p = 0; p < products; p++) sum = (sum + powers[p] * (uint64_t)bought[p]) % modulus;
    return (uint32_t)sum;
}

/* The difference of two remainders. */
static uint32_t less(uint32_t a, uint32_t b) { return a >= b ? a - b : a + modulus - b; }

static void list_sums(Part *part, int begin, int count) {
    uint32_t size = (uint32_t)1 << count;
    Sum *sums = allocate(size, sizeof *sums);
    for (int k = 0; k < count; k++) {
        int *bought = at(amounts, begin + k);
        uint64_t key = key_of(bought);
        uint32_t remainder = remainder_of(bought), half = (uint32_t)1 << k;
        for (uint32_t s = 0; s < half; s++)
            sums[half + s] = (Sum){sums[s].key + key, (sums[s].remainder + remainder) % modulus, half + s};
    }
    /* They are sorted by counting those of each remainder. */
    *part = (Part){begin, count, allocate(size, sizeof *sums), allocate((size_t)modulus + 1, sizeof(uint32_t))};
    for (uint32_t s = 0; s < size; s++) part->end[sums[s].remainder + 1]++;
    for (uint32_t r = 0; r < modulus; r++) part->end[r + 1] += part->end[r];
    for (uint32_t s = size; s-- > 0;) part->sums[--part->end[sums[s].remainder + 1]] = sums[s];
    for (uint32_t r = 0; r < modulus; r++) part->end[r] = part->end[r + 1];
    part->end[modulus] = size;
    free(sums);
}

static void prepare(void) {
    int listed = n - single;
    modulus = ((uint32_t)1 << listed / PARTS >> 1) | 1;
    slot_bits = listed / PARTS + 2;
    slots = allocate((size_t)1 << slot_bits, sizeof *slots);
    pairs = allocate(ROOM, sizeof *pairs);
    uint64_t power = 1 % modulus;
    for (int p = products - 1; p >= 0; p--) {
        factors[p] = random_below(UINT64_MAX) | 1;
        powers[p] = power;
        for (int most = rest[p]; most; most >>= 1) power = 2 * power % modulus;
    }
    for (int k = 0; k < PARTS; k++) {
        int begin = listed * k / PARTS, end = listed * (k + 1) / PARTS;
        list_sums(&parts[k], single + begin, end - begin);
    }
}

/* The table of pairs. */

static uint32_t *slot_of(uint64_t key) { return &slots[(key * 0x9e3779b97f4a7c15u) >> (64 - slot_bits)]; }

static void clear_table(void) {
    memset(slots, 0xff, sizeof *slots << slot_bits); /* NONE everywhere */
    pair_count = 0;
}

static void put(const Sum *a, const Sum *b) {
    uint32_t *slot = slot_of(a->key + b->key);
    pairs[pair_count] = (Pair){a->key + b->key, {a->subset, b->subset}, *slot};
    *slot = pair_count++;
}

/* Search. */

/* Reports the split with a subset of each part, if it has the totals. */
static bool report(const uint32_t subsets[PARTS]) {
    for (int k = 0; k < PARTS; k++)
        for (int i = 0; i < parts[k].count; i++) split[order[parts[k].begin + i]] = subsets[k] >> i & 1;
    for (int p = 0; p < products; p++) {
        int left = missing[p];
        for (int place = single; place < n; place++)
            if (split[order[place]]) left -= at(amounts, place)[p];
        if (left) return false;
    }
    branches++;
    solution(split, (size_t)n);
    return true;
}

/* Looks up what the last two parts leave of a key, in sums of this remainder; whether there was a split. */
static bool look_up(uint64_t key, uint32_t remainder) {
    bool some = false;
    const Part *third = &parts[2], *fourth = &parts[3];
    for (uint32_t c = 0; c < third->end[modulus] && !done(); c++) {
        const Sum *sum = &third->sums[c];
        uint32_t other = less(remainder, sum->remainder);
        for (uint32_t d = fourth->end[other]; d < fourth->end[other + 1]; d++) {
            uint64_t left = key - sum->key - fourth->sums[d].key;
            for (uint32_t pair = *slot_of(left); pair != NONE && !done(); pair = pairs[pair].next) {
                if (pairs[pair].key != left) continue;
                uint32_t *first = pairs[pair].subsets;
                if (report((uint32_t[]){first[0], first[1], sum->subset, fourth->sums[d].subset})) some = true;
            }
        }
    }
    return some;
}

/* Searches where the first two parts buy what leaves a remainder; whether there was a split. */
static bool try_remainder(uint64_t key, uint32_t remainder, uint32_t missing_remainder) {
    bool some = false;
    const Part *first = &parts[0], *second = &parts[1];
    clear_table();
    for (uint32_t a = 0; a < first->end[modulus] && !done(); a++) {
        uint32_t other = less(remainder, first->sums[a].remainder);
        for (uint32_t b = second->end[other]; b < second->end[other + 1]; b++) {
            if (pair_count == ROOM) {
                if (look_up(key, missing_remainder)) some = true;
                clear_table();
            }
            put(&first->sums[a], &second->sums[b]);
        }
    }
    return look_up(key, missing_remainder) || some;
}

/* Whether the customers from a place on may buy what is missing, by bounds. */
static bool consistent(int place) {
    for (int p = 0; p < products; p++)
        if (missing[p] < 0 || missing[p] > at(rest, place)[p]) return false;
    return true;
}

/* Searches where the customers before a place are decided. */
static void search(int place) {
    if (place == single) {
        uint64_t key = key_of(missing);
        uint32_t left = remainder_of(missing);
        for (uint32_t remainder = 0; remainder < modulus && !done(); remainder++) {
            branches++;
            if (!try_remainder(key, remainder, less(left, remainder))) failures++;
        }
        return;
    }
    for (int value = 1; value >= 0 && !done(); value--) {
        for (int p = 0; p < products; p++) missing[p] -= value * at(amounts, place)[p];
        split[order[place]] = value;
        branches++;
        if (consistent(place + 1))
            search(place + 1);
        else
            failures++;
        for (int p = 0; p < products; p++) missing[p] += value * at(amounts, place)[p];
    }
}

int main(void) {
    read_request();
    products = (int)read_integer("the number of products", 1, MOST_PRODUCTS);
    n = (int)read_integer("the number of customers", 1, MOST_CUSTOMERS);
    size_t size = (size_t)products * (size_t)n;
    int *rows = allocate(size, sizeof *rows);
    missing = allocate((size_t)products, sizeof *missing);
    for (int p = 0; p < products; p++) {
        missing[p] = (int)read_integer("a total", 0, LARGEST_TOTAL);
        for (int i = 0; i < n; i++)
            rows[(size_t)p * (size_t)n + (size_t)i] = (int)read_integer("an amount", 0, LARGEST_AMOUNT);
    }
    read_end();

    order = allocate((size_t)n, sizeof *order);
    split = allocate((size_t)n, sizeof *split);
    amounts = allocate(size, sizeof *amounts);
    rest = allocate(size + (size_t)products, sizeof *rest);
    factors = allocate((size_t)products, sizeof *factors);
    powers = allocate((size_t)products, sizeof *powers);
    for (int i = 0; i < n; i++) order[i] = i;
    shuffle(order, n);
    for (int place = n - 1; place >= 0; place--)
        for (int p = 0; p < products; p++) {
            at(amounts, place)[p] = rows[(size_t)p * (size_t)n + (size_t)order[place]];
            at(rest, place)[p] = at(rest, place + 1)[p] + at(amounts, place)[p];
        }
    single = n > LISTED ? n - LISTED : 0;
    root(n, n);
    if (consistent(0)) {
        prepare();
        search(0);
    }
    return finish();
}
