package compiler

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// Texels: a texture fetch that returns a texel unchanged becomes an element (cudaFilterModePoint
// with clamped coordinates, and linear memory). A texture's description is known only at run time,
// so the texels are requested before the nest is entered; if the texture has another description,
// the row runs in plain Go. The arithmetic is that of package mem: floor, which is truncation for
// numbers that are not negative, and clamping to the texture's limits, where NaN counts as 0.

// A texelReader replaces the fetches in the statements of a nest.
type texelReader struct {
	b      *body
	region *region
	rw     *row
	has    map[string]*texels // by texture, as a Go expression
	out    []Stmt             // the definitions before the current statement
}

// A nestVar identifies a variable of a region's nest that the kernel does not have.
type nestVar struct {
	of   *region
	name string
}

// texels are the variables that describe a texture in a nest.
type texels struct{ all, right, bottom, pitch *Var }

// withTexels replaces such fetches in statements by elements.
func (b *body) withTexels(of *region, rw *row, list []Stmt) []Stmt {
	if b.off("texels") {
		return list
	}
	r := &texelReader{b: b, region: of, rw: rw, has: map[string]*texels{}}
	return r.stmts(list)
}

func (r *texelReader) stmts(list []Stmt) []Stmt {
	if !anyStmt(list, func(s Stmt) bool {
		found := false
		exprs(s, func(e Expr) {
			walkExpr(e, func(e Expr) { found = found || r.fetch(e) != "" })
		})
		return found
	}) {
		return list
	}
	var out []Stmt
	for _, s := range list {
		r.out = nil
		switch x := s.(type) {
		case *Assign:
			y := *x
			y.L = nil
			for _, l := range x.L {
				if l != nil {
					l = mapExpr(l, r.texel)
				}
				y.L = append(y.L, l)
			}
			y.R = mapExpr(x.R, r.texel)
			s = &y
		case *If:
			y := *x
			y.Cond = mapExpr(x.Cond, r.texel)
			before := r.out
			y.Then, y.Else = r.stmts(x.Then), r.stmts(x.Else)
			r.out = before
			s = &y
		case *For:
			copied := mapStmts([]Stmt{&For{Pre: x.Pre, Cond: x.Cond, Body: r.stmts(x.Body), Post: x.Post, breaks: x.breaks, continues: x.continues}}, func(e Expr) Expr { return e })
			y := *x
			y.Body = retarget(copied[0].(*For).Body, x, &y)
			r.out = nil
			s = &y
		}
		out = append(append(out, r.out...), s)
	}
	return out
}

// fetch returns the name of the fetch of package mem that e calls, if it may be an element;
// otherwise "".
func (r *texelReader) fetch(e Expr) string {
	c, ok := e.(*Call)
	if !ok || !strings.HasPrefix(c.Name, memPath+".Tex") || len(c.Args) < 2 || !ofParam(c.Args[0]) || r.written(c.Args[0]) {
		return ""
	}
	name := strings.TrimPrefix(c.Name, memPath+".")
	if of, ok := c.T.Underlying().(*types.Basic); !ok || of.Info()&(types.IsInteger|types.IsFloat) == 0 || name != "Tex1Dfetch" && name != "Tex2D" {
		return ""
	}
	return name
}

// written reports whether the kernel changes a parameter, or the parameter that e is a field of.
func (r *texelReader) written(e Expr) bool {
	switch e := e.(type) {
	case *VarRef:
		return e.V.defs > 0 || e.V.addr || e.V.spread
	case *Field:
		return r.written(e.X)
	}
	return false
}

// texel returns the element that e fetches, and adds the definitions of its index; other
// expressions are returned unchanged.
func (r *texelReader) texel(e Expr) Expr {
	name := r.fetch(e)
	if name == "" {
		return e
	}
	c := e.(*Call)
	r.b.k.works("texels")
	t := r.of(c.Args[0], name, c.T)
	define := func(what string, typ types.Type, x Expr) *Var {
		v := r.variable(what, typ)
		r.out = append(r.out, &Assign{L: []Expr{&VarRef{v}}, R: x, Def: true, Pos: c.Pos})
		return v
	}
	set := func(cond Expr, v *Var, x Expr) {
		r.out = append(r.out, &If{Cond: cond, Then: []Stmt{&Assign{L: []Expr{&VarRef{v}}, R: x, Pos: c.Pos}}, Pos: c.Pos})
	}
	binary := func(op token.Token, x, y Expr, typ types.Type) Expr { return &Binary{Op: op, X: x, Y: y, T: typ} }
	boolean, float, int32Type := types.Typ[types.Bool], types.Typ[types.Float32], types.Typ[types.Int32]
	if name == "Tex1Dfetch" {
		at := define("at", intType, c.Args[1])
		v := define("texel", c.T, &Const{constant.MakeInt64(0), c.T})
		length := &Call{Name: "len", Args: []Expr{&VarRef{t.all}}, T: intType, Pure: true}
		inside := binary(token.LAND, binary(token.GEQ, &VarRef{at}, &Const{constant.MakeInt64(0), intType}, boolean), binary(token.LSS, &VarRef{at}, length, boolean), boolean)
		set(inside, v, &Index{X: &VarRef{t.all}, I: &VarRef{at}, T: c.T, Pos: c.Pos})
		return &VarRef{v}
	}
	coordinate := func(x Expr, limit *Var) Expr {
		u, zero := define("u", float, x), &Const{constant.MakeInt64(0), float}
		set(not(binary(token.GTR, &VarRef{u}, zero, boolean)), u, zero)
		set(binary(token.GTR, &VarRef{u}, &VarRef{limit}, boolean), u, &VarRef{limit})
		return &Convert{X: &VarRef{u}, T: int32Type}
	}
	x := coordinate(c.Args[1], t.right)
	y := coordinate(c.Args[2], t.bottom)
	at := define("at", int32Type, binary(token.ADD, binary(token.MUL, y, &VarRef{t.pitch}, int32Type), x, int32Type))
	return &Index{X: &VarRef{t.all}, I: &VarRef{at}, T: c.T, Pos: c.Pos, sure: true}
}

// of returns the variables for a texture, and adds their definitions before the nest.
func (r *texelReader) of(texture Expr, name string, typ types.Type) *texels {
	text := r.b.expr(texture)
	if t := r.has[text]; t != nil {
		return t
	}
	t := &texels{all: r.variable("texels", types.NewSlice(typ))}
	r.has[text] = t
	if name == "Tex1Dfetch" {
		r.rw.locals = append(r.rw.locals, t.all.Name, text+".Linear()")
	} else {
		t.right, t.bottom = r.variable("right", types.Typ[types.Float32]), r.variable("bottom", types.Typ[types.Float32])
		t.pitch = r.variable("pitch", types.Typ[types.Int32])
		r.rw.locals = append(r.rw.locals, t.all.Name+", "+t.right.Name+", "+t.bottom.Name+", "+t.pitch.Name, text+".Points()")
	}
	r.rw.check(t.all.Name + " != nil")
	return t
}

// variable returns a variable of the nest, the same one for each attempt to build the nest.
func (r *texelReader) variable(what string, typ types.Type) *Var {
	name := r.rw.name(what)
	key := nestVar{r.region, name}
	v := r.b.nestVars[key]
	if v == nil {
		v = &Var{Name: name, Type: typ}
		if r.b.nestVars == nil {
			r.b.nestVars = map[nestVar]*Var{}
		}
		r.b.nestVars[key] = v
	}
	return v
}
