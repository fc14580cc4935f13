/* ---- mriq and mrifhd: a sum over all samples for each voxel. The angles are in turns, so that it takes a rounding to reduce
 * them, and a polynomial each for the sine and the cosine: sinf and cosf take twice as long with gcc, which has vectors of them in
 * libmvec, and far longer with clang, which has none without an option ---- */

static float *mri_in[10], *mri_re, *mri_im, *mri_a, *mri_b; /* x, y, z, kx, ky, kz, phi, data; what the samples weigh */
static size_t mri_count;

static void mri_setup(int arrays) {
    for (int i = 0; i < arrays; i++)
        mri_in[i] = next_array(i == 3 ? &mri_count : NULL, 4);
    mri_re = result(allocate(4 * n), 4 * n);
    mri_im = result(allocate(4 * n), 4 * n);
    mri_a = allocate(4 * mri_count);
    mri_b = allocate(4 * mri_count);
}

static void mriq_setup(void) { mri_setup(8); }
static void mrifhd_setup(void) { mri_setup(10); }

static inline void sincos_turns(float t, float *sin, float *cos) {
    float r = t - rintf(t), z = r * r;
    *sin = r * (6.28318527f + z * (-41.3416971f + z * (81.6050246f + z * (-76.7015512f + z * (42.0161658f + z * (-14.868611f + z * 3.19969373f))))));
    *cos = 1 + z * (-19.7392045f + z * (64.939119f + z * (-85.4501656f + z * (60.1678317f + z * (-25.9683134f + z * 6.52961048f)))));
}

static void mriq(void) {
    const float *restrict kx = mri_in[3], *restrict ky = mri_in[4], *restrict kz = mri_in[5];
    const float *restrict re = mri_in[6], *restrict im = mri_in[7];
    float *restrict w = mri_a;
    for (size_t k = 0; k < mri_count; k++)
        w[k] = re[k] * re[k] + im[k] * im[k];
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        const float x = mri_in[0][i], y = mri_in[1][i], z = mri_in[2][i];
        float a = 0, b = 0;
#pragma omp simd reduction(+ : a, b)
        for (size_t k = 0; k < mri_count; k++) {
            float s, c;
            sincos_turns(kx[k] * x + ky[k] * y + kz[k] * z, &s, &c);
            a += w[k] * c;
            b += w[k] * s;
        }
        mri_re[i] = a;
        mri_im[i] = b;
    }
}

static void mrifhd(void) {
    const float *restrict kx = mri_in[3], *restrict ky = mri_in[4], *restrict kz = mri_in[5];
    const float *restrict pr = mri_in[6], *restrict pi = mri_in[7], *restrict dr = mri_in[8], *restrict di = mri_in[9];
    float *restrict re = mri_a, *restrict im = mri_b;
    for (size_t k = 0; k < mri_count; k++) {
        re[k] = pr[k] * dr[k] + pi[k] * di[k];
        im[k] = pr[k] * di[k] - pi[k] * dr[k];
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        const float x = mri_in[0][i], y = mri_in[1][i], z = mri_in[2][i];
        float a = 0, b = 0;
#pragma omp simd reduction(+ : a, b)
        for (size_t k = 0; k < mri_count; k++) {
            float s, c;
            sincos_turns(kx[k] * x + ky[k] * y + kz[k] * z, &s, &c);
            a += re[k] * c - im[k] * s;
            b += im[k] * c + re[k] * s;
        }
        mri_re[i] = a;
        mri_im[i] = b;
    }
}

