// Package asm prints nests as Go assembly. It has what all machines share: registers for values and a frame for those that have none, the loops and
// branches of a nest, and the file. Package amd64 has the instructions of AVX2 and AVX-512, package arm64 those of NEON.
package asm

import (
	"errors"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// A Machine is a set of vector instructions.
type Machine struct {
	Name      string   // what the names of its funcs end in
	Arch      string   // GOARCH
	Bytes     int      // of a register
	Vectors   int      // registers that values may have
	Masks     int      // and masks; none if these are vectors
	Columns   int      // how many columns of pieces of 128 bits a Tile reads together
	FrameHead int      // bytes of the frame before all places in it
	Totals    int      // how many pointers a loop may have that adds up vectors for Total, with registers for the counters and pointers of loops around it; 0 if there is no Total
	Strips    bool     // a form goes on with the next strip without its beginning, and arguments that innermost loops need have registers
	Pool      []string // integer registers for pointers and counters
	ByteMasks bool     // some bytes of a vector can be stored, by a mask
	Target    func(*Emitter) Target

	// Near returns the values in whose registers the result of an operation had best be, if they are free by then, and those in whose registers it had best not
	// be. It may be nil.
	Near func(x *lir.Instr) (near, apart []lir.Value)
}

// Lanes returns how many elements of so many bytes a vector has.
func (m *Machine) Lanes(size int) int { return m.Bytes / size }

// TileTemps returns how many vectors the steps of a Tile of elements of so many bytes take.
func (m *Machine) TileTemps(size int) int {
	in := 16 / size
	return m.Columns*in + in
}

// ErrMissing says that a machine lacks an instruction.
var ErrMissing = errors.New("an operation that the machine has no instruction for")

// ErrRegisters says that a nest has more values at a time than there are registers.
var ErrRegisters = errors.New("more values at a time than there are registers")

// What a func returns.
type Result int

const (
	Nothing Result = iota
	All            // how many threads the row has
	Done           // how many of them are done
)

// A Target prints what the skeleton of a func needs of a machine. Registers are those of its pool, and Temp. A place is a register or a slot of the
// frame, as Slot names it. Arguments are known by where they are in the struct.
type Target interface {
	// Prepare may change a nest before its values have registers.
	Prepare(n *lir.Nest)
	// Enter makes the first thread 0 and, if loops without a known end go on for a number of rounds, the budget that.
	Enter(budget bool)
	// JumpThreads jumps if the number of the thread and more is less than an argument, or, unless less is set, at most that.
	JumpThreads(more int, less bool, arg int, label string)
	// Advance goes on by so many threads.
	Advance(threads int)
	// Return leaves the func.
	Return(r Result)
	// Tail makes a mask those lanes that the row has threads for.
	Tail(mask lir.Value)
	// Begin makes a register the pointer of a group at its beginning.
	Begin(group int, r string)
	// PerLane reports whether the pointer of a group includes the first thread of the strip.
	PerLane(group int) bool
	// JumpUnless jumps if an integer is not positive.
	JumpUnless(s lir.Scalar, label string) error
	// JumpNone jumps if no lane of masks is on.
	JumpNone(masks []lir.Value, label string)
	// JumpNotPositive jumps if what a register has is not positive.
	JumpNotPositive(r, label string)
	// Temp is a register that is not of the pool.
	Temp() string
	// Slot names a place in the frame.
	Slot(at int) string
	// Move copies what a place has to another; one of them is a register.
	Move(from, to string)
	Zero(r string)
	Increment(r string)
	// Argument makes a register an argument.
	Argument(arg int, r string)
	// Strip is the register with the number of threads before the strip.
	Strip() string
	// AddTerm adds a term to a register; round has the number of the round.
	AddTerm(t lir.Term, round, r string) error
	// Step moves the pointer in a place.
	Step(s lir.Step, place string)
	// Align is before the first instruction of a loop.
	Align()
	// CountDown takes 1 from a place and jumps if it is not 0 then.
	CountDown(place, label string)
	// CountUp adds 1 to a register and jumps if it is less than a limit, or, without a register that has it, than an argument.
	CountUp(r, limit string, arg int, label string)
	// Budget takes 1 from the rounds that loops without a known end may still go, and jumps if there are none left.
	Budget(label string)
	// Patience counts down in rounds in which at most few lanes of masks are on, and up in others, and jumps at 0.
	Patience(masks []lir.Value, few int, label string)
	// Instr prints an operation.
	Instr(x *lir.Instr) error
	// Tidy may put other instructions in the place of those of a func.
	Tidy(text string) string
}

// An AllJumper is a Target whose Prepare makes branches that ask for all lanes.
type AllJumper interface {
	// JumpNotAll jumps if a lane of one of masks is off.
	JumpNotAll(masks []lir.Value, label string)
}

// A Stripper is a Target that can keep in a register how many threads a strip may begin with for a whole one to follow.
type Stripper interface {
	// Limit makes a register an argument less so many threads.
	Limit(arg, threads int, r string)
	// JumpWithin jumps if the number of the thread is at most what a register has.
	JumpWithin(r, label string)
}
