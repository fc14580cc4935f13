package fem

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gocuda/gocuda/gocuda"
)

// Gmsh's text format of version 2 (Geuzaine and Remacle, Gmsh Reference Manual, "MSH file format
// version 2"). It is sections, of which these are read, and others skipped:
//
//	$MeshFormat
//	2.2 0 8
//	$EndMeshFormat
//	$PhysicalNames
//	1
//	3 7 "steel"                  the dimension, the tag and the name of a group
//	$EndPhysicalNames
//	$Nodes
//	4
//	1 0 0 0                      a number, x, y and z
//	...
//	$EndNodes
//	$Elements
//	1
//	1 4 2 7 1 1 2 3 4            a number, the kind, how many tags, the tags (the first is the group's), the nodes
//	$EndElements

// ReadGmsh reads a mesh of tetrahedra from r. Points, lines and triangles make up groups of nodes.
// Elements of other kinds are gocuda.ErrNotSupported, and so are other versions and binary files;
// what the format does not allow is gocuda.ErrInvalidValue. Errors begin with name, line and
// column, which counts bytes from 1.
func ReadGmsh(r io.Reader, name string) (*Mesh, error) {
	in := gmsh{
		name: name, lines: bufio.NewScanner(r), index: map[int]int32{},
		m: &Mesh{Groups: map[Group][]int32{}, Names: map[Group]string{}},
	}
	in.lines.Buffer(nil, 1<<20) // the longest line
	if err := in.read(); err != nil {
		return nil, err
	}
	return in.m, nil
}

// A gmsh reads one file.
type gmsh struct {
	name  string
	lines *bufio.Scanner
	line  int
	words []word
	index map[int]int32 // of nodes, by their numbers in the file
	m     *Mesh
}

// A word is a part of a line, with the column where it begins.
type word struct {
	text   string
	column int
}

func (g *gmsh) wrong(column int, format string, args ...any) error {
	return fmt.Errorf("%s:%d:%d: %w: %s", g.name, g.line, column, gocuda.ErrInvalidValue, fmt.Sprintf(format, args...))
}

func (g *gmsh) unsupported(column int, format string, args ...any) error {
	return fmt.Errorf("%s:%d:%d: %w: %s", g.name, g.line, column, gocuda.ErrNotSupported, fmt.Sprintf(format, args...))
}

// next reads the next line that is not blank into words. It returns io.EOF behind the last one.
func (g *gmsh) next() error {
	g.words = g.words[:0]
	for g.lines.Scan() {
		g.line++
		text := g.lines.Text()
		at := 0
		for f := range strings.FieldsSeq(text) {
			at += strings.Index(text[at:], f)
			g.words = append(g.words, word{f, at + 1})
			at += len(f)
		}
		if len(g.words) > 0 {
			return nil
		}
	}
	g.line++
	if err := g.lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return g.wrong(1, "the line is too long")
	} else if err != nil {
		return fmt.Errorf("%s:%d:1: %w", g.name, g.line, err)
	}
	return io.EOF
}

// inside is next where the file must not end.
func (g *gmsh) inside(section string) error {
	err := g.next()
	if err == io.EOF {
		return g.wrong(1, "the file ends in %s", section)
	}
	return err
}

// number reads a word as a whole number from low to high.
func (g *gmsh) number(w word, what string, low, high int) (int, error) {
	v, err := strconv.ParseInt(w.text, 10, 64)
	if err != nil || v < int64(low) || v > int64(high) {
		return 0, g.wrong(w.column, "%q is no %s from %d to %d", w.text, what, low, high)
	}
	return int(v), nil
}

// wants returns an error unless the line has so many words at least, and is not the end of a section.
func (g *gmsh) wants(n int, what string) error {
	if strings.HasPrefix(g.words[0].text, "$") {
		return g.wrong(g.words[0].column, "%s in the place of %s", g.words[0].text, what)
	}
	if len(g.words) < n {
		last := g.words[len(g.words)-1]
		return g.wrong(last.column+len(last.text), "the line ends after %d of %d words of %s", len(g.words), n, what)
	}
	return nil
}

func (g *gmsh) read() error {
	done := map[string]bool{}
	for {
		err := g.next()
		if err == io.EOF {
			for _, section := range []string{"$MeshFormat", "$Nodes", "$Elements"} {
				if !done[section] {
					return g.wrong(1, "the file has no %s", section)
				}
			}
			return nil
		}
		if err != nil {
			return err
		}
		section := g.words[0]
		switch {
		case !strings.HasPrefix(section.text, "$") || strings.HasPrefix(section.text, "$End"):
			return g.wrong(section.column, "%q in the place of a section", section.text)
		case done[section.text] && section.text != "$Comments":
			return g.wrong(section.column, "a second %s", section.text)
		case len(done) == 0 && section.text != "$MeshFormat":
			return g.wrong(section.column, "the file begins with %s, want $MeshFormat", section.text)
		}
		switch section.text {
		case "$MeshFormat":
			err = g.format()
		case "$PhysicalNames":
			err = g.list(section.text, "a group", g.group)
		case "$Nodes":
			err = g.list(section.text, "a node", g.node)
		case "$Elements":
			if !done["$Nodes"] {
				return g.wrong(section.column, "$Elements before $Nodes")
			}
			err = g.list(section.text, "an element", g.element)
		default:
			for end := "$End" + section.text[1:]; err == nil; {
				if err = g.inside(section.text); err == nil && g.words[0].text == end {
					break
				}
			}
		}
		if err != nil {
			return err
		}
		done[section.text] = true
	}
}

// format reads $MeshFormat.
func (g *gmsh) format() error {
	if err := g.inside("$MeshFormat"); err != nil {
		return err
	}
	if err := g.wants(3, "the format"); err != nil {
		return err
	}
	switch v := g.words[0]; {
	case v.text != "2" && !strings.HasPrefix(v.text, "2."):
		return g.unsupported(v.column, "version %s, want 2 (gmsh -format msh2 writes it)", v.text)
	case g.words[1].text != "0":
		return g.unsupported(g.words[1].column, "a binary file")
	}
	return g.end("$MeshFormat")
}

// end reads the end of a section.
func (g *gmsh) end(section string) error {
	if err := g.inside(section); err != nil {
		return err
	}
	if end := "$End" + section[1:]; g.words[0].text != end {
		return g.wrong(g.words[0].column, "%q in the place of %s", g.words[0].text, end)
	}
	return nil
}

// list reads a section that is a count and so many lines.
func (g *gmsh) list(section, what string, each func() error) error {
	if err := g.inside(section); err != nil {
		return err
	}
	if err := g.wants(1, "a count"); err != nil {
		return err
	}
	n, err := g.number(g.words[0], "count", 0, math.MaxInt32)
	if err != nil {
		return err
	}
	for range n {
		if err := g.inside(section); err != nil {
			return err
		}
		if err := g.wants(1, what); err != nil {
			return err
		}
		if err := each(); err != nil {
			return err
		}
	}
	return g.end(section)
}

func (g *gmsh) group() error {
	if err := g.wants(3, "a group"); err != nil {
		return err
	}
	dim, err := g.number(g.words[0], "dimension", 0, 3)
	if err != nil {
		return err
	}
	tag, err := g.number(g.words[1], "tag", 0, math.MaxInt32)
	if err != nil {
		return err
	}
	text := g.lines.Text()
	quoted := strings.TrimSpace(text[g.words[2].column-1:])
	if len(quoted) < 2 || quoted[0] != '"' || quoted[len(quoted)-1] != '"' {
		return g.wrong(g.words[2].column, "the name %s is not in quotes", quoted)
	}
	g.m.Names[Group{dim, tag}] = quoted[1 : len(quoted)-1]
	return nil
}

func (g *gmsh) node() error {
	if err := g.wants(4, "a node"); err != nil {
		return err
	}
	id, err := g.number(g.words[0], "node", 1, math.MaxInt)
	if err != nil {
		return err
	}
	if _, ok := g.index[id]; ok {
		return g.wrong(g.words[0].column, "a second node %d", id)
	}
	g.index[id] = int32(len(g.index))
	for _, w := range g.words[1:4] {
		x, err := strconv.ParseFloat(w.text, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return g.wrong(w.column, "%q is no coordinate", w.text)
		}
		g.m.Points = append(g.m.Points, x)
	}
	return nil
}

// kinds are the elements that are read, with dimension and nodes.
var kinds = map[int]struct{ dim, nodes int }{15: {0, 1}, 1: {1, 2}, 2: {2, 3}, 4: {3, 4}}

func (g *gmsh) element() error {
	if err := g.wants(3, "an element"); err != nil {
		return err
	}
	kind, err := g.number(g.words[1], "kind of element", 1, math.MaxInt32)
	if err != nil {
		return err
	}
	of, ok := kinds[kind]
	if !ok {
		return g.unsupported(g.words[1].column, "elements of kind %d, want linear tetrahedra (4), triangles (2), lines (1) and points (15)", kind)
	}
	tags, err := g.number(g.words[2], "count of tags", 0, 1000)
	if err != nil {
		return err
	}
	if err := g.wants(3+tags+of.nodes, "an element"); err != nil {
		return err
	}
	if extra := 3 + tags + of.nodes; len(g.words) > extra {
		return g.wrong(g.words[extra].column, "more than %d nodes", of.nodes)
	}
	tag := 0
	if tags > 0 {
		if tag, err = g.number(g.words[3], "tag", 0, math.MaxInt32); err != nil {
			return err
		}
	}
	first := len(g.m.Tets)
	var nodes [4]int32
	for i, w := range g.words[3+tags:] {
		id, err := g.number(w, "node", 1, math.MaxInt)
		if err != nil {
			return err
		}
		node, ok := g.index[id]
		if !ok {
			return g.wrong(w.column, "there is no node %d", id)
		}
		if slices.Contains(nodes[:i], node) {
			return g.wrong(w.column, "node %d twice in an element", id)
		}
		nodes[i] = node
	}
	if of.dim < 3 {
		group := Group{of.dim, tag}
		g.m.Groups[group] = append(g.m.Groups[group], nodes[:of.nodes]...)
		return nil
	}
	g.m.Tets = append(g.m.Tets, nodes[:]...)
	g.m.Region = append(g.m.Region, int32(tag))
	if _, v := g.m.shape(first / 4); !(v > 0) || math.IsInf(v, 0) {
		return g.wrong(g.words[0].column, "element %s has the volume %v", g.words[0].text, v)
	}
	return nil
}
