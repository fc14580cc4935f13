// Package compiler translates kernels, which are programs of one thread, into Go funcs that run
// whole blocks, with assembly for rows of threads. It is the command `gocuda gen`. Each file is a
// pass or a part of one, and says at its top which. Generated code calls the functions of
// gocuda/compiled.go and of package gocuda/rt.
//
// # Terms
//
//   - phase: the part of a kernel between two barriers.
//   - region: statements of a phase that run as one loop over the threads of the block.
//   - row: the threads of a block that are neighbours along x. Plane: the rows of a block, along y.
//   - uniform: the same for all threads of a row (or of the block, in the passes before code
//     generation). Divergent: not uniform.
//   - nest: the loop nest of a region over vectors with a thread in each lane (lir.Nest). It
//     becomes a func in assembly, and one in Go. The plain form of a region is the Go code beside
//     it, with bounds checks.
//   - strip: the threads that one pass through a nest executes: some vectors of a row, its parts,
//     or of several jammed rows. Threads of a strip are active, or inactive under a mask.
//   - form: a version of a nest, such as the one for strips away from edges. Also a version of a
//     kernel.
//   - leaving a nest: a check fails inside it, the func returns, and plain Go executes the rest of
//     the row.
//
// # Files
//
// Input and driver:
//
//   - load.go: packages, by go/packages and go/types
//   - options.go, substitute.go: the directive `//gocuda:kernel` and its options; type arguments of
//     generic kernels
//   - generate.go, printkernels.go, file.go, nestfiles.go, testfiles.go: from packages to generated files
//   - sources.go, verify.go: fingerprints of sources; the checks of `go build` and `go vet`
//   - command.go, explain.go: the command, and -explain
//   - capability.go, features.go: -capability
//   - pipeline.go, kernelprint.go: the table of passes, dumps, and passes that are turned off
//   - lockstep.go: copies of kernels for warps in lockstep
//
// The representation of kernels, and passes over it:
//
//   - ir.go, rewrite.go: the representation, and copies of it
//   - build.go, buildexpr.go, buildstmt.go, buildcall.go, buildcomplex.go, places.go, views.go,
//     natives.go: from syntax to the representation, with inlining
//   - fold.go, order.go, tidy.go: constant folding; order of evaluation; simplification
//   - dead.go, webs.go, copies.go, clamps.go, flags.go, sinking.go: dead code; splitting of live ranges;
//     copy propagation; minimum and maximum; bools as the conditions that they stand for; values that only
//     threads of a guard keep
//   - severalresults.go, demotion.go: functions of several results as several; numbers of 64 bits that are read as
//     ones of 32 bits alone
//   - pointers.go, arraycopies.go, records.go: structs by value, numbers and arrays behind pointers as slices; scalar replacement of arrays of structs
//   - rematerialize.go, arrayconstants.go, shiftcounts.go: rematerialization; constant propagation
//     through arrays, and to shift counts
//   - reroll.go, uncoarsen.go: rerolling of loops; threads of several elements as several threads
//   - counters.go, wide.go, linear.go: widening of counters; wide rows of several blocks; blocks whose
//     threads are numbered through
//   - earlyreturns.go, guardreturns.go: returns from within loops; versions without guards that return
//     before barriers
//   - substitution.go: indices that loops with barriers advance
//   - privatization.go: sums of a worker's own, for atomic additions
//   - shape.go: divergence analysis
//   - fission.go, interchange.go, delinearize.go, storage.go: loop fission at barriers; loop
//     interchange; delinearization; where variables live
//   - spaces.go, blockstride.go, planes.go, interior.go, independence.go: regions with rows and threads of
//     their own: loops in which the threads of a block share out elements; threads of a row as those of a
//     plane; what such regions do away from edges; whether their rounds depend on each other
//   - endings.go: loops that are known to end
//
// Plain Go:
//
//   - printgo.go, threads.go: the func of a kernel; the loops over the threads of a region
//   - printstmt.go, printexpr.go, texts.go, kinds.go, names.go, unused.go: the code of one thread
//   - bounds.go: guards that become loop bounds
//   - view.go, rowchecks.go: loops without bounds checks, and the conditions for them
//   - ragged.go, jam.go, fours.go, runs.go, flat.go, tables.go, fullrounds.go, outline.go: faster
//     forms of loops
//
// Nests:
//
//   - lowering.go: from the statements of a region to a nest
//   - polynomial.go, quotients.go, wraps.go, nestproducts.go: integers as polynomials; quotients
//     and remainders; products of indices
//   - nestvalues.go, nestints.go, nestmasks.go, nestmemory.go, nestcalls.go, nestatomics.go:
//     numbers; piecewise affine integers; conditions; memory; calls; atomic operations
//   - divisions.go: division of integers by constants and by uniform divisors
//   - nestfacts.go: facts about indices from enclosing branches
//   - nestwhile.go, neststride.go, nestunroll.go, clipped.go, induction.go: divergent loops;
//     strided loops; unrolling; loops that are cut off at an edge; counters of divergent loops
//   - choices.go, agreeing.go, speculation.go, ifconversion.go, remainders.go, onethread.go: integers that
//     branches select; uniform iterations of divergent branches; loops and short arms of branches without
//     masks; every n-th thread or row; copies by one thread of a row
//   - tailmerge.go, forwarding.go, fields.go, ranges.go, localarrays.go: merged stores; elements that have
//     just been stored; slices in struct parameters; range tests by one comparison; threads' arrays in memory
//   - narrow.go, swapping.go, sliced.go, rowpointers.go, texels.go: 64-bit integers in 32-bit lanes; partners
//     with one bit inverted; slices of slices, and rows of those that loops and threads choose; texture fetches
//   - promotion.go, transpose.go, across.go, farrows.go: scalar promotion; transposed tiles; sums
//     across lanes; wide strips for far rows
//   - bitwidth.go: forms with lanes of 8 and 16 bits
//   - words.go: combined loads and stores of adjacent bytes
//   - peeling.go: forms for strips away from edges
//   - formulas.go, formulas32.go, formulas64.go, formulaspow.go, estimates.go: functions of package math; fast
//     division and roots
//   - warpnests.go: nests over the warps of a block
//   - nests.go, blockchecks.go: the calls of nests: arguments, checks, strips; checks that are the
//     same for all blocks
//   - lir: the representation of nests, its verifier, and its passes: value numbering
//     (`numbering.go`), code motion (`motion.go`), dead code (`dead.go`), checks before stores
//     (`checksfirst.go`), implied checks (`redundancy.go`), webs (`webs.go`), copy propagation (`propagation.go`), bit-width reduction
//     (`bitwidth.go`)
//   - asm: what all machines share: control flow (`nest.go`), the order of planes (`rows.go`),
//     register allocation (`alloc.go`), files; the interface to a machine is `Target`
//   - asm/amd64: AVX-512 and AVX2; operations that AVX2 lacks (`legal.go`)
//   - asm/arm64: NEON
//   - gogen: nests in Go
//   - nesttest: an interpreter of nests and random nests, for tests
//
// # Nests
//
// A region becomes a nest in steps.
//
// Lowering (`lowering.go`). The statements of a region become a nest over a strip of a row, or of a
// plane with a loop over its rows. A plane may be interchanged, so that vectors run along y.
// `makeNest` tries these shapes, with values of 4 bytes first and then of 8, and takes the one with
// the fewest accesses to elements that are far apart. A statement that can't be lowered ends the
// nest with a reason (`errNest`), which `-explain` prints; the region is then plain Go only.
// Several rows of a plane are jammed into the loops of threads (unroll-and-jam), and share uniform
// values.
//
// Integers (`polynomial.go`). Integers that indices are computed from are polynomials in the
// thread's index in its row, the row's index in its plane, loop counters, and uniform values. Their
// values at the beginning of a row or plane are arguments of the nest. A limit (nestints.go) makes
// an integer piecewise affine. A quotient (`quotients.go`) is a symbol, and `i%w` is `i - w*(i/w)`;
// so `y*w + x` is i again.
//
// Checks (`nestmemory.go`, `nests.go`). Before a nest is entered, all indices are checked for all
// threads and iterations, and so is that no sum or product of integers wraps around (`rt.Small`).
// If an index could be out of range, the row or plane runs in plain Go, which panics in the right
// thread. Two kinds of indices are checked at their uses: those loaded from memory, and those of
// threads that only run-time data select (`s[tid+d]` where `tid%(2*d)` is 0), unless something has
// been stored by then or the indices of all threads are in range. If such a check fails, the nest
// is left, and plain Go repeats the strip. Where something has been stored, the checks are moved in
// front of it (`checksfirst.go`); or they are faults: since the thread panics, the launch is over,
// and plain Go repeats the strip only to panic at the right place (`Phases.Fault`). An index that
// differs from a compared integer by a uniform amount needs no check where the comparison implies
// it (`nestfacts.go`).
//
// Plain Go (package `gogen`). For machines without the vector instructions, a nest is lowered once
// more, with vectors of one lane, and printed as Go. Elements are accessed by package unsafe, since
// all indices have been checked. Four threads are jammed into loops that all of them leave
// together, and two rows of a plane; in a plane whose threads have no loops, the loop over rows is
// the outer one. Masks are bools, and those that a branch decides are removed (`simplify.go`);
// inactive threads at the ends of a row are skipped (`hull.go`). Where loops go from row to row of
// a matrix larger than a cache, and where four threads can't be jammed, up to 256 threads execute a
// loop iteration by iteration, with their values in arrays (`expansion.go`). Tiles, estimates and
// fused operations are for vectors only. Divergent loops have no such nest in Go: `ragged.go` has a
// faster form. Beside a nest in Go, the plain form is simple, since it is for failing rows.
//
// Conditions (`nestmasks.go`, `peeling.go`). A divergent condition is a mask, or an interval of
// threads if it compares indices. Most strips are away from edges: a nest has a form without masks
// for strips whose threads all have the usual outcome of a condition, such as `0 < x`. The usual
// outcome is a guess; a wrong one costs only code size.
//
// Loops (`nestwhile.go`, `neststride.go`, `nestunroll.go`). A divergent loop runs under the mask of
// the threads that have not left it. Short loops are unrolled: their counters become constants, and
// elements of a thread's own arrays become registers.
//
// Memory (`promotion.go`, `transpose.go`). An element that a loop updates is kept in a register if
// no other access of the loop aliases it; for different slices that is checked before the nest is
// entered. Threads that each read a matrix row load a square at once, which is transposed in
// registers on its way to the frame of the func. If they store to it, the iterations work on the
// frame, which also has the neighbouring elements that recurrences read, and the square is stored
// at the end. Other rows of the same slice may be read if a check ensures that they are not stored.
//
// Lanes (`bitwidth.go`). Numbers of 8 and 16 bits are computed with in 32 bits. If their ranges show
// that 8 or 16 bits are enough, the nest gets forms with two or four times the lanes, for strips of
// whole vectors; what is left of a row goes through the other forms. Where that depends on an argument
// or a trip count, these forms have no threads if it is too large.
//
// Functions of package math (`formulas.go`). The formulas of `formulas64.go` repeat on vectors the
// operations of package math one by one. Those of `formulas32.go` are approximations for kernels
// marked fastmath. `rt.SameMath` says whether package math of this Go release is known to give the
// same bits.
//
// Passes (`pipeline.go`, `lir`). Value numbering, code motion and dead code elimination run on
// nests; the verifier runs behind each pass. `testdata/passes.golden` lists the passes that change
// each ready-made kernel. Then `asm` selects instructions and allocates registers. Funcs call
// nothing but routines of their file, and are `NOSPLIT`. On amd64 they clear the upper halves of
// the registers before they return (`VZEROUPPER`), since SSE instructions are slow while these are
// in use.
//
// # Traps
//
//   - Disassemble with `objdump -d`: `go tool objdump` does not decode AVX-512. `go build
//     -gcflags=-d=ssa/check_bce` lists the remaining bounds checks of Go code.
//   - The instructions for minimum and maximum return the second operand if one is NaN or both are
//     zeros, unlike Go's min and max.
//   - Go's variables must not hold pointers outside a slice: the garbage collector may see them. A
//     func in assembly gets slices, and computes its pointers itself.
//   - Assembly is not preempted. A func executes a bounded number of iterations per call.
//   - Powers of two: 16 rows of a matrix of width 1024 map to the same set of the first-level
//     cache. Pad tiles.
package compiler
