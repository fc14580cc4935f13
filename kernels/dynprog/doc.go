// Package dynprog has kernels for dynamic programming, where each entry of a table needs others
// that are done: shortest paths between all vertices of a graph, and the alignment of two
// sequences.
//
// Both look serial, and both are parallel in waves: what one wave of entries needs, the waves
// before it have left. The straightforward kernels are a launch for each wave. The others do a tile
// of the table in shared memory, with barriers where the waves inside it end, and so there are
// fewer launches by a tile's width.
package dynprog

//go:generate go run ../../cmd/gocuda-gen .
