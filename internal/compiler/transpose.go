package compiler

import (
	"fmt"

	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Transposed tiles: a loop of threads that read a row of a matrix each, as in sum += a[i*n+k] with i from threadIdx.x. What a vector of
// threads reads in a round is far apart. As many rounds as a vector has lanes read a square, which is transposed in registers on its way to
// the frame of the func, and then read from there. It is exact: each thread still does its rounds in order.

// A tile is elements that threads read from rows of their own.
type tile struct {
	x    *Index
	p    poly // the index, in the round of the loop
	name string
}

func tileKey(slice string, p poly) string { return slice + "|" + p.key() }

// mostTileBytes is how much of the stack tiles may have.
const mostTileBytes = 16 << 10

// tileable returns the elements that a loop with the counter start + step*round reads and that can be in tiles: nothing in the loop stores to
// their slice. The counter is known.
func (l *lowering) tileable(s *For, r *round, start poly, step int64, count poly, moving bool) []tile {
	if l.masked || l.on != nil || !count.ofRow() || moving || step != 1 || hasLoop(s.Body) {
		return nil
	}
	l.quiet++
	defer func() { l.quiet-- }()
	var list []tile
	seen := map[string]bool{}
	stored := map[*Var]bool{}
	ok := true
	walk(s.Body, func(x Stmt) {
		switch x := x.(type) {
		case *Assign:
			for _, to := range x.L {
				if _, isVar := to.(*VarRef); isVar || to == nil {
					continue
				}
				s, isSpot := spotOf(to)
				if !isSpot {
					ok = false
					continue
				}
				ref, isVar := s.ix.X.(*VarRef)
				ok = ok && isVar
				if isVar {
					stored[ref.V] = true
				}
			}
		case *If:
			ok = ok && l.ofRow(x.Cond)
		}
		exprs(x, func(e Expr) {
			walkExpr(e, func(y Expr) {
				ix, isIndex := y.(*Index)
				if !isIndex {
					return
				}
				_, isVar := ix.X.(*VarRef)
				if !isVar || !isSlice(ix.X.Type()) || elem(ix.T) == "" || elemSizes[elem(ix.T)] != l.n.Size {
					return
				}
				p, affine := l.polyOf(&Convert{ix.I, intType})
				if !affine {
					return
				}
				along, _, okRound := p.by(r.symbol)
				far, _, okLane := p.by(laneSymbol)
				n, isConst := along.constant()
				_, near := far.constant()
				if !okRound || !okLane || !isConst || n != 1 || len(far) == 0 || near || !far.ofRow() || p.has(rowSymbol) && l.jam > 1 {
					return
				}
				t := tile{ix, p, l.b.expr(ix.X)}
				if key := tileKey(t.name, p); !seen[key] {
					seen[key] = true
					list = append(list, t)
				}
			})
		})
	})
	if !ok || len(list)*l.parts*l.nestShape.lanes*l.nestShape.lanes*l.n.Size > mostTileBytes {
		return nil
	}
	for _, t := range list {
		for _, v := range sortedVars(stored) {
			if v.Name == t.x.X.(*VarRef).V.Name {
				return nil
			}
			l.check(fmt.Sprintf("%s.Apart(%s, %s)", l.b.core(), t.name, l.b.expr(&VarRef{v})))
		}
	}
	return list
}

// tiled lowers a loop in tiles of as many rounds as a vector has lanes, and then the rounds that are left.
func (l *lowering) tiled(s *For, i *Var, start poly, step int64, r *round, list []tile) {
	lanes := l.nestShape.lanes
	whole := l.local("whole", fmt.Sprintf("max(%s, 0)/%d", r.trips, lanes))
	outer := &round{symbol: l.syms.round(), trips: whole, moved: map[int]bool{}}
	outer.loop = &lir.Loop{Trips: lir.Scalar{Off: l.arg("int", whole)}}
	inner := &round{symbol: l.syms.round(), trips: fmt.Sprint(lanes), moved: map[int]bool{}}
	inner.loop = &lir.Loop{Trips: lir.Scalar{Off: l.arg("int", fmt.Sprint(lanes))}}
	l.texts(outer.loop, whole)
	l.texts(inner.loop, inner.trips)

	// Threads that are left over from whole vectors do the loop as it is written, and that has the checks of all its indices.
	l.checked++
	defer func() { l.checked-- }()
	var nodes []lir.Node
	list0 := l.list
	l.list = &nodes
	clear(l.loads)
	l.rounds = append(l.rounds, outer)
	before := l.tiles
	tiles := map[string]int{}
	at := start.plus(poly{outer.symbol: int64(lanes)}, 1)
	inRound := func(p poly, now poly) poly { return p.with(r.symbol, now.plus(start, -1)) }
	frame := l.frame
	for _, t := range list {
		k := l.kind(t.x.T)
		places, _ := l.element(spot{t.x, 0, int64(k.Size()), t.x.T}, inRound(t.p, at), true)
		g := len(l.n.Groups)
		l.n.Groups = append(l.n.Groups, lir.Group{Frame: true, Off: asm.TilesBegin + l.frame, Size: k.Size()})
		inner.loop.Steps = append(inner.loop.Steps, lir.Step{Group: g, Const: lanes * k.Size(), Off: -1})
		for part := range l.parts {
			temps := make([]lir.Value, l.temps)
			for j := range temps {
				temps[j] = l.n.New(k)
			}
			l.emit(&lir.Instr{Op: lir.Tile, Kind: k, Mem: places(part), Imm: uint64(asm.TilesBegin + l.frame + part*lanes*lanes*k.Size()), Temps: temps})
		}
		l.frame += l.parts * lanes * lanes * k.Size()
		tiles[tileKey(t.name, inRound(t.p, at.plus(poly{inner.symbol: 1}, 1)))] = g
	}
	l.tiles = tiles
	l.roundedFrom(s, i, at.plus(poly{inner.symbol: step}, 1), inner, func() {})
	l.tiles, l.frame = before, frame
	l.rounds = l.rounds[:len(l.rounds)-1]
	outer.loop.Body = nodes
	l.list = list0
	l.emitNode(outer.loop)

	rest := &round{symbol: l.syms.round(), moved: map[int]bool{}}
	rest.trips = l.local("rest", fmt.Sprintf("%s - %d*%s", r.trips, lanes, whole))
	rest.loop = &lir.Loop{Trips: lir.Scalar{Off: l.arg("int", rest.trips)}, Few: true}
	l.texts(rest.loop, rest.trips)
	l.roundedFrom(s, i, start.plus(l.syms.row(whole).times(number(int64(lanes))), 1).plus(poly{rest.symbol: step}, 1), rest, func() {})
}
