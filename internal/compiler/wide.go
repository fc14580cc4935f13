package compiler

import "go/token"

// Wide rows: a kernel without barriers, shared memory and most loops, whose threads use threadIdx.x and blockIdx.x
// for nothing but their index in the grid, can't tell blocks from each other. Blocks that are neighbours
// along x are then run as one with longer rows: what a row costs beside its threads is paid once for all of
// them. A block of 256 threads of SAXPY spends half of its time on that, with vectors. If threads use threadIdx.y and blockIdx.y in the same way,
// rows of blocks that follow each other are run as one, too.
//
// Kernels with loops are left alone but for those of a few rounds, as over the channels of a pixel, and those over neighbouring elements up to one that is
// read from memory, as in a sparse matrix: a block of 128 rows of five elements spends an eighth of its time on itself. Others have enough to do in a row,
// and those that walk over a matrix want to have done with a block before they come to the next.
//
// Wide rows (`wide.go`). If `threadIdx.x` and `blockIdx.x` occur only in `blockIdx.x*blockDim.x + threadIdx.x`, and there are no barriers,
// warp operations, shared memory and loops (but those of a few rounds, and those over neighbouring elements up to one that is read),
// neighbouring blocks are one block with longer rows. `Phases.NextRow` takes as many as there are in the worker's share, up to 16384
// threads a row. `originX` is `blockIdx.x*blockDim.x` of the first, `dimX` the length of the row, `sizeX` the block's own. If something
// panics, `Phases.place` finds the block from the place in the row. If `threadIdx.y` and `blockIdx.y` occur in the same way only, rows of
// blocks that follow each other are one block, too (`Phases.NextBox`, `originY`, `dimY`, `sizeY`).

// widen makes k such a kernel, if it can be: each blockIdx.x*blockDim.x + threadIdx.x becomes origin.x +
// threadIdx.x, and origin.x is that of the first of the blocks.
func (k *Kernel) widen() {
	single, count := map[*Var]Expr{}, map[*Var]int{}
	walk(k.Body, func(s Stmt) {
		a, ok := s.(*Assign)
		if !ok {
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
	few := k.fewRounds(single, count)
	if anyStmt(k.Body, func(s Stmt) bool {
		switch s := s.(type) {
		case *Barrier, *Warp, *Alloc, *Block:
			return true
		case *For:
			n, ok := neighboursOf(s)
			return !few[s] && (!ok || !isRead(n.to, single, count))
		case *Exit:
			return s.To != nil
		}
		return false
	}) {
		return
	}
	if body, ok := inOrigin(k.Body, 0, single, count); ok {
		k.Body, k.wide = body, true
		if body, ok := inOrigin(k.Body, 1, single, count); ok {
			k.Body, k.tall = body, true
		}
	}
}

// fewRounds returns the loops that go a few rounds, as Go knows, with those around them.
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
			limit := f.Cond.(*Binary).Y
			if r, ok := limit.(*VarRef); ok && count[r.V] == 1 {
				limit = single[r.V]
			}
			first, okFirst := constInt(single[i])
			end, okEnd := constInt(limit)
			if n := (max(end-first-added, first+added-end) + 1) / max(step, -step); okFirst && okEnd && n*outer <= mostUnrolled {
				few[f] = true
				look(f.Body, n*outer)
			}
		}
	}
	look(k.Body, 1)
	return few
}

// inOrigin returns list with origin+threadIdx in the place of blockIdx*blockDim + threadIdx of an axis, if that is all that it uses of threadIdx and
// blockIdx.
func inOrigin(list []Stmt, axis int, single map[*Var]Expr, count map[*Var]int) ([]Stmt, bool) {
	// inline replaces the variables that hold a part of the index.
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
	body := mapStmts(list, func(e Expr) Expr { return e }) // a copy, in case it can't be done
	body = dropParts(body, axis, single, count)
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
		return nil, false
	}
	changeAll(body, func(e Expr) Expr {
		return mapExpr(e, func(x Expr) Expr {
			if i, ok := x.(*Index3); ok && i.Of == inGrid {
				return &Index3{threadIdx, axis}
			}
			return x
		})
	})
	return body, true
}

// fitsRows reports whether k, after fission, keeps nothing for each thread of a block.
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

// isRead reports whether e is an element of an array, perhaps by way of a variable.
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

// isPart reports whether e is threadIdx, blockIdx, blockDim of an axis or the product of the last two, perhaps by
// way of variables.
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

// dropParts returns list without the definitions of such variables.
func dropParts(list []Stmt, axis int, single map[*Var]Expr, count map[*Var]int) []Stmt {
	var out []Stmt
	for _, s := range list {
		switch s := s.(type) {
		case *Assign:
			if len(s.L) == 1 && s.L[0] != nil {
				if v, whole := assigned(s.L[0]); whole && count[v] == 1 && single[v] != nil && isPart(single[v], axis, single, count) {
					continue
				}
			}
		case *If:
			s.Then, s.Else = dropParts(s.Then, axis, single, count), dropParts(s.Else, axis, single, count)
		}
		out = append(out, s)
	}
	return out
}
