//go:build goexperiment.simd && amd64

package vec

import "unsafe"

// This file has the innermost loop of a product of matrices for all threads of a block, for vectors of 256 bits. Four rows of two
// vectors have eight sums, two vectors of b and a number that is spread as it is loaded: eleven of sixteen registers, and four
// cycles for eight products of a processor that does two at once. Go 1.26 spreads a number in two instructions, of which one takes a
// place where products could begin, and has each sum moved to another register and back: a loop of its took three times as long.

// AddProductsF32x8 adds to the sums of rows of threads, of which row r has those from sums[r*threads] on: in each of n rounds a number that
// the row has in common times one that the threads at its place in all rows have in common. The number of row r in
// round i is a[first+r*(second-first)+i*aStep], that of thread x is b[from+i*bStep+x]. threads is a multiple of 8. Elements must exist;
// nothing is checked. Sums must not overlap a or b.
func AddProductsF32x8(sums, a []float32, first, second, aStep int, b []float32, from, bStep, rows, threads, n int) {
	p := productsAt(sums, a, first, second, aStep, b, from, bStep, threads, n)
	p.all(0, rows, threads*4)
}

// AddProductsFusedF32x8 is [AddProductsF32x8] with each product fused with its sum, as in [MulAddF32x8].
func AddProductsFusedF32x8(sums, a []float32, first, second, aStep int, b []float32, from, bStep, rows, threads, n int) {
	p := productsAt(sums, a, first, second, aStep, b, from, bStep, threads, n)
	p.all(fusedKind, rows, threads*4)
}

// AddProductsF64x4 is [AddProductsF32x8] for another type, and threads is a multiple of 4.
func AddProductsF64x4(sums, a []float64, first, second, aStep int, b []float64, from, bStep, rows, threads, n int) {
	p := productsAt(sums, a, first, second, aStep, b, from, bStep, threads, n)
	p.all(doubleKind, rows, threads*8)
}

// AddProductsFusedF64x4 is [AddProductsFusedF32x8] for another type, and threads is a multiple of 4.
func AddProductsFusedF64x4(sums, a []float64, first, second, aStep int, b []float64, from, bStep, rows, threads, n int) {
	p := productsAt(sums, a, first, second, aStep, b, from, bStep, threads, n)
	p.all(doubleKind|fusedKind, rows, threads*8)
}

// productsAt returns where these are.
//
//go:nocheckptr
func productsAt[E float32 | float64](sums, a []E, first, second, aStep int, b []E, from, bStep, threads, n int) productsOf {
	size := int(unsafe.Sizeof(*new(E)))
	return productsOf{
		sums: unsafe.Pointer(at[E](sums, 0)), sumRow: threads * size,
		a: unsafe.Pointer(at[E](a, first)), aRow: (second - first) * size, aStep: aStep * size,
		b: unsafe.Pointer(at[E](b, from)), bStep: bStep * size,
		n: n,
	}
}

// A productsOf is where the sums and factors of some rows are, all distances in bytes. Assembly reads it.
type productsOf struct {
	sums        unsafe.Pointer
	sumRow      int
	a           unsafe.Pointer
	aRow, aStep int
	b           unsafe.Pointer
	bStep       int
	n           int
	near        unsafe.Pointer // where vectors of b are kept, if they are
}

const (
	line       = 64       // bytes
	nearRounds = 128      // of b that are copied at a time
	nearStep   = 4 * line // and this for how far rounds are apart, in bytes, that need no copy
	fewRows    = 8        // for which a copy does not pay
)

// all adds the products of rows whose threads have so many bytes.
func (p *productsOf) all(kind productsKind, rows, bytes int) {
	if p.n <= 0 || rows <= 0 {
		return
	}
	for x := 0; x < bytes; x += line {
		q := *p
		q.sums, q.b = unsafe.Add(p.sums, x), unsafe.Add(p.b, x)
		switch {
		case x+line > bytes:
			q.rows(kind|oneVector, 0, rows)
		case rows < fewRows || -nearStep <= p.bStep && p.bStep <= nearStep:
			q.rows(kind, 0, rows)
		default:
			q.far(kind, rows)
		}
	}
}

// far is rows for rounds of b that are far apart. As the first rows read them, some at a time, they are copied to where they are
// neighbours, for the other rows: they are read from far away once, and don't compete for the same places in the cache. Of a matrix of 1024
// by 1024, whose lines share 16 of 1024 sets of the second-level cache of a Zen 3, 1024 rounds of sixteen rows of sixteen threads
// take 7.5 us so, 9 with a copy beforehand, which nothing goes on beside, and 5.5 if b is in the first-level cache.
func (p *productsOf) far(kind productsKind, rows int) {
	var near [nearRounds * line]byte
	q := *p
	q.near = unsafe.Pointer(&near)
	for i := 0; i < p.n; i += nearRounds {
		q.n = min(p.n-i, nearRounds)
		q.a, q.b, q.bStep = unsafe.Add(p.a, i*p.aStep), unsafe.Add(p.b, i*p.bStep), p.bStep
		first := kind.atOnce(rows)
		q.rows(kind|keepB, 0, first)
		q.b, q.bStep = q.near, line
		q.rows(kind, first, rows)
	}
}

// rows adds the products of the rows from first up to last, of one or two vectors.
func (p *productsOf) rows(kind productsKind, first, last int) {
	q := *p
	for r := first; r < last; {
		q.sums, q.a = unsafe.Add(p.sums, r*p.sumRow), unsafe.Add(p.a, r*p.aRow)
		many := kind.atOnce(last - r)
		switch many {
		case 6:
			q.add(kind | sixRows)
		case 4:
			q.add(kind)
		default:
			q.row(kind)
		}
		r += many
	}
}

// atOnce returns how many of the rows that are left go together: six, which read b less often, as long as fours remain.
func (k productsKind) atOnce(left int) int {
	switch {
	case k&oneVector == 0 && (left >= 12 || left >= 6 && (left-6)%4 < 2):
		return 6
	case left >= 4:
		return 4
	}
	return 1
}

// row is rows for one row, which goes as four that are the same. It takes no longer: its sums alone would wait for themselves.
func (p *productsOf) row(kind productsKind) {
	var four [4 * line]byte
	width := line
	if kind&oneVector != 0 {
		width = line / 2
	}
	sums := unsafe.Slice((*byte)(p.sums), width)
	copy(four[:], sums)
	q := *p
	q.sums, q.sumRow, q.aRow = unsafe.Pointer(&four), line, 0
	q.add(kind)
	copy(sums, four[:])
}

// A productsKind says which of the funcs in assembly it is.
type productsKind int

const (
	fusedKind  productsKind = 1 << iota
	doubleKind              // float64
	sixRows                 // rows, for four
	oneVector               // one vector, for two
	keepB                   // what is read of b, at near
)

// add adds the products of six rows or four.
func (p *productsOf) add(kind productsKind) {
	switch kind {
	case sixRows:
		sixTwo32(p)
	case sixRows | keepB:
		sixTwoKeep32(p)
	case 0:
		fourTwo32(p)
	case keepB:
		fourTwoKeep32(p)
	case oneVector:
		fourOne32(p)
	case fusedKind | sixRows:
		sixTwo32Fused(p)
	case fusedKind | sixRows | keepB:
		sixTwoKeep32Fused(p)
	case fusedKind:
		fourTwo32Fused(p)
	case fusedKind | keepB:
		fourTwoKeep32Fused(p)
	case fusedKind | oneVector:
		fourOne32Fused(p)
	case doubleKind | sixRows:
		sixTwo64(p)
	case doubleKind | sixRows | keepB:
		sixTwoKeep64(p)
	case doubleKind:
		fourTwo64(p)
	case doubleKind | keepB:
		fourTwoKeep64(p)
	case doubleKind | oneVector:
		fourOne64(p)
	case fusedKind | doubleKind | sixRows:
		sixTwo64Fused(p)
	case fusedKind | doubleKind | sixRows | keepB:
		sixTwoKeep64Fused(p)
	case fusedKind | doubleKind:
		fourTwo64Fused(p)
	case fusedKind | doubleKind | keepB:
		fourTwoKeep64Fused(p)
	case fusedKind | doubleKind | oneVector:
		fourOne64Fused(p)
	}
}

//go:noescape
func sixTwo32(p *productsOf)

//go:noescape
func sixTwoKeep32(p *productsOf)

//go:noescape
func fourTwo32(p *productsOf)

//go:noescape
func fourTwoKeep32(p *productsOf)

//go:noescape
func fourOne32(p *productsOf)

//go:noescape
func sixTwo32Fused(p *productsOf)

//go:noescape
func sixTwoKeep32Fused(p *productsOf)

//go:noescape
func fourTwo32Fused(p *productsOf)

//go:noescape
func fourTwoKeep32Fused(p *productsOf)

//go:noescape
func fourOne32Fused(p *productsOf)

//go:noescape
func sixTwo64(p *productsOf)

//go:noescape
func sixTwoKeep64(p *productsOf)

//go:noescape
func fourTwo64(p *productsOf)

//go:noescape
func fourTwoKeep64(p *productsOf)

//go:noescape
func fourOne64(p *productsOf)

//go:noescape
func sixTwo64Fused(p *productsOf)

//go:noescape
func sixTwoKeep64Fused(p *productsOf)

//go:noescape
func fourTwo64Fused(p *productsOf)

//go:noescape
func fourTwoKeep64Fused(p *productsOf)

//go:noescape
func fourOne64Fused(p *productsOf)
