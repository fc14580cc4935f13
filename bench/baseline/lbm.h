/* lbm: D3Q19, an array a direction. A cell takes what moves to it and stores it after the collision. Bit q of a cell's link word says
 * that its neighbour in direction q is solid; bit 0 that the cell itself is, and bit 19 that it belongs to the lid. The outermost cells
 * are solid; what is stored in other solid cells is never read. Deviations from the weights are stored. See kernels/apps/lbm. */

static i32 lbm_steps;
static float lbm_omega, lbm_lid[3], lbm_force[3], *lbm_f, *lbm_other;
static u32 *lbm_links;

static void lbm_setup(void) {
    lbm_steps = *(i32 *)next_array(NULL, 4);
    float *flow = next_array(NULL, 4);
    lbm_omega = flow[0];
    memcpy(lbm_lid, flow + 1, sizeof lbm_lid);
    memcpy(lbm_force, flow + 4, sizeof lbm_force);
    lbm_links = next_array(NULL, 4);
    lbm_f = result(allocate(4 * 19 * n * n * n), 4 * 19 * n * n * n);
    lbm_other = allocate(4 * 19 * n * n * n);
}

static void lbm_reset(void) { memset(lbm_f, 0, 4 * 19 * n * n * n); }

/* Both are loaded, which vectors do faster than to branch. */
static inline float lbm_pull(u32 solid, float back, float moved) { return solid ? back : moved; }

#define LBM_PULL(q, back, from) lbm_pull(link & 1u << back, src[back * size + i], src[q * size + i - (from)])

#define LBM_PAIR(q, a, b, weight, cu, cf)                                   \
    do {                                                                    \
        float even = weight * (shared + (cu) * (quad * (cu) + push * (cf))); \
        float odd = weight * (lin * (cu) + kick * (cf));                    \
        dst[q * size + i] = keep * a + (even + odd);                        \
        dst[(q + 1) * size + i] = keep * b + (even - odd);                  \
    } while (0)

static void lbm(void) {
    const long side = n, plane = side * side, size = plane * side;
    const u32 *restrict links = lbm_links;
    const float omega = lbm_omega, keep = 1 - omega, force = 1 - omega / 2;
    const float lx = lbm_lid[0], ly = lbm_lid[1], lz = lbm_lid[2];
    const float fx = lbm_force[0], fy = lbm_force[1], fz = lbm_force[2];
    const float push = 9 * force, kick = 3 * force;
    const float rest = 1.f / 3, face = 1.f / 18, edge = 1.f / 36;
    for (i32 step = 0; step < lbm_steps; step++) {
        const float *restrict src = step % 2 ? lbm_other : lbm_f;
        float *restrict dst = step % 2 ? lbm_f : lbm_other;
#pragma omp parallel for collapse(2) schedule(static)
        for (long z = 1; z < side - 1; z++)
            for (long y = 1; y < side - 1; y++) {
#pragma omp simd
                for (long x = 1; x < side - 1; x++) {
                    const long i = z * plane + y * side + x;
                    const u32 link = links[i];
                    float c = src[i];
                    float e = LBM_PULL(1, 2, 1), w = LBM_PULL(2, 1, -1);
                    float n = LBM_PULL(3, 4, side), s = LBM_PULL(4, 3, -side);
                    float u = LBM_PULL(5, 6, plane), d = LBM_PULL(6, 5, -plane);
                    float ne = LBM_PULL(7, 8, side + 1), sw = LBM_PULL(8, 7, -side - 1);
                    float nw = LBM_PULL(9, 10, side - 1), se = LBM_PULL(10, 9, 1 - side);
                    float eu = LBM_PULL(11, 12, plane + 1), wd = LBM_PULL(12, 11, -plane - 1);
                    float ed = LBM_PULL(13, 14, 1 - plane), wu = LBM_PULL(14, 13, plane - 1);
                    float nu = LBM_PULL(15, 16, plane + side), sd = LBM_PULL(16, 15, -plane - side);
                    float nd = LBM_PULL(17, 18, side - plane), su = LBM_PULL(18, 17, plane - side);
                    float excess = c + e + w + n + s + u + d + ne + sw + nw + se + eu + wd + ed + wu + nu + sd + nd + su;
                    float rho = 1 + excess, inv = 1 / rho;
                    float ux = inv * (e - w + ne - sw - nw + se + eu - wd + ed - wu + fx / 2);
                    float uy = inv * (n - s + ne - sw + nw - se + nu - sd + nd - su + fy / 2);
                    float uz = inv * (u - d + eu - wd - ed + wu + nu - sd - nd + su + fz / 2);
                    int lid = link >> 19 & 1;
                    ux = lid ? lx : ux;
                    uy = lid ? ly : uy;
                    uz = lid ? lz : uz;
                    float quad = rho * omega * 4.5f, lin = 3 * rho * omega;
                    float shared = omega * (excess - 1.5f * rho * (ux * ux + uy * uy + uz * uz)) -
                                   3 * force * (ux * fx + uy * fy + uz * fz);
                    dst[i] = keep * c + rest * shared;
                    LBM_PAIR(1, e, w, face, ux, fx);
                    LBM_PAIR(3, n, s, face, uy, fy);
                    LBM_PAIR(5, u, d, face, uz, fz);
                    LBM_PAIR(7, ne, sw, edge, ux + uy, fx + fy);
                    LBM_PAIR(9, nw, se, edge, uy - ux, fy - fx);
                    LBM_PAIR(11, eu, wd, edge, ux + uz, fx + fz);
                    LBM_PAIR(13, ed, wu, edge, ux - uz, fx - fz);
                    LBM_PAIR(15, nu, sd, edge, uy + uz, fy + fz);
                    LBM_PAIR(17, nd, su, edge, uy - uz, fy - fz);
                }
            }
    }
}
