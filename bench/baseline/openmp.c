/* The standard workloads as a C programmer writes them with OpenMP: the plain loops, laid out so that
 * compilers can vectorize them. See host.h for how the program is called.
 *
 * A workload is two functions: NAME_setup reads the input and makes the room, and NAME is a run. */

#include <math.h>
#include <omp.h>

#include "host.h"

static void touch(char *p, size_t bytes) {
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < bytes; i += 4096)
        p[i] = 0;
}

static size_t n; /* the size of the workload */

/* ---- saxpy: in place, so y is brought back before each run ---- */

static float saxpy_a, *saxpy_x, *saxpy_y, *saxpy_y0;

static void saxpy_setup(void) {
    saxpy_a = *(float *)next_array(NULL, 4);
    saxpy_x = next_array(NULL, 4);
    saxpy_y0 = next_array(NULL, 4);
    saxpy_y = result(allocate(4 * n), 4 * n);
}

static void saxpy_reset(void) { memcpy(saxpy_y, saxpy_y0, 4 * n); }

static void saxpy(void) {
    const float a = saxpy_a, *restrict x = saxpy_x;
    float *restrict y = saxpy_y;
#pragma omp parallel for simd schedule(static)
    for (size_t i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}

/* ---- reduce ---- */

static float *reduce_in, *reduce_out;

static void reduce_setup(void) {
    reduce_in = next_array(NULL, 4);
    reduce_out = result(allocate(4), 4);
}

static void reduce(void) {
    const float *in = reduce_in;
    float sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
    for (size_t i = 0; i < n; i++)
        sum += in[i];
    *reduce_out = sum;
}

/* ---- scan: each thread adds up its chunk, and then scans it from the sum of the chunks before ---- */

static float *scan_in, *scan_out;

static void scan_setup(void) {
    scan_in = next_array(NULL, 4);
    scan_out = result(allocate(4 * n), 4 * n);
}

static void scan(void) {
    const float *restrict in = scan_in;
    float *restrict out = scan_out;
    float sums[omp_get_max_threads() + 1];
#pragma omp parallel
    {
        size_t threads = omp_get_num_threads(), me = omp_get_thread_num();
        size_t from = n * me / threads, to = n * (me + 1) / threads;
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (size_t i = from; i < to; i++)
            sum += in[i];
        sums[me] = sum;
#pragma omp barrier
        float s = 0;
        for (size_t i = 0; i < me; i++)
            s += sums[i];
#pragma omp simd reduction(inscan, + : s)
        for (size_t i = from; i < to; i++) {
            s += in[i];
#pragma omp scan inclusive(s)
            out[i] = s;
        }
    }
}

/* ---- nbody: the softening is not 0, so that a body that meets itself adds 0 * m / eps^3 ---- */

static float nbody_eps2, *nbody_bodies, *nbody_acc;
static float *nbody_x, *nbody_y, *nbody_z, *nbody_m;

static void nbody_setup(void) {
    float eps = *(float *)next_array(NULL, 4);
    nbody_eps2 = eps * eps;
    nbody_bodies = next_array(NULL, 4);
    nbody_acc = result(allocate(12 * n), 12 * n);
    nbody_x = allocate(4 * n);
    nbody_y = allocate(4 * n);
    nbody_z = allocate(4 * n);
    nbody_m = allocate(4 * n);
}

static void nbody(void) {
    float *restrict x = nbody_x, *restrict y = nbody_y, *restrict z = nbody_z, *restrict m = nbody_m;
    float *restrict acc = nbody_acc;
    const float eps2 = nbody_eps2;
    /* One array a coordinate, as vectors like them. */
    for (size_t j = 0; j < n; j++) {
        x[j] = nbody_bodies[4 * j];
        y[j] = nbody_bodies[4 * j + 1];
        z[j] = nbody_bodies[4 * j + 2];
        m[j] = nbody_bodies[4 * j + 3];
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        float px = x[i], py = y[i], pz = z[i], ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
        for (size_t j = 0; j < n; j++) {
            float dx = x[j] - px, dy = y[j] - py, dz = z[j] - pz;
            float inv = 1 / sqrtf(dx * dx + dy * dy + dz * dz + eps2);
            float s = m[j] * inv * inv * inv;
            ax += dx * s;
            ay += dy * s;
            az += dz * s;
        }
        acc[3 * i] = ax;
        acc[3 * i + 1] = ay;
        acc[3 * i + 2] = az;
    }
}

/* ---- matmul: the triple loop in the order i, k, j, whose inner loop runs along rows ---- */

static float *matmul_a, *matmul_b, *matmul_c;

static void matmul_setup(void) {
    matmul_a = next_array(NULL, 4);
    matmul_b = next_array(NULL, 4);
    matmul_c = result(allocate(4 * n * n), 4 * n * n);
}

static void matmul(void) {
    const float *restrict a = matmul_a, *restrict b = matmul_b;
    float *restrict c = matmul_c;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            c[i * n + j] = 0;
        for (size_t k = 0; k < n; k++) {
            float v = a[i * n + k];
#pragma omp simd
            for (size_t j = 0; j < n; j++)
                c[i * n + j] += v * b[k * n + j];
        }
    }
}

/* ---- transpose: in tiles, so that a line of the cache is used up before it goes, and by way of a buffer,
 * because the lines of a column of 4096 numbers compete for the same few places in the cache ---- */

static float *transpose_in, *transpose_out;

static void transpose_setup(void) {
    transpose_in = next_array(NULL, 4);
    transpose_out = result(allocate(4 * n * n), 4 * n * n);
}

static void transpose(void) {
    enum { tile = 16 };
    const float *restrict in = transpose_in;
    float *restrict out = transpose_out;
#pragma omp parallel for collapse(2) schedule(static)
    for (size_t i0 = 0; i0 < n; i0 += tile)
        for (size_t j0 = 0; j0 < n; j0 += tile) {
            float buffer[tile][tile];
            size_t rows = i0 + tile < n ? tile : n - i0, cols = j0 + tile < n ? tile : n - j0;
            for (size_t j = 0; j < cols; j++)
                for (size_t i = 0; i < rows; i++)
                    buffer[i][j] = in[(j0 + j) * n + i0 + i];
            for (size_t i = 0; i < rows; i++)
                for (size_t j = 0; j < cols; j++)
                    out[(i0 + i) * n + j0 + j] = buffer[i][j];
        }
}

/* ---- spmv: CSR ---- */

static size_t spmv_rows;
static i32 *spmv_start, *spmv_col;
static float *spmv_val, *spmv_x, *spmv_y;

static void spmv_setup(void) {
    spmv_start = next_array(&spmv_rows, 4);
    spmv_rows--;
    spmv_col = next_array(NULL, 4);
    spmv_val = next_array(NULL, 4);
    spmv_x = next_array(NULL, 4);
    spmv_y = result(allocate(4 * spmv_rows), 4 * spmv_rows);
}

static void spmv(void) {
    const i32 *restrict start = spmv_start, *restrict col = spmv_col;
    const float *restrict val = spmv_val, *restrict x = spmv_x;
    float *restrict y = spmv_y;
#pragma omp parallel for schedule(static)
    for (size_t row = 0; row < spmv_rows; row++) {
        float sum = 0;
        for (i32 k = start[row]; k < start[row + 1]; k++)
            sum += val[k] * x[col[k]];
        y[row] = sum;
    }
}

/* ---- histogram: bins of each thread, added up at the end ---- */

static u8 *histogram_in;
static u32 *histogram_bins;

static void histogram_setup(void) {
    histogram_in = next_array(NULL, 1);
    histogram_bins = result(allocate(4 * 256), 4 * 256);
}

static void histogram(void) {
    const u8 *restrict in = histogram_in;
    u32 *bins = histogram_bins;
    memset(bins, 0, 4 * 256);
#pragma omp parallel
    {
        /* Four tables, so that equal bytes in a row do not wait for each other. */
        u32 mine[4][256] = {{0}};
#pragma omp for schedule(static) nowait
        for (size_t i = 0; i < n / 4; i++)
            for (int k = 0; k < 4; k++)
                mine[k][in[4 * i + k]]++;
#pragma omp critical
        for (int b = 0; b < 256; b++)
            bins[b] += mine[0][b] + mine[1][b] + mine[2][b] + mine[3][b];
    }
    for (size_t i = n / 4 * 4; i < n; i++)
        bins[in[i]]++;
}

/* ---- mandelbrot: some rows take far longer than others ---- */

static float *mandelbrot_view; /* x0, y0, dx, dy */
static i32 mandelbrot_most, *mandelbrot_out;

static void mandelbrot_setup(void) {
    mandelbrot_view = next_array(NULL, 4);
    mandelbrot_most = *(i32 *)next_array(NULL, 4);
    mandelbrot_out = result(allocate(4 * n * n), 4 * n * n);
}

static void mandelbrot(void) {
    i32 *out = mandelbrot_out;
    const i32 most = mandelbrot_most;
    const float x0 = mandelbrot_view[0], y0 = mandelbrot_view[1];
    const float dx = mandelbrot_view[2], dy = mandelbrot_view[3];
#pragma omp parallel for schedule(dynamic)
    for (size_t py = 0; py < n; py++)
        for (size_t px = 0; px < n; px++) {
            float cx = x0 + (px + 0.5f) * dx, cy = y0 + (py + 0.5f) * dy;
            float x = 0, y = 0;
            i32 k;
            for (k = 0; k < most; k++) {
                float xx = x * x, yy = y * y, xy = x * y;
                if (xx + yy > 4)
                    break;
                x = xx - yy + cx;
                y = xy + xy + cy;
            }
            out[py * n + px] = k;
        }
}

/* ---- blackscholes ---- */

static float bs_rate, bs_vol, *bs_spot, *bs_strike, *bs_years, *bs_call, *bs_put;

static void blackscholes_setup(void) {
    float *market = next_array(NULL, 4);
    bs_rate = market[0];
    bs_vol = market[1];
    bs_spot = next_array(NULL, 4);
    bs_strike = next_array(NULL, 4);
    bs_years = next_array(NULL, 4);
    bs_call = result(allocate(4 * n), 4 * n);
    bs_put = result(allocate(4 * n), 4 * n);
}

static float normal_cdf(float d) { return 0.5f * erfcf(-0.70710678f * d); }

static void blackscholes(void) {
    const float rate = bs_rate, vol = bs_vol;
    const float *restrict spot = bs_spot, *restrict strike = bs_strike, *restrict years = bs_years;
    float *restrict call = bs_call, *restrict put = bs_put;
#pragma omp parallel for simd schedule(static)
    for (size_t i = 0; i < n; i++) {
        float s = spot[i], k = strike[i], t = years[i], root = sqrtf(t);
        float d1 = (logf(s / k) + (rate + 0.5f * vol * vol) * t) / (vol * root);
        float d2 = d1 - vol * root;
        float later = k * expf(-rate * t); /* what the strike is worth today */
        call[i] = s * normal_cdf(d1) - later * normal_cdf(d2);
        put[i] = later * normal_cdf(-d2) - s * normal_cdf(-d1);
    }
}

/* ---- fdtd: some steps, from the same fields each time ---- */

static i32 fdtd_steps;
static float fdtd_ch, *fdtd_ce, *fdtd_ez0, *fdtd_ez, *fdtd_hx, *fdtd_hy;

static void fdtd_setup(void) {
    fdtd_steps = *(i32 *)next_array(NULL, 4);
    fdtd_ch = *(float *)next_array(NULL, 4);
    fdtd_ce = next_array(NULL, 4);
    fdtd_ez0 = next_array(NULL, 4);
    fdtd_ez = result(allocate(4 * n * n), 4 * n * n);
    fdtd_hx = result(allocate(4 * n * n), 4 * n * n);
    fdtd_hy = result(allocate(4 * n * n), 4 * n * n);
}

static void fdtd_reset(void) {
    memcpy(fdtd_ez, fdtd_ez0, 4 * n * n);
    memset(fdtd_hx, 0, 4 * n * n);
    memset(fdtd_hy, 0, 4 * n * n);
}

static void fdtd(void) {
    float *restrict ez = fdtd_ez, *restrict hx = fdtd_hx, *restrict hy = fdtd_hy;
    const float *restrict ce = fdtd_ce, ch = fdtd_ch;
#pragma omp parallel
    for (i32 s = 0; s < fdtd_steps; s++) {
#pragma omp for schedule(static)
        for (size_t row = 0; row < n; row++) {
            const size_t from = row * n, to = from + n;
            if (row + 1 < n)
#pragma omp simd
                for (size_t i = from; i < to; i++)
                    hx[i] -= ch * (ez[i + n] - ez[i]);
#pragma omp simd
            for (size_t i = from; i < to - 1; i++)
                hy[i] += ch * (ez[i + 1] - ez[i]);
        }
#pragma omp for schedule(static)
        for (size_t row = 1; row < n - 1; row++) {
            const size_t from = row * n, to = from + n;
#pragma omp simd
            for (size_t i = from + 1; i < to - 1; i++)
                ez[i] += ce[i] * ((hy[i] - hy[i - 1]) - (hx[i] - hx[i - n]));
        }
    }
}

/* ---- radixsort: least digit first, 8 bits a pass; each thread moves its chunk to places that no other
 * has ---- */

enum { radix = 256 };

static u32 *sort_keys0, *sort_values0, *sort_keys[2], *sort_values[2];
static u32 (*sort_counts)[radix];

static void radixsort_setup(void) {
    sort_keys0 = next_array(NULL, 4);
    sort_values0 = next_array(NULL, 4);
    sort_keys[0] = result(allocate(4 * n), 4 * n);
    sort_values[0] = result(allocate(4 * n), 4 * n);
    sort_keys[1] = allocate(4 * n);
    sort_values[1] = allocate(4 * n);
    sort_counts = allocate(omp_get_max_threads() * sizeof *sort_counts);
}

static void radixsort_reset(void) {
    memcpy(sort_keys[0], sort_keys0, 4 * n);
    memcpy(sort_values[0], sort_values0, 4 * n);
}

static void radixsort(void) {
#pragma omp parallel
    {
        size_t threads = omp_get_num_threads(), me = omp_get_thread_num();
        size_t from = n * me / threads, to = n * (me + 1) / threads;
        for (int pass = 0; pass < 4; pass++) {
            const int shift = 8 * pass;
            const u32 *restrict keys = sort_keys[pass % 2], *restrict values = sort_values[pass % 2];
            u32 *restrict keys_out = sort_keys[1 - pass % 2], *restrict values_out = sort_values[1 - pass % 2];
            u32 place[radix] = {0};
            for (size_t i = from; i < to; i++)
                place[keys[i] >> shift & (radix - 1)]++;
            memcpy(sort_counts[me], place, sizeof place);
#pragma omp barrier
            /* My first place for a digit: after all smaller digits, and after this one of the chunks
             * before mine. */
            u32 smaller = 0;
            for (int d = 0; d < radix; d++) {
                u32 before = 0, all = 0;
                for (size_t t = 0; t < threads; t++) {
                    before += t < me ? sort_counts[t][d] : 0;
                    all += sort_counts[t][d];
                }
                place[d] = smaller + before;
                smaller += all;
            }
            for (size_t i = from; i < to; i++) {
                u32 p = place[keys[i] >> shift & (radix - 1)]++;
                keys_out[p] = keys[i];
                values_out[p] = values[i];
            }
#pragma omp barrier
        }
    }
}

#include "cp.h"
#include "fem.h"
#include "lbm.h"
#include "mri.h"
#include "pns.h"
#include "rc5.h"
#include "rpes.h"
#include "sad.h"
#include "tpacf.h"

/* ---- the program ---- */

static const struct {
    const char *name;
    void (*setup)(void), (*reset)(void), (*run)(void);
} workloads[] = {
    {"saxpy", saxpy_setup, saxpy_reset, saxpy},
    {"reduce", reduce_setup, NULL, reduce},
    {"scan", scan_setup, NULL, scan},
    {"nbody", nbody_setup, NULL, nbody},
    {"matmul-naive", matmul_setup, NULL, matmul},
    {"matmul-tiled", matmul_setup, NULL, matmul},
    {"transpose", transpose_setup, NULL, transpose},
    {"spmv", spmv_setup, NULL, spmv},
    {"histogram", histogram_setup, NULL, histogram},
    {"mandelbrot", mandelbrot_setup, NULL, mandelbrot},
    {"blackscholes", blackscholes_setup, NULL, blackscholes},
    {"fdtd", fdtd_setup, fdtd_reset, fdtd},
    {"radixsort", radixsort_setup, radixsort_reset, radixsort},
    {"lbm", lbm_setup, lbm_reset, lbm},
    {"fem", fem_setup, fem_reset, fem},
    {"cp", cp_setup, NULL, cp},
    {"mriq", mriq_setup, NULL, mriq},
    {"mrifhd", mrifhd_setup, NULL, mrifhd},
    {"rpes", rpes_setup, NULL, rpes},
    {"sad", sad_setup, NULL, sad},
    {"pns", pns_setup, NULL, pns},
    {"rc5", rc5_setup, NULL, rc5},
    {"tpacf", tpacf_setup, NULL, tpacf},
};

/* rest has the threads sleep, which look for work for some time after the last of it: 200 ms in clang's library. There
 * soft pauses change nothing, and after hard ones a critical section ends in a crash (version 19). */
static void rest(void) {
#ifdef __clang__
    int usual = kmp_get_blocktime();
    kmp_set_blocktime(0);
#pragma omp parallel
    {
        volatile int some = 1; /* or the compiler leaves it out */
        (void)some;
    }
    kmp_set_blocktime(usual);
#else
    omp_pause_resource_all(omp_pause_soft);
#endif
}

int main(int argc, char **argv) {
    if (argc != 7)
        fail("usage: %s WORKLOAD SIZE THREADS RUNS INPUT OUTPUT", argv[0]);
    n = strtoull(argv[2], NULL, 10);
    omp_set_num_threads(atoi(argv[3]));
    if (strcmp(argv[1], "probe") == 0)
        return 0;
    input = fopen(argv[5], "rb");
    if (input == NULL)
        fail("cannot read %s", argv[5]);
    for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++) {
        if (strcmp(workloads[w].name, argv[1]) != 0)
            continue;
        workloads[w].setup();
        while (asked()) {
            double seconds = best_time(atoi(argv[4]), workloads[w].reset, workloads[w].run);
            rest();
            write_results(argv[6]);
            report(seconds, omp_get_max_threads());
        }
        return 0;
    }
    fail("there is no %s", argv[1]);
}
