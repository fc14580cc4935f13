package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/bodies"
	"github.com/gocuda/gocuda/internal/cli"
	"github.com/gocuda/gocuda/internal/orbits"
	"github.com/gocuda/gocuda/kernels"
	knbody "github.com/gocuda/gocuda/kernels/nbody"
)

const nbodyUsage = `usage: gocuda nbody [flags]

Integrates bodies that attract each other, by the symplectic Euler method, and prints their energy before
and after. Without -file they are the Sun and the four giant planets of the well-known n-body benchmark,
in astronomical units and years. A file has a line for each body,

	name,x,y,z,vx,vy,vz,mass

in any units in which the gravitational constant is 1; the header is optional and # begins a comment.

`

// mostSteps is how many steps are taken at most to close the orbits of a picture.
const mostSteps = 1_000_000

// nbodyFlags is the command line of gocuda nbody.
type nbodyFlags struct {
	file, png, out string
	steps, size    int
	dt, softening  float64
	written        string // blocks or threads
	stepsGiven     bool
}

// nbody integrates the solar system, or the bodies of a file. It returns the exit status: 2 for a wrong
// command line, 130 after Ctrl-C, and 1 for everything else that fails.
func nbody(args []string, stdout, stderr io.Writer) int {
	fs, o := nbodyFlagSet()
	if status, ok := cli.ParseAlone(fs, args, stdout, stderr); !ok {
		return status
	}
	fs.Visit(func(f *flag.Flag) { o.stepsGiven = o.stepsGiven || f.Name == "steps" })
	if err := o.check(); err != nil {
		fmt.Fprintf(stderr, "gocuda nbody: %v (gocuda nbody -h explains the flags)\n", err)
		return 2
	}
	system, err := o.read()
	exit := 1
	if err == nil {
		// Not before the file is read: until then Ctrl-C ends the process as it would any other.
		ctx, stop := interruptible()
		defer stop()
		context.AfterFunc(ctx, stop) // a second Ctrl-C does so again
		err = o.run(ctx, system, stdout, stderr)
		exit = failure(ctx)
	}
	if err != nil {
		fmt.Fprintln(stderr, "gocuda nbody:", err)
		return exit
	}
	return 0
}

// nbodyFlagSet returns the flags, and the settings that they set.
func nbodyFlagSet() (*flag.FlagSet, *nbodyFlags) {
	o := &nbodyFlags{}
	fs := flag.NewFlagSet("gocuda nbody", flag.ContinueOnError)
	fs.StringVar(&o.file, "file", "", "read the bodies from the CSV `file`")
	fs.IntVar(&o.steps, "steps", 1000, "the `number` of steps; if it is not given with -png, as many as close the orbits around the heaviest body")
	fs.Float64Var(&o.dt, "dt", 0.01, "the `time` of a step; negative goes back")
	fs.Float64Var(&o.softening, "softening", 0, "the `length` below which attraction fades, 0 for none; the energy includes it")
	fs.StringVar(&o.written, "form", "blocks", "how the kernel is written, `blocks or threads`")
	fs.StringVar(&o.png, "png", "", "draw the orbits into the PNG `file`")
	fs.IntVar(&o.size, "size", 1000, "the width and height of the picture in `pixels`")
	fs.StringVar(&o.out, "o", "", "write the bodies as they are after the last step to the CSV `file`")
	fs.Usage = func() {
		fmt.Fprint(fs.Output(), nbodyUsage)
		fs.PrintDefaults()
	}
	return fs, o
}

// check returns what is wrong with the command line, and completes the settings.
func (o *nbodyFlags) check() error {
	same := func(a, b string) bool { return a != "" && b != "" && filepath.Clean(a) == filepath.Clean(b) }
	switch {
	case o.steps < 0:
		return fmt.Errorf("-steps %d: expected 0 or more", o.steps)
	case o.dt == 0 || math.IsNaN(o.dt) || math.IsInf(o.dt, 0):
		return fmt.Errorf("-dt %v: expected a finite time other than 0", o.dt)
	case !(o.softening >= 0) || math.IsInf(o.softening, 0):
		return fmt.Errorf("-softening %v: expected a finite length of 0 or more", o.softening)
	case o.size < orbits.MinSize || o.size > orbits.MaxSize:
		return fmt.Errorf("-size %d: expected %d to %d pixels", o.size, orbits.MinSize, orbits.MaxSize)
	case same(o.png, o.out):
		return fmt.Errorf("-png and -o name the same file %s", o.png)
	case same(o.png, o.file):
		return fmt.Errorf("-png would overwrite the bodies in %s", o.file)
	}
	if o.written != "blocks" && o.written != "threads" {
		return fmt.Errorf("-form %q: expected blocks or threads", o.written)
	}
	return nil
}

// closeOrbits takes as many steps as the longest of the orbits has, if it has one and that is not
// too many.
func (o *nbodyFlags) closeOrbits(s bodies.System) {
	if period, ok := s.LongestPeriod(); ok {
		if n := math.Ceil(period / math.Abs(o.dt)); n <= mostSteps {
			o.steps = int(n)
		}
	}
}

// read returns the bodies that the command line names.
func (o nbodyFlags) read() (bodies.System, error) {
	if o.file == "" {
		return bodies.Solar(), nil
	}
	f, err := os.Open(o.file)
	if err != nil {
		return bodies.System{}, err
	}
	defer f.Close()
	return bodies.ReadCSV(f, o.file)
}

// run integrates s and prints what comes out.
func (o nbodyFlags) run(ctx context.Context, s bodies.System, stdout, stderr io.Writer) (err error) {
	// Files that can't be written should not come to light after hours of work.
	picture, err := reserve(o.png)
	if err != nil {
		return err
	}
	defer picture.abandon()
	table, err := reserve(o.out)
	if err != nil {
		return err
	}
	defer table.abandon()

	if o.png != "" && !o.stepsGiven {
		o.closeOrbits(s)
	}
	before, err := o.energy(ctx, s)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "energy before    %s\n", formatEnergy(before))
	var tracks *orbits.Tracks
	if o.png != "" {
		unit, times := "AU", " years"
		if o.file != "" {
			unit, times = "", " units of time"
		}
		tracks = orbits.New(s.Names, unit)
		if tracks.Title = fmt.Sprintf("%.4g", float64(o.steps)*math.Abs(o.dt)) + times; o.dt < 0 {
			tracks.Title += " back"
		}
	}
	start := time.Now()
	if err := o.integrate(ctx, s, tracks, stderr); err != nil {
		return err
	}
	elapsed := time.Since(start)
	after, err := o.energy(ctx, s)
	if err != nil {
		return fmt.Errorf("after step %d: %w", o.steps, err)
	}
	fmt.Fprintf(stdout, "energy after     %s\n", formatEnergy(after))
	if before != 0 {
		fmt.Fprintf(stdout, "relative change  %.3e\n", (after-before)/math.Abs(before))
	} else {
		fmt.Fprintf(stdout, "change           %.3e (from 0)\n", after)
	}
	if o.steps > 0 {
		fmt.Fprintf(stdout, "time per step    %s (%d steps, %d bodies, %v)\n", formatTime(elapsed.Seconds()/float64(o.steps)), o.steps, s.Len(), o.written)
	}
	if err := table.commit(s.WriteCSV); err != nil {
		return err
	}
	return picture.commit(func(w io.Writer) error { return tracks.WritePNG(w, o.size) })
}

// integrate takes the steps and, where tracks is not nil, has it follow them.
func (o nbodyFlags) integrate(ctx context.Context, s bodies.System, tracks *orbits.Tracks, stderr io.Writer) error {
	acc := make([]kernels.Vec3[float64], s.Len())
	on, method := kernels.Launcher(gocuda.Default()), knbody.Blocks
	if o.written == "threads" { // as it is written, on coroutines
		on, method = kernels.Uncompiled(on), knbody.Tiled
	}
	m := newMeter(stderr, o.steps, time.Now())
	defer m.clear()
	for done := 0; ; done++ {
		for i, b := range s.Bodies {
			if b.X-b.X != 0 || b.Y-b.Y != 0 || b.Z-b.Z != 0 { // infinite, or not a number
				return fmt.Errorf("step %d: %s has left the range of float64: bodies are too near each other or too fast for steps of %v (try a smaller -dt, or -softening)",
					done, s.Names[i], o.dt)
			}
			if tracks != nil {
				if err := tracks.Add(i, b.X, b.Y, b.Z); err != nil {
					return err
				}
			}
		}
		if done == o.steps {
			return nil
		}
		if err := knbody.EulerStep(ctx, on, method, o.dt, o.softening, s.Bodies, s.Velocities, acc); err != nil {
			if ctx.Err() != nil {
				return fmt.Errorf("interrupted after %d of %d steps", done, o.steps)
			}
			return fmt.Errorf("step %d: %w", done+1, err)
		}
		m.show(done+1, time.Now())
	}
}

// energy returns the energy of s, or an error if it isn't finite. It stops waiting when ctx is done.
func (o nbodyFlags) energy(ctx context.Context, s bodies.System) (float64, error) {
	result := make(chan float64, 1)
	go func() {
		if o.softening == 0 {
			result <- knbody.Energy(s.Bodies, s.Velocities)
		} else {
			result <- softEnergy(s, o.softening)
		}
	}()
	var e float64
	select {
	case e = <-result:
	case <-ctx.Done():
		return 0, errors.New("interrupted while summing the energy")
	}
	if e-e == 0 {
		return e, nil
	}
	type place struct{ x, y, z float64 }
	at := make(map[place]int, s.Len())
	for i, b := range s.Bodies {
		p := place{b.X, b.Y, b.Z}
		if j, taken := at[p]; taken && o.softening == 0 {
			return 0, fmt.Errorf("the energy is not finite: %s and %s are at the same place (-softening allows that)", s.Names[j], s.Names[i])
		}
		at[p] = i
	}
	return 0, fmt.Errorf("the energy is not finite (%v): masses or velocities are too large, or bodies too near each other", e)
}

// softEnergy is knbody.Energy with the potential that softened attraction has: with d²+eps² for d². It
// is what such a run conserves.
func softEnergy(s bodies.System, eps float64) float64 {
	e := 0.0
	for i, b := range s.Bodies {
		v := s.Velocities[i]
		e += b.Mass * (v.X*v.X + v.Y*v.Y + v.Z*v.Z) / 2
		for _, o := range s.Bodies[i+1:] {
			dx, dy, dz := b.X-o.X, b.Y-o.Y, b.Z-o.Z
			e -= b.Mass * o.Mass / math.Sqrt(dx*dx+dy*dy+dz*dz+eps*eps)
		}
	}
	return e
}

// formatEnergy prints as the benchmark does, where that shows the digits.
func formatEnergy(e float64) string {
	if size := math.Abs(e); size != 0 && (size < 1e-3 || size >= 1e9) {
		return fmt.Sprintf("%.9e", e)
	}
	return fmt.Sprintf("%.9f", e)
}

// formatTime prints a time in seconds with three digits.
func formatTime(s float64) string {
	switch {
	case s < 1e-3:
		return fmt.Sprintf("%.3g us", s*1e6)
	case s < 1:
		return fmt.Sprintf("%.3g ms", s*1e3)
	}
	return fmt.Sprintf("%.3g s", s)
}

// An output is a file that is open and waits for its content. What was in it stays until commit.
type output struct {
	f    *os.File
	made bool // by reserve
}

// reserve opens path for writing. An empty path gives nil, of which all methods do nothing.
func reserve(path string) (*output, error) {
	if path == "" {
		return nil, nil
	}
	_, err := os.Stat(path)
	made := errors.Is(err, os.ErrNotExist)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	return &output{f, made}, nil
}

// commit replaces what is in the file, and closes it.
func (p *output) commit(write func(io.Writer) error) error {
	if p == nil {
		return nil
	}
	if info, err := p.f.Stat(); err == nil && info.Mode().IsRegular() {
		if err := p.f.Truncate(0); err != nil {
			return err
		}
	}
	w := bufio.NewWriter(p.f)
	err := write(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = p.f.Close()
	}
	if err == nil {
		p.f = nil
	}
	return err
}

// abandon closes a file that was not committed, and removes it if it is new.
func (p *output) abandon() {
	if p == nil || p.f == nil {
		return
	}
	p.f.Close()
	if p.made {
		os.Remove(p.f.Name())
	}
}

// A meter shows on a terminal how far a run is, from its second second on.
type meter struct {
	w           io.Writer // nil for no terminal
	total       int
	start, next time.Time
	shown       int // characters
}

func newMeter(stderr io.Writer, total int, now time.Time) *meter {
	m := &meter{total: total, start: now, next: now.Add(time.Second)}
	if isTerminal(stderr) {
		m.w = stderr
	}
	return m
}

func (m *meter) show(done int, now time.Time) {
	if m.w == nil || now.Before(m.next) {
		return
	}
	m.next = now.Add(200 * time.Millisecond)
	part := float64(done) / float64(m.total)
	left := time.Duration(float64(now.Sub(m.start)) * (1 - part) / part).Round(time.Second)
	line := fmt.Sprintf("step %d of %d (%.0f %%), %v left", done, m.total, 100*part, left)
	fmt.Fprintf(m.w, "\r%-*s", m.shown, line)
	m.shown = max(m.shown, len(line))
}

// clear takes the line away.
func (m *meter) clear() {
	if m.shown > 0 {
		fmt.Fprintf(m.w, "\r%s\r", strings.Repeat(" ", m.shown))
	}
}
