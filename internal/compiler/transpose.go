package compiler

import (
	"fmt"
	"slices"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Transposed tiles: a loop of threads with matrix rows of their own, as in sum += a[i*n+k] with i
// from threadIdx.x. In one iteration, a vector of threads accesses elements that are far apart. As
// many iterations as a vector has lanes access a square of elements. The square is transposed in
// registers on its way to the frame of the func and, if it is stored to, on its way back. The
// iterations access the frame. Results are exact: each thread executes its iterations in order.
//
// For a slice that is stored to, a tile has a window: all elements that the iterations of the tile
// access, including those of recurrences such as x[i*n+j] -= w * x[i*n+j-1]. No other access of the
// loop may alias the window. That is checked before the nest is entered, for other slices and for
// other rows of the same slice.

// A tile is a square of elements of a slice, with further elements beside it.
type tile struct {
	x      *Index
	v      *Var   // the slice, or the slice of slices
	name   string // of the slice, or the row
	p      poly   // the index of a thread's element of the square in an iteration
	back   bool   // iterations run towards the beginning of the row
	loads  bool   // the square is read from memory
	stores bool   // and written back
	offs   []int64
}

// An inTile is the position of a thread's element in the frame during a tile's iterations: a group,
// the byte offset from its pointer for the first part of the vectors, and the distance of the
// parts.
type inTile struct{ group, disp, part int }

// mem is the memory operand of the element in part i.
func (t inTile) mem(i int) lir.Mem {
	return lir.Mem{Group: t.group, Disp: t.disp + i*t.part, Uniform: true}
}

// inTile returns the position of an element that is in a tile.
func (l *lowering) inTile(x *Index) (inTile, bool) {
	if len(l.tiles) == 0 {
		return inTile{}, false
	}
	p, ok := l.polyOf(&Convert{x.I, intType})
	if !ok {
		return inTile{}, false
	}
	in, ok := l.tiles[tileKey(l.slice(x), p)]
	return in, ok
}

func tileKey(slice string, p poly) string { return slice + "|" + p.key() }

// mostTileBytes is the largest size of all tiles on the stack.
const mostTileBytes = 16 << 10

// mostBeside is the largest number of elements of a tile beside its square.
const mostBeside = 4

// errTiles is the reason against tiles that need too much stack.
var errTiles = errNest{"tiles of rows that need too much of the stack"}

// An access is a load or store of an element in a loop.
type access struct {
	x      *Index
	v      *Var
	row    *rowOf // of v, which has the element, or nil
	p      poly
	stored bool
	nested bool // it is inside a branch
}

// accesses returns the elements of slices that the body of a loop accesses. ok is false if the body
// contains anything that tiles don't support.
func (l *lowering) accesses(body []Stmt) (list []access, ok bool) {
	ok = true
	var visit func(body []Stmt, nested bool)
	element := func(ix *Index, stored, nested bool) {
		if isSlice(ix.T) && isUnchanged(ix.X) {
			return // the row of another element
		}
		v, row := l.sliceVar(ix)
		if v == nil || !isSlice(ix.X.Type()) {
			ok = ok && !stored && !isSlice(ix.X.Type()) // its memory might alias other accesses
			return
		}
		p, affine := l.polyOf(&Convert{ix.I, intType})
		if !affine || row != nil && row.at == nil {
			p = nil
		}
		list = append(list, access{ix, v, row, p, stored, nested})
	}
	visit = func(body []Stmt, nested bool) {
		for _, s := range body {
			switch s := s.(type) {
			case *Assign:
				for _, to := range s.L {
					if _, isVar := to.(*VarRef); isVar || to == nil {
						continue
					}
					place, isSpot := spotOf(to)
					if ix, isIndex := to.(*Index); isIndex && isSpot && ix == place.ix {
						element(ix, true, nested)
						continue
					}
					ok = false
				}
			case *If:
				ok = ok && l.ofRow(s.Cond)
				visit(s.Then, true)
				visit(s.Else, true)
			default:
				ok = false
			}
			exprs(s, func(e Expr) {
				walkExpr(e, func(y Expr) {
					if ix, isIndex := y.(*Index); isIndex {
						element(ix, false, nested)
					}
				})
			})
		}
	}
	visit(body, false)
	return list, ok
}

// tileable returns the tiles of a loop, whose counter is known, or nil. Promoted elements are in
// registers.
func (l *lowering) tileable(s *For, r *round, count poly, registers []*promoted, moving bool) []tile {
	if l.b.off("tiles") || l.single() || l.masked || l.on != nil || !count.ofRow() || moving || hasLoop(s.Body) {
		return nil
	}
	l.quiet++
	all, ok := l.accesses(s.Body)
	l.quiet--
	if !ok {
		return nil
	}
	inRegister := func(a access) bool {
		return slices.ContainsFunc(registers, func(p *promoted) bool { return p.v == a.v })
	}
	stored := map[*Var]bool{}
	touched := map[*Var]bool{}
	for _, a := range all {
		touched[a.v] = true
		if a.stored {
			stored[a.v] = true
		}
	}
	var list []tile
	var windows []*Var
	for _, v := range sortedVars(touched) {
		of := slices.DeleteFunc(slices.Clone(all), func(a access) bool { return a.v != v || inRegister(a) })
		if !stored[v] {
			seen := map[string]bool{}
			for _, a := range of {
				if back, ok := l.alongRow(a, r); ok && !a.nested && !seen[a.p.key()] {
					seen[a.p.key()] = true
					list = append(list, tile{x: a.x, v: a.v, name: l.slice(a.x), p: a.p, back: back, loads: true, offs: []int64{0}})
				}
			}
			continue
		}
		if t, ok := l.window(of, r); ok {
			list, windows = append(list, t), append(windows, v)
		}
	}
	bytes := 0
	for _, t := range list {
		bytes += l.tileBytes(t)
	}
	if bytes > mostTileBytes {
		if l.parts > 1 {
			panic(errTiles)
		}
		return nil
	}
	if len(list) > 0 {
		l.b.k.works("tiles")
	}
	for _, t := range list {
		for _, v := range sortedVars(touched) {
			if v != t.v && (stored[v] || slices.Contains(windows, t.v)) {
				l.checkApart(l.apartText(l.b, l.b.expr(&VarRef{t.v}), l.b.expr(&VarRef{v})))
			}
		}
	}
	return list
}

// alongRow reports whether each thread accesses a row of its own, one element per iteration, and
// whether iterations run backwards.
func (l *lowering) alongRow(a access, r *round) (back, ok bool) {
	if elem(a.x.T) == "" || elemSizes[elem(a.x.T)] != l.n.Size || a.p == nil {
		return false, false
	}
	along, _, okRound := a.p.by(r.symbol)
	far, _, okLane := a.p.by(laneSymbol)
	n, isConst := along.constant()
	_, near := far.constant()
	if a.row != nil {
		rows, _, ok := a.row.at.by(laneSymbol)
		if !ok || len(rows) == 0 || len(far) > 0 || a.row.at.has(r.symbol) || a.row.at.has(rowSymbol) && l.jam > 1 {
			return false, false
		}
		far, near = rows, false
	}
	if !okRound || !okLane || !isConst || n != 1 && n != -1 || len(far) == 0 || near || !far.ofRow() || a.p.has(rowSymbol) && l.jam > 1 {
		return false, false
	}
	return n < 0, true
}

// window returns the tile of a slice that is stored to, from all accesses to it: each iteration
// must store one element of the row, and load elements near it.
func (l *lowering) window(of []access, r *round) (t tile, ok bool) {
	first := slices.IndexFunc(of, func(a access) bool { return a.stored })
	if first < 0 {
		return tile{}, false
	}
	at := of[first]
	back, ok := l.alongRow(at, r)
	if !ok {
		return tile{}, false
	}
	t = tile{x: at.x, v: at.v, name: l.slice(at.x), p: at.p, back: back, stores: true, offs: []int64{0}}
	var others []access
	for _, a := range of {
		if a.p == nil || a.nested || a.row != nil && a.row.at.key() != at.row.at.key() {
			return tile{}, false
		}
		by, isConst := a.p.plus(at.p, -1).constant()
		switch {
		case !isConst && a.stored || isConst && a.stored && by != 0:
			return tile{}, false
		case !isConst:
			others = append(others, a)
		case !a.stored:
			t.loads = true
			if !slices.Contains(t.offs, by) {
				t.offs = append(t.offs, by)
			}
		}
	}
	if slices.Max(t.offs)-slices.Min(t.offs) > mostBeside {
		return tile{}, false
	}
	// A check ensures that other rows of the slice that are loaded are not among the stored ones.
	l.rounds = append(l.rounds, r)
	defer func() { l.rounds = l.rounds[:len(l.rounds)-1] }()
	for _, a := range others {
		from, to := l.hull(at.p)
		lo, hi := l.hull(a.p)
		l.check(fmt.Sprintf("(%s <= 0 || %s < %s || %s > %s)", r.trips, hi, from, lo, to))
	}
	return t, true
}

// beside returns the number of vectors of the frame that a tile occupies before its square, and in
// all. The square begins at a cache line.
func (l *lowering) beside(t tile) (before, all int64) {
	each := int64(l.ofMachine().lanes * l.n.Size)
	even := func(n int64) int64 { return (n*each + 63) / 64 * 64 / each }
	before = even(-slices.Min(t.offs))
	return before, before + even(int64(l.ofMachine().lanes)+slices.Max(t.offs))
}

// tileBytes is the size of a tile in the frame.
func (l *lowering) tileBytes(t tile) int {
	_, all := l.beside(t)
	return l.parts * int(all) * l.ofMachine().lanes * l.n.Size
}

// tiled lowers a loop in tiles of as many iterations as a vector has lanes, followed by the
// remaining iterations.
func (l *lowering) tiled(s *For, i *Var, start poly, step int64, r *round, list []tile) {
	lanes := l.ofMachine().lanes
	whole := l.local("whole", fmt.Sprintf("max(%s, 0)/%d", r.trips, lanes))
	outer := &round{symbol: l.syms.round(), trips: whole, moved: map[int]bool{}}
	outer.loop = &lir.Loop{Trips: lir.Scalar{Off: l.arg("int", whole)}}
	inner := &round{symbol: l.syms.round(), trips: fmt.Sprint(lanes), moved: map[int]bool{}}
	inner.loop = &lir.Loop{Trips: lir.Scalar{Off: l.arg("int", fmt.Sprint(lanes))}}
	l.texts(outer.loop, whole)
	l.texts(inner.loop, inner.trips)

	// The threads beyond whole vectors execute the original loop, which contains the checks of all
	// its indices.
	l.checked++
	defer func() { l.checked-- }()
	var nodes []lir.Node
	list0 := l.list
	l.list = &nodes
	clear(l.loads)
	l.rounds = append(l.rounds, outer)
	before, frame := l.tiles, l.frame
	tiles := map[string]inTile{}
	begin := poly{outer.symbol: int64(lanes)} // the first iteration of a tile
	var back []*lir.Instr
	squares := &squares{fixed: -1, moving: map[bool]int{}}
	for _, t := range list {
		back = append(back, l.openTile(t, r, begin, inner, squares, tiles)...)
	}
	l.tiles = tiles
	l.roundedFrom(s, i, start.plus(begin.plus(poly{inner.symbol: 1}, 1).times(number(step)), 1), inner, func() {})
	for _, x := range back {
		l.emit(x)
	}
	l.tiles, l.frame = before, frame
	l.rounds = l.rounds[:len(l.rounds)-1]
	outer.loop.Body = nodes
	l.list = list0
	l.emitNode(outer.loop)

	l.leftOver(s, i, start, step, r, whole)
}

// leftOver lowers the remaining iterations of a loop, behind so many whole vectors of iterations.
func (l *lowering) leftOver(s *For, i *Var, start poly, step int64, r *round, whole string) {
	lanes := l.ofMachine().lanes
	rest := &round{symbol: l.syms.round(), moved: map[int]bool{}}
	rest.trips = l.local("rest", fmt.Sprintf("%s - %d*%s", r.trips, lanes, whole))
	rest.loop = &lir.Loop{Trips: lir.Scalar{Off: l.arg("int", rest.trips)}, Few: true}
	l.texts(rest.loop, rest.trips)
	done := l.syms.row(whole).times(number(int64(lanes))).plus(poly{rest.symbol: 1}, 1)
	l.roundedFrom(s, i, start.plus(done.times(number(step)), 1), rest, func() {})
}

// squares are the pointers to the frame that all tiles of a loop share: a fixed one, and those that
// move with the iterations, forwards and backwards.
type squares struct {
	fixed  int
	moving map[bool]int
}

// openTile emits the load of a tile that begins at the iteration begin, and registers its elements
// for the iterations of inner. It returns the instructions that store it back.
func (l *lowering) openTile(t tile, r *round, begin poly, inner *round, in *squares, tiles map[string]inTile) (back []*lir.Instr) {
	k := l.kind(t.x.T)
	lanes := int64(l.ofMachine().lanes)
	each := int(lanes) * k.Size() // bytes of a vector
	ahead, all := l.beside(t)
	base := asm.TilesBegin + l.frame
	l.frame += l.tileBytes(t)
	l.n.Tiles = max(l.n.Tiles, l.frame)
	inRound := func(now poly) poly { return t.p.with(r.symbol, now) }
	square, way := inRound(begin), int64(1) // the first element of the square in the row
	if t.back {
		square, way = inRound(begin.plus(number(lanes-1), 1)), -1
	}
	pointer := func() int {
		l.n.Groups = append(l.n.Groups, lir.Group{Frame: true, Off: asm.TilesBegin, Size: k.Size()})
		return len(l.n.Groups) - 1
	}
	fromBegin := int(ahead)*each + base - asm.TilesBegin
	places, _ := l.element(spotAt(t.x), square, toStore)
	for part := range l.parts {
		imm := uint64(asm.TilesBegin + fromBegin + part*int(all)*each)
		temps := func() []lir.Value {
			temps := make([]lir.Value, l.ofMachine().temps)
			for j := range temps {
				temps[j] = l.n.New(k)
			}
			return temps
		}
		if t.loads {
			l.emit(&lir.Instr{Op: lir.Tile, Kind: k, Mem: places(part), Imm: imm, Temps: temps()})
		}
		if t.stores {
			back = append(back, &lir.Instr{Op: lir.Untile, Kind: k, Mem: places(part), Imm: imm, Temps: temps()})
		}
	}
	for c := slices.Min(t.offs); c < lanes+slices.Max(t.offs); c++ {
		if 0 <= c && c < lanes {
			continue
		}
		at, _ := l.element(spotAt(t.x), square.plus(number(c), 1), toStore)
		for part := range l.parts {
			v := l.n.New(k)
			l.emit(l.gather(lir.Instr{Op: lir.Gather, Kind: k, Dst: v, X: l.laneOffsets(k, at(part)), Mem: at(part)}))
			if in.fixed < 0 {
				in.fixed = pointer()
			}
			disp := fromBegin + (part*int(all)+int(c))*each
			l.emit(&lir.Instr{Op: lir.Store, Kind: k, X: v, Mem: lir.Mem{Group: in.fixed, Disp: disp, Uniform: true}})
		}
	}
	g, ok := in.moving[t.back]
	if !ok {
		g = pointer()
		in.moving[t.back] = g
		inner.loop.Steps = append(inner.loop.Steps, lir.Step{Group: g, Const: int(way) * each, Off: -1})
	}
	if t.back {
		fromBegin += (int(lanes) - 1) * each
	}
	for _, off := range t.offs {
		now := begin.plus(poly{inner.symbol: 1}, 1)
		tiles[tileKey(t.name, inRound(now).plus(number(off), 1))] = inTile{g, fromBegin + int(off)*each, int(all) * each}
	}
	return back
}
