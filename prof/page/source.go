package page

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/prof"
)

// A sourceView is the parts of a file that a kernel runs.
type sourceView struct {
	File  string
	Lines []lineView
	Note  string // why there is no text
}

// A lineView is a line with its counts, empty if nothing is counted there. A gap stands for lines
// left out.
type lineView struct {
	Number                              int
	Gap                                 bool
	Text                                string
	Requests, Lanes, Passes, Divergence string
	Traffic                             []string // a kind of access each
	Heat                                int      // 0 to 4: the share of its transactions and passes
}

// lineCount sums up the sites of a line.
type lineCount struct {
	requests, lanes     int
	global              map[string]*[2]int // by kind: transactions, requests
	passes, conflicts   int
	shared              bool
	branches, divergent int
	text                []string
}

func (c *lineCount) add(g prof.GPU, s *prof.Site) {
	c.requests += s.Requests
	c.lanes += s.Lanes
	switch {
	case s.Space == prof.SpaceGlobal:
		if c.global[s.Kind] == nil {
			c.global[s.Kind] = &[2]int{}
		}
		c.global[s.Kind][0] += s.Traffic(g).Transactions
		c.global[s.Kind][1] += s.Requests
	case s.Space == prof.SpaceShared:
		c.shared = true
		c.passes += s.Passes(g).Passes
		c.conflicts += s.Excess(g)
	case s.IsBranch():
		c.branches += s.Requests
		c.divergent += s.Divergent
	}
	if !slices.Contains(c.text, s.Text) {
		c.text = append(c.text, s.Text)
	}
}

// cost is what the heat of a line shows.
func (c *lineCount) cost() int {
	n := c.passes
	for _, t := range c.global {
		n += t[0]
	}
	return n
}

func sourcesOf(g prof.GPU, k *prof.Kernel, root string) []sourceView {
	counts := map[string]map[int]*lineCount{}
	total := 0
	for _, l := range k.Launches {
		for _, s := range l.Sites {
			if counts[s.File] == nil {
				counts[s.File] = map[int]*lineCount{}
			}
			if counts[s.File][s.Line] == nil {
				counts[s.File][s.Line] = &lineCount{global: map[string]*[2]int{}}
			}
			counts[s.File][s.Line].add(g, s)
		}
	}
	var files []string
	for f, lines := range counts {
		files = append(files, f)
		for _, c := range lines {
			total += c.cost()
		}
	}
	slices.Sort(files)
	var out []sourceView
	for _, f := range files {
		out = append(out, sourceOf(f, root, counts[f], total))
	}
	return out
}

func sourceOf(file, root string, counts map[int]*lineCount, total int) sourceView {
	v := sourceView{File: file}
	name := file
	if !filepath.IsAbs(name) {
		name = filepath.Join(root, name)
	}
	data, err := os.ReadFile(name)
	text := strings.Split(string(data), "\n")
	if err != nil {
		text, v.Note = nil, fmt.Sprintf("the source can't be read: %v", err)
	}
	last := 0
	for _, n := range shown(data, counts) {
		if last > 0 && n > last+1 {
			v.Lines = append(v.Lines, lineView{Gap: true})
		}
		last = n
		l := lineView{Number: n}
		c := counts[n]
		switch {
		case n <= len(text):
			l.Text = strings.ReplaceAll(text[n-1], "\t", "    ")
		case c != nil:
			l.Text = strings.Join(c.text, "; ")
		}
		if c != nil {
			l.fill(c, total)
		}
		v.Lines = append(v.Lines, l)
	}
	return v
}

func (l *lineView) fill(c *lineCount, total int) {
	l.Requests = fmt.Sprint(c.requests)
	l.Lanes = number(ratio(c.lanes, c.requests))
	for _, kind := range []string{"load", "store", "atomic"} {
		if t := c.global[kind]; t != nil {
			l.Traffic = append(l.Traffic, fmt.Sprintf("%d %s (%s each)", t[0], kind, number(ratio(t[0], t[1]))))
		}
	}
	if c.shared {
		l.Passes = fmt.Sprint(c.passes)
		if c.conflicts > 0 {
			l.Passes += fmt.Sprintf(" (%d conflicts)", c.conflicts)
		}
	}
	if c.branches > 0 {
		l.Divergence = fmt.Sprintf("%d of %d", c.divergent, c.branches)
	}
	if c.cost() > 0 {
		l.Heat = 1 + min(3, 4*c.cost()/total)
	}
}

// shown returns the lines of the funcs in which something is counted, in order. Without a source
// they are those with counts.
func shown(data []byte, counts map[int]*lineCount) []int {
	lines := map[int]bool{}
	for n := range counts {
		lines[n] = true
	}
	set := token.NewFileSet()
	if f, err := parser.ParseFile(set, "", data, parser.SkipObjectResolution); err == nil {
		for _, d := range f.Decls {
			from, to := set.PositionFor(d.Pos(), false).Line, set.PositionFor(d.End(), false).Line
			if _, ok := d.(*ast.FuncDecl); !ok {
				continue
			}
			for n := range counts {
				if from <= n && n <= to {
					for i := from; i <= to; i++ {
						lines[i] = true
					}
					break
				}
			}
		}
	}
	var out []int
	for n := range lines {
		out = append(out, n)
	}
	slices.SortFunc(out, cmp.Compare[int])
	return out
}
