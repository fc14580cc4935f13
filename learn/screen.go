package learn

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const keyLine = "n next · h hint · l list · r reset · c check all · p picture · q quit"

// draw shows the present state. On a terminal it draws the screen anew. Elsewhere it prints the
// lines; while an exercise is judged it does so only if a key was pressed, which asked says, or if
// there is a message.
func (w *Watcher) draw(asked bool) {
	body, foot := w.lines()
	body, foot = printable(body), printable(foot)
	if !w.Terminal {
		if asked || w.job == nil || w.view != viewExercise || w.message != "" {
			w.print(append(body, foot...))
		}
		return
	}
	var b strings.Builder
	b.WriteString("\x1b[H\x1b[2J")
	b.WriteString(strings.Join(fit(wrapAll(body, w.cols), wrapAll(foot, w.cols), w.rows-1), "\r\n"))
	b.WriteString("\r\n")
	fmt.Fprint(w.Out, b.String())
}

// fit makes one text of body and foot, of as many lines as there is room for. The end of the body
// goes first, and then the start of the foot, which ends with the keys.
func fit(body, foot []string, room int) []string {
	room = max(room, 1)
	if more := len(foot) - room; more > 0 {
		foot = foot[more:]
	}
	if room -= len(foot); len(body) > room {
		body = body[:room]
		if room > 1 {
			body[room-1] = "..."
		}
	}
	return append(body, foot...)
}

func wrapAll(lines []string, cols int) (wrapped []string) {
	for _, line := range lines {
		wrapped = append(wrapped, wrap(line, cols)...)
	}
	return wrapped
}

// print writes the lines if they are not those that were printed last.
func (w *Watcher) print(lines []string) {
	text := strings.Join(lines, "\n")
	if text != w.printed {
		w.printed = text
		fmt.Fprintf(w.Out, "%s\n\n", text)
	}
}

// printable replaces what a terminal would act on: a learner's panic may say anything.
func printable(lines []string) []string {
	for i, line := range lines {
		line = strings.ReplaceAll(strings.ToValidUTF8(line, "\ufffd"), "\t", "    ")
		lines[i] = strings.Map(func(r rune) rune {
			if unicode.IsControl(r) {
				return '\ufffd'
			}
			return r
		}, line)
	}
	return lines
}

// lines is the screen. The foot is what stays if there is no room for all.
func (w *Watcher) lines() (lines, foot []string) {
	if w.view == viewList {
		return w.listLines(), []string{"", "up and down (k, j) choose · Enter (c) continues there · l back"}
	}
	lines = []string{
		w.progress(),
		"",
		fmt.Sprintf("%d. %s", w.e.Number, w.e.Title),
		fmt.Sprintf("Read %s/README.md, write %s/kernel.go.", w.e.Name, w.e.Name),
	}
	if w.Docs != "" {
		lines = append(lines, "What it calls docs/ is "+w.Docs+".")
	}
	lines = append(lines, "")
	switch {
	case w.err != nil:
		lines = append(lines, "The exercise could not be judged: "+w.err.Error())
	case w.res != nil:
		lines = append(lines, outcomeLines(w.res.Outcomes)...)
		switch {
		case w.res.Solved():
			lines = append(lines, "", fmt.Sprintf("Solved. Press n for the next one; gocuda learn solution %d shows ours.", w.e.Number))
		case w.res.Failed() == nil:
			lines = append(lines, "", "A check could not be made, and so this does not count as solved. The list (l) leads to the other exercises.")
		}
	case !w.built:
		lines = append(lines, "Judging ... The first build may take a minute.")
	default:
		lines = append(lines, "Judging ...")
	}
	if n := w.state.Hints[w.e.Number]; n > 0 {
		lines = append(lines, "")
		for i, h := range w.e.Hints[:min(n, len(w.e.Hints))] {
			lines = append(lines, fmt.Sprintf("hint %d of %d: %s", i+1, len(w.e.Hints), h))
		}
	}
	if w.view == viewReset {
		foot = append(foot, "", "Give kernel.go its first text back? Yours is kept as kernel.go.old. (y/n)")
	}
	if w.message != "" {
		foot = append(foot, "", w.message)
	}
	return lines, append(foot, "", keyLine)
}

// outcomeLines are a line for all checks that have passed, and those of the others.
func outcomeLines(outcomes []Outcome) (lines []string) {
	var passed []string
	for _, o := range outcomes {
		if o.Status == Passed {
			passed = append(passed, o.Check)
		} else {
			lines = append(lines, o.Lines()...)
		}
	}
	if passed == nil {
		return lines
	}
	return append([]string{"  passed   " + strings.Join(passed, ", ")}, lines...)
}

// textMost is how much of an outcome's text is shown, in bytes.
const textMost = 2000

// Lines are the outcome for people: the first line has the check and its status.
func (o Outcome) Lines() []string {
	word := map[Status]string{Passed: "passed", Failed: "FAILED", NotRun: "not run"}[o.Status]
	line := fmt.Sprintf("  %-8s %s", o.Check, word)
	if text := o.Text; text != "" {
		if len(text) > textMost {
			text = strings.ToValidUTF8(text[:textMost], "") + " ..."
		}
		line += ": " + text
	}
	return strings.Split(line, "\n")
}

// progress is the bar.
func (w *Watcher) progress() string {
	solved, all := 0, len(w.Course.Exercises)
	for _, e := range w.Course.Exercises {
		if w.state.Solved[e.Number] {
			solved++
		}
	}
	text := fmt.Sprintf(" %d of %d solved", solved, all)
	width := min(40, max(w.cols, 20)-utf8.RuneCountInString(text)-2)
	if width < 4 {
		return text[1:]
	}
	full := solved * width / all
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", width-full) + "]" + text
}

// listLines is the list of exercises, as much of it as the screen has room for.
func (w *Watcher) listLines() []string {
	all := w.Course.Exercises
	first, last := 0, len(all)
	if room := w.rows - 5; w.Terminal && room > 0 && room < len(all) {
		first = min(max(w.cursor-room/2, 0), len(all)-room)
		last = first + room
	}
	lines := []string{w.progress(), ""}
	for i := first; i < last; i++ {
		e := all[i]
		at, mark := " ", " "
		if i == w.cursor {
			at = ">"
		}
		if w.state.Solved[e.Number] {
			mark = "x"
		}
		lines = append(lines, fmt.Sprintf("%s [%s] %2d  %s", at, mark, e.Number, e.Title))
	}
	return lines
}

// wrap breaks a line at spaces so that no piece is longer than cols. Further pieces are indented.
// Where there is next to no room it cuts the line off.
func wrap(line string, cols int) []string {
	const indent = "      "
	if cols < len(indent)+10 {
		runes := []rune(line)
		return []string{string(runes[:min(len(runes), max(cols, 1))])}
	}
	var pieces []string
	for utf8.RuneCountInString(line) > cols {
		runes := []rune(line)
		at := cols
		for i := cols; i > cols/2; i-- {
			if runes[i] == ' ' {
				at = i
				break
			}
		}
		pieces = append(pieces, strings.TrimRight(string(runes[:at]), " "))
		line = indent + strings.TrimLeft(string(runes[at:]), " ")
	}
	return append(pieces, line)
}
