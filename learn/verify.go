package learn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
)

// A variant is one text of an exercise's kernel.go with what is expected of it.
type variant struct {
	e       *Exercise
	folder  string   // of its package, below verifyFolder
	what    string   // the stub, the solution, or a mistake by its name
	mistake *Mistake // or nil
	stub    bool
	text    []byte
	more    map[string][]byte // further files beside kernel.go
	res     Result
}

const verifyFolder = "verify"

// Verify judges exercises by their own files: the stub compiles and fails, the solution passes, and each planted mistake is
// caught by the check that is meant for it. It works in a temporary folder. It returns how many of these statements
// are false, and how many checks have not run.
//
// All variants are built into one program, since linking takes longer than all the rest, and each runs in a process of its own.
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
	all, err := variants(chosen)
	if err != nil {
		return 0, 0, err
	}
	p, err := c.buildVariants(ctx, all)
	if err != nil {
		return 0, 0, err
	}
	defer p.Close()

	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, v := range all {
		if v.res.Failed() != nil {
			continue // it does not build
		}
		group.Go(func() (err error) {
			v.res, err = v.e.judge(ctx, p, filepath.Join(dir, verifyFolder, v.folder), "^TestAll$/^"+v.folder+"$", "")
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return 0, 0, err
	}
	for _, v := range all {
		for _, o := range v.res.Outcomes {
			if o.Status == NotRun && v.mistake == nil && !v.stub {
				notRun++
				fmt.Fprintf(w, "not run %s: %s: %s\n", v.e.Name, o.Check, o.Text)
			}
		}
		ok, say := v.verdict()
		word := "ok   "
		if !ok {
			word = "WRONG"
			wrong++
		}
		fmt.Fprintf(w, "%s %s: %s\n", word, v.e.Name, say)
	}
	return wrong, notRun, nil
}

// variants are the stub, the solution and the mistakes of each exercise.
func variants(chosen []*Exercise) (all []*variant, err error) {
	for _, e := range chosen {
		if n := len(e.Mistakes); n < 2 || n > 4 {
			return nil, fmt.Errorf("%s has %d planted mistakes, not two to four", e.Name, n)
		}
		stub, err := e.Text("kernel.go.txt")
		if err != nil {
			return nil, err
		}
		solution, err := e.Text("solution.go.txt")
		if err != nil {
			return nil, err
		}
		all = append(all, &variant{e: e, folder: e.Name + "_stub", what: "the stub", stub: true, text: stub},
			&variant{e: e, folder: e.Name + "_solution", what: "the solution", text: solution})
		for i := range e.Mistakes {
			text, err := e.Planted(e.Mistakes[i])
			if err != nil {
				return nil, err
			}
			all = append(all, &variant{e: e, folder: fmt.Sprintf("%s_mistake%d", e.Name, i+1), what: "mistake " + e.Mistakes[i].Name, mistake: &e.Mistakes[i], text: text})
		}
	}
	return all, nil
}

// verdict says whether the result is the expected one.
func (v *variant) verdict() (ok bool, say string) {
	f := v.res.Failed()
	switch {
	case f == nil && v.stub:
		return false, "the stub passes"
	case f == nil && v.mistake != nil:
		return false, fmt.Sprintf("%s passes; %s should catch it", v.what, v.mistake.Check)
	case f == nil:
		return true, "the solution passes"
	case f.Check == CheckBuild && (v.mistake == nil || v.mistake.Check != CheckBuild):
		return false, fmt.Sprintf("%s does not build: %s", v.what, f.Text)
	case v.stub:
		return true, fmt.Sprintf("the stub fails by %s: %s", f.Check, f.Text)
	case v.mistake != nil:
		return f.Check == v.mistake.Check, fmt.Sprintf("%s is caught by %s (meant: %s): %s", v.what, f.Check, v.mistake.Check, f.Text)
	}
	return false, fmt.Sprintf("the solution fails by %s: %s", f.Check, f.Text)
}

// packageLine is how the go command begins the errors of a package.
var packageLine = regexp.MustCompile(`(?m)^# course/` + verifyFolder + `/(\S+)`)

// buildVariants builds the program of all variants. One that does not compile gets a failed result, and is left out.
func (c *Course) buildVariants(ctx context.Context, all []*variant) (*program, error) {
	for _, v := range all {
		folder := filepath.Join(c.Dir, verifyFolder, v.folder)
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(folder, "kernel.go"), v.text, 0o666); err != nil {
			return nil, err
		}
		for name, text := range v.more {
			if err := os.WriteFile(filepath.Join(folder, name), text, 0o666); err != nil {
				return nil, err
			}
		}
		// Not a name of a test file: another package calls the test.
		if err := c.copyOut(v.e, "kernel_test.go.txt", filepath.Join(folder, "exercise.go")); err != nil {
			return nil, err
		}
		if why := v.e.readable(filepath.Join(folder, "kernel.go")); why != "" {
			v.res.add(Outcome{CheckBuild, Failed, why})
		}
	}
	if len(all) == 0 {
		return nil, errors.New("there is nothing to build")
	}
	out, err := runLimited(ctx, c.limits.forBuild(), c.Dir, nil, "go", "build", "./"+verifyFolder+"/...")
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		at := packageLine.FindAllStringSubmatchIndex(out, -1)
		if at == nil {
			return nil, errors.New(compileErrors(out, err))
		}
		for i, m := range at {
			end := len(out)
			if i+1 < len(at) {
				end = at[i+1][0]
			}
			j := slices.IndexFunc(all, func(v *variant) bool { return v.folder == out[m[2]:m[3]] })
			if j < 0 {
				return nil, errors.New(compileErrors(out, err))
			}
			all[j].res.add(Outcome{CheckBuild, Failed, strings.TrimPrefix(compileErrors(out[m[0]:end], err), buildFailed)})
		}
	}
	var imports, calls bytes.Buffer
	var folders []string
	for i, v := range all {
		if v.res.Failed() == nil {
			fmt.Fprintf(&imports, "\tp%d \"course/%s/%s\"\n", i, verifyFolder, v.folder)
			fmt.Fprintf(&calls, "\tt.Run(%q, p%d.%s)\n", v.folder, i, v.e.TestName())
			folders = append(folders, "./"+verifyFolder+"/"+v.folder)
		}
	}
	main := filepath.Join(c.Dir, verifyFolder, "all")
	if err := os.MkdirAll(main, 0o777); err != nil {
		return nil, err
	}
	text := "package all\n\nimport (\n\t\"testing\"\n\n" + imports.String() + ")\n\nfunc TestAll(t *testing.T) {\n" + calls.String() + "}\n"
	if err := os.WriteFile(filepath.Join(main, "all_test.go"), []byte(text), 0o666); err != nil {
		return nil, err
	}
	p, err := c.build(ctx, "./"+verifyFolder+"/all", true, folders...)
	if compile := (errCompile{}); errors.As(err, &compile) {
		err = errors.New(strings.TrimSpace(compile.text))
	}
	return p, err
}
