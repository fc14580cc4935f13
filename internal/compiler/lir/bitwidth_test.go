package lir

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A bytesNest builds nests that load bytes at p0 and store bytes at p1.
type bytesNest struct{ n *Nest }

func newBytes() *bytesNest {
	return &bytesNest{&Nest{Parts: 1, Size: 4, Groups: []Group{{Base: 8, Off: 32, Size: 1}, {Base: 40, Off: 64, Size: 1}}}}
}

func (b *bytesNest) do(i Instr, args ...Value) Value {
	if i.Op != Store {
		i.Dst = b.n.New(i.Kind)
	}
	for j, a := range args {
		*[]*Value{&i.X, &i.Y, &i.Z}[j] = a
	}
	b.n.Body = append(b.n.Body, &i)
	return i.Dst
}

func (b *bytesNest) load(disp int) Value {
	return b.do(Instr{Op: Load, Kind: I32, From: U8, Mem: Mem{Disp: disp}})
}

func (b *bytesNest) constant(n int32) Value {
	return b.do(Instr{Op: Const, Kind: I32, Imm: uint64(uint32(n))})
}

func (b *bytesNest) store(v Value) {
	b.do(Instr{Op: Store, Kind: I32, From: U8, Mem: Mem{Group: 1}}, v)
}

// reduced returns the smallest size to which a nest can be reduced, the reduced nest and the guards.
func (b *bytesNest) reduced(t *testing.T) (int, *Nest, []Guard) {
	t.Helper()
	require.NoError(t, b.n.Verify())
	for _, size := range []int{1, 2} {
		if n, guards := Reduce(b.n, size); n != nil {
			require.NoError(t, n.Verify())
			return size, n, guards
		}
	}
	return 4, nil, nil
}

func count(n *Nest, op Op) (times int) {
	Walk(n.Body, func(i *Instr) {
		if i.Op == op {
			times++
		}
	})
	return times
}

func TestReduceComparison(t *testing.T) {
	b := newBytes()
	over := b.do(Instr{Op: Cmp, Kind: Mask, From: I32, Pred: Gt}, b.load(0), b.constant(200))
	b.store(b.do(Instr{Op: Select, Kind: I32}, over, b.constant(255), b.constant(0)))
	size, n, guards := b.reduced(t)
	assert.Equal(t, 1, size)
	assert.Empty(t, guards)
	Walk(n.Body, func(i *Instr) {
		if i.Op == Cmp {
			assert.Equal(t, U8, i.From, "200 is no number of 8 bits with a sign")
		}
	})
}

// A threshold that is an int may be any number: the reduced nest is for those of bytes.
func TestReduceGuards(t *testing.T) {
	b := newBytes()
	level := b.do(Instr{Op: Arg, Kind: I32, Mem: Mem{Disp: 72}})
	over := b.do(Instr{Op: Cmp, Kind: Mask, From: I32, Pred: Gt}, b.load(0), level)
	b.store(b.do(Instr{Op: Select, Kind: I32}, over, b.constant(255), b.constant(0)))
	size, _, guards := b.reduced(t)
	assert.Equal(t, 1, size)
	assert.Equal(t, []Guard{{Arg: 72, Least: 0, Most: 255}}, guards)

	b = newBytes() // the low bits of a sum are right whatever the argument is
	key := b.do(Instr{Op: Arg, Kind: I32, Mem: Mem{Disp: 72}})
	b.store(b.do(Instr{Op: Xor, Kind: I32}, b.load(0), key))
	size, _, guards = b.reduced(t)
	assert.Equal(t, 1, size)
	assert.Empty(t, guards)
}

// The mean of three bytes: the sum needs 10 bits, and the quotient is a product of 16 bits.
func TestReduceQuotient(t *testing.T) {
	b := newBytes()
	sum := b.do(Instr{Op: Add, Kind: I32}, b.do(Instr{Op: Add, Kind: I32}, b.load(-1), b.load(0)), b.load(1))
	third := b.do(Instr{Op: MulHi, Kind: I32}, sum, b.constant(0x55555556))
	sign := b.do(Instr{Op: Shr, Kind: I32, Imm: 31}, sum)
	b.store(b.do(Instr{Op: Sub, Kind: I32}, third, sign))
	size, n, _ := b.reduced(t)
	assert.Equal(t, 2, size)
	Walk(n.Body, func(i *Instr) {
		if i.Op == Const && i.Imm != 0 {
			assert.Less(t, i.Imm, uint64(1<<16))
		}
	})
	assert.Equal(t, 1, count(n, MulHi)+count(n, Mul))
}

func TestReduceSaturation(t *testing.T) {
	for _, c := range []struct {
		limit int32
		size  int
		sums  int
	}{{255, 1, 1}, {254, 2, 0}} {
		b := newBytes()
		sum := b.do(Instr{Op: Add, Kind: I32}, b.load(0), b.load(1))
		b.store(b.do(Instr{Op: Min, Kind: I32}, sum, b.constant(c.limit)))
		size, n, _ := b.reduced(t)
		assert.Equal(t, c.size, size, "limit %d", c.limit)
		assert.Equal(t, c.sums, count(n, AddSat), "limit %d", c.limit)
	}
}

// The operand of a sum changes before the sum is clamped: a saturated sum there would be another one.
func TestReduceSaturationOfWhatChanges(t *testing.T) {
	b := newBytes()
	x := b.do(Instr{Op: Move, Kind: I32}, b.load(0))
	sum := b.do(Instr{Op: Add, Kind: I32}, x, b.load(1))
	other := b.load(2)
	b.n.Body = append(b.n.Body, &Instr{Op: Move, Kind: I32, Dst: x, X: other})
	b.store(b.do(Instr{Op: Min, Kind: I32}, sum, b.constant(255)))
	b.store(x)
	size, n, _ := b.reduced(t)
	assert.Equal(t, 2, size)
	assert.Zero(t, count(n, AddSat))
}

// A sum in a loop fits as long as its bound does, which is known when the nest is entered.
func TestReduceSumOfLoop(t *testing.T) {
	for _, bound := range []string{"", "255 * rounds", "1e6"} {
		b := newBytes()
		sum := b.do(Instr{Op: Move, Kind: I32}, b.constant(0))
		outer := b.n.Body
		b.n.Body = nil
		x := b.load(0)
		add := &Instr{Op: Add, Kind: I32, Dst: sum, X: sum, Y: x}
		b.n.Body = append(b.n.Body, add)
		if bound != "" {
			b.n.Bounds, add.Bound = []string{bound}, 1
		}
		loop := &Loop{Trips: Scalar{Off: 72}, Body: b.n.Body}
		b.n.Body = append(outer, loop)
		b.store(b.do(Instr{Op: Min, Kind: I32}, sum, b.constant(100)))
		size, _, guards := b.reduced(t)
		if bound != "255 * rounds" {
			assert.Equal(t, 4, size, "bound %q", bound)
			continue
		}
		assert.Equal(t, 1, size)
		assert.Equal(t, []Guard{{Bound: 1, Most: 64}}, guards)
	}
}

func TestReduceNothing(t *testing.T) {
	b := newBytes()
	b.store(b.do(Instr{Op: Convert, Kind: I32, From: F32}, b.do(Instr{Op: Convert, Kind: F32, From: I32}, b.load(0))))
	size, _, _ := b.reduced(t)
	assert.Equal(t, 4, size, "floats have 32 bits")

	b = newBytes()
	b.n.Groups[0].Size = 4
	b.store(b.do(Instr{Op: Load, Kind: I32}))
	size, _, _ = b.reduced(t)
	assert.Equal(t, 4, size, "elements of 4 bytes")

	b = newBytes()
	square := b.do(Instr{Op: Mul, Kind: I32}, b.load(0), b.load(0))
	b.store(b.do(Instr{Op: Shr, Kind: I32, Imm: 9}, b.do(Instr{Op: Add, Kind: I32}, square, square)))
	size, _, _ = b.reduced(t)
	assert.Equal(t, 4, size, "a sum of 17 bits, of which the high ones count")
}
