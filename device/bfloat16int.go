package device

// Conversions between Bfloat16 and integers, with a rounding mode. As in convert.go, numbers that
// do not fit become the nearest integer that does; NaN becomes 0, but 1<<63 in 64 bits, as
// cuda_bf16.h documents. Every integer is in the range of a Bfloat16.

// Bfloat162IntRN converts h to int32, rounded to nearest even: CUDA's __bfloat162int_rn. NaN becomes 0.
func Bfloat162IntRN(h Bfloat16) int32 {
	return Float2IntRN(Bfloat162Float(h))
}

// Bfloat162IntRZ converts h to int32, rounded towards zero: CUDA's __bfloat162int_rz. NaN becomes 0.
func Bfloat162IntRZ(h Bfloat16) int32 {
	return Float2IntRZ(Bfloat162Float(h))
}

// Bfloat162IntRU converts h to int32, rounded up: CUDA's __bfloat162int_ru. NaN becomes 0.
func Bfloat162IntRU(h Bfloat16) int32 {
	return Float2IntRU(Bfloat162Float(h))
}

// Bfloat162IntRD converts h to int32, rounded down: CUDA's __bfloat162int_rd. NaN becomes 0.
func Bfloat162IntRD(h Bfloat16) int32 {
	return Float2IntRD(Bfloat162Float(h))
}

// Bfloat162UintRN converts h to uint32, rounded to nearest even: CUDA's __bfloat162uint_rn. NaN
// becomes 0.
func Bfloat162UintRN(h Bfloat16) uint32 {
	return Float2UintRN(Bfloat162Float(h))
}

// Bfloat162UintRZ converts h to uint32, rounded towards zero: CUDA's __bfloat162uint_rz. NaN becomes 0.
func Bfloat162UintRZ(h Bfloat16) uint32 {
	return Float2UintRZ(Bfloat162Float(h))
}

// Bfloat162UintRU converts h to uint32, rounded up: CUDA's __bfloat162uint_ru. NaN becomes 0.
func Bfloat162UintRU(h Bfloat16) uint32 {
	return Float2UintRU(Bfloat162Float(h))
}

// Bfloat162UintRD converts h to uint32, rounded down: CUDA's __bfloat162uint_rd. NaN becomes 0.
func Bfloat162UintRD(h Bfloat16) uint32 {
	return Float2UintRD(Bfloat162Float(h))
}

// Bfloat162LLRN converts h to int64, rounded to nearest even: CUDA's __bfloat162ll_rn. NaN becomes
// the lowest int64.
func Bfloat162LLRN(h Bfloat16) int64 {
	return Float2LLRN(Bfloat162Float(h))
}

// Bfloat162LLRZ converts h to int64, rounded towards zero: CUDA's __bfloat162ll_rz. NaN becomes the
// lowest int64.
func Bfloat162LLRZ(h Bfloat16) int64 {
	return Float2LLRZ(Bfloat162Float(h))
}

// Bfloat162LLRU converts h to int64, rounded up: CUDA's __bfloat162ll_ru. NaN becomes the lowest int64.
func Bfloat162LLRU(h Bfloat16) int64 {
	return Float2LLRU(Bfloat162Float(h))
}

// Bfloat162LLRD converts h to int64, rounded down: CUDA's __bfloat162ll_rd. NaN becomes the lowest
// int64.
func Bfloat162LLRD(h Bfloat16) int64 {
	return Float2LLRD(Bfloat162Float(h))
}

// Bfloat162ULLRN converts h to uint64, rounded to nearest even: CUDA's __bfloat162ull_rn. NaN
// becomes 1<<63.
func Bfloat162ULLRN(h Bfloat16) uint64 {
	return Float2ULLRN(Bfloat162Float(h))
}

// Bfloat162ULLRZ converts h to uint64, rounded towards zero: CUDA's __bfloat162ull_rz. NaN becomes
// 1<<63.
func Bfloat162ULLRZ(h Bfloat16) uint64 {
	return Float2ULLRZ(Bfloat162Float(h))
}

// Bfloat162ULLRU converts h to uint64, rounded up: CUDA's __bfloat162ull_ru. NaN becomes 1<<63.
func Bfloat162ULLRU(h Bfloat16) uint64 {
	return Float2ULLRU(Bfloat162Float(h))
}

// Bfloat162ULLRD converts h to uint64, rounded down: CUDA's __bfloat162ull_rd. NaN becomes 1<<63.
func Bfloat162ULLRD(h Bfloat16) uint64 {
	return Float2ULLRD(Bfloat162Float(h))
}

// Bfloat162ShortRN converts h to int16, rounded to nearest even: CUDA's __bfloat162short_rn. NaN
// becomes 0.
func Bfloat162ShortRN(h Bfloat16) int16 {
	return int16(max(-1<<15, min(1<<15-1, Float2IntRN(Bfloat162Float(h)))))
}

// Bfloat162ShortRZ converts h to int16, rounded towards zero: CUDA's __bfloat162short_rz. NaN
// becomes 0.
func Bfloat162ShortRZ(h Bfloat16) int16 {
	return int16(max(-1<<15, min(1<<15-1, Float2IntRZ(Bfloat162Float(h)))))
}

// Bfloat162ShortRU converts h to int16, rounded up: CUDA's __bfloat162short_ru. NaN becomes 0.
func Bfloat162ShortRU(h Bfloat16) int16 {
	return int16(max(-1<<15, min(1<<15-1, Float2IntRU(Bfloat162Float(h)))))
}

// Bfloat162ShortRD converts h to int16, rounded down: CUDA's __bfloat162short_rd. NaN becomes 0.
func Bfloat162ShortRD(h Bfloat16) int16 {
	return int16(max(-1<<15, min(1<<15-1, Float2IntRD(Bfloat162Float(h)))))
}

// Bfloat162UshortRN converts h to uint16, rounded to nearest even: CUDA's __bfloat162ushort_rn. NaN
// becomes 0.
func Bfloat162UshortRN(h Bfloat16) uint16 {
	return uint16(min(1<<16-1, Float2UintRN(Bfloat162Float(h))))
}

// Bfloat162UshortRZ converts h to uint16, rounded towards zero: CUDA's __bfloat162ushort_rz. NaN
// becomes 0.
func Bfloat162UshortRZ(h Bfloat16) uint16 {
	return uint16(min(1<<16-1, Float2UintRZ(Bfloat162Float(h))))
}

// Bfloat162UshortRU converts h to uint16, rounded up: CUDA's __bfloat162ushort_ru. NaN becomes 0.
func Bfloat162UshortRU(h Bfloat16) uint16 {
	return uint16(min(1<<16-1, Float2UintRU(Bfloat162Float(h))))
}

// Bfloat162UshortRD converts h to uint16, rounded down: CUDA's __bfloat162ushort_rd. NaN becomes 0.
func Bfloat162UshortRD(h Bfloat16) uint16 {
	return uint16(min(1<<16-1, Float2UintRD(Bfloat162Float(h))))
}

// Bfloat162CharRZ converts h to int8, rounded towards zero: CUDA's __bfloat162char_rz. NaN becomes 0.
func Bfloat162CharRZ(h Bfloat16) int8 {
	return int8(max(-1<<7, min(1<<7-1, Float2IntRZ(Bfloat162Float(h)))))
}

// Bfloat162UcharRZ converts h to uint8, rounded towards zero: CUDA's __bfloat162uchar_rz. NaN
// becomes 0.
func Bfloat162UcharRZ(h Bfloat16) uint8 {
	return uint8(min(1<<8-1, Float2UintRZ(Bfloat162Float(h))))
}

// Int2Bfloat16RN converts i, rounded once to nearest even: CUDA's __int2bfloat16_rn.
func Int2Bfloat16RN(i int32) Bfloat16 {
	return Double2Bfloat16(float64(i))
}

// Int2Bfloat16RZ converts i, rounded once towards zero: CUDA's __int2bfloat16_rz.
func Int2Bfloat16RZ(i int32) Bfloat16 {
	return Float2Bfloat16RZ(Int2FloatRZ(i))
}

// Int2Bfloat16RU converts i, rounded once up: CUDA's __int2bfloat16_ru.
func Int2Bfloat16RU(i int32) Bfloat16 {
	return Float2Bfloat16RU(Int2FloatRU(i))
}

// Int2Bfloat16RD converts i, rounded once down: CUDA's __int2bfloat16_rd.
func Int2Bfloat16RD(i int32) Bfloat16 {
	return Float2Bfloat16RD(Int2FloatRD(i))
}

// Uint2Bfloat16RN converts i, rounded once to nearest even: CUDA's __uint2bfloat16_rn.
func Uint2Bfloat16RN(i uint32) Bfloat16 {
	return Double2Bfloat16(float64(i))
}

// Uint2Bfloat16RZ converts i, rounded once towards zero: CUDA's __uint2bfloat16_rz.
func Uint2Bfloat16RZ(i uint32) Bfloat16 {
	return Float2Bfloat16RZ(Uint2FloatRZ(i))
}

// Uint2Bfloat16RU converts i, rounded once up: CUDA's __uint2bfloat16_ru.
func Uint2Bfloat16RU(i uint32) Bfloat16 {
	return Float2Bfloat16RU(Uint2FloatRU(i))
}

// Uint2Bfloat16RD converts i, rounded once down: CUDA's __uint2bfloat16_rd.
func Uint2Bfloat16RD(i uint32) Bfloat16 {
	return Float2Bfloat16RD(Uint2FloatRD(i))
}

// LL2Bfloat16RN converts i, rounded once to nearest even: CUDA's __ll2bfloat16_rn.
func LL2Bfloat16RN(i int64) Bfloat16 {
	return Double2Bfloat16(addOdd(halves64(i)))
}

// LL2Bfloat16RZ converts i, rounded once towards zero: CUDA's __ll2bfloat16_rz.
func LL2Bfloat16RZ(i int64) Bfloat16 {
	return Float2Bfloat16RZ(LL2FloatRZ(i))
}

// LL2Bfloat16RU converts i, rounded once up: CUDA's __ll2bfloat16_ru.
func LL2Bfloat16RU(i int64) Bfloat16 {
	return Float2Bfloat16RU(LL2FloatRU(i))
}

// LL2Bfloat16RD converts i, rounded once down: CUDA's __ll2bfloat16_rd.
func LL2Bfloat16RD(i int64) Bfloat16 {
	return Float2Bfloat16RD(LL2FloatRD(i))
}

// ULL2Bfloat16RN converts i, rounded once to nearest even: CUDA's __ull2bfloat16_rn.
func ULL2Bfloat16RN(i uint64) Bfloat16 {
	return Double2Bfloat16(addOdd(uhalves64(i)))
}

// ULL2Bfloat16RZ converts i, rounded once towards zero: CUDA's __ull2bfloat16_rz.
func ULL2Bfloat16RZ(i uint64) Bfloat16 {
	return Float2Bfloat16RZ(ULL2FloatRZ(i))
}

// ULL2Bfloat16RU converts i, rounded once up: CUDA's __ull2bfloat16_ru.
func ULL2Bfloat16RU(i uint64) Bfloat16 {
	return Float2Bfloat16RU(ULL2FloatRU(i))
}

// ULL2Bfloat16RD converts i, rounded once down: CUDA's __ull2bfloat16_rd.
func ULL2Bfloat16RD(i uint64) Bfloat16 {
	return Float2Bfloat16RD(ULL2FloatRD(i))
}

// Short2Bfloat16RN converts i, rounded once to nearest even: CUDA's __short2bfloat16_rn.
func Short2Bfloat16RN(i int16) Bfloat16 {
	return Float2Bfloat16RN(float32(i))
}

// Short2Bfloat16RZ converts i, rounded once towards zero: CUDA's __short2bfloat16_rz.
func Short2Bfloat16RZ(i int16) Bfloat16 {
	return Float2Bfloat16RZ(float32(i))
}

// Short2Bfloat16RU converts i, rounded once up: CUDA's __short2bfloat16_ru.
func Short2Bfloat16RU(i int16) Bfloat16 {
	return Float2Bfloat16RU(float32(i))
}

// Short2Bfloat16RD converts i, rounded once down: CUDA's __short2bfloat16_rd.
func Short2Bfloat16RD(i int16) Bfloat16 {
	return Float2Bfloat16RD(float32(i))
}

// Ushort2Bfloat16RN converts i, rounded once to nearest even: CUDA's __ushort2bfloat16_rn.
func Ushort2Bfloat16RN(i uint16) Bfloat16 {
	return Float2Bfloat16RN(float32(i))
}

// Ushort2Bfloat16RZ converts i, rounded once towards zero: CUDA's __ushort2bfloat16_rz.
func Ushort2Bfloat16RZ(i uint16) Bfloat16 {
	return Float2Bfloat16RZ(float32(i))
}

// Ushort2Bfloat16RU converts i, rounded once up: CUDA's __ushort2bfloat16_ru.
func Ushort2Bfloat16RU(i uint16) Bfloat16 {
	return Float2Bfloat16RU(float32(i))
}

// Ushort2Bfloat16RD converts i, rounded once down: CUDA's __ushort2bfloat16_rd.
func Ushort2Bfloat16RD(i uint16) Bfloat16 {
	return Float2Bfloat16RD(float32(i))
}
