package serial

import (
	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/kernels/bandwidth"
)

// StridedRead adds up every stride-th element of in, from offset on, with the accesses dealt out to
// sums one by one: the reference of [bandwidth.Read]. sums has [bandwidth.Sums] elements.
func StridedRead[T bandwidth.Word](stride, offset int, sums, in []T) {
	clear(sums)
	at := 0
	for k := range bandwidth.Count(len(in), stride, offset) {
		sums[at] += in[k*stride+offset]
		if at++; at == len(sums) {
			at = 0
		}
	}
}

// StridedReadWide is [StridedRead] for words of 16 bytes: the reference of [bandwidth.ReadWide].
func StridedReadWide(stride, offset int, sums, in []device.Uint4) {
	clear(sums)
	at := 0
	for k := range bandwidth.Count(len(in), stride, offset) {
		s, v := &sums[at], in[k*stride+offset]
		*s = device.Uint4{X: s.X + v.X, Y: s.Y + v.Y, Z: s.Z + v.Z, W: s.W + v.W}
		if at++; at == len(sums) {
			at = 0
		}
	}
}

// StridedWrite sets every stride-th element of out, from offset on, to value plus the number of the
// access: the reference of [bandwidth.Write].
func StridedWrite[T bandwidth.Word](stride, offset int, value T, out []T) {
	for k := range bandwidth.Count(len(out), stride, offset) {
		out[k*stride+offset] = value + T(k)
	}
}

// StridedWriteWide is [StridedWrite] for words of 16 bytes, of which the first part counts: the
// reference of [bandwidth.WriteWide].
func StridedWriteWide(stride, offset int, value device.Uint4, out []device.Uint4) {
	for k := range bandwidth.Count(len(out), stride, offset) {
		v := value
		v.X += uint32(k)
		out[k*stride+offset] = v
	}
}
