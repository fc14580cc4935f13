package compiler

import "go/token"

// Wide rows: neighbouring blocks run as one block with longer rows, which amortizes the cost per
// row. A block of 256 threads of SAXPY with vectors spends half of its time on that cost. It
// requires that threads can't distinguish blocks: `threadIdx.x` and `blockIdx.x` occur only in
// `blockIdx.x*blockDim.x + threadIdx.x`, and there are no barriers, warp operations, shared memory
// and loops. If `threadIdx.y` and `blockIdx.y` are used in the same way, rows of blocks that follow
// each other along y run as one block, too.
//
// Three kinds of loops are allowed: those over the channels of a pixel or a window of neighbours, those over neighbouring elements up to a bound from memory, as in a sparse matrix, and grid-stride
// loops over rows and columns, which usually have one iteration, since the grid covers all elements. (A
// loop along x alone is interchanged instead.) A block of 128 rows of five elements spends an eighth of
// its time on overhead. Other loops do enough work in a row; and kernels that walk over a matrix should
// finish a block before the next one, for the cache.
//
// `Phases.NextRow` takes as many blocks as the worker's share has, up to 16384 threads in a row.
// `originX` is `blockIdx.x*blockDim.x` of the first block, `dimX` the length of the row, and
// `sizeX` blockDim.x. After a panic, `Phases.place` finds the block from the position in the row.
// For rows along y there are `Phases.NextBox`, `originY`, `dimY` and `sizeY`.

// widen makes k such a kernel, if possible: blockIdx.x*blockDim.x + threadIdx.x becomes origin.x +
// threadIdx.x, where origin.x belongs to the first of the blocks.
func (k *Kernel) widen() {
	if k.linear || !k.paysWide() {
		return
	}
	single, count := k.definitions()
	if !k.wide {
		body, copies, ok := inOrigin(k.Body, 0, single, count)
		if !ok {
			return
		}
		k.adopt(body, copies)
		k.wide = true
	}
	if body, copies, ok := inOrigin(k.Body, 1, single, count); ok {
		k.adopt(body, copies)
		k.tall = true
	}
}

// paysWide reports whether the statements of k are those of a kernel with wide rows.
func (k *Kernel) paysWide() bool {
	single, count := k.definitions()
	few := k.fewRounds(single, count)
	inRows := k.mentionsY() // otherwise the loop is interchanged
	return !anyStmt(k.Body, func(s Stmt) bool {
		if selectsLocal(s) {
			return true
		}
		switch s := s.(type) {
		case *Barrier, *Warp, *Alloc, *Block:
			return true
		case *For:
			n, ok := neighboursOf(s)
			return (!few[s] || wrapsByData(s)) && (!ok || !isRead(n.to, single, count)) && !(inRows && gridStride(s, single, count) >= 0)
		case *Exit:
			return s.To != nil
		}
		return false
	})
}

// gridStride returns the axis along which each iteration of s advances a counter by the threads of the
// grid, or -1 if s is no such loop.
func gridStride(s *For, single map[*Var]Expr, count map[*Var]int) (axis int) {
	if s.breaks || s.continues || len(s.Post) != 1 {
		return -1
	}
	post, ok := s.Post[0].(*Assign)
	if !ok || len(post.L) != 1 || post.L[0] == nil {
		return -1
	}
	i, whole := assigned(post.L[0])
	sum, isSum := post.R.(*Binary)
	if i == nil || !whole || !isSum || sum.Op != token.ADD || assignedIn(&Block{Body: s.Body})[i] {
		return -1
	}
	if x, ok := sum.X.(*VarRef); !ok || x.V != i {
		return -1
	}
	var value func(e Expr) Expr
	value = func(e Expr) Expr {
		switch x := e.(type) {
		case *VarRef:
			if count[x.V] == 1 && single[x.V] != nil {
				return value(single[x.V])
			}
		case *Convert:
			return value(x.X)
		}
		return e
	}
	product, ok := value(sum.Y).(*Binary)
	if !ok || product.Op != token.MUL {
		return -1
	}
	a, okA := value(product.X).(*Index3)
	b, okB := value(product.Y).(*Index3)
	if okA && okB && a.Axis == b.Axis && (a.Of == gridDim && b.Of == blockDim || a.Of == blockDim && b.Of == gridDim) {
		return a.Axis
	}
	return -1
}

// wrapsByData reports whether s takes remainders of sums with elements of arrays, as those of
// neighbours on a torus whose distances are in a table. Where they wrap around is not known, so that
// rows from edge to edge would be plain Go.
func wrapsByData(s *For) bool {
	return anyStmt(s.Body, func(s Stmt) bool {
		found := false
		exprs(s, func(e Expr) {
			walkExpr(e, func(e Expr) {
				b, ok := e.(*Binary)
				if ok && b.Op == token.REM {
					walkExpr(b.X, func(x Expr) {
						_, isElement := x.(*Index)
						found = found || isElement
					})
				}
			})
		})
		return found
	})
}

// definitions returns the values that variables are defined with, and how often each is assigned.
func (k *Kernel) definitions() (single map[*Var]Expr, count map[*Var]int) {
	single, count = map[*Var]Expr{}, map[*Var]int{}
	walk(k.Body, func(s Stmt) {
		a, ok := s.(*Assign)
		if !ok {
			for _, v := range results(s) {
				count[v]++
			}
			return
		}
		for v := range assignedIn(a) {
			count[v]++
		}
		if a.Def && len(a.L) == 1 && a.L[0] != nil {
			if v, whole := assigned(a.L[0]); whole && !v.addr {
				single[v] = a.R
			}
		}
	})
	return single, count
}

// mostWindow is the largest number of elements of a window of constant size.
const mostWindow = 1 << 12

// fewRounds returns the loops over the elements of a window: their trip count is constant and small, together
// with those of the enclosing loops, or they go from -r to r for a parameter r.
func (k *Kernel) fewRounds(single map[*Var]Expr, count map[*Var]int) map[*For]bool {
	few := map[*For]bool{}
	var look func(list []Stmt, outer int64)
	look = func(list []Stmt, outer int64) {
		for _, s := range list {
			f, ok := s.(*For)
			if !ok {
				substmts(s, func(list []Stmt) { look(list, outer) })
				continue
			}
			i, step, added, ok := countedBy(f)
			if !ok || count[i] != 2 {
				continue
			}
			limit, included := f.Cond.(*Binary).Y, int64(0)
			if op := f.Cond.(*Binary).Op; op == token.LEQ || op == token.GEQ {
				included = 1
			}
			if r, ok := limit.(*VarRef); ok && count[r.V] == 1 {
				limit = single[r.V]
			}
			if minus, ok := single[i].(*Unary); ok && minus.Op == token.SUB {
				if r, ok := minus.X.(*VarRef); ok && r.V.Param && count[r.V] == 0 && isRef(limit, r.V) {
					few[f] = true // r is a radius
					look(f.Body, outer)
				}
			}
			first, okFirst := constInt(single[i])
			end, okEnd := constInt(limit)
			every := max(step, -step)
			if n := (max(end-first-added, first+added-end) + included + every - 1) / every; okFirst && okEnd && n*outer <= mostWindow {
				few[f] = true
				look(f.Body, n*outer)
			}
		}
	}
	look(k.Body, 1)
	return few
}

// inOrigin returns list with blockIdx*blockDim + threadIdx of an axis replaced by origin +
// threadIdx. It fails if list uses threadIdx or blockIdx of the axis otherwise. copies are those of the loops.
func inOrigin(list []Stmt, axis int, single map[*Var]Expr, count map[*Var]int) (body []Stmt, copies map[Stmt]Stmt, ok bool) {
	// inline substitutes the variables that hold a part of the index.
	var inline func(e Expr) Expr
	inline = func(e Expr) Expr {
		return mapExpr(e, func(x Expr) Expr {
			r, ok := x.(*VarRef)
			if !ok || count[r.V] != 1 || single[r.V] == nil || !isPart(single[r.V], axis, single, count) {
				return x
			}
			return inline(single[r.V])
		})
	}
	only, any := true, false
	copies = map[Stmt]Stmt{}
	body = mapInto(list, func(e Expr) Expr { return e }, copies) // a copy, in case of failure
	body = dropDefinitions(body, func(v *Var) bool {
		return count[v] == 1 && single[v] != nil && isPart(single[v], axis, single, count)
	})
	changeAll(body, func(e Expr) Expr {
		return mapExpr(inline(e), func(x Expr) Expr {
			b, ok := x.(*Binary)
			if ok && isGlobal(b, axis) {
				any = true
				return &Binary{token.ADD, &Index3{origin, axis}, &Index3{inGrid, axis}, b.T}
			}
			return x
		})
	})
	walk(body, func(s Stmt) {
		exprs(s, func(e Expr) {
			walkExpr(e, func(x Expr) {
				switch x := x.(type) {
				case *Index3:
					if x.Axis == axis && (x.Of == threadIdx || x.Of == blockIdx) {
						only = false
					}
				case *Rank, *Method:
					only = false
				}
			})
		})
	})
	if !only || !any {
		return nil, nil, false
	}
	changeAll(body, func(e Expr) Expr {
		return mapExpr(e, func(x Expr) Expr {
			if i, ok := x.(*Index3); ok && i.Of == inGrid {
				return &Index3{threadIdx, axis}
			}
			return x
		})
	})
	return body, copies, true
}

// fitsRows reports whether k, after fission, keeps no state per thread.
func (k *Kernel) fitsRows() bool {
	for _, v := range k.Vars {
		if v.spread {
			return false
		}
	}
	return !k.tracked
}

// isBlockStart reports whether e is blockIdx*blockDim of an axis.
func isBlockStart(e Expr, axis int) bool {
	b, ok := e.(*Binary)
	if !ok || b.Op != token.MUL {
		return false
	}
	is := func(e Expr, of index3) bool { i, ok := e.(*Index3); return ok && i.Of == of && i.Axis == axis }
	return is(b.X, blockIdx) && is(b.Y, blockDim) || is(b.Y, blockIdx) && is(b.X, blockDim)
}

// isRead reports whether e is an element of an array or a slice, perhaps held in a variable.
func isRead(e Expr, single map[*Var]Expr, count map[*Var]int) bool {
	switch x := e.(type) {
	case *Index:
		return true
	case *Convert:
		return isRead(x.X, single, count)
	case *VarRef:
		return count[x.V] == 1 && single[x.V] != nil && isRead(single[x.V], single, count)
	}
	return false
}

func isThreadOf(e Expr, axis int) bool {
	i, ok := e.(*Index3)
	return ok && i.Of == threadIdx && i.Axis == axis
}

// isGlobal reports whether e is blockIdx*blockDim + threadIdx of an axis.
func isGlobal(e Expr, axis int) bool {
	b, ok := e.(*Binary)
	return ok && b.Op == token.ADD && (isBlockStart(b.X, axis) && isThreadOf(b.Y, axis) || isBlockStart(b.Y, axis) && isThreadOf(b.X, axis))
}

// isPart reports whether e is a part of a global index: threadIdx, blockIdx or blockDim of an axis,
// or a product of such, perhaps held in variables.
func isPart(e Expr, axis int, single map[*Var]Expr, count map[*Var]int) bool {
	switch x := e.(type) {
	case *Index3:
		return x.Axis == axis && x.Of != gridDim
	case *VarRef:
		return count[x.V] == 1 && single[x.V] != nil && isPart(single[x.V], axis, single, count)
	case *Binary:
		return x.Op == token.MUL && isPart(x.X, axis, single, count) && isPart(x.Y, axis, single, count)
	}
	return false
}

// dropDefinitions removes the definitions of variables that are put in place.
func dropDefinitions(list []Stmt, put func(v *Var) bool) []Stmt {
	var out []Stmt
	for _, s := range list {
		switch s := s.(type) {
		case *Assign:
			if len(s.L) == 1 && s.L[0] != nil {
				if v, whole := assigned(s.L[0]); v != nil && whole && put(v) {
					continue
				}
			}
		case *If:
			s.Then, s.Else = dropDefinitions(s.Then, put), dropDefinitions(s.Else, put)
		case *For:
			s.Pre, s.Body, s.Post = dropDefinitions(s.Pre, put), dropDefinitions(s.Body, put), dropDefinitions(s.Post, put)
		case *Block:
			s.Body = dropDefinitions(s.Body, put)
		}
		out = append(out, s)
	}
	return out
}
