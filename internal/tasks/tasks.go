// Package tasks runs single kernels on the user's input or on input that it makes: what `gocuda
// run` does. A [Task] is a kernel with the flags that it has and the input that it takes; [All] are
// all of them.
package tasks

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/cli"
	"github.com/gocuda/gocuda/kernels"
)

// A Task is a kernel that can be run.
type Task struct {
	Name  string
	About string // one line
	// Takes says what the input is, without a file and with one. It is empty if there is none.
	Takes string
	Sizes string // what -size is if it is not given
	Gives Gives
	// Setup adds the task's own flags. What it returns runs the task after they have been parsed.
	Setup func(fs *flag.FlagSet) Job
	// Bytes is how much memory the job takes for each element of its input, all allocations
	// counted, and More how much more if the result is verified, drawn and written. Elements are
	// those of -size; of paths they are pairs of vertices, of align pairs of letters, and of rpes
	// integrals.
	Bytes, More int
}

// Gives says what a task leaves beside the lines that it prints.
type Gives int

const (
	Values  Gives = 1 << iota // numbers, for a file
	Picture                   // a picture
)

// A Job runs a task. It does not look at the clock and writes nothing.
type Job func(e *Env) (*Result, error)

// A Result is what a kernel did.
type Result struct {
	Lines     []string           // to be printed
	Numbers   Numbers            // if it gives Values
	Picture   func() image.Image // if it gives a Picture
	Animation func() error       // writes an animation into a file of its own; may be nil
	Verify    func() error       // compares with the serial reference; never nil
}

// printf adds a line.
func (r *Result) printf(format string, args ...any) {
	r.Lines = append(r.Lines, fmt.Sprintf(format, args...))
}

// Options are what all tasks have in common.
type Options struct {
	On     kernels.Launcher
	In     string // a file, or "" for input that is made
	Size   []int  // of input that is made; nil for the task's own
	Seed   uint64 // of input that is made by chance
	Out    string // a file for the values, or ""
	PNG    string // a file for the picture, or ""
	Verify bool
	// Progress, if not nil, is called now and then once a second has gone by, and with "" at the end.
	Progress func(what string)
}

// An Env is what a job finds.
type Env struct {
	Options
	Ctx        context.Context
	perElement int // bytes for each element of the input; see Task
	took       time.Duration

	mu       sync.Mutex
	launches int
	doing    string
}

// ErrMismatch is what -verify finds.
var ErrMismatch = errors.New("the result differs from the reference")

// Run runs a task and writes to w what is to be said of it.
func Run(ctx context.Context, t *Task, job Job, o Options, w io.Writer) error {
	if err := o.check(t); err != nil {
		return err
	}
	e := &Env{Options: o, Ctx: ctx, perElement: t.Bytes}
	if o.Verify || o.Out != "" || o.PNG != "" {
		e.perElement += t.More
	}
	e.On = counting{o.On, e}
	stop := e.watch()
	r, err := job(e)
	stop()
	if err != nil {
		return err
	}
	for _, line := range r.Lines {
		fmt.Fprintln(w, line)
	}
	fmt.Fprintf(w, "launches  %d, %v\n", e.launches, round(e.took))
	if o.Verify {
		if err := r.Verify(); err != nil {
			return fmt.Errorf("%w: %v", ErrMismatch, err)
		}
		fmt.Fprintln(w, "verified  the same as the serial reference")
	}
	var files errgroup.Group
	if o.Out != "" {
		files.Go(func() error {
			return write(o.Out, func(f io.Writer) error { return writeNumbers(f, o.Out, r.Numbers) })
		})
	}
	if o.PNG != "" {
		files.Go(func() error {
			return write(o.PNG, func(f io.Writer) error { return writePNG(f, r.Picture()) })
		})
	}
	if r.Animation != nil {
		files.Go(r.Animation)
	}
	return files.Wait()
}

// check finds mistakes before any work is done.
func (o Options) check(t *Task) error {
	same := func(a, b string) bool { return a != "" && b != "" && filepath.Clean(a) == filepath.Clean(b) }
	switch {
	case o.In != "" && t.Takes == "":
		return fmt.Errorf("-in: %s takes no input", t.Name)
	case o.Out != "" && t.Gives&Values == 0:
		return fmt.Errorf("-o: %s has no numbers beside what it prints", t.Name)
	case o.PNG != "" && t.Gives&Picture == 0:
		return fmt.Errorf("-png: there is no picture of %s", t.Name)
	case o.In != "" && o.Size != nil:
		return errors.New("-in and -size: a file has its own size")
	case same(o.In, o.Out) || same(o.In, o.PNG):
		return fmt.Errorf("%s would be overwritten", o.In)
	case same(o.Out, o.PNG):
		return fmt.Errorf("-o and -png name the same file %s", o.Out)
	}
	if o.Out != "" {
		return knownFormat(o.Out)
	}
	return nil
}

// round leaves three figures or so.
func round(d time.Duration) time.Duration {
	for unit := time.Second; unit >= time.Microsecond; unit /= 10 {
		if d >= unit {
			return d.Round(unit / 100)
		}
	}
	return d
}

// write writes a file. It leaves no half of one behind.
func write(name string, to func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	err = to(f)
	if err := errors.Join(err, f.Close()); err != nil {
		os.Remove(name)
		return err
	}
	return nil
}

// timed runs the part of a job that is the kernel's. It may be called several times.
func (e *Env) timed(f func() error) error {
	start := time.Now()
	defer func() { e.took += time.Since(start) }()
	return f()
}

// step says how far a job has come. Jobs call it where they can be stopped, and give up on an error.
func (e *Env) step(done, total int, what string) error {
	e.mu.Lock()
	e.doing = fmt.Sprintf("%s %d of %d", what, done+1, total)
	e.mu.Unlock()
	if err := context.Cause(e.Ctx); err != nil {
		return fmt.Errorf("stopped before %s %d of %d: %w", what, done+1, total, err)
	}
	return nil
}

// watch shows progress until the func that it returns is called.
func (e *Env) watch() (stop func()) {
	if e.Progress == nil {
		return func() {}
	}
	end := make(chan struct{})
	var shows errgroup.Group
	shows.Go(func() error {
		start := time.Now()
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		shown := false
		for {
			select {
			case <-ticker.C:
				e.mu.Lock()
				doing, n := e.doing, e.launches
				e.mu.Unlock()
				if doing == "" {
					doing = fmt.Sprintf("launch %d", n)
				}
				e.Progress(fmt.Sprintf("%s, %.0f s", doing, time.Since(start).Seconds()))
				shown = true
			case <-end:
				if shown {
					e.Progress("")
				}
				return nil
			}
		}
	})
	return func() {
		close(end)
		shows.Wait()
	}
}

// counting counts launches on their way.
type counting struct {
	kernels.Launcher
	e *Env
}

// Unwrap returns the launcher that is counted.
func (c counting) Unwrap() kernels.Launcher { return c.Launcher }

// Launch implements [kernels.Launcher].
func (c counting) Launch(ctx context.Context, cfg grid.Config, kernel gocuda.Kernel) error {
	c.e.mu.Lock()
	c.e.launches++
	c.e.mu.Unlock()
	return c.Launcher.Launch(ctx, cfg, kernel)
}

// Find returns the task of the given name.
func Find(name string) (*Task, error) {
	var names []string
	for _, t := range All() {
		if t.Name == name {
			return &t, nil
		}
		names = append(names, t.Name)
	}
	if meant := cli.Nearest(name, names); meant != "" {
		return nil, fmt.Errorf("there is no kernel %q; did you mean %s?", name, meant)
	}
	return nil, fmt.Errorf("there is no kernel %q; there are %s", name, strings.Join(names, ", "))
}
