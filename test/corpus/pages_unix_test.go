//go:build compiled && unix

package corpus

import (
	"os"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// pages returns memory between two pages that nothing may touch.
func pages(t *testing.T) []byte {
	t.Helper()
	size := os.Getpagesize()
	all, err := unix.Mmap(-1, 0, 3*size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, unix.Munmap(all)) })
	require.NoError(t, unix.Mprotect(all[:size], unix.PROT_NONE))
	require.NoError(t, unix.Mprotect(all[2*size:], unix.PROT_NONE))
	return all[size : 2*size : 2*size]
}

// Vectors of threads of which some read nothing touch no page beyond the elements that others read:
// at the beginning and at the end of a page.
func TestBytesAtTheEndOfAPage(t *testing.T) {
	dev, err := gocuda.NewDevice()
	require.NoError(t, err)
	defer func() { require.NoError(t, dev.Close()) }()
	in, out := pages(t), pages(t)
	for i := range in {
		in[i] = byte(i * 37)
	}
	for _, n := range []int{1, 5, 7, 8, 9, 31, 64, 100, 333} {
		for _, odd := range []int{0, 1} {
			for _, places := range [][2]int{{0, n}, {len(in) - n, len(in)}} {
				a, b := in[places[0]:places[1]], out[places[0]:places[1]]
				clear(b)
				require.NoError(t, dev.Launch(t.Context(), grid.Linear(n, 128), pagedBytesKernel(a, b, odd)))
				want := make([]byte, n)
				for i := odd; i < n; i += 2 {
					want[i] = a[i] + 1
					if i > 0 {
						want[i] += 2 * a[i-1]
					}
					if i+1 < n {
						want[i] += 3 * a[i+1]
					}
				}
				require.Equal(t, want, b, "%d bytes from %d on, odd %d", n, places[0], odd)
			}
		}
	}
}

// Neither do loads of several fields of structs at a time.
func TestStructsAtTheEndOfAPage(t *testing.T) {
	dev, err := gocuda.NewDevice()
	require.NoError(t, err)
	defer func() { require.NoError(t, dev.Close()) }()
	page := pages(t)
	all := unsafe.Slice((*flNode)(unsafe.Pointer(&page[0])), len(page)/int(unsafe.Sizeof(flNode{})))
	last := unsafe.Slice((*flNode)(unsafe.Pointer(&page[len(page)%int(unsafe.Sizeof(flNode{}))])), len(all))
	for _, n := range []int{1, 15, 16, 17, 32, 64, 100, len(all)} {
		for _, s := range [][]flNode{all[:n], last[len(last)-n:]} {
			for i := range s {
				s[i] = flNode{int32(i), int32(3 * i), int32(i - 9), int32(i * i), int32(n - i)}
			}
			for name, k := range map[string]struct {
				kernel func(n []flNode, out []int32) gocuda.Kernel
				want   func(s flNode) int32
			}{
				"flEnds": {flEndsKernel, func(s flNode) int32 { return s.Depth*3 - s.Weight }},
				"flStarts": {flStartsKernel, func(s flNode) int32 {
					v := s.Left - s.Right*5 + s.Parent
					if v > 0 {
						v += s.Left * s.Weight
					}
					return v
				}},
			} {
				out, want := make([]int32, n), make([]int32, n)
				for i := range s {
					want[i] = k.want(s[i])
				}
				require.NoError(t, dev.Launch(t.Context(), grid.Linear(n, 128), k.kernel(s, out)))
				require.Equal(t, want, out, "%s of %d", name, n)
			}
		}
	}
}
