package randkernel

import (
	"fmt"
	"slices"
	"strings"
)

// scalar returns a variable of a type that may be assigned, or nothing.
func (g *langGen) scalar(typ string) string {
	if list := g.scalars[typ]; len(list) > 0 {
		return g.pick(list...)
	}
	return ""
}

// place returns something of a type that may be assigned and has an address, or nothing if there is
// none.
func (g *langGen) place(typ string, depth int) string {
	for range 6 {
		switch g.n(9) {
		case 0, 1:
			if v := g.scalar(typ); v != "" {
				return v
			}
		case 2, 3:
			if a := g.list(typ); a != "" {
				return fmt.Sprintf("%s[%s]", a, g.index(8, depth))
			}
		case 4:
			if p := g.ptr(typ); p != "" {
				return "*" + p
			}
		case 5, 6:
			if q := g.point(depth); q != "" {
				switch typ {
				case "int32":
					return q + ".x"
				case "float32":
					return q + ".y"
				case "uint8":
					return q + ".w"
				case "int16":
					return fmt.Sprintf("%s.z[%s]", q, g.index(2, depth))
				}
			}
		case 7:
			if out := map[string]string{"int32": "out0[g]", "float32": "out1[g]", "uint8": "out2[g]", "int64": "out3[g]", "float64": "out4[g]"}[typ]; out != "" && g.inKernel {
				return out
			}
		}
	}
	return g.scalar(typ)
}

// point returns something of type point, or a pointer to that, that has an address.
func (g *langGen) point(depth int) string {
	options := slices.Clone(g.points)
	for _, ps := range g.records {
		options = append(options, fmt.Sprintf("%s[%s]", ps, g.index(4, depth)))
	}
	if len(options) == 0 {
		return ""
	}
	return g.pick(options...)
}

func (g *langGen) ptr(typ string) string  { return pickOf(g, g.ptrs, typ) }
func (g *langGen) list(typ string) string { return pickOf(g, g.lists, typ) }

func pickOf(g *langGen, list []variable, typ string) string {
	var fit []string
	for _, v := range list {
		if v.typ == typ {
			fit = append(fit, v.name)
		}
	}
	if len(fit) == 0 {
		return ""
	}
	return g.pick(fit...)
}

// index returns an index below k, a power of two.
func (g *langGen) index(k, depth int) string {
	i := g.scalar("int")
	switch c := g.n(8); {
	case c < 3 && i != "":
		return fmt.Sprintf("%s&%d", i, k-1)
	case c == 3 && i != "" && depth > 0:
		return fmt.Sprintf("stepOf(&%s)&%d", i, k-1)
	case c == 4 && depth > 0:
		if e := g.call(depth-1, "int32"); e != "" {
			return fmt.Sprintf("%s&%d", e, k-1)
		}
	case c == 5:
		typ := g.pick(g.own...)
		return fmt.Sprintf("%s(%s)%%%d", g.t("uint8"), g.conv("int", typ, g.leaf(typ, 0)), k)
	case c == 6 && len(g.reads) > 0:
		v := g.reads[g.n(len(g.reads))]
		if v.typ == "int" {
			return fmt.Sprintf("%s&%d", v.name, k-1)
		}
	}
	return fmt.Sprint(g.n(k))
}

// constant returns a constant that a type holds.
func (g *langGen) constant(typ string) string {
	switch {
	case typ == "T":
		if g.integer && g.n(2) == 0 {
			return g.pick("^T(0)", "T(1)<<31", "T(1)<<7", "^T(0)>>1", "T(0)-1")
		}
		return g.pick("T(0)-1", "-T(0)", "T(3)", "T(100)", "-T(1)", "T(0)", "2")
	case floating(typ):
		return g.pick("0.5", "2", "-1.25", "0", "100", "1e-3", "3", "-7", "1e9", "0.1")
	}
	list := []string{"1", "2", "3", "7", "10", "31", "100", "0", "15", "127"}
	if !isUnsigned(typ) {
		list = append(list, "-1", "-3", "-128")
	}
	if more := map[string]string{"int32": "-1<<31", "uint32": "1<<32 - 1", "int64": "-1<<63", "uint64": "1<<64 - 1", "uint8": "255", "int16": "-1<<15", "uint16": "65535",
		"level": "1<<31 - 1"}[typ]; more != "" {
		list = append(list, more, more)
	}
	return g.pick(list...)
}

// operand returns an expression, or a constant.
func (g *langGen) operand(typ string, depth int) string {
	if g.n(4) == 0 {
		return "(" + g.named(g.constant(typ)) + ")"
	}
	return g.ex(typ, depth)
}

// named has the type parameter's name for T.
func (g *langGen) named(s string) string {
	if g.param == "" {
		return s
	}
	return strings.ReplaceAll(s, "T(", g.param+"(")
}

// leaf returns something that is read. It is never constant.
func (g *langGen) leaf(typ string, depth int) string {
	switch g.n(8) {
	case 0:
		if g.inKernel {
			return g.input(typ)
		}
	case 1:
		if len(g.reads) > 0 {
			v := g.reads[g.n(len(g.reads))]
			return g.conv(typ, v.typ, v.name)
		}
	case 2:
		if len(g.tails) > 0 {
			return fmt.Sprintf("%s(%s(%s))", g.t(typ), g.t("len"), g.tails[g.n(len(g.tails))].name)
		}
	}
	if v := g.place(typ, depth); v != "" {
		return v
	}
	for range 4 {
		other := g.pick(append(g.own, "int")...)
		if v := g.place(other, depth); v != "" {
			return g.conv(typ, other, v)
		}
	}
	return g.conv(typ, "int", g.scalar("int"))
}

// ex returns an expression of a type, at most so deep. It may have side effects.
func (g *langGen) ex(typ string, depth int) string {
	if typ == "bool" {
		return g.cond(depth)
	}
	if depth <= 0 || g.n(6) == 0 {
		return g.leaf(typ, depth)
	}
	depth--
	if g.n(3) == 0 {
		if e := g.call(depth, typ); e != "" {
			return e
		}
	}
	printed := g.t(typ)
	switch g.n(10) {
	case 0, 1:
		return fmt.Sprintf("(%s %s %s)", g.ex(typ, depth), g.pick("+", "-"), g.operand(typ, depth))
	case 2:
		return fmt.Sprintf("%s(%s * %s)", printed, g.ex(typ, depth), g.operand(typ, depth)) // rounded, so never fused
	case 3:
		from := g.pick(g.own...)
		return g.conv(typ, from, g.ex(from, depth))
	case 4:
		return fmt.Sprintf("%s(%s, %s)", g.t(g.pick("min", "max")), g.ex(typ, depth), g.operand(typ, depth))
	case 5:
		return fmt.Sprintf("-(%s)", g.ex(typ, depth))
	case 6:
		a := g.lengthened(typ, depth)
		if a != "" {
			return a
		}
	}
	if typ == "T" && !g.integer {
		return fmt.Sprintf("(%s %s %s)", g.ex(typ, depth), g.pick("+", "-"), g.named(g.constant(typ)))
	}
	if floating(typ) {
		switch g.n(6) {
		case 0:
			return fmt.Sprintf("(%s / %s)", g.ex(typ, depth), g.operandNotZero(typ, depth))
		case 1:
			return fmt.Sprintf("%s(math.%s(%s(%s)))", printed, g.pick("Sqrt", "Abs", "Floor", "Trunc"), "float64Of", g.ex(typ, depth))
		case 2:
			return fmt.Sprintf("%s(math.Float32frombits(%s))", printed, g.ex("uint32", depth))
		case 3:
			return fmt.Sprintf("%s(float32From(%s))", printed, g.ex("uint32", depth))
		}
		return g.leaf(typ, depth)
	}
	switch g.n(7) {
	case 0, 1:
		return fmt.Sprintf("(%s %s %s)", g.ex(typ, depth), g.pick("&", "|", "^", "&^"), g.operand(typ, depth))
	case 2:
		return fmt.Sprintf("(%s %s (%s | 1))", g.ex(typ, depth), g.pick("/", "%"), g.ex(typ, depth))
	case 3:
		from := g.pick("uint8", "uint32", "uint64", "uint16")
		return fmt.Sprintf("(%s %s (%s %% %s))", g.ex(typ, depth), g.pick("<<", ">>"), g.ex(from, depth), g.pick("70", "31", "9"))
	case 4:
		return fmt.Sprintf("^(%s)", g.ex(typ, depth))
	case 5:
		return fmt.Sprintf("(%s %s %d)", g.ex(typ, depth), g.pick("<<", ">>"), 1+g.n(7))
	}
	return fmt.Sprintf("%s(bitsOf(%s(%s)))", printed, "float64Of", g.ex(g.pick("float32", "float64"), depth))
}

// operandNotZero returns an operand of a division of floats: no constant, which could be 0.
func (g *langGen) operandNotZero(typ string, depth int) string {
	if g.n(2) == 0 {
		return g.ex(typ, depth)
	}
	return g.pick("3", "0.5", "-7")
}

// lengthened returns a call of something of the prologue that has an effect or many arguments.
func (g *langGen) lengthened(typ string, depth int) string {
	switch g.n(9) {
	case 7:
		if v := g.place(typ, depth); v != "" {
			return fmt.Sprintf("%s(%s, %s)", g.pick("rank", "lo"), g.address(v), g.ex(typ, depth))
		}
	case 8:
		return fmt.Sprintf("first(%s)", g.pick(fmt.Sprintf("loop(%s, part)", g.ex(typ, depth)), fmt.Sprintf("loop(%s, %s)", g.ex(typ, depth), g.ex(typ, depth))))
	case 0:
		if v := g.place(typ, depth); v != "" {
			return fmt.Sprintf("stepOf(%s)", g.address(v))
		}
	case 1:
		var list []string
		for range g.n(4) {
			list = append(list, g.ex(typ, depth))
		}
		return fmt.Sprintf("sumOf(%s)", strings.Join(append([]string{g.ex(typ, depth)}, list...), ", "))
	case 2:
		if a := g.list(typ); a != "" {
			return fmt.Sprintf("sumOf(%s, %s[%s:%d]...)", g.ex(typ, depth), a, g.index(4, depth), 4+g.n(4))
		}
	case 3:
		if q := g.point(depth); q != "" {
			return g.conv(typ, "int32", fmt.Sprintf("%s.bump(%s)", q, g.ex("int32", depth)))
		}
	case 4:
		if q := g.point(depth); q != "" {
			return g.conv(typ, "int32", fmt.Sprintf("%s.sum(%s)", q, g.pick("", "3", g.ex("int32", depth)+", 1")))
		}
	case 5:
		if v := g.place("level", depth); v != "" {
			return g.conv(typ, "level", fmt.Sprintf("%s.%s()", parenthesised(v), g.pick("next", "half", "lo")))
		}
		return g.conv(typ, "level", fmt.Sprintf("level(%s).half()", g.ex("int32", depth)))
	case 6:
		return fmt.Sprintf("chosen(%s, %s, %s)", g.cond(depth), g.ex(typ, depth), g.ex(typ, depth))
	}
	return ""
}

func parenthesised(v string) string {
	if strings.HasPrefix(v, "*") {
		return "(" + v + ")"
	}
	return v
}

func (g *langGen) address(v string) string {
	if p, ok := strings.CutPrefix(v, "*"); ok {
		return p
	}
	return "&" + v
}

// call returns a call of a helper that has one result, converted to a type, or nothing.
func (g *langGen) call(depth int, typ string) string {
	all := slices.Concat(*g.funcs, g.local)
	for range 3 {
		if len(all) == 0 {
			break
		}
		f := all[g.n(len(all))]
		if len(f.results) != 1 {
			continue
		}
		if c, results := g.callOf(f, depth); c != "" {
			return g.conv(typ, results[0], c)
		}
	}
	return ""
}

// callOf returns a call of f, and the types of its results, or nothing if there are no arguments
// for it.
func (g *langGen) callOf(f langFunc, depth int) (text string, results []string) {
	stands := ""
	if f.generic {
		for range 8 {
			stands = g.pick(g.own...)
			if (!f.integer || !floating(stands)) && (stands != "T" || !f.integer || g.integer) {
				break
			}
			stands = ""
		}
		if stands == "" {
			return "", nil
		}
	}
	is := func(typ string) string {
		if typ == "T" && f.generic {
			return stands
		}
		return typ
	}
	var args []string
	for _, p := range f.params {
		typ := is(p.typ)
		arg := ""
		switch p.kind {
		case 'v':
			arg = g.ex(typ, depth-1)
		case 'p':
			if v := g.place(typ, depth-1); v != "" {
				arg = g.address(v)
			}
		case 's':
			if a := g.list(typ); a != "" {
				arg = a + "[:]"
			} else if g.n(2) == 0 {
				arg = fmt.Sprintf("[]%s{%s, 7: %s}", g.t(typ), g.ex(typ, depth-1), g.ex(typ, depth-1))
			}
		case 'r':
			if q := g.point(depth - 1); q != "" {
				if slices.Contains(g.points, q) {
					arg = q
				} else {
					arg = "&" + q
				}
			}
		case 'm':
			a := g.list(typ)
			switch {
			case a != "" && g.n(2) == 0:
				arg = g.pick(a+"[:]...", fmt.Sprintf("%s[%s:%d:%d]...", a, g.index(4, depth-1), 3+g.n(2), 5+g.n(3)))
			default:
				var list []string
				for range g.n(4) {
					list = append(list, g.ex(typ, depth-1))
				}
				if len(list) == 0 {
					continue
				}
				arg = strings.Join(list, ", ")
			}
		}
		if arg == "" {
			return "", nil
		}
		args = append(args, arg)
	}
	name := f.name
	if f.generic {
		name += "[" + g.t(stands) + "]"
	}
	for _, typ := range f.results {
		results = append(results, is(typ))
	}
	return fmt.Sprintf("%s(%s)", name, strings.Join(args, ", ")), results
}

// cond returns a condition, which may have side effects.
func (g *langGen) cond(depth int) string {
	switch g.n(8) {
	case 0, 1:
		if depth > 0 {
			return fmt.Sprintf("(%s %s %s)", g.cond(depth-1), g.pick("&&", "||"), g.cond(depth-1))
		}
	case 2:
		if depth > 0 {
			return fmt.Sprintf("!(%s)", g.cond(depth-1))
		}
	case 3:
		if v := g.scalar("bool"); v != "" {
			return v
		}
	case 4:
		if len(g.records) > 0 {
			ps := g.pick(g.records...)
			return fmt.Sprintf("(%s[%s] == %s[%s])", ps, g.index(4, depth), ps, g.index(4, depth))
		}
	case 5:
		if g.inKernel {
			return g.pick("tid < p0", "tid%3 == 1", "int32Of(g) > p1")
		}
	}
	typ := g.pick(g.own...)
	return fmt.Sprintf("(%s %s %s)", g.ex(typ, depth-1), g.pick("<", "<=", ">", ">=", "==", "!="), g.operand(typ, depth-1))
}
