package amd64

import (
	"fmt"

	"github.com/gocuda/gocuda/internal/compiler/lir"
)

// Sums of the lanes of a vector.

// total prints the sum of the lanes: halves are added until one lane is left.
func (e *emitter) total(x *lir.Instr) {
	from, a, b := e.At[x.X], e.At[x.Temps[0]], e.Vectors
	add, move := "VADD"+letter(x.Kind), "VMOVS"+letter8(x.Kind.Size())
	if !x.Kind.IsFloat() {
		add, move = map[int]string{4: "VPADDD", 8: "VPADDQ"}[x.Kind.Size()], map[int]string{4: "VMOVD", 8: "VMOVQ"}[x.Kind.Size()]
	}
	bytes := e.Bytes
	if e.narrow(x.Kind) {
		bytes /= 2
	}
	if bytes == 64 {
		e.Line("VEXTRACTF64X4 $1, Z%d, Y%d", from, a)
		e.Line("%s Y%d, Y%d, Y%d", add, from, a, a)
		from, bytes = a, 32
	}
	if bytes == 32 {
		if e.Masks > 0 { // it can use registers that the other instruction can't encode
			e.Line("VEXTRACTF32X4 $1, Y%d, X%d", from, b)
		} else {
			e.Line("VEXTRACTF128 $1, Y%d, X%d", from, b)
		}
		e.Line("%s X%d, X%d, X%d", add, from, b, a)
		from = a
	}
	e.Line("VPERMILPD $1, X%d, X%d", from, b)
	e.Line("%s X%d, X%d, X%d", add, from, b, a)
	if x.Kind.Size() == 4 {
		e.Line("VPERMILPS $1, X%d, X%d", a, b)
		e.Line("%s X%d, X%d, X%d", add, a, b, a)
	}
	e.Line("%s X%d, %s", move, a, fmt.Sprint(e.address(x.Mem)))
}
