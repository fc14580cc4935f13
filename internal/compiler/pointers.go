package compiler

import (
	"go/types"
)

// Pointers: a loop over vectors that lie at places which grow by the same amount in each round reads them through
// pointers that it moves along. Go 1.26 gives a vector load no index and no sum of registers: for x[i+16] it makes the
// address with two instructions, but a constant behind a pointer is part of the load. A round of 16 vectors
// that are added up has 28 instructions so, and had 94.

// lineSizes are those of amd64.
var lineSizes = types.SizesFor("gc", "amd64")
