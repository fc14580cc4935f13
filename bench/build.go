package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

// How the programs in C are built.

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

// prepare builds the programs of the executors, those of all of them at the same time.
func (c *native) prepare(ctx context.Context, executors ...string) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, e := range executors {
		group.Go(func() error {
			_, err := c.of(ctx, e)
			return err
		})
	}
	return group.Wait()
}

// has reports whether the executor has a program that was built.
func (c *native) has(executor string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.programs[executor]) > 0
}

// of returns the programs of an executor, and builds them if nobody has. It is an error if there is
// no room for them; without a compiler there is no program.
func (c *native) of(ctx context.Context, executor string) ([]program, error) {
	v, err, _ := c.builds.Do(executor, func() (any, error) {
		c.mu.Lock()
		programs, ok := c.programs[executor]
		c.mu.Unlock()
		if ok {
			return programs, nil
		}
		dir, err := c.folder()
		if err != nil {
			return nil, err
		}
		programs = c.build(ctx, dir, executor)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.programs == nil {
			c.programs = map[string][]program{}
		}
		c.programs[executor] = programs
		return programs, nil
	})
	if err != nil {
		return nil, err
	}
	return v.([]program), nil
}

// folder returns the folder of all files, with the sources in it. Two executors may ask for it at
// the same time.
func (c *native) folder() (string, error) {
	_, err, _ := c.builds.Do("", func() (any, error) {
		if c.dir != "" {
			return nil, nil
		}
		dir, err := os.MkdirTemp("", "gocuda-bench-")
		if err != nil {
			return nil, err
		}
		c.dir = dir
		return nil, os.CopyFS(dir, baseline) // under its directory's name, baseline, and next to what is built
	})
	return c.dir, err
}

// compiling bounds how many compilers run at a time, of all executors together.
var compiling = semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0)))

// build makes the programs of an executor in the folder, and notes what can't be.
func (c *native) build(ctx context.Context, dir, executor string) []program {
	flags, one, more := []string{"-fopenmp", "-lm"}, false, []string(nil)
	if executor == OpenCL {
		// What counts is the compiler of the OpenCL device; for the host's program any will do.
		flags, one, more = []string{"-lOpenCL"}, true, []string{filepath.Join(dir, "baseline", "kernels.cl")}
		if runtime.GOOS == "darwin" {
			flags = []string{"-framework", "OpenCL"}
		}
	}
	kinds := compilers()
	built, problems := make([]*program, len(kinds)), make([]error, len(kinds))
	var group errgroup.Group
	if one {
		group.SetLimit(1)
	}
	for i, kind := range kinds {
		group.Go(func() error {
			if one && i > 0 && built[i-1] != nil {
				return nil
			}
			built[i], problems[i] = c.buildKind(ctx, dir, executor, kind, flags)
			return nil
		})
	}
	group.Wait()
	var programs []program
	for _, p := range built {
		if p != nil {
			p.more = more
			programs = append(programs, *p)
		}
	}
	if ctx.Err() == nil {
		c.notes(executor, len(programs) > 0, problems)
	}
	return programs
}

// buildKind makes the program with the first compiler of a kind that can. Without any compiler of
// the kind there is neither a program nor an error; the error is that of the compiler that comes
// first.
func (c *native) buildKind(ctx context.Context, dir, executor string, kind, flags []string) (*program, error) {
	var first error
	for _, name := range kind {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		p := &program{compiler: name, path: filepath.Join(dir, executor+"-"+name+exe())}
		if err := c.compile(ctx, dir, path, executor, p.path, flags); err == nil {
			return p, nil
		} else if first == nil {
			first = fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil, first
}

// notes says why an executor is left out, or a compiler of an executor that is not.
func (c *native) notes(executor string, built bool, problems []error) {
	problems = slices.DeleteFunc(problems, func(err error) bool { return err == nil })
	say := ""
	if len(problems) > 0 {
		say = " (" + strings.ReplaceAll(errors.Join(problems...).Error(), "\n", "; ") + ")"
	}
	switch {
	case built && executor == OpenMP && say != "":
		c.say(executor, "one compiler does not build it"+say)
	case built:
	case executor == OpenMP:
		c.say(executor, "no C compiler with OpenMP found"+say+": install clang and libomp, or gcc")
	case len(problems) == 0:
		c.say(executor, "no C compiler found to build its program: install clang or gcc")
	case slices.ContainsFunc(problems, func(err error) bool { return errors.Is(err, errProbe) }):
		c.say(executor, "no OpenCL device"+say+": pocl is one for the processor")
	default:
		c.say(executor, "its program can't be built"+say+": install OpenCL's headers and loader")
	}
}

// errProbe is that a program was built and does not start.
var errProbe = errors.New("the program does not start")

func exe() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

// compile builds a program and sees whether it starts: its libraries may be missing, or a device.
func (c *native) compile(ctx context.Context, dir, compiler, executor, path string, flags []string) error {
	if err := compiling.Acquire(ctx, 1); err != nil {
		return err
	}
	defer compiling.Release(1)
	source := filepath.Join(dir, "baseline", executor+".c")
	args := append([]string{"-O3", "-march=native", "-ffast-math", "-w", "-o", path, source}, flags...)
	if err := c.command(ctx, compiler, args...); err != nil {
		return err
	}
	args = []string{"probe", "1", "1", "1", "", ""}
	if executor == OpenCL {
		args = append(args, "")
	}
	if err := c.command(ctx, path, args...); err != nil {
		return fmt.Errorf("%w: %w", errProbe, err)
	}
	return nil
}
