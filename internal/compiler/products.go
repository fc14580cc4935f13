package compiler

import (
	"fmt"
	"go/parser"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Products: the innermost loop of a product of matrices. Threads of several rows each have a sum, and add in each round a
// number of their row times a vector that they share. A call of vec does all rounds: with numbers that are
// spread as they are multiplied, which Go does not emit, a round of eight rows has 13 instructions. Go needs 22 for four
// rows, and for eight it spills.

// productRows is how many rows go together: as many as the block has, of these.
var productRows = []int{16, 8}

// rowSum matches what a row adds in a round, and shared the vector that all rows share.
var (
	shared = regexp.MustCompile(`^(\w+) := vec\.LoadPtr(F32x16|F64x8)\(([^,]+|vec\.Step\(\w+, -?\d+\))\)$`)
	rowSum = regexp.MustCompile(`^(\w+) = (?:vec\.Splat(\w+)\(\*(\w+|vec\.Step\(\w+, -?\d+\))\)\.MulAdd\((\w+), |(\w+)\.MulAdd\(vec\.Splat(\w+)\(\*(\w+|vec\.Step\(\w+, -?\d+\))\), )(\w+)\)$`)
	moved  = regexp.MustCompile(`^(\w+) = vec\.Step\((\w+), ([\w*]+)\)$`)
	behind = regexp.MustCompile(`^vec\.Step\((\w+), (-?\d+)\)$`)
)

// products prints all rounds of s as a call, if its body is such a sum of products in each of several rows. pointers
// has the names of the lines that pointers in body go along.
func (v *vector) products(s *For, body string, l *lineSet, pointers map[string]string) (text string, ok bool) {
	if v.plane == nil || !slices.Contains(productRows, v.parts) || v.axis != 1 || v.mask != v.strip || s.breaks || s.continues {
		return "", false
	}
	if n, ok := stepOf(s, l.i); !ok || n != 1 {
		return "", false
	}
	vector, kind, at := "", "", ""
	var sums, numbers []string
	steps := map[string]string{}
	for line := range strings.Lines(codeOf(body)) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if m := shared.FindStringSubmatch(line); m != nil && vector == "" {
			vector, kind, at = m[1], m[2], m[3]
			continue
		}
		if m := rowSum.FindStringSubmatch(line); m != nil {
			of, number, times := m[2]+m[6], m[3]+m[7], m[4]+m[5]
			if m[1] != m[8] || of != kind || times != vector || len(steps) > 0 {
				return "", false
			}
			sums, numbers = append(sums, m[1]), append(numbers, number)
			continue
		}
		m := moved.FindStringSubmatch(line)
		if m == nil || m[1] != m[2] {
			return "", false
		}
		steps[m[1]] = m[3]
	}
	if len(sums) != v.parts || len(distinct(sums)) != v.parts {
		return "", false
	}
	row, ok := v.evenly(numbers, steps, l, pointers)
	if !ok {
		return "", false
	}
	first, _, _ := pointerOf(numbers[0])
	b, _, _ := pointerOf(at)
	if steps[first] == "" || steps[b] == "" {
		return "", false
	}
	all, limit := uniqueName(v.names, "sums"), v.expr(l.limit)
	lanes, size, _ := strings.Cut(kind, "x")
	element := map[string]string{"F32": "float32", "F64": "float64"}[lanes]
	text = fmt.Sprintf("var %s [%d][%s]%s\n", all, v.parts, size, element)
	for k, sum := range sums {
		text += fmt.Sprintf("vec.StorePtr%s(&%s[%d], %s)\n", kind, all, k, sum)
	}
	text += fmt.Sprintf("vec.Products%s(&%s[0], 64, %s, %s, %s, %s, %s, %d, %s-%s)\n",
		kind, all, numbers[0], row, steps[first], at, steps[b], v.parts, limit, v.body.name(l.i))
	for k, sum := range sums {
		text += fmt.Sprintf("%s = vec.LoadPtr%s(&%s[%d])\n", sum, kind, all, k)
	}
	text += fmt.Sprintf("%s = max(%s, %s)\n", v.body.name(l.i), v.body.name(l.i), limit)
	v.plane.products = true
	return text, true
}

// sumsInPlace returns the text of a strip that adds to the sums where they are kept from phase to phase, if it does nothing
// with them besides.
func sumsInPlace(text string) string {
	m := regexp.MustCompile(`(?m)^\s*var (\w+) \[(\d+)\](\[\d+\]float(32|64))$`).FindStringSubmatch(text)
	if m == nil {
		return text
	}
	all, vector, place := m[1], m[3], ""
	rows, _ := strconv.Atoi(m[2])
	size := map[string]string{"32": "4", "64": "8"}[m[4]]
	rest := strings.Replace(text, m[0]+"\n", "", 1)
	for k := range rows {
		rank := "rank"
		if k > 0 {
			rank = fmt.Sprintf("rank_%d", k+1)
		}
		kept := regexp.MustCompile(`(?m)^\s*(\w+) := vec\.Load(\w+)\((\w+), ` + rank + `\)\n`).FindStringSubmatch(rest)
		if kept == nil || k > 0 && kept[3] != place {
			return text
		}
		sum, kind := kept[1], kept[2]
		place = kept[3]
		for _, line := range []string{
			kept[0],
			fmt.Sprintf("vec.StorePtr%s(&%s[%d], %s)\n", kind, all, k, sum),
			fmt.Sprintf("%s = vec.LoadPtr%s(&%s[%d])\n", sum, kind, all, k),
			fmt.Sprintf("vec.Store%s(%s, %s, %s)\n", kind, place, rank, sum),
		} {
			if strings.Count(rest, line) != 1 {
				return text
			}
			rest = strings.Replace(rest, line, "", 1)
		}
		if containsWord(rest, sum) {
			return text
		}
		if k > 0 {
			rest = regexp.MustCompile(`(?m)^`+rank+` := .*\n`).ReplaceAllString(rest, "")
		}
	}
	if containsWord(rest, place) {
		return text
	}
	return strings.Replace(rest, fmt.Sprintf("(&%s[0], 64, ", all), fmt.Sprintf("(vec.Place[%s](%s, rank), dimX*%s, ", vector, place, size), 1)
}

// usedDecls returns those of the declarations, one a line, that text uses.
func usedDecls(decls, text string) string {
	used := ""
	for line := range strings.Lines(decls) {
		if name, _, _ := strings.Cut(strings.TrimSpace(line), " "); containsWord(text, name) {
			used += line
		}
	}
	return used
}

// pointerOf returns the pointer that an address is told by, and how many bytes it lies behind it.
func pointerOf(address string) (pointer string, bytes int, ok bool) {
	if m := behind.FindStringSubmatch(address); m != nil {
		_, err := fmt.Sscan(m[2], &bytes)
		return m[1], bytes, err == nil
	}
	return address, 0, true
}

// evenly returns how many bytes each of the numbers lies behind the one before, if that is the same for all.
func (v *vector) evenly(numbers []string, steps map[string]string, l *lineSet, pointers map[string]string) (row string, ok bool) {
	first, begin, _ := pointerOf(numbers[0])
	second, next, _ := pointerOf(numbers[1])
	base := l.bases[pointers[first]]
	for k, n := range numbers {
		p, at, _ := pointerOf(n)
		if steps[p] != steps[first] {
			return "", false
		}
		if second == first {
			// A constant apart.
			if p != first || at-begin != k*(next-begin) {
				return "", false
			}
			continue
		}
		// Lines of their own, whose places are linear in the row.
		if at != 0 || pointers[p] == "" || replaceWord(l.bases[pointers[p]], fmt.Sprintf("ty_%d", k+1), "ty") != base {
			return "", false
		}
	}
	if second == first {
		return fmt.Sprint(next - begin), true
	}
	_, index, _ := strings.Cut(base, "[")
	e, err := parser.ParseExpr(index)
	if err != nil {
		return "", false
	}
	if p, ok := placeOf(e, "ty", nil, nil); !ok || p.by == "" {
		return "", false
	}
	return fmt.Sprintf("vec.Between(%s, %s)", first, second), true
}
