package nesttest

import (
	"math/rand/v2"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Random nests over numbers of 8 and 16 bits, which are computed with in 32 bits as those of kernels
// are: conversions to small types wrap numbers around, divisions by constants are high halves of
// products, and sums are clamped.

// smallKinds are the kinds of the three slices of small numbers.
var smallKinds = []lir.Kind{lir.U8, lir.I8, lir.U16, lir.I16}

// Trips is the offset of the trip count of the loop in such a nest.
const Trips = argTrips

// NewSmall makes such a nest, and arguments for many threads.
func NewSmall(seed uint64, many int) (*lir.Nest, *Arguments) {
	r := rand.New(rand.NewPCG(seed, 11))
	k := smallKinds[r.IntN(2)]
	if r.IntN(2) == 0 {
		k = smallKinds[r.IntN(4)]
	}
	a := &Arguments{Ints: map[int]int{0: many, argZero: 0, argTrips: r.IntN(4), argEvery: 2 * k.Size(), argEvery + 8: -k.Size()}, Bits: map[int]uint64{}, Slices: map[int][]byte{}}
	m := &smaller{r: r, k: k, n: &lir.Nest{Name: "small", Parts: 1, Size: 4, Bounds: []string{"rounds"}}}
	for i, base := range []int{argIn, argMore, argOut} {
		data := make([]byte, rowBytes)
		for i := range data {
			if data[i] = byte(r.Uint32()); r.IntN(3) == 0 {
				data[i] = byte(r.IntN(3) - 1)
			}
		}
		a.Slices[base], a.Ints[argOff+8*i] = data, 4096+16*i
		m.n.Groups = append(m.n.Groups, lir.Group{Base: base, Off: argOff + 8*i, Size: k.Size()})
	}
	for i := range 3 {
		a.Bits[argNumber+8*i] = uint64(uint32(r.IntN(40) - 8))
		if r.IntN(4) == 0 {
			a.Bits[argNumber+8*i] = uint64(r.Uint32())
		}
	}
	for i := range 4 {
		a.Ints[argBound+8*i] = r.IntN(many + 1)
	}
	m.list = &m.n.Body
	m.block(12)
	sum := m.constant(0)
	v := m.do(lir.Instr{Op: lir.Move, Kind: lir.I32}, sum)
	m.nested(func() *[]lir.Node {
		l := &lir.Loop{Trips: lir.Scalar{Off: argTrips}, Steps: []lir.Step{{Group: 0, Const: k.Size(), Off: -1}}}
		*m.list = append(*m.list, l)
		return &l.Body
	}, func() {
		*m.list = append(*m.list, &lir.Instr{Op: lir.Add, Kind: lir.I32, Dst: v, X: v, Y: m.load(), Bound: 1})
	})
	m.values = append(m.values, v)
	m.block(10)
	for range 3 {
		x := m.wrapped(m.pick())
		*m.list = append(*m.list, &lir.Instr{Op: lir.Store, Kind: lir.I32, From: k, X: x, On: m.mask(), Mem: lir.Mem{Group: 2, Disp: 8 * many * m.r.IntN(3)}})
	}
	return m.n, a
}

// A smaller makes a nest.
type smaller struct {
	r      *rand.Rand
	k      lir.Kind // of the numbers in memory
	n      *lir.Nest
	list   *[]lir.Node
	values []lir.Value
	masks  []lir.Value
	vars   []lir.Value // values that are assigned several times
	sums   []lir.Value // of loaded numbers and variables, to be clamped later
}

func (m *smaller) do(i lir.Instr, args ...lir.Value) lir.Value {
	i.Dst = m.n.New(i.Kind)
	for j, a := range args {
		*[]*lir.Value{&i.X, &i.Y, &i.Z}[j] = a
	}
	*m.list = append(*m.list, &i)
	return i.Dst
}

func (m *smaller) constant(n int) lir.Value {
	return m.do(lir.Instr{Op: lir.Const, Kind: lir.I32, Imm: uint64(uint32(n))})
}

func (m *smaller) pick() lir.Value { return pick(m.r, m.values) }

// mask is a mask, or 0.
func (m *smaller) mask() lir.Value {
	if len(m.masks) == 0 || m.r.IntN(3) > 0 {
		return 0
	}
	return pick(m.r, m.masks)
}

// nested makes a list of a loop or a branch. Values and masks that are made there are known only there.
func (m *smaller) nested(open func() *[]lir.Node, inside func()) {
	outer, values, masks, vars, sums := m.list, len(m.values), len(m.masks), len(m.vars), len(m.sums)
	m.list = open()
	inside()
	m.list, m.values, m.masks, m.vars, m.sums = outer, m.values[:values], m.masks[:masks], m.vars[:vars], m.sums[:sums]
}

// load makes a load of a number, perhaps of every second one, or in reverse order.
func (m *smaller) load() lir.Value {
	mem := lir.Mem{Group: m.r.IntN(2), Disp: m.k.Size() * (m.r.IntN(7) - 3)}
	switch m.r.IntN(8) {
	case 0:
		mem.Uniform = true
		return m.do(lir.Instr{Op: lir.Broadcast, Kind: lir.I32, From: m.k, Mem: mem})
	case 1:
		mem.Stride = argEvery
		apart := m.do(lir.Instr{Op: lir.Strides, Kind: lir.I32, Mem: lir.Mem{Disp: argEvery}})
		return m.do(lir.Instr{Op: lir.Gather, Kind: lir.I32, From: m.k, Every: 2, Mem: mem}, apart)
	case 2:
		mem.Stride = argEvery + 8
		apart := m.do(lir.Instr{Op: lir.Strides, Kind: lir.I32, Mem: lir.Mem{Disp: argEvery + 8}})
		return m.do(lir.Instr{Op: lir.Gather, Kind: lir.I32, From: m.k, Every: -1, Mem: mem}, apart)
	}
	return m.do(lir.Instr{Op: lir.Load, Kind: lir.I32, From: m.k, On: m.mask(), Mem: mem})
}

// wrapped is a number converted to the kind in memory.
func (m *smaller) wrapped(v lir.Value) lir.Value {
	bits := 8 * m.k.Size()
	if m.k == lir.U8 || m.k == lir.U16 {
		return m.do(lir.Instr{Op: lir.And, Kind: lir.I32}, v, m.constant(1<<bits-1))
	}
	up := m.do(lir.Instr{Op: lir.Shl, Kind: lir.I32, Imm: uint64(32 - bits)}, v)
	return m.do(lir.Instr{Op: lir.Shr, Kind: lir.I32, Imm: uint64(32 - bits)}, up)
}

// assign gives a variable another value, if there is one.
func (m *smaller) assign() {
	if len(m.vars) > 0 {
		*m.list = append(*m.list, &lir.Instr{Op: lir.Move, Kind: lir.I32, Dst: pick(m.r, m.vars), X: m.wrapped(m.pick())})
	}
}

// quotient is v/d as the compiler divides by constants (Hacker's Delight, 10-1).
func (m *smaller) quotient(v lir.Value, d int) lir.Value {
	shift := 0
	for 1<<(shift+1) < d {
		shift++
	}
	factor := (1<<(32+shift))/d + 1 // exact for numbers of 16 bits
	for factor >= 1<<31 {
		shift--
		factor = (1<<(32+shift))/d + 1
	}
	q := m.do(lir.Instr{Op: lir.MulHi, Kind: lir.I32}, v, m.constant(factor))
	if m.r.IntN(8) == 0 {
		m.assign()
	}
	if shift > 0 {
		q = m.do(lir.Instr{Op: lir.Shr, Kind: lir.I32, Imm: uint64(shift)}, q)
	}
	sign := m.do(lir.Instr{Op: lir.Shr, Kind: lir.I32, Imm: 31}, v)
	return m.do(lir.Instr{Op: lir.Sub, Kind: lir.I32}, q, sign)
}

// sum makes a sum or a difference of x and a loaded number.
func (m *smaller) sum(x lir.Value) {
	m.sums = append(m.sums, m.do(lir.Instr{Op: pick(m.r, []lir.Op{lir.Add, lir.Sub}), Kind: lir.I32}, x, m.load()))
}

// block makes statements.
func (m *smaller) block(many int) {
	if len(m.values) == 0 {
		m.values = append(m.values, m.load(), m.load(), m.constant(m.r.IntN(300)-40))
	}
	add := func(v lir.Value) { m.values = append(m.values, v) }
	for range many {
		switch m.r.IntN(16) {
		case 0, 1:
			add(m.load())
		case 2:
			add(m.constant(m.r.IntN(300) - 40))
		case 3:
			add(m.do(lir.Instr{Op: lir.Arg, Kind: lir.I32, Mem: lir.Mem{Disp: argNumber + 8*m.r.IntN(3)}}))
		case 4, 5:
			op := pick(m.r, []lir.Op{lir.Add, lir.Sub, lir.Mul, lir.And, lir.Or, lir.Xor, lir.Min, lir.Max, lir.Add, lir.Sub})
			add(m.do(lir.Instr{Op: op, Kind: lir.I32}, m.pick(), m.pick()))
		case 6:
			op := pick(m.r, []lir.Op{lir.Shl, lir.Shr})
			add(m.do(lir.Instr{Op: op, Kind: lir.I32, Imm: uint64(m.r.IntN(10))}, m.pick()))
		case 7:
			add(m.wrapped(m.pick()))
		case 8:
			m.masks = append(m.masks, m.do(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: lir.I32, Pred: lir.Pred(m.r.IntN(6))}, m.pick(), m.pick()))
		case 9:
			if x := m.mask(); x != 0 {
				add(m.do(lir.Instr{Op: lir.Select, Kind: lir.I32}, x, m.pick(), m.pick()))
			}
		case 10:
			of := m.wrapped(m.pick())
			if len(m.vars) > 0 && m.r.IntN(2) == 0 {
				of = pick(m.r, m.vars)
			}
			add(m.quotient(of, 3+2*m.r.IntN(40)))
		case 11: // a sum, clamped to the integers of a kind or to nearly these
			lo, hi := 0, 1<<(8*m.k.Size())-1
			if m.k == lir.I8 || m.k == lir.I16 {
				lo, hi = -1<<(8*m.k.Size()-1), 1<<(8*m.k.Size()-1)-1
			}
			lo += m.r.IntN(8) / 7
			if len(m.sums) == 0 || m.r.IntN(3) == 0 {
				m.sum(m.load())
			}
			sum := pick(m.r, m.sums)
			v := m.do(lir.Instr{Op: lir.Min, Kind: lir.I32}, sum, m.constant(hi))
			add(m.do(lir.Instr{Op: lir.Max, Kind: lir.I32}, m.constant(lo), v))
		case 13:
			v := m.do(lir.Instr{Op: lir.Move, Kind: lir.I32}, m.load())
			m.vars = append(m.vars, v)
			add(v)
			m.sum(v)
		case 14:
			m.assign()
		case 15:
			if len(m.vars) > 0 {
				m.sum(pick(m.r, m.vars))
			}
		case 12:
			x := m.mask()
			if x == 0 {
				continue
			}
			old := m.do(lir.Instr{Op: lir.Move, Kind: lir.I32}, m.pick())
			m.nested(func() *[]lir.Node {
				w := &lir.When{Any: []lir.Value{x}}
				*m.list = append(*m.list, w)
				return &w.Then
			}, func() {
				m.block(3)
				*m.list = append(*m.list, &lir.Instr{Op: lir.Select, Kind: lir.I32, Dst: old, X: x, Y: m.pick(), Z: old})
			})
			add(old)
		}
	}
}
