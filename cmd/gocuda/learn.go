package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/gocuda/gocuda/internal/cli"
	"github.com/gocuda/gocuda/learn"
)

const learnUsage = `usage: gocuda learn [folder]
       gocuda learn COMMAND [N] [-dir folder]
       gocuda learn -class folder [-csv file] [-html file] [N...]

Without a command it makes a course in the folder, if there is none, and watches it: whenever you save, the current exercise is
judged. The commands do the same by hand:

  init [folder]   make the folder's course, or complete it
  list            print the exercises, and which are solved
  check [N]       judge an exercise; without N the current one
  hint [N]        print the next hint
  picture [N]     draw the accesses of an exercise's kernel, as accesses.svg in its folder
  solution N      print the solution of an exercise that you have solved
  reset N         give an exercise its first text back; yours is kept as kernel.go.old
  verify [N...]   for authors: judge the exercises by their stubs, solutions and planted mistakes

With -class it judges a folder of submissions, one folder a learner, and writes a table. Each program runs with limits of time, memory and
files. These protect from mistakes, and are no security boundary.

Checks that can't be made on this machine are called "not run": they are no successes.
`

// learnCommands are the commands of gocuda learn. Any other argument is a folder; ./check is one of
// that name.
var learnCommands = []string{"init", "list", "check", "hint", "picture", "solution", "reset", "verify"}

// learnSettings are the flags of gocuda learn.
type learnSettings struct {
	dir, local string
	class      *classSettings
}

func learnFlags() (*flag.FlagSet, *learnSettings) {
	o := &learnSettings{}
	fs := flag.NewFlagSet("gocuda learn", flag.ContinueOnError)
	fs.StringVar(&o.dir, "dir", ".", "the learner's `folder`")
	o.class = classFlags(fs)
	fs.StringVar(&o.local, "local", "", "build with the working copy of gocuda in this `folder`")
	fs.Usage = func() {
		fmt.Fprint(fs.Output(), learnUsage)
		fmt.Fprintln(fs.Output(), "\nFlags:")
		fs.PrintDefaults()
	}
	return fs, o
}

// learnCommand is the subcommand learn: the course of package learn.
func learnCommand(args []string, stdout, stderr io.Writer) int {
	fs, o := learnFlags()
	words, status, ok := cli.ParseMixed(fs, args, stdout, stderr)
	if !ok {
		return status
	}
	dir, local, class := o.dir, o.local, o.class
	if class.folder != "" {
		return learnClass(class, local, words, stdout, stderr)
	}
	if bad := class.alone(fs); bad != "" {
		fmt.Fprintf(stderr, "gocuda learn: -%s is for -class\n", bad)
		return 2
	}
	if len(words) == 0 || len(words) == 1 && !slices.Contains(learnCommands, words[0]) {
		folder := dir
		if len(words) == 1 {
			if dir != "." {
				fmt.Fprintf(stderr, "gocuda learn: two folders, %s and %s: which one?\n", dir, words[0])
				return 2
			}
			folder = words[0]
			if meant := meantCommand(folder); meant != "" {
				fmt.Fprintf(stderr, "gocuda learn: there is no command %q; %s is one. A new folder of that name: ./%[1]s\n", folder, meant)
				return 2
			}
		}
		return learnWatch(folder, local, os.Stdin, stdout, stderr)
	}
	command, rest := words[0], words[1:]
	if command == "init" && len(rest) > 0 {
		if len(rest) > 1 || dir != "." {
			fmt.Fprintln(stderr, "gocuda learn init: there are several folders: which one?")
			return 2
		}
		dir, rest = rest[0], nil
	}
	numbers, err := exerciseNumbers(rest)
	if err != nil {
		fmt.Fprintf(stderr, "gocuda learn %s: %v\n", command, err)
		return 2
	}
	if len(numbers) > 1 && command != "verify" {
		fmt.Fprintf(stderr, "gocuda learn %s: one exercise at a time\n", command)
		return 2
	}
	ctx, stop := interruptible()
	defer stop()
	fail := func(err error) int {
		fmt.Fprintf(stderr, "gocuda learn %s: %v\n", command, err)
		return failure(ctx)
	}

	switch command {
	case "init":
		c, err := learn.Create(dir, local)
		if err != nil {
			return fail(err)
		}
		fmt.Fprintf(stdout, "%d exercises are in %s. There: read %s/README.md, write %[3]s/kernel.go, then: gocuda learn check\n", len(c.Exercises), c.Dir, c.Exercises[0].Name)
		if docs := c.Docs(ctx); docs != "" {
			fmt.Fprintf(stdout, "What the exercises call docs/ is %s.\n", docs)
		}
		return 0
	case "verify":
		wrong, notRun, err := learn.Verify(ctx, local, numbers, stdout)
		if err != nil {
			return fail(err)
		}
		fmt.Fprintf(stdout, "%d wrong, %d not run\n", wrong, notRun)
		if wrong > 0 {
			return 1
		}
		return 0
	case "list", "check", "hint", "picture", "solution", "reset":
	default:
		fmt.Fprintf(stderr, "gocuda learn: there is no command %q\n\n", command)
		fs.SetOutput(stderr)
		fs.Usage()
		return 2
	}

	c, err := learn.Open(dir)
	if err != nil {
		return fail(err)
	}
	state, err := c.Load()
	if err != nil {
		return fail(err)
	}
	if len(numbers) == 0 && (command == "solution" || command == "reset") {
		return fail(errors.New("the number of an exercise is missing"))
	}
	number := state.Current
	if len(numbers) == 1 {
		number = numbers[0]
	}
	e, err := c.Exercise(number)
	if err != nil {
		return fail(err)
	}
	switch command {
	case "list":
		learnList(c, state, stdout)
		return 0
	case "hint":
		return learnHint(c, e, state, stdout, fail)
	case "picture":
		name, err := c.Picture(ctx, e)
		if err != nil {
			return fail(err)
		}
		fmt.Fprintf(stdout, "the accesses are drawn in %s: open it in a browser\n", name)
		return 0
	case "solution":
		if !state.Solved[e.Number] {
			return fail(fmt.Errorf("exercise %d is not solved yet; gocuda learn hint %[1]d helps", e.Number))
		}
		text, err := e.Text("solution.go.txt")
		if err != nil {
			return fail(err)
		}
		stdout.Write(text)
		return 0
	case "reset":
		if err := c.Reset(e); err != nil {
			return fail(err)
		}
		fmt.Fprintf(stdout, "%s/kernel.go is as it was at first; yours is in kernel.go.old\n", e.Name)
		return 0
	}
	return learnCheck(ctx, c, e, state, stdout, fail)
}

func learnList(c *learn.Course, state *learn.State, w io.Writer) {
	solved := 0
	for _, e := range c.Exercises {
		mark := " "
		if state.Solved[e.Number] {
			mark = "x"
			solved++
		}
		at := ""
		if e.Number == state.Current {
			at = "  <- current"
		}
		fmt.Fprintf(w, "[%s] %2d  %-44s %s%s\n", mark, e.Number, e.Title, e.Name, at)
	}
	fmt.Fprintf(w, "%d of %d solved\n", solved, len(c.Exercises))
}

func learnHint(c *learn.Course, e *learn.Exercise, state *learn.State, w io.Writer, fail func(error) int) int {
	shown := min(state.Hints[e.Number]+1, len(e.Hints))
	for i, h := range e.Hints[:shown] {
		fmt.Fprintf(w, "hint %d of %d: %s\n", i+1, len(e.Hints), h)
	}
	state.Hints[e.Number] = shown
	if err := c.Save(state); err != nil {
		return fail(err)
	}
	return 0
}

func learnCheck(ctx context.Context, c *learn.Course, e *learn.Exercise, state *learn.State, w io.Writer, fail func(error) int) int {
	res, err := c.Check(ctx, e)
	if err != nil {
		return fail(err)
	}
	fmt.Fprintf(w, "%d. %s\n", e.Number, e.Title)
	for _, o := range res.Outcomes {
		for _, line := range o.Lines() {
			fmt.Fprintln(w, line)
		}
	}
	if res.Failed() != nil {
		fmt.Fprintf(w, "Read %s/README.md; gocuda learn hint %d gives a hint.\n", e.Name, e.Number)
		return 1
	}
	if !res.Solved() {
		fmt.Fprintln(w, "A check could not be made, and so this does not count as solved.")
		return 1
	}
	state.Solved[e.Number] = true
	next := c.Next(state, e)
	if next != nil {
		state.Current = next.Number
	}
	if err := c.Save(state); err != nil {
		return fail(err)
	}
	if next == nil {
		fmt.Fprintln(w, "Solved. That was the last one.")
		return 0
	}
	fmt.Fprintf(w, "Solved. The next one is %d: read %s/README.md.\n", next.Number, next.Name)
	return 0
}
