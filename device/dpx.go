package device

// The DPX functions: sums, minima and maxima in one, as dynamic programming wants them (Smith and
// Waterman, Floyd and Warshall). Sums wrap around before they are compared. Relu means that what is
// negative becomes 0. Words named 16x2 are two halves, each on its own. All are exact. CUDA lists
// them with the SIMD intrinsics.

// ViaddmaxS32 returns max(a+b, c). CUDA's __viaddmax_s32.
func ViaddmaxS32(a, b, c int32) int32 { return max(a+b, c) }

// ViaddmaxS32Relu returns max(a+b, c, 0). CUDA's __viaddmax_s32_relu.
func ViaddmaxS32Relu(a, b, c int32) int32 { return max(a+b, c, 0) }

// ViaddmaxU32 returns max(a+b, c). CUDA's __viaddmax_u32.
func ViaddmaxU32(a, b, c uint32) uint32 { return max(a+b, c) }

// ViaddminS32 returns min(a+b, c). CUDA's __viaddmin_s32.
func ViaddminS32(a, b, c int32) int32 { return min(a+b, c) }

// ViaddminS32Relu returns max(min(a+b, c), 0). CUDA's __viaddmin_s32_relu.
func ViaddminS32Relu(a, b, c int32) int32 { return max(min(a+b, c), 0) }

// ViaddminU32 returns min(a+b, c). CUDA's __viaddmin_u32.
func ViaddminU32(a, b, c uint32) uint32 { return min(a+b, c) }

// ViaddmaxS16x2 returns max(a+b, c) for each half with sign. CUDA's __viaddmax_s16x2.
func ViaddmaxS16x2(a, b, c uint32) uint32 { return Vmaxs2(Vadd2(a, b), c) }

// ViaddmaxS16x2Relu returns max(a+b, c, 0) for each half with sign. CUDA's __viaddmax_s16x2_relu.
func ViaddmaxS16x2Relu(a, b, c uint32) uint32 { return relu2(Vmaxs2(Vadd2(a, b), c)) }

// ViaddmaxU16x2 returns max(a+b, c) for each half without sign. CUDA's __viaddmax_u16x2.
func ViaddmaxU16x2(a, b, c uint32) uint32 { return Vmaxu2(Vadd2(a, b), c) }

// ViaddminS16x2 returns min(a+b, c) for each half with sign. CUDA's __viaddmin_s16x2.
func ViaddminS16x2(a, b, c uint32) uint32 { return Vmins2(Vadd2(a, b), c) }

// ViaddminS16x2Relu returns max(min(a+b, c), 0) for each half with sign. CUDA's __viaddmin_s16x2_relu.
func ViaddminS16x2Relu(a, b, c uint32) uint32 { return relu2(Vmins2(Vadd2(a, b), c)) }

// ViaddminU16x2 returns min(a+b, c) for each half without sign. CUDA's __viaddmin_u16x2.
func ViaddminU16x2(a, b, c uint32) uint32 { return Vminu2(Vadd2(a, b), c) }

// Vimax3S32 returns max(a, b, c). CUDA's __vimax3_s32.
func Vimax3S32(a, b, c int32) int32 { return max(a, b, c) }

// Vimax3S32Relu returns max(a, b, c, 0). CUDA's __vimax3_s32_relu.
func Vimax3S32Relu(a, b, c int32) int32 { return max(a, b, c, 0) }

// Vimax3U32 returns max(a, b, c). CUDA's __vimax3_u32.
func Vimax3U32(a, b, c uint32) uint32 { return max(a, b, c) }

// Vimin3S32 returns min(a, b, c). CUDA's __vimin3_s32.
func Vimin3S32(a, b, c int32) int32 { return min(a, b, c) }

// Vimin3S32Relu returns max(min(a, b, c), 0). CUDA's __vimin3_s32_relu.
func Vimin3S32Relu(a, b, c int32) int32 { return max(min(a, b, c), 0) }

// Vimin3U32 returns min(a, b, c). CUDA's __vimin3_u32.
func Vimin3U32(a, b, c uint32) uint32 { return min(a, b, c) }

// Vimax3S16x2 returns max(a, b, c) for each half with sign. CUDA's __vimax3_s16x2.
func Vimax3S16x2(a, b, c uint32) uint32 { return Vmaxs2(Vmaxs2(a, b), c) }

// Vimax3S16x2Relu returns max(a, b, c, 0) for each half with sign. CUDA's __vimax3_s16x2_relu.
func Vimax3S16x2Relu(a, b, c uint32) uint32 { return relu2(Vmaxs2(Vmaxs2(a, b), c)) }

// Vimax3U16x2 returns max(a, b, c) for each half without sign. CUDA's __vimax3_u16x2.
func Vimax3U16x2(a, b, c uint32) uint32 { return Vmaxu2(Vmaxu2(a, b), c) }

// Vimin3S16x2 returns min(a, b, c) for each half with sign. CUDA's __vimin3_s16x2.
func Vimin3S16x2(a, b, c uint32) uint32 { return Vmins2(Vmins2(a, b), c) }

// Vimin3S16x2Relu returns max(min(a, b, c), 0) for each half with sign. CUDA's __vimin3_s16x2_relu.
func Vimin3S16x2Relu(a, b, c uint32) uint32 { return relu2(Vmins2(Vmins2(a, b), c)) }

// Vimin3U16x2 returns min(a, b, c) for each half without sign. CUDA's __vimin3_u16x2.
func Vimin3U16x2(a, b, c uint32) uint32 { return Vminu2(Vminu2(a, b), c) }

// VimaxS32Relu returns max(a, b, 0). CUDA's __vimax_s32_relu.
func VimaxS32Relu(a, b int32) int32 { return max(a, b, 0) }

// ViminS32Relu returns max(min(a, b), 0). CUDA's __vimin_s32_relu.
func ViminS32Relu(a, b int32) int32 { return max(min(a, b), 0) }

// VimaxS16x2Relu returns max(a, b, 0) for each half with sign. CUDA's __vimax_s16x2_relu.
func VimaxS16x2Relu(a, b uint32) uint32 { return relu2(Vmaxs2(a, b)) }

// ViminS16x2Relu returns max(min(a, b), 0) for each half with sign. CUDA's __vimin_s16x2_relu.
func ViminS16x2Relu(a, b uint32) uint32 { return relu2(Vmins2(a, b)) }

// VibmaxS32 returns max(a, b), and whether a is it: a >= b. CUDA's __vibmax_s32.
func VibmaxS32(a, b int32) (int32, bool) { return max(a, b), a >= b }

// VibmaxU32 returns max(a, b), and whether a is it: a >= b. CUDA's __vibmax_u32.
func VibmaxU32(a, b uint32) (uint32, bool) { return max(a, b), a >= b }

// VibminS32 returns min(a, b), and whether a is it: a <= b. CUDA's __vibmin_s32.
func VibminS32(a, b int32) (int32, bool) { return min(a, b), a <= b }

// VibminU32 returns min(a, b), and whether a is it: a <= b. CUDA's __vibmin_u32.
func VibminU32(a, b uint32) (uint32, bool) { return min(a, b), a <= b }

// VibmaxS16x2 returns max(a, b) for each half with sign, and whether a is it in the high and in the
// low half. CUDA's __vibmax_s16x2, whose predicates come in this order.
func VibmaxS16x2(a, b uint32) (m uint32, hi, lo bool) {
	less := simdLts(a, b, topHalfs)
	return simdPick(simdSpread(less, topHalfs), b, a), less>>31 == 0, less&0x8000 == 0
}

// VibmaxU16x2 returns max(a, b) for each half without sign, and whether a is it in the high and in
// the low half. CUDA's __vibmax_u16x2.
func VibmaxU16x2(a, b uint32) (m uint32, hi, lo bool) {
	less := simdLtu(a, b, topHalfs)
	return simdPick(simdSpread(less, topHalfs), b, a), less>>31 == 0, less&0x8000 == 0
}

// VibminS16x2 returns min(a, b) for each half with sign, and whether a is it in the high and in the
// low half. CUDA's __vibmin_s16x2.
func VibminS16x2(a, b uint32) (m uint32, hi, lo bool) {
	greater := simdLts(b, a, topHalfs)
	return simdPick(simdSpread(greater, topHalfs), b, a), greater>>31 == 0, greater&0x8000 == 0
}

// VibminU16x2 returns min(a, b) for each half without sign, and whether a is it in the high and in
// the low half. CUDA's __vibmin_u16x2.
func VibminU16x2(a, b uint32) (m uint32, hi, lo bool) {
	greater := simdLtu(b, a, topHalfs)
	return simdPick(simdSpread(greater, topHalfs), b, a), greater>>31 == 0, greater&0x8000 == 0
}

// relu2 returns max(a, 0) for each half with sign.
func relu2(a uint32) uint32 { return a &^ simdSpread(a&topHalfs, topHalfs) }
