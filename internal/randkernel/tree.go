package randkernel

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A node is a statement of a kernel. Its text is opaque but for what stands between: lists of statements
// of which any may be missing.
type node struct {
	text string // a simple statement, or what comes before the first list
	// parts are the lists of a compound statement, each with the text that follows it.
	parts []part
	label string // of a loop; printed if something inside uses it
	// hoist says that the statement may be replaced by what is in it: an if, not a loop or a section.
	hoist bool
}

type part struct {
	list  []*node
	after string
}

// print writes the statement. The printer of package format indents it.
func (n *node) print(b *bytes.Buffer) {
	if n.label != "" {
		var inside bytes.Buffer
		for _, p := range n.parts {
			printList(&inside, p.list)
		}
		if strings.Contains(inside.String(), " "+n.label+"\n") {
			fmt.Fprintf(b, "%s:\n", n.label)
		}
	}
	b.WriteString(n.text)
	b.WriteByte('\n')
	for _, p := range n.parts {
		printList(b, p.list)
		b.WriteString(p.after)
		b.WriteByte('\n')
	}
}

func printList(b *bytes.Buffer, list []*node) {
	for _, n := range list {
		n.print(b)
	}
}

// size counts the statements of a list.
func size(list []*node) int {
	n := 0
	for _, s := range list {
		n++
		for _, p := range s.parts {
			n += size(p.list)
		}
	}
	return n
}

// A kernel is a random kernel with the helpers that it calls.
type kernel struct {
	name    string
	head    string // of the function
	decls   []decl
	body    []*node
	foot    []*node // stores of the private variables
	helpers []*helper
	planar  bool // blocks of more than one dimension
	warps   bool // only whole warps
}

// A decl declares a variable of a kernel.
type decl struct{ name, text string }

// A helper is a function that a kernel calls.
type helper struct {
	name string
	head string
	body []*node
	foot string
}

func (k *kernel) print(b *bytes.Buffer) {
	for _, h := range k.helpers {
		b.WriteString(h.head)
		printList(b, h.body)
		b.WriteString(h.foot)
	}
	b.WriteString(k.head)
	for _, d := range k.decls {
		b.WriteString(d.text)
	}
	printList(b, k.body)
	printList(b, k.foot)
	b.WriteString("}\n\n")
}

// shapes returns the geometries that the kernel runs on, as Go source.
func (k *kernel) shapes() string {
	lines := []int{1, 7, 33, 64, 100, 256}
	boxes := []string{"{X: 5, Y: 3}", "{X: 3, Y: 5, Z: 7}", "{X: 16, Y: 4}", "{X: 1, Y: 9, Z: 2}"}
	if k.warps {
		lines = []int{32, 64, 256}
		boxes = []string{"{X: 16, Y: 4}", "{X: 8, Y: 4, Z: 3}"}
	}
	var b bytes.Buffer
	b.WriteString("[]grid.Config{")
	for _, n := range lines {
		fmt.Fprintf(&b, "{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: %d}}, ", n)
	}
	if k.planar {
		for _, s := range boxes {
			fmt.Fprintf(&b, "{Grid: grid.Dim3{X: 2, Y: 2}, Block: grid.Dim3%s}, ", s)
		}
	}
	b.WriteString("}")
	return b.String()
}

// needed returns k without the declarations and helpers that nothing mentions.
func (k *kernel) needed() *kernel {
	c := *k
	for {
		var b bytes.Buffer
		c.print(&b)
		mentioned := func(name string, times int) bool {
			return len(regexp.MustCompile(`\b`+name+`\b`).FindAll(b.Bytes(), times+1)) > times
		}
		before := len(c.decls) + len(c.helpers)
		c.decls = slices.DeleteFunc(slices.Clone(c.decls), func(d decl) bool {
			return !mentioned(d.name, len(regexp.MustCompile(`\b`+d.name+`\b`).FindAllString(d.text, -1)))
		})
		c.helpers = slices.DeleteFunc(slices.Clone(c.helpers), func(h *helper) bool { return !mentioned(h.name, 1) })
		if len(c.decls)+len(c.helpers) == before {
			return &c
		}
	}
}

// size counts the statements of k, and its declarations.
func (k *kernel) size() int {
	n := size(k.body) + size(k.foot) + len(k.decls)
	for _, h := range k.helpers {
		n++
		n += size(h.body)
	}
	return n
}

// smaller returns kernels that are k with one statement less, or with a list of them, or with a
// compound statement replaced by what is in it.
func (k *kernel) smaller() []*kernel {
	var all []*kernel
	if c := k.needed(); c.size() < k.size() {
		all = append(all, c)
	}
	with := func(change func(c *kernel, list []*node)) func(list []*node) {
		return func(list []*node) {
			c := *k
			change(&c, list)
			all = append(all, &c)
		}
	}
	for i, h := range k.helpers {
		without(h.body, with(func(c *kernel, list []*node) {
			c.helpers = append([]*helper(nil), k.helpers...)
			c.helpers[i] = &helper{h.name, h.head, list, h.foot}
		}))
	}
	without(k.body, with(func(c *kernel, list []*node) { c.body = list }))
	without(k.foot, with(func(c *kernel, list []*node) { c.foot = list }))
	return all
}

// without calls f with the lists that are list with something less.
func without(list []*node, f func(list []*node)) {
	replaced := func(from, to int, by ...*node) {
		l := append([]*node(nil), list[:from]...)
		l = append(l, by...)
		f(append(l, list[to:]...))
	}
	if len(list) >= 4 {
		replaced(0, len(list)/2)
		replaced(len(list)/2, len(list))
	}
	for i, n := range list {
		replaced(i, i+1)
		for j, p := range n.parts {
			if n.hoist && len(p.list) > 0 {
				replaced(i, i+1, p.list...)
			}
			without(p.list, func(inner []*node) {
				c := *n
				c.parts = append([]part(nil), n.parts...)
				c.parts[j].list = inner
				replaced(i, i+1, &c)
			})
		}
	}
}
