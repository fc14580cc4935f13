/* The standard workloads in OpenCL C, in CUDA's style: a work-item is a thread and a work-group a block.
 * The host program says how they are launched. Where a size is not a multiple of the block's, the grid
 * is rounded up, and the threads beyond the end have nothing to do but come to the barriers. */

kernel void saxpy(int n, float a, global const float *x, global float *y) {
    int i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i] + y[i];
}

/* One partial sum a block. With a block for every 256 elements each thread takes one of them; in the
 * second launch, of one block, it takes each 256th of the partial sums. */
kernel void reduce(int n, global const float *in, global float *sums) {
    local float s[256];
    int t = get_local_id(0);
    float sum = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        sum += in[i];
    s[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 128; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        sums[get_group_id(0)] = s[0];
}

/* The inclusive scan of each block of 256, after Hillis and Steele, and its last element. */
kernel void scan_blocks(int n, global const float *in, global float *out, global float *sums) {
    local float a[256], b[256];
    int t = get_local_id(0), i = get_global_id(0);
    a[t] = i < n ? in[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 256; d *= 4) {
        b[t] = t >= d ? a[t] + a[t - d] : a[t];
        barrier(CLK_LOCAL_MEM_FENCE);
        a[t] = t >= 2 * d ? b[t] + b[t - 2 * d] : b[t];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n)
        out[i] = a[t];
    if (t == 255)
        sums[get_group_id(0)] = a[t];
}

/* Adds to each block what the blocks before it sum up to; sums is scanned already. */
kernel void scan_fan(int n, global float *out, global const float *sums) {
    int i = get_global_id(0), b = get_group_id(0);
    if (b > 0 && i < n)
        out[i] += sums[b - 1];
}

kernel void nbody(int n, float eps2, global const float4 *bodies, global float *acc) {
    local float4 tile[256];
    int t = get_local_id(0), i = get_global_id(0);
    float4 me = i < n ? bodies[i] : (float4)(0);
    float ax = 0, ay = 0, az = 0;
    for (int from = 0; from < n; from += 256) {
        /* What is beyond the last body has no mass. */
        tile[t] = from + t < n ? bodies[from + t] : (float4)(0);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 256; j++) {
            float4 other = tile[j];
            float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            float inv = rsqrt(dx * dx + dy * dy + dz * dz + eps2);
            float s = other.w * inv * inv * inv;
            ax += dx * s;
            ay += dy * s;
            az += dz * s;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n) {
        acc[3 * i] = ax;
        acc[3 * i + 1] = ay;
        acc[3 * i + 2] = az;
    }
}

kernel void matmul_naive(int n, global const float *a, global const float *b, global float *c) {
    int col = get_global_id(0), row = get_global_id(1);
    if (row >= n || col >= n)
        return;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}

kernel void matmul_tiled(int n, global const float *a, global const float *b, global float *c) {
    local float as[16][16], bs[16][16];
    int tx = get_local_id(0), ty = get_local_id(1);
    int col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int from = 0; from < n; from += 16) {
        as[ty][tx] = row < n && from + tx < n ? a[row * n + from + tx] : 0;
        bs[ty][tx] = from + ty < n && col < n ? b[(from + ty) * n + col] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++)
            sum += as[ty][k] * bs[k][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < n && col < n)
        c[row * n + col] = sum;
}

/* A tile of 32x32 for a block of 32x8, with a column more than it needs: no two elements of a column are
 * in the same bank. */
kernel void transpose(int n, global const float *in, global float *out) {
    local float tile[32][33];
    int tx = get_local_id(0), ty = get_local_id(1);
    int x = get_group_id(0) * 32 + tx, y = get_group_id(1) * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (x < n && y + j < n)
            tile[ty + j][tx] = in[(y + j) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * 32 + tx;
    y = get_group_id(0) * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        if (x < n && y + j < n)
            out[(y + j) * n + x] = tile[tx][ty + j];
}

kernel void spmv(int rows, global const int *start, global const int *col, global const float *val,
                 global const float *x, global float *y) {
    int row = get_global_id(0);
    if (row >= rows)
        return;
    float sum = 0;
    for (int k = start[row]; k < start[row + 1]; k++)
        sum += val[k] * x[col[k]];
    y[row] = sum;
}

kernel void histogram(int n, global const uchar *data, global uint *counts) {
    local uint bins[256];
    int t = get_local_id(0);
    bins[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&bins[data[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&counts[t], bins[t]);
}

kernel void mandelbrot(int n, float x0, float y0, float dx, float dy, int most, global int *out) {
    int px = get_global_id(0), py = get_global_id(1);
    if (px >= n || py >= n)
        return;
    float cx = x0 + (px + 0.5f) * dx, cy = y0 + (py + 0.5f) * dy;
    float x = 0, y = 0;
    int k;
    for (k = 0; k < most; k++) {
        float xx = x * x, yy = y * y, xy = x * y;
        if (xx + yy > 4)
            break;
        x = xx - yy + cx;
        y = xy + xy + cy;
    }
    out[py * n + px] = k;
}

float normal_cdf(float d) { return 0.5f * erfc(-0.70710678f * d); }

kernel void blackscholes(int n, float riskless, float volatility, global const float *price,
                         global const float *strike, global const float *years, global float *call,
                         global float *put) {
    int i = get_global_id(0);
    if (i >= n)
        return;
    float s = price[i], k = strike[i], t = years[i];
    float spread = volatility * sqrt(t);
    float d1 = (log(s / k) + (riskless + 0.5f * volatility * volatility) * t) / spread;
    float d2 = d1 - spread;
    float discounted = k * exp(-riskless * t);
    call[i] = s * normal_cdf(d1) - discounted * normal_cdf(d2);
    put[i] = discounted * normal_cdf(-d2) - s * normal_cdf(-d1);
}

kernel void fdtd_h(int n, float ch, global const float *ez, global float *hx, global float *hy) {
    int x = get_global_id(0), y = get_global_id(1), i = y * n + x;
    if (x >= n || y >= n)
        return;
    if (y < n - 1)
        hx[i] -= ch * (ez[i + n] - ez[i]);
    if (x < n - 1)
        hy[i] += ch * (ez[i + 1] - ez[i]);
}

kernel void fdtd_e(int n, global const float *ce, global float *ez, global const float *hx,
                   global const float *hy) {
    int x = get_global_id(0), y = get_global_id(1), i = y * n + x;
    if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
        ez[i] += ce[i] * ((hy[i] - hy[i - 1]) - (hx[i] - hx[i - n]));
}

/* A pass of a radix sort, least digit first, in three parts; each work-item has a run of pairs. This one
 * counts the digits of its run. */
kernel void radix_count(int n, int run, int shift, global const uint *keys, global uint *counts) {
    uint have[256];
    int me = get_global_id(0), from = min(me * run, n), to = min(from + run, n);
    for (int d = 0; d < 256; d++)
        have[d] = 0;
    for (int i = from; i < to; i++)
        have[keys[i] >> shift & 255]++;
    for (int d = 0; d < 256; d++)
        counts[256 * me + d] = have[d];
}

/* Makes of each count the place of the run's first pair with that digit: after all smaller digits, and
 * after this one of the runs before. One block of 256, a thread for each digit. */
kernel void radix_scan(int runs, global uint *counts) {
    local uint a[256], b[256];
    int t = get_local_id(0);
    uint sum = 0;
    for (int r = 0; r < runs; r++)
        sum += counts[256 * r + t];
    a[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 256; d *= 4) {
        b[t] = t >= d ? a[t] + a[t - d] : a[t];
        barrier(CLK_LOCAL_MEM_FENCE);
        a[t] = t >= 2 * d ? b[t] + b[t - 2 * d] : b[t];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    uint place = t > 0 ? a[t - 1] : 0;
    for (int r = 0; r < runs; r++) {
        uint have = counts[256 * r + t];
        counts[256 * r + t] = place;
        place += have;
    }
}

/* Moves the pairs of each run to their places, from first to last, so that pairs with the same digit stay in
 * order. */
kernel void radix_scatter(int n, int run, int shift, global const uint *keys, global const uint *values,
                          global const uint *begins, global uint *keys_out, global uint *values_out) {
    uint next[256];
    int me = get_global_id(0), from = min(me * run, n), to = min(from + run, n);
    for (int d = 0; d < 256; d++)
        next[d] = begins[256 * me + d];
    for (int i = from; i < to; i++) {
        uint key = keys[i], place = next[key >> shift & 255]++;
        keys_out[place] = key;
        values_out[place] = values[i];
    }
}
