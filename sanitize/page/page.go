// Package page writes a report of the sanitizer as one web page: the findings with their source,
// and for a race a picture of the two threads, the cell that both use, and the place of the missing
// barrier. The page has no scripts and loads nothing. It is light or dark as the browser is.
package page

import (
	_ "embed" // for the template
	"fmt"
	"html/template"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gocuda/gocuda/sanitize"
)

//go:embed page.html
var text string

var page = template.Must(template.New("page").Parse(text))

// Write writes the page. Sources are read from the files that the findings name, relative to root.
// A file that can't be read is left out, and the place is named by its line and its expression.
func Write(w io.Writer, r *sanitize.Report, root string) error {
	return page.Execute(w, viewOf(r, root))
}

// Part returns what a page has of the report, for another page: the rules of style, which concern
// nothing else, and the findings.
func Part(r *sanitize.Report, root string) (style template.CSS, findings template.HTML, err error) {
	var s, f strings.Builder
	if err := page.ExecuteTemplate(&s, "style", nil); err != nil {
		return "", "", err
	}
	if err := page.ExecuteTemplate(&f, "findings", viewOf(r, root)); err != nil {
		return "", "", err
	}
	return template.CSS(s.String()), template.HTML(f.String()), nil
}

func viewOf(r *sanitize.Report, root string) view {
	files := sources{root: root, files: map[string]*source{}}
	v := view{Report: r}
	for i, f := range r.Findings {
		v.Findings = append(v.Findings, files.view(fmt.Sprint("f", i+1), f))
	}
	return v
}

// A view is what the template shows.
type view struct {
	Report   *sanitize.Report
	Findings []findingView
}

type findingView struct {
	sanitize.Finding
	ID      string
	Title   string
	Excerpt []line
	Picture *picture // of a race
	Facts   []string
}

// Class is how the finding is coloured.
func (f findingView) Class() string { return strings.ToLower(f.Severity.String()) }

// A line is a line of the source, or the missing barrier between two of them.
type line struct {
	Number int
	Text   string
	Mark   string // the class of its background
	Note   string
}

// sources are the files that findings name.
type sources struct {
	root  string
	files map[string]*source
}

// A source is a file, with no lines if it can't be read.
type source struct {
	data  []byte
	lines []string
}

func (s *sources) of(file string) *source {
	if file == "" {
		return &source{}
	}
	if s.files[file] == nil {
		name := filepath.FromSlash(file)
		if !filepath.IsAbs(name) {
			name = filepath.Join(s.root, name)
		}
		src := &source{}
		if data, err := os.ReadFile(name); err == nil {
			src.data, src.lines = data, strings.Split(string(data), "\n")
		}
		s.files[file] = src
	}
	return s.files[file]
}

// around is how many lines are shown before and after a place.
const around = 3

func (s *sources) view(id string, f sanitize.Finding) findingView {
	v := findingView{Finding: f, ID: id}
	if f.Tool == "race" {
		g := gapOf(f, s.of(f.First.File).data)
		v.Title = fmt.Sprintf("%s: %s at %s and %s at %s", f.Kind, strings.ToLower(f.Access[0]), short(f.First), strings.ToLower(f.Access[1]), short(f.Other))
		v.Picture = draw(f, g)
		v.Excerpt = s.excerpt(f, g)
		v.Facts = []string{fmt.Sprintf("kernel %s, %d bytes", f.Kernel, f.Count), g.Text}
		return v
	}
	v.Title = fmt.Sprintf("%s at %s", f.Text, short(f.First))
	v.Excerpt = s.excerpt(f, gap{})
	if f.Kernel != "" {
		fact := "kernel " + f.Kernel
		if !f.Threads[0].Host && f.Kind != "unwritten" {
			fact += fmt.Sprintf(", the first by %v", f.Threads[0])
		}
		v.Facts = append(v.Facts, fact)
	}
	if f.Where != "" {
		v.Facts = append(v.Facts, f.Where)
	}
	return v
}

// short names a place by its file's last part.
func short(p sanitize.Place) string {
	if p.File == "" {
		return p.String()
	}
	return fmt.Sprintf("%s:%d", path.Base(p.File), p.Line)
}

// excerpt returns the lines around both places, with what goes between them.
func (s *sources) excerpt(f sanitize.Finding, g gap) (all []line) {
	places := []sanitize.Place{f.First}
	if f.Other.File != "" {
		places = append(places, f.Other)
	}
	shown, last := "", 0
	for i, p := range places {
		src := s.of(p.File)
		from, to := max(1, p.Line-around), min(len(src.lines), p.Line+around)
		if i+1 < len(places) && places[1].File == p.File && places[1].Line >= p.Line && places[1].Line-p.Line <= 4*around {
			to = min(len(src.lines), places[1].Line+around)
		}
		if p.File == shown {
			from = max(from, last+1)
		} else {
			last = 0
		}
		if len(all) > 0 && (p.File != shown || from > last+1) && from <= to {
			all = append(all, line{Text: "⋯"})
		}
		for n := from; n <= to; n++ {
			l := line{Number: n, Text: src.lines[n-1]}
			for k, q := range places {
				if q.File == p.File && q.Line == n {
					l.Mark, l.Note = "place", strings.TrimPrefix(l.Note+"; "+access(f, k), "; ")
				}
			}
			all = append(all, l)
			if g.After == n && p.File == f.First.File {
				indent := l.Text[:len(l.Text)-len(strings.TrimLeft(l.Text, " \t"))]
				all = append(all, line{Text: indent + g.Call, Mark: "missing", Note: "missing"})
			}
		}
		if shown = p.File; to > last {
			last = to
		}
	}
	return all
}

// access names what is done at a place of a finding.
func access(f sanitize.Finding, k int) string {
	if f.Tool != "race" {
		return [...]string{"here", "the other place"}[k]
	}
	return strings.ToLower(f.Access[k])
}
