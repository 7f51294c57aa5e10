/* The protocol of docs/programs.md, for the searches in C: integers in, solutions and counters out.

   main() reads the request and the instance, searches, and finishes:

       read_request();
       int order = (int)read_integer("order", 1, 1000);
       ...
       read_end();
       ...                       root(n) after propagation at the root, then solution(values, n) for each one
       return finish();

   A program that solves many instances in one process does all this but read_end() as long as goes_on(), with
   arrays of instance_array() instead of allocate().

   The search counts branches, failures and propagations, and gives up as soon as done() is true.

   This is the first file to include: sigaction() is of POSIX, which -std=c11 alone leaves out. */

#ifndef PROGRAM_H
#define PROGRAM_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <ctype.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef SA_RESTART
#error "program.h must come before all other headers"
#endif

/* branches: values tried; failures: those that propagation refuted; propagations: values removed. */
static uint64_t branches, failures, propagations;

/* Of the request: how many solutions are wanted, and the seed of the order in which values are tried. */
static uint64_t wanted, seed;

static uint64_t found;
static uint64_t random_state;
static volatile sig_atomic_t interrupted;

/* Ends the program with one line that says what is wrong with its input. */
static inline _Noreturn void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static inline void *not_null(void *memory, size_t count, size_t size) {
    if (memory) return memory;
    fprintf(stderr, "no memory for %zu times %zu bytes\n", count, size);
    exit(3);
}

/* An array of zeros; it lives until the program ends. */
static inline void *allocate(size_t count, size_t size) {
    return not_null(calloc(count ? count : 1, size), count, size);
}

/* Arrays of instance_array() in a chain, each behind the address of the one before. */
static void **instance_arrays;

/* An array of zeros; it lives until the program goes on to another instance. Not for free() and grow(). */
static inline void *instance_array(size_t count, size_t size) {
    const size_t head = 16; /* keeps arrays aligned */
    bool fits = count <= (SIZE_MAX - head) / size;
    void **block = not_null(fits ? calloc(1, head + count * size) : NULL, count, size);
    *block = instance_arrays;
    instance_arrays = block;
    return (char *)block + head;
}

/* The array, or a new one if it is NULL, with room for count items; those that it did not have are not set. */
static inline void *grow(void *array, size_t count, size_t size) {
    bool fits = count <= SIZE_MAX / size;
    return not_null(fits ? realloc(array, count * size) : NULL, count, size);
}

/* The next integer of the input, which must lie between least and most. */
static inline int64_t read_integer(const char *name, int64_t least, int64_t most) {
    int c = getchar_unlocked();
    while (c != EOF && isspace(c)) c = getchar_unlocked();
    if (c == EOF) fail("the input ends before %s", name);
    bool negative = c == '-';
    if (negative) c = getchar_unlocked();
    if (c == EOF || !isdigit(c)) fail("%s is not an integer", name);
    int64_t value = 0; /* Kept negative, as there is one more negative number. */
    for (; c != EOF && isdigit(c); c = getchar_unlocked()) {
        int digit = c - '0';
        if (value < (INT64_MIN + digit) / 10) fail("%s has too many digits", name);
        value = 10 * value - digit;
    }
    if (c != EOF && !isspace(c)) fail("%s is not an integer", name);
    if (!negative && value == INT64_MIN) fail("%s has too many digits", name);
    if (!negative) value = -value;
    if (value < least || value > most)
        fail("%s is %lld, not between %lld and %lld", name, (long long)value, (long long)least, (long long)most);
    return value;
}

/* Whether the input goes on, with another request and instance; frees the arrays of the last one. */
static inline bool goes_on(void) {
    int c = getchar_unlocked();
    while (c != EOF && isspace(c)) c = getchar_unlocked();
    if (c == EOF) return false;
    ungetc(c, stdin);
    while (instance_arrays) {
        void **next = *instance_arrays;
        free(instance_arrays);
        instance_arrays = next;
    }
    return true;
}

/* The input must end here. */
static inline void read_end(void) {
    if (goes_on()) fail("the input goes on after the instance");
}

static inline void interrupt(int signal_number) {
    (void)signal_number;
    interrupted = 1;
}

/* The first line of the input: how many solutions are wanted, 0 for all, and the seed. */
static inline void read_request(void) {
    /* A write that SIGTERM interrupts goes on: stdio would drop what it was to write. */
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART};
    sigaction(SIGTERM, &action, NULL);
    wanted = (uint64_t)read_integer("the number of solutions", 0, INT64_MAX);
    seed = (uint64_t)read_integer("the seed", 1, INT64_MAX);
    random_state = seed;
    found = branches = failures = propagations = 0;
}

/* Whether to end the search: all solutions that are wanted were found, or the time is up. */
static inline bool done(void) { return interrupted || (wanted && found >= wanted); }

/* A random number below n (splitmix64, https://prng.di.unimi.it/splitmix64.c). */
static inline uint64_t random_below(uint64_t n) {
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % n;
}

/* A random number from 0 to 1. */
static inline double random_fraction(void) {
    const uint64_t parts = (uint64_t)1 << 53;
    return (double)random_below(parts) / (double)parts;
}

/* exp(x) of a number from -1000 to 0, almost: programs are linked without the library that has it. */
static inline double exponential(double x) {
    double power = 1 + x / 1024;
    for (int k = 0; k < 10; k++) power *= power;
    return power;
}

/* Puts integers in the order of the seed; seed 1 keeps them as they are. */
static inline void shuffle(int *items, int count) {
    if (seed == 1) return;
    for (int last = count - 1; last > 0; last--) {
        int other = (int)random_below((uint64_t)last + 1), item = items[last];
        items[last] = items[other];
        items[other] = item;
    }
}

/* Propagation at the root is done and left so many of the variables undecided. */
static inline void root(int variables, int undecided) {
    printf("variables %d\nroot %d\n", variables, undecided);
    fflush(stdout);
}

static inline void write_integer(int64_t value) {
    char text[20], *first = text + sizeof text; /* written from its end, without the overhead of printf() */
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do *--first = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0) putchar_unlocked('-');
    while (first < text + sizeof text) putchar_unlocked(*first++);
}

/* Reports a solution. */
static inline void solution(const int64_t *values, size_t count) {
    fputs("solution", stdout);
    for (size_t index = 0; index < count; index++) {
        putchar_unlocked(' ');
        write_integer(values[index]);
    }
    putchar('\n');
    if (found++ < 50) fflush(stdout); /* The first ones at once, later ones as the buffer fills. */
}

/* Reports a solution that is better than those before; a program that searches for the best one ends once it is proven. */
static inline void better_solution(const int64_t *values, size_t count) {
    solution(values, count);
    fflush(stdout);
}

/* Reports a value that no solution beats; the end of the search is a proof by itself. */
static inline void bound(int64_t value) {
    printf("bound %lld\n", (long long)value);
    fflush(stdout);
}

/* Reports the counters; what main() returns: the exit code, 2 if the search was interrupted. */
static inline int finish(void) {
    printf("branches %llu\nfailures %llu\npropagations %llu\n", (unsigned long long)branches,
           (unsigned long long)failures, (unsigned long long)propagations);
    return fflush(stdout) || ferror(stdout) ? 1 : interrupted ? 2 : 0;
}

#endif
