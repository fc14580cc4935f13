package mem_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/mem"
)

// direct is a stream that does its work at once.
type direct struct{ *device }

func (direct) Enqueue(f func() error) error { return f() }

// What a pool saves: new memory is cleared, memory from a pool is not.
func BenchmarkAlloc(b *testing.B) {
	for _, n := range []int{1 << 10, 1 << 20} {
		name := map[int]string{1 << 10: "1KiB", 1 << 20: "1MiB"}[n]
		dev := newDevice(1 << 30)
		b.Run("by=Alloc/size="+name, func(b *testing.B) {
			for b.Loop() {
				x, err := mem.Alloc[byte](dev, n)
				if err != nil || x.Free() != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("by=AllocAsync/size="+name, func(b *testing.B) {
			p, err := mem.DefaultPool(dev)
			require.NoError(b, err)
			require.NoError(b, p.SetReleaseThreshold(math.MaxInt64))
			s := direct{dev}
			for b.Loop() {
				x, err := mem.AllocAsync[byte](s, n)
				if err != nil || mem.FreeAsync(s, x) != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCopy2D(b *testing.B) {
	dev := newDevice(1 << 30)
	const w, h = 1000, 1000
	p, err := mem.AllocPitch[float32](dev, w, h)
	require.NoError(b, err)
	host := mem.HostRows(make([]float32, w*h), w, h)
	b.SetBytes(2 * 4 * w * h)
	for b.Loop() {
		if err := mem.Copy2D(p.Rows(), host, w, h); err != nil {
			b.Fatal(err)
		}
	}
}

// A query among many allocations.
func BenchmarkAttributesOf(b *testing.B) {
	dev := newDevice(1 << 30)
	var all []*mem.Buffer[byte]
	for range 1000 {
		x, err := mem.Alloc[byte](dev, 100)
		require.NoError(b, err)
		all = append(all, x)
	}
	x := all[500].Data()
	for b.Loop() {
		if at, err := mem.AttributesOf(&x[50]); err != nil || at.Size != 100 {
			b.Fatal(at, err)
		}
	}
	for _, x := range all {
		require.NoError(b, x.Free())
	}
}
