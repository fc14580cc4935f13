package loopasm

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// A kind is the type of a vector, by the letters and numbers that package vec gives it: F32x8.
type kind string

// size is how many bytes an element has.
func (k kind) size() int {
	n, _ := strconv.Atoi(strings.TrimLeft(strings.Split(string(k), "x")[0], "FIU"))
	return n / 8
}

func (k kind) float() bool { return k[0] == 'F' }

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
)

// A value is a vector in a round of the loop.
type value struct {
	op   op
	kind kind
	args []*value
	at   address // of a load
	name string  // of an input, as Go
	bits uint64  // of a constant
	seq  int     // when it is made, among loads and stores

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

	rounds string // how many there are, as Go
	bump   string // what the loop's counter is afterwards, as Go; rounds is the variable "rounds"
}

// refusal is the panic that leaves a loop as it is.
type refusal string

func refuse(why string) { panic(refusal(why)) }

// builder makes a program of a loop.
type builder struct {
	*program
	source func(n ast.Node) string
	vec    string // the name of package vec

	vars    map[string]*value   // what variables are now
	outer   map[string]bool     // variables from outside that are assigned
	initial map[string]*carried // and their values
	locals  map[string]bool     // declared in the loop
	at      map[string]*pointer // by name
	counter string
	limit   ast.Expr
	changed map[string]bool // all that the loop assigns
	seq     int
	memo    map[string]*value // constants and inputs
}

var ofKind = regexp.MustCompile(`^([A-Z]\w*?)([FIU]\d+x\d+)$`)

// build returns the program of a loop.
func build(loop *ast.ForStmt, source func(n ast.Node) string, vec string) (p *program, why string) {
	b := &builder{program: &program{}, source: source, vec: vec, vars: map[string]*value{}, outer: map[string]bool{}, initial: map[string]*carried{},
		locals: map[string]bool{}, at: map[string]*pointer{}, changed: map[string]bool{}, memo: map[string]*value{}}
	defer func() {
		if x := recover(); x != nil {
			r, ok := x.(refusal)
			if !ok {
				panic(x)
			}
			p, why = nil, string(r)
		}
	}()
	b.header(loop)
	b.survey(loop.Body.List)
	for _, s := range loop.Body.List {
		b.stmt(s)
	}
	b.finish()
	return b.program, ""
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
	limit := b.source(cond.Y)
	if !plainInt(cond.Y) {
		refuse("its limit")
	}
	b.changed[b.counter] = true
	b.limit = cond.Y
	// The counter is below limit - more in each round, or equal to it.
	if cond.Op == token.LEQ {
		more--
	}
	b.rounds = fmt.Sprintf("(%s - %s + %d) / %d", limit, b.counter, step-1-more, step)
	b.bump = fmt.Sprintf("%s += rounds * %d", b.counter, step)
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

// survey notes which variables the loop declares and changes, and how pointers move.
func (b *builder) survey(list []ast.Stmt) {
	declared := map[string]bool{}
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
			if id.Name == "_" {
				continue
			}
			switch s.Tok {
			case token.DEFINE:
				declared[id.Name] = true
			case token.ASSIGN:
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
		case *ast.ExprStmt:
		default:
			refuse("a statement")
		}
	}
	for n := range b.changed {
		if declared[n] {
			continue // it lives in the loop
		}
		b.outer[n] = n != b.counter
	}
	b.locals = declared
	if !b.invariant(b.limit) {
		refuse("its limit changes")
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
		b.assign(s.Lhs[0].(*ast.Ident).Name, s.Rhs[0])
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
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
		v.uses++
	}
}

func (b *builder) assign(name string, e ast.Expr) {
	if name == "_" {
		if _, ok := e.(*ast.Ident); !ok {
			refuse("a value that is dropped")
		}
		return
	}
	// A pointer that moves on.
	if call, ok := e.(*ast.CallExpr); ok {
		if verb, _ := b.fn(call); verb == "Step" && b.outer[name] {
			p, n := b.pointer(name), call.Args[1]
			if from, ok := call.Args[0].(*ast.Ident); !ok || from.Name != name || p.done {
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
	v := b.value(e)
	if b.outer[name] {
		if b.initial[name] == nil {
			b.carry(name, v.kind) // assigned before it is used: it may be used after the loop
		}
		b.want(b.initial[name].first, v.kind)
	}
	b.vars[name] = v
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
	for _, a := range v.args {
		a.uses++
	}
	b.values = append(b.values, v)
	return v
}

func (b *builder) constant(k kind, bits uint64) *value {
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
		refuse("vectors of different kinds")
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
	funcs   = map[string]op{"Add": opAdd, "Sub": opSub, "Mul": opMul, "Div": opDiv, "Sqrt": opSqrt, "FMA": opFMA, "And": opAnd, "Or": opOr, "Xor": opXor}
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
	if o, ok := funcs[verb]; ok && k != "" {
		var args []*value
		for _, a := range e.Args {
			args = append(args, b.want(b.value(a), k))
		}
		return b.operation(o, k, args)
	}
	switch verb {
	case "LoadPtr":
		return b.add(&value{op: opLoad, kind: k, at: b.address(e.Args[0])})
	case "Splat":
		if star, ok := e.Args[0].(*ast.StarExpr); ok {
			return b.add(&value{op: opSplat, kind: k, at: b.address(star.X)})
		}
		if !b.invariant(e) || strings.ContainsAny(b.source(e.Args[0]), "[(/%") {
			refuse("a number")
		}
		return b.input(k, b.source(e))
	case "Neg", "Abs":
		if !k.float() {
			refuse("a call of " + verb)
		}
		sign := uint64(1) << (8*k.size() - 1)
		x := b.want(b.value(e.Args[0]), k)
		if verb == "Neg" {
			return b.operation(opXor, k, []*value{x, b.constant(k, sign)})
		}
		return b.operation(opAnd, k, []*value{x, b.constant(k, sign-1)})
	case "RSqrtRough", "OverCubeRough", "OverCubeLean":
		if k != "F32x8" {
			break
		}
		var args []*value
		for _, a := range e.Args {
			args = append(args, b.want(b.value(a), k))
		}
		return b.root(verb, args)
	}
	refuse("a call of " + verb)
	return nil
}

// same returns the kind of vectors that are of the same kind.
func (b *builder) same(args []*value) kind {
	k := kind("")
	for _, a := range args {
		if a.kind != "" {
			k = a.kind
		}
	}
	if k == "" {
		refuse("vectors of an unknown kind")
	}
	for _, a := range args {
		b.want(a, k)
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
	if !k.float() && (o == opDiv || o == opFMA || o == opSqrt || o == opMul && k.size() == 8) {
		refuse("an operation of integers")
	}
	return b.add(&value{op: o, kind: k, args: args})
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
	for _, p := range b.pointers {
		if !p.done {
			p.step = p.now
		}
	}
	work := 0
	for _, v := range b.values {
		switch v.op {
		case opInput, opConst, opLoad, opSplat, opZero:
		default:
			work++
		}
		if v.kind == "" {
			refuse("vectors of an unknown kind")
		}
	}
	if work == 0 {
		refuse("no arithmetic")
	}
	for _, c := range b.carried {
		c.last = b.vars[c.name]
		c.last.uses++
	}
}
