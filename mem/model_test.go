package mem_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/mem"
)

// model is what device memory is supposed to be, in the simplest words: buffers are slices, parts
// are ranges of them, and the space is the sum of what is not freed.
type model struct {
	devs [2]*device
	used [2]int64
	all  []*modelBuffer
}

type modelBuffer struct {
	real *mem.Buffer[int16]
	dev  int
	root *modelBuffer // itself, if it is no part
	i, j int          // its place in root
	data []int16      // of a root
	cost int64        // of a root
	dead bool         // of a root
}

func (b *modelBuffer) view() []int16 { return b.root.data[b.i:b.j] }

const modelSpace = 1 << 14

// step does one random operation on both and says in words what is different, or "".
func (m *model) step(r *rand.Rand) string {
	if len(m.all) == 0 || r.IntN(5) == 0 {
		return m.alloc(r)
	}
	a, b := m.all[r.IntN(len(m.all))], m.all[r.IntN(len(m.all))]
	switch r.IntN(6) {
	case 0:
		return m.free(a)
	case 1:
		i, j := r.IntN(a.j-a.i+3)-1, r.IntN(a.j-a.i+3)-1
		p, err := a.real.Slice(i, j)
		if i < 0 || j < i || j > a.j-a.i {
			if a.root.dead { // two things are wrong; either may be named
				return wrong("Slice", err, mem.ErrInvalidValue, mem.ErrFreed)
			}
			return wrong("Slice", err, mem.ErrInvalidValue)
		}
		if a.root.dead {
			return wrong("Slice", err, mem.ErrFreed)
		}
		if err == nil {
			m.all = append(m.all, &modelBuffer{real: p, dev: a.dev, root: a.root, i: a.i + i, j: a.i + j})
		}
		return wrong("Slice", err, nil)
	case 2:
		v := byte(r.Uint32())
		err := mem.Memset(a.real, v)
		if a.root.dead {
			return wrong("Memset", err, mem.ErrFreed)
		}
		for k := range a.view() {
			a.view()[k] = int16(uint16(v) * 0x0101)
		}
		return wrong("Memset", err, nil)
	case 3:
		src := make([]int16, r.IntN(a.j-a.i+2))
		for k := range src {
			src[k] = int16(r.Uint32())
		}
		return m.copied("CopyToDevice", mem.CopyToDevice(a.real, src), a, src, a.root.dead, false, false)
	case 4:
		host := make([]int16, max(0, b.j-b.i+r.IntN(3)-1))
		err := mem.CopyToHost(host, b.real)
		if err == nil && !b.root.dead && !slices.Equal(host[:b.j-b.i], b.view()) {
			return "CopyToHost: other data"
		}
		return m.copied("CopyToHost", err, &modelBuffer{root: &modelBuffer{data: host}, j: len(host)}, b.view(), b.root.dead, false, false)
	default:
		n := b.j - b.i
		overlap := n > 0 && a.root == b.root && a.i < b.j && b.i < a.i+n
		return m.copied("Copy", mem.Copy(a.real, b.real), a, b.view(), a.root.dead || b.root.dead, a.dev != b.dev, overlap)
	}
}

// copied judges the outcome of a copy and, if there is nothing wrong with it, makes it in the model.
// Of several faults any may be named.
func (m *model) copied(what string, err error, dst *modelBuffer, src []int16, dead, foreign, overlap bool) string {
	var faults []error
	if dead {
		faults = append(faults, mem.ErrFreed)
	}
	if foreign {
		faults = append(faults, mem.ErrForeign)
	}
	if overlap {
		faults = append(faults, mem.ErrOverlap)
	}
	if len(src) > dst.j-dst.i {
		faults = append(faults, mem.ErrInvalidValue)
	}
	if faults == nil {
		copy(dst.view(), src)
		return wrong(what, err, nil)
	}
	return wrong(what, err, faults...)
}

func (m *model) alloc(r *rand.Rand) string {
	dev, n := r.IntN(2), r.IntN(2000)-20
	before := used(m.devs[dev])
	b, err := mem.Alloc[int16](m.devs[dev], n)
	switch {
	case n < 0:
		return wrong("Alloc", err, mem.ErrInvalidValue)
	case err != nil:
		if before+int64(n)*2+mem.Align <= modelSpace {
			return fmt.Sprintf("Alloc of %d failed with %d in use: %v", n, before, err)
		}
		return wrong("Alloc", err, mem.ErrOutOfMemory)
	}
	cost := used(m.devs[dev]) - before
	if cost < int64(n)*2 || cost >= int64(n)*2+mem.Align {
		return fmt.Sprintf("Alloc of %d elements took %d bytes", n, cost)
	}
	root := &modelBuffer{real: b, dev: dev, j: n, data: make([]int16, n), cost: cost}
	root.root = root
	m.used[dev] += cost
	m.all = append(m.all, root)
	return ""
}

func (m *model) free(b *modelBuffer) string {
	err := b.real.Free()
	switch {
	case b.root != b:
		if err == nil {
			return "freed a part"
		}
		return ""
	case b.dead:
		return wrong("Free", err, mem.ErrFreed)
	}
	b.dead = true
	m.used[b.dev] -= b.cost
	return wrong("Free", err, nil)
}

// same compares all that can be seen.
func (m *model) same() string {
	for d, dev := range m.devs {
		if free, total := mem.Info(dev); total != modelSpace || total-free != m.used[d] {
			return fmt.Sprintf("device %d: %d of %d bytes free, want %d in use", d, free, total, m.used[d])
		}
	}
	for k, b := range m.all {
		if b.real.Len() != b.j-b.i {
			return fmt.Sprintf("buffer %d: length %d, want %d", k, b.real.Len(), b.j-b.i)
		}
		if b.root.dead {
			if b.real.Data() != nil {
				return fmt.Sprintf("buffer %d: freed, but has data", k)
			}
		} else if !slices.Equal(b.real.Data(), b.view()) {
			return fmt.Sprintf("buffer %d: other data", k)
		}
	}
	return ""
}

// wrong returns "" if err is one of those that are wanted.
func wrong(what string, err error, want ...error) string {
	for _, w := range want {
		if errors.Is(err, w) {
			return ""
		}
	}
	return fmt.Sprintf("%s: %v, want %v", what, err, want)
}

func TestRandomOperationsAgainstModel(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := &model{devs: [2]*device{newDevice(modelSpace), newDevice(modelSpace)}}
		for k := range 200 {
			bad := m.step(r)
			if bad == "" {
				bad = m.same()
			}
			require.Empty(t, bad, "seed %d, operation %d", seed, k)
		}
	}
}
