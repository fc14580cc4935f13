/* ---- pns: Petri nets, one after the other, whose generator and tokens stay in the cache. Whether a transition fires is
 * chance, so there is no branch for it ---- */

enum { pns_words = 624, pns_middle = 397 };

typedef struct {
    i32 above, below, right;
} pns_corner;

static i32 pns_columns, pns_steps, pns_places, *pns_most;
static u32 *pns_seeds;
static double *pns_variance;
static pns_corner *pns_around;

static void pns_setup(void) {
    i32 *sizes = next_array(NULL, 4);
    pns_columns = sizes[0];
    pns_steps = sizes[1];
    pns_seeds = next_array(NULL, 4);
    pns_variance = result(allocate(8 * n), 8 * n);
    pns_most = result(allocate(4 * n), 4 * n);
    const i32 cols = pns_columns;
    pns_places = 2 * cols * cols;
    pns_around = allocate(pns_places * sizeof *pns_around);
    for (i32 p = 0; p < pns_places; p++) {
        i32 row = p / cols, c = p % cols, right = (c + 1) % cols, column = row % 2 ? right : c;
        pns_around[p].above = (row + 2 * cols - 1) % (2 * cols) * cols + column;
        pns_around[p].below = (row + 1) % (2 * cols) * cols + column;
        pns_around[p].right = row * cols + right;
    }
}

static inline u32 pns_blend(u32 x, u32 next) {
    u32 y = (x & 0x80000000u) | (next & 0x7fffffffu);
    return y >> 1 ^ (-(y & 1) & 0x9908b0dfu);
}

static void pns_twist(u32 *s) {
    for (int k = 0; k < pns_words - pns_middle; k++)
        s[k] = s[k + pns_middle] ^ pns_blend(s[k], s[k + 1]);
    for (int k = pns_words - pns_middle; k < pns_words - 1; k++)
        s[k] = s[k + pns_middle - pns_words] ^ pns_blend(s[k], s[k + 1]);
    s[pns_words - 1] = s[pns_middle - 1] ^ pns_blend(s[pns_words - 1], s[0]);
}

static void pns(void) {
    const i32 places = pns_places, steps = pns_steps;
    const pns_corner *restrict around = pns_around;
#pragma omp parallel
    {
        i32 *restrict net = malloc(places * sizeof *net);
        if (net == NULL)
            fail("no memory for a net");
#pragma omp for schedule(static)
        for (size_t i = 0; i < n; i++) {
            u32 s[pns_words];
            s[0] = pns_seeds[i];
            for (int k = 1; k < pns_words; k++)
                s[k] = 1812433253u * (s[k - 1] ^ s[k - 1] >> 30) + k;
            for (i32 q = 0; q < places; q++)
                net[q] = 1;
            for (i32 left = steps; left > 0;) {
                pns_twist(s);
                for (int k = 0; k < pns_words && left > 0; k++) {
                    i32 p = (i32)((float)s[k] / 4294967296.0f * (float)places);
                    if (p >= places)
                        continue;
                    pns_corner a = around[p];
                    i32 fires = net[a.above] < net[p] ? net[a.above] : net[p];
                    fires = fires < 1 ? fires : 1;
                    net[a.above] -= fires;
                    net[p] -= fires;
                    net[a.below] += fires;
                    net[a.right] += fires;
                    left -= fires;
                }
            }
            int64_t sum = 0;
            i32 most = 0;
            for (i32 q = 0; q < places; q++) {
                sum += (int64_t)(net[q] - 1) * (net[q] - 1);
                most = net[q] > most ? net[q] : most;
            }
            pns_variance[i] = (double)sum / places;
            pns_most[i] = most;
        }
        free(net);
    }
}
