// Package reduction combines all elements of an array to one: sums, by the methods that the CUDA
// texts compare, side by side in the order of the texts; the largest and the smallest; counts of
// what satisfies a condition; and any associative operation.
//
// Results go to the first element of a slice, so reductions can be queued on a stream.
package reduction

//go:generate go run ../../cmd/gocuda-gen .
