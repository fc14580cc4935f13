// Package vec is a thin layer over simd/archsimd, made for generated code:
// vectors of 4 to 32 lanes, and a function for each operation that a
// kernel may need, under names that stay the same from one Go release to the
// next.
//
// # Types
//
// The type of a vector names its elements and its lanes: F32x16 is 16 numbers
// of type float32. For each number of lanes there are types of several sizes,
// and conversions between them: 4 and 8 lanes of 8 to 64 bits, 16 of 8 to 32
// bits, and 32 of 8 and 16 bits. Those of less than 128 bits fill a part of a
// register. Vectors are meant to live in registers: pass them by value,
// and don't put them into structs, arrays, maps or interfaces, nor take their
// address. To keep them, store them into slices and arrays of plain numbers.
//
// # Masks
//
// A [Mask] has one bit a lane, bit i for lane i, and is a plain integer:
// m == 0 asks whether no lane is on, m&n and m&^n combine conditions, and
// math/bits counts lanes. All comparisons return one and all masked operations
// take one. Bits beyond the lanes of a type are zero in what functions return
// and have no meaning in what they take.
//
// # Functions
//
// A function is named after its verb and its type: AddF32x16 adds two F32x16.
// Arithmetic gives in each lane the bits that Go gives for scalars: integers
// wrap around, shifts by the width of a number and more give what Go gives,
// floats follow IEEE 754 without fusing, and conversions of floats that don't
// fit give what the compiler for amd64 gives.
//
// Vectors of floats have the methods Add, Sub, Mul and MulAdd as well, which give the same as the functions. They
// are those of simd/archsimd now, of types declared here if that should change.
//
// # Releases
//
// The package builds with Go 1.26 and 1.27. What archsimd calls differently, or has no longer, such as masked loads, is in
// go126_gen.go and go127_gen.go; generated kernels are the same for both.
//
// # Bounds
//
// No function checks bounds. The caller does, once a vector, with one of the
// InRange functions or better once a loop.
//
// # Mathematics
//
// Exp, Exp2, Log, Log2, Sin, Cos, SinCos, Tanh, Erf, Erfc, ErfcBoth, Pow and RSqrt
// take all numbers, with the special cases of package math, and their comments state
// a bound of the error in ulp, units in the last place. A lane's result depends
// neither on the other lanes nor on the number of lanes. RSqrtFast and RecipFast
// are less exact and faster.
//
// # Machines
//
// The package is empty unless the experiment is on, GOEXPERIMENT=simd, and the
// machine is amd64. Functions of vectors up to 256 bits need AVX2 and FMA,
// those that take or return 512 bits need AVX-512 (F, BW, CD, DQ, VL): ask
// HasAVX2 and HasAVX512 before the first call.
package vec

//go:generate go run ./internal/gen
