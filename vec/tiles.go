//go:build goexperiment.simd && amd64

package vec

import "unsafe"

// This file is for products in tiles: a loop that copies a tile of each matrix in every round, and adds up products of what
// the tiles have. But for the copies of the last round nothing else sees them, so the numbers can as well be read where they come
// from; then the sums stay in registers from round to round. A product of 1024 by 1024 took 0.63 of the time so (two workers of a Zen 4).

// A Tile is what a round copies with [CopyRowsOnce], by its arguments.
type Tile struct {
	d, s       unsafe.Pointer // the first rows
	dRow, sRow int            // how many bytes later the next one is
	by         int            // how many bytes later the rows of the next round are that are copied
	rows       int
	bytes      int // in a row
}

// TileOf returns the tile that CopyRowsOnce copies.
//
//go:nocheckptr
func TileOf[E any](d []E, i, iNext int, s []E, j, jNext, by, rows, width int) Tile {
	size := int(unsafe.Sizeof(*new(E)))
	return Tile{
		d: unsafe.Pointer(at[E](d, i)), dRow: (iNext - i) * size,
		s: unsafe.Pointer(at[E](s, j)), sRow: (jNext - j) * size,
		by: by * size, rows: rows, bytes: width * size,
	}
}

// Tiles are those of a loop. Next leads through its rounds: first through none, in which the sums of products are only
// looked at, and if each reads nothing but tiles through all, many at a time.
type Tiles struct {
	tiles  []Tile
	looked bool
	left   int // rounds
	now    int // of which these are next
	done   int
	most   int // at a time
}

// atOnce is how many bytes of the tiles' sources are read before they are read again for other rows: they should stay in the
// second-level cache.
const atOnce = 128 << 10

// NewTiles returns the tiles of a loop of so many rounds.
func NewTiles(rounds int, tiles ...Tile) Tiles {
	bytes := 1
	for i := range tiles {
		a := &tiles[i]
		if a.dRow < a.bytes || a.rows <= 0 || a.bytes <= 0 {
			rounds = 0 // its rows overlap
		}
		bytes += a.rows * a.bytes
		for j := range tiles[:i] {
			if b := &tiles[j]; uintptr(a.d) < uintptr(b.d)+uintptr(b.rows*b.dRow) && uintptr(b.d) < uintptr(a.d)+uintptr(a.rows*a.dRow) {
				rounds = 0 // one is copied over the other
			}
		}
	}
	return Tiles{tiles: tiles, left: max(rounds, 0), most: max(atOnce/bytes, 1)}
}

// Next goes on to the next rounds, and reports whether there are any.
func (t *Tiles) Next() bool {
	if !t.looked {
		t.looked = true
		return t.left > 0
	}
	t.done += t.now
	t.left -= t.now
	t.now = min(t.left, t.most)
	return t.now > 0
}

// Done returns how many rounds Next has led through.
func (t *Tiles) Done() int { return t.done }

// apart returns how many rows and bytes the last of n numbers lies behind the first one, if they are by bytes apart, and how far
// apart they are where they come from.
func (a *Tile) apart(by, n int) (down, across, source int) {
	if by == a.dRow {
		return n - 1, 0, a.sRow
	}
	return 0, (n - 1) * by, by
}

// find returns the tile that has n numbers at p, step bytes apart, in each of some rows, row bytes apart, and where it has them from in
// the first round.
func (t *Tiles) find(p unsafe.Pointer, row, rows, step, n, size int) (tile *Tile, s unsafe.Pointer, sRow, sStep int) {
	for i := range t.tiles {
		a := &t.tiles[i]
		at := int(uintptr(p) - uintptr(a.d))
		if at < 0 || at >= a.rows*a.dRow {
			continue
		}
		down, across := at/a.dRow, at%a.dRow
		rowDown, rowAcross, sRow := a.apart(row, rows)
		stepDown, stepAcross, sStep := a.apart(step, n)
		if row < 0 || step < 0 || down+rowDown+stepDown >= a.rows || across+rowAcross+stepAcross+size > a.bytes {
			return nil, nil, 0, 0
		}
		return a, unsafe.Add(a.s, down*a.sRow+across), sRow, sStep
	}
	return nil, nil, 0, 0
}

// look leaves no rounds unless the numbers of a sum, each of size bytes, and its vectors are in tiles.
func (t *Tiles) look(a unsafe.Pointer, row, aStep int, b unsafe.Pointer, bStep, rows, n, size, vector int) {
	if n <= 0 || t.left == 0 {
		t.left = 0
		return
	}
	if tile, _, _, _ := t.find(a, row, rows, aStep, n, size); tile == nil {
		t.left = 0
	}
	if tile, _, _, _ := t.find(b, bStep, n, 0, 1, vector); tile == nil {
		t.left = 0
	}
}

// ProductsF32x16 does what [ProductsF32x16] does with these arguments in the rounds that are next.
//
//go:nocheckptr
func (t *Tiles) ProductsF32x16(sums *[16]float32, sumRow int, a *float32, row, aStep int, b *[16]float32, bStep, rows, n int) {
	if t.now == 0 {
		t.look(unsafe.Pointer(a), row, aStep, unsafe.Pointer(b), bStep, rows, n, 4, 64)
		return
	}
	ta, sa, sRow, saStep := t.find(unsafe.Pointer(a), row, rows, aStep, n, 4)
	tb, sb, sbStep, _ := t.find(unsafe.Pointer(b), bStep, n, 0, 1, 64)
	rounds := 1
	if ta.by == n*saStep && tb.by == n*sbStep {
		rounds = t.now // one goes on where the other ends
	}
	for k := t.done; k < t.done+t.now; k += rounds {
		ProductsF32x16(sums, sumRow, (*float32)(unsafe.Add(sa, k*ta.by)), sRow, saStep, (*[16]float32)(unsafe.Add(sb, k*tb.by)), sbStep, rows, rounds*n)
	}
}

// ProductsF64x8 is ProductsF32x16 for another type.
//
//go:nocheckptr
func (t *Tiles) ProductsF64x8(sums *[8]float64, sumRow int, a *float64, row, aStep int, b *[8]float64, bStep, rows, n int) {
	if t.now == 0 {
		t.look(unsafe.Pointer(a), row, aStep, unsafe.Pointer(b), bStep, rows, n, 8, 64)
		return
	}
	ta, sa, sRow, saStep := t.find(unsafe.Pointer(a), row, rows, aStep, n, 8)
	tb, sb, sbStep, _ := t.find(unsafe.Pointer(b), bStep, n, 0, 1, 64)
	rounds := 1
	if ta.by == n*saStep && tb.by == n*sbStep {
		rounds = t.now
	}
	for k := t.done; k < t.done+t.now; k += rounds {
		ProductsF64x8(sums, sumRow, (*float64)(unsafe.Add(sa, k*ta.by)), sRow, saStep, (*[8]float64)(unsafe.Add(sb, k*tb.by)), sbStep, rows, rounds*n)
	}
}

// AddProductsF32x8 does what [AddProductsF32x8] does with these arguments in the rounds that are next.
func (t *Tiles) AddProductsF32x8(sums, a []float32, first, second, aStep int, b []float32, from, bStep, rows, threads, n int) {
	p := productsAt(sums, a, first, second, aStep, b, from, bStep, threads, n)
	t.addProducts(&p, 0, rows, threads*4)
}

// AddProductsFusedF32x8 does what [AddProductsFusedF32x8] does with these arguments in the rounds that are next.
func (t *Tiles) AddProductsFusedF32x8(sums, a []float32, first, second, aStep int, b []float32, from, bStep, rows, threads, n int) {
	p := productsAt(sums, a, first, second, aStep, b, from, bStep, threads, n)
	t.addProducts(&p, fusedKind, rows, threads*4)
}

// AddProductsF64x4 does what [AddProductsF64x4] does with these arguments in the rounds that are next.
func (t *Tiles) AddProductsF64x4(sums, a []float64, first, second, aStep int, b []float64, from, bStep, rows, threads, n int) {
	p := productsAt(sums, a, first, second, aStep, b, from, bStep, threads, n)
	t.addProducts(&p, doubleKind, rows, threads*8)
}

// AddProductsFusedF64x4 does what [AddProductsFusedF64x4] does with these arguments in the rounds that are next.
func (t *Tiles) AddProductsFusedF64x4(sums, a []float64, first, second, aStep int, b []float64, from, bStep, rows, threads, n int) {
	p := productsAt(sums, a, first, second, aStep, b, from, bStep, threads, n)
	t.addProducts(&p, doubleKind|fusedKind, rows, threads*8)
}

//go:nocheckptr
func (t *Tiles) addProducts(p *productsOf, kind productsKind, rows, bytes int) {
	size := 4
	if kind&doubleKind != 0 {
		size = 8
	}
	if t.now == 0 {
		t.look(p.a, p.aRow, p.aStep, p.b, p.bStep, rows, p.n, size, bytes)
		return
	}
	ta, sa, aRow, aStep := t.find(p.a, p.aRow, rows, p.aStep, p.n, size)
	tb, sb, bStep, _ := t.find(p.b, p.bStep, p.n, 0, 1, bytes)
	rounds := 1
	if ta.by == p.n*aStep && tb.by == p.n*bStep {
		rounds = t.now // one goes on where the other ends
	}
	q := *p
	q.aRow, q.aStep, q.bStep, q.n = aRow, aStep, bStep, rounds*p.n
	for k := t.done; k < t.done+t.now; k += rounds {
		q.a, q.b = unsafe.Add(sa, k*ta.by), unsafe.Add(sb, k*tb.by)
		q.all(kind, rows, bytes)
	}
}
