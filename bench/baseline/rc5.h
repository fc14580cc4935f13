/* ---- rc5: a search for a key of RC5-32/12/9. Everything of a key is in variables, written out, so that keys become lanes
 * of vectors ---- */

static u32 *rc5_problem, *rc5_at; /* the words of the key that stay, the block and what it becomes; the place, from 1 */

static void rc5_setup(void) {
    rc5_problem = next_array(NULL, 4);
    rc5_at = result(allocate(4), 4);
}

static inline u32 rc5_turn(u32 x, u32 k) { return x << (k & 31) | x >> (-k & 31); }

/* A step of the key expansion: s of the expanded key, l of the key, and those of the step before. */
#define RC5_STEP(s, l, before, l_before) \
    s = rc5_turn(s + before + l_before, 3); \
    l = rc5_turn(l + s + l_before, s + l_before);

/* Once through the expanded key, but for its first word. x is the word of the key that is next after that, y and z are
 * those after it. */
#define RC5_PASS(x, y, z) \
    RC5_STEP(s1, x, s0, z) RC5_STEP(s2, y, s1, x) RC5_STEP(s3, z, s2, y) RC5_STEP(s4, x, s3, z) RC5_STEP(s5, y, s4, x) \
    RC5_STEP(s6, z, s5, y) RC5_STEP(s7, x, s6, z) RC5_STEP(s8, y, s7, x) RC5_STEP(s9, z, s8, y) RC5_STEP(s10, x, s9, z) \
    RC5_STEP(s11, y, s10, x) RC5_STEP(s12, z, s11, y) RC5_STEP(s13, x, s12, z) RC5_STEP(s14, y, s13, x) \
    RC5_STEP(s15, z, s14, y) RC5_STEP(s16, x, s15, z) RC5_STEP(s17, y, s16, x) RC5_STEP(s18, z, s17, y) \
    RC5_STEP(s19, x, s18, z) RC5_STEP(s20, y, s19, x) RC5_STEP(s21, z, s20, y) RC5_STEP(s22, x, s21, z) \
    RC5_STEP(s23, y, s22, x) RC5_STEP(s24, z, s23, y) RC5_STEP(s25, x, s24, z)

#define RC5_ROUND(s_even, s_odd) \
    a = rc5_turn(a ^ b, b) + s_even; \
    b = rc5_turn(b ^ a, a) + s_odd;

#define RC5_WORD(i) s##i = 0xb7e15163u + i * 0x9e3779b9u

static void rc5(void) {
    const u32 l0 = rc5_problem[0], l1 = rc5_problem[1], a0 = rc5_problem[2], b0 = rc5_problem[3];
    const u32 want_a = rc5_problem[4], want_b = rc5_problem[5];
    u32 found = UINT32_MAX;
#pragma omp parallel for simd schedule(static) reduction(min : found)
    for (u32 number = 0; number < (u32)n; number++) {
        u32 x = l0, y = l1 | __builtin_bswap32(number) << 8, z = number & 0xff, a = a0, b = b0;
        u32 RC5_WORD(0), RC5_WORD(1), RC5_WORD(2), RC5_WORD(3), RC5_WORD(4), RC5_WORD(5), RC5_WORD(6), RC5_WORD(7),
            RC5_WORD(8), RC5_WORD(9), RC5_WORD(10), RC5_WORD(11), RC5_WORD(12), RC5_WORD(13), RC5_WORD(14), RC5_WORD(15),
            RC5_WORD(16), RC5_WORD(17), RC5_WORD(18), RC5_WORD(19), RC5_WORD(20), RC5_WORD(21), RC5_WORD(22), RC5_WORD(23),
            RC5_WORD(24), RC5_WORD(25);
        s0 = rc5_turn(s0, 3); /* before the first step there was nothing */
        x = rc5_turn(x + s0, s0);
        RC5_PASS(y, z, x)
        RC5_STEP(s0, z, s25, y)
        RC5_PASS(x, y, z)
        RC5_STEP(s0, y, s25, x)
        RC5_PASS(z, x, y)
        a += s0;
        b += s1;
        RC5_ROUND(s2, s3) RC5_ROUND(s4, s5) RC5_ROUND(s6, s7) RC5_ROUND(s8, s9) RC5_ROUND(s10, s11) RC5_ROUND(s12, s13)
        RC5_ROUND(s14, s15) RC5_ROUND(s16, s17) RC5_ROUND(s18, s19) RC5_ROUND(s20, s21) RC5_ROUND(s22, s23)
        RC5_ROUND(s24, s25)
        u32 at = ((a ^ want_a) | (b ^ want_b)) == 0 ? number : UINT32_MAX;
        found = at < found ? at : found;
    }
    *rc5_at = found + 1;
}
