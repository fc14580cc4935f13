package main

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	funcLine  = regexp.MustCompile(`^TEXT ·(\w+)\(SB\)`)
	labelLine = regexp.MustCompile(`^(\w+):$`)
	jumpLine  = regexp.MustCompile(`^\t[A-Z0-9]+ (?:\w+, )*([a-z]\w*)$`)
)

// innerLoops returns how many instructions the innermost loops of each func have in generated
// assembly, in order, a line a func. A loop is what stands between a label and the last jump back
// to it.
func innerLoops(assembly string) string {
	var out strings.Builder
	name := ""
	var labels map[string]int // instructions of the func before them
	var loops [][2]int        // from and up to which instruction
	count := 0
	end := func() {
		if len(loops) == 0 {
			return
		}
		fmt.Fprintf(&out, "%s:", name)
		for i, l := range loops {
			inner := true
			for j, m := range loops {
				inner = inner && (i == j || m[0] < l[0] || m[1] > l[1])
			}
			if inner {
				fmt.Fprintf(&out, " %d", l[1]-l[0])
			}
		}
		out.WriteByte('\n')
	}
	for line := range strings.Lines(assembly) {
		line = strings.TrimRight(line, "\n")
		switch m := funcLine.FindStringSubmatch(line); {
		case m != nil:
			end()
			name, labels, loops, count = m[1], map[string]int{}, nil, 0
			continue
		case strings.HasPrefix(line, "TEXT "): // what funcs have in common
			end()
			name, labels, loops, count = "", map[string]int{}, nil, 0
		}
		if m := labelLine.FindStringSubmatch(line); m != nil {
			labels[m[1]] = count
			continue
		}
		if !strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "\tPCALIGN") || name == "" {
			continue
		}
		count++
		m := jumpLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if from, back := labels[m[1]]; back {
			if last := len(loops) - 1; last >= 0 && loops[last][0] == from {
				loops[last][1] = count
			} else {
				loops = append(loops, [2]int{from, count})
			}
		}
	}
	end()
	return out.String()
}
