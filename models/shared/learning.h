/* A search for variables of which exactly one in each group is true; it learns clauses from its failures, as in
   MiniSat (Een and Sorensson, 2003).

       literal      2 * variable that it is true, 2 * variable + 1 that it is false
       group        variables of which exactly one is true
       clause       in the array `store`: its length, its distance, and literals, of which the first two are
                    watched. Distance is that of Glucose (Audemard and Simon, 2009), 0 if it was not learned

   A variable that is true makes the others of its groups false, without a clause for each two. The reason of
   a literal is a clause, or a true variable x of a group, as -2 - x.

   The file that includes this calls make_variables(), join(), require_groups(), propagate() for
   the root, and search_all(). It defines report(), which calls exclude_solution(). */

#ifndef LEARNING_H
#define LEARNING_H

#include "program.h"

#include <string.h>

enum { NIL = -1 };

typedef struct {
    int *items;
    int count, room;
} List;

static int variables, literals;
static signed char *value; /* of a literal: 1 true, -1 false, 0 neither */
static int *level, *reason;
static bool *phase;       /* of a variable, what it was last */
static List *groups;      /* of variables */
static List *groups_of;   /* of each variable */
static List *watchers;    /* of each literal, the clauses that watch it */
static List store, trail, starts, learned, conflict, touched;
static int head;          /* of the trail, up to which everything has followed */
static bool *seen;        /* in learn() */
static int *stamp, stamps; /* of each level, in distance_of() */

/* Variables in the order in which they were last part of a conflict (move to front). */
static int *older, *newer, newest, next;
static int64_t *moved, moves;

static uint64_t restarts;

static void push(List *list, int item) {
    if (list->count == list->room) {
        if (list->room > INT_MAX / 2 - 8) fail("clauses have more than %d literals", INT_MAX / 2);
        list->room = 2 * list->room + 8;
        list->items = grow(list->items, (size_t)list->room, sizeof(int));
    }
    list->items[list->count++] = item;
}

static void link_newest(int x) {
    older[x] = newest;
    newer[x] = NIL;
    if (newest != NIL) newer[newest] = x;
    newest = x;
    moved[x] = moves++;
    if (!value[2 * x]) next = x;
}

static void move_to_front(int x) {
    if (newer[x] == NIL) return;
    if (next == x) next = older[x] == NIL ? newer[x] : older[x];
    older[newer[x]] = older[x];
    if (older[x] != NIL) newer[older[x]] = newer[x];
    link_newest(x);
}

static void assign(int literal, int why) {
    int x = literal / 2;
    value[literal] = 1;
    value[literal ^ 1] = -1;
    level[x] = starts.count;
    reason[x] = why;
    phase[x] = !(literal & 1);
    propagations += literal & 1;
    push(&trail, literal);
}

static void back_to(int depth) {
    if (starts.count <= depth) return;
    int start = starts.items[depth];
    while (trail.count > start) {
        int literal = trail.items[--trail.count];
        value[literal] = value[literal ^ 1] = 0;
        if (moved[literal / 2] > moved[next]) next = literal / 2;
    }
    starts.count = depth;
    head = start;
}

/* Adds a clause of at least two literals; returns its place. */
static int add_clause(const List *clause, int distance) {
    int place = store.count;
    push(&store, clause->count);
    push(&store, distance);
    for (int k = 0; k < clause->count; k++) push(&store, clause->items[k]);
    for (int k = 0; k < 2; k++) push(&watchers[clause->items[k]], place);
    return place;
}

static bool fail_with(int one, int other) {
    conflict.count = 0;
    push(&conflict, one);
    push(&conflict, other);
    return false;
}

/* Makes the others of a true variable's groups false; false on a conflict. */
static bool exclude(int x) {
    for (int g = 0; g < groups_of[x].count; g++) {
        const List *group = &groups[groups_of[x].items[g]];
        for (int k = 0; k < group->count; k++) {
            int y = group->items[k];
            if (y == x || value[2 * y] < 0) continue;
            if (value[2 * y] > 0) return fail_with(2 * x + 1, 2 * y + 1);
            assign(2 * y + 1, -2 - x);
        }
    }
    return true;
}

/* Looks at the clauses that watch a literal which became false; false on a conflict. */
static bool visit(int literal) {
    List *list = &watchers[literal];
    int kept = 0, k = 0;
    bool possible = true;
    while (k < list->count && possible) {
        int place = list->items[k++], *clause = store.items + place + 2, length = clause[-2];
        int other = clause[0] ^ clause[1] ^ literal;
        list->items[kept++] = place;
        if (value[other] > 0) continue;
        int l = 2;
        while (l < length && value[clause[l]] < 0) l++;
        if (l < length) {
            clause[0] = other;
            clause[1] = clause[l];
            clause[l] = literal;
            push(&watchers[clause[1]], place);
            kept--;
        } else if (value[other] < 0) {
            conflict.count = 0;
            for (l = 0; l < length; l++) push(&conflict, clause[l]);
            possible = false;
        } else
            assign(other, place);
    }
    while (k < list->count) list->items[kept++] = list->items[k++];
    list->count = kept;
    return possible;
}

/* Propagates until nothing changes; false on a conflict, a clause of which all literals are false. */
static bool propagate(void) {
    bool possible = true;
    while (possible && head < trail.count) {
        int literal = trail.items[head++];
        possible = (literal & 1 || exclude(literal / 2)) && visit(literal ^ 1);
    }
    return possible;
}

/* The literals of the clause by which one followed, or the false one of the variable that is true: in `why`,
   of this length. */
static int reasons_of(int literal, int *single, const int **why) {
    int place = reason[literal / 2];
    if (place <= -2) {
        *single = 2 * (-2 - place) + 1;
        *why = single;
        return 1;
    }
    *why = place < 0 ? NULL : store.items + place + 2;
    return place < 0 ? 0 : store.items[place];
}

static void see(int x, int *open) {
    if (seen[x] || !level[x]) return;
    seen[x] = true;
    push(&touched, x);
    if (level[x] == starts.count)
        ++*open;
    else
        push(&learned, 2 * x + (value[2 * x] > 0));
}

/* Whether a literal of the learned clause follows from the others. */
static bool is_implied(int literal) {
    const int *why;
    int single, count = reasons_of(literal, &single, &why);
    for (int k = 0; k < count; k++)
        if (!seen[why[k] / 2] && level[why[k] / 2]) return false;
    return count > 0;
}

static int distance_of(const List *clause) {
    int distance = 0;
    stamps++;
    for (int k = 0; k < clause->count; k++) {
        int *last = &stamp[level[clause->items[k] / 2]];
        distance += *last != stamps;
        *last = stamps;
    }
    return distance;
}

/* Learns the clause of the first unique implication point, goes back, follows it; false if there is none. What
   excludes a solution is no consequence of the rules, and must not be forgotten. */
static bool learn(bool of_solution) {
    int deepest = 0, open = 0, at, literal = NIL;
    for (int k = 0; k < conflict.count; k++) {
        int l = level[conflict.items[k] / 2];
        if (l > deepest) deepest = l;
    }
    back_to(deepest);
    if (!deepest) return false;
    learned.count = 0;
    push(&learned, NIL);
    for (int k = 0; k < conflict.count; k++) see(conflict.items[k] / 2, &open);
    for (at = trail.count - 1; open; at--) {
        if (!seen[trail.items[at] / 2]) continue;
        literal = trail.items[at];
        if (!--open) break;
        const int *why;
        int single, count = reasons_of(literal, &single, &why);
        for (int k = 0; k < count; k++) see(why[k] / 2, &open);
    }
    learned.items[0] = literal ^ 1;
    int kept = 1;
    for (int k = 1; k < learned.count; k++)
        if (!is_implied(learned.items[k])) learned.items[kept++] = learned.items[k];
    learned.count = kept;
    for (int k = 0; k < touched.count; k++) {
        seen[touched.items[k]] = false;
        move_to_front(touched.items[k]);
    }
    touched.count = 0;
    int depth = 0;
    for (int k = 1; k < learned.count; k++) {
        int l = learned.items[k];
        if (level[l / 2] <= depth) continue;
        depth = level[l / 2];
        learned.items[k] = learned.items[1];
        learned.items[1] = l;
    }
    int distance = of_solution ? 0 : distance_of(&learned);
    back_to(depth);
    assign(learned.items[0], learned.count > 1 ? add_clause(&learned, distance) : NIL);
    return true;
}

/* At the root, forgets the half of the learned clauses with the largest distances. */
static void forget(int first) {
    int count[64] = {0}, total = 0, limit = 0;
    for (int p = first; p < store.count; p += store.items[p] + 2, total++) {
        int distance = store.items[p + 1];
        count[distance < 63 ? distance : 63]++;
    }
    for (int sum = 0; limit < 63 && (sum += count[limit]) < total / 2;) limit++;
    int end = store.count;
    store.count = first;
    for (int l = 0; l < literals; l++) {
        int kept = 0;
        for (int k = 0; k < watchers[l].count; k++)
            if (watchers[l].items[k] < first) watchers[l].items[kept++] = watchers[l].items[k];
        watchers[l].count = kept;
    }
    for (int p = first; p < end;) {
        List clause = {store.items + p + 2, store.items[p], 0};
        int distance = store.items[p + 1];
        p += clause.count + 2;
        bool keep = distance <= limit || distance <= 2;
        learned.count = 0;
        for (int k = 0; k < clause.count; k++) {
            keep &= value[clause.items[k]] <= 0;
            if (!value[clause.items[k]]) push(&learned, clause.items[k]);
        }
        if (keep) add_clause(&learned, distance);
    }
}

static void join(int x, int group) {
    push(&groups[group], x);
    push(&groups_of[x], group);
}

/* Adds a clause at the root; false if it contradicts. */
static bool require(const List *clause) {
    if (clause->count > 1) {
        add_clause(clause, 0);
        return true;
    }
    if (clause->count && !value[clause->items[0]]) assign(clause->items[0], NIL);
    return clause->count && value[clause->items[0]] > 0;
}

static void make_variables(int variable_count, int group_count) {
    variables = variable_count;
    literals = 2 * variables;
    const size_t count = (size_t)variables;
    value = allocate(2 * count, sizeof *value);
    watchers = allocate(2 * count, sizeof *watchers);
    groups_of = allocate(count, sizeof *groups_of);
    groups = allocate((size_t)group_count, sizeof *groups);
    level = allocate(count, sizeof *level);
    reason = allocate(count, sizeof *reason);
    phase = allocate(count, sizeof *phase);
    seen = allocate(count, sizeof *seen);
    older = allocate(count, sizeof *older);
    newer = allocate(count, sizeof *newer);
    moved = allocate(count, sizeof *moved);
    stamp = allocate(count + 1, sizeof *stamp);
    int *order = allocate(count, sizeof *order);
    for (int x = 0; x < variables; x++) order[x] = x;
    shuffle(order, variables);
    newest = NIL;
    for (int k = variables - 1; k >= 0; k--) link_newest(order[k]);
    free(order);
}

/* States that some variable of each group is true; false if there is none. */
static bool require_groups(int group_count) {
    List clause = {0};
    bool possible = true;
    for (int g = 0; g < group_count; g++) {
        clause.count = 0;
        for (int k = 0; k < groups[g].count; k++) push(&clause, 2 * groups[g].items[k]);
        possible &= require(&clause);
    }
    free(clause.items);
    return possible;
}

/* The number k, from 1 on, of the sequence 1 1 2 1 1 2 4 1 1 2 ... of Luby. */
static uint64_t luby(uint64_t k) {
    uint64_t length = 1;
    while (length < k) length = 2 * length + 1;
    while (length != k) {
        length /= 2;
        k -= length;
        while (length / 2 >= k) length /= 2;
    }
    return (length + 1) / 2;
}

/* Makes the decisions that led to a solution a conflict, which excludes it. */
static void exclude_solution(void) {
    conflict.count = 0;
    for (int k = 0; k < starts.count; k++) push(&conflict, trail.items[starts.items[k]] ^ 1);
}

/* Reports all that is true, if it is a solution; makes the decisions that led to it, or what broke a rule, a
   conflict. */
static void report(void);

/* Reports every solution. */
static void search(void) {
    const int first = store.count;
    uint64_t since = 0, limit = 1;
    int room = 4000, used = 0;
    while (!done()) {
        int x = NIL;
        const uint64_t before = found;
        if (propagate()) {
            if (since >= 100 * limit) {
                since = 0;
                limit = luby(++restarts + 1);
                back_to(0);
                if (used >= room) {
                    forget(first);
                    used /= 2;
                    room += 1000;
                }
            }
            for (x = next; x != NIL && value[2 * x];) x = older[x];
            if (x == NIL) report();
        } else
            failures++;
        if (x != NIL) {
            next = x;
            branches++;
            push(&starts, trail.count);
            assign(2 * x + !phase[x], NIL);
        } else if (!done()) {
            since++;
            used++;
            if (!learn(found > before)) return;
        }
    }
}

/* Reports every solution, unless the root was refuted, and ends the program. */
static int search_all(bool possible) {
    if (possible) search();
    printf("restarts %llu\n", (unsigned long long)restarts);
    return finish();
}

#endif
