// Package sorting has ways to sort: the radix sort of one block that a text begins with, what
// becomes of it for arrays of any length, and sorting networks.
//
// [Radix], [RadixPairs] and [Argsort] are the ones to use. The others are there to be read, in this
// order:
//
//   - [SortBlock]: one bit at a time, one block, in shared memory (Nickolls and Kirk);
//   - [SplitSort]: the same with arrays of any length, each step a kernel;
//   - [Radix] and its kin: eight bits at a time, and runs of keys instead of single ones;
//   - [BitonicBlock] and [Bitonic]: comparisons in an order that is known beforehand (Batcher).
package sorting

//go:generate go run ../../cmd/gocuda-gen .
