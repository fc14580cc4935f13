package compiler

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"math/big"
	"strconv"
	"testing"
)

// Printed floating-point constants denote the same number.
func TestFloatConstants(t *testing.T) {
	ratio := func(a, b int64) constant.Value {
		return constant.BinaryOp(constant.ToFloat(constant.MakeInt64(a)), token.QUO, constant.ToFloat(constant.MakeInt64(b)))
	}
	huge, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	for _, v := range []constant.Value{
		ratio(1, 3), ratio(-1, 3), ratio(1, 10), ratio(1, 1<<40), ratio(7, 2), ratio(2, 1),
		constant.MakeInt64(0), constant.MakeInt64(-7), constant.MakeInt64(1<<53 + 1), constant.MakeInt64(16777217),
		constant.Make(huge), constant.MakeFloat64(math.Pi), constant.MakeFloat64(1e300), constant.MakeFloat64(1e-300),
		constant.MakeFloat64(math.MaxFloat32), constant.MakeFloat64(math.SmallestNonzeroFloat64),
		constant.MakeFloat64(math.SmallestNonzeroFloat32), constant.MakeFloat64(0.1), constant.MakeFloat64(1 + 0x1p-24),
		constant.MakeFromLiteral("2.71828182845904523536028747135266249775724709369995957496696763", token.FLOAT, 0),
	} {
		text := floatText(v, types.Typ[types.Float64])
		if got, err := strconv.ParseFloat(text, 64); err != nil && got == 0 {
			t.Errorf("%v as float64: %v", v, err)
		} else if want, _ := constant.Float64Val(constant.ToFloat(v)); got != want {
			t.Errorf("%v as float64 is printed as %s, which is %g", v, text, got)
		}
		text = floatText(v, types.Typ[types.Float32])
		want, _ := constant.Float32Val(constant.ToFloat(v))
		if math.IsInf(float64(want), 0) {
			continue // the type has no such constant
		}
		if got, err := strconv.ParseFloat(text, 32); err != nil {
			t.Errorf("%v as float32: %v", v, err)
		} else if float32(got) != want {
			t.Errorf("%v as float32 is printed as %s, which is %g", v, text, got)
		}
	}
}

// A constant of a type parameter is printed exactly.
func TestGenericConstants(t *testing.T) {
	tp := types.NewTypeParam(types.NewTypeName(0, nil, "T", nil), types.NewInterfaceType(nil, nil))
	third := constant.BinaryOp(constant.MakeFloat64(1), token.QUO, constant.MakeInt64(3))
	text := floatText(third, tp)
	tv, err := types.Eval(token.NewFileSet(), nil, token.NoPos, text)
	if err != nil || !constant.Compare(tv.Value, token.EQL, third) {
		t.Errorf("1/3 is printed as %s, which is %v (%v)", text, tv.Value, err)
	}
}

// Constants of all kinds, in all contexts.
func TestConstants(t *testing.T) {
	for _, body := range []string{
		"const third = 1.0 / 3; fs[0] = third; g = third * 3; fs[1] = float32(g)",
		"const big = 1 << 100; x[0] = big >> 98; y[0] = big / (1 << 99)",
		"const all = 1<<64 - 1; v := uint64(all); v ^= all; x[0] = int(v >> 3)",
		"v := int64(-1 << 63); x[0] = int(v); v = -9223372036854775808; x[1] = int(v)",
		"var v int8 = -128; v--; x[0] = int(-v)",
		"v := 'a'; x[0] = int(v) + 'b'; w := byte('c'); x[1] = int(w)",
		"fs[0] = 16777217; fs[1] = 1e-45; fs[2] = 0x1p-149; fs[3] = 1e38; fs[4] *= 1 << 10; fs[5] = 7 / 2; fs[6] = 7 / 2.",
		"g = 1e308; g *= 10; fs[0] = float32(g); g = math.MaxFloat64; fs[1] = float32(g); g = math.SmallestNonzeroFloat64; fs[2] = float32(g)",
		"s := \"a\\x00\\u00e4\\n\"; x[0] = len(s); if s == \"\\\\\" { x[1] = int(s[2]) }",
		"if n > 3 == true && !false { x[0] = 1 }",
		"const c = iota + 3; x[c] = c; v := [c]int{1: 2, 2: c}; x[0] = v[n]",
		"v := 1 << 3; fs[0] = float32(v); w := 1.5; fs[1] = float32(w); x[0] = v << 2",
		"var w uint8 = 200; w += 100; x[0] = int(w); w = ^w; x[1] = int(w >> 1)",
		"x[0] = 5 &^ n; x[1] = -n; x[2] = n - -3; x[3] = n - (-n); x[4] = 3 - (q - n); x[5] = -(-n)",
		"switch 3 { case 1: x[0] = 1; case 3: x[0] = 3 }; if false { x[1] = 9 }",
		"type celsius float64; const freezing celsius = 0.5; v := freezing; v *= 2; g = float64(v); fs[0] = float32(g)",
	} {
		t.Run(body, func(t *testing.T) {
			kernelOf(t, body)
		})
	}
}

// A constant argument of a helper is not constant in its body: overflow wraps around, and panics
// happen when they are reached.
func TestConstantArguments(t *testing.T) {
	const defect = "constant arguments make the helper's expressions constant, which must not overflow, divide by zero or leave their range"
	for _, c := range []struct {
		name, call, helper string
		defect             string
	}{
		{"sum", "x[0] = add(1, 2)", "func add(a, b int) int { return a + b }", ""},
		{"loop bound", "x[0] = count(3)", "func count(n int) int {\nk := 0\nfor i := range n {\nk += i\n}\nreturn k\n}", ""},
		{"changed inside", "x[0] = count(3)", "func count(n int) int {\nfor n > 1 {\nn--\n}\nreturn n\n}", ""},
		{"float", "fs[0] = float32(half(0.1))", "func half(a float32) float64 { return float64(a) / 2 }", ""},
		{"overflow", "x[0] = int(add(100, 200))", "func add(a, b uint8) uint8 { return a + b }", defect},
		{"negative of an unsigned", "x[0] = int(neg(5))", "func neg(a uint32) uint32 { return -a }", defect},
		{"narrowing", "x[0] = int(narrow(300))", "func narrow(a int) int8 { return int8(a) }", defect},
		{"float to int", "x[0] = trunc(2.5)", "func trunc(a float64) int { return int(a) }", defect},
		{"shift", "x[0] = int(shl(1, 40))", "func shl(a int32, k int) int32 { return a << k }", defect},
		{"division by zero that is not reached", "x[0] = mod(n, 0)", "func mod(a, b int) int {\nif b == 0 {\nreturn a\n}\nreturn a % b\n}", defect},
		{"division of floats by zero", "g = div(1, 0); fs[0] = float32(g)", "func div(a, b float64) float64 { return a / b }", defect},
		{"index that is not reached", "x[0] = at([4]int{}, 7)", "func at(v [4]int, i int) int {\nif i < 4 {\nreturn v[i]\n}\nreturn -1\n}", defect},
		{"slice that is not reached", "x[0] = width(x, 5, 3)", "func width(v []int, lo, hi int) int {\nif lo < hi {\nreturn len(v[lo:hi])\n}\nreturn 0\n}", defect},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := snippetOf(t, inKernel(c.call)+c.helper+"\n")
			if k := s.kernels()[0]; k.Reason != "" {
				t.Fatalf("not translated: %s", k.Reason)
			}
			if _, err := s.generated(); err != nil {
				expected(t, c.defect, "what is generated does not compile: %v", err)
			}
		})
	}
}
