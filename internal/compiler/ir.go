package compiler

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// The intermediate representation of a kernel, between the Go source and the generated code: small,
// typed and structured. Helpers with available source are inlined into their callers, structs are
// split into variables for their fields (scalar replacement), and every variable has a unique name.
//
// Expressions have no side effects other than panics. The statements are `Assign`, `If`, `For`,
// `Block`, `Exit`, `Barrier`, `Warp`, `Alloc`, `Do` and `Panic`. A call with side effects is a
// statement of its own, and its result goes into a variable. An `Exit` is a return, break or
// continue, and names the statement that it leaves. There are no gotos, so every pass is a walk
// over a tree.

// A Kernel is one function marked //gocuda:kernel.
type Kernel struct {
	Name       string
	Pos        token.Pos
	Fastmath   bool
	TypeParams *types.TypeParamList            // nil unless generic
	targs      map[*types.TypeParam]types.Type // type arguments of a form for certain types; else nil
	printed    *types.TypeParamList            // TypeParams under the names in the generated code, or nil
	Params     []*Var                          // all but the Thread
	Variadic   bool                            // the last parameter is variadic
	Body       []Stmt
	Vars       []*Var

	Reason    string    // why the kernel could not be translated; "" if it was translated
	ReasonPos token.Pos // the position of that reason

	names map[string]bool // the names in use
	read  []funcDecl      // the kernel's func and the helpers that were inlined
	decl  *ast.FuncDecl
	words []string // the options of the directive

	lockstep string // the name of the kernel's lockstep copy, if it has one

	// single maps each variable that is assigned exactly once to its value.
	single map[*Var]Expr

	shared map[*Var]bool // variables that hold shared arrays; see allocated
	// sharedParts are variables that hold a part of a shared array; see inShared.
	sharedParts map[*Var]bool
	alongY      bool   // the kernel uses a coordinate or an extent along y
	nodes       []node // the program of a block, made by fission
	phases      int
	tracked     bool // a thread may leave before others, so the generated code keeps the state of each thread
	wide        bool // blocks that are neighbours along x run as one; see widen
	tall        bool // blocks that are neighbours along y run as one as well
	columns     bool // vectors of threads along y are the faster ones
	options     Options
	worked      map[string]bool // the passes that changed something
	dumps       []dump
	votes       bool // some barrier is a voting form
	// rows are the planes of a block, and if side is not 0, only those of blocks with this blockDim.x; planes is
	// the kernel for others; see linearize
	linear bool
	side   int64
	planes *Kernel
	// it calls functions of unknown behaviour, which may end their goroutine
	foreign bool
	rows    map[*region]*nested // the loop nest of each region, or the reason why there is none
	// pointers has the types in the source of parameters that blocks get as something else, or that lead to others. from
	// has what the others stand for, which are no parameters in the source: an array's elements, or the address of a number.
	pointers map[*Var]types.Type
	from     map[*Var]string
	privates []private
	// how many threads of its rows stand for one, and whether these access the same element of all
	// slices; see uncoarsen
	each       int64
	oneElement bool
}

// A Var is a variable of one thread, or a parameter of the kernel.
type Var struct {
	Name  string
	Said  string // the name in the source; "" for a variable made by the compiler
	Type  types.Type
	Pos   token.Pos
	Param bool
	// In is the loop whose header or body declares the variable; the variable is out of scope
	// behind it.
	In *For

	Shape shape
	known bool // Shape has been set by at least one assignment
	defs  int  // the number of assignments

	addr   bool // its address is taken
	kept   bool // an operand of a warp operation, so never recomputed
	value  Expr // the value of the only assignment, if it can be recomputed anywhere
	common bool // one copy for the block
	sums   bool // a worker's copy of a slice; see privatize
	spread bool // an array with one element per thread, since several phases use the variable
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
	// Global is a variable or a function of a package, or the value nil.
	Global struct {
		Obj types.Object
		T   types.Type
		// Table is the value of an array of constants that was a variable of the kernel; see
		// tableConstants. Such a Global has no object in the source program.
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
		sure bool // the index is known to be in range
	}
	// Slice is x[lo:hi:max]; Lo, Hi and Max may be nil.
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
	// Call is a call of a builtin, or of a function that is not inlined.
	Call struct {
		Fn    Expr   // nil for builtins
		Name  string // the name of the builtin, or package path and name of the function
		Args  []Expr
		T     types.Type // nil without a result, a tuple for several
		Dots  bool
		Exact bool // package device makes the call; its guarantees must be kept
		Pure  bool // no side effects, and equal results for equal arguments
		Pos   token.Pos
	}
	// TypeExpr is a type that is an argument of make or new.
	TypeExpr struct{ T types.Type }
	// Method is a method of the Thread that runs in the runtime: Printf, Clock and the like.
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
	rowLength   // the row length of the blocks that run as one (see widen): blockDim or a multiple
	origin      // blockIdx*blockDim of the first of these blocks
	warpInBlock // Rank/32, in phases that distinguish warps
	inGrid      // used during widen only: threadIdx counted from origin
	side        // blockDim of the launch where blockDim.x counts the threads of a plane; see linearize
	inPlane     // used during linearize only: the number of the thread in its plane, or of these
)

var index3Names = [...]string{"ThreadIdx", "BlockIdx", "BlockDim", "GridDim", "RowLength", "Origin", "Warp", "InGrid", "Side", "InPlane"}

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
	// Assign is lhs = rhs. Several left sides take the results of one Call. A nil left side
	// discards its value.
	Assign struct {
		L   []Expr
		R   Expr
		Def bool // the assignment declares the variable
		Pos token.Pos
	}
	// If has a condition and two branches.
	If struct {
		Cond       Expr
		Then, Else []Stmt
		Pos        token.Pos
		agrees     bool   // the condition is checked to be the same for all threads
		turns      bool   // it contains a loop that may be interchanged with the loop over threads
		over       *space // of the first branch, if it has others than the block; see collapse
		whole      bool   // in the first branch no thread returns early, and the second one is for other blocks; see guardReturns
	}
	// For is a loop: for { Pre; if !Cond {break}; Body; Post }. Pre computes the operands of Cond.
	// Cond may be nil.
	For struct {
		Pre        []Stmt
		Cond       Expr
		Body, Post []Stmt
		Pos        token.Pos
		continues  bool  // some Exit is a continue of this loop
		breaks     bool  // some Exit is a break out of this loop
		outer      *For  // the enclosing loop
		agrees     bool  // the condition is checked to be the same for all threads
		parts      shape // the join of the shapes of all conditions under which a thread leaves
	}
	// Block is a list of statements that an Exit can leave.
	Block struct {
		Body []Stmt
		Pos  token.Pos
	}
	// Exit leaves To, a *For or a *Block, or with Continue begins the next iteration of To. A nil
	// To is the kernel: a return.
	Exit struct {
		To       Stmt
		Continue bool
		Pos      token.Pos
		agrees   bool // a run-time check ensures that all threads take it together
	}
	// Barrier is SyncThreads or, with Pred, one of its voting forms, whose result goes to Dst.
	Barrier struct {
		Kind string // "", "Count", "And", "Or"
		Pred Expr
		Dst  *Var
		Pos  token.Pos
	}
	// Warp is a warp operation: a shuffle, a vote, a match, a reduction, SyncWarp or ActiveMask.
	// Its operands are variables, or uniform.
	Warp struct {
		Op   string     // its name in package gocuda
		Mask Expr       // nil for ActiveMask
		Args []Expr     // the value or the predicate, and for a shuffle also the lane and the width
		Dst  *Var       // the result; nil for SyncWarp
		All  *Var       // the second result of MatchAllSync
		T    types.Type // of the value
		Pos  token.Pos
		last bool // lanes that are not at this operation reach no further barrier or warp operation; see lastMeetings
	}
	// Alloc declares a shared array: Dst = Shared[Elem](N), or DynamicShared[Elem] if N is nil.
	Alloc struct {
		Dst  *Var
		Elem types.Type
		N    Expr
		Pos  token.Pos
	}
	// Do is a call for its side effects.
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

// walkExpr calls f for e and all its subexpressions, in preorder.
func walkExpr(e Expr, f func(Expr)) {
	if e == nil {
		return
	}
	f(e)
	subexprs(e, func(x Expr) { walkExpr(x, f) })
}

// exprs calls f for the expressions of s itself, and not for those of nested statements.
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

// substmts calls f for each statement list nested directly in s.
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

// walk calls f for every statement of list and every nested one, in preorder.
func walk(list []Stmt, f func(Stmt)) {
	for _, s := range list {
		f(s)
		substmts(s, func(l []Stmt) { walk(l, f) })
	}
}

// anyStmt reports whether f holds for a statement of list or for a nested one.
func anyStmt(list []Stmt, f func(Stmt) bool) bool {
	found := false
	walk(list, func(s Stmt) { found = found || f(s) })
	return found
}

// isBarrier reports whether s itself is a barrier.
func isBarrier(s Stmt) bool { _, ok := s.(*Barrier); return ok }

// isMeeting reports whether s itself is a barrier or a warp operation.
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

// hasBarrier reports whether list contains a barrier, nested ones included.
func hasBarrier(list []Stmt) bool { return anyStmt(list, isBarrier) }

// assigned returns the variable that e, the left side of an assignment, assigns in whole or in
// part, and whether it assigns the whole. The variable is nil if e is memory.
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
			if !isStruct(x.X.Type()) {
				return nil, false
			}
			e, whole = x.X, false
		default:
			return nil, false
		}
	}
}
