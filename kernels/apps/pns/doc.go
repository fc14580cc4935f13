// Package pns simulates stochastic Petri nets, as Ryoo et al. have it (Optimization Principles and
// Application Performance Evaluation of a Multithreaded GPU Using CUDA, PPoPP 2008).
//
// The net is a torus of 2N rows and N columns of places, each of which has one token at first, and
// a transition for each place. The transition of the place p in row r and column c takes tokens
// from p and from the place u above it: row r-1, and column c in even rows, c+1 in odd ones. If
// both have a token, it fires: each loses one, and the place right of p and the place two rows
// below u gain one. Rows and columns go round. So the tokens of the net remain 2N², while some
// places become empty and others full.
//
// A step is a transition that fires. Transitions are chosen by chance, one after the other, until
// there were as many steps as are asked for. A random number x of 32 bits chooses the place
// int(float32(x)/2^32 * 2N²), row by row, in float32. Numbers are those of the Mersenne twister
// without its tempering (Matsumoto and Nishimura, Mersenne Twister: a 623-dimensionally
// equidistributed uniform pseudo-random number generator, 1998). One that gives 2N² is left out,
// which float32 makes of the largest.
//
// What is asked of a run is how unevenly the tokens lie at its end: their variance over the places,
// and the most that a place has. [Simulate] runs many nets, a thread for each sequence of random
// numbers, and [Summarize] has the mean and the variance of both over the runs.
package pns

//go:generate go run ../../../cmd/gocuda-gen .
