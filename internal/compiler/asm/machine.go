// Package asm generates Go assembly from nests. It contains what all machines share: register
// allocation and spilling, the control flow of a nest, and the file. Package amd64 has the
// instructions of AVX2 and AVX-512, package arm64 those of NEON.
package asm

import (
	"errors"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// A Machine is a vector instruction set.
type Machine struct {
	Name      string // the suffix of its funcs' names
	Arch      string // GOARCH
	Bytes     int    // the size of a vector register
	Vectors   int    // the number of vector registers for values
	Masks     int    // the number of mask registers; 0 if masks are vectors
	Columns   int    // the number of 128-bit columns that a Tile loads at a time
	FrameHead int    // bytes of the frame before all slots
	// the most pointers of a loop of sums across lanes, so that counters and pointers of enclosing
	// loops have registers too; 0 without Total
	Totals int
	// following strips skip the beginning of a form, and arguments of innermost loops are kept in
	// registers
	Strips     bool
	Pool       []string // the integer registers for pointers and counters
	ByteMasks  bool     // byte vectors can be stored under a mask
	SmallLanes bool     // lanes of 8 and 16 bits
	Target     func(*Emitter) Target

	// Near returns values whose registers the result of an instruction should reuse if they are
	// free, and values whose registers it should avoid. It may be nil.
	Near func(x *lir.Instr) (near, apart []lir.Value)
}

// Lanes returns the number of lanes for elements of a size in bytes.
func (m *Machine) Lanes(size int) int { return m.Bytes / size }

// TileTemps returns the number of temporary vectors of a Tile with elements of a size in bytes.
func (m *Machine) TileTemps(size int) int {
	in := 16 / size
	return m.Columns*in + in
}

// ErrMissing reports that a machine lacks an instruction.
var ErrMissing = errors.New("an operation that the machine has no instruction for")

// ErrRegisters reports that a nest has more live values than registers.
var ErrRegisters = errors.New("more values at a time than there are registers")

// A Result says which value a func returns.
type Result int

const (
	Nothing Result = iota
	All            // the number of threads of the row
	Done           // the number of threads that are done
	Fault          // the bits of that, inverted
)

// Exit is the label to which a check that fails jumps.
func Exit(check *lir.Instr) string {
	if check.Fault {
		return "fault"
	}
	return "fail"
}

// A Target prints the machine's instructions for the control flow of a func. Registers are those of
// its pool, and Temp. A place is a register or a slot of the frame, as Slot names it. Arguments are
// identified by their offsets in the struct.
type Target interface {
	// Prepare may rewrite a nest before register allocation. It returns what it has found out about
	// the nest.
	Prepare(n *lir.Nest) any
	// Resume comes before a nest is printed, with what Prepare has returned.
	Resume(notes any)
	// Enter initializes the current thread to 0 and, with budget, the number of iterations that
	// divergent loops may execute.
	Enter(budget bool)
	// JumpThreads jumps if the current thread plus more is less than an argument, or, unless less
	// is set, at most that.
	JumpThreads(more int, less bool, arg int, label string)
	// JumpBefore jumps if an argument is less than the number of threads of the row.
	JumpBefore(arg int, label string)
	// Advance adds to the number of the current thread.
	Advance(threads int)
	// Return returns from the func.
	Return(r Result)
	// Tail sets a mask to the lanes whose threads are in the row.
	Tail(mask lir.Value)
	// Begin sets a register to the initial pointer of a group.
	Begin(group int, r string)
	// PerLane reports whether the pointer of a group already points to the first thread of the
	// strip.
	PerLane(group int) bool
	// JumpUnless jumps if a scalar is not positive.
	JumpUnless(s lir.Scalar, label string) error
	// JumpNone jumps if all lanes of all masks are off.
	JumpNone(masks []lir.Value, label string)
	// JumpNotPositive jumps if a register is not positive.
	JumpNotPositive(r, label string)
	// Temp is a scratch register that is not in the pool.
	Temp() string
	// Slot names a slot of the frame.
	Slot(at int) string
	// Move copies a place to another one; at least one of them is a register.
	Move(from, to string)
	Zero(r string)
	Increment(r string)
	// Argument loads an argument into a register.
	Argument(arg int, r string)
	// Strip is the register with the number of the strip's first thread.
	Strip() string
	// AddTerm adds a term to the register r; round has the number of the iteration.
	AddTerm(t lir.Term, round, r string) error
	// Step advances the pointer in a place.
	Step(s lir.Step, place string)
	// Align precedes the first instruction of a loop.
	Align()
	// CountDown decrements a place and jumps if it is not 0.
	CountDown(place, label string)
	// CountUp increments a register and jumps if it is less than a limit in a register or, if limit
	// is "", than an argument.
	CountUp(r, limit string, arg int, label string)
	// Budget decrements the number of iterations that divergent loops may still execute, and jumps
	// if none is left.
	Budget(label string)
	// Patience decrements a counter if at most few lanes of masks are on, increments it otherwise,
	// and jumps when it is 0.
	Patience(masks []lir.Value, few int, label string)
	// Instr prints an instruction.
	Instr(x *lir.Instr) error
	// Tidy may optimize the text of a func (peephole).
	Tidy(text string) string
}

// An AllJumper is a Target whose Prepare makes branches that test whether all lanes are on.
type AllJumper interface {
	// JumpNotAll jumps if a lane of one of the masks is off.
	JumpNotAll(masks []lir.Value, label string)
}

// A Framer is a Target whose registers for values are longer than the frame's alignment. A spilled value
// that crosses a cache line is saved and loaded slowly: with AVX-512 a loop over bodies took 2.6 times as
// long.
type Framer interface {
	// Frame sets a register to an offset in the frame, rounded up to a cache line.
	Frame(off int, r string)
}

// A Stripper is a Target that can keep the last thread at which a whole strip may begin in a
// register.
type Stripper interface {
	// Limit sets a register to an argument minus a number of threads.
	Limit(arg, threads int, r string)
	// JumpWithin jumps if the number of the current thread is at most the register.
	JumpWithin(r, label string)
}
