// Package compiler translates thread kernels into Go funcs for whole blocks, with rows of threads in assembly: the command `gocuda gen`. A file is a pass or a part of a pass, and
// says at its top what it does. The functions that generated code calls are in gocuda/compiled.go.
//
// # Files
//
//   - load.go: packages, by `go list` and go/types
//   - ir.go: the representation
//   - build.go, buildexpr.go, buildstmt.go, buildcall.go, places.go, views.go, natives.go: syntax to representation, inlining
//   - fold.go, order.go, tidy.go: constants; the order of evaluation; tidying
//   - dead.go: dead assignments: their value is never read
//   - unused.go: unused variables and labels of printed code
//   - webs.go: a variable that is assigned anew is split into several
//   - wide.go: kernels whose result does not depend on how threads are divided into blocks, along x or along both axes
//   - shape.go: how values differ between threads
//   - fission.go: cutting at barriers
//   - endings.go: which loops are known to end
//   - options.go, substitute.go: where `//gocuda:kernel` may stand and what may stand after it; for which types a generic kernel has
//     rows in assembly, and the substitution of these types
//   - interchange.go, counters.go, rewrite.go: loop interchange: a loop of a thread and the loop over threads; counters of 32 bits
//   - delinearize.go: rows of threads that are cut where the quotient of their index changes
//   - storage.go: where variables live
//   - bounds.go: guards, and what may panic
//   - printgo.go: the func of a kernel, and the tree of regions and barriers in it
//   - threads.go: loops over the threads of a region
//   - printstmt.go, printexpr.go, texts.go, kinds.go, names.go: the code of one thread, in plain Go
//   - view.go, rowchecks.go: rows without bounds checks, and the conditions that a row must meet for them
//   - ragged.go, jam.go, fours.go, runs.go, flat.go, tables.go, fullrounds.go, outline.go: faster forms of plain loops
//   - lowering.go: regions lowered to nests of loops, for assembly: the shape of a nest, loops, statements
//   - polynomial.go, clamps.go: indices as polynomials of thread indices and counters; clamped indices
//   - nestvalues.go, nestints.go, nestmasks.go, nestmemory.go, nestcalls.go: the parts of a nest: numbers, integers and indices,
//     conditions, elements, calls
//   - nestwhile.go, neststride.go, nestunroll.go: loops that threads leave one by one, and indices from memory; loops in strides; loops
//     of a few rounds, unrolled
//   - choices.go, clipped.go, earlyreturns.go: integers that branches choose; loops that are cut off at an edge; returns from within loops
//   - agreeing.go, remainders.go: branches in rounds in which all threads agree; threads and rows by steps
//   - arrayconstants.go, tailmerge.go: arrays of constants; stores at the ends of both arms of a branch
//   - narrow.go: integers of 64 bits that fit in 32, also those that floats become
//   - formulas.go, formulas32.go, formulas64.go: functions of package math
//   - nestatomics.go: atomic operations whose result is not used
//   - nestfacts.go: what conditions say about indices
//   - nestproducts.go: numbers that are products of thread indices and counters
//   - quotients.go: two indices from one number: quotients and remainders in polynomials, and as vectors
//   - peeling.go: forms of nests without masks, for the strips that are not at an edge
//   - promotion.go: elements that are kept in registers during a loop
//   - transpose.go: rows of matrices, transposed in registers
//   - nests.go: the Go code that calls a nest: its arguments, the checks before the call, the vector width, strips
//   - lir: the representation of nests, its verifier, and passes over it: value numbering (`numbering.go`), motion out of loops
//     (`motion.go`), dead code (`dead.go`)
//   - asm: a nest in assembly: loops and branches (`nest.go`), registers and the frame (`alloc.go`); what a machine has to print is
//     `Target`
//   - asm/amd64: the instructions of AVX-512 and AVX2: `emit.go`, `memory.go`, `masks.go`, `small.go` for bytes and words
//   - asm/arm64: those of NEON: the same, and `words.go` for those that Go's assembler lacks, `pairs.go` for what two of them become, `groups.go` for
//     fields of structs, `lanes.go` for accesses with masks, `unswitch.go` for regions that are there without masks, too, `branches.go` for
//     branches on what all threads have in common, `elements.go` for products by element, and `totals.go` for sums of lanes
//   - generate.go, file.go, sources.go, verify.go: from packages to files; the embedded sources; the checks of `go build` and `go vet`
//   - pipeline.go, kernelprint.go: the table of passes, dumps, passes that are off; the printer of kernels
//   - command.go, explain.go: the command, -explain
//
// # Nests
//
// A region becomes a nest: counted loops around operations on vectors, with a lane for each thread. It is made in steps.
//
// Lowering (`lowering.go`). The statements of a region become the nest of a strip of its threads: of a row, or of a plane, with a loop
// over its rows. A plane may be exchanged, so that vectors are of threads along y. `makeNest` tries these shapes, with values of 4 bytes
// first and then of 8, and takes the one with the fewest accesses to elements far apart. What can't be lowered ends the nest with a reason
// (`errNest`), which `-explain` says, and the region is plain Go alone. Several rows of a plane go together through the loops that threads
// have (unroll-and-jam), and share what is the same for all of them.
//
// Integers (`polynomial.go`). Those that threads compute indices with are polynomials: in the thread's place in its row, the row's place
// in its plane, counters of loops, and what all threads have in common. Their values at the beginning of a row or plane are arguments of
// the nest. Limits (`clamps.go`) are min and max of such. A quotient (`quotients.go`) is a symbol of its own, and `i%w` is `i - w*(i/w)`;
// so `y*w + x` is i again.
//
// Checks (`nestmemory.go`, `nests.go`). All indices are checked before the nest is entered, for all threads and all rounds, and so is that
// no sum or product of them wraps around (`rt.Small`). If one could be out of range, the row or plane is done in plain Go, which
// panics in the right thread. Indices from memory are checked where they are used: if one is outside, the func returns, and plain Go goes
// on from that strip. So are those of threads that only the run knows (`s[tid+d]` where `tid%(2*d)` is 0), unless something has been
// stored by then or the indices of all threads are in range. What a condition says about an index that differs from what it compares by
// what all threads have in common (`nestfacts.go`) is not checked again.
//
// Plain Go (package `gogen`). For machines without the vectors a nest is lowered once more, with vectors of one lane, and printed as Go:
// elements are read and written by package unsafe, since all indices have been checked. Four threads go side by side through loops that
// all of them leave together, and two rows of a plane; of a plane whose threads have no loops the rows are the outer loop. Masks are
// bools, and those that a branch has settled go (`simplify.go`); threads at the ends of a row for which they leave nothing to do are left out
// (`hull.go`). Where loops go from row to row of a matrix that is larger than a cache, and where four threads can't go side by side, up to
// 256 threads go through a loop round by round, and what they keep is in arrays (`expansion.go`). Tiles, estimates and fused operations are for vectors alone. Loops that
// threads leave one by one have no such form: `ragged.go` has a faster one. The plain form around it is then straightforward: it is for
// rows that fail.
//
// Conditions (`nestmasks.go`, `peeling.go`). A condition that differs between threads is a mask, or an interval of threads if it compares
// places. Most strips are not at an edge: a nest has a form without masks for strips whose threads all are where a condition is as
// expected, such as `0 < x`. What is expected is a guess, which costs nothing but code if it is wrong.
//
// Loops (`nestwhile.go`, `neststride.go`, `nestunroll.go`). A loop that threads leave one by one keeps the mask of those that are still in
// it. Short loops are unrolled: their counters are numbers, and elements of a thread's own arrays are registers.
//
// Memory (`promotion.go`, `transpose.go`). An element that a loop adds to is a register if no other access of the loop can be to the same
// memory, which is asked before the nest is entered for slices that differ. Threads that read a row of a matrix each read a square at
// once, which is transposed in registers on its way to the frame of the func. If they store to it, the rounds of the square work on the
// frame, with the elements beside it that recurrences read, and the square goes back at the end. Other rows of the same slice may be read
// if they are not among those that are stored, which is asked before.
//
// Functions of package math (`formulas.go`). Those of `formulas64.go` do on vectors what package math does on numbers, operation by
// operation. Those of `formulas32.go` are approximations for kernels marked fastmath. `rt.SameMath` says whether this release of Go is
// one whose bits are known.
//
// Passes (`pipeline.go`, `lir`). Value numbering, motion out of loops, and dead code; the verifier runs behind each.
// `testdata/passes.golden` has which pass works on which ready-made kernel. Then `asm` chooses instructions and registers, for AVX-512 and
// for AVX2. Funcs have no calls and are `NOSPLIT`; before they return they clear the upper halves of the registers (`VZEROUPPER`), since
// SSE instructions are slow while these are in use.
//
// # Traps
//
//   - Machine code is seen with `objdump -d`. `go tool objdump` does not decode AVX-512. Bounds checks are listed by `go build
//     -gcflags=-d=ssa/check_bce`.
//   - Minimum and maximum: the instructions return the second operand for NaN and for two zeros, which is not what Go does.
//   - Pointers outside a slice must not be kept in Go's variables: the garbage collector may see them. A func in assembly gets slices,
//     and makes its pointers itself.
//   - Assembly is not preempted. A func goes through a bounded number of rounds in a call.
//   - Powers of two: 16 rows of a matrix 1024 wide are in one set of the first-level cache. Pad tiles.
package compiler
