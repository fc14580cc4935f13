// Package fem simulates elastic bodies by finite elements: the application FEM of Ryoo et al.
// (PPoPP 2008), which is the dynamics of graded materials in three dimensions.
//
// A body is cut into tetrahedra, and its displacement u is linear in each of them (Hughes, The
// Finite Element Method, 1987; Belytschko, Liu and Moran, Nonlinear Finite Elements for Continua
// and Structures, 2000, chapter 2). So the gradient of u is a constant there, H = sum u_a (x) grad
// N_a over the corners a. Strains are small and the material is Hooke's: with the strain e = (H +
// H')/2
//
//	stress  s = lambda tr(e) 1 + 2 mu e
//	force on corner a  f_a = -V s grad N_a
//
// where V is the volume, lambda = E nu/((1+nu)(1-2nu)) and mu = E/(2(1+nu)), which may differ from
// element to element. The mass of an element goes to its corners in equal parts. Time goes by
// central differences, explicitly: in a step of dt
//
//	v += dt (f + load)/m, u += dt v
//
// so that v is half a step before u. This keeps the energy v.M.v/2 + u.K.u~/2 exactly, where u and
// u~ are the displacements before and after the step in which v is the velocity; see [Body.Energy].
// It is stable for steps below [Body.StableStep].
//
// # Threads
//
// One thread does an element, and one a node. Elements share nodes, so their forces must be added
// up without a race. There are three ways:
//
//   - [Gather]: a thread stores the forces on the corners of its element, and the thread of a node adds up those on its corners. There is no
//     race, sums are in the same order each time, and it is the fastest here.
//   - [Colours]: elements are coloured so that those of a colour share no node. There is a launch for each colour, whose threads add
//     to the nodes' forces as they are.
//   - [Atomics]: threads add to the nodes' forces by atomics. The order of sums, and with it their last bits, differs from run to run.
//
// On the GeForce 8800 the accesses of an irregular mesh have few neighbours in memory, and the
// memory's bandwidth bounds the program (Ryoo et al., 5.2).
//
// # Files
//
// [ReadGmsh] reads meshes of Gmsh in its text format of version 2.
//
// The kernels are marked fastmath.
package fem

//go:generate go run ../../../cmd/gocuda-gen .
