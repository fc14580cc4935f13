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
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// The executors openmp and opencl are programs in C, built from the sources in baseline by the C
// compilers of this machine when they are first needed, and removed at the end. A program gets the
// problem's data in a file, times itself, and leaves its result in a file, which is verified like
// any other. It runs until all rounds of the problem are over, so that it has the same memory in
// all of them, as the executors of this process have. A sum of 256 MiB takes up to a tenth longer
// in one place of physical memory than in another (a Zen 4: eight arrays, 7.5 to 8.4 Gelem/s, each
// the same in six rounds); a program that is started for each round would have the best of several
// places.
//
// None of this has to be there. Without a compiler, or where one lacks OpenMP or OpenCL, the
// executor is left out, with a note.

//go:embed baseline/*.c baseline/*.h baseline/*.cl
var baseline embed.FS

// native has the programs of a series of figures. Its zero value builds them when they are needed.
type native struct {
	note func(executor, why string) // may be nil

	builds   singleflight.Group // by executor, and of the folder
	mu       sync.Mutex         // of what the builds leave
	dir      string             // of all files, once it is made
	programs map[string][]program

	input   *exchange           // what is in the file of the input
	started map[string]*process // by the path of the program; all of them for the problem of that input
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

// say notes something about an executor. Several may have something to say at the same time.
func (c *native) say(executor, what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.note != nil {
		c.note(executor, what)
	}
}

// command runs a command until it ends.
func (c *native) command(ctx context.Context, name string, args ...string) error {
	cmd, stderr := c.cmd(ctx, name, args)
	if err := cmd.Run(); err != nil {
		return c.reason(err, stderr)
	}
	return nil
}

// cmd makes a command, and says where its complaints go.
func (c *native) cmd(ctx context.Context, name string, args []string) (cmd *exec.Cmd, stderr *bytes.Buffer) {
	cmd, stderr = exec.CommandContext(ctx, name, args...), new(bytes.Buffer)
	cmd.Stderr = stderr
	cmd.WaitDelay = time.Second
	// The OpenCL of pocl keeps what it compiles, in the home directory if it is not told.
	cmd.Env = append(os.Environ(), "POCL_CACHE_DIR="+filepath.Join(c.dir, "pocl"))
	return cmd, stderr
}

// reason is the first line of what a command has printed on stderr that says what is wrong, or else
// err.
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
	cmd, stderr := c.cmd(ctx, name, args)
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

// time times a round of all programs of the executor, of as many runs each, and adds the best of
// them to t. An error is what went wrong if no program has a verified result. Without any program t
// stays as it is.
func (c *native) time(workload string, size int, p *problem, executor string, e env, runs int, t *timing) error {
	programs, err := c.of(e.ctx, executor)
	if err != nil {
		return err
	}
	var best time.Duration
	var workers int
	for _, prog := range programs {
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
	if err != nil {
		c.say(executor, fmt.Sprintf("%s, %v", title(workload, size), err))
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
