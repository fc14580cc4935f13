package device

import "math"

// Casts: the bits of a number as those of another type. Nothing is converted, and NaN keeps its
// payload.

// FloatAsInt is CUDA's __float_as_int.
func FloatAsInt(x float32) int32 { return int32(math.Float32bits(x)) }

// FloatAsUint is CUDA's __float_as_uint.
func FloatAsUint(x float32) uint32 { return math.Float32bits(x) }

// IntAsFloat is CUDA's __int_as_float.
func IntAsFloat(x int32) float32 { return math.Float32frombits(uint32(x)) }

// UintAsFloat is CUDA's __uint_as_float.
func UintAsFloat(x uint32) float32 { return math.Float32frombits(x) }

// DoubleAsLonglong is CUDA's __double_as_longlong.
func DoubleAsLonglong(x float64) int64 { return int64(math.Float64bits(x)) }

// LonglongAsDouble is CUDA's __longlong_as_double.
func LonglongAsDouble(x int64) float64 { return math.Float64frombits(uint64(x)) }

// Double2Hiint returns the high 32 bits of x: sign, exponent and the top of the fraction. CUDA's
// __double2hiint.
func Double2Hiint(x float64) int32 { return int32(math.Float64bits(x) >> 32) }

// Double2Loint returns the low 32 bits of x. CUDA's __double2loint.
func Double2Loint(x float64) int32 { return int32(uint32(math.Float64bits(x))) }

// Hiloint2Double makes a number of its high and its low 32 bits. CUDA's __hiloint2double.
func Hiloint2Double(hi, lo int32) float64 {
	return math.Float64frombits(uint64(uint32(hi))<<32 | uint64(uint32(lo)))
}
