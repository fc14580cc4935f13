package main

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// An instruction is one line of a listing.
type instruction struct {
	op       string // the mnemonic in small letters, as Arm has it
	operands string
	machine  int // how many instructions of the machine the line becomes
	lanes    int // how many numbers it works on
	stored   int // how many bytes it writes
	loaded   int // how many bytes it reads
}

// A block is instructions that follow each other without a label or a jump between them.
type block struct {
	list  []instruction
	next  []int // the blocks that may follow
	falls bool  // the block behind it is one of them
	aside bool  // it is of another form than that for most threads
}

var (
	goText     = regexp.MustCompile(`^TEXT ·(\w+)\(SB\)`)
	goLabel    = regexp.MustCompile(`^(\w+):$`)
	goMacro    = regexp.MustCompile(`^\tV(\w+?)_[BHSD](\d+)\w*\(`)
	clangText  = regexp.MustCompile(`^([\w.]+):\s+// @`)
	clangLabel = regexp.MustCompile(`^(\.L\w+):`)
	line       = regexp.MustCompile(`^\s+([\w.]+)\s*(.*?)\s*(?://.*)?$`)
	clangJump  = regexp.MustCompile(`^(b|b\.\w+|cbz|cbnz|tbz|tbnz)$`)
	goJump     = regexp.MustCompile(`^(jmp|beq|bne|blt|ble|bgt|bge|blo|bls|bhi|bhs|bcc|bcs|bmi|bpl|cbz|cbnz|cbzw|cbnzw|tbz|tbnz)$`)
)

// parse returns the funcs of a listing, in Go's syntax or in Arm's. machine says how many
// instructions a line becomes, if that is not one.
func parse(text string, machine map[int]int) map[string][]block {
	funcs := map[string][]block{}
	var name string
	var blocks []block
	labels := map[string]int{}
	var jumps [][2]string // blocks, as numbers, and labels
	inGo, aside := false, false
	begin := func() {
		if n := len(blocks); n == 0 || len(blocks[n-1].list) > 0 {
			blocks = append(blocks, block{falls: true})
		}
		blocks[len(blocks)-1].aside = aside
	}
	end := func() {
		for _, j := range jumps {
			from, _ := strconv.Atoi(j[0])
			if to, ok := labels[j[1]]; ok {
				blocks[from].next = append(blocks[from].next, to)
			}
		}
		for i := range blocks {
			if blocks[i].falls && i+1 < len(blocks) {
				blocks[i].next = append(blocks[i].next, i+1)
			}
		}
		if name != "" {
			funcs[name] = blocks
		}
		name, blocks, labels, jumps, aside = "", nil, map[string]int{}, nil, false
	}
	for number, l := range strings.Split(text, "\n") {
		if m := goText.FindStringSubmatch(l); m != nil {
			end()
			name, inGo = m[1], true
			begin()
			continue
		}
		if m := clangText.FindStringSubmatch(l); m != nil {
			end()
			name, inGo = m[1], false
			begin()
			continue
		}
		if name == "" {
			continue
		}
		label := clangLabel
		if inGo {
			label = goLabel
		}
		if m := label.FindStringSubmatch(l); m != nil {
			if inGo && (m[1] == "next" || strings.HasPrefix(m[1], "form")) {
				aside = m[1] != "next" && m[1] != "form0"
			}
			begin()
			labels[m[1]] = len(blocks) - 1
			continue
		}
		m := line.FindStringSubmatch(l)
		if m == nil || strings.HasPrefix(m[1], ".") || m[1] == "PCALIGN" {
			continue
		}
		i := instruction{op: strings.ToLower(m[1]), operands: m[2], machine: 1}
		if n, ok := machine[number+1]; ok {
			i.machine = n
		}
		if macro := goMacro.FindStringSubmatch(l); macro != nil {
			i.op = strings.ToLower(macro[1])
			i.lanes, _ = strconv.Atoi(macro[2])
		} else if inGo {
			i.goSyntax()
		} else {
			i.arm()
		}
		last := len(blocks) - 1
		blocks[last].list = append(blocks[last].list, i)
		jump := clangJump
		if inGo {
			jump = goJump
		}
		if jump.MatchString(i.op) {
			fields := strings.FieldsFunc(i.operands, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' })
			jumps = append(jumps, [2]string{strconv.Itoa(last), fields[len(fields)-1]})
			blocks[last].falls = i.op != "b" && i.op != "jmp"
			begin()
		} else if i.op == "ret" || i.op == "br" {
			blocks[last].falls = false
			begin()
		}
	}
	end()
	return funcs
}

var (
	armVector  = regexp.MustCompile(`^v\d+\.(\d+)?([bhsd])`)
	armList    = regexp.MustCompile(`^\{ ?(.*?) ?\}(\[\d+\])?`)
	goVector   = regexp.MustCompile(`V\d+\.([BHSD])(\d+)?(\[\d+\])?`)
	letterSize = map[string]int{"b": 1, "h": 2, "s": 4, "d": 8, "q": 16, "x": 8, "w": 4}
)

// arm fills in what an instruction in Arm's syntax does.
func (i *instruction) arm() {
	i.lanes = 1
	if m := armVector.FindStringSubmatch(i.operands); m != nil && m[1] != "" {
		i.lanes, _ = strconv.Atoi(m[1])
	}
	size := 0
	switch {
	case strings.Contains(i.operands, "[sp"): // a register that is kept in the frame
		return
	case strings.HasPrefix(i.op, "ld1r"), strings.HasPrefix(i.op, "prf"):
		return
	case strings.HasPrefix(i.op, "ld") && armList.MatchString(i.operands), strings.HasPrefix(i.op, "st") && armList.MatchString(i.operands):
		m := armList.FindStringSubmatch(i.operands)
		for _, r := range strings.Split(m[1], ", ") {
			v := regexp.MustCompile(`\.(\d*)([bhsd])$`).FindStringSubmatch(r)
			if v == nil {
				continue
			}
			if m[2] != "" {
				size += letterSize[v[2]]
				continue
			}
			n, _ := strconv.Atoi(v[1])
			size += n * letterSize[v[2]]
		}
	case strings.HasPrefix(i.op, "ld"), strings.HasPrefix(i.op, "st"):
		size = letterSize[i.operands[:1]]
		switch {
		case strings.HasSuffix(i.op, "rb"), strings.HasSuffix(i.op, "rsb"):
			size = 1
		case strings.HasSuffix(i.op, "rh"), strings.HasSuffix(i.op, "rsh"):
			size = 2
		case strings.HasSuffix(i.op, "p"):
			size *= 2
		}
	}
	if strings.HasPrefix(i.op, "st") {
		i.stored = size
	} else {
		i.loaded = size
	}
}

// goSyntax fills in what an instruction in the syntax of Go's assembler does.
func (i *instruction) goSyntax() {
	i.op, _, _ = strings.Cut(i.op, ".")
	operands := i.operands
	vectors := goVector.FindAllStringSubmatch(operands, -1)
	i.lanes = 1
	if n := len(vectors); n > 0 {
		last := vectors[n-1]
		i.lanes, _ = strconv.Atoi(last[2])
		size := letterSize[strings.ToLower(last[1])]
		bytes := n * size * i.lanes
		if last[3] != "" {
			bytes = size
		}
		switch {
		case i.op == "vld1r":
		case strings.HasPrefix(i.op, "vld"):
			i.loaded = bytes
		case strings.HasPrefix(i.op, "vst"):
			i.stored = bytes
		}
	}
	size, known := map[string]int{"fmovs": 4, "fmovd": 8, "fmovq": 16, "fldpq": 32, "fstpq": 32, "movd": 8, "movw": 4, "movwu": 4, "movh": 2, "movhu": 2, "movb": 1, "movbu": 1}[i.op]
	inFrame := strings.Contains(operands, "(RSP)")
	argument := strings.HasPrefix(i.op, "mov") && strings.Contains(operands, "(R0)")
	if known && strings.Contains(operands, "(R") && !inFrame && !argument {
		if strings.HasSuffix(operands, ")") && i.op != "fldpq" {
			i.stored = size
		} else {
			i.loaded = size
		}
	}
	i.op = strings.TrimPrefix(i.op, "v")
}

// A unit is what the elements of a loop are counted by: so many lanes of some operations, or
// numbers written or read.
type unit struct {
	ops   []string
	store int // bytes of an element that is written, or 0
	load  int
	each  float64 // how many an element has
	which int     // which of the loops that have such elements, in the order of the listing, from 1; or 0 for that with the fewest instructions for an element
}

var unitText = regexp.MustCompile(`^(?:(store|load)(\d+)|([a-z0-9|]+))(?:/([\d.]+))?(?:@(\d+))?$`)

func parseUnit(text string) (u unit, ok bool) {
	m := unitText.FindStringSubmatch(text)
	if m == nil {
		return u, false
	}
	bytes, _ := strconv.Atoi(m[2])
	switch m[1] {
	case "store":
		u.store = bytes
	case "load":
		u.load = bytes
	default:
		u.ops = strings.Split(m[3], "|")
	}
	u.each = 1
	if m[5] != "" {
		u.which, _ = strconv.Atoi(m[5])
	}
	if m[4] != "" {
		u.each, _ = strconv.ParseFloat(m[4], 64)
	}
	return u, true
}

// of returns how many elements an instruction is worth.
func (u unit) of(i instruction) float64 {
	switch {
	case u.store > 0:
		return float64(i.stored) / float64(u.store) / u.each
	case u.load > 0:
		return float64(i.loaded) / float64(u.load) / u.each
	}
	for _, op := range u.ops {
		if i.op == op {
			return float64(i.lanes) / u.each
		}
	}
	return 0
}

// A cost is what a way through a loop takes.
type cost struct {
	elements     float64
	instructions int
}

// each is how many instructions an element takes.
func (c cost) each() float64 { return float64(c.instructions) / c.elements }

// innermost returns the cost of a round of an innermost loop, along the way through it that does
// most elements and has the fewest instructions for them.
func innermost(blocks []block, u unit) (c cost, found bool) {
	headers := map[int]bool{}
	state := make([]int, len(blocks))
	var visit func(b int)
	visit = func(b int) {
		state[b] = 1
		for _, n := range blocks[b].next {
			switch state[n] {
			case 0:
				visit(n)
			case 1:
				headers[n] = true
			}
		}
		state[b] = 2
	}
	if len(blocks) > 0 {
		visit(0)
	}
	own := func(b int) (c cost) {
		for _, i := range blocks[b].list {
			c.elements += u.of(i)
			c.instructions += i.machine
		}
		return c
	}
	better := func(a, b cost) bool {
		if a.elements != b.elements {
			return a.elements > b.elements
		}
		return a.instructions < b.instructions
	}
	var all []cost
	for _, h := range slices.Sorted(maps.Keys(headers)) {
		// way returns the cost of the best way from a block back to the header that passes no other
		// header.
		type result struct {
			cost
			ok bool
		}
		known := map[int]result{}
		var way func(b int) result
		way = func(b int) result {
			if r, ok := known[b]; ok {
				return r
			}
			known[b] = result{}
			r := result{}
			for _, n := range blocks[b].next {
				rest := result{}
				switch {
				case n == h:
					rest.ok = true
				case headers[n], blocks[n].aside:
				default:
					rest = way(n)
				}
				if rest.ok && (!r.ok || better(rest.cost, r.cost)) {
					r = rest
				}
			}
			if r.ok {
				c := own(b)
				r.elements += c.elements
				r.instructions += c.instructions
			}
			known[b] = r
			return r
		}
		if r := way(h); !blocks[h].aside && r.ok && r.elements > 0 {
			all = append(all, r.cost)
		}
	}
	if u.which == 0 && len(all) > 0 {
		return slices.MinFunc(all, func(a, b cost) int { return cmp.Compare(a.each(), b.each()) }), true
	}
	if len(all) < max(1, u.which) {
		return cost{}, false
	}
	return all[u.which-1], true
}
