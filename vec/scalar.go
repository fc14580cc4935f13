//go:build goexperiment.simd && amd64

package vec

import (
	"math"
	"simd/archsimd"
	"unsafe"
)

// If returns the mask of all lanes if on, else of none.
func If(on bool) Mask {
	if on {
		return ^Mask(0)
	}
	return 0
}

// Int64s returns s as numbers of type int64, which is what an int is on this machine.
func Int64s(s []int) []int64 {
	return unsafe.Slice((*int64)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

// Uint64s returns s as numbers of type uint64, which is what a uint is on this machine.
func Uint64s(s []uint) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}

// CountF32x16 returns base, base+step, ... as floats. Each is rounded once.
func CountF32x16(base, step int) F32x16 {
	if base >= math.MinInt32/2 && base <= math.MaxInt32/2 && step > -1<<20 && step < 1<<20 {
		return CvtI32x16_F32x16(IotaI32x16(int32(base), int32(step)))
	}
	var t [16]float32
	for k := range t {
		t[k] = float32(base + k*step)
	}
	return LoadPtrF32x16(&t)
}

// CountF32x8 returns base, base+step, ... as floats. Each is rounded once.
func CountF32x8(base, step int) F32x8 {
	if base >= math.MinInt32/2 && base <= math.MaxInt32/2 && step > -1<<20 && step < 1<<20 {
		return CvtI32x8_F32x8(IotaI32x8(int32(base), int32(step)))
	}
	var t [8]float32
	for k := range t {
		t[k] = float32(base + k*step)
	}
	return LoadPtrF32x8(&t)
}

// CountF32x4 returns base, base+step, ... as floats. Each is rounded once.
func CountF32x4(base, step int) F32x4 {
	if base >= math.MinInt32/2 && base <= math.MaxInt32/2 && step > -1<<20 && step < 1<<20 {
		return CvtI32x4_F32x4(IotaI32x4(int32(base), int32(step)))
	}
	var t [4]float32
	for k := range t {
		t[k] = float32(base + k*step)
	}
	return LoadPtrF32x4(&t)
}

// Holds returns b. Go does not look into it, and so does not compare anew where b is used: a comparison of floats takes an SSE
// instruction, which should not stand between those of vectors.
//
//go:noinline
func Holds(b bool) bool { return b }

// ClearUpperBits is for where code with vectors ends. Go does scalar arithmetic of floats, and copies and clears what is small, with SSE
// instructions. If one of them comes while the upper bits of vector registers are in use, processors of AMD save these first and bring them back
// before the next instruction with vectors, for some 100 cycles each (Software Optimization Guide for the AMD Family 19h
// Processors, 56665, on mixing SSE and AVX); others do SSE instructions more slowly.
func ClearUpperBits() { archsimd.ClearAVXUpperBits() }
