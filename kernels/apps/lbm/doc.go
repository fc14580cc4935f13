// Package lbm simulates fluids in three dimensions by the lattice Boltzmann method: the application
// LBM of Ryoo et al. (PPoPP 2008), which is SPEC's 470.lbm in single precision.
//
// The fluid is 19 numbers a cell, the populations: how much of it moves to each of the neighbours
// of the set D3Q19 (the cell itself, 6 across faces, 12 across edges). A step is a collision in
// each cell and a move to the neighbours (Qian, d'Humieres and Lallemand, Lattice BGK Models for
// Navier-Stokes Equation, 1992):
//
//	f'_q(x + c_q) = f_q - omega (f_q - feq_q) + (1 - omega/2) w_q (3 (c_q - u) + 9 (c_q.u) c_q).F
//	feq_q = w_q rho (1 + 3 c_q.u + 9/2 (c_q.u)^2 - 3/2 u.u)
//	rho = sum f_q, rho u = sum f_q c_q + F/2
//
// with the weights w of 1/3, 1/18 and 1/36, a relaxation rate omega below 2, and a force F (Guo,
// Zheng and Shi, Discrete Lattice Effects on the Forcing Term in the Lattice Boltzmann Method,
// 2002). Lengths are in cells and times in steps. The viscosity is (1/omega - 1/2)/3. Velocities
// should be well below the speed of sound, 0.577: errors grow with their square.
//
// A population that would move into a [Solid] cell comes back to its own cell in the same step, in
// the opposite direction. So walls are half-way between cells (halfway bounce-back). A [Lid] cell
// is fluid that the collision gives the velocity of the lid, as in 470.lbm: fluid below a lid with
// a wall behind it goes at omega^2/(1+(1-omega)^2) of that, nearly, which is 2 at omega = 1.95 and
// 1 at omega = 1. The box is periodic: what leaves it on one side comes in on the other.
//
// # Numbers
//
// All funcs take and give f_q - w_q instead of f_q (Skordos, Initial and Boundary Conditions for
// the Lattice Boltzmann Method, 1993). These deviations are small, so that float32 holds them more
// exactly, and fluid at rest is zeros, which stay zeros whatever is added in which order.
// Population q of cell i is pops[q*n+i]; cells are in the order of [Geometry]. Directions 2k-1 and
// 2k are opposite:
//
//	0 rest
//	1 +x      3 +y      5 +z       7 +x+y     9 -x+y    11 +x+z    13 +x-z    15 +y+z    17 +y-z
//	2 -x      4 -y      6 -z       8 -x-y    10 +x-y    12 -x-z    14 -x+z    16 -y-z    18 -y+z
//
// # Threads
//
// One thread does a cell. [Structs] is the layout of the source: the 19 numbers of a cell are
// neighbours. A thread loads its own cell and stores to its neighbours' (push). The numbers that
// the threads of a warp load at the same time are 76 bytes apart, each a transaction of its own on
// the GeForce 8800. The paper's port is [Buffered]: the threads of a block load the cells of all of
// them into shared memory, word by word, and each takes its own from there. In [Arrays] the numbers
// of a direction are an array. There neighbouring threads load and store neighbouring numbers by
// themselves, and it is by far the fastest here. A thread loads from its neighbours' cells and
// stores to its own (pull).
//
// A layer of ghost cells around the box holds copies of the opposite side. They are made before
// each step, unless walls enclose the box. Where a cell's neighbours are solid is in the bits of
// one word a cell.
//
// # Files
//
// [Read] reads a geometry. The file is text. Lines that begin with ; are comments. The first other
// line is the size, and lines for omega, lid and force may follow. Then come the layers of z, Y
// lines of X characters each, for y from 0 on. Characters are . for fluid, # for solid and ~ for
// lid. The line "times N" says that the next layer stands for N layers. Blank lines are ignored.
// This is a channel with a square cylinder, and a wind along x:
//
//	; a channel
//	size 8 5 10
//	omega 1.2
//	force 1e-5 0 0
//	times 10
//	########
//	........
//	..#.....
//	........
//	########
//
// The kernels are marked fastmath.
package lbm

//go:generate go run ../../../cmd/gocuda-gen .
