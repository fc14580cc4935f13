package compiler

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// numberOf evaluates an expression of ints.
func numberOf(t *testing.T, e ast.Expr, env map[string]int64) int64 {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return numberOf(t, e.X, env)
	case *ast.BasicLit:
		n, err := strconv.ParseInt(e.Value, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	case *ast.UnaryExpr:
		return -numberOf(t, e.X, env)
	case *ast.Ident:
		n, ok := env[e.Name]
		if !ok {
			t.Fatalf("%s has no value", e.Name)
		}
		return n
	case *ast.BinaryExpr:
		x, y := numberOf(t, e.X, env), numberOf(t, e.Y, env)
		return map[token.Token]int64{token.ADD: x + y, token.SUB: x - y, token.MUL: x * y}[e.Op]
	}
	t.Fatalf("%T in an index", e)
	return 0
}

// An index that is taken apart is the same number in each round.
func TestPlaceOf(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	names := []string{"i", "n", "w", "row", "base", "next"}
	defs := map[string]string{"base": "row*w + 3", "next": "base - i"}
	var index func(depth int) string
	index = func(depth int) string {
		switch k := r.IntN(8); {
		case depth == 0 || k < 3:
			if r.IntN(3) == 0 {
				return strconv.Itoa(r.IntN(40))
			}
			return names[r.IntN(len(names))]
		case k < 6:
			return index(depth-1) + " + " + index(depth-1)
		case k == 6:
			return "(" + index(depth-1) + " - (" + index(depth-1) + "))"
		default:
			return "(" + index(depth-1) + ")*(" + index(depth-1) + ")"
		}
	}
	taken := 0
	for range 20000 {
		text := index(3)
		e, err := parser.ParseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		p, ok := placeOf(e, "i", defs, map[string]bool{"changes": true})
		if !ok {
			continue
		}
		taken++
		whole := strconv.FormatInt(p.plus, 10)
		if p.by != "" {
			whole += " + i*" + p.by
		}
		if len(p.rest) > 0 {
			whole += " + " + strings.Join(p.rest, " + ")
		}
		apart, err := parser.ParseExpr(whole)
		if err != nil {
			t.Fatalf("%s is taken for %s: %v", text, whole, err)
		}
		for range 3 {
			env := map[string]int64{}
			for _, n := range names[:4] {
				env[n] = r.Int64N(2000) - 1000
			}
			env["base"] = env["row"]*env["w"] + 3
			env["next"] = env["base"] - env["i"]
			if got, want := numberOf(t, apart, env), numberOf(t, e, env); got != want {
				t.Fatalf("%s is taken for %s: %d, want %d", text, whole, got, want)
			}
		}
		if p.by != "" && strings.Contains(p.by, "i") {
			t.Fatalf("%s grows by %s", text, p.by)
		}
	}
	if taken < 5000 {
		t.Errorf("%d indices were taken apart", taken)
	}
	if _, ok := placeOf(&ast.Ident{Name: "changes"}, "i", defs, map[string]bool{"changes": true}); ok {
		t.Error("an index was taken apart that has no value before the loop")
	}
	if _, ok := placeOf(&ast.BinaryExpr{X: &ast.Ident{Name: "i"}, Op: token.MUL, Y: &ast.Ident{Name: "i"}}, "i", defs, nil); ok {
		t.Error("a square of the counter was taken apart")
	}
}

// Indices that change after they are defined, or with the counter, stay as they are.
func TestPointersOfChanging(t *testing.T) {
	for _, c := range []struct {
		body  string
		moves bool
	}{
		{"k := tx + n\nvec.StoreF32x16(out, k, vec.LoadF32x16(in, k))\n", true},
		{"k := tx + n\nk += 3\nvec.StoreF32x16(out, k, vec.LoadF32x16(in, k))\n", false},
		{"k := tx + n\nk = k + 3\nvec.StoreF32x16(out, k, vec.LoadF32x16(in, k))\n", false},
		{"k := tx + n\nif n == 4 {\nk++\n}\nvec.StoreF32x16(out, k, vec.LoadF32x16(in, k))\n", false},
		{"k := tx + n\nm, k = 1, 2\nvec.StoreF32x16(out, k, vec.LoadF32x16(in, k))\n", false},
		{"k := tx + n\nk &^= 3\nvec.StoreF32x16(out, k, vec.LoadF32x16(in, k))\n", false},
		{"k := tx + n\nk <<= 1\nvec.StoreF32x16(out, k, vec.LoadF32x16(in, k))\n", false},
		{"var q int\nq = 5\nk := tx + q\nvec.StoreF32x16(out, k, vec.LoadF32x16(in, k))\n", false},
		{"var q int\nk := tx + q\nvec.StoreF32x16(out, k, vec.LoadF32x16(in, k))\n", false},
		{"if q := f(); q > 0 {\nvec.StoreF32x16(out, tx + q, x)\n}\n", false},
		{"k := tx + n\ntx += 1\nvec.StoreF32x16(out, k, vec.LoadF32x16(in, k))\n", false},
		{"in = other\nvec.StoreF32x16(out, n, vec.LoadF32x16(in, tx))\n", false},
	} {
		b := &body{names: map[string]bool{}}
		if decls, text := b.pointers(c.body, "tx", 16); (decls != "") != c.moves {
			t.Errorf("pointers in\n%sare\n%s%s", c.body, decls, text)
		}
	}
}

// Where Go may stop a goroutine, and the garbage collector sees its variables, pointers lead to what each round reads or writes.
func TestPointersBesideCalls(t *testing.T) {
	const sin = "vec.StoreF32x16(out, tx, vec.SinF32x16(x))\n"
	for _, c := range []struct {
		body string
		of   string // the slices that have pointers
	}{
		{"x := vec.LoadF32x16(in, tx)\n" + sin, "in out"},
		{"x := vec.LoadF32x16(in, tx - 131072)\n" + sin, "out"},
		{"x := vec.LoadF32x16(in, tx - 131072)\nvec.StoreF32x16(out, tx, x)\n", "in out"},
		{"x := vec.LoadF32x16(in, tx)\nif more {\nx = x.Add(vec.LoadF32x16(also, tx))\n}\n" + sin, "in out"},
		{"x := vec.LoadF32x16(in, tx)\nif more {\nx = x.Add(vec.LoadF32x16(also, tx))\n}\nvec.StoreF32x16(out, tx, x)\n", "in also out"},
		{"x := vec.LoadF32x16(in, tx + 16)\ny := vec.LoadF32x16(in, tx)\n" + sin, "in out"},
		{"x := vec.LoadF32x16(in, tx)\nif more {\nbreak\n}\n" + sin, ""},
	} {
		b := &body{names: map[string]bool{}}
		decls, _ := b.pointers(c.body, "tx", 16)
		var of []string
		for _, line := range strings.Split(decls, "\n") {
			if _, args, ok := strings.Cut(line, "float32]("); ok {
				of = append(of, strings.Split(args, ",")[0])
			}
		}
		if got := strings.Join(of, " "); got != c.of {
			t.Errorf("pointers beside\n%sare of %q, not %q:\n%s", c.body, got, c.of, decls)
		}
	}
}
