// Package cp computes the electric potential of point charges on a plane: application CP of Ryoo et
// al. (PPoPP 2008), by direct Coulomb summation (Stone et al., Accelerating Molecular Modeling
// Applications with Graphics Processors, 2007).
//
//	V(p) = sum over the atoms of q / |p - r|
//
// With charges in elementary charges and places in Å this is in e/Å: times 14.3996 it is in volts,
// times 332.06 in kcal/(mol e). Such maps show where ions settle in a protein, and planes above
// each other make a volume.
//
// A thread has eight points of a row, with the width of the block between one and the next, so that
// neighbouring threads have neighbouring points: distances in y and z are computed once for all
// eight. All threads read the same atom at the same time, which is what constant memory is for. The
// port of Ryoo et al. brings the atoms there, chunk by chunk, with a launch for each that adds to
// what the launches before it left.
//
// A point at an atom has an infinite potential, with the sign of the charge; NaN if the charge is
// 0, or if opposite ones meet there.
//
// The kernels are marked fastmath. With u = 2^-24 a potential is within (n+12) u of the sum of |q|/r over n atoms, and
// what 6 u times the sum of |x| and |y| of the point and of the first one of the plane does to r, as long as squares of
// distances are normal numbers of float32: distances must be below 1e19, and above 1e-19 or 0.
//
// # Files
//
// [ReadPQR] reads the PQR files of PDB2PQR and APBS, which have a charge for each atom. [ReadPDB]
// reads those of the Protein Data Bank, in which most charges are missing; its comment has the rule
// by which it finds them.
package cp

//go:generate go run ../../../cmd/gocuda-gen .
