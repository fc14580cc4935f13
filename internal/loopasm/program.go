package loopasm

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A kind is the type of a vector, by the letters and numbers that package vec gives it: F32x8.
type kind string

// size is how many bytes an element has.
func (k kind) size() int {
	n, _ := strconv.Atoi(strings.TrimLeft(strings.Split(string(k), "x")[0], "FIUM"))
	return n / 8
}

func (k kind) float() bool { return k[0] == 'F' || k[0] == 'M' }

func (k kind) lanes() int { return slotSize / k.size() }

// mask returns the kind of masks of such vectors: M32x8, with all bits of a lane set or none.
func (k kind) mask() kind { return "M" + k[1:] }

// kinds are those of 32 bytes with elements of 32 or 64 bits.
var kinds = map[kind]bool{"F32x8": true, "I32x8": true, "U32x8": true, "F64x4": true, "I64x4": true, "U64x4": true}

// An op is what makes a value.
type op string

const (
	opInput op = "input" // from outside the loop
	opConst op = "const" // the same number in all lanes
	opLoad  op = "load"
	opSplat op = "splat" // one number of memory in all lanes
	opAdd   op = "add"
	opSub   op = "sub"
	opMul   op = "mul"
	opDiv   op = "div"
	opFMA   op = "fma" // args[0]*args[1] + args[2]
	opSqrt  op = "sqrt"
	opRSqrt op = "rsqrt" // the estimate
	opAnd   op = "and"
	opOr    op = "or"
	opXor   op = "xor"
	opZero  op = "zero"
	opEqual op = "equal"   // a mask
	opMore  op = "more"    // args[0] > args[1], a mask
	opCmp   op = "compare" // of floats, by the predicate imm
	opPick  op = "pick"    // args[0] where the mask args[2] is set, else args[1]
	opBlend op = "blend"   // args[0] in the lanes imm, else args[1]
	opMin   op = "min"     // of integers
	opMax   op = "max"
	opShl   op = "shl" // by args[1], lane by lane
	opShr   op = "shr"
	opRound op = "round" // by the mode imm
	opFloat op = "float" // of int32

	// Shuffles within vectors and between two of them, by the constant imm; see shuffle.go.
	opHalves  op = "halves"
	opAlign   op = "align"
	opPermil  op = "permil"
	opPermute op = "permute" // args[0] by the lanes args[1]
)

// A value is a vector in a round of the loop.
type value struct {
	op   op
	kind kind
	args []*value
	at   address  // of a load
	name string   // of an input, as Go
	bits []uint64 // of a constant: one number for all lanes, or one for each
	imm  int
	seq  int      // when it is made, among loads and stores
	from []source // of a shuffle: where each lane is from

	uses int // by other values, by stores and as what a carried variable ends with
}

// An address is so many bytes behind a pointer.
type address struct {
	pointer *pointer
	more    int
}

// A pointer moves along in each round.
type pointer struct {
	name string
	step int    // bytes, if it is known
	by   string // else, as Go
	now  int    // how far it has come in the round under way
	done bool   // it has moved by what is not known: it can't be used any more
}

// A store puts a value into memory.
type store struct {
	at  address
	v   *value
	seq int
}

// A carried variable goes on from round to round.
type carried struct {
	name  string
	first *value // what a round begins with
	last  *value // what it ends with
}

// A program is a round of a loop.
type program struct {
	pointers []*pointer
	inputs   []*value // without those of carried
	carried  []*carried
	stores   []store
	values   []*value

	counter string // the loop's, an int
	limit   string // of the counter, as Go
	step    int    // of the counter
	rounds  string // how many there are, as Go, where the counter is below the limit
}

// refusal is the panic that leaves a loop as it is.
type refusal string

func refuse(why string) { panic(refusal(why)) }

// A mask is lanes: the bits, or a vector.
type mask struct {
	bits uint64
	v    *value
}

// A scalar is a number that is read in each round.
type scalar struct {
	at  address
	seq int
}

// condition is the panic that asks for what a condition is that is the same in all rounds.
type condition string

// builder makes a program of a loop.
type builder struct {
	*program
	scope
	vars    map[string]*value          // what variables are now
	outer   map[string]bool            // variables from outside that are assigned
	initial map[string]*carried        // and their values
	locals  map[string]bool            // declared in the loop
	masks   map[string]mask            // what variables are now that are masks
	within  map[string]map[string]bool // masks of which a mask has no other lanes
	scalars map[string]scalar          // what variables are now that are numbers from memory
	assume  map[string]bool            // conditions that are the same in all rounds
	under   map[string]bool            // masks of which one must be set for what is under way to be done; nil for none
	at      map[string]*pointer        // by name
	changed map[string]bool            // all that the loop assigns
	writes  bool                       // it writes to memory
	seq     int
	memo    map[string]*value // constants and inputs
	alike   [][]*value        // of the same kind, which may turn out later
}

var ofKind = regexp.MustCompile(`^([A-Z][A-Za-z]*)([FIU]\d+x\d+)$`)

// build returns the program of a loop if the conditions in assume are what it says, or why there is none. ask is a condition that it has
// to know.
func build(loop *ast.ForStmt, sc scope, assume map[string]bool) (p *program, ask, why string) {
	b := &builder{program: &program{}, scope: sc, assume: assume, vars: map[string]*value{}, outer: map[string]bool{},
		initial: map[string]*carried{}, locals: map[string]bool{}, masks: map[string]mask{}, within: map[string]map[string]bool{}, scalars: map[string]scalar{},
		at: map[string]*pointer{}, changed: map[string]bool{}, memo: map[string]*value{}}
	defer func() {
		switch x := recover().(type) {
		case nil:
		case refusal:
			p, why = nil, string(x)
		case condition:
			p, ask = nil, string(x)
		default:
			panic(x)
		}
	}()
	b.header(loop)
	b.survey(loop.Body.List)
	b.list(loop.Body.List)
	b.finish()
	return b.program, "", ""
}

// header takes the loop's condition and step apart: the counter grows by a constant while it is below a limit.
func (b *builder) header(loop *ast.ForStmt) {
	if loop.Init != nil || loop.Cond == nil || loop.Post == nil {
		refuse("its header")
	}
	cond, ok := loop.Cond.(*ast.BinaryExpr)
	if !ok || cond.Op != token.LSS && cond.Op != token.LEQ {
		refuse("its condition")
	}
	left, more := cond.X, 0
	if sum, ok := left.(*ast.BinaryExpr); ok && sum.Op == token.ADD {
		if n, isConst := number(sum.Y); isConst {
			left, more = sum.X, n
		}
	}
	id, ok := left.(*ast.Ident)
	if !ok {
		refuse("its condition")
	}
	b.counter = id.Name
	if !b.isInt(b.counter) {
		refuse("its counter")
	}
	step := 0
	switch post := loop.Post.(type) {
	case *ast.IncDecStmt:
		if x, ok := post.X.(*ast.Ident); ok && post.Tok == token.INC && x.Name == b.counter {
			step = 1
		}
	case *ast.AssignStmt:
		if x, ok := post.Lhs[0].(*ast.Ident); ok && post.Tok == token.ADD_ASSIGN && x.Name == b.counter {
			step, _ = number(post.Rhs[0])
		}
	}
	if step <= 0 {
		refuse("its step")
	}
	if !plainInt(cond.Y) {
		refuse("its limit")
	}
	b.changed[b.counter] = true
	b.limit, b.step = b.source(cond.Y), step
	// The counter is below limit - more in each round, or equal to it.
	if cond.Op == token.LEQ {
		more--
	}
	b.rounds = fmt.Sprintf("(%s - %s + %d) / %d", b.limit, b.counter, step-1-more, step)
}

// number returns what an integer constant is.
func number(e ast.Expr) (int, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		n, err := strconv.Atoi(e.Value)
		return n, err == nil && e.Kind == token.INT
	case *ast.ParenExpr:
		return number(e.X)
	case *ast.UnaryExpr:
		n, ok := number(e.X)
		return -n, ok && e.Op == token.SUB
	}
	return 0, false
}

// plainInt reports whether e is a number made of variables and numbers, which is computed without risk.
func plainInt(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.BasicLit:
		return e.Kind == token.INT
	case *ast.ParenExpr:
		return plainInt(e.X)
	case *ast.BinaryExpr:
		return (e.Op == token.ADD || e.Op == token.SUB || e.Op == token.MUL) && plainInt(e.X) && plainInt(e.Y)
	case *ast.UnaryExpr:
		return e.Op == token.SUB && plainInt(e.X)
	}
	return false
}

// survey notes which variables the loop declares and changes.
func (b *builder) survey(list []ast.Stmt) {
	declared := map[string]bool{}
	var visit func(list []ast.Stmt)
	visit = func(list []ast.Stmt) {
		for _, s := range list {
			switch s := s.(type) {
			case *ast.AssignStmt:
				if len(s.Lhs) != 1 {
					refuse("an assignment of several values")
				}
				id, ok := s.Lhs[0].(*ast.Ident)
				if !ok {
					refuse("an assignment to memory")
				}
				switch {
				case id.Name == "_":
				case s.Tok == token.DEFINE:
					declared[id.Name] = true
				case s.Tok == token.ASSIGN:
					b.changed[id.Name] = true
				default:
					refuse("an assignment with an operator")
				}
			case *ast.DeclStmt:
				d, ok := s.Decl.(*ast.GenDecl)
				if !ok || d.Tok != token.VAR {
					refuse("a declaration")
				}
				for _, spec := range d.Specs {
					for _, n := range spec.(*ast.ValueSpec).Names {
						declared[n.Name] = true
					}
				}
			case *ast.IfStmt:
				if s.Init != nil {
					refuse("a statement")
				}
				visit(s.Body.List)
				switch e := s.Else.(type) {
				case nil:
				case *ast.BlockStmt:
					visit(e.List)
				default:
					refuse("a statement")
				}
			case *ast.ExprStmt:
				b.writes = true
			default:
				refuse("a statement")
			}
		}
	}
	visit(list)
	for n := range b.changed {
		switch {
		case !declared[n]:
			b.outer[n] = n != b.counter
		case b.lookup(n, b.loop.Pos()).found:
			refuse("a name that has two meanings")
		}
	}
	b.locals = declared
	if !b.invariant(b.loop.Cond.(*ast.BinaryExpr).Y) {
		refuse("its limit changes")
	}
}

// list builds statements. What they declare is not known behind them.
func (b *builder) list(list []ast.Stmt) {
	var names []string
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				names = append(names, s.Lhs[0].(*ast.Ident).Name)
			}
		case *ast.DeclStmt:
			for _, spec := range s.Decl.(*ast.GenDecl).Specs {
				for _, n := range spec.(*ast.ValueSpec).Names {
					names = append(names, n.Name)
				}
			}
		}
	}
	vars, masks, scalars := maps.Clone(b.vars), maps.Clone(b.masks), maps.Clone(b.scalars)
	for _, s := range list {
		b.stmt(s)
	}
	for _, n := range names {
		back(b.vars, vars, n)
		back(b.masks, masks, n)
		back(b.scalars, scalars, n)
	}
}

// back makes m[name] what it was.
func back[V any](m, before map[string]V, name string) {
	if v, ok := before[name]; ok {
		m[name] = v
	} else {
		delete(m, name)
	}
}

func (b *builder) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.DeclStmt:
		for _, spec := range s.Decl.(*ast.GenDecl).Specs {
			spec := spec.(*ast.ValueSpec)
			k, ok := strings.CutPrefix(b.source(spec.Type), b.vec+".")
			if len(spec.Values) > 0 || !ok || !kinds[kind(k)] {
				refuse("a declaration")
			}
			for _, n := range spec.Names {
				b.vars[n.Name] = b.add(&value{op: opZero, kind: kind(k)})
			}
		}
	case *ast.AssignStmt:
		b.assign(s.Lhs[0].(*ast.Ident).Name, s.Rhs[0], s.Tok == token.DEFINE)
	case *ast.IfStmt:
		b.branch(s)
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok || b.under != nil {
			refuse("a statement")
		}
		verb, k := b.fn(call)
		if verb != "StorePtr" || len(call.Args) != 2 {
			refuse("a call of " + verb)
		}
		at := b.address(call.Args[0])
		v := b.want(b.value(call.Args[1]), k)
		b.seq++
		b.stores = append(b.stores, store{at, v, b.seq})
	}
}

// branch builds an if. What is done if a mask has a lane on is done always, since it ends in the selection of these lanes.
func (b *builder) branch(s *ast.IfStmt) {
	if cond, ok := s.Cond.(*ast.BinaryExpr); ok && cond.Op == token.NEQ && b.source(cond.Y) == "0" && s.Else == nil {
		if m, ok := b.maskOf(cond.X); ok {
			if m.v == nil {
				if m.bits != 0 {
					b.list(s.Body.List)
				}
				return
			}
			before := b.under
			b.under = map[string]bool{}
			b.union(cond.X)
			for name := range b.under {
				if before != nil && !b.inOneOf(name, before) {
					refuse("a mask that may have lanes that another one has not")
				}
			}
			b.list(s.Body.List)
			b.under = before
			return
		}
	}
	cond := b.source(s.Cond)
	if !b.invariant(s.Cond) || !plainCondition(s.Cond) {
		refuse("a branch")
	}
	on, known := b.assume[cond]
	if !known {
		panic(condition(cond))
	}
	if on {
		b.list(s.Body.List)
	} else if s.Else != nil {
		b.list(s.Else.(*ast.BlockStmt).List)
	}
}

// union notes the masks as those under way that e joins, all of which are variables.
func (b *builder) union(e ast.Expr) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		b.union(e.X)
		return
	case *ast.Ident:
		b.under[e.Name] = true
		return
	case *ast.BinaryExpr:
		if e.Op == token.OR {
			b.union(e.X)
			b.union(e.Y)
			return
		}
	}
	refuse("a branch")
}

// inOneOf reports whether a mask has no other lanes than one of masks has.
func (b *builder) inOneOf(name string, masks map[string]bool) bool {
	if masks[name] {
		return true
	}
	for x := range b.within[name] {
		if masks[x] {
			return true
		}
	}
	return false
}

// bounds adds to set the masks beyond which e has no lanes.
func (b *builder) bounds(e ast.Expr, set map[string]bool) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		b.bounds(e.X, set)
	case *ast.Ident:
		set[e.Name] = true
		maps.Copy(set, b.within[e.Name])
	case *ast.BinaryExpr:
		switch e.Op {
		case token.AND:
			b.bounds(e.X, set)
			b.bounds(e.Y, set)
		case token.AND_NOT:
			b.bounds(e.X, set)
		}
	}
}

// plainCondition reports whether e is a bool, or compares integers, and takes no risk.
func plainCondition(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.ParenExpr:
		return plainCondition(e.X)
	case *ast.UnaryExpr:
		return e.Op == token.NOT && plainCondition(e.X)
	}
	return false
}

func (b *builder) assign(name string, e ast.Expr, define bool) {
	if name == "_" {
		if !b.pure(e) {
			refuse("a value that is dropped")
		}
		return
	}
	// A pointer that moves on.
	if call, ok := e.(*ast.CallExpr); ok {
		if verb, _ := b.fn(call); verb == "Step" && b.outer[name] && !define {
			p, n := b.pointer(name), call.Args[1]
			if from, ok := call.Args[0].(*ast.Ident); !ok || from.Name != name || p.done || b.under != nil {
				refuse("a pointer that jumps")
			}
			if k, ok := number(n); ok {
				p.now += k
				return
			}
			if p.now != 0 || !plainInt(n) || !b.invariant(n) {
				refuse("a pointer that jumps")
			}
			p.by, p.done = b.source(n), true
			return
		}
	}
	if star, ok := e.(*ast.StarExpr); ok && define {
		if b.under != nil {
			refuse("a load under a condition")
		}
		b.seq++
		b.scalars[name] = scalar{b.address(star.X), b.seq}
		return
	}
	if id, ok := e.(*ast.Ident); ok {
		if x, ok := b.scalars[id.Name]; ok && define {
			b.scalars[name] = x
			return
		}
	}
	if m, ok := b.maskOf(e); ok {
		if !define || b.within[name] != nil {
			refuse("a mask that changes")
		}
		b.masks[name] = m
		b.within[name] = map[string]bool{}
		b.bounds(e, b.within[name])
		return
	}
	if b.under != nil && !define && !b.selects(name, e) {
		refuse("an assignment under a condition")
	}
	v := b.value(e)
	if b.outer[name] && !define {
		if b.initial[name] == nil {
			b.carry(name, v.kind) // assigned before it is used: it may be used after the loop
		}
		b.alike = append(b.alike, []*value{b.initial[name].first, v})
	}
	b.vars[name] = v
}

// selects reports whether e is a new value for lanes that are under way, and that of the variable for the others.
func (b *builder) selects(name string, e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	verb, _ := b.fn(call)
	if verb != "Select" || b.source(call.Args[2]) != name {
		return false
	}
	m, ok := call.Args[0].(*ast.Ident)
	return ok && b.under[m.Name]
}

// pure reports whether e does nothing but compute.
func (b *builder) pure(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if verb, k := b.fn(n); verb[0] != '.' && k == "" {
				ok = false
			}
		case *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.FuncLit:
			ok = false
		}
		return ok
	})
	return ok
}

// carry makes a variable from outside one that goes from round to round.
func (b *builder) carry(name string, k kind) *value {
	c := &carried{name: name, first: b.add(&value{op: opInput, kind: k, name: name})}
	b.carried = append(b.carried, c)
	b.initial[name] = c
	if b.vars[name] == nil {
		b.vars[name] = c.first
	}
	return c.first
}

// invariant reports whether the loop does not change what e is made of.
func (b *builder) invariant(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		if x, isIdent := n.(*ast.Ident); isIdent && (b.changed[x.Name] || b.locals[x.Name]) {
			ok = false
		}
		return true
	})
	return ok
}

// pointer returns the pointer with this name.
func (b *builder) pointer(name string) *pointer {
	if b.at[name] == nil {
		b.at[name] = &pointer{name: name}
		b.pointers = append(b.pointers, b.at[name])
	}
	return b.at[name]
}

// address takes an address apart: a pointer, or vec.Step of one by a constant.
func (b *builder) address(e ast.Expr) address {
	more := 0
	if call, ok := e.(*ast.CallExpr); ok {
		verb, _ := b.fn(call)
		n, isConst := 0, false
		if len(call.Args) == 2 {
			n, isConst = number(call.Args[1])
		}
		if verb != "Step" || !isConst {
			refuse("an address")
		}
		e, more = call.Args[0], n
	}
	id, ok := e.(*ast.Ident)
	if !ok || b.locals[id.Name] || b.vars[id.Name] != nil {
		refuse("an address")
	}
	if !b.outer[id.Name] && b.changed[id.Name] {
		refuse("an address")
	}
	p := b.pointer(id.Name)
	if p.done {
		refuse("a pointer that is used after it has moved")
	}
	return address{p, p.now + more}
}

// fn returns the func of package vec that is called, and its kind, if that is part of its name.
func (b *builder) fn(call *ast.CallExpr) (verb string, k kind) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		refuse("a call")
	}
	if x, ok := sel.X.(*ast.Ident); !ok || x.Name != b.vec {
		return "." + sel.Sel.Name, ""
	}
	if m := ofKind.FindStringSubmatch(sel.Sel.Name); m != nil {
		if !kinds[kind(m[2])] {
			refuse("vectors of another size")
		}
		return m[1], kind(m[2])
	}
	return sel.Sel.Name, ""
}

// add notes a value. Those that are the same number from outside or a constant are one.
func (b *builder) add(v *value) *value {
	switch v.op {
	case opLoad, opSplat:
		b.seq++
		v.seq = b.seq
	}
	b.values = append(b.values, v)
	return v
}

func (b *builder) constant(k kind, bits ...uint64) *value {
	key := fmt.Sprintf("const %s %x", k, bits)
	if b.memo[key] == nil {
		b.memo[key] = b.add(&value{op: opConst, kind: k, bits: bits})
	}
	return b.memo[key]
}

// input returns a vector that is there before the loop.
func (b *builder) input(k kind, text string) *value {
	key := "input " + text
	if b.memo[key] == nil {
		b.memo[key] = b.add(&value{op: opInput, kind: k, name: text})
		b.inputs = append(b.inputs, b.memo[key])
	}
	return b.memo[key]
}

// want sees to it that v is of kind k.
func (b *builder) want(v *value, k kind) *value {
	if v.kind == "" {
		v.kind = k
	}
	if v.kind != k {
		refuse("vectors of different kinds: " + string(v.op) + " " + string(v.kind) + " " + string(k))
	}
	return v
}

// value returns the value of an expression. Its kind is "" if it is a variable from outside of which nothing is known.
func (b *builder) value(e ast.Expr) *value {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return b.value(e.X)
	case *ast.Ident:
		if v := b.vars[e.Name]; v != nil {
			return v
		}
		if _, ok := b.scalars[e.Name]; ok {
			refuse("a number")
		}
		if b.locals[e.Name] {
			refuse("a number")
		}
		if b.outer[e.Name] {
			return b.carry(e.Name, "")
		}
		return b.input("", e.Name)
	case *ast.CallExpr:
		return b.call(e)
	}
	refuse("an expression")
	return nil
}

// methods and funcs are the operations by their names in Go.
var (
	methods = map[string]op{".Add": opAdd, ".Sub": opSub, ".Mul": opMul, ".MulAdd": opFMA}
	funcs   = map[string]op{"Add": opAdd, "Sub": opSub, "Mul": opMul, "Div": opDiv, "Sqrt": opSqrt, "FMA": opFMA, "And": opAnd, "Or": opOr, "Xor": opXor,
		"ShlV": opShl, "ShrV": opShr}
	rounding = map[string]int{"RoundToEven": 8, "Floor": 9, "Ceil": 10, "Trunc": 11} // and no exceptions
)

func (b *builder) call(e *ast.CallExpr) *value {
	verb, k := b.fn(e)
	if o, ok := methods[verb]; ok {
		args := []*value{b.value(e.Fun.(*ast.SelectorExpr).X)}
		for _, a := range e.Args {
			args = append(args, b.value(a))
		}
		return b.operation(o, b.same(args), args)
	}
	if k == "" {
		if verb == "CvtI32x8_F32x8" {
			return b.convert(e)
		}
		refuse("a call of " + verb)
	}
	args := func() (list []*value) {
		for _, a := range e.Args {
			list = append(list, b.want(b.value(a), k))
		}
		return list
	}
	if o, ok := funcs[verb]; ok {
		list := args()
		if (o == opShl || o == opShr) && k.size() == 8 && k[0] == 'I' {
			refuse("a shift of int64")
		}
		return b.operation(o, k, list)
	}
	if mode, ok := rounding[verb]; ok && k.float() {
		return b.add(&value{op: opRound, kind: k, args: args(), imm: mode})
	}
	switch verb {
	case "LoadPtr":
		if b.under != nil {
			refuse("a load under a condition")
		}
		return b.add(&value{op: opLoad, kind: k, at: b.address(e.Args[0])})
	case "Splat":
		return b.splat(e, k)
	case "Neg", "Abs":
		if !k.float() {
			break
		}
		sign := uint64(1) << (8*k.size() - 1)
		x := args()[0]
		if verb == "Neg" {
			return b.negative(x)
		}
		return b.operation(opAnd, k, []*value{x, b.constant(k, sign-1)})
	case "Min", "Max":
		list := args()
		switch {
		case !k.float() && k.size() == 4:
			return b.operation(map[string]op{"Min": opMin, "Max": opMax}[verb], k, list)
		case k.float() && verb == "Min":
			return b.least(list[0], list[1])
		case k.float():
			return b.negative(b.least(b.negative(list[0]), b.negative(list[1])))
		}
	case "Select":
		m, ok := b.maskOf(e.Args[0])
		if !ok {
			refuse("a mask")
		}
		return b.pick(m, k, b.want(b.value(e.Args[1]), k), b.want(b.value(e.Args[2]), k))
	case "Permute":
		if k.size() == 4 {
			return b.permutation(b.want(b.value(e.Args[0]), k), e.Args[1])
		}
	case "RSqrtRough", "OverCubeRough", "OverCubeLean":
		if k == "F32x8" {
			return b.root(verb, args())
		}
	}
	refuse("a call of " + verb)
	return nil
}

// splat returns a number in all lanes.
func (b *builder) splat(e *ast.CallExpr, k kind) *value {
	switch x := e.Args[0].(type) {
	case *ast.StarExpr:
		if b.under != nil {
			refuse("a load under a condition")
		}
		return b.add(&value{op: opSplat, kind: k, at: b.address(x.X)})
	case *ast.Ident:
		if from, ok := b.scalars[x.Name]; ok {
			v := b.add(&value{op: opSplat, kind: k, at: from.at})
			v.seq = from.seq
			return v
		}
	}
	if !b.invariant(e) || !b.plainNumber(e.Args[0]) {
		refuse("a number")
	}
	return b.input(k, b.source(e))
}

// plainNumber reports whether e is made of variables, their fields and numbers, and computed without risk. A variable may point to
// its fields, which may be written to then.
func (b *builder) plainNumber(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		return !b.writes && b.plainNumber(e.X)
	case *ast.ParenExpr:
		return b.plainNumber(e.X)
	case *ast.UnaryExpr:
		return (e.Op == token.SUB || e.Op == token.ADD || e.Op == token.XOR) && b.plainNumber(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT:
			return b.plainNumber(e.X) && b.plainNumber(e.Y)
		}
	}
	return false
}

// convert returns an int32 as a float32.
func (b *builder) convert(e *ast.CallExpr) *value {
	return b.add(&value{op: opFloat, kind: "F32x8", args: []*value{b.want(b.value(e.Args[0]), "I32x8")}})
}

func (b *builder) negative(x *value) *value {
	return b.operation(opXor, x.kind, []*value{x, b.constant(x.kind, uint64(1)<<(8*x.kind.size()-1))})
}

// least returns what vec.MinF32x8 and its like do (vec/arith_gen.go), in the same operations: where neither is less, both have all bits that one has.
func (b *builder) least(x, y *value) *value {
	k := x.kind
	u := b.pick(mask{v: b.compare(less, k, x, y)}, k, x, y)
	v := b.pick(mask{v: b.compare(less, k, y, x)}, k, y, x)
	return b.operation(opOr, k, []*value{u, v})
}

// Predicates of floats, as the instruction numbers them.
const (
	equal    = 0
	less     = 1
	notMore  = 2
	notEqual = 4
)

func (b *builder) compare(predicate int, k kind, x, y *value) *value {
	return b.add(&value{op: opCmp, kind: k.mask(), args: []*value{x, y}, imm: predicate})
}

// pick returns x in the lanes of m, and y in the others.
func (b *builder) pick(m mask, k kind, x, y *value) *value {
	if m.v != nil {
		b.want(m.v, k.mask())
		return b.add(&value{op: opPick, kind: k, args: []*value{x, y, m.v}})
	}
	all := uint64(1)<<k.lanes() - 1
	switch m.bits & all {
	case all:
		return x
	case 0:
		return y
	}
	return b.select2(k, m.bits&all, x, y)
}

// maskOf returns the mask that an expression is, if it is one.
func (b *builder) maskOf(e ast.Expr) (m mask, ok bool) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return b.maskOf(e.X)
	case *ast.BasicLit:
		n, err := strconv.ParseUint(e.Value, 0, 32)
		return mask{bits: n}, err == nil && e.Kind == token.INT
	case *ast.Ident:
		if m, ok := b.masks[e.Name]; ok {
			return m, true
		}
		if b.locals[e.Name] || b.changed[e.Name] {
			break
		}
		if d := b.defs(e.Name); d != nil {
			if n, ok := b.constMask(d); ok {
				return mask{bits: n}, true
			}
		}
	case *ast.UnaryExpr:
		if x, ok := b.maskOf(e.X); ok && e.Op == token.XOR {
			return b.without(mask{bits: 1<<32 - 1}, x), true
		}
	case *ast.BinaryExpr:
		x, ok1 := b.maskOf(e.X)
		if !ok1 {
			return m, false
		}
		y, ok2 := b.maskOf(e.Y)
		if !ok2 {
			return m, false
		}
		switch e.Op {
		case token.AND:
			return b.both(x, y), true
		case token.OR:
			// x | y = ^(^x & ^y)
			all := mask{bits: 1<<32 - 1}
			return b.without(all, b.both(b.without(all, x), b.without(all, y))), true
		case token.AND_NOT:
			return b.both(x, b.without(mask{bits: 1<<32 - 1}, y)), true
		}
	case *ast.CallExpr:
		if n, ok := b.constMask(e); ok {
			return mask{bits: n}, true
		}
		if b.source(e.Fun) == b.vec+".Mask" {
			return m, false
		}
		verb, k := b.fn(e)
		if k == "" || len(e.Args) != 2 {
			return m, false
		}
		switch verb {
		case "Eq", "Ne", "Lt", "Le", "Gt", "Ge":
		default:
			return m, false
		}
		x, y := b.want(b.value(e.Args[0]), k), b.want(b.value(e.Args[1]), k)
		return b.compared(verb, k, x, y), true
	}
	return m, false
}

// compared returns the mask of a comparison.
func (b *builder) compared(verb string, k kind, x, y *value) mask {
	if verb == "Gt" || verb == "Ge" {
		x, y = y, x
		verb = map[string]string{"Gt": "Lt", "Ge": "Le"}[verb]
	}
	if k.float() {
		return mask{v: b.compare(map[string]int{"Eq": equal, "Ne": notEqual, "Lt": less, "Le": notMore}[verb], k, x, y)}
	}
	if k[0] == 'U' && (verb == "Lt" || verb == "Le") {
		refuse("a comparison of unsigned integers")
	}
	all := mask{bits: 1<<32 - 1}
	switch verb {
	case "Eq":
		return mask{v: b.add(&value{op: opEqual, kind: k.mask(), args: []*value{x, y}})}
	case "Ne":
		return b.without(all, mask{v: b.add(&value{op: opEqual, kind: k.mask(), args: []*value{x, y}})})
	case "Lt":
		return mask{v: b.add(&value{op: opMore, kind: k.mask(), args: []*value{y, x}})}
	}
	return b.without(all, mask{v: b.add(&value{op: opMore, kind: k.mask(), args: []*value{x, y}})})
}

// both returns the lanes that are in x and y. Of constants, those that are not 0 or all lanes are not combined with vectors.
func (b *builder) both(x, y mask) mask {
	if x.v == nil {
		x, y = y, x
	}
	switch {
	case x.v == nil:
		return mask{bits: x.bits & y.bits}
	case y.v != nil:
		if x.v.kind != y.v.kind {
			refuse("masks of different kinds")
		}
		return mask{v: b.operation(opAnd, x.v.kind, []*value{x.v, y.v})}
	}
	all := uint64(1)<<x.v.kind.lanes() - 1
	switch y.bits & all {
	case all:
		return x
	case 0:
		return mask{}
	}
	refuse("a mask of some lanes")
	return mask{}
}

// without returns the lanes of all that are not in x.
func (b *builder) without(all, x mask) mask {
	if x.v == nil {
		return mask{bits: all.bits &^ x.bits}
	}
	return mask{v: b.operation(opXor, x.v.kind, []*value{x.v, b.constant(x.v.kind, 1<<(8*x.v.kind.size())-1)})}
}

// constMask returns what a constant mask is: vec.Mask(1<<8 - 1).
func (b *builder) constMask(e ast.Expr) (uint64, bool) {
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || b.source(call.Fun) != b.vec+".Mask" {
		return 0, false
	}
	t, err := types.Eval(token.NewFileSet(), nil, token.NoPos, b.source(call.Args[0]))
	if err != nil || t.Value == nil {
		return 0, false
	}
	return constant.Uint64Val(constant.ToInt(t.Value))
}

// same returns the kind of vectors that are of the same kind, or "" if it is not known yet.
func (b *builder) same(args []*value) kind {
	k := kind("")
	for _, a := range args {
		if a.kind != "" {
			k = a.kind
		}
	}
	if k != "" {
		for _, a := range args {
			b.want(a, k)
		}
	}
	return k
}

func (b *builder) operation(o op, k kind, args []*value) *value {
	n := 2
	switch o {
	case opFMA:
		n = 3
	case opSqrt, opRSqrt:
		n = 1
	}
	if len(args) != n {
		refuse("an operation")
	}
	v := b.add(&value{op: o, kind: k, args: args})
	if k == "" {
		b.alike = append(b.alike, append([]*value{v}, args...))
	}
	return v
}

// close gives values their kinds that are of the same kind as others, from one to the next.
func (b *builder) close() {
	for range b.alike {
		for _, list := range b.alike {
			b.same(list)
		}
	}
}

// root returns what the func of package vec of this name does (vec/rough.go), in the same operations.
func (b *builder) root(verb string, args []*value) *value {
	const k = kind("F32x8")
	c := func(bits uint64) *value { return b.constant(k, bits) }
	do := func(o op, args ...*value) *value { return b.operation(o, k, args) }
	x := args[len(args)-1]
	y := do(opRSqrt, x)
	if verb == "RSqrtRough" {
		h := do(opMul, do(opMul, x, c(minusHalf)), y)
		return do(opFMA, do(opFMA, h, y, c(half)), y, y)
	}
	z := do(opMul, y, y)
	left := do(opMul, do(opMul, args[0], y), z)
	if verb == "OverCubeLean" {
		return do(opMul, left, do(opFMA, x, z, c(minusFiveThirdsRough)))
	}
	return do(opMul, left, do(opFMA, do(opMul, x, c(minusThreeHalves)), z, c(fiveHalvesRough)))
}

// The constants of these funcs, as bits.
const (
	half                 = 0x3f000000
	minusHalf            = 0xbf000000
	minusThreeHalves     = 0xbfc00000
	fiveHalvesRough      = 0x40200002
	minusFiveThirdsRough = 0xbfd55557
)

// finish looks at what the loop leaves.
func (b *builder) finish() {
	b.close()
	for _, p := range b.pointers {
		if !p.done {
			p.step = p.now
		}
	}
	for _, c := range b.carried {
		c.last = b.vars[c.name]
	}
	// What counts is what is stored or carried on.
	for _, v := range b.values {
		v.uses = 0
	}
	live := map[*value]bool{}
	work := 0
	var use func(v *value)
	use = func(v *value) {
		v.uses++
		if live[v] {
			return
		}
		live[v] = true
		if v.kind == "" {
			refuse("vectors of an unknown kind")
		}
		switch v.op {
		case opInput, opConst, opLoad, opSplat, opZero:
		default:
			work++
		}
		if !v.kind.float() && (v.op == opDiv || v.op == opFMA || v.op == opSqrt || v.op == opMul && v.kind.size() == 8) {
			refuse("an operation of integers")
		}
		for _, a := range v.args {
			use(a)
		}
	}
	for _, st := range b.stores {
		use(st.v)
	}
	for _, c := range b.carried {
		use(c.last)
	}
	if work == 0 {
		refuse("no arithmetic")
	}
	b.inputs = slices.DeleteFunc(b.inputs, func(v *value) bool { return !live[v] })
	b.values = slices.DeleteFunc(b.values, func(v *value) bool { return !live[v] })
}
