/* ---- rpes: two-electron integrals of s shells with three primitives each. Pairs of shells have the numbers of their nine products
 * in arrays, so that the loop over pairs on the right is the innermost; F_0 is by Taylor's series from a table ---- */

enum { rpes_prims = 9, rpes_tile = 64, rpes_step = 8, rpes_end = 40, rpes_points = rpes_end * rpes_step + 1 };

static size_t rpes_pairs, rpes_stride;
static float *rpes_p[rpes_prims], *rpes_x[rpes_prims], *rpes_y[rpes_prims], *rpes_z[rpes_prims], *rpes_k[rpes_prims];
static float rpes_table[rpes_points][8], *rpes_out;

/* rpes_series is F_m(x) by its series. */
static double rpes_series(int m, double x) {
    double term = 1.0 / (2 * m + 1), sum = term;
    for (int i = 1; term > 1e-18 * sum; i++) {
        term *= 2 * x / (2 * m + 2 * i + 1);
        sum += term;
    }
    return exp(-x) * sum;
}

static void rpes_setup(void) {
    size_t atoms;
    const double *at = next_array(&atoms, 8), *exponent = next_array(NULL, 8), *coefficient = next_array(NULL, 8);
    atoms /= 3;
    rpes_pairs = atoms * (atoms + 1) / 2;
    rpes_stride = (rpes_pairs + rpes_tile - 1) / rpes_tile * rpes_tile;
    size_t bytes = 4 * rpes_stride;
    for (int m = 0; m < rpes_prims; m++) {
        rpes_p[m] = allocate(bytes);
        rpes_x[m] = allocate(bytes);
        rpes_y[m] = allocate(bytes);
        rpes_z[m] = allocate(bytes);
        rpes_k[m] = allocate(bytes);
        for (size_t q = 0; q < rpes_stride; q++) {
            rpes_p[m][q] = 1;
            rpes_x[m][q] = rpes_y[m][q] = rpes_z[m][q] = rpes_k[m][q] = 0;
        }
    }
    const double pi = 3.14159265358979323846;
    size_t q = 0;
    for (size_t i = 0; i < atoms; i++)
        for (size_t j = 0; j <= i; j++, q++)
            for (int m = 0; m < rpes_prims; m++) {
                double a = exponent[m / 3], b = exponent[m % 3], p = a + b, square = 0, c[3];
                for (int d = 0; d < 3; d++) {
                    double apart = at[3 * i + d] - at[3 * j + d];
                    square += apart * apart;
                    c[d] = (a * at[3 * i + d] + b * at[3 * j + d]) / p;
                }
                rpes_p[m][q] = (float)p;
                rpes_x[m][q] = (float)c[0];
                rpes_y[m][q] = (float)c[1];
                rpes_z[m][q] = (float)c[2];
                rpes_k[m][q] = (float)(sqrt(2 * pow(pi, 2.5)) / p * coefficient[m / 3] * coefficient[m % 3] *
                                       pow(4 * a * b / (pi * pi), 0.75) * exp(-a * b / p * square));
            }
    for (int i = 0; i < rpes_points; i++)
        for (int k = 0; k < 5; k++)
            rpes_table[i][k] = (float)(rpes_series(k, (double)i / rpes_step) / (double[]){1, -1, 2, -6, 24}[k]);
    rpes_out = result(allocate(4 * rpes_pairs * rpes_stride), 4 * rpes_pairs * rpes_stride);
}

static void rpes(void) {
#pragma omp parallel for schedule(dynamic, 8)
    for (size_t ij = 0; ij < rpes_pairs; ij++) {
        float *restrict out = rpes_out + ij * rpes_stride;
        for (size_t from = 0; from <= ij; from += rpes_tile) {
            float sum[rpes_tile] = {0};
            for (int m = 0; m < rpes_prims; m++) {
                const float p = rpes_p[m][ij], px = rpes_x[m][ij], py = rpes_y[m][ij], pz = rpes_z[m][ij], kp = rpes_k[m][ij];
                for (int l = 0; l < rpes_prims; l++) {
                    const float *restrict qs = rpes_p[l] + from, *restrict xs = rpes_x[l] + from, *restrict ys = rpes_y[l] + from;
                    const float *restrict zs = rpes_z[l] + from, *restrict ks = rpes_k[l] + from;
#pragma omp simd
                    for (int t = 0; t < rpes_tile; t++) {
                        float q = qs[t], x = xs[t] - px, y = ys[t] - py, z = zs[t] - pz;
                        float s = 1 / (p + q), u = p * q * s * (x * x + y * y + z * z);
                        float near = u < rpes_end ? u : rpes_end;
                        int point = (int)(near * rpes_step + 0.5f);
                        float d = near - point * (1.0f / rpes_step);
                        const float *c = rpes_table[point];
                        float f = (((c[4] * d + c[3]) * d + c[2]) * d + c[1]) * d + c[0];
                        f = u < rpes_end ? f : 0.886226925f / sqrtf(u);
                        sum[t] += kp * ks[t] * sqrtf(s) * f;
                    }
                }
            }
            memcpy(out + from, sum, sizeof sum);
        }
    }
}
