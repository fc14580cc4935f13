package compiler

// Warp operations with vectors, in sections: the values of a warp are in two vectors of 16 lanes or four of 8, which are the parts of
// the strip. A shuffle is a permutation of these, a vote the bits of masks.

// warpLanes is how many lanes a warp has.
const warpLanes = 32
