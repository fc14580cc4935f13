package learn

import (
	"encoding/csv"
	"fmt"
	"html/template"
	"io"
	"strings"
)

// Cell is the mark as a cell of a table: solved, nothing if it was not begun, or the check that
// decides and why.
func (m Mark) Cell() string {
	if !m.Begun {
		return ""
	}
	o := m.Result.Open()
	if o == nil {
		return "solved"
	}
	text := strings.Join(printable(o.Lines()), " ")
	return strings.Join(strings.Fields(text), " ")
}

// WriteCSV writes a table with a row for each learner: the name, how many exercises are solved, and
// a column for each exercise. A cell that a spreadsheet would take for a formula gets an apostrophe
// in front.
func WriteCSV(w io.Writer, exercises []*Exercise, class []Submission) error {
	out := csv.NewWriter(w)
	head := []string{"learner", "solved"}
	for _, e := range exercises {
		head = append(head, e.Name)
	}
	out.Write(head)
	for _, s := range class {
		solved, _ := s.Solved()
		row := []string{text(s.Learner), fmt.Sprint(solved)}
		for _, m := range s.Marks {
			cell := m.Cell()
			if s.Err != nil {
				cell = "not judged: " + s.Err.Error()
			}
			row = append(row, text(cell))
		}
		out.Write(row)
	}
	out.Flush()
	return out.Error()
}

// text is a cell that is no formula.
func text(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

var page = template.Must(template.New("class").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Exercises</title>
<style>
body { font-family: sans-serif; margin: 1em; }
table { border-collapse: collapse; }
th, td { border: 1px solid #bbb; padding: 2px 5px; text-align: center; }
th:first-child, td:first-child { text-align: left; position: sticky; left: 0; background: white; }
.solved { background: #bfe5bf; }
.failed { background: #f2b8b5; }
.undecided { background: #f4e3b2; }
</style>
</head>
<body>
<h1>Exercises</h1>
<table>
<tr><th>learner</th><th>solved</th>{{range .Exercises}}<th title="{{.Title}}">{{.Number}}</th>{{end}}</tr>
{{range .Class}}<tr><td>{{.Learner}}</td><td>{{.Count}}</td>{{range .Cells}}<td class="{{.Class}}" title="{{.Text}}">{{.Sign}}</td>{{end}}</tr>
{{end}}</table>
<h2>What is not solved</h2>
{{range .Class}}{{if .Err}}<h3>{{.Learner}}</h3>
<p>Not judged: {{.Err}}</p>
{{else if .Open}}<h3>{{.Learner}}</h3>
<ul>
{{range .Open}}<li>{{.Exercise.Number}}. {{.Exercise.Title}}: {{.Cell}}</li>
{{end}}</ul>
{{end}}{{end}}</body>
</html>
`))

type (
	row struct {
		Learner string
		Count   int
		Err     error
		Cells   []cell
		Open    []Mark // begun, and not solved
	}
	cell struct{ Class, Text, Sign string }
)

// WriteHTML writes the table of WriteCSV as a page, with what is not solved below.
func WriteHTML(w io.Writer, exercises []*Exercise, class []Submission) error {
	var rows []row
	for _, s := range class {
		r := row{Learner: s.Learner, Err: s.Err}
		r.Count, _ = s.Solved()
		for _, m := range s.Marks {
			c := cell{Text: m.Cell()}
			switch {
			case s.Err != nil:
				c = cell{"undecided", "not judged", "?"}
			case m.Solved():
				c.Class, c.Sign = "solved", "\u2713"
			case m.Begun && m.Result.Failed() == nil:
				c.Class, c.Sign = "undecided", "?"
			case m.Begun:
				c.Class, c.Sign = "failed", "\u2717"
			}
			if m.Begun && !m.Solved() {
				r.Open = append(r.Open, m)
			}
			r.Cells = append(r.Cells, c)
		}
		rows = append(rows, r)
	}
	return page.Execute(w, map[string]any{"Exercises": exercises, "Class": rows})
}
