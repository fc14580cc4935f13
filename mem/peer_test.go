package mem_test

import (
	"slices"
	"testing"

	"github.com/gocuda/gocuda/mem"
)

func TestPeerAccess(t *testing.T) {
	a, b := newDevice(1<<20), newDevice(1<<20)
	for _, c := range []struct {
		dev, peer mem.Device
		want      bool
	}{{a, b, true}, {b, a, true}, {a, a, false}, {a, &device{a.space}, false}} {
		if can, err := mem.CanAccessPeer(c.dev, c.peer); can != c.want || err != nil {
			t.Errorf("CanAccessPeer is %t, %v, want %t", can, err, c.want)
		}
	}
	wantError(t, "disable before", mem.DisablePeerAccess(a, b), mem.ErrPeerAccessNotEnabled)
	wantError(t, "itself", mem.EnablePeerAccess(a, a), mem.ErrInvalidDevice)
	wantError(t, "no device", mem.EnablePeerAccess(nil, a), mem.ErrInvalidValue)
	wantError(t, "no peer", mem.EnablePeerAccess(a, nil), mem.ErrInvalidValue)
	wantError(t, "no peer to disable", mem.DisablePeerAccess(a, mem.CPU), mem.ErrInvalidValue)
	_, err := mem.CanAccessPeer(nil, a)
	wantError(t, "no device", err, mem.ErrInvalidValue)

	x, y := filled(t, a, 1, 2), filled(t, b, 3, 4)
	onA, onB := &stream{device: a}, &stream{device: b}
	_, err = y.DataOn(a)
	wantError(t, "kernel on a, memory of b", err, mem.ErrPeerAccessNotEnabled)
	if d, err := y.DataOn(b); err != nil || &d[0] != &y.Data()[0] {
		t.Errorf("kernel on b, memory of b: %v, %v", d, err)
	}

	must(t, mem.EnablePeerAccess(a, b))
	wantError(t, "enable again", mem.EnablePeerAccess(a, b), mem.ErrPeerAccessAlreadyEnabled)
	wantError(t, "the reverse", mem.DisablePeerAccess(b, a), mem.ErrPeerAccessNotEnabled)
	if d, err := y.DataOn(a); err != nil || &d[0] != &y.Data()[0] {
		t.Errorf("kernel on a, memory of b: %v, %v", d, err)
	}
	_, err = x.DataOn(b)
	wantError(t, "kernel on b, memory of a", err, mem.ErrPeerAccessNotEnabled)

	must(t, mem.Copy(x, y))
	if !slices.Equal(x.Data(), []int{3, 4}) {
		t.Errorf("copied %v", x.Data())
	}
	must(t, mem.MemsetAsync(onA, y, 0xff))
	must(t, mem.CopyAsync(onA, x, y))
	onA.run(t)
	if !slices.Equal(x.Data(), []int{-1, -1}) {
		t.Errorf("copied %v", x.Data())
	}
	wantError(t, "a stream of b", mem.CopyAsync(onB, x, y), mem.ErrForeign)
	must(t, mem.Copy2D(y.Rows(2, 1), x.Rows(2, 1), 2, 1))

	must(t, mem.DisablePeerAccess(a, b))
	wantError(t, "disable again", mem.DisablePeerAccess(a, b), mem.ErrPeerAccessNotEnabled)
	wantError(t, "Copy", mem.Copy(x, y), mem.ErrForeign)
	a.space.Close()
	wantError(t, "closed", mem.EnablePeerAccess(a, b), mem.ErrClosed)
}

// cudaMemcpyPeer needs no leave.
func TestCopyPeer(t *testing.T) {
	a, b, c := newDevice(1<<20), newDevice(1<<20), newDevice(1<<20)
	x, y := filled(t, a, 1, 2, 3), filled(t, b, 4, 5)
	must(t, mem.CopyPeer(x, y))
	if !slices.Equal(x.Data(), []int{4, 5, 3}) {
		t.Errorf("copied %v", x.Data())
	}
	s := &stream{device: c}
	must(t, mem.CopyPeerAsync(s, y, part(t, x, 1, 3)))
	if !slices.Equal(y.Data(), []int{4, 5}) {
		t.Errorf("at once: %v", y.Data())
	}
	s.run(t)
	if !slices.Equal(y.Data(), []int{5, 3}) {
		t.Errorf("copied %v", y.Data())
	}
	must(t, mem.CopyPeer(part(t, x, 0, 1), part(t, x, 2, 3))) // both may be one
	wantError(t, "overlap", mem.CopyPeer(x, x), mem.ErrOverlap)
	wantError(t, "too short", mem.CopyPeer(y, x), mem.ErrInvalidValue)
	wantError(t, "no source", mem.CopyPeer(y, nil), mem.ErrInvalidValue)
	wantError(t, "no destination", mem.CopyPeerAsync(s, nil, y), mem.ErrInvalidValue)
	wantError(t, "no stream", mem.CopyPeerAsync(nil, x, y), mem.ErrInvalidValue)
	must(t, y.Free())
	wantError(t, "freed", mem.CopyPeerAsync(s, x, y), mem.ErrFreed)
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
				wantError(t, from, mem.CopyDefault(dst, src), mem.ErrOverlap)
				continue
			}
			k++
			src[0], src[1] = k, -k
			must(t, mem.CopyDefault(dst, src))
			if !slices.Equal(dst, []int{k, -k}) {
				t.Errorf("%s to %s: %v", from, to, dst)
			}
			s := &stream{device: a}
			must(t, mem.CopyDefaultAsync(s, dst[1:], src[:1]))
			s.run(t)
			if !slices.Equal(dst, []int{k, k}) {
				t.Errorf("%s to %s in a stream: %v", from, to, dst)
			}
		}
	}
	wantError(t, "too short", mem.CopyDefault(make([]int, 1), make([]int, 2)), mem.ErrInvalidValue)
	wantError(t, "strings", mem.CopyDefault(make([]string, 1), make([]string, 1)), mem.ErrInvalidValue)
	wantError(t, "strings", mem.CopyDefaultAsync(&stream{device: a}, make([]string, 1), make([]string, 1)), mem.ErrInvalidValue)
	wantError(t, "no stream", mem.CopyDefaultAsync(nil, make([]int, 1), make([]int, 1)), mem.ErrInvalidValue)
}
