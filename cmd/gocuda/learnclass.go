package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/gocuda/gocuda/learn"
)

// classSettings are the flags of gocuda learn -class.
type classSettings struct {
	folder, csv, html string
	memory, disk      int64 // MiB
	limits            learn.Limits
}

func classFlags(fs *flag.FlagSet) *classSettings {
	s := &classSettings{limits: learn.DefaultLimits}
	fs.StringVar(&s.folder, "class", "", "judge the submissions in this `folder`: one folder a learner")
	fs.StringVar(&s.csv, "csv", "", "with -class: write the table to this `file`")
	fs.StringVar(&s.html, "html", "", "with -class: write the table as a page to this `file`")
	fs.DurationVar(&s.limits.Time, "time", s.limits.Time, "with -class: the time that a program may run")
	fs.Int64Var(&s.memory, "memory", s.limits.Memory>>20, "with -class: the memory of a program in `MiB`, where the system limits it")
	fs.Int64Var(&s.disk, "disk", s.limits.Disk>>20, "with -class: the files that a program may write in `MiB`")
	fs.IntVar(&s.limits.Files, "files", s.limits.Files, "with -class: the number of files that a program may have open")
	return s
}

// alone returns the name of a flag that was given and means nothing without -class, or "".
func (s *classSettings) alone(fs *flag.FlagSet) (name string) {
	fs.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "csv", "html", "time", "memory", "disk", "files":
			name = f.Name
		}
	})
	return name
}

// learnClass is gocuda learn -class. Its exit status says whether there is a table, not whether
// anybody has solved anything.
func learnClass(s *classSettings, local string, args []string, stdout, stderr io.Writer) int {
	const mebi = 1 << 20
	if s.limits.Time <= 0 || s.memory < 64 || s.memory > 1<<40 || s.disk < 1 || s.disk > 1<<40 || s.limits.Files < 16 {
		fmt.Fprintln(stderr, "gocuda learn -class: a program needs some time, 64 MiB of memory, 1 MiB of files and 16 open files at least")
		return 2
	}
	s.limits.Memory, s.limits.Disk = s.memory*mebi, s.disk*mebi
	numbers, err := exerciseNumbers(args)
	if err != nil {
		fmt.Fprintf(stderr, "gocuda learn -class: %v\n", err)
		return 2
	}
	ctx, stop := interruptible()
	defer stop()
	fail := func(err error) int {
		fmt.Fprintf(stderr, "gocuda learn -class: %v\n", err)
		return failure(ctx)
	}
	exercises, err := learn.Exercises()
	if err != nil {
		return fail(err)
	}
	if len(numbers) > 0 {
		all := &learn.Course{Exercises: exercises}
		exercises = nil
		for _, n := range numbers {
			e, err := all.Exercise(n)
			if err != nil {
				return fail(err)
			}
			exercises = append(exercises, e)
		}
	}
	var class []learn.Submission
	err = learn.Class{Folder: s.folder, Local: local, Limits: s.limits, Exercises: exercises}.Judge(ctx, func(sub learn.Submission) {
		class = append(class, sub)
		if sub.Err != nil {
			fmt.Fprintf(stdout, "%s: not judged: %v\n", sub.Learner, sub.Err)
			return
		}
		solved, begun := sub.Solved()
		fmt.Fprintf(stdout, "%s: %d solved of %d begun\n", sub.Learner, solved, begun)
		for _, m := range sub.Marks {
			if m.Begun && !m.Solved() {
				fmt.Fprintf(stdout, "  %d. %s: %s\n", m.Exercise.Number, m.Exercise.Title, m.Cell())
			}
		}
	})
	if err != nil {
		return fail(err)
	}
	for _, table := range []struct {
		name  string
		write func(io.Writer, []*learn.Exercise, []learn.Submission) error
	}{{s.csv, learn.WriteCSV}, {s.html, learn.WriteHTML}} {
		if table.name == "" {
			continue
		}
		if err := writeTable(table.name, func(w io.Writer) error { return table.write(w, exercises, class) }); err != nil {
			return fail(err)
		}
	}
	for _, sub := range class {
		if sub.Err != nil {
			return 1
		}
	}
	return 0
}

func writeTable(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
