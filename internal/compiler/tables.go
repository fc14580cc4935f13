package compiler

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Tables (privatization): a long row whose threads only add integers to data-dependent elements of
// a shared array, as a histogram does, adds to three copies of the array in turn, two of them on
// the stack. The copies are summed at the end. An addition to an element that was just stored waits
// for store-to-load forwarding; the copies break that dependence. Only integers qualify, whose sums
// don't depend on the order, in arrays of constant length and at most 4 KiB; no other slice of the
// row may have the array's element type. On a Zen 5, in GB/s of random bytes:
//
//	tables                  1    2    3    4    5
//	all values              3.9  4.5  4.5  4.1  3.9
//	bell-shaped, sigma 20        4.2  4.5  4.6
//	16 values               1.7  2.8  3.5  3.7  3.9
//	two values                   2.0  2.7  3.1

const (
	tables = 3
	// bytes of a table; the copies on the stack must be small compared to the first-level cache
	maxTable = 4096
	tableUse = 16 // the least average number of additions per element
)

// element matches the operand of an index expression.
var element = regexp.MustCompile(`(\w+)\[`)

// sumTable returns the array, and its length, to which text, the code of one thread, adds at an
// index other than the thread's. text must not access the array otherwise.
func (w *view) sumTable(text string) (name, typ string, n int) {
	for _, p := range w.parts {
		var elem string
		if _, err := fmt.Sscanf(w.types[p], "*[%d]%s", &n, &elem); err != nil || !containsWord(text, p) {
			continue
		}
		size := map[string]int{"int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4,
			"int": 8, "uint": 8, "int64": 8, "uint64": 8}[elem]
		if name != "" || size == 0 || n*size > maxTable {
			return "", "", 0
		}
		name, typ = p, elem
	}
	if name == "" {
		return "", "", 0
	}
	for _, p := range w.parts { // slices of other element types don't overlap with it
		if p != name && strings.HasSuffix(w.types[p], "]"+typ) {
			return "", "", 0
		}
	}
	sum := regexp.MustCompile(`^` + name + `\[(.*)\] (?:\+= (.*)|(?:\+\+))$`)
	seen := regexp.MustCompile(`^_ = ` + name + `\[(.*)\]$`)
	sums := 0
	for line := range strings.Lines(codeOf(text)) {
		line = strings.TrimSpace(line)
		for _, m := range element.FindAllStringSubmatch(line, -1) {
			if !slices.Contains(w.parts, m[1]) {
				return "", "", 0
			}
		}
		switch {
		case strings.Contains(line, "(*"):
			return "", "", 0
		case !containsWord(line, name):
		case seen.MatchString(line) && !containsWord(seen.FindStringSubmatch(line)[1], name):
		case sum.MatchString(line) && !containsWord(strings.Join(sum.FindStringSubmatch(line)[1:], " "), name):
			sums++
		default:
			return "", "", 0
		}
	}
	if sums == 0 {
		return "", "", 0
	}
	return name, typ, n
}

// inTables prints the loop over threads with several tables, if text allows it. head begins and
// tail ends the loop; threads are the bodies.
func (w *view) inTables(text, head, tail string, threads []string) string {
	name, typ, n := w.sumTable(text)
	if name == "" {
		return ""
	}
	s := fmt.Sprintf("if many >= %d {\nvar more [%d][%d]%s\n%s", tableUse*n, tables-1, n, typ, head)
	word := regexp.MustCompile(`\b` + name + `\[`)
	for k, one := range threads {
		if k %= tables; k > 0 {
			one = word.ReplaceAllString(one, fmt.Sprintf("more[%d][", k-1))
		}
		s += one
	}
	s += fmt.Sprintf("%sfor i := range %s {\n%s[i] += more[0][i]", tail, name, name)
	for k := 1; k < tables-1; k++ {
		s += fmt.Sprintf(" + more[%d][i]", k)
	}
	return s + "\n}\n}\n"
}
