package compiler

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// The representation of a kernel between its source and the code printed from it: small, typed and
// structured. Helpers that the compiler can look into are part of their callers, structs are their
// fields, and every variable has a name of its own.
//
// `ir.go` is small, typed and structured: expressions without side effects other than panics, and `Assign`, `If`, `For`, `Block`, `Exit`,
// `Barrier`, `Alloc`, `Do`, `Panic`. Calls that do something are statements of their own; their result goes into a variable. `Exit` is
// return, break and continue: it leaves a named statement. There are no jumps, so all passes are walks over trees.

// A Kernel is one function marked //gocuda:kernel.
type Kernel struct {
	Name       string
	Pos        token.Pos
	Fastmath   bool
	TypeParams *types.TypeParamList            // nil unless generic
	targs      map[*types.TypeParam]types.Type // what stands for them in a form for certain types; else nil
	printed    *types.TypeParamList            // the same with other names, or nil
	Params     []*Var                          // after the Thread
	Variadic   bool                            // the last parameter
	Body       []Stmt
	Vars       []*Var

	Reason    string    // why it could not be translated; "" if it was
	ReasonPos token.Pos // where

	names map[string]bool // that are taken
	read  []funcDecl      // the kernel's func and the helpers that were inlined
	decl  *ast.FuncDecl
	words []string // of the directive

	lockstep string // the name of its copy in lockstep, if it has one

	// single is the value of variables that are assigned once.
	single map[*Var]Expr

	shared map[*Var]bool // see allocated
	// sharedParts are variables; see inShared.
	sharedParts map[*Var]bool
	nodes       []node // after fission
	phases      int
	tracked     bool // some thread may leave before others
	wide        bool // blocks that are neighbours along x are run at once; see widen
	tall        bool // and those along y
	columns     bool // they are fast along y
	options     Options
	worked      map[string]bool // passes that changed something
	dumps       []dump
	votes       bool                // it has barriers with votes
	foreign     bool                // it calls functions that may do anything, such as end their goroutine
	rows        map[*region]*nested // what became of their rows in assembly

}

// A Var is a variable of one thread, or a parameter of the kernel.
type Var struct {
	Name  string
	Said  string // its name in the source, or "" if it is not there
	Type  types.Type
	Pos   token.Pos
	Param bool
	// In is the loop whose header or body declares it: it can't be seen after the loop.
	In     *For
	before bool // it is declared before In, and goes on from round to round; see running

	Shape shape
	known bool // Shape is that of an assignment
	defs  int  // assignments

	addr   bool // its address is taken
	kept   bool // it is the operand of a warp operation, so not to be computed anew
	value  Expr // of the one assignment, if it can be computed anew anywhere
	common bool // one copy for the block
	spread bool // one copy for each thread, in an array, since several phases use it
}

// An Expr is a value, without side effects other than a panic.
type Expr interface{ Type() types.Type }

type (
	// Const is a constant.
	Const struct {
		Val constant.Value
		T   types.Type
	}
	// VarRef is the value of a variable.
	VarRef struct{ V *Var }
	// Global is a variable or a function of a package, or nil.
	Global struct {
		Obj types.Object
		T   types.Type
		// Table is the value of an array of constants that was a variable of the kernel; see tableConstants. It has no Obj in the program.
		Table *Composite
	}
	// Index3 is a component of an index or a size: threadIdx.x and its like.
	Index3 struct {
		Of   index3
		Axis int
	}
	// Rank is the thread's number in its block.
	Rank struct{}
	// Unary is -x, +x, !x, ^x.
	Unary struct {
		Op token.Token
		X  Expr
	}
	// Binary is x op y, comparisons and short-circuit operators included.
	Binary struct {
		Op   token.Token
		X, Y Expr
		T    types.Type
	}
	// Convert is T(x).
	Convert struct {
		X Expr
		T types.Type
	}
	// Index is x[i] of a slice, an array, a pointer to an array or a string.
	Index struct {
		X, I Expr
		T    types.Type
		Pos  token.Pos
		sure bool // the index needs no check
	}
	// Slice is x[lo:hi:max], each of which may be nil.
	Slice struct {
		X, Lo, Hi, Max Expr
		T              types.Type
	}
	// Field is x.f, of a struct or a pointer to one.
	Field struct {
		X    Expr
		F    *types.Var
		T    types.Type
		Name string
	}
	// Deref is *p.
	Deref struct {
		X Expr
		T types.Type
	}
	// Addr is &x.
	Addr struct {
		X Expr
		T types.Type
	}
	// Composite is T{...}; keys may be nil.
	Composite struct {
		T    types.Type
		Keys []string
		Vals []Expr
	}
	// Call is a call of a function that the compiler does not look into, or of a builtin.
	Call struct {
		Fn    Expr   // nil for builtins
		Name  string // of a builtin, or of a function as package path and name
		Args  []Expr
		T     types.Type // nil, or a tuple
		Dots  bool
		Exact bool // package device calls it, and keeps its promises
		Pure  bool // no side effects, the same result for the same arguments
		Pos   token.Pos
	}
	// TypeExpr is a type as an argument of make or new.
	TypeExpr struct{ T types.Type }
	// Method is a method of the thread, left to run time: Printf, Clock and the like.
	Method struct {
		Name string
		T    types.Type
	}
)

type index3 int

const (
	threadIdx index3 = iota
	blockIdx
	blockDim
	gridDim
	rowLength   // of the blocks that are run at once: blockDim, or more
	origin      // of them: blockIdx*blockDim of the first one
	warpInBlock // Rank/32, where warps are told apart
	inGrid      // while widen is at work: threadIdx after origin
)

var index3Names = [...]string{"ThreadIdx", "BlockIdx", "BlockDim", "GridDim", "RowLength", "Origin", "Warp", "InGrid"}

var (
	intType  = types.Typ[types.Int]
	boolType = types.Typ[types.Bool]
)

// intExpr is a constant of type int.
func intExpr(n int64) Expr { return &Const{constant.MakeInt64(n), intType} }

func (e *Const) Type() types.Type     { return e.T }
func (e *VarRef) Type() types.Type    { return e.V.Type }
func (e *Global) Type() types.Type    { return e.T }
func (e *Index3) Type() types.Type    { return intType }
func (e *Rank) Type() types.Type      { return intType }
func (e *Unary) Type() types.Type     { return e.X.Type() }
func (e *Binary) Type() types.Type    { return e.T }
func (e *Convert) Type() types.Type   { return e.T }
func (e *Index) Type() types.Type     { return e.T }
func (e *Slice) Type() types.Type     { return e.T }
func (e *Field) Type() types.Type     { return e.T }
func (e *Deref) Type() types.Type     { return e.T }
func (e *Addr) Type() types.Type      { return e.T }
func (e *Composite) Type() types.Type { return e.T }
func (e *Call) Type() types.Type      { return e.T }
func (e *TypeExpr) Type() types.Type  { return e.T }
func (e *Method) Type() types.Type    { return e.T }
func (e *Bounded) Type() types.Type   { return intType }

// A Stmt is a statement.
type Stmt interface{ Position() token.Pos }

type (
	// Assign is lhs = rhs. Several lhs take the results of one Call. A nil lhs discards.
	Assign struct {
		L   []Expr
		R   Expr
		Def bool // the declaration of the variable
		Pos token.Pos
	}
	// If has a condition and two branches.
	If struct {
		Cond       Expr
		Then, Else []Stmt
		Pos        token.Pos
		agrees     bool // the condition is checked to be the same for all threads
		turns      bool // a loop in it may be turned inside out, so it controls the block
	}
	// For is a loop: for { Pre; if !Cond {break}; Body; Post }. Pre holds what the condition needs
	// to have computed, and Cond may be nil.
	For struct {
		Pre        []Stmt
		Cond       Expr
		Body, Post []Stmt
		Pos        token.Pos
		continues  bool  // some Exit continues it
		breaks     bool  // some Exit leaves it
		outer      *For  // the loop around
		agrees     bool  // the condition is checked to be the same for all threads
		parts      shape // of what decides when a thread leaves
	}
	// Block is statements that Exit can leave.
	Block struct {
		Body []Stmt
		Pos  token.Pos
	}
	// Exit leaves To, a *For or a *Block, or with Continue begins its next round. A nil To is the
	// kernel: return.
	Exit struct {
		To       Stmt
		Continue bool
		Pos      token.Pos
		agrees   bool // all threads are checked to take it together
	}
	// Barrier is SyncThreads or, with Pred, one of its voting forms, whose result goes to Dst.
	Barrier struct {
		Kind string // "", "Count", "And", "Or"
		Pred Expr
		Dst  *Var
		Pos  token.Pos
	}
	// Warp is an operation of lanes: a shuffle, a vote, a match, a reduction, SyncWarp or ActiveMask. Its
	// operands are variables, or the same for all threads.
	Warp struct {
		Op   string     // its name in package gocuda
		Mask Expr       // nil for ActiveMask
		Args []Expr     // the value or predicate; of a shuffle then the lane and the width
		Dst  *Var       // the result; nil for SyncWarp
		All  *Var       // the second result of MatchAllSync
		T    types.Type // of the value
		Pos  token.Pos
		last bool // lanes elsewhere meet nobody any more
	}
	// Alloc declares a shared array: Dst = Shared[Elem](N), or DynamicShared[Elem] if N is nil.
	Alloc struct {
		Dst  *Var
		Elem types.Type
		N    Expr
		Pos  token.Pos
	}
	// Do is a call for its effect.
	Do struct {
		X   *Call
		Pos token.Pos
	}
	// Panic is panic(X).
	Panic struct {
		X   Expr
		Pos token.Pos
	}
)

func (s *Assign) Position() token.Pos  { return s.Pos }
func (s *If) Position() token.Pos      { return s.Pos }
func (s *For) Position() token.Pos     { return s.Pos }
func (s *Block) Position() token.Pos   { return s.Pos }
func (s *Exit) Position() token.Pos    { return s.Pos }
func (s *Barrier) Position() token.Pos { return s.Pos }
func (s *Warp) Position() token.Pos    { return s.Pos }
func (s *Alloc) Position() token.Pos   { return s.Pos }
func (s *Do) Position() token.Pos      { return s.Pos }
func (s *Panic) Position() token.Pos   { return s.Pos }

// subexprs calls f for the operands of e.
func subexprs(e Expr, f func(Expr)) {
	each := func(es ...Expr) {
		for _, x := range es {
			if x != nil {
				f(x)
			}
		}
	}
	switch e := e.(type) {
	case *Unary:
		each(e.X)
	case *Binary:
		each(e.X, e.Y)
	case *Convert:
		each(e.X)
	case *Index:
		each(e.X, e.I)
	case *Slice:
		each(e.X, e.Lo, e.Hi, e.Max)
	case *Field:
		each(e.X)
	case *Deref:
		each(e.X)
	case *Addr:
		each(e.X)
	case *Composite:
		each(e.Vals...)
	case *Call:
		each(e.Fn)
		each(e.Args...)
	case *Bounded:
		each(e.I, e.N)
	}
}

// walkExpr calls f for e and all its parts, from the outside in.
func walkExpr(e Expr, f func(Expr)) {
	if e == nil {
		return
	}
	f(e)
	subexprs(e, func(x Expr) { walkExpr(x, f) })
}

// exprs calls f for the expressions of s itself, not of statements inside it.
func exprs(s Stmt, f func(Expr)) {
	each := func(es ...Expr) {
		for _, x := range es {
			if x != nil {
				f(x)
			}
		}
	}
	switch s := s.(type) {
	case *Assign:
		each(s.L...)
		each(s.R)
	case *If:
		each(s.Cond)
	case *For:
		each(s.Cond)
	case *Barrier:
		each(s.Pred)
	case *Warp:
		each(s.Mask)
		each(s.Args...)
	case *Alloc:
		each(s.N)
	case *Do:
		f(s.X)
	case *Panic:
		each(s.X)
	}
}

// substmts calls f for the statement lists of s.
func substmts(s Stmt, f func([]Stmt)) {
	switch s := s.(type) {
	case *If:
		f(s.Then)
		f(s.Else)
	case *For:
		f(s.Pre)
		f(s.Body)
		f(s.Post)
	case *Block:
		f(s.Body)
	}
}

// walk calls f for every statement of list, from the outside in.
func walk(list []Stmt, f func(Stmt)) {
	for _, s := range list {
		f(s)
		substmts(s, func(l []Stmt) { walk(l, f) })
	}
}

// anyStmt reports whether f holds for a statement of list or inside one.
func anyStmt(list []Stmt, f func(Stmt) bool) bool {
	found := false
	walk(list, func(s Stmt) { found = found || f(s) })
	return found
}

// isBarrier reports whether s is a barrier itself.
func isBarrier(s Stmt) bool { _, ok := s.(*Barrier); return ok }

// isMeeting reports whether s is a barrier or a warp operation itself.
func isMeeting(s Stmt) bool { _, ok := s.(*Warp); return ok || isBarrier(s) }

// results returns the variables that s, a barrier or a warp operation, assigns.
func results(s Stmt) []*Var {
	var all []*Var
	switch s := s.(type) {
	case *Barrier:
		all = []*Var{s.Dst}
	case *Warp:
		all = []*Var{s.Dst, s.All}
	}
	return slices.DeleteFunc(all, func(v *Var) bool { return v == nil })
}

// hasBarrier reports whether there is a barrier in list.
func hasBarrier(list []Stmt) bool { return anyStmt(list, isBarrier) }

// assigned returns the variable that e, the left side of an assignment, assigns to as a whole or in part,
// and whether it is the whole; nil if it is memory.
func assigned(e Expr) (v *Var, whole bool) {
	whole = true
	for {
		switch x := e.(type) {
		case *VarRef:
			return x.V, whole
		case *Index:
			if _, ok := x.X.Type().Underlying().(*types.Array); !ok {
				return nil, false
			}
			e, whole = x.X, false
		case *Field:
			if _, ok := x.X.Type().Underlying().(*types.Struct); !ok {
				return nil, false
			}
			e, whole = x.X, false
		default:
			return nil, false
		}
	}
}
