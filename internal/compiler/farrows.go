package compiler

import (
	"github.com/gocuda/gocuda/internal/compiler/asm"
	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Far rows: a loop down the rows of a matrix, as in sum += a[i*n+j] with j from threadIdx.x. A
// strip of a few vectors loads little of each row, and each row is on another page, so that the
// hardware prefetcher and the TLB fail. Therefore a nest gets a form for wider strips, as wide as
// the registers allow, before its other forms. A column sum of 2048 rows of 8 KB took 2.6 times as
// long in strips of 4 vectors as in strips of 16 (AMD Zen 4).

// farRow is the least distance in bytes of rows that count as far apart.
const farRow = 1024

// farRows reports whether an innermost loop in list loads neighbours that each iteration moves by
// farRow bytes or more, or by an unknown distance.
func farRows(list []lir.Node) bool {
	for _, x := range list {
		switch x := x.(type) {
		case *lir.Loop:
			if farRows(x.Body) {
				return true
			}
			for _, s := range x.Steps {
				if s.Off < 0 && s.Const < farRow && s.Const > -farRow {
					continue
				}
				for _, y := range x.Body {
					if i, ok := y.(*lir.Instr); ok && i.Op == lir.Load && !i.Mem.Uniform && i.Mem.Group == s.Group {
						return true
					}
				}
			}
		case *lir.When:
			if farRows(x.Then) || farRows(x.Else) {
				return true
			}
		}
	}
	return false
}

// wideForms prints a nest of far rows with a form for wide strips before the others, and reports
// whether it has.
func (b *body) wideForms(n *nested, f *asm.File, m *asm.Machine, stmts []Stmt, size int, shape nestShape, others []*lir.Nest, made func(...*lir.Nest) []*asm.Form) bool {
	if b.off("farrows") {
		return false
	}
	for _, parts := range []int{16, 8} {
		wide := shape
		wide.parts = parts
		first, err := b.lower(n.row, stmts, size, wide)
		if err != nil {
			return false
		}
		first.Registers = true
		if (first.Restarts() || !others[0].Restarts()) && f.Func(n.name+m.Name, m, made(append([]*lir.Nest{first}, others...)...)...) == nil {
			b.k.works("farrows")
			return true
		}
	}
	return false
}
