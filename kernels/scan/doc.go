// Package scan has prefix sums of any associative operation, and what is built on them: compaction and
// segmented sums.
//
// Given elements a0, a1, a2 and an operation *, the inclusive scan is a0, a0*a1, a0*a1*a2, and the
// exclusive scan 1, a0, a0*a1, where 1 stands for the operation's identity (Blelloch, Prefix Sums
// and Their Applications, 1990). The operation need not be commutative: what is combined is always
// a run of neighbours, in their order.
//
// [Inclusive] and [Exclusive] do it by the methods that The CUDA Handbook (Wilt, 2013) compares in
// its chapter 13, in the order of that chapter, a file each. [Compact] keeps the elements that
// satisfy a condition.
package scan

//go:generate go run ../../cmd/gocuda-gen .
