/* ---- tpacf: pairs of points on the sky by the cosines of their angles. Scalar products go to a buffer that stays in the
 * cache, which each edge is then compared with: no branches, and nothing to search ---- */

static size_t tpacf_edges;
static float *tpacf_cosines, *tpacf_data, *tpacf_random;
static uint64_t *tpacf_counts;

static void tpacf_setup(void) {
    tpacf_cosines = next_array(&tpacf_edges, 4);
    tpacf_data = next_array(NULL, 4);
    tpacf_random = next_array(NULL, 4);
    size_t bytes = 3 * (tpacf_edges + 1) * sizeof *tpacf_counts;
    tpacf_counts = result(allocate(bytes), bytes);
}

/* tpacf_pairs counts the pairs of a and b, or with self those of a alone. A catalogue is all x, all y and all z. */
static void tpacf_pairs(int self, const float *restrict a, const float *restrict b, uint64_t *restrict counts) {
    enum { buffer = 1024, most = 64 };
    const size_t edges = tpacf_edges;
    const float *restrict cosines = tpacf_cosines;
    uint64_t within[most] = {0};
#pragma omp parallel for schedule(dynamic, 16) reduction(+ : within)
    for (size_t r = 0; r < n; r++) {
        const size_t i = n - 1 - r, end = self ? i : n; /* the longest first */
        const float x = a[i], y = a[n + i], z = a[2 * n + i];
        for (size_t j0 = 0; j0 < end; j0 += buffer) {
            const size_t some = end - j0 < buffer ? end - j0 : buffer;
            const float *restrict bx = b + j0, *restrict by = b + n + j0, *restrict bz = b + 2 * n + j0;
            float dot[buffer];
#pragma omp simd
            for (size_t j = 0; j < some; j++)
                dot[j] = x * bx[j] + y * by[j] + z * bz[j];
            for (size_t k = 0; k < edges; k++) {
                const float edge = cosines[k];
                u32 c = 0;
#pragma omp simd reduction(+ : c)
                for (size_t j = 0; j < some; j++)
                    c += dot[j] >= edge;
                within[k] += c;
            }
        }
    }
    uint64_t before = 0;
    for (size_t k = 0; k < edges; k++) {
        counts[k] = within[k] - before;
        before = within[k];
    }
    counts[edges] = (self ? n * (n - 1) / 2 : n * n) - before;
}

static void tpacf(void) {
    tpacf_pairs(1, tpacf_data, tpacf_data, tpacf_counts);
    tpacf_pairs(0, tpacf_data, tpacf_random, tpacf_counts + tpacf_edges + 1);
    tpacf_pairs(1, tpacf_random, tpacf_random, tpacf_counts + 2 * (tpacf_edges + 1));
}
