package randkernel

import (
	"fmt"
	"strings"
)

// languagePrologue is what language kernels call. Its names are none that a kernel's variables have.
var languagePrologue = aliases() + `
type numeric interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint | ~float32 | ~float64
}

type integer interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint
}

// level and celsius are numbers with names.
type level int32

type celsius float32

func (p level) half() level  { return p>>1 ^ 5 }
func (p *level) next() level { *p += 3; return *p }
func (p level) lo() level    { return p & 0xff }

// point has fields of several types.
type point struct {
	x int32
	y float32
	z [3]int16
	w uint8
}

func (p *point) bump(v int32) int32 {
	p.x += v
	p.w++
	p.z[p.w%3] -= int16(v)
	return p.x ^ int32(p.w)
}

func (p point) sum(many ...int32) int32 {
	s := p.x + int32(p.w) - int32(p.z[1])
	for _, v := range many {
		s = s*3 + v
	}
	return s
}

func pointOf(p *point) *point { return p }

func stepOf[T numeric](p *T) T {
	*p += 3
	return *p
}

// What follows has names that generated code has for its variables.
const part = 5

func rank[T numeric](lo *T, first T) T {
	*lo -= first
	return first
}

func lo[rank numeric](part *rank, many ...rank) (loop rank) {
	for _, lo := range many {
		*part += lo
		loop = loop - *part
	}
	return
}

func loop[T numeric](lo, rank T) (T, T) { return rank, lo }

func first[T numeric](part, rest T) T { return part - rest }

func sumOf[T numeric](first T, rest ...T) T {
	if rest == nil {
		return first + 1
	}
	for i, v := range rest {
		first += v
		rest[i] = first
	}
	return first
}

func chosen[T any](c bool, a, b T) T {
	if c {
		return a
	}
	return b
}

func oneIf(c bool) int32 {
	if c {
		return 1
	}
	return 0
}

// bitsOf returns the bits of f, the same for all NaNs.
func bitsOf(f float64) uint64 {
	if f != f {
		return 3
	}
	return math.Float64bits(f)
}

func float32From(u uint32) float32 { return *(*float32)(unsafe.Pointer(&u)) }

// note mixes numbers into a sum.
func note[T integer](sum int64, many ...T) int64 {
	for _, v := range many {
		sum = sum*31 + int64(v)
	}
	return sum
}

`

// aliases returns other names of what is predeclared.
func aliases() string {
	var b strings.Builder
	for _, n := range replaced {
		switch n {
		case "nil": // has no type, so no other name
		case "len":
			b.WriteString("func lenOf[T any](s []T) int { return len(s) }\n")
		case "min", "max":
			fmt.Fprintf(&b, "func %sOf[T numeric](a, b T) T { return %s(a, b) }\n", n, n)
		case "append":
			b.WriteString("func appendOf[T any](s []T, more ...T) []T { return append(s, more...) }\n")
		case "copy":
			b.WriteString("func copyOf[T any](to, from []T) int { return copy(to, from) }\n")
		default:
			fmt.Fprintf(&b, "type %sOf = %s\n", n, n)
		}
	}
	return b.String()
}
