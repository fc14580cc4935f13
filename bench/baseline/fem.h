/* fem: explicit dynamics of linear tetrahedra. Elements store the forces on their corners, and nodes add up those on theirs. Tables have an
 * array for each number of an element; displacements, velocities and forces are x, y, z of node after node. See kernels/apps/fem. */

static i32 fem_steps, *fem_corners, *fem_start, *fem_where;
static float fem_dt, *fem_gradients, *fem_elastic, *fem_inverse, *fem_u0, *fem_u, *fem_v, *fem_parts;
static size_t fem_elements, fem_nodes;

static void fem_setup(void) {
    fem_steps = *(i32 *)next_array(NULL, 4);
    fem_dt = *(float *)next_array(NULL, 4);
    fem_corners = next_array(&fem_elements, 4);
    fem_elements /= 4;
    fem_gradients = next_array(NULL, 4);
    fem_elastic = next_array(NULL, 4);
    fem_inverse = next_array(&fem_nodes, 4);
    fem_nodes /= 3;
    fem_start = next_array(NULL, 4);
    fem_where = next_array(NULL, 4);
    fem_u0 = next_array(NULL, 4);
    fem_u = result(allocate(12 * fem_nodes), 12 * fem_nodes);
    fem_v = result(allocate(12 * fem_nodes), 12 * fem_nodes);
    fem_parts = allocate(48 * fem_elements);
}

static void fem_reset(void) {
    memcpy(fem_u, fem_u0, 12 * fem_nodes);
    memset(fem_v, 0, 12 * fem_nodes);
}

static void fem(void) {
    const size_t m = fem_elements;
    const i32 *restrict corners = fem_corners, *restrict start = fem_start, *restrict where = fem_where;
    const float *restrict g = fem_gradients, *restrict elastic = fem_elastic, *restrict inverse = fem_inverse;
    float *restrict u = fem_u, *restrict v = fem_v, *restrict parts = fem_parts;
    const float dt = fem_dt;
#pragma omp parallel
    for (i32 step = 0; step < fem_steps; step++) {
#pragma omp for simd schedule(static)
        for (size_t e = 0; e < m; e++) {
            const i32 a = 3 * corners[e], b = 3 * corners[m + e], c = 3 * corners[2 * m + e], d = 3 * corners[3 * m + e];
            const float dx = u[d], dy = u[d + 1], dz = u[d + 2];
            const float ax = u[a] - dx, ay = u[a + 1] - dy, az = u[a + 2] - dz;
            const float bx = u[b] - dx, by = u[b + 1] - dy, bz = u[b + 2] - dz;
            const float cx = u[c] - dx, cy = u[c + 1] - dy, cz = u[c + 2] - dz;
            const float gax = g[e], gay = g[m + e], gaz = g[2 * m + e];
            const float gbx = g[3 * m + e], gby = g[4 * m + e], gbz = g[5 * m + e];
            const float gcx = g[6 * m + e], gcy = g[7 * m + e], gcz = g[8 * m + e];
            const float lambda = elastic[e], mu = elastic[m + e];
            const float exx = ax * gax + bx * gbx + cx * gcx;
            const float eyy = ay * gay + by * gby + cy * gcy;
            const float ezz = az * gaz + bz * gbz + cz * gcz;
            const float sxy = mu * (ax * gay + bx * gby + cx * gcy + ay * gax + by * gbx + cy * gcx);
            const float sxz = mu * (ax * gaz + bx * gbz + cx * gcz + az * gax + bz * gbx + cz * gcx);
            const float syz = mu * (ay * gaz + by * gbz + cy * gcz + az * gay + bz * gby + cz * gcy);
            const float all = lambda * (exx + eyy + ezz);
            const float sxx = all + 2 * mu * exx, syy = all + 2 * mu * eyy, szz = all + 2 * mu * ezz;
            const float fax = -(sxx * gax + sxy * gay + sxz * gaz), fay = -(sxy * gax + syy * gay + syz * gaz),
                        faz = -(sxz * gax + syz * gay + szz * gaz);
            const float fbx = -(sxx * gbx + sxy * gby + sxz * gbz), fby = -(sxy * gbx + syy * gby + syz * gbz),
                        fbz = -(sxz * gbx + syz * gby + szz * gbz);
            const float fcx = -(sxx * gcx + sxy * gcy + sxz * gcz), fcy = -(sxy * gcx + syy * gcy + syz * gcz),
                        fcz = -(sxz * gcx + syz * gcy + szz * gcz);
            parts[e] = fax, parts[m + e] = fay, parts[2 * m + e] = faz;
            parts[3 * m + e] = fbx, parts[4 * m + e] = fby, parts[5 * m + e] = fbz;
            parts[6 * m + e] = fcx, parts[7 * m + e] = fcy, parts[8 * m + e] = fcz;
            parts[9 * m + e] = -fax - fbx - fcx, parts[10 * m + e] = -fay - fby - fcy, parts[11 * m + e] = -faz - fbz - fcz;
        }
#pragma omp for schedule(static)
        for (size_t i = 0; i < fem_nodes; i++) {
            float f[3] = {0};
            for (i32 j = start[i]; j < start[i + 1]; j++)
                for (int k = 0; k < 3; k++)
                    f[k] += parts[where[j] + k * m];
            for (int k = 0; k < 3; k++) {
                v[3 * i + k] += dt * inverse[3 * i + k] * f[k];
                u[3 * i + k] += dt * v[3 * i + k];
            }
        }
    }
}
