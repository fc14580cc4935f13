package device

//go:generate go run ./internal/gen

// CUDA's vector types, one to four numbers X, Y, Z and W: float4 is Float4, make_float4 is
// MakeFloat4, and so for char, uchar, short, ushort, int, uint, longlong, ulonglong and double
// (long is int or longlong, as the system has it). CUDA itself gives them no arithmetic; the
// methods are those of helper_math.h, which comes with its samples and which programs copy. They
// work component by component, and round every product before it is added, on every machine.
// Normalize divides by the length, where helper_math.h multiplies by an approximation of its
// inverse.
//
// Sizes are CUDA's. Alignment is Go's, that of one component; where CUDA wants 16 bytes for a
// float4, nothing here does. In a compiled kernel a slice of structs is read one element after the
// other: separate slices for x, y and z are faster.
