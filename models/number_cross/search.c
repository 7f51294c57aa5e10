/* Number Cross: find the words of each row, choose the word of one row after the other, and propagate.

   Some cells are shaded, no two of them sharing an edge; the others hold digits. Two unshaded cells that
   share an edge hold equal digits exactly if they lie in one region. A maximal run of unshaded cells in a row
   is a number of two digits or more, without a leading zero, that satisfies the row's clues. native.py
   describes the input.

   A word has one symbol for each cell of its row: a digit, or SHADED. The words that satisfy the row's clues
   and all rules within the row are the paths through a minimal layered automaton. Layer p of a draft has the
   states after p symbols; states that go on alike become one, layer by layer from the last. There are two
   drafts:

       read     if all clues are dense (multiples, digit sums, digit products): from the left, a state is what
                matters of the number so far, such as its remainder
       list     otherwise: from the right, a state is an ending of a number. The numbers that satisfy the
                sparsest clue are generated from the last digit to the first, and dropped as soon as two
                digits break the rule of regions; each further clue keeps some of them

   Propagation runs after each row, and the words of the next one are made only of the symbols that it left;
   the rows whose words are found with least effort come first.

   Propagation, until nothing changes:
       a cell keeps a symbol that some word of its row has there, made of allowed symbols alone
       a cell keeps a symbol that goes with some allowed symbol of the cell above, and of the cell below
   Search: the row with the fewest words first, then always one next to those before it. */

#include "../shared/program.h"

#include <string.h>

typedef unsigned __int128 Wide;

enum { SHADED = 10, SYMBOLS = 11, NONE = -1 };

static const int DOT = 1 << SHADED, ALL_DIGITS = (1 << SHADED) - 1;

/* In the order of VOCABULARY in puzzle.py. */
enum {
    SQUARE,
    CUBE,
    FIBONACCI,
    PALINDROME,
    PALINDROME_PLUS,
    PALINDROME_MINUS,
    MULTIPLE,
    POWER,
    PRIME_POWER,
    DIGIT_SUM,
    DIGIT_PRODUCT,
    KINDS
};

/* About 10^(n * DENSITY) numbers of n digits satisfy a clue; a dense clue has a constant share of all. */
static const double DENSITY[KINDS] = {0.5, 0.33, 0.01, 0.51, 0.52, 0.52, 1, 0, 0.49, 1, 1};
static const double DENSE = 1;

static const double LOG10[] = {-1e9,     0,        0.301030, 0.477121, 0.602060, 0.698970,
                               0.778151, 0.845098, 0.903090, 0.954243, 1};

typedef struct {
    int kind;
    Wide k;
} Clue;

static const int64_t LIMB = 1000000000000000000;

static int height, width;
static int *allowed; /* the symbols that each cell can still hold, as bits */
static int *region;     /* of each cell */
static int *clue_count; /* of each row */
static Clue **clues;    /* of each row, the sparsest first */

/* The array with room for one more item than count. */
static void *with_room(void *array, int count, int *capacity, size_t size) {
    if (count < *capacity) return array;
    if (count > INT_MAX / 4) fail("a row needs an array of more than %d items", INT_MAX / 4);
    *capacity = 2 * count + 64;
    return grow(array, (size_t)*capacity, size);
}

/* ---- A table of numbered items by their hash ---- */

typedef struct {
    uint32_t hash;
    int item;
} Slot;

static Slot *slots;
static unsigned slot_count, slots_used;

static uint64_t mixed(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 32);
}

static void clear_table(void) {
    if (!slots) slots = allocate(slot_count = 1024, sizeof *slots);
    memset(slots, 0xff, slot_count * sizeof *slots); /* NONE everywhere */
    slots_used = 0;
}

/* The slots in which an item with this hash may be are this one and those after it, up to a free one. */
static unsigned first_slot(uint32_t hash) { return hash & (slot_count - 1); }
static unsigned slot_after(unsigned index) { return (index + 1) & (slot_count - 1); }

static void put(uint32_t hash, int item) {
    if (2 * slots_used >= slot_count) {
        Slot *before = slots;
        unsigned count = slot_count;
        if (count > UINT_MAX / 4) fail("a row has too many states");
        slots = allocate(slot_count = 4 * count, sizeof *slots);
        clear_table();
        for (unsigned index = 0; index < count; index++)
            if (before[index].item != NONE) put(before[index].hash, before[index].item);
        free(before);
    }
    unsigned index = first_slot(hash);
    while (slots[index].item != NONE) index = slot_after(index);
    slots[index] = (Slot){hash, item};
    slots_used++;
}

/* ---- The draft of a row's automaton ---- */

typedef struct {
    int (*next)[SYMBOLS]; /* the state after each symbol, or NONE */
    int *met;             /* list: how many sparse clues the number satisfies that the state has read */
    Wide *keys;           /* read: what the state knows, key_size() integers */
    int *minimal;         /* the state of the minimal automaton, or NONE if no word goes on from here */
    int count, next_room, met_room, keys_room, minimal_room;
} Layer;

static Layer *layers; /* width + 1, used again for each row */

/* Of the row for which words are sought: */
static int *row_region, *row_allowed;
static Clue *row_clues;
static int row_clue_count, sparse_count; /* The sparse clues are the first of all. */

static int new_state(Layer *layer, int met) {
    layer->next = with_room(layer->next, layer->count, &layer->next_room, sizeof *layer->next);
    layer->met = with_room(layer->met, layer->count, &layer->met_room, sizeof *layer->met);
    for (int symbol = 0; symbol < SYMBOLS; symbol++) layer->next[layer->count][symbol] = NONE;
    layer->met[layer->count] = met;
    return layer->count++;
}

/* ---- read: dense clues, from the left ---- */

static Wide nothing_read(const Clue *clue) { return clue->kind == DIGIT_PRODUCT; }

/* Adds a digit to what is known of a number; false if no number goes on like this. */
static bool read_digit(const Clue *clue, Wide *known, int digit) {
    switch (clue->kind) {
    case MULTIPLE:
        if (clue->k <= (Wide)LIMB)
            *known = (10 * (uint64_t)*known + (uint64_t)digit) % (uint64_t)clue->k;
        else
            *known = (10 * *known + (Wide)digit) % clue->k;
        return true;
    case DIGIT_SUM:
        *known += (Wide)digit;
        return *known <= clue->k;
    default:
        *known = *known * (Wide)digit % 10;
        return true;
    }
}

static bool accepts(const Clue *clue, Wide known) { return known == (clue->kind == MULTIPLE ? 0 : clue->k); }

/* A key: the length of the number so far, 2 standing for more too, its last digit, what each clue knows. */
static size_t key_size(void) { return 2 + (size_t)row_clue_count; }

static Wide *key_of(const Layer *layer, int state) { return layer->keys + key_size() * (size_t)state; }

static bool all_accept(const Wide *key) {
    for (int clue = 0; clue < row_clue_count; clue++)
        if (!accepts(&row_clues[clue], key[2 + clue])) return false;
    return true;
}

/* The state with a key, a new one if there is none yet. */
static int state_of(Layer *layer, const Wide *key) {
    uint64_t hash = 0;
    for (size_t part = 0; part < key_size(); part++)
        hash = mixed(mixed(hash, (uint64_t)key[part]), (uint64_t)(key[part] >> 64));
    for (unsigned slot = first_slot((uint32_t)hash); slots[slot].item != NONE; slot = slot_after(slot))
        if (slots[slot].hash == (uint32_t)hash
            && !memcmp(key_of(layer, slots[slot].item), key, key_size() * sizeof *key))
            return slots[slot].item;
    int state = new_state(layer, 0);
    layer->keys = with_room(layer->keys, state, &layer->keys_room, key_size() * sizeof *key);
    memcpy(key_of(layer, state), key, key_size() * sizeof *key);
    put((uint32_t)hash, state);
    return state;
}

/* Computes the key after one more symbol at a column; false if no word goes on like this. */
static bool read_symbol(const Wide *key, int column, int symbol, Wide *after) {
    if (!(row_allowed[column] >> symbol & 1)) return false;
    if (symbol == SHADED) {
        /* A shaded cell ends a number; only at the left border there is none. */
        if (column && !(key[0] == 2 && all_accept(key))) return false;
        after[0] = after[1] = 0;
        for (int clue = 0; clue < row_clue_count; clue++) after[2 + clue] = nothing_read(&row_clues[clue]);
        return true;
    }
    if (key[0] ? (key[1] == (Wide)symbol) != (row_region[column] == row_region[column - 1]) : symbol == 0)
        return false;
    after[0] = key[0] ? 2 : 1;
    after[1] = (Wide)symbol;
    for (int clue = 0; clue < row_clue_count; clue++) {
        after[2 + clue] = key[2 + clue];
        if (!read_digit(&row_clues[clue], &after[2 + clue], symbol)) return false;
    }
    return column + 1 < width || (after[0] == 2 && all_accept(after));
}

static void read_words(void) {
    Wide *key = allocate(key_size(), sizeof *key), *after = allocate(key_size(), sizeof *after);
    for (int p = 0; p <= width; p++) layers[p].keys_room = 0; /* The size of a key is the row's. */
    for (int clue = 0; clue < row_clue_count; clue++) key[2 + clue] = nothing_read(&row_clues[clue]);
    clear_table();
    state_of(&layers[0], key);
    for (int column = 0; column < width && !done(); column++) {
        clear_table();
        for (int state = 0; state < layers[column].count; state++) {
            memcpy(key, key_of(&layers[column], state), key_size() * sizeof *key);
            for (int symbol = 0; symbol < SYMBOLS; symbol++)
                if (read_symbol(key, column, symbol, after))
                    layers[column].next[state][symbol] = state_of(&layers[column + 1], after);
        }
    }
    free(key);
    free(after);
}

/* ---- list: numbers that satisfy a sparse clue, from the last digit to the first ---- */

/* Of the numbers that are generated now: */
static int end;         /* the column after the last digit, which all of them share */
static int length;      /* how many digits they have */
static int turn;        /* which of the row's clues they satisfy: the first inserts them, others look them up */
static uint8_t *digits; /* the one that is being written; digits[j] counts 10^j */
static int *between;    /* of each layer the state in which no number is open, or NONE */

/* Writes digit j; false if it breaks the rule of regions, or the number has another length. */
static bool write_digit(int j, int digit) {
    if (j >= length) return digit == 0;
    if (j == length - 1 && digit == 0) return false;
    int column = end - 1 - j;
    if (!(row_allowed[column] >> digit & 1)) return false;
    if (j && (digit == digits[j - 1]) != (row_region[column] == row_region[column + 1])) return false;
    digits[j] = (uint8_t)digit;
    return true;
}

static bool satisfies_dense_clues(void) {
    for (int clue = sparse_count; clue < row_clue_count; clue++) {
        Wide known = nothing_read(&row_clues[clue]);
        for (int j = length - 1; j >= 0; j--)
            if (!read_digit(&row_clues[clue], &known, digits[j])) return false;
        if (!accepts(&row_clues[clue], known)) return false;
    }
    return true;
}

static int state_between(int p) {
    if (between[p] == NONE) between[p] = new_state(&layers[p], p == width ? sparse_count : 0);
    return between[p];
}

/* The number that is written satisfies the clue whose turn it is. */
static void number_found(void) {
    if (turn == 0 && !satisfies_dense_clues()) return;
    int p = width - end, state = between[p];
    for (int j = 0; j < length; j++, p++) {
        if (layers[p].next[state][digits[j]] == NONE) {
            if (turn) return;
            int added = new_state(&layers[p + 1], 0);
            layers[p].next[state][digits[j]] = added;
        }
        state = layers[p].next[state][digits[j]];
    }
    if (layers[p].met[state] != turn) return;
    layers[p].met[state] = turn + 1;
    /* A number that all clues allow may have a shaded cell before it. */
    if (turn + 1 == sparse_count && p < width && row_allowed[width - 1 - p] & DOT)
        layers[p].next[state][SHADED] = state_between(p + 1);
}

/* Numbers are generated by a search for the digits of something else, from the last one on: the root of a
   power, or a palindrome. At a place open() gives the least and most digit to try; choose() takes a digit and
   tells whether it goes on; complete() is called behind the last place. */
static int places; /* how many digits of that are searched for */
static int *next_digit, *last_digit; /* of each place */

static void generate(void (*open)(int), bool (*choose)(int, int), void (*complete)(void)) {
    int j = 0;
    open(0);
    while (j >= 0 && !done()) {
        if (next_digit[j] > last_digit[j]) {
            j--;
        } else if (choose(j, next_digit[j]++)) {
            if (j + 1 < places)
                open(++j);
            else
                complete();
        }
    }
}

/* The powers of a root: digit j of a power depends on the first j digits of the root alone.
   power[t * places + j] is digit j of root^t, carry[t * places + j] what is carried into it. */
static int degree, root_length;
static bool of_primes;
static int *power, *carry, power_room, carry_room;

static uint64_t product_modulo(uint64_t a, uint64_t b, uint64_t n) { return (uint64_t)((Wide)a * b % n); }

/* Miller and Rabin's test, with bases that leave no doubt below 2^64. */
static bool is_prime(uint64_t n) {
    static const uint64_t BASES[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    if (n < 2) return false;
    for (size_t index = 0; index < sizeof BASES / sizeof *BASES; index++)
        if (n % BASES[index] == 0) return n == BASES[index];
    if (n < 37 * 37) return true;
    uint64_t odd = n - 1;
    while (odd % 2 == 0) odd /= 2;
    for (size_t index = 0; index < sizeof BASES / sizeof *BASES; index++) {
        uint64_t value = 1, square = BASES[index], exponent = odd;
        for (uint64_t rest = exponent; rest; rest /= 2, square = product_modulo(square, square, n))
            if (rest % 2) value = product_modulo(value, square, n);
        for (; exponent != n - 1 && value != 1 && value != n - 1; exponent *= 2)
            value = product_modulo(value, value, n);
        if (value != n - 1 && exponent % 2 == 0) return false;
    }
    return true;
}

static bool root_is_prime(void) {
    if (root_length > 19) fail("a root with %d digits is too large to be tested for a prime", root_length);
    uint64_t value = 0;
    for (int j = root_length - 1; j >= 0; j--) value = 10 * value + (uint64_t)power[places + j];
    return is_prime(value);
}

/* Whether the power of a root with this first digit can have the right length. */
static bool leads(int digit) {
    double left = length - degree * (root_length - 1.0); /* those that the first digit alone contributes */
    return degree * (LOG10[digit] - 1e-6) < left && degree * (LOG10[digit + 1] + 1e-6) > left - 1;
}

static void open_root(int j) {
    next_digit[j] = 0;
    last_digit[j] = j < root_length ? 9 : 0;
}

static bool choose_root(int j, int digit) {
    if (j == root_length - 1 && !leads(digit)) return false;
    /* A prime of several digits ends in an odd one, and not in 5. */
    if (of_primes && j == 0 && root_length > 1 && (digit % 2 == 0 || digit == 5)) return false;
    const int *root = power + places;
    power[places + j] = digit;
    for (int t = 2; t <= degree; t++) {
        const int *factor = power + (t - 1) * places;
        int sum = carry[t * places + j];
        for (int i = 0; i <= j && i < root_length; i++) sum += root[i] * factor[j - i];
        power[t * places + j] = sum % 10;
        if (j + 1 < places) carry[t * places + j + 1] = sum / 10;
    }
    return write_digit(j, power[degree * places + j]);
}

static void complete_root(void) {
    if (!of_primes || root_is_prime()) number_found();
}

/* Finds the numbers that are root^exponent. */
static void list_powers(int exponent, bool prime) {
    degree = exponent;
    of_primes = prime;
    root_length = (length - 1) / degree + 1;
    places = degree * root_length;
    if (places > INT_MAX / 8 / (degree + 1)) fail("%d columns are too many for powers", width);
    power = with_room(power, (degree + 1) * places, &power_room, sizeof *power);
    carry = with_room(carry, (degree + 1) * places, &carry_room, sizeof *carry);
    for (int t = 2; t <= degree; t++) carry[t * places] = 0;
    generate(open_root, choose_root, complete_root);
}

static void list_prime_powers(void) {
    /* 2^exponent has at most `length` digits. */
    for (int exponent = 2; exponent < 3.33 * length && !done(); exponent++)
        if (is_prime((uint64_t)exponent)) list_powers(exponent, true);
}

/* Palindromes plus or minus k. */
static int palindrome_length, k_length, sign;
static int k_digits[40];
static int *mirrored; /* the digits of the palindrome */
static int *carried;  /* what is carried into each place, -1 to 1 */

static void open_palindrome(int j) {
    int mirror = palindrome_length - 1 - j, least = 0, most = 9;
    if (mirror < 0)
        most = 0;
    else if (mirror < j)
        least = most = mirrored[mirror];
    else if (palindrome_length != length && mirror >= k_length)
        least = most = sign > 0 ? 9 : j == 0; /* 99... + k or 100... - k: above its digits k only carries. */
    else if (j == 0 && palindrome_length > 1)
        least = 1;
    next_digit[j] = least;
    last_digit[j] = most;
}

static bool choose_palindrome(int j, int digit) {
    int sum = digit + carried[j] + sign * (j < k_length ? k_digits[j] : 0), written = (sum + 10) % 10;
    mirrored[j] = digit;
    carried[j + 1] = (sum - written) / 10;
    return write_digit(j, written);
}

static void complete_palindrome(void) {
    if (!carried[places]) number_found();
}

/* Finds the numbers that are a palindrome + k, or - k. */
static void list_palindromes(Wide k, int plus_or_minus) {
    sign = plus_or_minus;
    for (k_length = 0; k; k /= 10) k_digits[k_length++] = (int)(k % 10);
    if (sign > 0 && k_length > length) return;
    int longer = length > k_length ? length : k_length;
    int shortest = sign < 0 ? longer : k_length < length - 1 ? length - 1 : 1;
    int longest = sign < 0 ? longer + 1 : length;
    for (palindrome_length = shortest; palindrome_length <= longest; palindrome_length++) {
        places = longer > palindrome_length ? longer : palindrome_length;
        carried[0] = 0;
        generate(open_palindrome, choose_palindrome, complete_palindrome);
    }
}

/* Finds the powers of a factor; or Fibonacci numbers, each of which is the sum of the two before it. */
static void list_sequence(Wide factor, bool fibonacci) {
    uint8_t *last = allocate((size_t)width + 1, 1), *before = allocate((size_t)width + 1, 1);
    last[0] = 1;
    for (int count = 1; count <= end && !done();) {
        Wide sum = 0;
        for (int j = 0; j <= end && (j < count || sum); j++) {
            int digit = last[j];
            sum += factor * (Wide)digit + (fibonacci ? before[j] : 0);
            before[j] = (uint8_t)digit;
            last[j] = (uint8_t)(sum % 10);
            sum /= 10;
            if (j == count) count++;
        }
        length = count;
        int written = 0;
        while (written < length && length <= end && write_digit(written, last[written])) written++;
        if (length >= 2 && length <= end && written == length) number_found();
    }
    free(last);
    free(before);
}

static void list_numbers(const Clue *clue) {
    if (clue->kind == FIBONACCI || (clue->kind == POWER && clue->k > 1)) {
        list_sequence(clue->kind == POWER ? clue->k : 1, clue->kind == FIBONACCI);
        return;
    }
    for (length = 2; length <= end && !done(); length++) {
        switch (clue->kind) {
        case SQUARE:
            list_powers(2, false);
            break;
        case CUBE:
            list_powers(3, false);
            break;
        case PRIME_POWER:
            list_prime_powers();
            break;
        case PALINDROME:
        case PALINDROME_PLUS:
            list_palindromes(clue->k, 1);
            break;
        case PALINDROME_MINUS:
            list_palindromes(clue->k, -1);
            break;
        }
    }
}

static void list_words(void) {
    for (int p = 0; p <= width; p++) between[p] = NONE;
    /* The last cell may be shaded. */
    state_between(0);
    if (row_allowed[width - 1] & DOT) layers[0].next[0][SHADED] = state_between(1);
    for (end = width; end >= 2; end--)
        if (between[width - end] != NONE)
            for (turn = 0; turn < sparse_count; turn++) list_numbers(&row_clues[turn]);
}

/* ---- The minimal automaton of a row ---- */

typedef struct {
    int symbol, target;
} Arc;

typedef struct {
    bool leftward; /* whether the first symbol of a path is that of the last column */
    int start;     /* NONE if there are no words */
    int count;     /* of states; state 0 is the end of all paths */
    int *first;    /* state s has the arcs first[s] to first[s + 1] - 1 */
    Arc *arcs;
    int first_room, arcs_room;
    double words;      /* how many there are */
    uint64_t *reached; /* the last pass in which a path from the start led to a state */
    uint64_t *alive;   /* the last pass in which a path led on from it to the end */
} Automaton;

static Automaton *automata;
static int *active, active_room; /* the states reached in a pass, layer by layer */

static int column_of(const Automaton *automaton, int p) { return automaton->leftward ? width - 1 - p : p; }

/* Appends the arcs of a draft's state; returns how many. */
static int append_arcs(Automaton *automaton, int p, int state, int begin) {
    int count = 0;
    for (int symbol = 0; symbol < SYMBOLS; symbol++) {
        int next = layers[p].next[state][symbol];
        int target = next == NONE ? NONE : layers[p + 1].minimal[next];
        if (target == NONE) continue;
        automaton->arcs = with_room(automaton->arcs, begin + count, &automaton->arcs_room, sizeof(Arc));
        automaton->arcs[begin + count++] = (Arc){symbol, target};
    }
    return count;
}

/* The state that has the same arcs as the last ones that were appended; a new one if there is none yet. */
static int state_with(Automaton *automaton, int begin, int count) {
    const Arc *arcs = automaton->arcs + begin;
    uint64_t hash = 0;
    for (int arc = 0; arc < count; arc++)
        hash = mixed(hash, (uint64_t)arcs[arc].symbol << 32 | (uint64_t)arcs[arc].target);
    for (unsigned slot = first_slot((uint32_t)hash); slots[slot].item != NONE; slot = slot_after(slot)) {
        int item = slots[slot].item;
        if (slots[slot].hash == (uint32_t)hash && automaton->first[item + 1] - automaton->first[item] == count
            && !memcmp(automaton->arcs + automaton->first[item], arcs, (size_t)count * sizeof *arcs))
            return item;
    }
    int state = automaton->count++;
    automaton->first = with_room(automaton->first, state + 1, &automaton->first_room, sizeof(int));
    automaton->first[state + 1] = begin + count;
    put((uint32_t)hash, state);
    return state;
}

/* Gives each state of a layer of the draft its minimal state; those of the layer after it have theirs. */
static void minimise_layer(Automaton *automaton, int p) {
    Layer *layer = &layers[p];
    clear_table();
    for (int state = 0; state < layer->count; state++) {
        layer->minimal = with_room(layer->minimal, state, &layer->minimal_room, sizeof(int));
        if (p == width) {
            layer->minimal[state] = layer->met[state] == sparse_count ? 0 : NONE;
            continue;
        }
        int begin = automaton->first[automaton->count];
        int count = append_arcs(automaton, p, state, begin);
        layer->minimal[state] = count ? state_with(automaton, begin, count) : NONE;
    }
}

static double count_words(const Automaton *automaton) {
    double *words = allocate((size_t)automaton->count, sizeof *words);
    words[0] = 1;
    for (int state = 1; state < automaton->count; state++)
        for (int arc = automaton->first[state]; arc < automaton->first[state + 1]; arc++)
            words[state] += words[automaton->arcs[arc].target];
    double total = automaton->start == NONE ? 0 : words[automaton->start];
    free(words);
    return total;
}

static void make_automaton(int row) {
    Automaton *automaton = &automata[row];
    row_region = region + row * width;
    row_allowed = allowed + row * width;
    row_clues = clues[row];
    row_clue_count = clue_count[row];
    for (sparse_count = 0; sparse_count < row_clue_count; sparse_count++)
        if (DENSITY[row_clues[sparse_count].kind] == DENSE) break;
    for (int p = 0; p <= width; p++) layers[p].count = 0;
    automaton->leftward = sparse_count > 0;
    if (sparse_count)
        list_words();
    else
        read_words();
    automaton->first = with_room(NULL, 1, &automaton->first_room, sizeof(int));
    automaton->first[0] = automaton->first[1] = 0;
    automaton->count = 1;
    for (int p = width; p >= 0; p--) minimise_layer(automaton, p);
    automaton->start = layers[0].minimal[0];
    automaton->words = count_words(automaton);
    automaton->reached = allocate((size_t)automaton->count, sizeof(uint64_t));
    automaton->alive = allocate((size_t)automaton->count, sizeof(uint64_t));
    active = with_room(active, automaton->count, &active_room, sizeof *active);
}

/* ---- Propagation ---- */

typedef struct {
    int cell, allowed;
} Change;

static Change *trail; /* what to undo: a cell changes at most SYMBOLS times */
static size_t trail_length;

static uint64_t pass;      /* counts the passes through automata */
static int *active_before; /* how many of them are in layers before layer p */
static int *support;       /* the symbols that words have at each column */
static bool *waiting;      /* the rows through which a pass is due */
static int *order;         /* the rows as they are chosen */

static int cell_of(int row, int column) { return row * width + column; }

static void set_allowed(int cell, int symbols) {
    if (allowed[cell] == symbols) return;
    trail[trail_length++] = (Change){cell, allowed[cell]};
    allowed[cell] = symbols;
}

static void undo(size_t to) {
    while (trail_length > to) {
        Change change = trail[--trail_length];
        allowed[change.cell] = change.allowed;
    }
}

/* Keeps these symbols of a cell; true if there were others. */
static bool keep(int cell, int symbols) {
    int removed = allowed[cell] & ~symbols;
    propagations += (uint64_t)__builtin_popcount((unsigned)removed);
    set_allowed(cell, allowed[cell] & symbols);
    return removed;
}

/* Finds the states on paths that allowed symbols spell, from the start. */
static void reach(const Automaton *automaton, int row) {
    int count = 0;
    automaton->reached[automaton->start] = pass;
    active[count++] = automaton->start;
    active_before[0] = 0;
    for (int p = 0; p < width; p++) {
        int symbols = allowed[cell_of(row, column_of(automaton, p))];
        active_before[p + 1] = count;
        for (int index = active_before[p]; index < active_before[p + 1]; index++) {
            int state = active[index];
            for (int at = automaton->first[state]; at < automaton->first[state + 1]; at++) {
                Arc arc = automaton->arcs[at];
                if (!(symbols >> arc.symbol & 1) || automaton->reached[arc.target] == pass) continue;
                automaton->reached[arc.target] = pass;
                active[count++] = arc.target;
            }
        }
    }
}

/* Finds those of them that lead to the end, and the symbols on the way. */
static void look_back(const Automaton *automaton, int row) {
    automaton->alive[0] = pass;
    for (int p = width - 1; p >= 0; p--) {
        int column = column_of(automaton, p), symbols = allowed[cell_of(row, column)];
        support[column] = 0;
        for (int index = active_before[p]; index < active_before[p + 1]; index++) {
            int state = active[index], found_here = 0;
            for (int arc = automaton->first[state]; arc < automaton->first[state + 1]; arc++)
                if (automaton->alive[automaton->arcs[arc].target] == pass)
                    found_here |= symbols & 1 << automaton->arcs[arc].symbol;
            if (found_here) automaton->alive[state] = pass;
            support[column] |= found_here;
        }
    }
}

/* Finds the symbols of words made of allowed symbols alone; false if there is no such word. */
static bool find_support(int row) {
    const Automaton *automaton = &automata[row];
    if (automaton->start == NONE) return false;
    pass++;
    reach(automaton, row);
    look_back(automaton, row);
    return automaton->alive[automaton->start] == pass;
}

/* The symbols that go with some of those of the cell above, or below. */
static int compatible(int symbols, bool same_region) {
    int here = symbols & ALL_DIGITS, dot = here ? DOT : 0;
    if (same_region) return symbols & DOT ? dot | ALL_DIGITS : dot | here;
    return symbols & (symbols - 1) ? dot | ALL_DIGITS : dot | (ALL_DIGITS & ~here);
}

/* Restricts the row above or below; true if that changed anything. */
static bool restrict_row(int row, int other) {
    bool changed = false;
    for (int column = 0; column < width; column++) {
        int here = cell_of(row, column), there = cell_of(other, column);
        changed |= keep(there, compatible(allowed[here], region[here] == region[there]));
    }
    return changed;
}

/* Of the rows through which a pass is due the one with the smallest automaton. */
static int next_waiting(void) {
    int best = NONE;
    for (int row = 0; row < height; row++)
        if (waiting[row] && (best == NONE || automata[row].count < automata[best].count)) best = row;
    return best;
}

/* Removes what the rules refute; false if a row has no word left. */
static bool propagate(void) {
    int row;
    while ((row = next_waiting()) != NONE) {
        waiting[row] = false;
        if (!find_support(row)) {
            memset(waiting, 0, (size_t)height * sizeof *waiting);
            return false;
        }
        for (int column = 0; column < width; column++) keep(cell_of(row, column), support[column]);
        for (int other = row - 1; other <= row + 1; other += 2)
            if (other >= 0 && other < height && restrict_row(row, other))
                waiting[other] = automata[other].count; /* A row whose automaton is not made yet can wait. */
    }
    return true;
}

/* ---- Search ---- */

/* Orders the rows: the one with the fewest words first, then always one next to those before. */
static void choose_order(void) {
    int first = 0;
    for (int row = 1; row < height; row++)
        if (automata[row].words < automata[first].words) first = row;
    int last = first;
    order[0] = first;
    for (int depth = 1; depth < height; depth++) {
        bool up = last + 1 == height || (first > 0 && automata[first - 1].words <= automata[last + 1].words);
        order[depth] = up ? --first : ++last;
    }
}

/* A step on the way through a row's automaton: the state before it, the symbol taken, those not yet tried. */
typedef struct {
    int state, symbol, untried;
} Step;

static Step *steps;         /* width for each row, in the order of the rows */
static int *place;          /* of each row in the order the step to take next */
static uint64_t *walk_pass; /* the pass that found the states from which words go on */
static size_t *trail_mark;  /* the length of the trail before a word was chosen */

static void enter_state(int depth, int p, int state) {
    int cell = cell_of(order[depth], column_of(&automata[order[depth]], p));
    steps[(size_t)depth * (size_t)width + (size_t)p] = (Step){state, NONE, allowed[cell]};
    place[depth] = p;
}

/* Begins to walk through the words of a row that allowed symbols spell. */
static void enter_row(int depth) {
    find_support(order[depth]);
    walk_pass[depth] = pass;
    trail_mark[depth] = trail_length;
    enter_state(depth, 0, automata[order[depth]].start);
}

static void take_symbol(Step *step) {
    int left = step->untried;
    uint64_t skipped = seed == 1 ? 0 : random_below((uint64_t)__builtin_popcount((unsigned)left));
    for (; skipped; skipped--) left &= left - 1;
    step->symbol = __builtin_ctz((unsigned)left);
    step->untried &= ~(1 << step->symbol);
}

/* The state after a step if words go on from there, else NONE. Passes after the walk began saw fewer symbols
   allowed, so that a state that they found alive is alive in the walk, too. */
static int state_after(int depth, const Step *step) {
    const Automaton *automaton = &automata[order[depth]];
    for (int arc = automaton->first[step->state]; arc < automaton->first[step->state + 1]; arc++) {
        int target = automaton->arcs[arc].target;
        if (automaton->arcs[arc].symbol == step->symbol)
            return automaton->alive[target] >= walk_pass[depth] ? target : NONE;
    }
    return NONE;
}

/* Walks on to the next word; false if there is none. */
static bool next_word(int depth) {
    while (place[depth] >= 0) {
        int p = place[depth];
        Step *step = &steps[(size_t)depth * (size_t)width + (size_t)p];
        if (!step->untried) {
            place[depth]--;
            continue;
        }
        take_symbol(step);
        int state = state_after(depth, step);
        if (state == NONE) continue;
        if (p + 1 == width) return true;
        enter_state(depth, p + 1, state);
    }
    return false;
}

static void assign_word(int depth) {
    for (int p = 0; p < width; p++) {
        int symbol = steps[(size_t)depth * (size_t)width + (size_t)p].symbol;
        set_allowed(cell_of(order[depth], column_of(&automata[order[depth]], p)), 1 << symbol);
    }
}

static void report_solution(void) {
    int64_t *values = allocate((size_t)(height * width), sizeof *values);
    for (int cell = 0; cell < height * width; cell++) values[cell] = __builtin_ctz((unsigned)allowed[cell]);
    solution(values, (size_t)(height * width));
    free(values);
}

static void search(void) {
    int depth = 0;
    enter_row(0);
    while (depth >= 0 && !done()) {
        undo(trail_mark[depth]);
        if (!next_word(depth)) {
            depth--;
            continue;
        }
        branches++;
        assign_word(depth);
        waiting[order[depth]] = true;
        if (!propagate())
            failures++;
        else if (depth + 1 == height)
            report_solution();
        else
            enter_row(++depth);
    }
}

/* ---- The instance ---- */

static void read_clues(int row) {
    int count = clue_count[row] = (int)read_integer("the number of clues", 0, 1000);
    clues[row] = allocate((size_t)count, sizeof(Clue));
    for (int index = 0; index < count; index++) {
        int kind = (int)read_integer("the kind of a clue", 0, KINDS - 1);
        Wide high = (Wide)read_integer("the high part of k", 0, LIMB - 1);
        Wide k = high * (Wide)LIMB + (Wide)read_integer("the low part of k", 0, LIMB - 1);
        if (kind == MULTIPLE && k == 0) fail("a multiple of 0");
        int place_of = index;
        for (; place_of && DENSITY[clues[row][place_of - 1].kind] > DENSITY[kind]; place_of--)
            clues[row][place_of] = clues[row][place_of - 1];
        clues[row][place_of] = (Clue){kind, k};
    }
}

static void read_instance(void) {
    const int most_cells = INT_MAX / 64;
    height = (int)read_integer("the height", 1, most_cells);
    width = (int)read_integer("the width", 1, most_cells);
    if (height > most_cells / width) fail("the grid has more than %d cells", most_cells);
    region = allocate((size_t)(height * width), sizeof *region);
    for (int cell = 0; cell < height * width; cell++)
        region[cell] = (int)read_integer("a region", 0, height * width - 1);
    clue_count = allocate((size_t)height, sizeof *clue_count);
    clues = allocate((size_t)height, sizeof *clues);
    for (int row = 0; row < height; row++) read_clues(row);
    read_end();
}

static void allocate_all(void) {
    size_t cells = (size_t)(height * width), rows = (size_t)height, columns = (size_t)width;
    layers = allocate(columns + 1, sizeof *layers);
    between = allocate(columns + 1, sizeof *between);
    digits = allocate(columns, sizeof *digits);
    /* A power has fewer places than its length + its degree; 2^n has more than 0.3 n digits. */
    next_digit = allocate(5 * columns + 64, sizeof *next_digit);
    last_digit = allocate(5 * columns + 64, sizeof *last_digit);
    mirrored = allocate(columns + 64, sizeof *mirrored);
    carried = allocate(columns + 64, sizeof *carried);
    automata = allocate(rows, sizeof *automata);
    allowed = allocate(cells, sizeof *allowed);
    trail = allocate(SYMBOLS * cells, sizeof *trail);
    active_before = allocate(columns + 1, sizeof *active_before);
    support = allocate(columns, sizeof *support);
    waiting = allocate(rows, sizeof *waiting);
    order = allocate(rows, sizeof *order);
    steps = allocate(cells, sizeof *steps);
    place = allocate(rows, sizeof *place);
    walk_pass = allocate(rows, sizeof *walk_pass);
    trail_mark = allocate(rows, sizeof *trail_mark);
}

/* About how much work it is to find the words of a row, as a power of 10. */
static double effort(int row) {
    const Clue *sparsest = clues[row];
    if (!clue_count[row] || DENSITY[sparsest->kind] == DENSE) {
        double exponent = 3;
        if (clue_count[row] && sparsest->kind == MULTIPLE)
            for (Wide k = sparsest->k; k; k /= 10) exponent++;
        return exponent;
    }
    double exponent = DENSITY[sparsest->kind] * width;
    for (int cell = cell_of(row, 0); cell < cell_of(row, width); cell++) {
        exponent += LOG10[__builtin_popcount((unsigned)(allowed[cell] & ALL_DIGITS))] - 1;
        if (cell > cell_of(row, 0) && region[cell] == region[cell - 1]) exponent--;
    }
    return exponent;
}

/* Of the rows without an automaton the one whose words are found with the least effort. */
static int next_row_to_make(void) {
    int best = NONE;
    for (int row = 0; row < height; row++)
        if (!automata[row].count && (best == NONE || effort(row) < effort(best))) best = row;
    return best;
}

/* Makes the automata and propagates; false if that leaves a row without words. */
static bool make_automata(void) {
    for (int cell = 0; cell < height * width; cell++) allowed[cell] = DOT | ALL_DIGITS;
    for (int made = 0; made < height && !done(); made++) {
        int row = next_row_to_make();
        make_automaton(row);
        if (!find_support(row)) return false;
        /* What is no symbol of any word of a row was never allowed, and does not count as removed. */
        for (int column = 0; column < width; column++) allowed[cell_of(row, column)] &= support[column];
        waiting[row] = true;
        if (!propagate()) return false;
    }
    return true;
}

int main(void) {
    read_request();
    read_instance();
    allocate_all();
    bool consistent = make_automata();
    if (done()) return finish();
    int undecided = 0;
    for (int cell = 0; cell < height * width; cell++)
        undecided += __builtin_popcount((unsigned)allowed[cell]) != 1;
    root(height * width, undecided);
    if (consistent) {
        choose_order();
        search();
    }
    return finish();
}
