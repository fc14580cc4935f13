// Package rpes computes two-electron repulsion integrals by Rys quadrature, one of the applications
// of Ryoo et al. (Optimization Principles and Application Performance Evaluation of a Multithreaded
// GPU Using CUDA, PPoPP 2008; RPES is the Rys Polynomial Equation Solver).
//
// Quantum chemistry describes the electrons of a molecule by functions around its atoms, which are
// sums of Gaussians. How two clouds of charge repel each other, f_i f_j and f_k f_l, is the
// integral
//
//	(ij|kl) = integral over r and s of f_i(r) f_j(r) f_k(s) f_l(s)/|r-s|,
//
// and of n functions there are about n⁴/8: their number is what such programs take their time for.
// For Gaussians the six dimensions become one, the integral over t from 0 to 1 of a polynomial in
// t² times exp(-x t²), with x from how far the clouds are apart (Dupuis, Rys and King, J. Chem.
// Phys. 65, 111, 1976). Gauss's quadrature with n roots is exact for polynomials up to the degree
// 2n-1: one root is enough for s functions, (ss|ss) = 2 pi^(5/2)/(pq sqrt(p+q)) K F_0(x), and p
// functions need up to three. roots.go says how the roots are found and how exact they are, and
// kernels.go how the integrals are made of them.
//
// A thread has a quartet of shells, all their functions and all primitives; the threads of a block
// have the same pair of shells on the left and neighbouring pairs on the right. There is a kernel
// for each kind of quartet, so that all threads do the same. Of the quartets that differ only by
// symmetry one is computed; of pairs with themselves that is a triangle, whose last tile is
// computed whole.
//
// [Integrals] does all of it, from shells to a list of integrals; a [Plan] can do it again, or on a
// stream. [ReadXYZ] reads molecules, and [STO3G] gives them shells.
package rpes

//go:generate go run ../../../cmd/gocuda-gen .
