package compiler

// Cubes of reciprocal square roots, which kernels marked fastmath compute at once. With r = 1/sqrt(x), a product
// that has r three times is over/(x sqrt(x)): one step of refinement for all three, and not one for r before it
// is multiplied, saves a multiplication of 14 in n-body's loop, which multiplications limit.

// Sums of cubes. Where all that a loop does with a cube is to add products of it to sums, the cube's factor of -3/2 is left out,
// and the sums are multiplied by it after the loop and divided before it: another multiplication less of 13. (Sums that begin at 0, to which the numbers from before the loop are added after it,
// would not change if there are no rounds, where these may by an ulp, but Go keeps the numbers in registers, and spills others in the loop.)
