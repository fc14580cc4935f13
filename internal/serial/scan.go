package serial

import "github.com/gocuda/gocuda/kernels"

// InclusiveScan sets out[i] to the combination of in[0] to in[i]: the reference of [scan.Inclusive].
// out may be in.
func InclusiveScan[T any, O kernels.Operator[T]](op O, out, in []T) {
	v := op.Identity()
	for i, u := range in {
		v = op.Combine(v, u)
		out[i] = v
	}
}

// ExclusiveScan sets out[i] to the combination of in[0] to in[i-1], and out[0] to the identity of op:
// the reference of [scan.Exclusive]. out may be in.
func ExclusiveScan[T any, O kernels.Operator[T]](op O, out, in []T) {
	v := op.Identity()
	for i, u := range in {
		out[i], v = v, op.Combine(v, u)
	}
}
