package bench

import (
	"bufio"
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// The executors openmp and opencl are programs in C, built from the sources in baseline by the C compilers
// of this machine when they are first needed, and removed at the end. A program gets the problem's data
// in a file, times itself, and leaves its result in a file, which is verified like any other. It stays until all rounds of the
// problem are over, so that it has the same memory in all of them, as the executors of this process have: a sum of 256 MiB takes
// up to a tenth longer in one place of physical memory than in another (a Zen 4: eight arrays, 7.5 to 8.4 Gelem/s, each the same
// in six rounds), and who begins each round anew has the best of several.
//
// None of this has to be there. Without a compiler, or where one lacks OpenMP or OpenCL, the executor is
// left out, with a note.

//go:embed baseline/*.c baseline/*.h baseline/*.cl
var baseline embed.FS

// compilers returns the compilers to try, by kind: of each kind the first that can build the program is
// used. A compiler without a version in its name is the one that the machine's owner has chosen.
func compilers() [][]string {
	kinds := [][]string{{"clang"}, {"gcc"}}
	for v := 30; v >= 12; v-- {
		kinds[0] = append(kinds[0], fmt.Sprint("clang-", v))
	}
	for v := 24; v >= 10; v-- {
		kinds[1] = append(kinds[1], fmt.Sprint("gcc-", v))
	}
	return kinds
}

// native has the programs of a series of figures. Its zero value builds them when they are needed.
type native struct {
	executors []string                   // what is going to be asked for; none for all
	note      func(executor, why string) // may be nil

	dir      string // of all files, once it is made
	err      error  // why there is none
	programs map[string][]program
	input    *exchange           // what is in the file of the input
	started  map[string]*process // by the path of the program; all of them for the problem of that input
}

// A program is an executable file and the compiler that made it.
type program struct {
	compiler string
	path     string
	more     []string // arguments after the usual ones
}

// close ends all programs and removes all files.
func (c *native) close() {
	c.finish()
	if c.dir != "" {
		os.RemoveAll(c.dir)
	}
}

// build makes the programs, unless that has been done.
func (c *native) build(ctx context.Context) error {
	if c.programs != nil || c.err != nil {
		return c.err
	}
	c.programs = map[string][]program{}
	c.dir, c.err = os.MkdirTemp("", "gocuda-bench-")
	if c.err != nil {
		return c.err
	}
	// Under its directory's name, baseline, and next to what is built.
	if c.err = os.CopyFS(c.dir, baseline); c.err != nil {
		return c.err
	}
	wanted := func(executor string) bool {
		for _, e := range c.executors {
			if e == executor {
				return true
			}
		}
		return len(c.executors) == 0
	}
	if wanted(OpenMP) {
		c.buildAll(ctx, OpenMP, false, "-fopenmp", "-lm")
	}
	if wanted(OpenCL) {
		lib := []string{"-lOpenCL"}
		if runtime.GOOS == "darwin" {
			lib = []string{"-framework", "OpenCL"}
		}
		// What counts is the compiler of the OpenCL device; for the host's program any will do.
		c.buildAll(ctx, OpenCL, true, lib...)
		for i := range c.programs[OpenCL] {
			c.programs[OpenCL][i].more = []string{filepath.Join(c.dir, "baseline", "kernels.cl")}
		}
	}
	return nil
}

// buildAll builds the program of the executor with one compiler of each kind, or with only one at all, and
// notes the kinds that can't.
func (c *native) buildAll(ctx context.Context, executor string, one bool, flags ...string) {
	found := false
	var problems []string
	for _, kind := range compilers() {
		if one && len(c.programs[executor]) > 0 {
			return
		}
		var problem string // of the compiler that comes first
		built := false
		for _, name := range kind {
			path, err := exec.LookPath(name)
			if err != nil {
				continue
			}
			found = true
			p := program{compiler: name, path: filepath.Join(c.dir, executor+"-"+name+exe())}
			if err := c.compile(ctx, path, executor, p, flags); err == nil {
				c.programs[executor] = append(c.programs[executor], p)
				built = true
				break
			} else if problem == "" {
				problem = fmt.Sprintf("%s: %v", name, err)
			}
		}
		if !built && problem != "" {
			problems = append(problems, problem)
		}
	}
	if ctx.Err() != nil || c.note == nil {
		return
	}
	switch {
	case !found:
		c.note(executor, "left out, because there is no C compiler, neither clang nor gcc")
	case len(c.programs[executor]) == 0:
		c.note(executor, "left out, because no compiler builds it: "+strings.Join(problems, "; "))
	case !one:
		for _, p := range problems {
			c.note(executor, "one compiler does not build it: "+p)
		}
	}
}

func exe() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

// compile builds a program and sees whether it starts: its libraries may be missing, or a device.
func (c *native) compile(ctx context.Context, compiler, executor string, p program, flags []string) error {
	source := filepath.Join(c.dir, "baseline", executor+".c")
	args := append([]string{"-O3", "-march=native", "-ffast-math", "-w", "-o", p.path, source}, flags...)
	if _, err := c.command(ctx, compiler, args...); err != nil {
		return err
	}
	args = []string{"probe", "1", "1", "1", "", ""}
	if executor == OpenCL {
		args = append(args, "")
	}
	_, err := c.command(ctx, p.path, args...)
	return err
}

// command runs a command until it ends and returns what it prints.
func (c *native) command(ctx context.Context, name string, args ...string) ([]byte, error) {
	cmd, stderr := c.prepare(ctx, name, args)
	out, err := cmd.Output()
	if err != nil {
		return nil, c.reason(err, stderr)
	}
	return out, nil
}

// prepare makes a command, and says where its complaints go.
func (c *native) prepare(ctx context.Context, name string, args []string) (cmd *exec.Cmd, stderr *bytes.Buffer) {
	cmd, stderr = exec.CommandContext(ctx, name, args...), new(bytes.Buffer)
	cmd.Stderr = stderr
	cmd.WaitDelay = time.Second
	// The OpenCL of pocl keeps what it compiles, in the home directory if it is not told.
	cmd.Env = append(os.Environ(), "POCL_CACHE_DIR="+filepath.Join(c.dir, "pocl"))
	return cmd, stderr
}

// reason is the first line of what a command has printed on stderr that says what is wrong, or else err.
func (c *native) reason(err error, stderr *bytes.Buffer) error {
	first := ""
	for line := range strings.Lines(stderr.String()) {
		line = strings.TrimSpace(line)
		if strings.Contains(line, "error") {
			first = line
			break
		}
		if first == "" {
			first = line
		}
	}
	if first == "" {
		return err
	}
	return errors.New(strings.ReplaceAll(first, c.dir+string(filepath.Separator), ""))
}

// A process is a program that has begun, and waits for the next round or works on it.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr *bytes.Buffer
}

// start starts a program of the executors.
func (c *native) start(ctx context.Context, name string, args []string) (*process, error) {
	cmd, stderr := c.prepare(ctx, name, args)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &process{cmd, stdin, bufio.NewReader(stdout), stderr}, nil
}

// round has p do a round, and returns the line that it prints. An error ends p.
func (c *native) round(p *process) (string, error) {
	io.WriteString(p.stdin, "\n") // if it has ended, it prints nothing either
	line, err := p.stdout.ReadString('\n')
	if err == nil {
		return line, nil
	}
	p.stdin.Close()
	if e := p.cmd.Wait(); e != nil {
		err = e
	}
	if err == io.EOF {
		err = fmt.Errorf("it printed %q", line)
	}
	return "", c.reason(err, p.stderr)
}

// finish ends the programs that have begun.
func (c *native) finish() {
	for path := range c.started {
		c.end(path)
	}
}

// end ends the program at path.
func (c *native) end(path string) {
	p := c.started[path]
	p.stdin.Close()
	io.Copy(io.Discard, p.stdout)
	p.cmd.Wait()
	delete(c.started, path)
}

// time times a round of all programs of the executor, of as many runs each, and adds the best of them to t. An error is what went
// wrong if no program has a verified result. Without any program t stays as it is.
func (c *native) time(workload string, size int, p *problem, executor string, e env, runs int, t *timing) error {
	if err := c.build(e.ctx); err != nil {
		return err
	}
	var best time.Duration
	var workers int
	var err error
	for _, prog := range c.programs[executor] {
		d, w, e := c.timeOne(workload, size, p, prog, e, runs)
		switch {
		case e != nil:
			err = fmt.Errorf("built by %s: %w", prog.compiler, e)
		case best == 0 || d < best:
			best, workers = d, w
		}
	}
	if best == 0 {
		return err
	}
	if err != nil && c.note != nil {
		c.note(executor, fmt.Sprintf("%s, %v", title(workload, size), err))
	}
	if t.add(best); t.best == best {
		t.workers = workers
	}
	return nil
}

func (c *native) timeOne(workload string, size int, p *problem, prog program, e env, runs int) (best time.Duration, workers int, err error) {
	input, output := filepath.Join(c.dir, "input"), filepath.Join(c.dir, "output")
	if c.input != p.native {
		c.finish()
		c.input = nil
		if err := p.native.writeInput(input); err != nil {
			return 0, 0, err
		}
		c.input = p.native
	}
	defer os.Remove(output)
	run := c.started[prog.path]
	if run == nil {
		args := append([]string{workload, strconv.Itoa(size), strconv.Itoa(e.workers), strconv.Itoa(runs), input, output}, prog.more...)
		if run, err = c.start(e.ctx, prog.path, args); err != nil {
			return 0, 0, err
		}
		if c.started == nil {
			c.started = map[string]*process{}
		}
		c.started[prog.path] = run
	}
	defer func() {
		if err != nil && c.started[prog.path] != nil {
			c.end(prog.path) // so that it does not keep its memory
		}
	}()
	out, err := c.round(run)
	if err != nil {
		delete(c.started, prog.path)
		return 0, 0, err
	}
	var r struct {
		Seconds float64
		Workers int
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil || r.Seconds < 0 || r.Workers < 1 {
		return 0, 0, fmt.Errorf("it printed %q", out)
	}
	// No result of another executor may be taken for one of this.
	if p.reset != nil {
		p.reset()
	}
	if p.wipe != nil {
		p.wipe(1)
	}
	if err := p.native.readOutput(output); err != nil {
		return 0, 0, err
	}
	if err := p.check(); err != nil {
		return 0, 0, fmt.Errorf("the result is wrong: %w", err)
	}
	return max(1, time.Duration(r.Seconds*1e9)), r.Workers, nil
}
