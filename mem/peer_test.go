package mem_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/mem"
)

func TestPeerAccess(t *testing.T) {
	a, b := newDevice(1<<20), newDevice(1<<20)
	for _, c := range []struct {
		dev, peer mem.Device
		want      bool
	}{{a, b, true}, {b, a, true}, {a, a, false}, {a, &device{a.space}, false}} {
		can, err := mem.CanAccessPeer(c.dev, c.peer)
		assert.Equal(t, c.want, can, "CanAccessPeer")
		assert.NoError(t, err, "CanAccessPeer")
	}
	assert.ErrorIs(t, mem.DisablePeerAccess(a, b), mem.ErrPeerAccessNotEnabled, "disable before")
	assert.ErrorIs(t, mem.EnablePeerAccess(a, a), mem.ErrInvalidDevice, "itself")
	assert.ErrorIs(t, mem.EnablePeerAccess(nil, a), mem.ErrInvalidValue, "no device")
	assert.ErrorIs(t, mem.EnablePeerAccess(a, nil), mem.ErrInvalidValue, "no peer")
	assert.ErrorIs(t, mem.DisablePeerAccess(a, mem.CPU), mem.ErrInvalidValue, "no peer to disable")
	_, err := mem.CanAccessPeer(nil, a)
	assert.ErrorIs(t, err, mem.ErrInvalidValue, "no device")

	x, y := filled(t, a, 1, 2), filled(t, b, 3, 4)
	onA, onB := &stream{device: a}, &stream{device: b}
	_, err = y.DataOn(a)
	assert.ErrorIs(t, err, mem.ErrPeerAccessNotEnabled, "kernel on a, memory of b")
	d, err := y.DataOn(b)
	require.NoError(t, err, "kernel on b, memory of b")
	assert.Same(t, &y.Data()[0], &d[0], "kernel on b, memory of b")

	require.NoError(t, mem.EnablePeerAccess(a, b))
	assert.ErrorIs(t, mem.EnablePeerAccess(a, b), mem.ErrPeerAccessAlreadyEnabled, "enable again")
	assert.ErrorIs(t, mem.DisablePeerAccess(b, a), mem.ErrPeerAccessNotEnabled, "the reverse")
	d, err = y.DataOn(a)
	require.NoError(t, err, "kernel on a, memory of b")
	assert.Same(t, &y.Data()[0], &d[0], "kernel on a, memory of b")
	_, err = x.DataOn(b)
	assert.ErrorIs(t, err, mem.ErrPeerAccessNotEnabled, "kernel on b, memory of a")

	require.NoError(t, mem.Copy(x, y))
	slicetest.Equal(t, []int{3, 4}, x.Data(), "copied")
	require.NoError(t, mem.MemsetAsync(onA, y, 0xff))
	require.NoError(t, mem.CopyAsync(onA, x, y))
	onA.run(t)
	slicetest.Equal(t, []int{-1, -1}, x.Data(), "copied")
	assert.ErrorIs(t, mem.CopyAsync(onB, x, y), mem.ErrForeign, "a stream of b")
	require.NoError(t, mem.Copy2D(y.Rows(2, 1), x.Rows(2, 1), 2, 1))

	require.NoError(t, mem.DisablePeerAccess(a, b))
	assert.ErrorIs(t, mem.DisablePeerAccess(a, b), mem.ErrPeerAccessNotEnabled, "disable again")
	assert.ErrorIs(t, mem.Copy(x, y), mem.ErrForeign, "Copy")
	a.space.Close()
	assert.ErrorIs(t, mem.EnablePeerAccess(a, b), mem.ErrClosed, "closed")
}

// cudaMemcpyPeer needs no leave.
func TestCopyPeer(t *testing.T) {
	a, b, c := newDevice(1<<20), newDevice(1<<20), newDevice(1<<20)
	x, y := filled(t, a, 1, 2, 3), filled(t, b, 4, 5)
	require.NoError(t, mem.CopyPeer(x, y))
	slicetest.Equal(t, []int{4, 5, 3}, x.Data(), "copied")
	s := &stream{device: c}
	require.NoError(t, mem.CopyPeerAsync(s, y, part(t, x, 1, 3)))
	slicetest.Equal(t, []int{4, 5}, y.Data(), "at once")
	s.run(t)
	slicetest.Equal(t, []int{5, 3}, y.Data(), "copied")
	require.NoError(t, mem.CopyPeer(part(t, x, 0, 1), part(t, x, 2, 3))) // both may be one
	assert.ErrorIs(t, mem.CopyPeer(x, x), mem.ErrOverlap, "overlap")
	assert.ErrorIs(t, mem.CopyPeer(y, x), mem.ErrInvalidValue, "too short")
	assert.ErrorIs(t, mem.CopyPeer(y, nil), mem.ErrInvalidValue, "no source")
	assert.ErrorIs(t, mem.CopyPeerAsync(s, nil, y), mem.ErrInvalidValue, "no destination")
	assert.ErrorIs(t, mem.CopyPeerAsync(nil, x, y), mem.ErrInvalidValue, "no stream")
	require.NoError(t, y.Free())
	assert.ErrorIs(t, mem.CopyPeerAsync(s, x, y), mem.ErrFreed, "freed")
}

// In one address space the addresses say what a copy is.
func TestCopyDefault(t *testing.T) {
	a, b := newDevice(1<<20), newDevice(1<<20)
	sides := map[string][]int{
		"device":       filled(t, a, 0, 0).Data(),
		"other device": filled(t, b, 0, 0).Data(),
		"managed":      allocManaged[int](t, a, 2).Data(),
		"page-locked":  allocHost[int](t, 2, 0).Data(),
		"program":      make([]int, 2),
	}
	k := 0
	for from, src := range sides {
		for to, dst := range sides {
			if from == to {
				assert.ErrorIs(t, mem.CopyDefault(dst, src), mem.ErrOverlap, from)
				continue
			}
			k++
			src[0], src[1] = k, -k
			require.NoError(t, mem.CopyDefault(dst, src))
			slicetest.Equal(t, []int{k, -k}, dst, "%s to %s", from, to)
			s := &stream{device: a}
			require.NoError(t, mem.CopyDefaultAsync(s, dst[1:], src[:1]))
			s.run(t)
			slicetest.Equal(t, []int{k, k}, dst, "%s to %s in a stream", from, to)
		}
	}
	assert.ErrorIs(t, mem.CopyDefault(make([]int, 1), make([]int, 2)), mem.ErrInvalidValue, "too short")
	assert.ErrorIs(t, mem.CopyDefault(make([]string, 1), make([]string, 1)), mem.ErrInvalidValue, "strings")
	assert.ErrorIs(t, mem.CopyDefaultAsync(&stream{device: a}, make([]string, 1), make([]string, 1)), mem.ErrInvalidValue, "strings")
	assert.ErrorIs(t, mem.CopyDefaultAsync(nil, make([]int, 1), make([]int, 1)), mem.ErrInvalidValue, "no stream")
}
