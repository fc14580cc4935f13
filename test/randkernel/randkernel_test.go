package randkernel

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

var (
	seeds = flag.Int("seeds", 2, "how many random programs TestCompiledAgrees runs")
	first = flag.Uint64("first", 1, "the seed of the first of them")
	most  = flag.Duration("shrink", 90*time.Second, "how long to look for a smaller kernel that fails")
)

// perProgram is the number of kernels of a program: compiling takes longer than running.
const perProgram = 18

// root is the folder of the module, in which the programs of the tests are: they import packages of
// it that others may not.
const root = "../.."

func TestSourceIsDeterministic(t *testing.T) {
	if !bytes.Equal(Source(5, 3), Source(5, 3)) {
		t.Error("the same seed gives two programs")
	}
	if bytes.Equal(Source(5, 3), Source(6, 3)) {
		t.Error("two seeds give the same program")
	}
	a, b := random(9, 2), random(9, 4)
	if !bytes.Equal(program(a), program(b[:2])) {
		t.Error("a kernel depends on how many there are")
	}
}

// TestKernelsAreWellDefined runs random kernels without the compiler: coroutines and goroutines must
// agree, and under the race detector there must be no race.
func TestKernelsAreWellDefined(t *testing.T) {
	if testing.Short() {
		t.Skip("in short mode")
	}
	for seed := range uint64(2) {
		ks := random(1000+seed, perProgram)
		if r := runProgram(t, ks, standIn); r.what != "" {
			t.Errorf("seed %d: %s\n%s", 1000+seed, r.what, r.output)
		}
	}
}

// TestSmallerKernelsAreWellDefined does the same with kernels that lack something, as shrinking
// makes them.
func TestSmallerKernelsAreWellDefined(t *testing.T) {
	if testing.Short() {
		t.Skip("in short mode")
	}
	var ks []*kernel
	for i, k := range random(77, 6) {
		cuts := k.cuts()
		for j := range cuts {
			if (i+j)%40 == 0 {
				s := k.without(cuts[j:min(j+3, len(cuts))]).needed()
				s.name = fmt.Sprint("k", len(ks))
				ks = append(ks, renamed(s, k.name))
			}
		}
	}
	if r := runProgram(t, ks, standIn); r.what != "" {
		t.Errorf("%s\n%s", r.what, r.output)
	}
}

// TestDisagreementsAreFound runs kernels beside forms of them that are wrong.
func TestDisagreementsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("in short mode")
	}
	ks := random(5, 24)
	r := runProgram(t, ks, func(ks []*kernel) []byte {
		return bytes.ReplaceAll(standIn(ks), []byte("(t, p0, p1,"), []byte("(t, p0, p1+1,"))
	})
	if r.what != "disagree" || len(r.bad) < 3 {
		t.Errorf("%q, and %d of %d kernels disagree:\n%s", r.what, len(r.bad), len(ks), r.output)
	}
}

func TestCompiledAgrees(t *testing.T) {
	if raceEnabled {
		t.Skip("under the race detector a compiled kernel runs its source")
	}
	n := *seeds
	if testing.Short() {
		n = 1
	}
	for i := 0; i < n && !t.Failed(); i++ {
		check(t, *first+uint64(i), perProgram)
	}
}

func FuzzKernels(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		check(t, seed, perInput)
	})
}

// perInput is how many kernels a program of the fuzzer has. The go command gives an input ten
// seconds, the build included.
const perInput = 2

// check runs the program of a seed with some kernels, and if its kernels disagree reports the
// smallest one that does.
func check(t *testing.T, seed uint64, kernels int) {
	t.Helper()
	ks := random(seed, kernels)
	r := runProgram(t, ks, nil)
	if r.what == "" {
		return
	}
	report(t, seed, ks, r)
}

// report reports that the program of a seed went wrong, and a small kernel of it that does.
func report(t *testing.T, seed uint64, ks []*kernel, r result) {
	t.Helper()
	t.Errorf("seed %d: %s\n%s", seed, r.what, tail(r.output))
	k := shrink(t, ks, r, time.Now().Add(*most))
	if k == nil {
		t.Log("no kernel fails alone")
		return
	}
	var b bytes.Buffer
	k.print(&b)
	last := runProgram(t, []*kernel{k}, nil)
	t.Logf("a small kernel that fails, of %d statements:\n\n%s\n%s", k.size(), formatted(b.Bytes()), tail(last.output))
	file := filepath.Join(t.ArtifactDir(), "main.go")
	if err := os.WriteFile(file, program([]*kernel{k}), 0o666); err != nil {
		t.Error(err)
	}
	t.Logf("with -artifacts its program stays in %s", file)
}

// A result is what became of a program.
type result struct {
	what   string // what went wrong: "gen", "build", "disagree", "race", "hang", "crash", or nothing
	output string
	bad    []string // the kernels that disagree
	source int      // how many kernels have no compiled form
}

var disagreement = regexp.MustCompile(`(?m)^DISAGREE (\w+) `)

// makeTemp makes a folder in testdata. Other processes of the fuzzer may take testdata away between
// its making and its use, when they are done with it and it is empty.
func makeTemp() (dir string, err error) {
	for range 100 {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			return "", err
		}
		if dir, err = os.MkdirTemp("testdata", "tmp"); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return dir, err
}

// runProgram translates and runs a program of kernels, or runs it with a stand-in for the
// compiler's work.
func runProgram(t *testing.T, ks []*kernel, instead func([]*kernel) []byte) result {
	t.Helper()
	dir, err := makeTemp()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		os.RemoveAll(dir)
		os.Remove("testdata") // if there is nothing else in it
	}()
	write := func(name string, src []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), src, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("main.go", program(ks))
	if ks[0].small != nil {
		write("pages.go", []byte(smallPages))
		write("nopages.go", []byte(smallNoPages))
	}
	path := "./test/randkernel/" + filepath.ToSlash(dir)
	var r result
	if instead == nil {
		out, err := commandWith(forHost, "go", "run", "./cmd/gocuda-gen", path)
		if err != nil {
			return result{what: "gen", output: out}
		}
		if strings.Contains(out, "a mistake of gocuda gen") {
			return result{what: "gen", output: out}
		}
		r.source = strings.Count(out, " stays on coroutines: ")
	} else {
		write("main_gocuda.go", instead(ks))
	}
	binary, err := filepath.Abs(filepath.Join(dir, "program.exe"))
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"build", "-o", binary}
	if raceEnabled {
		args = append(args, "-race")
	}
	if runtime.GOARCH == "arm64" { // as for the tests themselves: see docs/semantics.md
		args = append(args, "-gcflags=all=-d=fmahash=n")
	}
	if out, err := command("go", append(args, path)...); err != nil {
		return result{what: "build", output: out}
	}
	out, err := command(binary)
	if ks[0].small != nil && err == nil && runtime.GOARCH == "amd64" && os.Getenv("GODEBUG") == "" {
		out, err = commandWith([]string{"GODEBUG=cpu.avx512f=off"}, binary) // AVX2 alone
	}
	if errors.Is(err, syscall.ENOEXEC) {
		// This test runs under an emulator that the system does not know of, and so must the program.
		out, err = command("qemu-aarch64-static", binary)
	}
	r.output = out
	for _, m := range disagreement.FindAllStringSubmatch(out, -1) {
		r.bad = append(r.bad, m[1])
	}
	switch {
	case len(r.bad) > 0:
		r.what = "disagree"
	case strings.Contains(out, "DATA RACE"):
		r.what = "race"
	case errors.Is(err, errHangs):
		r.what = "hang"
	case err != nil:
		r.what = "crash"
	}
	return r
}

// forHost is an environment in which the go command builds for the machine that it runs on.
var forHost = []string{"GOOS=", "GOARCH="}

// command runs a command in the folder of the module, and ends it when it takes too long.
func command(name string, args ...string) (string, error) { return commandWith(nil, name, args...) }

// commandWith is command with some variables in the environment.
func commandWith(env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		return "", err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		return out.String(), err
	case <-time.After(patience):
		cmd.Process.Kill()
		<-done
		return out.String(), errHangs
	}
}

// patience is how long a command may take.
var patience = 2 * time.Minute

var errHangs = errors.New("it hangs")

// shrink returns a small kernel that goes wrong as r says, or nil if none of ks does so alone.
func shrink(t *testing.T, ks []*kernel, r result, deadline time.Time) *kernel {
	t.Helper()
	// failing returns which of the kernels fail.
	failing := func(ks []*kernel) (bad []int) {
		if r.what == "disagree" { // all in one program
			all := make([]*kernel, len(ks))
			for i, k := range ks {
				c := *k
				c.name = fmt.Sprint("k", i)
				all[i] = renamed(&c, k.name)
			}
			got := runProgram(t, all, nil)
			for i, k := range all {
				if slices.Contains(got.bad, k.name) {
					bad = append(bad, i)
				}
			}
			return bad
		}
		for i, k := range ks { // one that does not compile keeps the others from it
			if time.Now().After(deadline) {
				break
			}
			if runProgram(t, []*kernel{k}, nil).what == r.what {
				return []int{i}
			}
		}
		return nil
	}
	if r.what != "disagree" { // nothing says which of them it is
		for len(ks) > 2 && time.Now().Before(deadline) {
			half := ks[:len(ks)/2]
			if runProgram(t, half, nil).what != r.what {
				half = ks[len(ks)/2:]
			}
			ks = half
		}
	}
	bad := failing(ks)
	if len(bad) == 0 {
		return nil
	}
	k := ks[slices.MinFunc(bad, func(a, b int) int { return ks[a].size() - ks[b].size() })]
	cuts := k.cuts()
	var done []cut // those that are made
	for progress := true; progress; {
		progress = false
		for from := 0; from < len(cuts) && time.Now().Before(deadline); {
			// Cuts that leave nothing more out are passed over.
			var batch []*kernel
			var tried []cut
			size := k.without(done).size()
			for ; from < len(cuts) && len(batch) < 40; from++ {
				if c := k.without(append(slices.Clone(done), cuts[from])); c.size() < size {
					batch, tried = append(batch, c), append(tried, cuts[from])
				}
			}
			bad := failing(batch)
			if len(bad) == 0 {
				continue
			}
			// All that may be left out alone can perhaps be left out together.
			progress = true
			made := func(from, to int) (list []cut) {
				for _, i := range bad[from:to] {
					list = append(list, tried[i])
				}
				return append(slices.Clone(done), list...)
			}
			n := len(bad)
			choices := [][]cut{made(0, n), made(0, (n+1)/2), made(n/2, n), made(0, (n+3)/4)}
			batch = nil
			for _, c := range choices {
				batch = append(batch, k.without(c))
			}
			if together := failing(batch); len(together) > 0 {
				done = choices[together[0]]
			} else {
				done = made(0, 1)
			}
		}
	}
	k = k.without(done)
	if small := k.needed(); len(failing([]*kernel{small})) > 0 {
		k = small
	}
	return k
}

// renamed returns k with the names of its helpers, which began with old, begin with its own name,
// so that several kernels made of one can be in one program.
func renamed(k *kernel, old string) *kernel {
	if k.name == old {
		return k
	}
	name := regexp.MustCompile(`\b` + old + `([fw][0-9]+[\pL]*|\()`)
	text := func(s string) string { return name.ReplaceAllString(s, k.name+"$1") }
	var list func(l []*node) []*node
	list = func(l []*node) []*node {
		out := make([]*node, len(l))
		for i, n := range l {
			c := *n
			c.text = text(n.text)
			c.parts = nil
			for _, p := range n.parts {
				c.parts = append(c.parts, part{list(p.list), text(p.after)})
			}
			out[i] = &c
		}
		return out
	}
	c := *k
	c.head, c.body, c.foot = text(k.head), list(k.body), list(k.foot)
	c.helpers = nil
	for _, h := range k.helpers {
		c.helpers = append(c.helpers, &helper{text(h.name), text(h.head), list(h.body), text(h.foot)})
	}
	return &c
}

func tail(s string) string {
	if lines := strings.SplitAfter(s, "\n"); len(lines) > 40 {
		return "...\n" + strings.Join(lines[len(lines)-40:], "")
	}
	return s
}
