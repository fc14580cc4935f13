package arm64

import (
	"fmt"
	"strings"
)

// Instructions that Go 1.26's assembler has no name for are written as words. Their encodings are those of the Arm Architecture Reference Manual for
// A-profile architecture (DDI 0487), C7.2: that of the form with 64 bits of single-precision floats, or of bytes, to which the arrangement is added.

// An arrangement is how a register is divided into lanes.
type arrangement struct {
	name string
	q    uint32 // it has 128 bits
	size uint32 // the logarithm of the bytes of a lane
}

var (
	b16 = arrangement{"16b", 1, 0}
	b8  = arrangement{"8b", 0, 0}
	s2  = arrangement{"2s", 0, 2}
	h4  = arrangement{"4h", 0, 1}
	s4  = arrangement{"4s", 1, 2}
	d2  = arrangement{"2d", 1, 3}
)

// whole is the arrangement of 128 bits in lanes of so many bytes.
func whole(size int) arrangement {
	if size == 8 {
		return d2
	}
	return s4
}

// inGo is the arrangement as Go's assembler writes it.
func (a arrangement) inGo() string {
	return strings.ToUpper(a.name[len(a.name)-1:]) + a.name[:len(a.name)-1]
}

// A class is how an arrangement changes an encoding.
type class int

const (
	bitwise class = iota // not at all, but for the length of registers
	integer              // by the size of lanes
	float                // by whether floats are doubles
)

// An encoding is a base and how an arrangement changes it.
type encoding struct {
	base  uint32
	of    class
	three bool // it has two sources
}

var words = map[string]encoding{
	"fadd":   {0x0e20d400, float, true},
	"fsub":   {0x0ea0d400, float, true},
	"fmul":   {0x2e20dc00, float, true},
	"fdiv":   {0x2e20fc00, float, true},
	"fmax":   {0x0e20f400, float, true},
	"fmin":   {0x0ea0f400, float, true},
	"fcmeq":  {0x0e20e400, float, true},
	"fcmge":  {0x2e20e400, float, true},
	"fcmgt":  {0x2ea0e400, float, true},
	"mul":    {0x0e209c00, integer, true},
	"smax":   {0x0e206400, integer, true},
	"smin":   {0x0e206c00, integer, true},
	"cmgt":   {0x0e203400, integer, true},
	"cmge":   {0x0e203c00, integer, true},
	"cmhi":   {0x2e203400, integer, true},
	"cmhs":   {0x2e203c00, integer, true},
	"sshl":   {0x0e204400, integer, true},
	"ushl":   {0x2e204400, integer, true},
	"bic":    {0x0e601c00, bitwise, true},
	"fneg":   {0x2ea0f800, float, false},
	"fabs":   {0x0ea0f800, float, false},
	"fsqrt":  {0x2ea1f800, float, false},
	"frintn": {0x0e218800, float, false},
	"frintm": {0x0e219800, float, false},
	"frintp": {0x0ea18800, float, false},
	"frintz": {0x0ea19800, float, false},
	"scvtf":  {0x0e21d800, float, false},
	"ucvtf":  {0x2e21d800, float, false},
	"fcvtzs": {0x0ea1b800, float, false},
	"fcvtzu": {0x2ea1b800, float, false},
	"neg":    {0x2e20b800, integer, false},
	"not":    {0x2e205800, bitwise, false},
}

// encode returns a word and what it does, in Arm's syntax: the destination comes first.
func encode(op string, a arrangement, d, n, m int) (uint32, string) {
	e, known := words[op]
	if !known {
		panic("no encoding of " + op)
	}
	w := e.base | a.q<<30 | uint32(n)<<5 | uint32(d)
	switch e.of {
	case integer:
		w |= a.size << 22
	case float:
		w |= (a.size & 1) << 22
	}
	text := fmt.Sprintf("%s v%d.%s, v%d.%s", op, d, a.name, n, a.name)
	if e.three {
		w |= uint32(m) << 16
		text += fmt.Sprintf(", v%d.%s", m, a.name)
	}
	return w, text
}

// widths has the instructions between lanes of a size and those of twice that.
var widths = map[string]uint32{
	"xtn":   0x0e212800, // to the narrow lanes named, the low bits
	"sqxtn": 0x0e214800, // the same, with what is too large or too small as the ends of the range
	"fcvtl": 0x0e217800, // floats from the narrow lanes named, to doubles
	"fcvtn": 0x0e216800, // doubles to the narrow lanes named
	"sshll": 0x0f00a400, // from the narrow lanes named, with their sign
}

// encodeWidth returns a word between the narrow lanes of a and wide ones.
func encodeWidth(op string, a arrangement, d, n int) (uint32, string) {
	wide := map[string]string{"8b": "8h", "4h": "4s", "2s": "2d"}[a.name]
	w := widths[op] | uint32(n)<<5 | uint32(d)
	switch op {
	case "xtn", "sqxtn":
		w |= a.size << 22
		return w, fmt.Sprintf("%s v%d.%s, v%d.%s", op, d, a.name, n, wide)
	case "fcvtn":
		return w | 1<<22, fmt.Sprintf("fcvtn v%d.2s, v%d.2d", d, n)
	case "fcvtl":
		return w | 1<<22, fmt.Sprintf("fcvtl v%d.2d, v%d.2s", d, n)
	}
	return w | 8<<a.size<<16, fmt.Sprintf("sshll v%d.%s, v%d.%s, #0", d, wide, n, a.name)
}

// encodeShift returns the word of a shift right, with the sign, by so many bits.
func encodeShift(a arrangement, by, d, n int) (uint32, string) {
	w := 0x0f000400 | a.q<<30 | (16<<a.size-uint32(by))<<16 | uint32(n)<<5 | uint32(d)
	return w, fmt.Sprintf("sshr v%d.%s, v%d.%s, #%d", d, a.name, n, a.name, by)
}
