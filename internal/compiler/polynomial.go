package compiler

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Integers as polynomials. The symbols are the thread's index in its row, the row's index in its
// plane, loop counters, and uniform values. Polynomials answer whether an index is affine, and with
// which coefficients.

// A poly is a sum of products. It maps each product to its coefficient; a product is the sorted
// names of its symbols with "*" between them, and "" is the constant 1.
type poly map[string]int64

const (
	laneSymbol = "t" // the thread in its row: threadIdx.x, or threadIdx.y in planes with rows along y
	rowSymbol  = "y" // the row, counted from the first active row of the plane; only in nests of planes
	// c0, c1 and so on are loop counters from 0, r0, r1 and so on uniform values, and q0, q1 and so
	// on quotients.
)

// symbols numbers the symbols of a region's polynomials. Uniform symbols have a text, which is Go.
type symbols struct {
	texts  []string // of the symbols r0, r1, ...
	rounds int      // the number of loop counters c0, c1, ...
}

func (s *symbols) row(text string) poly {
	i := slices.Index(s.texts, text)
	if i < 0 {
		i = len(s.texts)
		s.texts = append(s.texts, text)
	}
	return poly{fmt.Sprintf("r%d", i): 1}
}

func (s *symbols) round() string {
	s.rounds++
	return fmt.Sprintf("c%d", s.rounds-1)
}

// large reports whether p has products with too many factors, or coefficients too large, to prove
// that sums do not wrap around.
func (p poly) large() bool {
	for m, n := range p {
		if factors := strings.Count(m, "*"); factors > 0 && bitsOfFactors(n, 1+factors) == 0 {
			return true
		}
	}
	return len(p) > 7
}

// hashes reports whether p has a coefficient too large for an index, as in random number
// generators.
func (p poly) hashes() bool {
	for m, n := range p {
		if m != "" && (n < -1<<20 || n > 1<<20) {
			return true
		}
	}
	return false
}

// gathered returns p with all terms that are uniform and loop-invariant replaced by one symbol.
func (l *lowering) gathered(p poly) poly {
	same, rest := poly{}, poly{}
	for m, n := range p {
		if one := (poly{m: n}); one.ofRow() {
			same = same.plus(one, 1)
		} else {
			rest = rest.plus(one, 1)
		}
	}
	if _, isConst := same.constant(); isConst || same.isSymbol() {
		return p
	}
	return rest.plus(l.syms.row("("+l.syms.text(same)+")"), 1)
}

// isSymbol reports whether p is a single symbol.
func (p poly) isSymbol() bool {
	for m, n := range p {
		return len(p) == 1 && n == 1 && m != "" && !strings.Contains(m, "*")
	}
	return false
}

func number(n int64) poly {
	if n == 0 {
		return poly{}
	}
	return poly{"": n}
}

func (p poly) plus(q poly, sign int64) poly {
	sum := poly{}
	for m, n := range p {
		sum[m] = n
	}
	for m, n := range q {
		if sum[m] += sign * n; sum[m] == 0 {
			delete(sum, m)
		}
	}
	return sum
}

func (p poly) times(q poly) poly {
	product := poly{}
	for m, a := range p {
		for n, b := range q {
			var factors []string
			if m != "" {
				factors = strings.Split(m, "*")
			}
			if n != "" {
				factors = append(factors, strings.Split(n, "*")...)
			}
			slices.Sort(factors)
			f := strings.Join(factors, "*")
			if product[f] += a * b; product[f] == 0 {
				delete(product, f)
			}
		}
	}
	return product
}

// over returns the quotient of p by a single product q, if each product of p contains it, and its
// coefficient divides theirs.
func (p poly) over(q poly) (quotient poly, ok bool) {
	if len(q) != 1 {
		return nil, false
	}
	quotient = poly{}
	for product, by := range q {
		for m, n := range p {
			if by == 0 || n%by != 0 {
				return nil, false
			}
			rest := poly{m: n / by}
			if product != "" {
				for f := range strings.SplitSeq(product, "*") {
					factor, other, isThere := rest.by(f)
					if !isThere || len(other) > 0 {
						return nil, false
					}
					rest = factor
				}
			}
			quotient = quotient.plus(rest, 1)
		}
	}
	return quotient, true
}

// by splits p into factor*symbol + rest. It fails if a product contains the symbol twice.
func (p poly) by(symbol string) (factor, rest poly, ok bool) {
	factor, rest = poly{}, poly{}
	for m, n := range p {
		factors := strings.Split(m, "*")
		i := slices.Index(factors, symbol)
		if i < 0 {
			rest[m] = n
			continue
		}
		factors = slices.Delete(factors, i, i+1)
		if slices.Contains(factors, symbol) {
			return nil, nil, false
		}
		factor[strings.Join(factors, "*")] = n
	}
	return factor, rest, true
}

// constant returns the value of p if it has no symbols.
func (p poly) constant() (int64, bool) {
	for m := range p {
		if m != "" {
			return 0, false
		}
	}
	return p[""], true
}

// has reports whether p contains the symbol.
func (p poly) has(symbol string) bool {
	for m := range p {
		for f := range strings.SplitSeq(m, "*") {
			if f == symbol {
				return true
			}
		}
	}
	return false
}

// with substitutes q for a symbol, which no product contains twice.
func (p poly) with(symbol string, q poly) poly {
	factor, rest, _ := p.by(symbol)
	return rest.plus(factor.times(q), 1)
}

// ofRow reports whether p is the same for all threads and rows, in all iterations.
func (p poly) ofRow() bool {
	for m := range p {
		for f := range strings.SplitSeq(m, "*") {
			if f == laneSymbol || f == rowSymbol || strings.HasPrefix(f, "c") || strings.HasPrefix(f, "q") {
				return false
			}
		}
	}
	return true
}

// differing returns, in order, the symbols of p that are not the same for all threads, rows and
// iterations.
func (p poly) differing() []string {
	var out []string
	for m := range p {
		for f := range strings.SplitSeq(m, "*") {
			if f != "" && !(poly{f: 1}).ofRow() && !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	slices.Sort(out)
	return out
}

// degree is the largest number of factors of a product.
func (p poly) degree() int {
	d := 0
	for m := range p {
		if m != "" {
			d = max(d, 1+strings.Count(m, "*"))
		}
	}
	return d
}

// key is a string that is equal for equal polynomials only.
func (p poly) key() string {
	var terms []string
	for m, n := range p {
		terms = append(terms, fmt.Sprintf("%d %s", n, m))
	}
	slices.Sort(terms)
	return strings.Join(terms, "+")
}

// text is a Go expression for a uniform polynomial.
func (s *symbols) text(p poly) string {
	var keys []string
	for m := range p {
		keys = append(keys, m)
	}
	slices.Sort(keys)
	slices.Reverse(keys) // the constant comes last
	out := ""
	for _, m := range keys {
		n := p[m]
		var factors []string
		if m != "" {
			for f := range strings.SplitSeq(m, "*") {
				var i int
				fmt.Sscanf(f, "r%d", &i)
				factors = append(factors, s.texts[i])
			}
		}
		sign := " + "
		if n < 0 {
			sign, n = " - ", -n
		}
		if n != 1 || m == "" {
			factors = append([]string{fmt.Sprint(n)}, factors...)
		}
		term := strings.Join(factors, "*")
		switch {
		case out != "":
			out += sign + term
		case sign == " - ":
			out = "-" + term
		default:
			out = term
		}
	}
	if out == "" {
		return "0"
	}
	return out
}

// polyOf returns an integer as a polynomial without quotients, if it is one.
func (l *lowering) polyOf(e Expr) (poly, bool) {
	p, ok := l.quotiented(e)
	if ok && l.only != nil {
		p = p.with(laneSymbol, l.only)
	}
	return p, ok && !p.hasQuotient()
}

// A valuePoly is a result of quotiented.
type valuePoly struct {
	p  poly
	ok bool
}

// expansion returns the value of a recomputable variable as quotiented does. It expands each
// variable in that value only once.
func (l *lowering) expansion(v *Var) (poly, bool) {
	if l.expanded == nil {
		l.expanded = map[*Var]valuePoly{}
		defer func() { l.expanded = nil }()
	}
	known, ok := l.expanded[v]
	if !ok {
		known.p, known.ok = l.quotiented(v.value)
		l.expanded[v] = known
	}
	return known.p, known.ok
}

// quotiented returns an integer as a polynomial that may contain quotients as symbols, if it is
// one. The polynomial of a 32-bit integer ignores wrap-around; its users add the check that it does
// not wrap around.
func (l *lowering) quotiented(e Expr) (poly, bool) {
	if n, ok := constInt(e); ok {
		return number(n), true
	}
	if !isInteger(e.Type()) {
		return nil, false
	}
	switch x := e.(type) {
	case *Index, *Field:
		if n, ok := constInt(l.constantIn(x)); ok {
			return number(n), true
		}
		if i, isIndex := x.(*Index); isIndex {
			if p, ok := l.integerIn(i); ok {
				return p, true
			}
		}
	case *VarRef:
		if p, ok := l.ints[x.V]; ok {
			return p, true
		}
		if p, ok := l.quotients[x.V]; ok {
			return p, true
		}
		if x.V.value != nil {
			return l.expansion(x.V)
		}
		if l.assigned[x.V] {
			return nil, false
		}
	case *Index3:
		if x.Of == threadIdx && x.Axis < 2 && (l.plane || x.Axis == 0) {
			if (x.Axis == 1) == l.swap {
				return l.laneIndex(), true
			}
			return l.rowIndex(), true
		}
	case *Rank:
		return l.rank(), true
	case *Bounded:
		p, ok := l.polyOf(x.I)
		limit, okLimit := l.polyOf(x.N)
		switch {
		case !ok || !okLimit || limit.hasQuotient():
			return nil, false
		case l.quiet > 0:
		case limit.ofRow():
			l.small(p, 0)
			l.small(limit, 0)
			l.checkLimit("("+l.syms.text(limit)+")", p)
		default: // the length differs between threads, as for a[i*n:]
			const most = "int(^uint(0)>>1)"
			l.checkLimit(most, p)
			l.checkLimit(most, limit.plus(p, -1).plus(number(1), -1))
		}
		return p, true
	case *Convert:
		from, to := x.X.Type(), x.T
		if p, ok := l.numberAs(x); ok {
			return p, true
		}
		if !isInteger(from) || isUnsigned64(from) || !types.Identical(to.Underlying(), intType) && !has32(to) {
			break
		}
		if p, ok := l.quotiented(x.X); ok {
			// x.X may be only the low bits of p
			if !has32(to) && (!l.ofRow(x.X) || !maps.Equal(p, l.rowOf(x.X))) {
				l.inRange(p, from)
			}
			return p, true
		}
	case *Binary:
		if !types.Identical(x.T.Underlying(), intType) && !has32(x.T) || has32(x.T) && l.ofRow(e) {
			break
		}
		a, okA := l.quotiented(x.X)
		b, okB := l.quotiented(x.Y)
		if !okA || !okB {
			break
		}
		n, isConst := b.constant()
		if m, both := a.constant(); both && isConst {
			if v, ok := computed(x.Op, m, n); ok {
				return number(v), true
			}
			break
		}
		if a.hashes() && x.Op != token.ADD && x.Op != token.SUB && x.Op != token.MUL {
			break
		}
		switch x.Op {
		case token.QUO, token.REM:
			if !l.b.off("wraps") && !(a.ofRow() && b.ofRow()) && l.b.k.aroundOnce(x) {
				return nil, false // see wraps.go
			}
			if q, ok := l.quotient(x.X, a, b); ok {
				if x.Op == token.REM {
					q = a.plus(b.times(q), -1)
				}
				return q, q.degree() <= 3
			}
		case token.SHR:
			if isConst && 0 <= n && n < 30 {
				if q, ok := l.quotient(x.X, a, number(1<<n)); ok {
					return q, true
				}
			}
		case token.AND:
			if isConst && 0 < n && n < 1<<30 && n&(n+1) == 0 { // a remainder
				if q, ok := l.quotient(x.X, a, number(n+1)); ok {
					return a.plus(number(n+1).times(q), -1), true
				}
			}
		case token.ADD:
			return a.plus(b, 1), true
		case token.SUB:
			return a.plus(b, -1), true
		case token.MUL:
			if a.hasQuotient() && b.hasQuotient() {
				return nil, false
			}
			p := a.times(b)
			if p.large() {
				p = l.gathered(a).times(l.gathered(b))
			}
			return p, p.degree() <= 3 && len(p) <= 7
		case token.SHL:
			if isConst && 0 <= n && n < 30 {
				return a.times(number(1 << n)), true
			}
		}
		if isBitwise(x) && !has32(x.T) && a.ofRow() && b.ofRow() {
			return l.syms.row(fmt.Sprintf("((%s) %v (%s))", l.syms.text(a), x.Op, l.syms.text(b))), true
		}
	case *Call:
		if x.Fn == nil && (x.Name == "min" || x.Name == "max") && types.Identical(x.T.Underlying(), intType) {
			if args, ok := l.rowTexts(x.Args); ok {
				return l.syms.row(fmt.Sprintf("%s(%s)", x.Name, args)), true
			}
		}
	case *Unary:
		if x.Op == token.SUB && (types.Identical(x.Type().Underlying(), intType) || has32(x.Type())) {
			if p, ok := l.quotiented(x.X); ok {
				return poly{}.plus(p, -1), true
			}
		}
	}
	if l.ofRow(e) {
		return l.rowOf(e), true
	}
	return nil, false
}

// rowTexts returns the texts of integers that are uniform and loop-invariant, with commas.
func (l *lowering) rowTexts(list []Expr) (texts string, ok bool) {
	var all []string
	for _, e := range list {
		p, isPoly := l.polyOf(e)
		if !isPoly || !p.ofRow() {
			return "", false
		}
		all = append(all, l.syms.text(p))
	}
	return strings.Join(all, ", "), true
}

// numberAs returns the constant value of a converted integer, such as the counter of an unrolled
// loop, if every integer type can hold it.
func (l *lowering) numberAs(x *Convert) (poly, bool) {
	if !isInteger(x.X.Type()) || !isInteger(x.T) || smallKind(x.T) != lir.None {
		return nil, false
	}
	p, ok := l.quotiented(x.X)
	n, isConst := p.constant()
	return p, ok && isConst && 0 <= n && n < 1<<30
}

// computed returns a constant-folded operation on two small integers.
func computed(op token.Token, a, b int64) (int64, bool) {
	const most = 1 << 30
	if a < -most || a > most || b < -most || b > most {
		return 0, false
	}
	switch op {
	case token.ADD:
		return a + b, true
	case token.SUB:
		return a - b, true
	case token.MUL:
		return a * b, -most < a*b && a*b < most
	case token.AND:
		return a & b, true
	case token.OR:
		return a | b, true
	case token.XOR:
		return a ^ b, true
	case token.QUO:
		if b != 0 {
			return a / b, true
		}
	case token.REM:
		if b != 0 {
			return a % b, true
		}
	case token.SHL:
		return a << min(b, 32), 0 <= b && b < 30 && a < 1<<(30-b) && a > -1<<(30-b)
	case token.SHR:
		return a >> min(b, 62), b >= 0
	}
	return 0, false
}

// has32 reports whether t is an integer type of 32 bits.
func has32(t types.Type) bool { return elem(t) == "I32" || elem(t) == "U32" }

// inRange adds the check that the polynomial of a 32-bit integer does not wrap around.
func (l *lowering) inRange(p poly, t types.Type) {
	// sums across lanes leave the checks to the loop of the other iterations
	if _, isConst := p.constant(); !has32(t) || isConst || l.quiet > 0 || l.across != nil {
		return
	}
	lo, hi := l.ends(p)
	if unsigned(t) {
		text := fmt.Sprintf("%s >= 0 && %s < 1<<31-1", lo, hi)
		if empty := l.noThread(p); len(empty) > 0 {
			text = fmt.Sprintf("(%s || %s)", strings.Join(empty, " || "), text)
		}
		l.check(text)
	} else {
		l.check(fmt.Sprintf("%s >= -1<<31 && %s <= 1<<31-1", lo, hi))
	}
}

// rank is the rank of the thread in its block.
func (l *lowering) rank() poly {
	if l.warps {
		warp := l.rowIndex()
		if !l.plane {
			warp = l.syms.row(l.warp)
		}
		return number(warpLanes).times(warp).plus(poly{laneSymbol: 1}, 1)
	}
	width := l.syms.row(l.b.use("dimX"))
	p := l.syms.row("row*dimX")
	switch {
	case l.swap:
		return p.plus(l.rowIndex(), 1).plus(width.times(poly{laneSymbol: 1}), 1)
	case l.plane:
		p = p.plus(width.times(l.rowIndex()), 1)
	}
	return p.plus(l.laneIndex(), 1)
}

// laneIndex is the index of a thread in its row.
func (l *lowering) laneIndex() poly {
	p := poly{laneSymbol: 1}
	if l.steps != nil {
		return l.syms.row(l.steps.by).times(p).plus(l.syms.row("lo"), 1)
	}
	return p
}

// rowIndex is the index of a row in its plane.
func (l *lowering) rowIndex() poly {
	p := poly{rowSymbol: 1}
	if l.nth != nil {
		return l.nth.by.times(p).plus(l.nth.from, 1)
	}
	if len(l.rowFrom) > 0 || l.chops {
		p = p.plus(l.syms.row("‹first›"), 1)
	}
	return p
}

// rowOf returns a symbol for a uniform integer.
func (l *lowering) rowOf(e Expr) poly {
	e = l.safe(l.expand(e))
	text := l.b.intText(e)
	switch e.(type) {
	case *VarRef, *Index3, *Const:
	default:
		if !strings.HasSuffix(text, ")") || !strings.HasPrefix(text, "int(") {
			text = "(" + text + ")"
		}
	}
	return l.syms.row(text)
}

// storesGlobals reports whether the region may store to package-level variables.
func (l *lowering) storesGlobals() bool {
	return anyStmt(l.region, func(s Stmt) bool {
		a, isAssign := s.(*Assign)
		if !isAssign {
			_, isDo := s.(*Do)
			return isDo
		}
		found := false
		for _, to := range a.L {
			if to != nil {
				walkExpr(to, func(x Expr) {
					_, isGlobal := x.(*Global)
					found = found || isGlobal
				})
			}
		}
		return found
	})
}

func isUnsigned64(t types.Type) bool { return wide(t) && unsigned(t) }

// expand substitutes the values of recomputable variables.
func (l *lowering) expand(e Expr) Expr {
	return mapExpr(e, func(x Expr) Expr {
		if ix, ok := x.(*Index); ok { // an element of a table, indexed by the counter of an unrolled loop
			if n, isConst := l.indexOfTable(ix); isConst {
				if c, isLiteral := ix.X.(*Composite); isLiteral {
					return c.Vals[n]
				}
				if g := ix.X.(*Global); g.Table != nil {
					return tableElement(g.Table, n)
				}
				return &Index{X: ix.X, I: &Const{constant.MakeInt64(n), intType}, T: ix.T}
			}
			if v := l.sliceInArray(ix); v != nil {
				return &VarRef{v}
			}
		}
		if f, ok := x.(*Field); ok {
			if c, isLiteral := f.X.(*Composite); isLiteral && isStruct(c.T) && isConstants(c) {
				return tableField(c, f)
			}
		}
		if r, ok := x.(*VarRef); ok && r.V.value != nil {
			return l.expand(r.V.value)
		}
		return x
	})
}

// sliceInArray returns the variable that stands for a slice in an array of slices that does not change, at the index
// that the counter of an unrolled loop gives; or nil. See withFields.
func (l *lowering) sliceInArray(x *Index) *Var {
	if l.b.off("fields") || !isSlicesArray(x.X) {
		return nil
	}
	p, ok := l.polyOf(&Convert{x.I, intType})
	n, isConst := p.constant()
	if e := (&Index{X: x.X, I: intExpr(n), T: x.T}); ok && isConst && atConstant(e) {
		return l.b.fieldVar(e)
	}
	return nil
}

// isSlicesArray reports whether e is an array of slices that does not change.
func isSlicesArray(e Expr) bool {
	a, isArray := e.Type().Underlying().(*types.Array)
	return isArray && isSlice(a.Elem()) && isUnchanged(e)
}

// indexOfTable returns the index of an element of an array literal, or of a package-level array, if
// it is a constant.
func (l *lowering) indexOfTable(x *Index) (int64, bool) {
	a, isArray := x.X.Type().Underlying().(*types.Array)
	if !isArray {
		return 0, false
	}
	switch t := x.X.(type) {
	case *Composite:
		if len(t.Keys) > 0 && t.Keys[0] != "" {
			return 0, false
		}
	case *Global:
		if !isPackageVar(t) {
			return 0, false
		}
	default:
		return 0, false
	}
	l.quiet++
	p, ok := l.polyOf(&Convert{x.I, intType})
	l.quiet--
	n, isConst := p.constant()
	if c, isLiteral := x.X.(*Composite); isLiteral && n >= int64(len(c.Vals)) {
		return 0, false
	}
	return n, ok && isConst && n >= 0 && n < a.Len()
}

// text is a Go expression for a uniform value.
func (l *lowering) text(e Expr) string { return l.b.expr(l.safe(l.expand(e))) }

// isUnchanged reports whether e is a parameter, or a field of one or an element of an array in one, that the kernel
// never assigns.
func isUnchanged(e Expr) bool {
	switch e := e.(type) {
	case *VarRef:
		return e.V.Param && e.V.defs == 0 && !e.V.addr
	case *Field:
		return isStruct(e.X.Type()) && isUnchanged(e.X)
	case *Index:
		return atConstant(e) && isUnchanged(e.X)
	}
	return false
}

// isSteady reports whether an element of a slice is uniform and the nest does not change it: all
// values that the region stores are numbers of other types. A stored struct or array might contain
// the element.
func (l *lowering) isSteady(x *Index) bool {
	if !isUnchanged(x.X) || !isSlice(x.X.Type()) || !isInteger(x.T) && !isSlice(x.T) || !l.ofRow(x.I) {
		return false
	}
	return !anyStmt(l.region, func(s Stmt) bool {
		switch s := s.(type) {
		case *Assign:
			return slices.ContainsFunc(s.L, func(to Expr) bool {
				v, whole := assigned(to)
				return to != nil && !(v != nil && whole) && (!basic(to.Type()) || types.Identical(to.Type().Underlying(), x.T.Underlying()))
			})
		case *Do:
			return true
		}
		return false
	})
}

// safe makes divisions and elements in e safe to evaluate before the nest, and adds the checks that
// divisors are positive and indices in range.
func (l *lowering) safe(e Expr) Expr {
	return mapExpr(e, func(x Expr) Expr {
		if ix, isIndex := x.(*Index); isIndex && l.isSteady(ix) {
			slice, at := l.b.expr(ix.X), l.b.intText(ix.I)
			l.check(fmt.Sprintf("%s >= 0 && %s < len(%s)", at, at, slice))
			return &Call{Name: l.b.rt() + ".Element", Args: []Expr{ix.X, &Convert{ix.I, intType}}, T: ix.T, Pure: true}
		}
		d, ok := x.(*Binary)
		if !ok || d.Op != token.QUO && d.Op != token.REM || !isInteger(d.T) {
			return x
		}
		if _, isConst := constInt(d.Y); isConst {
			return x
		}
		l.check(l.b.expr(d.Y) + " > 0")
		one := &Const{constant.MakeInt64(1), d.T}
		return &Binary{Op: d.Op, X: d.X, Y: &Call{Name: "max", Args: []Expr{d.Y, one}, T: d.T, Pure: true}, T: d.T}
	})
}

// ofRow reports whether e is uniform, known before the nest is entered, and free of panics.
func (l *lowering) ofRow(e Expr) bool {
	ok := true
	walkExpr(l.expand(e), func(x Expr) {
		switch x := x.(type) {
		case *Const, *Unary, *Convert:
		case *Index:
			_, known := l.indexOfTable(x)
			_, isGlobal := x.X.(*Global)
			ok = ok && (known && isGlobal && basic(x.T) && !l.storesGlobals() || l.isSteady(x))
		case *Global:
			isNil := x.Obj == nil
			ok = ok && (isNil || isPackageVar(x) && x.Table == nil && (basic(x.T) || isArray(x.T)) && !l.storesGlobals())
		case *VarRef:
			ok = ok && !l.assigned[x.V] && !x.V.addr && !x.V.spread && x.V.Shape[0] == 0 && l.ints[x.V] == nil
		case *Index3:
			ok = ok && !(x.Of == threadIdx && (x.Axis == 0 || l.plane && x.Axis == 1)) && (x.Of <= origin || x.Of == side)
		case *Binary:
			if (x.Op == token.QUO || x.Op == token.REM) && isInteger(x.T) {
				n, isConst := constInt(x.Y)
				ok = ok && (!isConst || n > 0)
			}
			if x.Op == token.SHL || x.Op == token.SHR {
				n, isConst := constInt(x.Y)
				ok = ok && (isConst && n >= 0 || unsigned(x.Y.Type()))
			}
		case *Field:
			ok = ok && isStruct(x.X.Type())
		case *Call:
			ok = ok && x.Fn == nil && (x.Name == "len" || x.Name == "cap" || x.Name == "min" || x.Name == "max")
		default:
			ok = false
		}
	})
	return ok
}
