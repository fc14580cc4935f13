//go:build compiled && unix

package corpus

import (
	"os"
	"testing"

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
