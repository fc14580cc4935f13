package arm64

import (
	"fmt"
	"strings"
)

// Instructions that Go 1.26's assembler does not support are macros with WORD directives. The
// encodings are from the Arm Architecture Reference Manual for A-profile architecture (DDI 0487),
// C7.2. Tables hold the encoding of the 64-bit form for single-precision floats, or for bytes; the
// arrangement's bits are added.

// An arrangement is the division of a register into lanes.
type arrangement struct {
	name string
	q    uint32 // 1 for 128 bits
	size uint32 // the base-2 logarithm of a lane's bytes
}

var (
	b16 = arrangement{"16b", 1, 0}
	b8  = arrangement{"8b", 0, 0}
	s2  = arrangement{"2s", 0, 2}
	h4  = arrangement{"4h", 0, 1}
	s4  = arrangement{"4s", 1, 2}
	d2  = arrangement{"2d", 1, 3}
)

// whole is the 128-bit arrangement with lanes of size bytes.
func whole(size int) arrangement {
	if size == 8 {
		return d2
	}
	return s4
}

// inGo is the arrangement in the syntax of Go's assembler.
func (a arrangement) inGo() string {
	return strings.ToUpper(a.name[len(a.name)-1:]) + a.name[:len(a.name)-1]
}

// A class says how an arrangement changes an encoding.
type class int

const (
	bitwise class = iota // only by the length of registers
	integer              // by the size of lanes
	float                // by whether floats are doubles
)

// An encoding is the base encoding of an instruction, and its class.
type encoding struct {
	base  uint32
	of    class
	three bool // it has two source operands
}

var words = map[string]encoding{
	"fadd":   {0x0e20d400, float, true},
	"fsub":   {0x0ea0d400, float, true},
	"faddp":  {0x2e20d400, float, true},
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

// A word is an instruction that is a macro of the file. Name and operands follow Go 1.27's
// assembler; the arrangement is part of the name.
type word struct {
	name  string
	base  uint32
	by    int // the distance of a right shift
	width int // the width of shifted lanes in bits, or 0
	three bool
	d     int
	n, m  int
	text  string // in Arm's syntax, with the destination first
}

// bits is the encoded instruction.
func (w word) bits() uint32 {
	bits := w.base | uint32(w.n)<<5 | uint32(w.d)
	if w.three {
		bits |= uint32(w.m) << 16
	}
	if w.width > 0 {
		bits |= uint32(2*w.width-w.by) << 16
	}
	return bits
}

// definition is the definition of the macro.
func (w word) definition() string {
	switch {
	case w.three:
		return fmt.Sprintf("#define %s(m, n, d) WORD $(%#08x|(m)<<16|(n)<<5|(d))", w.name, w.base)
	case w.width > 0:
		return fmt.Sprintf("#define %s(by, n, d) WORD $(%#08x|(%d-(by))<<16|(n)<<5|(d))", w.name, w.base, 2*w.width)
	}
	return fmt.Sprintf("#define %s(n, d) WORD $(%#08x|(n)<<5|(d))", w.name, w.base)
}

// String is a use of the macro.
func (w word) String() string {
	switch {
	case w.three:
		return fmt.Sprintf("%s(%d, %d, %d)", w.name, w.m, w.n, w.d)
	case w.width > 0:
		return fmt.Sprintf("%s(%d, %d, %d)", w.name, w.by, w.n, w.d)
	}
	return fmt.Sprintf("%s(%d, %d)", w.name, w.n, w.d)
}

// encode returns an instruction on lanes.
func encode(op string, a arrangement, d, n, m int) word {
	e, known := words[op]
	if !known {
		panic("no encoding of " + op)
	}
	w := word{name: "V" + strings.ToUpper(op) + "_" + a.inGo(), base: e.base | a.q<<30, three: e.three, d: d, n: n, m: m}
	switch e.of {
	case integer:
		w.base |= a.size << 22
	case float:
		w.base |= (a.size & 1) << 22
	}
	w.text = fmt.Sprintf("%s v%d.%s, v%d.%s", op, d, a.name, n, a.name)
	if e.three {
		w.text += fmt.Sprintf(", v%d.%s", m, a.name)
	}
	return w
}

// elements maps products by element to their encodings, for 64 bits of single-precision floats.
var elements = map[string]uint32{
	"fmla": 0x0f801000,
	"fmls": 0x0f805000,
	"fmul": 0x0f809000,
}

// encodeElement returns a product of n by lane 0 of m.
func encodeElement(op string, a arrangement, d, n, m int) word {
	lane := a.name[len(a.name)-1:]
	return word{name: "V" + strings.ToUpper(op) + "_" + a.inGo() + "_ELEMENT", base: elements[op] | a.q<<30 | (a.size&1)<<22, three: true, d: d, n: n, m: m,
		text: fmt.Sprintf("%s v%d.%s, v%d.%s, v%d.%s[0]", op, d, a.name, n, a.name, m, lane)}
}

// longs maps the instructions for 64-bit products of 32-bit lanes, in the low and in the high half of
// a register, to their encodings.
var longs = map[string]uint32{
	"smull":  0x0ea0c000,
	"smull2": 0x4ea0c000,
	"umull":  0x2ea0c000,
	"umull2": 0x6ea0c000,
}

// encodeLong returns an instruction for 64-bit products of n and m.
func encodeLong(op string, d, n, m int) word {
	from := s2
	if strings.HasSuffix(op, "2") {
		from = s4
	}
	return word{name: "V" + strings.ToUpper(op), base: longs[op], three: true, d: d, n: n, m: m, text: fmt.Sprintf("%s v%d.2d, v%d.%s, v%d.%s", op, d, n, from.name, m, from.name)}
}

// widths maps instructions between lanes of one size and of twice that to their encodings.
var widths = map[string]uint32{
	"xtn":   0x0e212800, // narrows to the named lanes, by truncation
	"sqxtn": 0x0e214800, // narrows to the named lanes, with saturation
	"fcvtl": 0x0e217800, // widens floats in the named lanes to doubles
	"fcvtn": 0x0e216800, // narrows doubles to the named lanes
	"sxtl":  0x0f00a400, // sign-extends the named lanes
}

// encodeWidth returns an instruction between the narrow lanes of a and wide ones.
func encodeWidth(op string, a arrangement, d, n int) word {
	wide := map[string]string{"8b": "8h", "4h": "4s", "2s": "2d"}[a.name]
	w := word{name: "V" + strings.ToUpper(op) + "_" + a.inGo(), base: widths[op], d: d, n: n}
	from, to := a.name, wide
	switch op {
	case "xtn", "sqxtn":
		w.base |= a.size << 22
		from, to = wide, a.name
	case "fcvtn":
		w.base |= 1 << 22
		from, to = wide, a.name
	case "fcvtl":
		w.base |= 1 << 22
	default:
		w.base |= 8 << a.size << 16
	}
	w.text = fmt.Sprintf("%s v%d.%s, v%d.%s", op, d, to, n, from)
	return w
}

// encodeShift returns an arithmetic right shift.
func encodeShift(a arrangement, by, d, n int) word {
	return word{name: "VSSHR_" + a.inGo(), base: 0x0f000400 | a.q<<30, by: by, width: 8 << a.size, d: d, n: n,
		text: fmt.Sprintf("sshr v%d.%s, v%d.%s, #%d", d, a.name, n, a.name, by)}
}
