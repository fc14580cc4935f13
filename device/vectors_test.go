package device_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/gocuda/gocuda/device"
)

// vectorTypes are all vector types, with the funcs that make them and CUDA's sizes of the components.
var vectorTypes = []struct {
	zero, make any
	size       uintptr
}{
	{device.Char1{}, device.MakeChar1, 1}, {device.Char2{}, device.MakeChar2, 1}, {device.Char3{}, device.MakeChar3, 1}, {device.Char4{}, device.MakeChar4, 1},
	{device.Uchar1{}, device.MakeUchar1, 1}, {device.Uchar2{}, device.MakeUchar2, 1}, {device.Uchar3{}, device.MakeUchar3, 1}, {device.Uchar4{}, device.MakeUchar4, 1},
	{device.Short1{}, device.MakeShort1, 2}, {device.Short2{}, device.MakeShort2, 2}, {device.Short3{}, device.MakeShort3, 2}, {device.Short4{}, device.MakeShort4, 2},
	{device.Ushort1{}, device.MakeUshort1, 2}, {device.Ushort2{}, device.MakeUshort2, 2}, {device.Ushort3{}, device.MakeUshort3, 2}, {device.Ushort4{}, device.MakeUshort4, 2},
	{device.Int1{}, device.MakeInt1, 4}, {device.Int2{}, device.MakeInt2, 4}, {device.Int3{}, device.MakeInt3, 4}, {device.Int4{}, device.MakeInt4, 4},
	{device.Uint1{}, device.MakeUint1, 4}, {device.Uint2{}, device.MakeUint2, 4}, {device.Uint3{}, device.MakeUint3, 4}, {device.Uint4{}, device.MakeUint4, 4},
	{device.Longlong1{}, device.MakeLonglong1, 8}, {device.Longlong2{}, device.MakeLonglong2, 8}, {device.Longlong3{}, device.MakeLonglong3, 8}, {device.Longlong4{}, device.MakeLonglong4, 8},
	{device.Ulonglong1{}, device.MakeUlonglong1, 8}, {device.Ulonglong2{}, device.MakeUlonglong2, 8}, {device.Ulonglong3{}, device.MakeUlonglong3, 8}, {device.Ulonglong4{}, device.MakeUlonglong4, 8},
	{device.Float1{}, device.MakeFloat1, 4}, {device.Float2{}, device.MakeFloat2, 4}, {device.Float3{}, device.MakeFloat3, 4}, {device.Float4{}, device.MakeFloat4, 4},
	{device.Double1{}, device.MakeDouble1, 8}, {device.Double2{}, device.MakeDouble2, 8}, {device.Double3{}, device.MakeDouble3, 8}, {device.Double4{}, device.MakeDouble4, 8},
}

// A component as a number: exact for integers, float64 for floating point.
type component struct {
	i *big.Int
	f float64
}

func componentsOf(v reflect.Value) []component {
	if v.Kind() != reflect.Struct {
		c := component{}
		switch {
		case v.CanInt():
			c.i = big.NewInt(v.Int())
		case v.CanUint():
			c.i = unsigned(v.Uint())
		default:
			c.f = v.Float()
		}
		return []component{c}
	}
	var cs []component
	for i := range v.NumField() {
		cs = append(cs, componentsOf(v.Field(i))...)
	}
	return cs
}

// setComponent gives v, a component, a value that says something.
func setComponent(v reflect.Value, r *rand.Rand) {
	switch {
	case v.CanInt():
		v.SetInt(int64(r.Uint64()) >> (64 - v.Type().Bits()) >> (r.IntN(2) * r.IntN(v.Type().Bits())))
	case v.CanUint():
		v.SetUint(r.Uint64() >> (64 - v.Type().Bits()) >> (r.IntN(2) * r.IntN(v.Type().Bits())))
	default:
		x := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.NaN(), r.NormFloat64(), r.NormFloat64() * 1e10, r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		v.SetFloat(float64(float32(x[r.IntN(len(x))])))
	}
}

func sameFloat(x, y float64) bool {
	return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
}

func TestVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	for k, vt := range vectorTypes {
		typ := reflect.TypeOf(vt.zero)
		n := k%4 + 1
		elem := typ.Field(0).Type
		bits, isFloat := uint(elem.Bits()), elem.Kind() == reflect.Float32 || elem.Kind() == reflect.Float64
		signed := strings.HasPrefix(elem.String(), "int")
		if typ.NumField() != n || typ.Size() != vt.size*uintptr(n) || !strings.HasSuffix(typ.Name(), fmt.Sprint(n)) {
			t.Fatalf("%v has %d fields and %d bytes", typ, typ.NumField(), typ.Size())
		}
		// round rounds to the type of the components.
		round := func(x float64) float64 {
			if bits == 32 {
				return float64(float32(x))
			}
			return x
		}
		for range 300 {
			va, vb, vc := reflect.New(typ).Elem(), reflect.New(typ).Elem(), reflect.New(typ).Elem()
			scalar := reflect.New(elem).Elem()
			setComponent(scalar, r)
			var args []reflect.Value
			for i := range n {
				setComponent(va.Field(i), r)
				setComponent(vb.Field(i), r)
				setComponent(vc.Field(i), r)
				args = append(args, va.Field(i))
			}
			if made := reflect.ValueOf(vt.make).Call(args)[0]; fmt.Sprint(made) != fmt.Sprint(va) {
				t.Fatalf("Make%s made %v of %v", typ.Name(), made, va)
			}
			call := func(name string, args ...reflect.Value) reflect.Value {
				m := va.MethodByName(name)
				if !m.IsValid() {
					t.Fatalf("%v has no %s", typ, name)
				}
				return m.Call(args)[0]
			}
			a, b, c, s := componentsOf(va), componentsOf(vb), componentsOf(vc), componentsOf(scalar)[0]
			// check compares a result with integers modulo its size, or with floats.
			check := func(name string, got reflect.Value, i func(k int) *big.Int, f func(k int) float64) {
				t.Helper()
				for k, g := range componentsOf(got) {
					if isFloat {
						if want := f(k); !sameFloat(g.f, want) {
							t.Fatalf("%v.%s of %v, %v, %v: %v, component %d should be %g", typ, name, va, vb, scalar, got, k, want)
						}
						continue
					}
					size, s := bits, signed
					if name == "Dot" && bits < 32 {
						size, s = 32, true
					}
					if want := modulo(i(k), size, s); g.i.Cmp(want) != 0 {
						t.Fatalf("%v.%s of %v, %v, %v: %v, component %d should be %v", typ, name, va, vb, scalar, got, k, want)
					}
				}
			}
			z := func() *big.Int { return new(big.Int) }
			check("Add", call("Add", vb), func(k int) *big.Int { return z().Add(a[k].i, b[k].i) }, func(k int) float64 { return round(a[k].f + b[k].f) })
			check("Sub", call("Sub", vb), func(k int) *big.Int { return z().Sub(a[k].i, b[k].i) }, func(k int) float64 { return round(a[k].f - b[k].f) })
			check("Mul", call("Mul", vb), func(k int) *big.Int { return z().Mul(a[k].i, b[k].i) }, func(k int) float64 { return round(a[k].f * b[k].f) })
			check("Scale", call("Scale", scalar), func(k int) *big.Int { return z().Mul(a[k].i, s.i) }, func(k int) float64 { return round(a[k].f * s.f) })
			divides := true
			for k := range n {
				divides = divides && (isFloat || b[k].i.Sign() != 0)
			}
			if divides {
				check("Div", call("Div", vb), func(k int) *big.Int { return z().Quo(a[k].i, b[k].i) }, func(k int) float64 { return round(a[k].f / b[k].f) })
			}
			lesser := func(x, y component) component {
				if isFloat {
					switch {
					case math.IsNaN(x.f):
						return y
					case math.IsNaN(y.f):
						return x
					}
					return component{f: math.Min(x.f, y.f)}
				}
				if x.i.Cmp(y.i) < 0 {
					return x
				}
				return y
			}
			greater := func(x, y component) component {
				if isFloat {
					switch {
					case math.IsNaN(x.f):
						return y
					case math.IsNaN(y.f):
						return x
					}
					return component{f: math.Max(x.f, y.f)}
				}
				if x.i.Cmp(y.i) > 0 {
					return x
				}
				return y
			}
			check("Min", call("Min", vb), func(k int) *big.Int { return lesser(a[k], b[k]).i }, func(k int) float64 { return lesser(a[k], b[k]).f })
			check("Max", call("Max", vb), func(k int) *big.Int { return greater(a[k], b[k]).i }, func(k int) float64 { return greater(a[k], b[k]).f })
			clamped := func(k int) component { return greater(lesser(a[k], c[k]), b[k]) }
			check("Clamp", call("Clamp", vb, vc), func(k int) *big.Int { return clamped(k).i }, func(k int) float64 { return clamped(k).f })
			dot := func() float64 {
				sum := round(a[0].f * b[0].f)
				for k := 1; k < n; k++ {
					sum = round(sum + round(a[k].f*b[k].f))
				}
				return sum
			}
			check("Dot", call("Dot", vb), func(int) *big.Int {
				sum := z()
				for k := range n {
					sum.Add(sum, z().Mul(a[k].i, b[k].i))
				}
				return sum
			}, func(int) float64 { return dot() })
			if signed || isFloat {
				check("Neg", call("Neg"), func(k int) *big.Int { return z().Neg(a[k].i) }, func(k int) float64 { return -a[k].f })
				check("Abs", call("Abs"), func(k int) *big.Int { return z().Abs(a[k].i) }, func(k int) float64 { return math.Abs(a[k].f) })
			}
			if !isFloat {
				continue
			}
			square := round(a[0].f * a[0].f)
			for k := 1; k < n; k++ {
				square = round(square + round(a[k].f*a[k].f))
			}
			length := round(math.Sqrt(square))
			check("Length", call("Length"), nil, func(int) float64 { return length })
			check("Normalize", call("Normalize"), nil, func(k int) float64 { return round(a[k].f / length) })
			check("Floor", call("Floor"), nil, func(k int) float64 { return math.Floor(a[k].f) })
			check("Lerp", call("Lerp", vb, scalar), nil, func(k int) float64 { return round(a[k].f + round(s.f*round(b[k].f-a[k].f))) })
			twice := round(2 * dot())
			check("Reflect", call("Reflect", vb), nil, func(k int) float64 { return round(a[k].f - round(twice*b[k].f)) })
			if n == 3 {
				check("Cross", call("Cross", vb), nil, func(k int) float64 {
					y, z := (k+1)%3, (k+2)%3
					return round(round(a[y].f*b[z].f) - round(a[z].f*b[y].f))
				})
			}
		}
	}
}

func TestVectorGeometry(t *testing.T) {
	x, y, z := device.MakeFloat3(1, 0, 0), device.MakeFloat3(0, 1, 0), device.MakeFloat3(0, 0, 1)
	if x.Cross(y) != z || y.Cross(z) != x || z.Cross(x) != y {
		t.Error("the axes are right-handed")
	}
	r := rand.New(rand.NewPCG(5, 5))
	for range 10000 {
		a := device.MakeDouble3(r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
		n := device.MakeDouble3(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Normalize()
		if l := n.Length(); math.Abs(l-1) > 4e-16 {
			t.Fatalf("the length of %v is %v", n, l)
		}
		if d := math.Abs(a.Cross(n).Dot(n)); d > 4e-15 {
			t.Fatalf("the cross product is off a right angle by %g", d)
		}
		// A reflection keeps the length, and twice is nothing.
		m := a.Reflect(n)
		if math.Abs(m.Length()-a.Length()) > 1e-14 || m.Reflect(n).Sub(a).Length() > 1e-14 {
			t.Fatalf("%v is reflected to %v", a, m)
		}
	}
	if !math.IsNaN(float64(device.Float2{}.Normalize().X)) {
		t.Error("a vector without length has no direction")
	}
}

func ExampleFloat3() {
	a, b := device.MakeFloat3(1, 2, 2), device.MakeFloat3(0, 1, 0)
	fmt.Println(a.Length(), a.Dot(b), a.Cross(b), a.Lerp(b, 0.5))
	// Output: 3 2 {-2 0 1} {0.5 1.5 1}
}

func ExampleUchar4() {
	// A pixel: what is added wraps around, and Dot is an int.
	p := device.MakeUchar4(200, 100, 50, 255)
	fmt.Println(p.Add(p), p.Min(device.MakeUchar4(120, 120, 120, 120)), p.Dot(p))
	// Output: {144 200 100 254} {120 100 50 120} 117525
}
