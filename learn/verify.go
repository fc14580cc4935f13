package learn

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Verify judges exercises by their own files: the stub compiles and fails, the solution passes, and each planted mistake is
// caught by the check that is meant for it. It works in a temporary folder. It returns how many of these statements
// are false, and how many checks have not run.
func Verify(ctx context.Context, local string, numbers []int, w io.Writer) (wrong, notRun int, err error) {
	if err := goCommand(); err != nil {
		return 0, 0, err
	}
	dir, err := os.MkdirTemp("", "gocuda-learn-verify-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(dir)
	c, err := Create(dir, local)
	if err != nil {
		return 0, 0, err
	}
	chosen := c.Exercises
	if len(numbers) > 0 {
		chosen = nil
		for _, n := range numbers {
			e, err := c.Exercise(n)
			if err != nil {
				return 0, 0, err
			}
			chosen = append(chosen, e)
		}
	}
	for _, e := range chosen {
		say := func(ok bool, format string, args ...any) {
			word := "ok   "
			if !ok {
				word = "WRONG"
				wrong++
			}
			fmt.Fprintf(w, "%s %s: %s\n", word, e.Name, fmt.Sprintf(format, args...))
		}
		judged := func(text []byte) (Result, error) {
			if err := os.WriteFile(filepath.Join(dir, e.Name, "kernel.go"), text, 0o666); err != nil {
				return Result{}, err
			}
			return c.Check(ctx, e)
		}

		stub, err := e.Text("kernel.go.txt")
		if err != nil {
			return wrong, notRun, err
		}
		res, err := judged(stub)
		if err != nil {
			return wrong, notRun, err
		}
		f := res.Failed()
		switch {
		case f == nil:
			say(false, "the stub passes")
		case f.Check == CheckBuild:
			say(false, "the stub does not build: %s", f.Text)
		default:
			say(true, "the stub fails by %s: %s", f.Check, f.Text)
		}

		solution, err := e.Text("solution.go.txt")
		if err != nil {
			return wrong, notRun, err
		}
		if res, err = judged(solution); err != nil {
			return wrong, notRun, err
		}
		if f := res.Failed(); f != nil {
			say(false, "the solution fails by %s: %s", f.Check, f.Text)
		} else {
			say(true, "the solution passes")
		}
		for _, o := range res.Outcomes {
			if o.Status == NotRun {
				notRun++
				fmt.Fprintf(w, "not run %s: %s: %s\n", e.Name, o.Check, o.Text)
			}
		}

		if n := len(e.Mistakes); n < 2 || n > 4 {
			say(false, "it has %d planted mistakes, not two to four", n)
		}
		for _, m := range e.Mistakes {
			text, err := e.Planted(m)
			if err != nil {
				return wrong, notRun, err
			}
			if res, err = judged(text); err != nil {
				return wrong, notRun, err
			}
			last := res.Outcomes[len(res.Outcomes)-1]
			f := res.Failed()
			switch {
			case f == nil && last.Check == m.Check && last.Status == NotRun:
				notRun++
				fmt.Fprintf(w, "not run %s: mistake %s: %s\n", e.Name, m.Name, last.Text)
			case f == nil:
				say(false, "mistake %s passes; %s should catch it", m.Name, m.Check)
			default:
				say(f.Check == m.Check, "mistake %s is caught by %s (meant: %s): %s", m.Name, f.Check, m.Check, f.Text)
			}
		}
	}
	return wrong, notRun, nil
}
