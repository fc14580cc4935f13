package arm64

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Peephole optimization of the printed instructions.

var (
	loads  = regexp.MustCompile(`^\tFMOVQ (-?\d+)\((\w+)\), F(\d+)$`)
	stores = regexp.MustCompile(`^\tFMOVQ F(\d+), (-?\d+)\((\w+)\)$`)
)

// Tidy combines adjacent loads, and adjacent stores, of neighbouring memory into pairs, and applies
// the other rewrites of this file.
func (e *emitter) Tidy(text string) string {
	lines := strings.Split(text, "\n")
	var out []string
	for i := 0; i < len(lines); i++ {
		if i+1 < len(lines) {
			if both := pair(lines[i], lines[i+1]); both != "" {
				out = append(out, both)
				i++
				continue
			}
		}
		out = append(out, lines[i])
	}
	return strings.Join(moved(ascending(last(scalars(out)))), "\n")
}

var (
	argument = regexp.MustCompile(`^\tMOVD \d+\(R0\), R3$`)
	readsR3  = regexp.MustCompile(`^\t(ADD|SUB|CMP|MADD) R3(<<\d+)?, (R\d+, )*R([0-24-9]|[1-9]\d)$`)
	usesR3   = regexp.MustCompile(`\bR3\b|^\tCALL|^\w+:`)
	toR2     = regexp.MustCompile(`^\tMOVD (R\d+), R2$`)
	fromR2   = regexp.MustCompile(`^\t(ADD|SUB) (R\d+|\$\d+), R2$`)
	sum      = regexp.MustCompile(`^\t(ADD|SUB) (.*), (R\d+)$`)
)

// scalars removes loads of an argument that R3 already holds. It merges a copy with a following
// addition, and an addition with a following comparison with 0; the latter is correct since the
// integers are no larger than indices.
func scalars(lines []string) (out []string) {
	has := ""
	for _, l := range lines {
		if argument.MatchString(l) {
			if l == has {
				continue
			}
			has = l
		} else if usesR3.MatchString(l) && !readsR3.MatchString(l) {
			has = ""
		}
		if len(out) > 0 {
			before := &out[len(out)-1]
			if from, by := toR2.FindStringSubmatch(*before), fromR2.FindStringSubmatch(l); from != nil && by != nil && by[2] != "R2" {
				*before = fmt.Sprintf("\t%s %s, %s, R2", by[1], by[2], from[1])
				continue
			}
			if m := sum.FindStringSubmatch(*before); m != nil && l == "\tCMP $0, "+m[3] {
				*before = fmt.Sprintf("\t%sS %s, %s", m[1], m[2], m[3])
				continue
			}
		}
		out = append(out, l)
	}
	return out
}

var (
	atPointer = regexp.MustCompile(`^\t(VLD1R|FMOV[SDQ]|FLDPQ|FSTPQ)( F\d+,| \(F\d+, F\d+\),)? (?:0)?\((R\d+)\)(.*)$`)
	moves     = regexp.MustCompile(`^\tADD \$(\d+), (R\d+)$`)
	leaves    = regexp.MustCompile(`^\t(B|CB|TB|JMP|RET)|^\w+:`)
)

var accesses = regexp.MustCompile(`^\t(FMOV[SDQ]|FLDPQ|FSTPQ)( F\d+,| \(F\d+, F\d+\),)? (-?\d+)\((R\d+)\)`)

// last moves an access at a pointer behind following accesses of the same kind by the same pointer,
// to other bytes, if these are the last ones before the pointer advances. Then moved can merge the
// access with the advance.
func last(lines []string) []string {
	for i, l := range lines {
		m := moves.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		uses := regexp.MustCompile(`\b` + m[2] + `\b`)
		j := i - 1
		for j >= 0 && !leaves.MatchString(lines[j]) && !uses.MatchString(lines[j]) {
			j--
		}
		if j < 0 {
			continue
		}
		a := accesses.FindStringSubmatch(lines[j])
		if a == nil || a[4] != m[2] {
			continue
		}
		for k := j; k >= 0; k-- {
			b := accesses.FindStringSubmatch(lines[k])
			if b == nil || b[1] != a[1] || b[4] != a[4] || (b[2] == "") != (a[2] == "") {
				break
			}
			if size := map[string]int{"FMOVS": 4, "FMOVD": 8, "FMOVQ": 16, "FLDPQ": 32, "FSTPQ": 32}[b[1]]; b[3] != "0" && max(number(b[3]), -number(b[3])) < size {
				break // they overlap, so the order of stores matters
			}
			if b[3] == "0" {
				at := lines[k]
				copy(lines[k:j], lines[k+1:j+1])
				lines[j] = at
				break
			}
		}
	}
	return lines
}

var (
	elsewhere  = regexp.MustCompile(`^\tADD \$(\d+), (R\d+), R2$`)
	single     = regexp.MustCompile(`^\tFMOV([SD]) (\d+)\((R\d+)\), F\d+$`)
	replicates = regexp.MustCompile(`^\tVLD1R \((R\d+)\), \[V\d+\.(S4|D2)\]$`)
)

// ascending turns loads of adjacent single elements, which are all accesses by a pointer before it
// advances behind them, into loads that advance the pointer each.
func ascending(lines []string) []string {
	drop := map[int]bool{}
	for i, l := range lines {
		m := moves.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		uses := regexp.MustCompile(`\b` + m[2] + `\b`)
		var loads []int // in reverse order
		var places []int
		size, fits := 0, true
		for j := i - 1; fits && j >= 0 && !leaves.MatchString(lines[j]); j-- {
			if !uses.MatchString(lines[j]) {
				continue
			}
			at, load := 0, j
			if b := elsewhere.FindStringSubmatch(lines[j]); b != nil && b[2] == m[2] {
				at, load = number(b[1]), j+1
			}
			if o := single.FindStringSubmatch(lines[j]); o != nil && o[3] == m[2] {
				size = map[string]int{"S": 4, "D": 8}[o[1]]
				loads, places = append(loads, j), append(places, number(o[2]))
				continue
			}
			r := replicates.FindStringSubmatch(lines[load])
			if fits = r != nil && (r[1] == m[2]) == (load == j) && (load == j || r[1] == "R2"); fits {
				size = map[string]int{"S4": 4, "D2": 8}[r[2]]
				loads, places = append(loads, load), append(places, at)
			}
		}
		fits = fits && len(loads) > 1 && number(m[1]) >= len(loads)*size
		for k, at := range places {
			l := lines[loads[k]]
			ofSize := strings.HasSuffix(l, map[int]string{4: "S4]", 8: "D2]"}[size]) || strings.HasPrefix(l, map[int]string{4: "\tFMOVS", 8: "\tFMOVD"}[size])
			fits = fits && at == (len(places)-1-k)*size && ofSize
		}
		if !fits {
			continue
		}
		for _, k := range loads {
			if strings.Contains(lines[k], "(R2)") {
				drop[k-1] = true
			}
			op, to, _ := strings.Cut(lines[k], ", ")
			op, _, _ = strings.Cut(op, " ")
			lines[k] = fmt.Sprintf("%s.P %d(%s), %s", op, size, m[2], to)
		}
		if rest := number(m[1]) - len(loads)*size; rest > 0 {
			lines[i] = fmt.Sprintf("\tADD $%d, %s", rest, m[2])
		} else {
			drop[i] = true
		}
	}
	return without(lines, drop)
}

// without removes the lines in drop.
func without(lines []string, drop map[int]bool) []string {
	var out []string
	for i, l := range lines {
		if !drop[i] {
			out = append(out, l)
		}
	}
	return out
}

// moved merges an access at a pointer with the following advance of the pointer, if nothing in
// between uses it and the instruction can encode the distance.
func moved(lines []string) []string {
	drop := map[int]bool{}
	for i, l := range lines {
		m := moves.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		by, uses := number(m[1]), regexp.MustCompile(`\b`+m[2]+`\b`)
		for j := i - 1; j >= 0 && !leaves.MatchString(lines[j]); j-- {
			if drop[j] || !uses.MatchString(lines[j]) {
				continue
			}
			a := atPointer.FindStringSubmatch(lines[j])
			if a == nil || a[3] != m[2] || len(uses.FindAllString(lines[j], -1)) > 1 {
				break
			}
			fits := map[string]bool{"VLD1R": by == 4 && strings.Contains(a[4], "S4") || by == 8 && strings.Contains(a[4], "D2"), "FMOVS": by < 256, "FMOVD": by < 256, "FMOVQ": by < 256, "FLDPQ": by%16 == 0 && by <= 1008, "FSTPQ": by%16 == 0 && by <= 1008}
			if fits[a[1]] {
				lines[j] = fmt.Sprintf("\t%s.P%s %d(%s)%s", a[1], a[2], by, a[3], a[4])
				drop[i] = true
			}
			break
		}
	}
	return without(lines, drop)
}

// pair returns the instruction that replaces two, or "". Displacements must be multiples of 16, and
// fit the immediate of 7 bits.
func pair(a, b string) string {
	if x, y := loads.FindStringSubmatch(a), loads.FindStringSubmatch(b); x != nil && y != nil {
		at, next := number(x[1]), number(y[1])
		if x[2] != y[2] || x[3] == y[3] || next != at+16 || at%16 != 0 || at < -1024 || at > 1008 {
			return ""
		}
		return fmt.Sprintf("\tFLDPQ %d(%s), (F%s, F%s)", at, x[2], x[3], y[3])
	}
	if x, y := stores.FindStringSubmatch(a), stores.FindStringSubmatch(b); x != nil && y != nil {
		at, next := number(x[2]), number(y[2])
		if x[3] != y[3] || next != at+16 || at%16 != 0 || at < -1024 || at > 1008 {
			return ""
		}
		return fmt.Sprintf("\tFSTPQ (F%s, F%s), %d(%s)", x[1], y[1], at, x[3])
	}
	return ""
}

func number(s string) int {
	n, _ := strconv.Atoi(s) // the string has only digits
	return n
}
