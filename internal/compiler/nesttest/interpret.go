// Package nesttest has an interpreter of nests and a generator of random nests, for tests of code
// generation.
package nesttest

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"slices"
	"unsafe"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Arguments are the arguments of a nest, by offset in the struct of arguments.
type Arguments struct {
	Ints   map[int]int    // the one at 0 is the number of threads of the row
	Bits   map[int]uint64 // uniform numbers
	Slices map[int][]byte
}

// Run interprets a nest thread by thread, with vectors of one lane: n must have one part, and must
// not be masked. It returns the number of finished threads: all, or those before a thread that
// leaves the nest.
func Run(n *lir.Nest, a *Arguments) (done int, err error) {
	if n.Parts != 1 || n.Masked {
		return 0, fmt.Errorf("a nest of %d parts, masked: %v", n.Parts, n.Masked)
	}
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("thread %d: %v", done, v)
		}
	}()
	for ; done < a.Ints[0]; done++ {
		r := &run{n: n, a: a, thread: done, values: make([]uint64, len(n.Kinds)), at: make([]int, len(n.Groups)), round: map[*lir.Loop]int{}}
		for i, g := range n.Groups {
			r.at[i] = a.Ints[g.Off]
		}
		if !r.list(n.Body) {
			return done, nil
		}
	}
	return done, nil
}

// A run is the state of one thread.
type run struct {
	n      *lir.Nest
	a      *Arguments
	thread int
	values []uint64 // their bits; 0 or 1 for masks
	at     []int    // the distances of pointers from their slices
	round  map[*lir.Loop]int
}

// list executes list, and reports whether the thread stays in the nest.
func (r *run) list(list []lir.Node) bool {
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Instr:
			if x.Op == lir.Check {
				if r.values[x.X] != 0 {
					return false
				}
				continue
			}
			r.instr(x)
		case *lir.When:
			on := len(x.Any) == 0
			for _, m := range x.Any {
				on = on || r.values[m] != 0 && !x.All
			}
			if x.All {
				on = !slices.ContainsFunc(x.Any, func(m lir.Value) bool { return r.values[m] == 0 })
			}
			for _, c := range x.Conds {
				on = on && r.scalar(c) > 0
			}
			side := x.Else
			if on {
				side = x.Then
			}
			if !r.list(side) {
				return false
			}
		case *lir.Loop:
			if !r.loop(x) {
				return false
			}
		}
	}
	return true
}

func (r *run) loop(l *lir.Loop) bool {
	before := append([]int(nil), r.at...)
	defer func() { copy(r.at, before); delete(r.round, l) }()
	trips := math.MaxInt
	if len(l.While) == 0 {
		trips = r.scalar(l.Trips)
	}
	for i := 0; i < trips; i++ {
		r.round[l] = i
		if len(l.While) > 0 {
			for _, c := range l.Conds {
				if r.scalar(c) <= 0 {
					return true
				}
			}
			if !r.list(l.Head) {
				return false
			}
			on := false
			for _, m := range l.While {
				on = on || r.values[m] != 0
			}
			if !on {
				return true
			}
		}
		if !r.list(l.Body) {
			return false
		}
		for _, s := range l.Steps {
			if s.Off >= 0 {
				r.at[s.Group] += r.a.Ints[s.Off]
			} else {
				r.at[s.Group] += s.Const
			}
		}
	}
	return true
}

func (r *run) scalar(s lir.Scalar) int {
	v := r.a.Ints[s.Off] + s.Strip*r.thread
	for _, t := range s.Terms {
		by := t.Const
		if t.Off >= 0 {
			by = r.a.Ints[t.Off]
		}
		v += by * r.round[t.Loop]
	}
	return v
}

// element is the bytes of an element.
func (r *run) element(i *lir.Instr) []byte {
	m := i.Mem
	at := r.at[m.Group] + m.Disp
	size := r.n.Groups[m.Group].Size
	switch {
	case i.Op == lir.Gather:
		at += r.thread*r.a.Ints[m.Stride] + int(int32(r.values[i.X]))*size
	case i.Indexed():
		at += r.thread*r.a.Ints[m.Stride] + int(int32(r.values[i.Y]))*size
	case !m.Uniform:
		at += r.thread * size
	}
	return r.a.Slices[r.n.Groups[m.Group].Base][at:][:size]
}

func load(b []byte) uint64 {
	var full [8]byte
	copy(full[:], b)
	return binary.LittleEndian.Uint64(full[:])
}

// extended converts a loaded number of kind from, a smaller one than kind k, or None.
func extended(v uint64, from, k lir.Kind) uint64 {
	switch from {
	case lir.I8:
		v = uint64(int8(v))
	case lir.I16:
		v = uint64(int16(v))
	}
	return v & (math.MaxUint64 >> (64 - 8*k.Size()))
}

// signed is the number of kind k with the bits v.
func signed(v uint64, k lir.Kind) int64 {
	unused := 64 - 8*k.Size()
	return int64(v<<unused) >> unused
}

func (r *run) instr(i *lir.Instr) {
	on := i.On == 0 || r.values[i.On] != 0
	switch i.Op {
	case lir.Store, lir.Scatter:
		if on {
			var full [8]byte
			binary.LittleEndian.PutUint64(full[:], r.values[i.X])
			copy(r.element(i), full[:])
		}
		return
	case lir.Atomic:
		if on {
			e := r.element(i)
			result := r.result(&lir.Instr{Op: i.By, Kind: i.Kind}, load(e), r.values[i.X], 0)
			var full [8]byte
			binary.LittleEndian.PutUint64(full[:], result)
			copy(e, full[:])
		}
		return
	case lir.Load, lir.Broadcast, lir.Gather:
		r.values[i.Dst] = 0
		if on {
			r.values[i.Dst] = extended(load(r.element(i)), i.From, i.Kind)
		}
		return
	}
	r.values[i.Dst] = r.value(i)
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (r *run) value(i *lir.Instr) uint64 {
	return r.result(i, r.values[i.X], r.values[i.Y], r.values[i.Z])
}

// result is the result of i for the operands x, y and z.
func (r *run) result(i *lir.Instr, x, y, z uint64) uint64 {
	switch i.Op {
	case lir.Const:
		return i.Imm
	case lir.Arg:
		return r.a.Bits[i.Mem.Disp]
	case lir.Strides:
		return 0
	case lir.Move:
		return x
	case lir.Select:
		if x != 0 {
			return y
		}
		return z
	case lir.MaskAnd:
		return x & y
	case lir.MaskOr:
		return x | y
	case lir.MaskNot:
		return x &^ y
	case lir.Within:
		return truth(r.thread >= r.scalar(i.Bounds[0]) && r.thread < r.scalar(i.Bounds[1]))
	case lir.Whole:
		return truth(r.scalar(i.Bounds[0]) > 0)
	case lir.Index:
		v := uint64(r.scalar(i.Bounds[0]) + r.thread*r.scalar(i.Bounds[1]))
		if i.Kind.Size() == 4 {
			v &= math.MaxUint32
		}
		return v
	case lir.Cmp:
		switch i.From {
		case lir.F32:
			return compare(f32(x), f32(y), i.Pred)
		case lir.F64:
			return compare(math.Float64frombits(x), math.Float64frombits(y), i.Pred)
		}
		if i.From.IsSigned() {
			return compare(signed(x, i.From), signed(y, i.From), i.Pred)
		}
		return compare(x, y, i.Pred)
	case lir.Bits:
		return x
	case lir.Convert:
		switch {
		case !i.From.IsFloat() && i.From.Size() == i.Kind.Size():
			return x
		case i.From == lir.I32 && i.Kind == lir.F32:
			return bits32(float32(int32(x)))
		case i.From == lir.F32 && i.Kind == lir.I32:
			return uint64(uint32(int32(f32(x))))
		case i.From == lir.F32 && i.Kind == lir.F64:
			return math.Float64bits(float64(f32(x)))
		case i.From == lir.F64 && i.Kind == lir.F32:
			return bits32(float32(math.Float64frombits(x)))
		}
	}
	switch i.Kind {
	case lir.F32:
		return bits32(floats(i.Op, f32(x), f32(y), func(f func(float64) float64, v float32) float32 { return float32(f(float64(v))) }))
	case lir.F64:
		return math.Float64bits(floats(i.Op, math.Float64frombits(x), math.Float64frombits(y), func(f func(float64) float64, v float64) float64 { return f(v) }))
	case lir.I32:
		return uint64(uint32(integers(i, int32(x), int32(y))))
	case lir.U32:
		return uint64(integers(i, uint32(x), uint32(y)))
	case lir.I64:
		return uint64(integers(i, int64(x), int64(y)))
	case lir.I8:
		return uint64(uint8(integers(i, int8(x), int8(y))))
	case lir.U8:
		return uint64(integers(i, uint8(x), uint8(y)))
	case lir.I16:
		return uint64(uint16(integers(i, int16(x), int16(y))))
	case lir.U16:
		return uint64(integers(i, uint16(x), uint16(y)))
	}
	return integers(i, x, y)
}

type integer interface {
	int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64
}

// saturated is n as a T, or the nearest T.
func saturated[T integer](n int64) T {
	low, high := int64(0), int64(1)<<(8*unsafe.Sizeof(T(0)))-1
	if ^T(0) < 0 {
		low, high = -1<<(8*unsafe.Sizeof(T(0))-1), 1<<(8*unsafe.Sizeof(T(0))-1)-1
	}
	return T(min(max(n, low), high))
}

func f32(b uint64) float32 { return math.Float32frombits(uint32(b)) }

func bits32(x float32) uint64 { return uint64(math.Float32bits(x)) }

func compare[T integer | float32 | float64](x, y T, p lir.Pred) uint64 {
	return truth([...]bool{lir.Eq: x == y, lir.Ne: x != y, lir.Lt: x < y, lir.Le: x <= y, lir.Gt: x > y, lir.Ge: x >= y}[p])
}

func floats[T float32 | float64](op lir.Op, x, y T, by func(f func(float64) float64, v T) T) T {
	switch op {
	case lir.Add:
		return x + y
	case lir.Sub:
		return x - y
	case lir.Mul:
		return x * y
	case lir.Div:
		return x / y
	case lir.Neg:
		return -x
	case lir.Abs:
		return by(math.Abs, x)
	case lir.Sqrt:
		return by(math.Sqrt, x)
	case lir.Floor:
		return by(math.Floor, x)
	case lir.Ceil:
		return by(math.Ceil, x)
	case lir.Trunc:
		return by(math.Trunc, x)
	case lir.RoundToEven:
		return by(math.RoundToEven, x)
	case lir.Least:
		return min(x, y)
	case lir.Most:
		return max(x, y)
	}
	panic(fmt.Sprintf("%v of floats", op))
}

// mulHi returns the high half of x*y.
func mulHi[T integer](x, y T) T {
	product := new(big.Int).Mul(big.NewInt(int64(x)), big.NewInt(int64(y)))
	if unsigned, ok := any(x).(uint64); ok {
		product.Mul(new(big.Int).SetUint64(unsigned), new(big.Int).SetUint64(any(y).(uint64)))
	}
	product.Rsh(product, 8*uint(unsafe.Sizeof(x))) // towards minus infinity
	var low big.Int
	return T(low.And(product, new(big.Int).SetUint64(math.MaxUint64)).Uint64())
}

func integers[T integer](i *lir.Instr, x, y T) T {
	switch i.Op {
	case lir.Add:
		return x + y
	case lir.Sub:
		return x - y
	case lir.Mul:
		return x * y
	case lir.Div:
		return x / y
	case lir.AddSat:
		return saturated[T](int64(x) + int64(y))
	case lir.SubSat:
		return saturated[T](int64(x) - int64(y))
	case lir.MulHi:
		return mulHi(x, y)
	case lir.And:
		return x & y
	case lir.Or:
		return x | y
	case lir.Xor:
		return x ^ y
	case lir.Shl:
		return x << i.Imm
	case lir.Shr:
		return x >> i.Imm
	case lir.ShlBy:
		return x << uint64(y)
	case lir.ShrBy:
		return x >> uint64(y)
	case lir.Neg:
		return -x
	case lir.Min:
		return min(x, y)
	case lir.Max:
		return max(x, y)
	}
	panic(fmt.Sprintf("%v of integers", i.Op))
}
