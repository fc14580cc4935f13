package device

import "math"

// Conversions between floating point and integers, and from float64 to float32, with a rounding mode.
//
// A number that an integer can't hold becomes the nearest integer that there is: infinities and
// what is too large the ends of the range, negative numbers 0 in unsigned types. What NaN becomes
// depends on the types. The PTX ISA 9.0 says of instruction cvt: 0 if the source is not float64 and
// the result has 32 bits or fewer; 1<<31 or 1<<63 otherwise, which is the lowest signed integer,
// and the same bits in an unsigned type. Version 8.7 still had 0 for all. cuda_fp16.h agrees with
// the newer text: it documents 0 for __half2int_rz and 0x8000000000000000 for __half2ll_rz.

// toInt32, toUint32, toInt64 and toUint64 convert v, an integer or an infinity, with saturation;
// nan is for NaN.

func toInt32[F float32 | float64](v F, nan int32) int32 {
	i := nan
	if v >= -0x1p31 && v < 0x1p31 {
		i = int32(v)
	}
	if v >= 0x1p31 {
		i = math.MaxInt32
	}
	if v < -0x1p31 {
		i = math.MinInt32
	}
	return i
}

func toUint32[F float32 | float64](v F, nan uint32) uint32 {
	i := nan
	if v > -1 && v < 0x1p32 {
		i = uint32(v)
	}
	if v >= 0x1p32 {
		i = math.MaxUint32
	}
	if v <= -1 {
		i = 0
	}
	return i
}

func toInt64[F float32 | float64](v F, nan int64) int64 {
	i := nan
	if v >= -0x1p63 && v < 0x1p63 {
		i = int64(v)
	}
	if v >= 0x1p63 {
		i = math.MaxInt64
	}
	if v < -0x1p63 {
		i = math.MinInt64
	}
	return i
}

func toUint64[F float32 | float64](v F, nan uint64) uint64 {
	i := nan
	if v > -1 && v < 0x1p64 {
		i = uint64(v)
	}
	if v >= 0x1p64 {
		i = math.MaxUint64
	}
	if v <= -1 {
		i = 0
	}
	return i
}

// Float2IntRN converts x to int32, rounded to nearest even: CUDA's __float2int_rn. NaN becomes 0.
func Float2IntRN(x float32) int32 {
	return toInt32(float32(math.RoundToEven(float64(x))), 0)
}

// Float2IntRZ converts x to int32, rounded towards zero: CUDA's __float2int_rz. NaN becomes 0.
func Float2IntRZ(x float32) int32 {
	return toInt32(float32(math.Trunc(float64(x))), 0)
}

// Float2IntRU converts x to int32, rounded up: CUDA's __float2int_ru. NaN becomes 0.
func Float2IntRU(x float32) int32 {
	return toInt32(float32(math.Ceil(float64(x))), 0)
}

// Float2IntRD converts x to int32, rounded down: CUDA's __float2int_rd. NaN becomes 0.
func Float2IntRD(x float32) int32 {
	return toInt32(float32(math.Floor(float64(x))), 0)
}

// Float2UintRN converts x to uint32, rounded to nearest even: CUDA's __float2uint_rn. NaN becomes 0.
func Float2UintRN(x float32) uint32 {
	return toUint32(float32(math.RoundToEven(float64(x))), 0)
}

// Float2UintRZ converts x to uint32, rounded towards zero: CUDA's __float2uint_rz. NaN becomes 0.
func Float2UintRZ(x float32) uint32 {
	return toUint32(float32(math.Trunc(float64(x))), 0)
}

// Float2UintRU converts x to uint32, rounded up: CUDA's __float2uint_ru. NaN becomes 0.
func Float2UintRU(x float32) uint32 {
	return toUint32(float32(math.Ceil(float64(x))), 0)
}

// Float2UintRD converts x to uint32, rounded down: CUDA's __float2uint_rd. NaN becomes 0.
func Float2UintRD(x float32) uint32 {
	return toUint32(float32(math.Floor(float64(x))), 0)
}

// Float2LLRN converts x to int64, rounded to nearest even: CUDA's __float2ll_rn. NaN becomes the
// lowest int64.
func Float2LLRN(x float32) int64 {
	return toInt64(float32(math.RoundToEven(float64(x))), math.MinInt64)
}

// Float2LLRZ converts x to int64, rounded towards zero: CUDA's __float2ll_rz. NaN becomes the
// lowest int64.
func Float2LLRZ(x float32) int64 {
	return toInt64(float32(math.Trunc(float64(x))), math.MinInt64)
}

// Float2LLRU converts x to int64, rounded up: CUDA's __float2ll_ru. NaN becomes the lowest int64.
func Float2LLRU(x float32) int64 {
	return toInt64(float32(math.Ceil(float64(x))), math.MinInt64)
}

// Float2LLRD converts x to int64, rounded down: CUDA's __float2ll_rd. NaN becomes the lowest int64.
func Float2LLRD(x float32) int64 {
	return toInt64(float32(math.Floor(float64(x))), math.MinInt64)
}

// Float2ULLRN converts x to uint64, rounded to nearest even: CUDA's __float2ull_rn. NaN becomes 1<<63.
func Float2ULLRN(x float32) uint64 {
	return toUint64(float32(math.RoundToEven(float64(x))), 1<<63)
}

// Float2ULLRZ converts x to uint64, rounded towards zero: CUDA's __float2ull_rz. NaN becomes 1<<63.
func Float2ULLRZ(x float32) uint64 {
	return toUint64(float32(math.Trunc(float64(x))), 1<<63)
}

// Float2ULLRU converts x to uint64, rounded up: CUDA's __float2ull_ru. NaN becomes 1<<63.
func Float2ULLRU(x float32) uint64 {
	return toUint64(float32(math.Ceil(float64(x))), 1<<63)
}

// Float2ULLRD converts x to uint64, rounded down: CUDA's __float2ull_rd. NaN becomes 1<<63.
func Float2ULLRD(x float32) uint64 {
	return toUint64(float32(math.Floor(float64(x))), 1<<63)
}

// Double2IntRN converts x to int32, rounded to nearest even: CUDA's __double2int_rn. NaN becomes
// the lowest int32.
func Double2IntRN(x float64) int32 {
	return toInt32(math.RoundToEven(x), math.MinInt32)
}

// Double2IntRZ converts x to int32, rounded towards zero: CUDA's __double2int_rz. NaN becomes the
// lowest int32.
func Double2IntRZ(x float64) int32 {
	return toInt32(math.Trunc(x), math.MinInt32)
}

// Double2IntRU converts x to int32, rounded up: CUDA's __double2int_ru. NaN becomes the lowest int32.
func Double2IntRU(x float64) int32 {
	return toInt32(math.Ceil(x), math.MinInt32)
}

// Double2IntRD converts x to int32, rounded down: CUDA's __double2int_rd. NaN becomes the lowest int32.
func Double2IntRD(x float64) int32 {
	return toInt32(math.Floor(x), math.MinInt32)
}

// Double2UintRN converts x to uint32, rounded to nearest even: CUDA's __double2uint_rn. NaN becomes
// 1<<31.
func Double2UintRN(x float64) uint32 {
	return toUint32(math.RoundToEven(x), 1<<31)
}

// Double2UintRZ converts x to uint32, rounded towards zero: CUDA's __double2uint_rz. NaN becomes 1<<31.
func Double2UintRZ(x float64) uint32 {
	return toUint32(math.Trunc(x), 1<<31)
}

// Double2UintRU converts x to uint32, rounded up: CUDA's __double2uint_ru. NaN becomes 1<<31.
func Double2UintRU(x float64) uint32 {
	return toUint32(math.Ceil(x), 1<<31)
}

// Double2UintRD converts x to uint32, rounded down: CUDA's __double2uint_rd. NaN becomes 1<<31.
func Double2UintRD(x float64) uint32 {
	return toUint32(math.Floor(x), 1<<31)
}

// Double2LLRN converts x to int64, rounded to nearest even: CUDA's __double2ll_rn. NaN becomes the
// lowest int64.
func Double2LLRN(x float64) int64 {
	return toInt64(math.RoundToEven(x), math.MinInt64)
}

// Double2LLRZ converts x to int64, rounded towards zero: CUDA's __double2ll_rz. NaN becomes the
// lowest int64.
func Double2LLRZ(x float64) int64 {
	return toInt64(math.Trunc(x), math.MinInt64)
}

// Double2LLRU converts x to int64, rounded up: CUDA's __double2ll_ru. NaN becomes the lowest int64.
func Double2LLRU(x float64) int64 {
	return toInt64(math.Ceil(x), math.MinInt64)
}

// Double2LLRD converts x to int64, rounded down: CUDA's __double2ll_rd. NaN becomes the lowest int64.
func Double2LLRD(x float64) int64 {
	return toInt64(math.Floor(x), math.MinInt64)
}

// Double2ULLRN converts x to uint64, rounded to nearest even: CUDA's __double2ull_rn. NaN becomes
// 1<<63.
func Double2ULLRN(x float64) uint64 {
	return toUint64(math.RoundToEven(x), 1<<63)
}

// Double2ULLRZ converts x to uint64, rounded towards zero: CUDA's __double2ull_rz. NaN becomes 1<<63.
func Double2ULLRZ(x float64) uint64 {
	return toUint64(math.Trunc(x), 1<<63)
}

// Double2ULLRU converts x to uint64, rounded up: CUDA's __double2ull_ru. NaN becomes 1<<63.
func Double2ULLRU(x float64) uint64 {
	return toUint64(math.Ceil(x), 1<<63)
}

// Double2ULLRD converts x to uint64, rounded down: CUDA's __double2ull_rd. NaN becomes 1<<63.
func Double2ULLRD(x float64) uint64 {
	return toUint64(math.Floor(x), 1<<63)
}

// Int2FloatRN converts x to float32, rounded to nearest even: CUDA's __int2float_rn.
func Int2FloatRN(x int32) float32 {
	return float32(x)
}

// Int2FloatRZ converts x to float32, rounded towards zero: CUDA's __int2float_rz.
func Int2FloatRZ(x int32) float32 {
	return Double2FloatRZ(float64(x))
}

// Int2FloatRU converts x to float32, rounded up: CUDA's __int2float_ru.
func Int2FloatRU(x int32) float32 {
	return Double2FloatRU(float64(x))
}

// Int2FloatRD converts x to float32, rounded down: CUDA's __int2float_rd.
func Int2FloatRD(x int32) float32 {
	return Double2FloatRD(float64(x))
}

// Uint2FloatRN converts x to float32, rounded to nearest even: CUDA's __uint2float_rn.
func Uint2FloatRN(x uint32) float32 {
	return float32(x)
}

// Uint2FloatRZ converts x to float32, rounded towards zero: CUDA's __uint2float_rz.
func Uint2FloatRZ(x uint32) float32 {
	return Double2FloatRZ(float64(x))
}

// Uint2FloatRU converts x to float32, rounded up: CUDA's __uint2float_ru.
func Uint2FloatRU(x uint32) float32 {
	return Double2FloatRU(float64(x))
}

// Uint2FloatRD converts x to float32, rounded down: CUDA's __uint2float_rd.
func Uint2FloatRD(x uint32) float32 {
	return Double2FloatRD(float64(x))
}

// halves64 and uhalves64 cut x into two float64, exactly: multiples of 2^32, and the rest.

func halves64(x int64) (high, low float64) {
	return float64(float64(int32(x>>32)) * 0x1p32), float64(uint32(x))
}

func uhalves64(x uint64) (high, low float64) {
	return float64(float64(uint32(x>>32)) * 0x1p32), float64(uint32(x))
}

// LL2FloatRN converts x to float32, rounded once to nearest even: CUDA's __ll2float_rn.
func LL2FloatRN(x int64) float32 {
	return Double2FloatRN(addOdd(halves64(x)))
}

// LL2FloatRZ converts x to float32, rounded once towards zero: CUDA's __ll2float_rz.
func LL2FloatRZ(x int64) float32 {
	return Double2FloatRZ(addOdd(halves64(x)))
}

// LL2FloatRU converts x to float32, rounded once up: CUDA's __ll2float_ru.
func LL2FloatRU(x int64) float32 {
	return Double2FloatRU(addOdd(halves64(x)))
}

// LL2FloatRD converts x to float32, rounded once down: CUDA's __ll2float_rd.
func LL2FloatRD(x int64) float32 {
	return Double2FloatRD(addOdd(halves64(x)))
}

// ULL2FloatRN converts x to float32, rounded once to nearest even: CUDA's __ull2float_rn.
func ULL2FloatRN(x uint64) float32 {
	return Double2FloatRN(addOdd(uhalves64(x)))
}

// ULL2FloatRZ converts x to float32, rounded once towards zero: CUDA's __ull2float_rz.
func ULL2FloatRZ(x uint64) float32 {
	return Double2FloatRZ(addOdd(uhalves64(x)))
}

// ULL2FloatRU converts x to float32, rounded once up: CUDA's __ull2float_ru.
func ULL2FloatRU(x uint64) float32 {
	return Double2FloatRU(addOdd(uhalves64(x)))
}

// ULL2FloatRD converts x to float32, rounded once down: CUDA's __ull2float_rd.
func ULL2FloatRD(x uint64) float32 {
	return Double2FloatRD(addOdd(uhalves64(x)))
}

// Int2DoubleRN converts x to float64, which has all of them: CUDA's __int2double_rn.
func Int2DoubleRN(x int32) float64 {
	return float64(x)
}

// Uint2DoubleRN converts x to float64, which has all of them: CUDA's __uint2double_rn.
func Uint2DoubleRN(x uint32) float64 {
	return float64(x)
}

// LL2DoubleRN converts x to float64, rounded to nearest even: CUDA's __ll2double_rn.
func LL2DoubleRN(x int64) float64 {
	high, low := halves64(x)
	return DaddRN(high, low)
}

// LL2DoubleRZ converts x to float64, rounded towards zero: CUDA's __ll2double_rz.
func LL2DoubleRZ(x int64) float64 {
	high, low := halves64(x)
	return DaddRZ(high, low)
}

// LL2DoubleRU converts x to float64, rounded up: CUDA's __ll2double_ru.
func LL2DoubleRU(x int64) float64 {
	high, low := halves64(x)
	return DaddRU(high, low)
}

// LL2DoubleRD converts x to float64, rounded down: CUDA's __ll2double_rd.
func LL2DoubleRD(x int64) float64 {
	high, low := halves64(x)
	return DaddRD(high, low) // +0 for 0, since both are
}

// ULL2DoubleRN converts x to float64, rounded to nearest even: CUDA's __ull2double_rn.
func ULL2DoubleRN(x uint64) float64 {
	high, low := uhalves64(x)
	return DaddRN(high, low)
}

// ULL2DoubleRZ converts x to float64, rounded towards zero: CUDA's __ull2double_rz.
func ULL2DoubleRZ(x uint64) float64 {
	high, low := uhalves64(x)
	return DaddRZ(high, low)
}

// ULL2DoubleRU converts x to float64, rounded up: CUDA's __ull2double_ru.
func ULL2DoubleRU(x uint64) float64 {
	high, low := uhalves64(x)
	return DaddRU(high, low)
}

// ULL2DoubleRD converts x to float64, rounded down: CUDA's __ull2double_rd.
func ULL2DoubleRD(x uint64) float64 {
	high, low := uhalves64(x)
	return DaddRD(high, low)
}

// Double2FloatRN converts x to float32, rounded to nearest even: CUDA's __double2float_rn. As the
// other modes do, it keeps infinities and the sign of zero, and makes every NaN 0x7fffffff.
func Double2FloatRN(x float64) float32 {
	return nearest32(float32(x))
}

// Double2FloatRZ converts x to float32, rounded towards zero: CUDA's __double2float_rz. What is too
// large becomes the largest number.
func Double2FloatRZ(x float64) float32 {
	f := float32(x)
	b := math.Float32bits(f)
	if math.Abs(float64(f)) > math.Abs(x) {
		b--
	}
	if x != x {
		b = nan32
	}
	return math.Float32frombits(b)
}

// Double2FloatRU converts x to float32, rounded up: CUDA's __double2float_ru.
func Double2FloatRU(x float64) float32 {
	f := float32(x)
	b := math.Float32bits(f)
	step := 1 | uint32(int32(b)>>31) // -1 for negative numbers
	if float64(f) < x {
		b += step
	}
	if x != x {
		b = nan32
	}
	return math.Float32frombits(b)
}

// Double2FloatRD converts x to float32, rounded down: CUDA's __double2float_rd.
func Double2FloatRD(x float64) float32 {
	f := float32(x)
	b := math.Float32bits(f)
	step := 1 | uint32(int32(b)>>31)
	if float64(f) > x {
		b -= step
	}
	if x != x {
		b = nan32
	}
	return math.Float32frombits(b)
}
