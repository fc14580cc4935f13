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
	plain   run // of the program without the overlay
}

const verifyFolder = "verify"

// together is how many variants are built into a program.
const together = 40

// Verify judges exercises by their own files: the stub compiles and fails, the solution passes, and
// each planted mistake is caught by the check that is meant for it. It works in a temporary folder.
// It returns how many of these statements are false, and how many checks have not run.
//
// Variants are built into one program, since linking takes longer than all the rest, and each runs
// in a process of its own. To limit the disk space of a build, a program has the variants of some
// exercises only.
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
	for some := range slices.Chunk(all, together) {
		if err := c.judgeVariants(ctx, some); err != nil {
			return 0, 0, err
		}
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

// judgeVariants builds the variants into one program and judges each.
func (c *Course) judgeVariants(ctx context.Context, some []*variant) error {
	// What one program leaves is of no use to the next.
	defer os.RemoveAll(filepath.Join(c.Dir, verifyFolder))
	p, err := c.buildVariants(ctx, some)
	if err != nil {
		return err
	}
	defer p.Close()
	return c.judgeBuilt(ctx, p, some)
}

// judgeBuilt judges the variants that are built into p, as Check does. The program with the overlay
// is built for those alone that get so far, when the other one has done its work and is gone: the
// two need not be on the disk together.
func (c *Course) judgeBuilt(ctx context.Context, p *program, all []*variant) error {
	all = slices.DeleteFunc(slices.Clone(all), func(v *variant) bool { return v.res.Failed() != nil })
	err := inParallel(all, func(v *variant) (err error) {
		v.plain, v.res, err = v.e.judgePlain(ctx, p, v.dir(c), v.match())
		return err
	})
	if err != nil {
		return err
	}
	if err := os.Remove(p.plain); err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(v *variant) bool { return v.res.Failed() != nil })
	probed := slices.DeleteFunc(slices.Clone(all), func(v *variant) bool { return !v.e.probed() })
	if len(probed) > 0 {
		folders, err := c.writeAll(probed)
		if err != nil {
			return err
		}
		if err := p.buildProbed(ctx, c.Dir, "./"+verifyFolder+"/all", folders...); err != nil {
			return err
		}
	}
	return inParallel(all, func(v *variant) error {
		return v.e.judgeProbed(ctx, p, v.dir(c), v.match(), "", v.plain, &v.res)
	})
}

// inParallel calls judge with each variant.
func inParallel(all []*variant, judge func(*variant) error) error {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, v := range all {
		group.Go(func() error { return judge(v) })
	}
	return group.Wait()
}

// dir is the folder of the variant's package.
func (v *variant) dir(c *Course) string { return filepath.Join(c.Dir, verifyFolder, v.folder) }

// match is the pattern of the variant's test in the program of several.
func (v *variant) match() string { return "^TestAll$/^" + v.folder + "$" }

// packageLine is how the go command begins the errors of a package.
var packageLine = regexp.MustCompile(`(?m)^# course/` + verifyFolder + `/(\S+)`)

// buildVariants builds the program of all variants, without the overlay. One that does not compile
// gets a failed result, and is left out.
func (c *Course) buildVariants(ctx context.Context, all []*variant) (p *program, err error) {
	for _, v := range all {
		folder := v.dir(c)
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
	if p, err = c.newProgram(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			p.Close()
			p = nil
		}
	}()
	out, err := p.goCommand(ctx, c.Dir, "build", "./"+verifyFolder+"/...")
	if err != nil && out == "" {
		return p, err
	}
	if err != nil {
		at := packageLine.FindAllStringSubmatchIndex(out, -1)
		if at == nil {
			return p, errors.New(compileErrors(out, err))
		}
		for i, m := range at {
			end := len(out)
			if i+1 < len(at) {
				end = at[i+1][0]
			}
			said := out[m[0]:end]
			j := slices.IndexFunc(all, func(v *variant) bool { return v.folder == out[m[2]:m[3]] })
			if j < 0 || !position.MatchString(said) {
				return p, errors.New(compileErrors(said, err)) // no mistake of a variant's
			}
			all[j].res.add(Outcome{CheckBuild, Failed, strings.TrimPrefix(compileErrors(said, err), buildFailed)})
		}
	}
	built := slices.DeleteFunc(slices.Clone(all), func(v *variant) bool { return v.res.Failed() != nil })
	if _, err := c.writeAll(built); err != nil {
		return p, err
	}
	err = p.buildPlain(ctx, c.Dir, "./"+verifyFolder+"/all")
	if compile := (errCompile{}); errors.As(err, &compile) {
		err = errors.New(strings.TrimSpace(compile.text))
	}
	return p, err
}

// writeAll writes the package with the tests of the variants. It returns the folders of these, as
// patterns.
func (c *Course) writeAll(all []*variant) (folders []string, err error) {
	var imports, calls bytes.Buffer
	for i, v := range all {
		fmt.Fprintf(&imports, "\tp%d \"course/%s/%s\"\n", i, verifyFolder, v.folder)
		fmt.Fprintf(&calls, "\tt.Run(%q, p%d.%s)\n", v.folder, i, v.e.TestName())
		folders = append(folders, "./"+verifyFolder+"/"+v.folder)
	}
	main := filepath.Join(c.Dir, verifyFolder, "all")
	if err := os.MkdirAll(main, 0o777); err != nil {
		return nil, err
	}
	text := "package all\n\nimport (\n\t\"testing\"\n\n" + imports.String() + ")\n\nfunc TestAll(t *testing.T) {\n" + calls.String() + "}\n"
	return folders, os.WriteFile(filepath.Join(main, "all_test.go"), []byte(text), 0o666)
}
