package nesttest

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Random nests. Threads load elements of two slices, compute with branches, masks and nested loops,
// and store to elements of their own in a third slice. The same seed gives the same program in
// every shape.

// Offsets in the struct of arguments.
const (
	argIn, argMore, argOut = 8, 32, 56   // slices
	argOff                 = 80          // offsets in bytes, one for each slice
	argTrips               = argOff + 24 // small trip counts, some of them 0
	argBound               = argTrips + 24
	argZero                = argBound + 32
	argNumber              = argZero + 8 // 32-bit numbers
	// strides between threads, in bytes and in elements: those of everies
	argEvery = argNumber + 24
)

// rowBytes is the size of each slice.
const rowBytes = 1 << 14

// NewArguments returns random arguments for many threads and elements of kind k.
func NewArguments(r *rand.Rand, k lir.Kind, many int) *Arguments {
	size := k.Size()
	a := &Arguments{Ints: map[int]int{0: many}, Bits: map[int]uint64{}, Slices: map[int][]byte{}}
	number := func() uint64 {
		switch n := r.IntN(200) - 100; k {
		case lir.F32:
			return uint64(math.Float32bits(float32(n) / 8))
		case lir.F64:
			return math.Float64bits(float64(n) / 8)
		default:
			return uint64(uint32(n))
		}
	}
	for _, s := range []int{argIn, argMore, argOut} {
		data := make([]byte, rowBytes)
		for i := 0; i < len(data); i += size {
			v := number()
			for j := range size {
				data[i+j] = byte(v >> (8 * j))
			}
		}
		a.Slices[s] = data
	}
	for i := range 3 {
		a.Ints[argOff+8*i] = 256 + size*r.IntN(16)
		a.Ints[argTrips+8*i] = r.IntN(5) - 1
		a.Bits[argNumber+8*i] = number()
	}
	for i := range 4 {
		a.Ints[argBound+8*i] = r.IntN(many + 1)
	}
	a.Ints[argZero] = 0
	for i, every := range everies {
		a.Ints[argEvery+16*i], a.Ints[argEvery+16*i+8] = every*size, every
	}
	return a
}

// everies are the small strides between threads, in elements.
var everies = []int{-1, 2, 3, 4, 5, 9}

type maker struct {
	r      *rand.Rand
	n      *lir.Nest
	k      lir.Kind
	list   *[]lir.Node
	on     []lir.Value // nil if all lanes are active
	values [][]lir.Value
	masks  [][]lir.Value
	sums   [][]lir.Value // the registers of variables
	loops  []*lir.Loop
	stores int
	depth  int
	plain  bool // no records

	strides []lir.Value // the lane offsets, by the index of the stride
}

// New makes a random nest of elements of kind k, with so many parts, or masked.
func New(seed uint64, k lir.Kind, parts int, masked bool) *lir.Nest {
	m := &maker{r: rand.New(rand.NewPCG(seed, 7)), k: k, n: &lir.Nest{Name: "random", Parts: parts, Masked: masked, Size: k.Size(), Deep: seed%2 == 0}}
	for i, base := range []int{argIn, argMore, argOut} {
		m.n.Groups = append(m.n.Groups, lir.Group{Base: base, Off: argOff + 8*i, Size: k.Size()})
	}
	if masked {
		m.n.Lanes = m.n.New(lir.Mask)
		m.on = []lir.Value{m.n.Lanes}
	}
	m.list = &m.n.Body
	for which := range everies {
		index := lir.I32
		if k.Size() == 8 {
			index = lir.I64
		}
		v := m.n.New(index)
		m.n.Body = append(m.n.Body, &lir.Instr{Op: lir.Strides, Kind: index, Dst: v, Mem: lir.Mem{Disp: argEvery + 16*which + 8}})
		m.strides = append(m.strides, v)
	}
	m.constant()
	m.load()
	m.compare()
	m.block(6 + m.r.IntN(10))
	m.store()
	return m.n
}

// NewPlane makes a random nest whose outermost loop is the rows of a plane, each of which is stored to
// elements of its own.
func NewPlane(seed uint64, k lir.Kind, parts int, masked bool) *lir.Nest {
	m := &maker{r: rand.New(rand.NewPCG(seed, 8)), k: k, plain: true, n: &lir.Nest{Name: "plane", Parts: parts, Masked: masked, Size: k.Size()}}
	for i, base := range []int{argIn, argMore, argOut} {
		m.n.Groups = append(m.n.Groups, lir.Group{Base: base, Off: argOff + 8*i, Size: k.Size()})
	}
	if masked {
		m.n.Lanes = m.n.New(lir.Mask)
		m.on = []lir.Value{m.n.Lanes}
	}
	m.list = &m.n.Body
	m.constant()
	m.number()
	if m.r.IntN(3) == 0 { // something to compute once for all rows
		m.load()
	}
	const rowBytes = 512
	carried := seed%2 == 0 // a variable goes from row to row
	var sum []lir.Value
	if carried {
		sum = m.emit(lir.Instr{Op: lir.Move}, pick(m.r, m.values))
	}
	l := &lir.Loop{Trips: lir.Scalar{Off: argTrips + 8*m.r.IntN(3)}, Steps: []lir.Step{
		{Group: 0, Const: m.k.Size() * (m.r.IntN(5) - 2), Off: -1}, {Group: 1, Off: argOff + 8*m.r.IntN(3)}, {Group: 2, Const: rowBytes, Off: -1},
	}}
	m.loops = append(m.loops, l)
	m.stores, m.depth = 8, 2 // no other stores, and no loops
	outer := m.list
	m.list = &l.Body
	m.load()
	m.compare()
	m.block(4 + m.r.IntN(8))
	m.load()
	if carried {
		m.emitTo(sum, lir.Instr{Op: lir.Add}, sum, m.values[len(m.values)-1])
		m.values = [][]lir.Value{sum}
	}
	m.stores = 0
	m.store()
	m.list = outer
	m.n.Body = append(m.n.Body, l)
	return m.n
}

func (m *maker) emit(i lir.Instr, args ...[]lir.Value) []lir.Value { return m.emitTo(nil, i, args...) }

// emitTo emits an instruction for each part.
func (m *maker) emitTo(to []lir.Value, i lir.Instr, args ...[]lir.Value) []lir.Value {
	if i.Kind == lir.None {
		i.Kind = m.k
	}
	fresh := to == nil
	if fresh {
		to = make([]lir.Value, m.n.Parts)
	}
	for p := range to {
		x := i
		for j, a := range args {
			*[]*lir.Value{&x.X, &x.Y, &x.Z}[j] = a[p]
		}
		if fresh {
			to[p] = m.n.New(i.Kind)
		}
		x.Dst, x.Part, x.Mem.Part = to[p], p, p
		if x.InMemory() && m.on != nil {
			x.On = m.on[p%len(m.on)]
		}
		if x.Op == lir.Most || x.Op == lir.MulHi {
			x.Temps = []lir.Value{m.n.New(i.Kind), m.n.New(i.Kind)}
		}
		*m.list = append(*m.list, &x)
	}
	return to
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func (m *maker) constant() {
	bits := uint64(uint32(m.r.IntN(40) - 20))
	switch f := float64(m.r.IntN(40)-20) / 4; m.k {
	case lir.F32:
		bits = uint64(math.Float32bits(float32(f)))
	case lir.F64:
		bits = math.Float64bits(f)
	}
	m.values = append(m.values, m.emit(lir.Instr{Op: lir.Const, Imm: bits}))
}

func (m *maker) load() {
	group := m.r.IntN(2)
	i := lir.Instr{Op: lir.Load, Mem: lir.Mem{Group: group, Disp: m.k.Size() * (m.r.IntN(9) - 4)}}
	if m.r.IntN(4) == 0 {
		i.Op, i.Mem.Uniform = lir.Broadcast, true
	}
	on := m.on
	if i.Op == lir.Broadcast {
		m.on = nil
	}
	m.values = append(m.values, m.emit(i))
	m.on = on
}

// fields loads some fields of a record of each thread, or stores some or all of them, at offsets
// that no other store uses.
func (m *maker) fields() {
	which := m.r.IntN(len(everies))
	every, size := everies[which], m.k.Size()
	i := lir.Instr{Op: lir.Gather, Every: every, Mem: lir.Mem{Group: m.r.IntN(2), Disp: 512 + size*(m.r.IntN(9)-4), Stride: argEvery + 16*which}}
	if store := m.stores < 7 && m.r.IntN(2) == 0; store && every <= 4 {
		i.Op, i.Mem.Group, i.Mem.Disp = lir.Scatter, 2, 1024*m.stores+512
		m.stores += 2
	}
	strides := m.strides[which]
	each := slices.Repeat([]lir.Value{strides}, m.n.Parts)
	few := m.r.IntN(3) == 0
	for f := range max(1, every) {
		if few && m.r.IntN(2) == 0 {
			continue
		}
		x := i
		x.Mem.Disp += f * size
		if x.Op == lir.Gather {
			m.values = append(m.values, m.emit(x, each))
			continue
		}
		from := pick(m.r, m.values)
		for p := range m.n.Parts {
			x := x
			x.Kind, x.X, x.Y, x.Mem.Part = m.k, from[p], strides, p
			if m.on != nil {
				x.On = m.on[p%len(m.on)]
			}
			*m.list = append(*m.list, &x)
		}
	}
}

// store stores at an offset that no other store uses, or does an atomic operation there, with
// neighbouring threads at neighbouring elements.
func (m *maker) store() {
	if m.stores > 7 {
		return
	}
	i := lir.Instr{Op: lir.Store, Mem: lir.Mem{Group: 2, Disp: 1024 * m.stores}}
	m.stores++
	x := pick(m.r, append(slices.Clone(m.values), m.sums...))
	var at []lir.Value
	if m.r.IntN(2) == 0 {
		at = m.update(&i)
	}
	for p := range m.n.Parts {
		i := i
		i.Kind, i.X, i.Mem.Part = m.k, x[p], p
		if at != nil {
			i.Y = at[p]
		}
		if m.on != nil {
			i.On = m.on[p%len(m.on)]
		}
		*m.list = append(*m.list, &i)
	}
}

// update makes a store an atomic operation whose result does not depend on the order of threads: on
// elements of each thread's own, on one shared element, or on one of sixteen, whose indices it
// returns.
func (m *maker) update(i *lir.Instr) (at []lir.Value) {
	i.Op, i.By = lir.Atomic, lir.Add
	if !m.k.IsFloat() {
		i.By = pick(m.r, []lir.Op{lir.Add, lir.And, lir.Or, lir.Xor, lir.Min, lir.Max})
	}
	i.Own = i.By != lir.Min && i.By != lir.Max && m.r.IntN(2) == 0
	switch where := m.r.IntN(3); {
	case where == 0 && (!m.k.IsFloat() || len(m.loops) == 0):
		i.Mem.Uniform = true
	case where == 1 && m.k == lir.I32:
		i.Imm, i.Mem.Stride = 1, argZero
		fifteen := m.emit(lir.Instr{Op: lir.Const, Imm: 15})
		at = m.emit(lir.Instr{Op: lir.And}, pick(m.r, m.values), fifteen)
	}
	return at
}

func (m *maker) compare() {
	preds := []lir.Pred{lir.Eq, lir.Ne, lir.Lt, lir.Le, lir.Gt, lir.Ge}
	var mask []lir.Value
	switch c := m.r.IntN(6); {
	case c == 0 || len(m.masks) == 0:
		bound := func() lir.Scalar { return lir.Scalar{Off: argBound + 8*m.r.IntN(4)} }
		mask = m.emit(lir.Instr{Op: lir.Within, Kind: lir.Mask, Bounds: [2]lir.Scalar{bound(), bound()}})
	case c == 1:
		mask = m.emit(lir.Instr{Op: lir.Whole, Kind: lir.Mask, Bounds: [2]lir.Scalar{m.scalar(argTrips)}})
	case c == 2:
		op := pick(m.r, []lir.Op{lir.MaskAnd, lir.MaskOr, lir.MaskNot})
		mask = m.emit(lir.Instr{Op: op, Kind: lir.Mask}, pick(m.r, m.masks), pick(m.r, m.masks))
	default:
		mask = m.emit(lir.Instr{Op: lir.Cmp, Kind: lir.Mask, From: m.k, Pred: pick(m.r, preds)}, pick(m.r, m.values), pick(m.r, m.values))
	}
	m.masks = append(m.masks, mask)
}

// scalar is an argument, plus a term of an enclosing loop.
func (m *maker) scalar(arg int) lir.Scalar {
	s := lir.Scalar{Off: arg + 8*m.r.IntN(3)}
	if len(m.loops) > 0 && m.r.IntN(2) == 0 {
		s.Terms = append(s.Terms, lir.Term{Loop: pick(m.r, m.loops), Const: m.r.IntN(5) - 2, Off: -1})
	}
	return s
}

func (m *maker) operation() {
	var ops []lir.Op
	switch {
	case m.k.IsFloat():
		ops = []lir.Op{lir.Add, lir.Sub, lir.Mul, lir.Neg, lir.Abs, lir.Floor, lir.Ceil, lir.Trunc, lir.RoundToEven, lir.Least, lir.Most, lir.Add, lir.Sub, lir.Mul}
	default:
		ops = []lir.Op{lir.Add, lir.Sub, lir.Mul, lir.And, lir.Or, lir.Xor, lir.Shl, lir.Shr, lir.Neg, lir.Min, lir.Max, lir.MulHi}
	}
	i := lir.Instr{Op: pick(m.r, ops)}
	if i.Op == lir.MulHi && m.k == lir.I64 {
		i.Op = lir.Mul
	}
	x, y := pick(m.r, m.values), pick(m.r, m.values)
	switch i.Op {
	case lir.Shl, lir.Shr:
		i.Imm = uint64(m.r.IntN(31))
		m.values = append(m.values, m.emit(i, x))
	case lir.Neg, lir.Abs, lir.Floor, lir.Ceil, lir.Trunc, lir.RoundToEven:
		m.values = append(m.values, m.emit(i, x))
	case lir.MulHi:
		c := m.emit(lir.Instr{Op: lir.Const, Imm: m.r.Uint64() >> (64 - 8*m.k.Size())})
		for p := range c {
			c[p] = c[0]
		}
		m.values = append(m.values, m.emit(i, x, c))
	default:
		m.values = append(m.values, m.emit(i, x, y))
	}
}

// block makes so many statements, whose values and masks are in scope in the block only.
func (m *maker) block(many int) {
	values, masks, sums := slices.Clone(m.values), slices.Clone(m.masks), slices.Clone(m.sums)
	for range many {
		switch c := m.r.IntN(19); {
		case c >= 16 && !m.plain:
			m.fields()
		case c < 2:
			m.load()
		case c < 3:
			m.constant()
		case c < 5:
			m.compare()
		case c < 6:
			m.values = append(m.values, m.emit(lir.Instr{Op: lir.Select}, pick(m.r, m.masks), pick(m.r, m.values), pick(m.r, m.values)))
		case c < 7:
			m.store()
		case c < 8:
			m.number()
		case c < 10 && m.depth < 3:
			m.branch()
		case c < 12 && m.depth < 2:
			m.loop()
		default:
			m.operation()
		}
	}
	m.values, m.masks, m.sums = values, masks, sums
}

func (m *maker) number() {
	m.values = append(m.values, m.emit(lir.Instr{Op: lir.Arg, Mem: lir.Mem{Disp: argNumber + 8*m.r.IntN(3)}}))
}

// inside makes the statements of a branch or of a loop.
func (m *maker) inside(many int) []lir.Node {
	var list []lir.Node
	outer := m.list
	m.list = &list
	m.depth++
	m.block(many)
	m.depth--
	m.list = outer
	return list
}

func (m *maker) branch() {
	w := &lir.When{}
	on := m.on
	if m.r.IntN(2) == 0 {
		w.Conds = []lir.Scalar{m.scalar(argTrips)}
	} else {
		mask := pick(m.r, m.masks)
		if on != nil {
			both := make([]lir.Value, m.n.Parts)
			for p := range both {
				both[p] = m.n.New(lir.Mask)
				*m.list = append(*m.list, &lir.Instr{Op: lir.MaskAnd, Kind: lir.Mask, Dst: both[p], X: mask[p], Y: on[p%len(on)]})
			}
			mask = both
		}
		w.Any, m.on = slices.Clone(mask), mask
	}
	w.Then = m.inside(1 + m.r.IntN(4))
	m.on = on
	if len(w.Any) == 0 && m.r.IntN(2) == 0 {
		w.Else = m.inside(1 + m.r.IntN(3))
	}
	*m.list = append(*m.list, w)
}

// loop makes a loop that updates a variable, which is in scope behind the loop.
func (m *maker) loop() {
	sum := m.emit(lir.Instr{Op: lir.Move}, pick(m.r, m.values))
	l := &lir.Loop{Trips: m.scalar(argTrips)}
	for g := range 2 {
		switch m.r.IntN(3) {
		case 0:
			l.Steps = append(l.Steps, lir.Step{Group: g, Const: m.k.Size() * (m.r.IntN(5) - 2), Off: -1})
		case 1:
			l.Steps = append(l.Steps, lir.Step{Group: g, Off: argOff + 8*m.r.IntN(3)})
		}
	}
	m.loops = append(m.loops, l)
	values := m.values
	m.values = append(slices.Clone(values), sum)
	stores := m.stores
	m.stores = 8 // iterations would store to the same element; another test covers that
	l.Body = m.inside(1 + m.r.IntN(4))
	m.stores = stores
	m.values = values
	outer := m.list
	m.list = &l.Body
	x, op := pick(m.r, values), pick(m.r, []lir.Op{lir.Add, lir.Sub})
	if m.r.IntN(2) == 0 { // a value loaded in this iteration
		values := m.values
		m.load()
		x = m.values[len(m.values)-1]
		m.values = values
	}
	if m.on != nil {
		next := m.emit(lir.Instr{Op: op}, sum, x)
		on := make([]lir.Value, m.n.Parts)
		for p := range on {
			on[p] = m.on[p%len(m.on)]
		}
		m.emitTo(sum, lir.Instr{Op: lir.Select}, on, next, sum)
	} else {
		m.emitTo(sum, lir.Instr{Op: op}, sum, x)
	}
	m.list = outer
	m.loops = m.loops[:len(m.loops)-1]
	*m.list = append(*m.list, l)
	m.sums = append(m.sums, sum)
	m.values = append(m.values, sum)
}
