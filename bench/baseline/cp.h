/* ---- cp: a row of points at a time, to which each atom adds; the row stays in the first cache ---- */

static float *cp_plane, *cp_atoms, *cp_out, *cp_x;
static size_t cp_count;

static void cp_setup(void) {
    size_t length;
    cp_plane = next_array(NULL, 4); /* z and the spacing */
    cp_atoms = next_array(&length, 4);
    cp_count = length / 4;
    cp_out = result(allocate(4 * n * n), 4 * n * n);
    cp_x = allocate(4 * n);
}

static void cp(void) {
    const float *restrict atoms = cp_atoms;
    const float z = cp_plane[0], spacing = cp_plane[1];
    float *restrict x = cp_x;
    for (size_t i = 0; i < n; i++)
        x[i] = spacing * i;
#pragma omp parallel for schedule(static)
    for (size_t j = 0; j < n; j++) {
        float *restrict out = cp_out + j * n;
        const float y = spacing * j;
        memset(out, 0, 4 * n);
        for (size_t k = 0; k < cp_count; k++) {
            const float ax = atoms[4 * k], dy = y - atoms[4 * k + 1], dz = z - atoms[4 * k + 2], q = atoms[4 * k + 3];
            const float d2 = dy * dy + dz * dz;
#pragma omp simd
            for (size_t i = 0; i < n; i++) {
                float dx = x[i] - ax;
                out[i] += q / sqrtf(dx * dx + d2);
            }
        }
    }
}

