package randkernel

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A node is a statement of a kernel. Its text is opaque but for what stands between: lists of
// statements of which any may be missing.
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
	planar  bool        // blocks of more than one dimension
	warps   bool        // only whole warps
	long    bool        // inputs and outputs have more elements than there are threads
	image   bool        // blocks are of two dimensions
	end     string      // what stands behind the stores
	small   *smallSizes // of small kernels
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
	b.WriteString(k.end + "}\n\n")
}

// shapes returns the geometries that the kernel runs on, as Go source.
func (k *kernel) shapes() string {
	lines := []int{1, 7, 33, 64, 100, 256}
	boxes := []string{"{X: 5, Y: 3}", "{X: 3, Y: 5, Z: 7}", "{X: 16, Y: 4}", "{X: 1, Y: 9, Z: 2}"}
	if k.long {
		lines = []int{1, 7, 16, 33, 64, 100, 256}
		boxes = []string{"{X: 5, Y: 3}", "{X: 16, Y: 16}", "{X: 32, Y: 3}", "{X: 16, Y: 4}"}
		if !k.image {
			boxes = append(boxes, "{X: 3, Y: 5, Z: 7}", "{X: 16, Y: 2, Z: 2}")
		}
	}
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

var word = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

// needed returns k without the declarations and helpers that nothing mentions.
func (k *kernel) needed() *kernel {
	c := *k
	for {
		var b bytes.Buffer
		c.print(&b)
		mentions := map[string]int{}
		for _, w := range word.FindAllString(b.String(), -1) {
			mentions[w]++
		}
		before := len(c.decls) + len(c.helpers)
		c.decls = slices.DeleteFunc(slices.Clone(c.decls), func(d decl) bool {
			own := 0
			for _, w := range word.FindAllString(d.text, -1) {
				if w == d.name {
					own++
				}
			}
			return mentions[d.name] <= own
		})
		c.helpers = slices.DeleteFunc(slices.Clone(c.helpers), func(h *helper) bool { return mentions[h.name] <= 1 })
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

// A cut is what may be left out of a kernel: statements with all that is in them, or the outside of
// compound statements, whose insides stay.
type cut struct{ gone, open []*node }

// cuts returns the cuts of k: larger ones first.
func (k *kernel) cuts() []cut {
	var all []cut
	var visit func(list []*node)
	visit = func(list []*node) {
		if len(list) >= 4 {
			all = append(all, cut{gone: list[:len(list)/2]}, cut{gone: list[len(list)/2:]})
		}
		for _, n := range list {
			all = append(all, cut{gone: []*node{n}})
			if n.hoist {
				all = append(all, cut{open: []*node{n}})
			}
			for _, p := range n.parts {
				visit(p.list)
			}
		}
	}
	for _, h := range k.helpers {
		visit(h.body)
	}
	visit(k.body)
	visit(k.foot)
	slices.SortStableFunc(all, func(a, b cut) int { return size(b.gone) - size(a.gone) })
	return all
}

// without returns k less what the cuts say.
func (k *kernel) without(cuts []cut) *kernel {
	gone, open := map[*node]bool{}, map[*node]bool{}
	for _, c := range cuts {
		for _, n := range c.gone {
			gone[n] = true
		}
		for _, n := range c.open {
			open[n] = true
		}
	}
	var prune func(list []*node) []*node
	prune = func(list []*node) (out []*node) {
		for _, n := range list {
			switch {
			case gone[n]:
			case open[n]:
				for _, p := range n.parts {
					out = append(out, prune(p.list)...)
				}
			default:
				c := *n
				c.parts = nil
				for _, p := range n.parts {
					c.parts = append(c.parts, part{prune(p.list), p.after})
				}
				out = append(out, &c)
			}
		}
		return out
	}
	c := *k
	c.helpers = nil
	for _, h := range k.helpers {
		c.helpers = append(c.helpers, &helper{h.name, h.head, prune(h.body), h.foot})
	}
	c.body, c.foot = prune(k.body), prune(k.foot)
	return &c
}
