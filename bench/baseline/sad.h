/* ---- sad: the pixels that a pixel of the macroblock meets at all offsets are copied to be neighbours, so that the loop over
 * offsets, the innermost, runs along them; sums of 4x4 pixels have 16 bits, as have those of larger blocks ---- */

typedef uint16_t u16;

enum { sad_side = 33, sad_range = 16, sad_offsets = sad_side * sad_side, sad_blocks = 41, sad_rows = 48 };

static u8 *sad_cur, *sad_ref;
static u16 *sad_out;

static void sad_setup(void) {
    size_t across = (n + 15) / 16, bytes = 2 * across * across * sad_blocks * sad_offsets;
    sad_cur = next_array(NULL, 1);
    sad_ref = next_array(NULL, 1);
    sad_out = result(allocate(bytes), bytes);
}

static u8 sad_pixel(const u8 *frame, int x, int y) {
    int last = (int)n - 1;
    x = x < 0 ? 0 : x > last ? last : x;
    y = y < 0 ? 0 : y > last ? last : y;
    return frame[(size_t)y * n + x];
}

/* sad_pair has c = a + b, for all offsets of a block. */
static void sad_pair(u16 *restrict c, const u16 *restrict a, const u16 *restrict b) {
#pragma omp simd
    for (int p = 0; p < sad_offsets; p++)
        c[p] = a[p] + b[p];
}

static void sad_larger(u16 (*s)[sad_offsets]) {
    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 4; c++)
            sad_pair(s[16 + 4 * r + c], s[8 * r + c], s[8 * r + 4 + c]);
    for (int b = 0; b < 8; b++)
        sad_pair(s[24 + b], s[2 * b], s[2 * b + 1]);
    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 2; c++)
            sad_pair(s[32 + 2 * r + c], s[24 + 4 * r + c], s[24 + 4 * r + 2 + c]);
    for (int b = 0; b < 2; b++) {
        sad_pair(s[36 + b], s[32 + b], s[34 + b]);
        sad_pair(s[38 + b], s[32 + 2 * b], s[33 + 2 * b]);
    }
    sad_pair(s[40], s[38], s[39]);
}

static void sad(void) {
    const int across = (int)((n + 15) / 16);
    const u8 *cur = sad_cur, *ref = sad_ref;
#pragma omp parallel for collapse(2) schedule(static)
    for (int my = 0; my < across; my++)
        for (int mx = 0; mx < across; mx++) {
            u16(*s)[sad_offsets] = (void *)(sad_out + ((size_t)my * across + mx) * sad_blocks * sad_offsets);
            u8 own[16][16], stripes[16][sad_rows * sad_side];
            for (int y = 0; y < 16; y++)
                for (int x = 0; x < 16; x++)
                    own[y][x] = sad_pixel(cur, 16 * mx + x, 16 * my + y);
            for (int y = 0; y < sad_rows; y++) {
                u8 row[sad_rows];
                for (int x = 0; x < sad_rows; x++)
                    row[x] = sad_pixel(ref, 16 * mx - sad_range + x, 16 * my - sad_range + y);
                for (int x = 0; x < 16; x++)
                    memcpy(stripes[x] + y * sad_side, row + x, sad_side);
            }
            for (int b = 0; b < 16; b++) {
                const int x0 = b % 4 * 4, y0 = b / 4 * 4;
                u16 *restrict out = s[b];
#pragma omp simd
                for (int p = 0; p < sad_offsets; p++) {
                    u16 sum = 0;
                    for (int y = 0; y < 4; y++)
                        for (int x = 0; x < 4; x++) {
                            u8 c = own[y0 + y][x0 + x], r = stripes[x0 + x][(y0 + y) * sad_side + p];
                            sum += c > r ? c - r : r - c;
                        }
                    out[p] = sum;
                }
            }
            sad_larger(s);
        }
}
