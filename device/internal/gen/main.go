// Command gen writes two files of package device: vectors_gen.go, CUDA's vector types, char1 to
// double4, with their arithmetic, and sfu_tables.go, the tables of the special function unit's
// model.
//
// It is run by go generate in the folder of package device and takes no arguments; what it writes
// depends on nothing but its own source.
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"log"
	"os"
	"strings"
)

// A kind is the element type of four vector types.
type kind struct {
	name string // Uchar
	cuda string // uchar
	elem string // uint8
	bits int
}

func (k kind) float() bool  { return strings.HasPrefix(k.elem, "float") }
func (k kind) signed() bool { return !strings.HasPrefix(k.elem, "uint") }

var kinds = []kind{
	{"Char", "char", "int8", 8},
	{"Uchar", "uchar", "uint8", 8},
	{"Short", "short", "int16", 16},
	{"Ushort", "ushort", "uint16", 16},
	{"Int", "int", "int32", 32},
	{"Uint", "uint", "uint32", 32},
	{"Longlong", "longlong", "int64", 64},
	{"Ulonglong", "ulonglong", "uint64", 64},
	{"Float", "float", "float32", 32},
	{"Double", "double", "float64", 64},
}

var fields = []string{"X", "Y", "Z", "W"}

// A vector is one type.
type vector struct {
	kind
	n int
}

// each joins what f makes of each field.
func (v vector) each(sep string, f func(field string) string) string {
	var parts []string
	for _, x := range fields[:v.n] {
		parts = append(parts, f(x))
	}
	return strings.Join(parts, sep)
}

// with writes pattern for each field, in place of $, between commas.
func (v vector) with(pattern string) string {
	return v.each(", ", func(x string) string { return strings.ReplaceAll(pattern, "$", x) })
}

// product is x*y, rounded by itself: a conversion keeps Go from fusing it with a sum.
func (v vector) product(x, y string) string {
	if v.float() {
		return fmt.Sprintf("%s(%s*%s)", v.elem, x, y)
	}
	return x + "*" + y
}

func (v vector) write(b *bytes.Buffer) {
	T, E := fmt.Sprintf("%s%d", v.name, v.n), v.elem
	p := func(format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		b.WriteString(strings.NewReplacer("@T", T, "@E", E).Replace(text))
	}
	// An integer function for one kind of number, another for floating point.
	pick := func(integers, floats string) string {
		if v.float() {
			return floats + v.elem[5:]
		}
		return integers
	}
	list := strings.ToLower(strings.Join(fields[:v.n], ", "))

	p("// @T is CUDA's %s%d: %d @E in %d bytes.\n", v.cuda, v.n, v.n, v.n*v.bits/8)
	p("type @T struct{ %s @E }\n\n", strings.Join(fields[:v.n], ", "))
	p("// Make@T is CUDA's make_%s%d.\n", v.cuda, v.n)
	p("func Make@T(%s @E) @T { return @T{%s} }\n\n", list, list)

	method := func(comment, signature, pattern string) {
		p("// %s\n", comment)
		p("func (a @T) %s @T { return @T{%s} }\n\n", signature, v.with(pattern))
	}
	wraps := ", wrapping around"
	if v.float() {
		wraps = ""
	}
	method("Add returns a + b"+wraps+".", "Add(b @T)", "a.$ + b.$")
	method("Sub returns a - b"+wraps+".", "Sub(b @T)", "a.$ - b.$")
	method("Mul returns the products of the components"+wraps+".", "Mul(b @T)", "a.$ * b.$")
	if v.float() {
		method("Div returns the quotients of the components.", "Div(b @T)", "a.$ / b.$")
	} else {
		method("Div returns the quotients of the components, rounded toward zero. It panics if one of b is 0.", "Div(b @T)", "a.$ / b.$")
	}
	method("Scale returns a with all components multiplied by s"+wraps+".", "Scale(s @E)", "a.$ * s")
	method("Min returns the lesser of each two components"+map[bool]string{true: "; of a number and NaN the number"}[v.float()]+".",
		"Min(b @T)", pick("min", "PtxMinF")+"(a.$, b.$)")
	method("Max returns the greater of each two components"+map[bool]string{true: "; of a number and NaN the number"}[v.float()]+".",
		"Max(b @T)", pick("max", "PtxMaxF")+"(a.$, b.$)")
	p("// Clamp returns a with each component at least lo's and at most hi's. If lo is above hi it is lo.\n")
	p("func (a @T) Clamp(lo, hi @T) @T { return a.Min(hi).Max(lo) }\n\n")
	if v.signed() {
		least := "; the least integer stays as it is"
		if v.float() {
			least = ""
		}
		method("Neg returns -a"+least+".", "Neg()", "-a.$")
	}
	switch {
	case v.float():
		pattern := "math.Abs(a.$)"
		if v.bits == 32 {
			pattern = "float32(math.Abs(float64(a.$)))"
		}
		method("Abs returns the absolute values of the components.", "Abs()", pattern)
	case v.signed():
		p("// Abs returns the absolute values of the components; the least integer stays as it is.\n")
		p("func (a @T) Abs() @T { return a.Max(a.Neg()) }\n\n")
	}

	// Products of narrow integers are int, as in C.
	result, x := E, func(s string) string { return s }
	note := ", wrapping around"
	if v.bits < 32 {
		result, x = "int32", func(s string) string { return "int32(" + s + ")" }
		note = ", as C's int"
	} else if v.float() {
		note = ", added from left to right"
	}
	dot := v.each(" + ", func(f string) string { return v.product(x("a."+f), x("b."+f)) })
	if v.n == 1 {
		dot = x("a.X") + "*" + x("b.X")
		if v.float() {
			note = ""
		}
	}
	p("// Dot returns the sum of the products of the components%s.\n", note)
	p("func (a @T) Dot(b @T) %s { return %s }\n\n", result, dot)
	if !v.float() {
		return
	}

	method("Lerp returns a + t(b-a): a for t = 0, and b for t = 1 up to rounding.", "Lerp(b @T, t @E)", "a.$ + "+v.product("t", "(b.$-a.$)"))
	floor := "math.Floor(a.$)"
	length := "math.Sqrt(a.Dot(a))"
	if v.bits == 32 {
		floor = "float32(math.Floor(float64(a.$)))"
		length = "float32(math.Sqrt(float64(a.Dot(a))))"
	}
	method("Floor returns the greatest integers that are not above the components.", "Floor()", floor)
	p("// Length returns the square root of a.Dot(a). The sum of squares may overflow or underflow where the length would not.\n")
	p("func (a @T) Length() @E { return %s }\n\n", length)
	p("// Normalize returns a with the length 1: a divided by its length. It is NaN if that is 0.\n")
	p("func (a @T) Normalize() @T {\n\tl := a.Length()\n\treturn @T{%s}\n}\n\n", v.with("a.$ / l"))
	p("// Reflect returns a reflected by the plane with the normal n of length 1: a - 2(n.a)n.\n")
	p("func (a @T) Reflect(n @T) @T {\n\td := 2 * n.Dot(a)\n\treturn @T{%s}\n}\n\n", v.with("a.$ - "+v.product("d", "n.$")))
	if v.n == 3 {
		p("// Cross returns the cross product, at right angles to a and b.\n")
		p("func (a @T) Cross(b @T) @T {\n\treturn @T{\n")
		for i := range 3 {
			y, z := fields[(i+1)%3], fields[(i+2)%3]
			p("\t\t%s - %s,\n", v.product("a."+y, "b."+z), v.product("a."+z, "b."+y))
		}
		p("\t}\n}\n\n")
	}
}

// vectors returns the formatted file.
func vectors() []byte {
	b := bytes.NewBufferString("// Code generated by go run ./internal/gen; DO NOT EDIT.\n\npackage device\n\nimport \"math\"\n\n")
	for _, k := range kinds {
		for n := 1; n <= 4; n++ {
			vector{k, n}.write(b)
		}
	}
	src, err := format.Source(b.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	return src
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	for name, src := range map[string][]byte{"vectors_gen.go": vectors(), "sfu_tables.go": sfu()} {
		if err := os.WriteFile(name, src, 0o666); err != nil {
			log.Fatal(err)
		}
	}
}
