package device

// Conversions between half precision and integers, with a rounding mode. As in convert.go, numbers
// that do not fit become the nearest integer that does; NaN becomes 0, but 1<<63 in 64 bits, as
// cuda_fp16.h documents. Integers that are too large for a Half, from 65520 on in round-to-nearest
// mode, become infinity or 65504, by the mode.

// Float32 in between does no harm: it has all halves, and all integers up to 2^24.

// Half2IntRN converts h to int32, rounded to nearest even: CUDA's __half2int_rn. NaN becomes 0.
func Half2IntRN(h Half) int32 {
	return Float2IntRN(Half2Float(h))
}

// Half2IntRZ converts h to int32, rounded towards zero: CUDA's __half2int_rz. NaN becomes 0.
func Half2IntRZ(h Half) int32 {
	return Float2IntRZ(Half2Float(h))
}

// Half2IntRU converts h to int32, rounded up: CUDA's __half2int_ru. NaN becomes 0.
func Half2IntRU(h Half) int32 {
	return Float2IntRU(Half2Float(h))
}

// Half2IntRD converts h to int32, rounded down: CUDA's __half2int_rd. NaN becomes 0.
func Half2IntRD(h Half) int32 {
	return Float2IntRD(Half2Float(h))
}

// Half2UintRN converts h to uint32, rounded to nearest even: CUDA's __half2uint_rn. NaN becomes 0.
func Half2UintRN(h Half) uint32 {
	return Float2UintRN(Half2Float(h))
}

// Half2UintRZ converts h to uint32, rounded towards zero: CUDA's __half2uint_rz. NaN becomes 0.
func Half2UintRZ(h Half) uint32 {
	return Float2UintRZ(Half2Float(h))
}

// Half2UintRU converts h to uint32, rounded up: CUDA's __half2uint_ru. NaN becomes 0.
func Half2UintRU(h Half) uint32 {
	return Float2UintRU(Half2Float(h))
}

// Half2UintRD converts h to uint32, rounded down: CUDA's __half2uint_rd. NaN becomes 0.
func Half2UintRD(h Half) uint32 {
	return Float2UintRD(Half2Float(h))
}

// Half2LLRN converts h to int64, rounded to nearest even: CUDA's __half2ll_rn. NaN becomes the
// lowest int64.
func Half2LLRN(h Half) int64 {
	return Float2LLRN(Half2Float(h))
}

// Half2LLRZ converts h to int64, rounded towards zero: CUDA's __half2ll_rz. NaN becomes the lowest
// int64.
func Half2LLRZ(h Half) int64 {
	return Float2LLRZ(Half2Float(h))
}

// Half2LLRU converts h to int64, rounded up: CUDA's __half2ll_ru. NaN becomes the lowest int64.
func Half2LLRU(h Half) int64 {
	return Float2LLRU(Half2Float(h))
}

// Half2LLRD converts h to int64, rounded down: CUDA's __half2ll_rd. NaN becomes the lowest int64.
func Half2LLRD(h Half) int64 {
	return Float2LLRD(Half2Float(h))
}

// Half2ULLRN converts h to uint64, rounded to nearest even: CUDA's __half2ull_rn. NaN becomes 1<<63.
func Half2ULLRN(h Half) uint64 {
	return Float2ULLRN(Half2Float(h))
}

// Half2ULLRZ converts h to uint64, rounded towards zero: CUDA's __half2ull_rz. NaN becomes 1<<63.
func Half2ULLRZ(h Half) uint64 {
	return Float2ULLRZ(Half2Float(h))
}

// Half2ULLRU converts h to uint64, rounded up: CUDA's __half2ull_ru. NaN becomes 1<<63.
func Half2ULLRU(h Half) uint64 {
	return Float2ULLRU(Half2Float(h))
}

// Half2ULLRD converts h to uint64, rounded down: CUDA's __half2ull_rd. NaN becomes 1<<63.
func Half2ULLRD(h Half) uint64 {
	return Float2ULLRD(Half2Float(h))
}

// Half2ShortRN converts h to int16, rounded to nearest even: CUDA's __half2short_rn. NaN becomes 0.
func Half2ShortRN(h Half) int16 {
	return int16(max(-1<<15, min(1<<15-1, Float2IntRN(Half2Float(h)))))
}

// Half2ShortRZ converts h to int16, rounded towards zero: CUDA's __half2short_rz. NaN becomes 0.
func Half2ShortRZ(h Half) int16 {
	return int16(max(-1<<15, min(1<<15-1, Float2IntRZ(Half2Float(h)))))
}

// Half2ShortRU converts h to int16, rounded up: CUDA's __half2short_ru. NaN becomes 0.
func Half2ShortRU(h Half) int16 {
	return int16(max(-1<<15, min(1<<15-1, Float2IntRU(Half2Float(h)))))
}

// Half2ShortRD converts h to int16, rounded down: CUDA's __half2short_rd. NaN becomes 0.
func Half2ShortRD(h Half) int16 {
	return int16(max(-1<<15, min(1<<15-1, Float2IntRD(Half2Float(h)))))
}

// Half2UshortRN converts h to uint16, rounded to nearest even: CUDA's __half2ushort_rn. NaN becomes 0.
func Half2UshortRN(h Half) uint16 {
	return uint16(min(1<<16-1, Float2UintRN(Half2Float(h))))
}

// Half2UshortRZ converts h to uint16, rounded towards zero: CUDA's __half2ushort_rz. NaN becomes 0.
func Half2UshortRZ(h Half) uint16 {
	return uint16(min(1<<16-1, Float2UintRZ(Half2Float(h))))
}

// Half2UshortRU converts h to uint16, rounded up: CUDA's __half2ushort_ru. NaN becomes 0.
func Half2UshortRU(h Half) uint16 {
	return uint16(min(1<<16-1, Float2UintRU(Half2Float(h))))
}

// Half2UshortRD converts h to uint16, rounded down: CUDA's __half2ushort_rd. NaN becomes 0.
func Half2UshortRD(h Half) uint16 {
	return uint16(min(1<<16-1, Float2UintRD(Half2Float(h))))
}

// Half2CharRZ converts h to int8, rounded towards zero: CUDA's __half2char_rz. NaN becomes 0.
func Half2CharRZ(h Half) int8 {
	return int8(max(-1<<7, min(1<<7-1, Float2IntRZ(Half2Float(h)))))
}

// Half2UcharRZ converts h to uint8, rounded towards zero: CUDA's __half2uchar_rz. NaN becomes 0.
func Half2UcharRZ(h Half) uint8 {
	return uint8(min(1<<8-1, Float2UintRZ(Half2Float(h))))
}

// Int2HalfRN converts i, rounded to nearest even: CUDA's __int2half_rn.
func Int2HalfRN(i int32) Half {
	return Float2HalfRN(float32(i))
}

// Int2HalfRZ converts i, rounded towards zero: CUDA's __int2half_rz.
func Int2HalfRZ(i int32) Half {
	return Float2HalfRZ(float32(i))
}

// Int2HalfRU converts i, rounded up: CUDA's __int2half_ru.
func Int2HalfRU(i int32) Half {
	return Float2HalfRU(float32(i))
}

// Int2HalfRD converts i, rounded down: CUDA's __int2half_rd.
func Int2HalfRD(i int32) Half {
	return Float2HalfRD(float32(i))
}

// Uint2HalfRN converts i, rounded to nearest even: CUDA's __uint2half_rn.
func Uint2HalfRN(i uint32) Half {
	return Float2HalfRN(float32(i))
}

// Uint2HalfRZ converts i, rounded towards zero: CUDA's __uint2half_rz.
func Uint2HalfRZ(i uint32) Half {
	return Float2HalfRZ(float32(i))
}

// Uint2HalfRU converts i, rounded up: CUDA's __uint2half_ru.
func Uint2HalfRU(i uint32) Half {
	return Float2HalfRU(float32(i))
}

// Uint2HalfRD converts i, rounded down: CUDA's __uint2half_rd.
func Uint2HalfRD(i uint32) Half {
	return Float2HalfRD(float32(i))
}

// LL2HalfRN converts i, rounded to nearest even: CUDA's __ll2half_rn.
func LL2HalfRN(i int64) Half {
	return Float2HalfRN(float32(i))
}

// LL2HalfRZ converts i, rounded towards zero: CUDA's __ll2half_rz.
func LL2HalfRZ(i int64) Half {
	return Float2HalfRZ(float32(i))
}

// LL2HalfRU converts i, rounded up: CUDA's __ll2half_ru.
func LL2HalfRU(i int64) Half {
	return Float2HalfRU(float32(i))
}

// LL2HalfRD converts i, rounded down: CUDA's __ll2half_rd.
func LL2HalfRD(i int64) Half {
	return Float2HalfRD(float32(i))
}

// ULL2HalfRN converts i, rounded to nearest even: CUDA's __ull2half_rn.
func ULL2HalfRN(i uint64) Half {
	return Float2HalfRN(float32(i))
}

// ULL2HalfRZ converts i, rounded towards zero: CUDA's __ull2half_rz.
func ULL2HalfRZ(i uint64) Half {
	return Float2HalfRZ(float32(i))
}

// ULL2HalfRU converts i, rounded up: CUDA's __ull2half_ru.
func ULL2HalfRU(i uint64) Half {
	return Float2HalfRU(float32(i))
}

// ULL2HalfRD converts i, rounded down: CUDA's __ull2half_rd.
func ULL2HalfRD(i uint64) Half {
	return Float2HalfRD(float32(i))
}

// Short2HalfRN converts i, rounded to nearest even: CUDA's __short2half_rn.
func Short2HalfRN(i int16) Half {
	return Float2HalfRN(float32(i))
}

// Short2HalfRZ converts i, rounded towards zero: CUDA's __short2half_rz.
func Short2HalfRZ(i int16) Half {
	return Float2HalfRZ(float32(i))
}

// Short2HalfRU converts i, rounded up: CUDA's __short2half_ru.
func Short2HalfRU(i int16) Half {
	return Float2HalfRU(float32(i))
}

// Short2HalfRD converts i, rounded down: CUDA's __short2half_rd.
func Short2HalfRD(i int16) Half {
	return Float2HalfRD(float32(i))
}

// Ushort2HalfRN converts i, rounded to nearest even: CUDA's __ushort2half_rn.
func Ushort2HalfRN(i uint16) Half {
	return Float2HalfRN(float32(i))
}

// Ushort2HalfRZ converts i, rounded towards zero: CUDA's __ushort2half_rz.
func Ushort2HalfRZ(i uint16) Half {
	return Float2HalfRZ(float32(i))
}

// Ushort2HalfRU converts i, rounded up: CUDA's __ushort2half_ru.
func Ushort2HalfRU(i uint16) Half {
	return Float2HalfRU(float32(i))
}

// Ushort2HalfRD converts i, rounded down: CUDA's __ushort2half_rd.
func Ushort2HalfRD(i uint16) Half {
	return Float2HalfRD(float32(i))
}
