// Package device has the functions that CUDA programs find on the device beside threads and
// barriers: integer intrinsics, bit casts, arithmetic with a rounding mode, conversions, half
// precision, the math library in float32 and float64, the fast approximations of the special
// function units, video instructions, counter-based random numbers, and the vector types.
//
// They are plain Go functions of numbers. Any kernel can call them, and so can a program that
// launches none; gocuda gen makes them part of compiled kernels. Nothing here knows a thread.
//
// # Names
//
// A function has CUDA's name in Go's manner: without leading underscores, with a capital letter
// first, and with the rounding mode in capitals at the end.
//
//	__brevll(x)           Brevll(x)
//	__fadd_ru(x, y)       FaddRU(x, y)
//	__float2int_rz(x)     Float2IntRZ(x)
//	sinf(x), sin(x)       Sinf(x), Sin(x)     as in C, f is for float32
//	__sinf(x)             FastSinf(x)         within the accuracy of the hardware's approximation
//	float4                Float4
//	bfe.s32               PtxBfe              an instruction of PTX that CUDA C++ has no function for
//
// A function with pointers to results returns them: Sincosf(x) is (sin, cos).
//
// The tables in docs/device.md have each CUDA name with the Go name, and say how exact it is.
package device
