/* What the two programs have in common: how they get their data and how they are timed.
 *
 *     program WORKLOAD SIZE THREADS RUNS INPUT OUTPUT
 *
 * INPUT is a file of arrays, each a length in bytes (64 bits) and its data, in the byte order of this
 * machine. For each line on stdin, which may be empty, the program does a round: it runs the workload once to warm
 * up and then RUNS times at least, and 100 ms in all unless RUNS is 1. It writes the result of the last run to
 * OUTPUT, the arrays one after the other without lengths, and prints one line of JSON:
 *
 *     {"seconds": 0.00123, "workers": 2}
 *
 * The time is that of the best run of the round. Between rounds the program keeps its arrays and uses no
 * processor. Errors go to stderr, with exit status 1. The workload "probe" does nothing: it shows that the
 * program starts. */

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef int32_t i32;

static void fail(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(1);
}

/* allocate returns memory aligned to pages. Nobody frees it: all rounds use it. touch writes each
 * page for the first time, which on machines of several sockets decides where the page lies. */
static void touch(char *p, size_t bytes);

static void *allocate(size_t bytes) {
    const size_t page = 4096;
    char *p = malloc(bytes + page);
    if (p == NULL)
        fail("no memory for %zu bytes", bytes);
    p += page - (uintptr_t)p % page;
    touch(p, bytes);
    return p;
}

static FILE *input;

/* next_array reads the next array of the input. length may be NULL. */
static void *next_array(size_t *length, size_t element) {
    uint64_t bytes;
    if (fread(&bytes, sizeof bytes, 1, input) != 1)
        fail("the input ends early");
    void *p = allocate(bytes);
    if (fread(p, 1, bytes, input) != bytes)
        fail("the input ends early");
    if (length != NULL)
        *length = bytes / element;
    return p;
}

/* The result: the arrays to write to the output. */
static struct {
    void *data;
    size_t bytes;
} results[4];
static int result_count;

static void *result(void *data, size_t bytes) {
    results[result_count].data = data;
    results[result_count++].bytes = bytes;
    return data;
}

static void write_results(const char *path) {
    FILE *f = fopen(path, "wb");
    if (f == NULL)
        fail("cannot write %s", path);
    for (int i = 0; i < result_count; i++)
        if (fwrite(results[i].data, 1, results[i].bytes, f) != results[i].bytes)
            fail("cannot write %s", path);
    if (fclose(f) != 0)
        fail("cannot write %s", path);
}

/* now is in seconds, from any beginning. Not omp_get_wtime: there are some that count microseconds. */
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* asked waits for the next line on stdin, and tells whether there is one. */
static int asked(void) {
    int c;
    while ((c = getchar()) != EOF)
        if (c == '\n')
            return 1;
    return 0;
}

/* report prints the line of a round. */
static void report(double seconds, int workers) {
    printf("{\"seconds\": %.9g, \"workers\": %d}\n", seconds, workers);
    fflush(stdout);
}

/* best_time times run. reset, which may be NULL, comes before each run and is not timed. */
static double best_time(int runs, void (*reset)(void), void (*run)(void)) {
    double best = 0, total = 0;
    for (int i = 0; i <= runs || (runs > 1 && total < 0.1); i++) {
        if (reset != NULL)
            reset();
        double begin = now();
        run();
        double seconds = now() - begin;
        if (i == 0)
            continue; /* warm now */
        total += seconds;
        if (i == 1 || seconds < best)
            best = seconds;
    }
    return best;
}
