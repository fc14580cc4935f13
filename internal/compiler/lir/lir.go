// Package lir has the loop representation of the compiler: what the threads of a row do, as a nest of counted loops around
// operations on vectors, with a lane for each thread. A Nest is one strip of the row: some vectors of threads that go through it
// together, its parts. Memory is a pointer that loops move in steps, and a distance from it; what a pointer begins with, and how often a
// loop goes round, is computed before the nest is entered. Conditions that differ between lanes are masks.
package lir

import (
	"fmt"
	"slices"
	"strings"
)

// A Kind is the type of the elements of a value.
type Kind uint8

const (
	None Kind = iota
	F32
	F64
	I32
	U32
	I64
	U64
	Mask // a lane is on or off

	// These are in memory only, where From of an access names them; in registers they have 32 bits, I32.
	U8
	I8
	U16
	I16
)

// Size returns the size of an element in bytes; that of a mask is no matter of its kind.
func (k Kind) Size() int {
	switch k {
	case F32, I32, U32:
		return 4
	case F64, I64, U64:
		return 8
	case U16, I16:
		return 2
	case U8, I8:
		return 1
	}
	return 0
}

// IsFloat reports whether k is a kind of floating-point numbers.
func (k Kind) IsFloat() bool { return k == F32 || k == F64 }

// IsSigned reports whether k is a kind of signed integers.
func (k Kind) IsSigned() bool { return k == I32 || k == I64 }

func (k Kind) String() string {
	return [...]string{"none", "f32", "f64", "i32", "u32", "i64", "u64", "mask", "u8", "i8", "u16", "i16"}[k]
}

// An Op is what an instruction does.
type Op uint8

const (
	Const     Op = iota // all lanes are Imm
	Arg                 // all lanes are the argument at Mem.Disp
	Load                // lane i is the element i of Mem, of the lanes that are on
	Broadcast           // all lanes are the element at Mem
	Strides             // lane i is i times the argument at Mem.Disp: distances in elements, for Gather
	Gather              // lane i is the element X of Mem, of the lanes that are on; the distance of the first lane is that of Mem.Stride
	Store               // lane i of X goes to element i of Mem, of the lanes that are on
	Scatter             // lane i of X goes to the element Y of Mem, as in Gather, of the lanes that are on, the last one last; if Imm is 0, Y is Strides of Mem.Stride
	Tile                // rows of elements from Mem on, a row for each lane and as long as a vector, go transposed to the frame at Imm; Temps are for its steps
	Untile              // the way back: the square at Imm of the frame goes transposed to rows of elements from Mem on
	Total               // the sum of the lanes of X goes to the element at Mem, and that of the lanes of Y, if there is one, to the next element; only targets add Y
	Move                // X
	Add                 // X + Y, and so on
	Sub
	Mul
	Div
	MulHi // the high half of the product of integers, which has twice the bits; all lanes of Y are the same. There is none of I64
	And
	Or
	Xor
	Shl   // X << Imm
	Shr   // X >> Imm
	Neg   // -X
	Abs   // |X|
	Sqrt  // the square root
	Recip // an estimate of 1/X, within 2^-11: 0 of infinity, infinity of 0
	Rsqrt // the same of 1/sqrt(X)
	FMA   // X*Y + Z, rounded once
	FNMA  // Z - X*Y, rounded once
	FMS   // X*Y - Z, rounded once
	Min   // for integers
	Max
	Floor // X rounded down, and so on
	Ceil
	Trunc
	RoundToEven
	Least   // of two floats, as Go's min has it: NaN if one is that, and -0 before 0
	Most    // as max has it
	ShlBy   // X << Y, of unsigned Y of the same size; of 64 bits Y is at most 64, and at most 63 where X is shifted to the right with its sign
	ShrBy   // X >> Y
	Bits    // the bits of X, which is of kind From
	Convert // X, which is of kind From
	Cmp     // a mask: X Pred Y, which are of kind From
	Within  // a mask: the lanes whose thread in the row is at least From and below To
	Whole   // a mask: all lanes if From is positive, else none
	Index   // lane i of vector Part is Bounds[0] + (thread in the row)*Bounds[1], whose high bits are dropped
	Bools   // a mask: the lanes whose byte at Mem is not 0; other bytes of the vector may be read, too
	PutBool // the bytes at Mem become 1 in the lanes of X, else 0; of the lanes that are on; other bytes are written as they were
	Spill   // X is kept in the frame at Imm
	Reload  // what was kept there
	Check   // if a lane of X is on the func is left, and says how many threads are done: those of the strips before
	MaskAnd // both
	MaskOr  // one of them
	MaskNot // X and not Y
	Select  // Y where X is on, else Z
	Shuffle // lane i is that of number Pattern[i] of X and, behind its lanes, those of Y; without Y all are of X
	Pairs   // lane i is the sum of lanes 2i and 2i+1 of X and, behind its lanes, Y; only targets make it
	Ballot  // all lanes are the number whose bits are the lanes of mask X, shifted left by Imm
	Atomic  // the element of lane i becomes itself By lane i of X, of the lanes that are on, one after the other: the element Y of Mem as in Scatter, or without Y that of Mem as in Store
)

var opNames = [...]string{"const", "arg", "load", "broadcast", "strides", "gather", "store", "scatter", "tile", "untile", "total", "move", "add", "sub", "mul", "div", "mulhi", "and", "or", "xor", "shl", "shr",
	"neg", "abs", "sqrt", "recip", "rsqrt", "fma", "fnma", "fms", "min", "max", "floor", "ceil", "trunc", "roundtoeven", "least", "most", "shlby", "shrby", "bits", "convert", "cmp", "within", "whole", "index", "bools", "putbool", "spill", "reload", "check", "maskand", "maskor", "masknot", "select", "shuffle", "pairs", "ballot", "atomic"}

func (o Op) String() string { return opNames[o] }

// A Pred is how Cmp compares.
type Pred uint8

const (
	Eq Pred = iota
	Ne
	Lt
	Le
	Gt
	Ge
)

func (p Pred) String() string { return [...]string{"==", "!=", "<", "<=", ">", ">="}[p] }

// A Value is the number of a value of a Nest, from 1. Most are assigned once; variables, which Move and other operations assign, as
// often as there are assignments.
type Value int

// A Mem is an element in memory: Disp bytes from a pointer. That of lane i of part p is W*p+i elements further, where W is how many
// lanes vectors have, if it is not Uniform.
type Mem struct {
	Group   int // the pointer
	Disp    int
	Part    int
	Uniform bool
	Stride  int // of a Gather: the argument that has the bytes from thread to thread
}

// An Instr is one operation.
type Instr struct {
	Op      Op
	Kind    Kind // of Dst, or of what is stored
	From    Kind // what is converted, or how smaller numbers are in memory
	Dst     Value
	X, Y, Z Value
	On      Value // the mask of a load or store, 0 for all
	Mem     Mem
	Imm     uint64
	Pred    Pred
	Part    int     // of Within
	Pattern []uint8 // of Shuffle
	Every   int     // of Gather and Scatter: how many elements lie from lane to lane, if that is known and 2 to 4, or -1; else 0
	By      Op      // of Atomic: Add, And, Or, Xor, Min or Max
	Own     bool    // of Atomic: nobody else has the element meanwhile
	Bounds  [2]Scalar
	Run     bool // of Div: lane i of vector Part of X is Bounds[0] + (thread in the row), and Y is the argument Bounds[1].Off
	Temps   []Value
	Fold    Op // if it is Load or Broadcast, operand Y is what that gives for Mem; only targets make such operations
}

// A Scalar is an integer that all lanes have in common: the argument at Off, and what the rounds of loops around it add, and the place of the strip in the
// row.
type Scalar struct {
	Off   int
	Terms []Term
	Strip int // 1 or -1: the number of threads before the strip is added or taken away
}

// A Term is the number of the round that a loop is in, from 0, times Const, or times the argument at Off if that is not negative.
type Term struct {
	Loop  *Loop
	Const int
	Off   int
}

// A Loop goes round as often as Trips says, which may be never. Before it, pointers are what they are around it; after each round they
// move by Steps.
type Loop struct {
	Trips Scalar
	Steps []Step
	Body  []Node
	Few   bool // it is what is left of another loop

	// A loop that threads leave one by one has no Trips. Before each round it ends if one of Conds is not positive; then Head is done, and it
	// ends if no lane of the masks in While is on. If it goes on for too long the func is left, as at a Check.
	While []Value
	Conds []Scalar
	Head  []Node
	Left  []Value // masks of While again, where Body ends, if their registers are others by then
}

// A Step is how many bytes a pointer moves in a round: Const, or the argument at Off if that is not negative.
type Step struct {
	Group int
	Const int
	Off   int
}

// A When does Then if all of Conds are positive, and a lane of one of the masks in Any is on if there are any, or with All all lanes of all of them; and
// otherwise Else.
type When struct {
	Conds      []Scalar
	Any        []Value
	All        bool // a printer of assembly makes it for itself
	Open       bool // the addresses of what either side reads are right whether it is reached or not
	Then, Else []Node
}

// A Node is an *Instr, a *Loop or a *When.
type Node interface{}

// A Group is a pointer: the slice whose data is the argument at Base, and as many bytes after it as the argument at Off says.
type Group struct {
	Base, Off int
	Size      int  // of an element
	Frame     bool // it begins Off bytes from the beginning of the func's frame
	Stride    int  // if not 0, it is for thread First of the strip, by as many bytes from thread to thread as this argument says
	First     int
}

// A Nest is what a strip of threads does.
type Nest struct {
	Name      string
	Parts     int
	Size      int // of the elements that differ between lanes, in bytes
	Groups    []Group
	Body      []Node
	Kinds     []Kind // of values; the first is none
	Masked    bool   // some lanes of the strip may be off: those that are not, are in the mask Lanes
	Lanes     Value
	Late      bool   // constants and arguments stay where they are used, and nothing moves out of loops
	Registers bool   // values are in registers alone: it is for nothing if there are not enough
	Lean      bool   // few of its values may be in memory
	Deep      bool   // values of loops in loops may be in memory if there are not enough registers
	Inside    [2]int // it is for strips whose threads are from the one argument on and below the other; both 0 for any
	Tiles     int    // bytes of the frame for tiles
}

// New makes a value.
func (n *Nest) New(k Kind) Value {
	if len(n.Kinds) == 0 {
		n.Kinds = []Kind{None}
	}
	n.Kinds = append(n.Kinds, k)
	return Value(len(n.Kinds) - 1)
}

// Walk calls f for all instructions in order.
func Walk(list []Node, f func(*Instr)) {
	for _, x := range list {
		switch x := x.(type) {
		case *Instr:
			f(x)
		case *Loop:
			Walk(x.Head, f)
			Walk(x.Body, f)
		case *When:
			Walk(x.Then, f)
			Walk(x.Else, f)
		}
	}
}

// String prints a nest for people.
func (n *Nest) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "nest %s, %d parts, elements of %d bytes\n", n.Name, n.Parts, n.Size)
	for i, g := range n.Groups {
		if g.Frame {
			fmt.Fprintf(&out, "p%d = frame + %d\n", i, g.Off)
			continue
		}
		fmt.Fprintf(&out, "p%d = arg[%d] + arg[%d]\n", i, g.Base, g.Off)
	}
	printNodes(&out, n.Body, "")
	return out.String()
}

func printNodes(out *strings.Builder, list []Node, indent string) {
	for _, x := range list {
		switch x := x.(type) {
		case *Instr:
			fmt.Fprintf(out, "%s%v\n", indent, x)
		case *Loop:
			if len(x.While) > 0 {
				fmt.Fprintf(out, "%sloop while %v", indent, x.While)
				for _, c := range x.Conds {
					fmt.Fprintf(out, ", %v > 0", c)
				}
			} else {
				fmt.Fprintf(out, "%sloop %v", indent, x.Trips)
			}
			for _, s := range x.Steps {
				if s.Off >= 0 {
					fmt.Fprintf(out, ", p%d += arg[%d]", s.Group, s.Off)
				} else {
					fmt.Fprintf(out, ", p%d += %d", s.Group, s.Const)
				}
			}
			out.WriteString("\n")
			if len(x.Head) > 0 {
				printNodes(out, x.Head, indent+"\t")
				fmt.Fprintf(out, "%sdo\n", indent)
			}
			printNodes(out, x.Body, indent+"\t")
		case *When:
			fmt.Fprintf(out, "%swhen", indent)
			for _, c := range x.Conds {
				fmt.Fprintf(out, " %v > 0", c)
			}
			if len(x.Any) > 0 {
				fmt.Fprintf(out, " %s of %v", map[bool]string{false: "any", true: "all"}[x.All], x.Any)
			}
			out.WriteString("\n")
			printNodes(out, x.Then, indent+"\t")
			if len(x.Else) > 0 {
				fmt.Fprintf(out, "%selse\n", indent)
				printNodes(out, x.Else, indent+"\t")
			}
		}
	}
}

func (i *Instr) String() string {
	var parts []string
	for _, v := range i.Uses() {
		parts = append(parts, fmt.Sprintf("v%d", v))
	}
	switch i.Op {
	case Load, Broadcast, Gather, Store, Scatter, Tile, Untile, Total, Bools, PutBool, Atomic:
		parts = append(parts, fmt.Sprintf("p%d%+d", i.Mem.Group, i.Mem.Disp))
	case Arg, Strides:
		parts = append(parts, fmt.Sprintf("arg[%d]", i.Mem.Disp))
	case Within, Index:
		parts = append(parts, i.Bounds[0].String(), i.Bounds[1].String())
	case Whole:
		parts = append(parts, i.Bounds[0].String())
	case Const, Shl, Shr, Ballot:
		parts = append(parts, fmt.Sprintf("%#x", i.Imm))
	case Cmp:
		parts = append(parts, i.Pred.String())
	case Shuffle:
		parts = append(parts, fmt.Sprint(i.Pattern))
	}
	text := fmt.Sprintf("%v.%v %s", i.Op, i.Kind, strings.Join(parts, ", "))
	if i.Dst != 0 {
		text = fmt.Sprintf("v%d = %s", i.Dst, text)
	}
	return text
}

func (s Scalar) String() string {
	text := fmt.Sprintf("arg[%d]", s.Off)
	for _, t := range s.Terms {
		if t.Off >= 0 {
			text += fmt.Sprintf(" + arg[%d]*round", t.Off)
		} else {
			text += fmt.Sprintf(" + %d*round", t.Const)
		}
	}
	if s.Strip != 0 {
		text += fmt.Sprintf(" + %d*strip", s.Strip)
	}
	return text
}

// scalars returns the integers that i needs.
func (i *Instr) scalars() []Scalar {
	switch i.Op {
	case Within, Index:
		return i.Bounds[:]
	case Whole:
		return i.Bounds[:1]
	case Div:
		if i.Run {
			return i.Bounds[:]
		}
	}
	return nil
}

// Counted returns the loops whose rounds are terms of integers in list.
func Counted(list []Node) map[*Loop]bool {
	found := map[*Loop]bool{}
	add := func(all ...Scalar) {
		for _, s := range all {
			for _, t := range s.Terms {
				found[t.Loop] = true
			}
		}
	}
	var visit func(list []Node)
	visit = func(list []Node) {
		for _, x := range list {
			switch x := x.(type) {
			case *Instr:
				add(x.scalars()...)
			case *Loop:
				add(x.Trips)
				add(x.Conds...)
				visit(x.Head)
				visit(x.Body)
			case *When:
				add(x.Conds...)
				visit(x.Then)
				visit(x.Else)
			}
		}
	}
	visit(list)
	return found
}

// InMemory reports whether i reads or writes elements.
func (i *Instr) InMemory() bool {
	return i.Op == Load || i.Op == Broadcast || i.Op == Gather || i.Op == Store || i.Op == Scatter || i.Op == Tile || i.Op == Untile || i.Op == Total || i.Op == Bools || i.Op == PutBool || i.Op == Atomic || i.Fold != 0
}

// Stores reports whether i writes elements.
func (i *Instr) Stores() bool {
	return i.Op == Store || i.Op == Scatter || i.Op == Untile || i.Op == Total || i.Op == PutBool || i.Op == Atomic
}

// Indexed reports whether each lane says which element it has.
func (i *Instr) Indexed() bool {
	return i.Op == Gather || i.Op == Scatter || i.Op == Atomic && i.Y != 0
}

// Uses returns the values that i reads.
func (i *Instr) Uses() []Value {
	list := make([]Value, 0, 4)
	for _, v := range [...]Value{i.X, i.Y, i.Z, i.On} {
		if v != 0 {
			list = append(list, v)
		}
	}
	return list
}

// HasWhile reports whether there is a loop without a known end in list.
func HasWhile(list []Node) bool {
	for _, x := range list {
		switch x := x.(type) {
		case *Loop:
			if len(x.While) > 0 || HasWhile(x.Head) || HasWhile(x.Body) {
				return true
			}
		case *When:
			if HasWhile(x.Then) || HasWhile(x.Else) {
				return true
			}
		}
	}
	return false
}

// Masks counts the loads and stores that some lanes may sit out.
func (n *Nest) Masks() int {
	many := 0
	Walk(n.Body, func(i *Instr) {
		if i.On != 0 {
			many++
		}
	})
	return many
}

// Fails reports whether the func may be left before all threads are done.
func (n *Nest) Fails() bool {
	found := false
	Walk(n.Body, func(i *Instr) { found = found || i.Op == Check })
	var visit func(list []Node)
	visit = func(list []Node) {
		for _, x := range list {
			switch x := x.(type) {
			case *Loop:
				found = found || len(x.While) > 0
				visit(x.Head)
				visit(x.Body)
			case *When:
				visit(x.Then)
				visit(x.Else)
			}
		}
	}
	visit(n.Body)
	return found
}

// Restarts reports whether a strip can be done again by other means where it is left: nothing is stored before.
func (n *Nest) Restarts() bool {
	_, _, ok := restarts(n.Body, false)
	return ok
}

// restarts looks at list, before which something has been stored or not. It returns whether list stores something and whether it may be left.
func restarts(list []Node, stored bool) (stores, leaves, ok bool) {
	ok = true
	note := func(s, l, o bool) {
		ok = ok && o && !(l && (stored || stores))
		stores, leaves = stores || s, leaves || l
	}
	for _, x := range list {
		switch x := x.(type) {
		case *Instr:
			note(x.Stores(), x.Op == Check, true)
		case *Loop:
			inside := append(slices.Clone(x.Head), x.Body...)
			s, l, o := restarts(inside, stored || stores)
			l = l || len(x.While) > 0
			note(false, l, o && !(s && l))
			stores = stores || s
		case *When:
			s1, l1, o1 := restarts(x.Then, stored || stores)
			s2, l2, o2 := restarts(x.Else, stored || stores)
			note(false, l1 || l2, o1 && o2)
			stores = stores || s1 || s2
		}
	}
	return stores, leaves, ok
}

// Verify returns an error if n is not well-formed: a value is read before it has one, or is of a kind that the operation does not
// take.
func (n *Nest) Verify() error {
	has := make([]bool, len(n.Kinds))
	if n.Lanes != 0 {
		has[n.Lanes] = true
	}
	return n.verify(n.Body, has, nil)
}

// verifyScalars returns an error if one of the integers counts the rounds of a loop that is not around it.
func verifyScalars(around []*Loop, all ...Scalar) error {
	for _, s := range all {
		for _, t := range s.Terms {
			if !slices.Contains(around, t.Loop) {
				return fmt.Errorf("%v: a loop is not around it", s)
			}
		}
	}
	return nil
}

func (n *Nest) verify(list []Node, has []bool, around []*Loop) error {
	for _, x := range list {
		switch x := x.(type) {
		case *Instr:
			if err := verifyScalars(around, x.scalars()...); err != nil {
				return err
			}
			for _, v := range x.Uses() {
				if int(v) >= len(n.Kinds) || !has[v] {
					return fmt.Errorf("%v: v%d has no value", x, v)
				}
			}
			if err := n.verifyKinds(x); err != nil {
				return err
			}
			if x.Dst != 0 {
				has[x.Dst] = true
			}
		case *Loop:
			if err := verifyScalars(around, x.Trips); err != nil {
				return err
			}
			inside := append(slices.Clone(around), x)
			if err := verifyScalars(inside, x.Conds...); err != nil {
				return err
			}
			if err := n.verify(x.Head, has, inside); err != nil {
				return err
			}
			for _, v := range x.While {
				if !has[v] || n.Kinds[v] != Mask {
					return fmt.Errorf("v%d is no mask", v)
				}
			}
			if err := n.verify(x.Body, has, inside); err != nil {
				return err
			}
		case *When:
			if err := verifyScalars(around, x.Conds...); err != nil {
				return err
			}
			for _, v := range x.Any {
				if !has[v] || n.Kinds[v] != Mask {
					return fmt.Errorf("v%d is no mask", v)
				}
			}
			then, otherwise := slices.Clone(has), slices.Clone(has)
			if err := n.verify(x.Then, then, around); err != nil {
				return err
			}
			if err := n.verify(x.Else, otherwise, around); err != nil {
				return err
			}
			for v := range has { // what only one side has made has no value behind them
				has[v] = then[v] && otherwise[v]
			}
		}
	}
	return nil
}

func (n *Nest) verifyKinds(x *Instr) error {
	want := func(v Value, k Kind) error {
		if v == 0 || n.Kinds[v] != k {
			return fmt.Errorf("%v: v%d is no %v", x, v, k)
		}
		return nil
	}
	errs := make([]error, 0, 4)
	switch x.Op {
	case Const, Arg, Load, Broadcast, Strides, Gather, Index, Tile, Untile, Reload:
	case Store, Scatter, Total, Atomic, Move, Spill, Shl, Shr, Neg, Abs, Sqrt, Recip, Rsqrt, Floor, Ceil, Trunc, RoundToEven:
		errs = append(errs, want(x.X, x.Kind))
	case FMA, FNMA, FMS:
		errs = append(errs, want(x.X, x.Kind), want(x.Y, x.Kind), want(x.Z, x.Kind))
	case Convert, Bits:
		errs = append(errs, want(x.X, x.From))
	case ShlBy, ShrBy:
		count := U32
		if x.Kind.Size() == 8 {
			count = U64
		}
		errs = append(errs, want(x.X, x.Kind), want(x.Y, count))
	case Cmp:
		errs = append(errs, want(x.X, x.From), want(x.Y, x.From), want(x.Dst, Mask))
	case Within, Whole, Bools:
		errs = append(errs, want(x.Dst, Mask))
	case Shuffle:
		errs = append(errs, want(x.X, x.Kind))
		if x.Y != 0 {
			errs = append(errs, want(x.Y, x.Kind))
		}
	case Ballot:
		errs = append(errs, want(x.X, Mask), want(x.Dst, U32))
	case PutBool, Check:
		errs = append(errs, want(x.X, Mask))
	case MaskAnd, MaskOr, MaskNot:
		errs = append(errs, want(x.X, Mask), want(x.Y, Mask), want(x.Dst, Mask))
	case Select:
		errs = append(errs, want(x.X, Mask), want(x.Y, x.Kind), want(x.Z, x.Kind))
	default:
		errs = append(errs, want(x.X, x.Kind), want(x.Y, x.Kind))
	}
	if x.Dst != 0 && x.Kind != Mask && x.Op != Cmp {
		errs = append(errs, want(x.Dst, x.Kind))
	}
	if x.On != 0 {
		errs = append(errs, want(x.On, Mask))
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
