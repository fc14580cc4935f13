// Package lir is the low-level intermediate representation of the compiler: counted loops around
// vector instructions, with a thread in each lane. A Nest is the code for one strip of a row: a
// number of vectors of threads, its parts, which execute it together. A memory operand is a
// pointer, which loops advance by fixed steps, and a displacement. The initial values of pointers
// and the trip counts of loops are computed before the nest is entered. Divergent conditions are
// masks.
package lir

import (
	"fmt"
	"slices"
	"strings"
)

// A Kind is the type of a value's elements.
type Kind uint8

const (
	None Kind = iota
	F32
	F64
	I32
	U32
	I64
	U64
	Mask // a bit per lane

	// The following kinds occur in memory only, as From of an access, and in registers they are I32,
	// except in nests with values of 1 or 2 bytes.
	U8
	I8
	U16
	I16
)

// Size returns the size of an element in bytes. The size of a mask does not depend on its kind.
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

// IsFloat reports whether k is a floating-point kind.
func (k Kind) IsFloat() bool { return k == F32 || k == F64 }

// IsSigned reports whether k is a signed integer kind in registers.
func (k Kind) IsSigned() bool { return k == I32 || k == I64 || k == I8 || k == I16 }

func (k Kind) String() string {
	return [...]string{"none", "f32", "f64", "i32", "u32", "i64", "u64", "mask", "u8", "i8", "u16", "i16"}[k]
}

// An Op is the operation of an instruction.
type Op uint8

const (
	Const     Op = iota // Imm in all lanes
	Arg                 // the argument at Mem.Disp, in all lanes
	Load                // lane i is element i of Mem, for active lanes
	Broadcast           // the element at Mem, in all lanes
	Strides             // lane i is i times the argument at Mem.Disp: element offsets for Gather
	// lane i is the element at offset X from Mem, for active lanes; the offset of lane 0 is that of
	// its thread, by Mem.Stride
	Gather
	Store // lane i of X goes to element i of Mem, for active lanes
	// lane i of X goes to the element at offset Y from Mem, as in Gather, in lane order; if Imm is
	// 0, Y is Strides of Mem.Stride
	Scatter
	// a square of elements, with a row per lane from Mem on, goes transposed to the frame at Imm;
	// Temps are temporaries
	Tile
	// 16 bytes of each lane's row, from Mem on, go transposed to the frame at Imm; those of the last lane
	// begin Part elements earlier and are moved back. Only targets make it
	Columns
	Untile // the inverse of Tile: the square at Imm in the frame goes transposed to memory
	// the sum of X's lanes goes to the element at Mem, and that of Y's lanes, if Y is set, to the
	// next one; only targets set Y
	Total
	Move // X
	Add  // X + Y; likewise the following
	Sub
	Mul
	Div
	MulHi // the high half of the product of integers, which has twice the bits; all lanes of Y are the same, unless Imm is 1. There is none of I64
	And
	Or
	Xor
	Shl   // X << Imm; of bytes, the bits that come in are any
	Shr   // X >> Imm, likewise; of unsigned bytes only
	Neg   // -X
	Abs   // |X|
	Sqrt  // the square root
	Recip // an estimate of 1/X, within 2^-11; 0 for infinity, infinity for 0
	Rsqrt // an estimate of 1/sqrt(X), likewise
	FMA   // X*Y + Z, rounded once
	FNMA  // Z - X*Y, rounded once
	FMS   // X*Y - Z, rounded once
	Min   // of integers
	Max
	Floor // X rounded down; likewise the following
	Ceil
	Trunc
	RoundToEven
	Least // Go's min of floats: NaN if one is NaN, and -0 < 0
	Most  // Go's max of floats
	// X << Y, with Y unsigned and of the same size; with 64 bits, Y is at most 64, or 63 for ShrBy
	// of signed X
	ShlBy
	ShrBy   // X >> Y
	Bits    // the bits of X, of kind From
	Convert // X, of kind From, converted
	Cmp     // a mask: X Pred Y, for operands of kind From
	Within  // a mask: the lanes whose thread is in [Bounds[0], Bounds[1])
	Whole   // a mask: all lanes if Bounds[0] is positive, else none
	Index   // lane i of vector Part is Bounds[0] + (thread in the row)*Bounds[1], truncated
	Bools   // a mask: the lanes whose byte at Mem is not 0; may read all bytes of the vector
	// for active lanes, the byte at Mem becomes 1 if X is on, else 0; may rewrite other bytes with
	// their old values
	PutBool
	Spill  // saves X in the frame at Imm
	Reload // loads a saved value from the frame at Imm
	// X + Y of integers of 8 or 16 bits, clamped to those of the kind (saturated); likewise the following
	AddSat
	SubSat
	// if a lane of X is on, the func returns the number of threads in the strips before; the bits
	// of that, inverted, if it is a fault
	Check
	MaskAnd // X and Y
	MaskOr  // X or Y
	MaskNot // X and not Y
	Select  // Y where X is on, else Z
	Shuffle // lane i is lane Pattern[i] of X and Y concatenated; without Y, of X
	Pairs   // lane i is the sum of lanes 2i and 2i+1 of X and Y concatenated; only targets make it
	Ballot  // the mask X as a number, shifted left by Imm, in all lanes
	// updates the element of lane i by operation By and lane i of X, for active lanes one after the
	// other; the elements are those of Scatter, or without Y of Store
	Atomic
)

var opNames = [...]string{"const", "arg", "load", "broadcast", "strides", "gather", "store", "scatter", "tile", "columns", "untile", "total", "move", "add", "sub", "mul", "div", "mulhi", "and", "or", "xor", "shl", "shr",
	"neg", "abs", "sqrt", "recip", "rsqrt", "fma", "fnma", "fms", "min", "max", "floor", "ceil", "trunc", "roundtoeven", "least", "most", "shlby", "shrby", "bits", "convert", "cmp", "within", "whole", "index", "bools", "putbool", "spill", "reload", "addsat", "subsat", "check", "maskand", "maskor", "masknot", "select", "shuffle", "pairs", "ballot", "atomic"}

func (o Op) String() string { return opNames[o] }

// A Pred is the relation of a comparison.
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

// A Value is the number of a value of a Nest, from 1. Most values are assigned once (SSA).
// Variables are assigned several times, by Move and other instructions.
type Value int

// A Mem is a memory operand: Disp bytes from a pointer. Unless it is Uniform, lane i of part p
// accesses the element W*p+i elements further, where W is the number of lanes of a vector.
type Mem struct {
	Group   int // the pointer
	Disp    int
	Part    int
	Uniform bool
	Stride  int // for a Gather: the argument with the stride in bytes from thread to thread
}

// An Instr is one instruction.
type Instr struct {
	Op      Op
	Kind    Kind // the kind of Dst, or of the stored value
	From    Kind // the kind of a converted operand, or the smaller kind in memory
	Dst     Value
	X, Y, Z Value
	On      Value // the mask of active lanes; 0 for all
	Mem     Mem
	Imm     uint64
	Pred    Pred
	Part    int     // for Within, Index and Div: the number of the vector
	Pattern []uint8 // for Shuffle
	// for Gather and Scatter: the distance of lanes in elements, if it is known and -1 or 2 to
	// MostEvery; else 0
	Every int
	// for Gather and Scatter: if not 0, and this argument is positive, lane i has the offset S ^ i, where S is the same
	// for all lanes: the lanes access the elements of an aligned vector in another order
	Swaps  int
	By     Op   // for Atomic: Add, And, Or, Xor, Min or Max
	Own    bool // for Atomic: no other goroutine accesses the element meanwhile
	Free   bool // for Atomic: sums of floats in any order
	Fault  bool // for Check: the threads of these lanes panic
	Bound  int  // if not 0, the number in Nest.Bounds, from 1, of a bound of the result's absolute value
	Bounds [2]Scalar
	Open   [2]bool // for Within: no thread of a strip is before the first bound, or from the second one on
	// for Div: lane i of vector Part of X is Bounds[0] + (thread in the row), and Y is the argument
	// Bounds[1].Off
	Run   bool
	Temps []Value
	Fold  Op // Load or Broadcast: operand Y is the result of that for Mem; only targets set Fold
}

// A Scalar is a uniform integer: the argument at Off, plus terms that grow with the iterations of
// enclosing loops, plus or minus the strip's first thread.
type Scalar struct {
	Off   int
	Terms []Term
	Strip int // 1 or -1: the number of threads before the strip is added or subtracted
}

// A Term is the number of the current iteration of a loop, from 0, times Const, or times the
// argument at Off if Off is not negative.
type Term struct {
	Loop  *Loop
	Const int
	Off   int
}

// A Loop is a counted loop with trip count Trips, or 0 if that is negative. Its pointers start with
// their values outside the loop, and advance by Steps after each iteration.
type Loop struct {
	Trips Scalar
	Steps []Step
	Body  []Node
	Few   bool // the remainder of another loop, with few iterations

	// A divergent loop has no Trips. Before each iteration it ends if one of Conds is not positive.
	// Then Head is executed, and the loop ends if all lanes of all masks in While are off. After
	// too many iterations the func is left, as by a Check.
	While []Value
	Conds []Scalar
	Head  []Node
	Left  []Value // masks of While again, where Body ends, if their registers are others by then
}

// A Step is the advance of a pointer per iteration in bytes: Const, or the argument at Off if Off
// is not negative.
type Step struct {
	Group int
	Const int
	Off   int
}

// A When is a branch. It executes Then if all of Conds are positive and, with masks in Any, a lane
// of one of them is on; with All, all lanes of all of them must be on. Otherwise it executes Else.
type When struct {
	Conds      []Scalar
	Any        []Value
	All        bool // only targets set it
	Open       bool // the addresses of loads on either side are valid whether the side is executed or not
	Then, Else []Node
}

// A Node is an *Instr, a *Loop or a *When.
type Node interface{}

// A Group is a pointer: the data of the slice that is the argument at Base, plus the argument at
// Off in bytes.
type Group struct {
	Base, Off int
	Size      int  // the size of an element
	Frame     bool // the pointer is Off bytes from the beginning of the func's frame
	Own       bool // only the nest uses this memory, and what it stores there before it is left does not matter
	// if not 0, the pointer belongs to thread First of the strip, and this argument is the stride
	// in bytes from thread to thread
	Stride int
	First  int
	// if not nil, the pointer is only a distance, since the argument at Base is a slice of slices: each
	// access adds it to the beginning of a row
	Row *Row
}

// A Row is where the header of a row of a slice of slices is: Disp bytes from the pointer Group. With
// Lanes, each lane has a row of its own, and headers are the Stride of the access apart.
type Row struct {
	Group, Disp int
	Lanes       bool
}

// A Nest is the code of one strip of threads.
type Nest struct {
	Name      string
	Parts     int
	Size      int // the size in bytes of divergent values
	Groups    []Group
	Body      []Node
	Kinds     []Kind // the kinds of values; index 0 is unused
	Masked    bool   // some lanes of the strip may be inactive; the mask Lanes has the active ones
	Lanes     Value
	Late      bool // constants and arguments are loaded at their uses, and nothing is hoisted
	Registers bool // no spilling: register allocation fails if there are too few registers
	Lean      bool // few values may be spilled
	Deep      bool // values of nested loops may be spilled
	// for strips whose threads are in [first argument, second argument); both 0 for any strip
	Inside [2]int
	Tiles  int // bytes of the frame for tiles

	Bounds []string // bounds of integers that are known before the nest is entered, as Go expressions
}

// New makes a value.
func (n *Nest) New(k Kind) Value {
	if len(n.Kinds) == 0 {
		n.Kinds = []Kind{None}
	}
	n.Kinds = append(n.Kinds, k)
	return Value(len(n.Kinds) - 1)
}

// Walk calls f for all instructions, in order.
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

// MapBlocks returns list with f applied to each basic block in it, in branches and loops too. Checks lie
// between blocks, since a load must not move above the check of its index.
func MapBlocks(list []Node, f func(block []*Instr) []*Instr) []Node {
	out := make([]Node, 0, len(list))
	var block []*Instr
	flush := func() {
		for _, i := range f(block) {
			out = append(out, i)
		}
		block = nil
	}
	for _, x := range list {
		switch x := x.(type) {
		case *Instr:
			if x.Op != Check {
				block = append(block, x)
				continue
			}
		case *Loop:
			x.Head, x.Body = MapBlocks(x.Head, f), MapBlocks(x.Body, f)
		case *When:
			x.Then, x.Else = MapBlocks(x.Then, f), MapBlocks(x.Else, f)
		}
		flush()
		out = append(out, x)
	}
	flush()
	return out
}

// String formats a nest for debugging.
func (n *Nest) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "nest %s, %d parts, elements of %d bytes\n", n.Name, n.Parts, n.Size)
	for i, g := range n.Groups {
		if g.Frame {
			fmt.Fprintf(&out, "p%d = frame + %d\n", i, g.Off)
			continue
		}
		if g.Row != nil {
			fmt.Fprintf(&out, "p%d = row at p%d%+d, + arg[%d]\n", i, g.Row.Group, g.Row.Disp, g.Off)
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
	case Load, Broadcast, Gather, Store, Scatter, Tile, Columns, Untile, Total, Bools, PutBool, Atomic:
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
	if i.Fault {
		text += " (fault)"
	}
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

// scalars returns the scalar operands of i.
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

// Counted returns the loops whose iteration numbers are terms of scalars in list.
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

// InMemory reports whether i accesses elements in memory.
func (i *Instr) InMemory() bool {
	return i.Op == Load || i.Op == Broadcast || i.Op == Gather || i.Op == Store || i.Op == Scatter || i.Op == Tile || i.Op == Columns || i.Op == Untile || i.Op == Total || i.Op == Bools || i.Op == PutBool || i.Op == Atomic || i.Fold != 0
}

// Uses reports whether an access by i needs the pointer g.
func (n *Nest) Uses(i *Instr, g int) bool {
	if !i.InMemory() {
		return false
	}
	row := n.Groups[i.Mem.Group].Row
	return i.Mem.Group == g || row != nil && row.Group == g
}

// Stores reports whether i stores elements.
func (i *Instr) Stores() bool {
	return i.Op == Store || i.Op == Scatter || i.Op == Untile || i.Op == Total || i.Op == PutBool || i.Op == Atomic
}

// Indexed reports whether each lane has an index of its own.
func (i *Instr) Indexed() bool {
	return i.Op == Gather || i.Op == Scatter || i.Op == Atomic && i.Y != 0
}

// MostEvery is the largest distance of lanes that Every has.
const MostEvery = 1 << 10

// Apart reports whether the lanes of i access elements that are far apart, or at distances of which few
// machines make use.
func (i *Instr) Apart() bool {
	return (i.Op == Gather || i.Op == Scatter) && (i.Every == 0 || i.Every > 4)
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

// HasWhile reports whether list contains a divergent loop.
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

// Masks counts the masked accesses.
func (n *Nest) Masks() int {
	many := 0
	Walk(n.Body, func(i *Instr) {
		if i.On != 0 {
			many++
		}
	})
	return many
}

// Fails reports whether the func may return before all threads are done.
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

// Restarts reports whether plain Go can repeat a strip in which the nest was left: nothing is
// stored before an exit.
func (n *Nest) Restarts() bool {
	_, _, ok := n.restarts(n.Body, false, false)
	return ok
}

// RestartsOrFaults is Restarts, except for exits because a thread panics.
func (n *Nest) RestartsOrFaults() bool {
	_, _, ok := n.restarts(n.Body, false, true)
	return ok
}

// Faults reports whether the func may return because a thread panics, as its result then says.
func (n *Nest) Faults() bool {
	found := false
	Walk(n.Body, func(i *Instr) { found = found || i.Fault })
	return found
}

// FaultsBy returns the instructions that load what decides whether the func returns because a thread
// panics.
func (n *Nest) FaultsBy() (loads []*Instr) {
	need := map[Value]bool{}
	var seed func(list []Node, around []Value)
	seed = func(list []Node, around []Value) {
		for _, x := range list {
			switch x := x.(type) {
			case *Instr:
				if x.Fault {
					for _, v := range append(slices.Clip(around), x.X) {
						need[v] = true
					}
				}
			case *Loop:
				inside := append(slices.Clip(around), x.While...)
				seed(x.Head, inside)
				seed(x.Body, inside)
			case *When:
				inside := append(slices.Clip(around), x.Any...)
				seed(x.Then, inside)
				seed(x.Else, inside)
			}
		}
	}
	seed(n.Body, nil)
	frame := false // whether something in the frame is needed
	for before := -1; before != len(need); {
		before = len(need)
		Walk(n.Body, func(i *Instr) {
			inFrame := i.InMemory() && n.Groups[i.Mem.Group].Frame
			if !(i.Dst != 0 && need[i.Dst]) && !(frame && inFrame && i.Stores()) {
				return
			}
			if inFrame && !frame {
				frame, before = true, -1
			}
			for _, v := range i.Uses() {
				need[v] = true
			}
		})
	}
	Walk(n.Body, func(i *Instr) {
		if i.InMemory() && i.Dst != 0 && need[i.Dst] && !n.Groups[i.Mem.Group].Frame {
			loads = append(loads, i)
		}
	})
	return loads
}

// restarts is Restarts, or with faults RestartsOrFaults, for list, before which something may have
// been stored. It also reports whether list stores, and whether it may be left.
func (n *Nest) restarts(list []Node, stored, faults bool) (stores, leaves, ok bool) {
	ok = true
	note := func(s, l, o bool) {
		ok = ok && o && !(l && (stored || stores))
		stores, leaves = stores || s, leaves || l
	}
	for _, x := range list {
		switch x := x.(type) {
		case *Instr:
			note(x.Stores() && !n.Groups[x.Mem.Group].Own, x.Op == Check && !(faults && x.Fault), true)
		case *Loop:
			inside := append(slices.Clone(x.Head), x.Body...)
			s, l, o := n.restarts(inside, stored || stores, faults)
			l = l || len(x.While) > 0
			note(false, l, o && !(s && l))
			stores = stores || s
		case *When:
			s1, l1, o1 := n.restarts(x.Then, stored || stores, faults)
			s2, l2, o2 := n.restarts(x.Else, stored || stores, faults)
			note(false, l1 || l2, o1 && o2)
			stores = stores || s1 || s2
		}
	}
	return stores, leaves, ok
}

// Verify returns an error if n is not well-formed: a value is read before it is assigned, or an
// operand has a wrong kind.
func (n *Nest) Verify() error {
	has := make([]bool, len(n.Kinds))
	if n.Lanes != 0 {
		has[n.Lanes] = true
	}
	return n.verify(n.Body, has, nil)
}

// verifyScalars returns an error if a scalar has a term of a loop that does not enclose it.
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
			for v := range has { // a value that only one side assigns is not available behind the branch
				has[v] = then[v] && otherwise[v]
			}
		}
	}
	return nil
}

func (n *Nest) verifyKinds(x *Instr) error {
	want := func(v Value, k Kind) error {
		// values of 1 and 2 bytes are signed or not as the operation says
		if v == 0 || n.Kinds[v] != k && (n.Size >= 4 || k == Mask || n.Kinds[v] == Mask || n.Kinds[v].Size() != k.Size()) {
			return fmt.Errorf("%v: v%d is no %v", x, v, k)
		}
		return nil
	}
	errs := make([]error, 0, 4)
	switch x.Op {
	case Const, Arg, Load, Broadcast, Strides, Gather, Index, Tile, Columns, Untile, Reload:
	case Store, Scatter, Total, Atomic, Move, Spill, Shl, Shr, Neg, Abs, Sqrt, Recip, Rsqrt, Floor, Ceil, Trunc, RoundToEven:
		errs = append(errs, want(x.X, x.Kind))
	case FMA, FNMA, FMS:
		errs = append(errs, want(x.X, x.Kind), want(x.Y, x.Kind), want(x.Z, x.Kind))
	case Convert, Bits:
		errs = append(errs, want(x.X, x.From))
	case ShlBy, ShrBy:
		count := U32
		switch x.Kind.Size() {
		case 8:
			count = U64
		case 2:
			count = U16
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
