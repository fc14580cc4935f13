package compiler

// Elements of slices and arrays at a distance that only the run knows, such as x[i*incx]: the index of the first lane and
// the distance are scalars, and the elements are gathered.
