//go:build compiled

package corpus

import "github.com/gocuda/gocuda/gocuda"

// Every second byte, with its neighbours: the threads between read and write nothing.
//
//gocuda:kernel
func pagedBytes(t *gocuda.Thread, in, out []byte, odd int) {
	i := t.GlobalX()
	if i >= len(in) || i%2 != odd {
		return
	}
	v := in[i] + 1
	if i > 0 {
		v += 2 * in[i-1]
	}
	if i+1 < len(in) {
		v += 3 * in[i+1]
	}
	out[i] = v
}
