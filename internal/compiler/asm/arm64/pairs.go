package arm64

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	loads  = regexp.MustCompile(`^\tFMOVQ (-?\d+)\((\w+)\), F(\d+)$`)
	stores = regexp.MustCompile(`^\tFMOVQ F(\d+), (-?\d+)\((\w+)\)$`)
)

// Tidy makes loads of neighbours that follow each other one instruction for both, and stores, too.
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
	return strings.Join(moved(out), "\n")
}

var (
	atPointer = regexp.MustCompile(`^\t(VLD1R|FMOVQ|FLDPQ|FSTPQ)( F\d+,| \(F\d+, F\d+\),)? (?:0)?\((R\d+)\)(.*)$`)
	moves     = regexp.MustCompile(`^\tADD \$(\d+), (R\d+)$`)
	leaves    = regexp.MustCompile(`^\t(B|CB|TB|JMP|RET)|^\w+:`)
)

// moved makes the access at a pointer and the move of the pointer behind it one instruction, where nothing between them uses it and the distance is one that
// the instruction has.
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
			fits := map[string]bool{"VLD1R": by == 4 && strings.Contains(a[4], "S4") || by == 8 && strings.Contains(a[4], "D2"), "FMOVQ": by < 256, "FLDPQ": by%16 == 0 && by <= 1008, "FSTPQ": by%16 == 0 && by <= 1008}
			if fits[a[1]] {
				lines[j] = fmt.Sprintf("\t%s.P%s %d(%s)%s", a[1], a[2], by, a[3], a[4])
				drop[i] = true
			}
			break
		}
	}
	var out []string
	for i, l := range lines {
		if !drop[i] {
			out = append(out, l)
		}
	}
	return out
}

// pair returns the instruction for two, or "". Places are multiples of 16 bytes, and not far: the immediate has 7 bits.
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
	n, _ := strconv.Atoi(s) // digits alone
	return n
}
