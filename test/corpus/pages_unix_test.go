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

// Neither do vectors of small integers, nor loads and stores of every second, third or fourth one. What is beside
// the outputs stays as it is.
func TestSmallIntegersAtTheEndOfAPage(t *testing.T) {
	dev, err := gocuda.NewDevice()
	require.NoError(t, err)
	defer func() { require.NoError(t, dev.Close()) }()
	page, out := pages(t), pages(t)
	for i := range page {
		page[i] = byte(hash(i))
	}
	short := func(b []byte, i int) int { return int(int16(uint16(b[2*i]) | uint16(b[2*i+1])<<8)) }
	put := func(b []byte, i, v int) { b[2*i], b[2*i+1] = byte(v), byte(v>>8) }
	shorts := func(b []byte) []int16 { return unsafe.Slice((*int16)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/2) }
	for _, k := range []struct {
		name     string
		from, to int // bytes of the input and of the output for one thread
		kernel   func(n int, in, out []byte) gocuda.Kernel
		want     func(n int, in, out []byte, i int)
	}{
		{"siAverage", 1, 1, func(n int, in, out []byte) gocuda.Kernel { return siAverageKernel(in, out) }, func(n int, in, out []byte, i int) {
			v, w := int(in[i]), int(in[n-1-i])
			out[i] = byte((v+w+1)>>1 - (v-w)>>1)
		}},
		{"siMedian", 2, 2, func(n int, in, out []byte) gocuda.Kernel {
			return siMedianKernel(shorts(in), shorts(out))
		}, func(n int, in, out []byte, i int) {
			a, b, c := short(in, i), short(in, n-1-i), short(in, max(i-1, 0))
			m := a + b + c - max(a, b, c) - min(a, b, c)
			if a&65535 > b&65535 {
				m ^= min(a&65535, c&65535)
			}
			put(out, i, m)
		}},
		{"siGrey", 3, 1, func(n int, in, out []byte) gocuda.Kernel { return siGreyKernel(in, out) }, func(n int, in, out []byte, i int) {
			out[i] = byte((77*int(in[3*i]) + 150*int(in[3*i+1]) + 29*int(in[3*i+2]) + 128) / 256)
		}},
		{"siSpread", 1, 3, func(n int, in, out []byte) gocuda.Kernel { return siSpreadKernel(in, out) }, func(n int, in, out []byte, i int) {
			out[3*i], out[3*i+1], out[3*i+2] = byte(min(2*int(in[i]), 255)), byte(3*int(in[i])/4), ^in[i]
		}},
		{"siPairs", 4, 2, func(n int, in, out []byte) gocuda.Kernel { return siPairsKernel(shorts(in), shorts(out)) }, func(n int, in, out []byte, i int) {
			put(out, i, (short(in, 2*i)+short(in, 2*i+1))>>1)
		}},
		{"siQuads", 4, 4, func(n int, in, out []byte) gocuda.Kernel { return siQuadsKernel(n, in, out) }, func(n int, in, out []byte, i int) {
			to, alpha := out[4*(n-1-i):], int(in[4*i+3])
			to[0], to[1], to[3] = byte(int(in[4*i])*alpha/255), byte(int(in[4*i+1])*alpha/256), in[4*i+3]
		}},
		{"siRounds", 1, 1, func(n int, in, out []byte) gocuda.Kernel { return siRoundsKernel(n, 2, in, out) }, func(n int, in, out []byte, i int) {
			out[i] = 3 * in[i]
		}},
		{"siThreshold", 1, 1, func(n int, in, out []byte) gocuda.Kernel { return siThresholdKernel(100, in, out) }, func(n int, in, out []byte, i int) {
			switch v := in[i]; {
			case v > 100:
				out[i] = 255
			case v == 99:
				out[i] = 7
			default:
				out[i] = v + byte((int(v)-100)>>1)
			}
		}},
	} {
		for _, n := range []int{1, 5, 15, 16, 17, 31, 33, 63, 64, 65, 100, 130, 257, 333} {
			from, to := n*k.from, n*k.to
			for _, atEnd := range []bool{false, true} {
				in, a := page[:from], 0
				if atEnd {
					in, a = page[len(page)-from:], len(out)-to
				}
				want := make([]byte, len(out))
				for i := range out {
					out[i] = byte(i * 7)
				}
				copy(want, out)
				for i := range n {
					k.want(n, in, want[a:a+to], i)
				}
				require.NoError(t, dev.Launch(t.Context(), grid.Linear(n, 128), k.kernel(n, in, out[a:a+to:a+to])))
				require.Equal(t, want, out, "%s of %d, at the end: %v", k.name, n, atEnd)
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
