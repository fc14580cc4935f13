/* The standard workloads on an OpenCL CPU device. The kernels are in kernels.cl, whose path is one more
 * argument at the end; see host.h for the others. OpenCL 1.2 is enough.
 *
 * A workload is a function that reads the input, makes the buffers, and lists the launches of a run. The
 * buffers use the host's memory, so a run moves nothing: its time is from the first launch until the last
 * is done. */

#define CL_TARGET_OPENCL_VERSION 120
#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif

#include "host.h"

static void touch(char *p, size_t bytes) {
    for (size_t i = 0; i < bytes; i += 4096)
        p[i] = 0;
}

static size_t n; /* the size of the workload */

static cl_device_id device;
static cl_uint units; /* of the device */
static cl_context context;
static cl_command_queue queue;
static cl_program program;

static void check(cl_int err, const char *what) {
    if (err != CL_SUCCESS)
        fail("%s: OpenCL error %d", what, (int)err);
}

/* ---- buffers ---- */

static cl_mem buffer(void *data, size_t bytes) {
    cl_int err;
    cl_mem b = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, data, &err);
    check(err, "clCreateBuffer");
    return b;
}

static cl_mem room(size_t bytes) { return buffer(allocate(bytes), bytes); }

/* input_buffer has the next array of the input. length may be NULL. */
static cl_mem input_buffer(size_t *length, size_t element) {
    size_t own;
    void *data = next_array(&own, element);
    if (length != NULL)
        *length = own;
    return buffer(data, own * element);
}

static cl_mem result_buffers[4];

/* result_buffer has a part of the result. */
static cl_mem result_buffer(size_t bytes) {
    int i = result_count;
    return result_buffers[i] = buffer(result(allocate(bytes), bytes), bytes);
}

static float input_float(void) { return *(float *)next_array(NULL, 4); }
static i32 input_int(void) { return *(i32 *)next_array(NULL, 4); }

/* ---- launches ---- */

static struct {
    cl_kernel kernel;
    size_t grid[2], block[2];
} launches[256];
static int launch_count;

/* launch adds a launch of gx by gy threads, rounded up to blocks of bx by by. types has a letter for each
 * argument of the kernel: i for int, f for float and b for a buffer. */
static void launch(const char *name, size_t gx, size_t gy, size_t bx, size_t by, const char *types, ...) {
    if (launch_count == sizeof launches / sizeof *launches)
        fail("too many launches");
    cl_int err;
    cl_kernel k = clCreateKernel(program, name, &err);
    check(err, name);
    va_list args;
    va_start(args, types);
    for (int i = 0; types[i] != 0; i++) {
        cl_int v;
        cl_float f;
        cl_mem b;
        switch (types[i]) {
        case 'i':
            v = va_arg(args, int);
            err = clSetKernelArg(k, i, sizeof v, &v);
            break;
        case 'f':
            f = va_arg(args, double);
            err = clSetKernelArg(k, i, sizeof f, &f);
            break;
        default:
            b = va_arg(args, cl_mem);
            err = clSetKernelArg(k, i, sizeof b, &b);
        }
        check(err, name);
    }
    va_end(args);
    launches[launch_count].kernel = k;
    launches[launch_count].grid[0] = (gx + bx - 1) / bx * bx;
    launches[launch_count].grid[1] = (gy + by - 1) / by * by;
    launches[launch_count].block[0] = bx;
    launches[launch_count].block[1] = by;
    launch_count++;
}

static void run(void) {
    for (int i = 0; i < launch_count; i++)
        check(clEnqueueNDRangeKernel(queue, launches[i].kernel, 2, NULL, launches[i].grid, launches[i].block,
                                     0, NULL, NULL),
              "clEnqueueNDRangeKernel");
    check(clFinish(queue), "clFinish");
}

/* ---- what has to be as in the beginning before each run ---- */

static struct {
    cl_mem to, from; /* without from, the buffer is cleared */
    size_t bytes;
} resets[4];
static int reset_count;

static void reset_from(cl_mem to, cl_mem from, size_t bytes) {
    resets[reset_count].to = to;
    resets[reset_count].from = from;
    resets[reset_count++].bytes = bytes;
}

static void reset(void) {
    const cl_int zero = 0;
    for (int i = 0; i < reset_count; i++)
        if (resets[i].from != NULL)
            check(clEnqueueCopyBuffer(queue, resets[i].from, resets[i].to, 0, 0, resets[i].bytes, 0, NULL, NULL),
                  "clEnqueueCopyBuffer");
        else
            check(clEnqueueFillBuffer(queue, resets[i].to, &zero, sizeof zero, 0, resets[i].bytes, 0, NULL, NULL),
                  "clEnqueueFillBuffer");
    check(clFinish(queue), "clFinish");
}

/* ---- the workloads ---- */

static size_t blocks(size_t threads) { return (n + threads - 1) / threads; }

static void saxpy(void) {
    float a = input_float();
    cl_mem x = input_buffer(NULL, 4), y0 = input_buffer(NULL, 4), y = result_buffer(4 * n);
    reset_from(y, y0, 4 * n);
    launch("saxpy", n, 1, 256, 1, "ifbb", (int)n, a, x, y);
}

static void reduce(void) {
    cl_mem in = input_buffer(NULL, 4), sums = room(4 * blocks(256)), sum = result_buffer(4);
    launch("reduce", n, 1, 256, 1, "ibb", (int)n, in, sums);
    launch("reduce", 256, 1, 256, 1, "ibb", (int)blocks(256), sums, sum);
}

/* scan_launches scans each block, the sums of the blocks in the same way, and adds those. */
static void scan_launches(size_t length, cl_mem in, cl_mem out) {
    size_t parts = (length + 255) / 256;
    cl_mem sums = room(4 * parts);
    launch("scan_blocks", length, 1, 256, 1, "ibbb", (int)length, in, out, sums);
    if (parts == 1)
        return;
    scan_launches(parts, sums, sums);
    launch("scan_fan", length, 1, 256, 1, "ibb", (int)length, out, sums);
}

static void scan(void) {
    cl_mem in = input_buffer(NULL, 4), out = result_buffer(4 * n);
    scan_launches(n, in, out);
}

static void nbody(void) {
    float eps = input_float();
    cl_mem bodies = input_buffer(NULL, 4), acc = result_buffer(12 * n);
    launch("nbody", n, 1, 256, 1, "ifbb", (int)n, eps * eps, bodies, acc);
}

static void matmul(const char *kernel) {
    cl_mem a = input_buffer(NULL, 4), b = input_buffer(NULL, 4), c = result_buffer(4 * n * n);
    launch(kernel, n, n, 16, 16, "ibbb", (int)n, a, b, c);
}

static void matmul_naive(void) { matmul("matmul_naive"); }
static void matmul_tiled(void) { matmul("matmul_tiled"); }

static void transpose(void) {
    cl_mem in = input_buffer(NULL, 4), out = result_buffer(4 * n * n);
    launch("transpose", 32 * blocks(32), 8 * blocks(32), 32, 8, "ibb", (int)n, in, out);
}

static void spmv(void) {
    size_t rows;
    cl_mem start = input_buffer(&rows, 4);
    rows--;
    cl_mem col = input_buffer(NULL, 4), val = input_buffer(NULL, 4), x = input_buffer(NULL, 4);
    cl_mem y = result_buffer(4 * rows);
    launch("spmv", rows, 1, 128, 1, "ibbbbb", (int)rows, start, col, val, x, y);
}

static void histogram(void) {
    size_t groups = blocks(256) < 1024 ? blocks(256) : 1024;
    cl_mem data = input_buffer(NULL, 1), counts = result_buffer(4 * 256);
    reset_from(counts, NULL, 4 * 256);
    launch("histogram", 256 * groups, 1, 256, 1, "ibb", (int)n, data, counts);
}

static void mandelbrot(void) {
    float *view = next_array(NULL, 4);
    i32 most = input_int();
    cl_mem out = result_buffer(4 * n * n);
    launch("mandelbrot", n, n, 32, 8, "iffffib", (int)n, view[0], view[1], view[2], view[3], (int)most, out);
}

static void blackscholes(void) {
    float *market = next_array(NULL, 4);
    cl_mem price = input_buffer(NULL, 4), strike = input_buffer(NULL, 4), years = input_buffer(NULL, 4);
    cl_mem call = result_buffer(4 * n), put = result_buffer(4 * n);
    launch("blackscholes", n, 1, 256, 1, "iffbbbbb", (int)n, market[0], market[1], price, strike, years, call, put);
}

static void fdtd(void) {
    i32 steps = input_int();
    float ch = input_float();
    cl_mem ce = input_buffer(NULL, 4), ez0 = input_buffer(NULL, 4);
    cl_mem ez = result_buffer(4 * n * n), hx = result_buffer(4 * n * n), hy = result_buffer(4 * n * n);
    reset_from(ez, ez0, 4 * n * n);
    reset_from(hx, NULL, 4 * n * n);
    reset_from(hy, NULL, 4 * n * n);
    for (i32 s = 0; s < steps; s++) {
        launch("fdtd_h", n, n, 32, 8, "ifbbb", (int)n, ch, ez, hx, hy);
        launch("fdtd_e", n, n, 32, 8, "ibbbb", (int)n, ce, ez, hx, hy);
    }
}

static void radix_pass(int shift, size_t run, size_t runs, cl_mem counts, cl_mem keys, cl_mem values,
                       cl_mem keys_out, cl_mem values_out) {
    launch("radix_count", runs, 1, 1, 1, "iiibb", (int)n, (int)run, shift, keys, counts);
    launch("radix_scan", 256, 1, 256, 1, "ib", (int)runs, counts);
    launch("radix_scatter", runs, 1, 1, 1, "iiibbbbb", (int)n, (int)run, shift, keys, values, counts, keys_out,
           values_out);
}

/* A work-item takes a run of pairs, in a group of its own: four runs for each compute unit. With pocl 3.1 on
 * two of them, 2^22 pairs had, in Melem/s, 226 in these runs of 2^19, 224 in runs of 2^21 and 2^18, 219 in 2^16,
 * 215 in 2^14 and 196 in 2^12; in groups of 8 work-items, 216 in 2^16 and 210 in 2^14. With the counts of a
 * digit next to each other, and not those of a run, 2^14 had 202 and 2^12 113. */
static void radixsort(void) {
    size_t run = blocks(4 * units), runs = blocks(run);
    cl_mem keys0 = input_buffer(NULL, 4), values0 = input_buffer(NULL, 4), counts = room(4 * 256 * runs);
    cl_mem keys = result_buffer(4 * n), values = result_buffer(4 * n);
    cl_mem keys2 = room(4 * n), values2 = room(4 * n);
    reset_from(keys, keys0, 4 * n);
    reset_from(values, values0, 4 * n);
    /* The passes go there and back. */
    for (int shift = 0; shift < 32; shift += 16) {
        radix_pass(shift, run, runs, counts, keys, values, keys2, values2);
        radix_pass(shift + 8, run, runs, counts, keys2, values2, keys, values);
    }
}

/* ---- the program ---- */

static const struct {
    const char *name;
    void (*setup)(void);
} workloads[] = {
    {"saxpy", saxpy},
    {"reduce", reduce},
    {"scan", scan},
    {"nbody", nbody},
    {"matmul-naive", matmul_naive},
    {"matmul-tiled", matmul_tiled},
    {"transpose", transpose},
    {"spmv", spmv},
    {"histogram", histogram},
    {"mandelbrot", mandelbrot},
    {"blackscholes", blackscholes},
    {"fdtd", fdtd},
    {"radixsort", radixsort},
};

/* find_device takes the first CPU of any platform, or as many compute units of it as there should be
 * threads. */
static void find_device(cl_uint threads) {
    cl_platform_id platforms[16];
    cl_uint count = 0;
    if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS || count == 0)
        fail("there is no OpenCL platform");
    if (count > 16)
        count = 16;
    for (cl_uint p = 0; device == NULL && p < count; p++)
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_CPU, 1, &device, NULL) != CL_SUCCESS)
            device = NULL;
    if (device == NULL)
        fail("there is no OpenCL CPU device");
    check(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL), "clGetDeviceInfo");
    if (threads < units) {
        cl_device_partition_property some[] = {CL_DEVICE_PARTITION_BY_COUNTS, threads,
                                               CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
        cl_device_id part;
        if (clCreateSubDevices(device, some, 1, &part, NULL) == CL_SUCCESS) {
            device = part;
            units = threads;
        }
    }
}

static void build(const char *path) {
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        fail("cannot read %s", path);
    static char source[1 << 16];
    const char *sources[] = {source};
    size_t length = fread(source, 1, sizeof source, f);
    fclose(f);
    if (length == sizeof source)
        fail("%s is too long", path);
    cl_int err;
    program = clCreateProgramWithSource(context, 1, sources, &length, &err);
    check(err, "clCreateProgramWithSource");
    err = clBuildProgram(program, 1, &device, "-cl-std=CL1.2 -cl-mad-enable -cl-fast-relaxed-math", NULL, NULL);
    if (err != CL_SUCCESS) {
        static char log[1 << 14];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fail("%s does not compile: OpenCL error %d\n%s", path, (int)err, log);
    }
}

int main(int argc, char **argv) {
    if (argc != 8)
        fail("usage: %s WORKLOAD SIZE THREADS RUNS INPUT OUTPUT KERNELS", argv[0]);
    find_device(atoi(argv[3]));
    if (strcmp(argv[1], "probe") == 0)
        return 0;
    n = strtoull(argv[2], NULL, 10);
    size_t w = 0;
    while (w < sizeof workloads / sizeof *workloads && strcmp(workloads[w].name, argv[1]) != 0)
        w++;
    if (w == sizeof workloads / sizeof *workloads)
        fail("there is no %s", argv[1]);
    input = fopen(argv[5], "rb");
    if (input == NULL)
        fail("cannot read %s", argv[5]);

    cl_int err;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    check(err, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &err);
    check(err, "clCreateCommandQueue");
    build(argv[7]);
    workloads[w].setup();
    while (asked()) {
        double seconds = best_time(atoi(argv[4]), reset_count > 0 ? reset : NULL, run);

        /* To map a buffer makes the host's memory hold its contents. */
        void *mapped[sizeof results / sizeof *results];
        for (int i = 0; i < result_count; i++) {
            mapped[i] = clEnqueueMapBuffer(queue, result_buffers[i], CL_TRUE, CL_MAP_READ, 0, results[i].bytes, 0, NULL, NULL, &err);
            check(err, "clEnqueueMapBuffer");
        }
        write_results(argv[6]);
        for (int i = 0; i < result_count; i++)
            check(clEnqueueUnmapMemObject(queue, result_buffers[i], mapped[i], 0, NULL, NULL), "clEnqueueUnmapMemObject");
        check(clFinish(queue), "clFinish");
        report(seconds, (int)units);
    }
    return 0;
}
