// Package stats has kernels that draw random numbers and that group points: the Monte Carlo method,
// and k-means.
package stats

//go:generate go run ../../cmd/gocuda-gen .
