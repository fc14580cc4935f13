package compiler

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Tables: a loop that only adds to places of an array which its data choose, as a histogram does, waits for itself where
// the same place comes again soon: the processor has to forward what was just stored. Long rows therefore add to three
// tables in turn, two of them on the stack, which are added up at the end. Integers only, whose sums don't
// depend on the order. On a Zen 5, in GB/s of random bytes:
//
//	tables                  1    2    3    4    5
//	all values              3.9  4.5  4.5  4.1  3.9
//	bell-shaped, sigma 20        4.2  4.5  4.6
//	16 values               1.7  2.8  3.5  3.7  3.9
//	two values                   2.0  2.7  3.1
//
// Tables (`tables.go`). A long row that does nothing but add integers to places of a shared array which its data choose, as a histogram
// does, adds to three tables in turn, two of them on the stack, which are added up at the end: an addition to the place that was just
// stored to waits for that store. Only arrays whose length Go knows, of at most 4 KiB, and no slice of the row may have the type of the
// table. Of bytes that are all different three save an eighth of the time against one, of 16 values half; four would save more of few
// values and less of many.

const (
	tables   = 3
	maxTable = 4096 // bytes of a table; what is on the stack stays small beside what the first-level cache holds
	tableUse = 16   // how often each place is used on average, at least
)

// element matches what an array or a slice is indexed by.
var element = regexp.MustCompile(`(\w+)\[`)

// sumTable returns the array that text, what one thread does, adds to by an index that is not the thread's, and its length, if
// text does nothing else that could see or change the array.
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
	for _, p := range w.parts { // slices of other types don't overlap with it
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

// inTables prints loop, which head begins and tail ends around the bodies of some threads, with tables if text has one.
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
