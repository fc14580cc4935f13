package main

import (
	"context"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gocuda/gocuda/internal/bodies"
	knbody "github.com/gocuda/gocuda/kernels/nbody"
)

// runNBody returns the exit status and what was printed.
func runNBody(args ...string) (status int, stdout, stderr string) {
	var out, err strings.Builder
	status = nbody(args, &out, &err)
	return status, out.String(), err.String()
}

// nbodyFile puts text into a new file and returns its name.
func nbodyFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "bodies.csv")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestNBodyPrintsThePublishedEnergies(t *testing.T) {
	want := regexp.MustCompile(`^energy before    -0\.169075164
energy after     -0\.169087605
relative change  -7\.359e-05
time per step    [0-9.e+]+ (us|ms|s) \(1000 steps, 5 bodies, (blocks|threads)\)
$`)
	for _, form := range []string{"blocks", "threads"} {
		status, stdout, stderr := runNBody("-form", form)
		if status != 0 || stderr != "" {
			t.Fatalf("%s: status %d, %s", form, status, stderr)
		}
		if !want.MatchString(stdout) || !strings.Contains(stdout, form) {
			t.Errorf("%s: printed\n%s", form, stdout)
		}
	}
}

func TestNBodyOfNoSteps(t *testing.T) {
	status, stdout, stderr := runNBody("-steps", "0")
	want := "energy before    -0.169075164\nenergy after     -0.169075164\nrelative change  0.000e+00\n"
	if status != 0 || stderr != "" || stdout != want {
		t.Errorf("status %d, printed\n%s%s", status, stdout, stderr)
	}
}

func TestNBodyHelp(t *testing.T) {
	status, stdout, stderr := runNBody("-h")
	if status != 0 || stderr != "" {
		t.Errorf("status %d, %s", status, stderr)
	}
	for _, word := range []string{"usage: gocuda nbody", "-file", "-steps", "-dt", "-png", "-size", "-softening", "-o ", "-form", "name,x,y,z,vx,vy,vz,mass"} {
		if !strings.Contains(stdout, word) {
			t.Errorf("the usage lacks %q:\n%s", word, stdout)
		}
	}
}

func TestNBodyGoesOnWhereItsFileEnds(t *testing.T) {
	half := filepath.Join(t.TempDir(), "half.csv")
	whole := filepath.Join(t.TempDir(), "whole.csv")
	if status, _, stderr := runNBody("-steps", "500", "-o", half); status != 0 {
		t.Fatal(stderr)
	}
	// The file is both read and written.
	status, stdout, stderr := runNBody("-steps", "500", "-file", half, "-o", half)
	if status != 0 || !strings.Contains(stdout, "energy after     -0.169087605\n") {
		t.Errorf("status %d, printed\n%s%s", status, stdout, stderr)
	}
	if status, _, stderr := runNBody("-o", whole); status != 0 {
		t.Fatal(stderr)
	}
	a, err := os.ReadFile(half)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	if string(a) != string(b) {
		t.Errorf("twice 500 steps give\n%s1000 steps give\n%s", a, b)
	}
	f, err := os.Open(whole)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := bodies.ReadCSV(f, whole)
	if err != nil || s.Len() != 5 || s.Names[4] != "Neptune" || fmt.Sprintf("%.9f", knbody.Energy(s.Bodies, s.Velocities)) != "-0.169087605" {
		t.Errorf("the file has %v, %v", s, err)
	}
}

func TestNBodyDraws(t *testing.T) {
	name := filepath.Join(t.TempDir(), "orbits.png")
	// An older and longer file leaves nothing behind.
	if err := os.WriteFile(name, make([]byte, 1<<20), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := runNBody("-steps", "100", "-png", name, "-size", "300"); status != 0 {
		t.Fatal(stderr)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil || picture.Bounds().Dx() != 300 || picture.Bounds().Dy() != 300 {
		t.Errorf("the picture is %v, %v", picture.Bounds(), err)
	}
	if rest, err := io.ReadAll(f); err != nil || len(rest) > 0 {
		t.Errorf("after the picture %d bytes, %v", len(rest), err)
	}
}

// A picture without a number of steps has closed orbits: each planet comes back to where it began.
func TestNBodyPictureClosesTheOrbits(t *testing.T) {
	dir := t.TempDir()
	end := filepath.Join(dir, "end.csv")
	status, stdout, stderr := runNBody("-png", filepath.Join(dir, "orbits.png"), "-o", end)
	if status != 0 {
		t.Fatal(stderr)
	}
	if !strings.Contains(stdout, "(16") || !strings.Contains(stdout, " steps") { // of 0.01 years, some 165 years
		t.Errorf("printed %s", stdout)
	}
	f, err := os.Open(end)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	after, err := bodies.ReadCSV(f, end)
	if err != nil {
		t.Fatal(err)
	}
	a, b := bodies.Solar().Bodies[4], after.Bodies[4] // Neptune, 30 from the Sun
	if d := math.Hypot(a.X-b.X, a.Y-b.Y); d > 3 {
		t.Errorf("Neptune is %v from where it began", d)
	}
	if status, stdout, _ := runNBody("-steps", "50", "-png", filepath.Join(dir, "orbits.png")); status != 0 || !strings.Contains(stdout, "(50 steps") {
		t.Errorf("-steps 50: %s", stdout)
	}
}

func TestNBodyWrongCommandLines(t *testing.T) {
	for _, test := range []struct {
		args string
		want string
	}{
		{"-nonsense", "flag provided but not defined: -nonsense"},
		{"-steps many", `invalid value "many" for flag -steps`},
		{"-steps -1", "-steps -1: expected 0 or more"},
		{"-steps 1e3", `invalid value "1e3" for flag -steps`},
		{"-steps", "flag needs an argument: -steps"},
		{"-dt 0", "-dt 0: expected a finite time other than 0"},
		{"-dt NaN", "-dt NaN: expected a finite time"},
		{"-dt -Inf", "-dt -Inf: expected a finite time"},
		{"-dt 1e999", `invalid value "1e999" for flag -dt`},
		{"-softening -1", "-softening -1: expected a finite length of 0 or more"},
		{"-softening NaN", "-softening NaN: expected"},
		{"-softening Inf", "-softening +Inf: expected"},
		{"-size 10", "-size 10: expected 200 to 8192 pixels"},
		{"-size 1000000", "-size 1000000: expected"},
		{"-form warp", `-form "warp": expected blocks or threads`},
		{"bodies.csv", `unexpected argument "bodies.csv"`},
		{"-png a -o ./a", "-png and -o name the same file"},
		{"-png a -file a", "-png would overwrite the bodies in a"},
	} {
		status, stdout, stderr := runNBody(strings.Fields(test.args)...)
		if status != 2 || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "gocuda nbody: "+test.want) {
			t.Errorf("%s: status %d, printed %q, %q", test.args, status, stdout, stderr)
		}
	}
}

func TestNBodyFilesThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	nowhere := filepath.Join(dir, "none", "file")
	bad := nbodyFile(t, "name,x,y,z,vx,vy,vz,mass\nSun,0,0,0,0,0,0,1\nMoon,1,0,0,0,O.5,0,1\n")
	empty := nbodyFile(t, "# nobody\n")
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"missing file":      {[]string{"-file", nowhere}, "open " + nowhere},
		"directory":         {[]string{"-file", dir}, dir + ":1:1: "},
		"bad line":          {[]string{"-file", bad}, bad + `:3:14: expected a number for vy, found "O.5"`},
		"no bodies":         {[]string{"-file", empty}, empty + ":2:1: no bodies"},
		"unwritable -png":   {[]string{"-png", nowhere}, "open " + nowhere},
		"unwritable -o":     {[]string{"-o", nowhere}, "open " + nowhere},
		"directory as -png": {[]string{"-png", dir}, "open " + dir},
	} {
		status, stdout, stderr := runNBody(test.args...)
		if status != 1 || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "gocuda nbody: "+test.want) {
			t.Errorf("%s: status %d, printed %q, %q", name, status, stdout, stderr)
		}
	}
}

func TestNBodyEnergiesThatAreNotFinite(t *testing.T) {
	for name, test := range map[string]struct{ text, args, want string }{
		"one place": {
			"a,1,2,3,0,0,0,1\nb,1,2,3,0,0,0,1\n", "",
			"the energy is not finite: a and b are at the same place (-softening allows that)",
		},
		"too heavy": {
			"a,1,2,3,0,0,0,1e200\nb,2,2,3,0,0,0,1e200\n", "-softening 1",
			"the energy is not finite (-Inf): masses or velocities are too large",
		},
		"too fast": {
			"a,1e308,0,0,1e100,0,0,0\nb,0,0,0,0,0,0,1\n", "-dt 1e300",
			"step 1: a has left the range of float64: bodies are too near each other or too fast for steps of 1e+300",
		},
		"collision at the end": {
			"a,-1,0,0,1,0,0,0\nb,1,0,0,-1,0,0,0\n", "-dt 1 -steps 1",
			"after step 1: the energy is not finite: a and b are at the same place",
		},
	} {
		args := append([]string{"-file", nbodyFile(t, test.text)}, strings.Fields(test.args)...)
		status, _, stderr := runNBody(args...)
		if status != 1 || strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "gocuda nbody: "+test.want) {
			t.Errorf("%s: status %d, %s", name, status, stderr)
		}
	}
}

func TestNBodyThatFailsLeavesFilesAlone(t *testing.T) {
	dir := t.TempDir()
	kept, made := filepath.Join(dir, "kept.csv"), filepath.Join(dir, "made.png")
	if err := os.WriteFile(kept, []byte("precious"), 0o666); err != nil {
		t.Fatal(err)
	}
	file := nbodyFile(t, "a,1,2,3,0,0,0,1\nb,1,2,3,0,0,0,1\n")
	if status, _, _ := runNBody("-file", file, "-o", kept, "-png", made); status != 1 {
		t.Errorf("status %d", status)
	}
	if text, err := os.ReadFile(kept); err != nil || string(text) != "precious" {
		t.Errorf("the file of before has %q, %v", text, err)
	}
	if _, err := os.Stat(made); !os.IsNotExist(err) {
		t.Errorf("the new file is still there: %v", err)
	}
}

func TestNBodySofteningConservesTheSoftenedEnergy(t *testing.T) {
	// Two bodies in one place have a finite energy then, -1/0.5, and stay.
	file := nbodyFile(t, "a,1,2,3,0,0,0,1\nb,1,2,3,0,0,0,1\n")
	status, stdout, stderr := runNBody("-file", file, "-softening", "0.5", "-steps", "10")
	if status != 0 || !strings.HasPrefix(stdout, "energy before    -2.000000000\nenergy after     -2.000000000\n") {
		t.Errorf("status %d, printed\n%s%s", status, stdout, stderr)
	}
	s := bodies.Solar()
	if a, b := softEnergy(s, 0), knbody.Energy(s.Bodies, s.Velocities); math.Abs(a-b) > 1e-15 {
		t.Errorf("without softening %v, not %v", a, b)
	}
}

// interrupting sends the process Ctrl-C at the first write.
type interrupting struct {
	t    *testing.T
	sent bool
}

func (w *interrupting) Write(p []byte) (int, error) {
	if !w.sent {
		w.sent = true
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Signal(os.Interrupt)
		}
		if err != nil {
			w.t.Error(err)
		}
	}
	return len(p), nil
}

func TestNBodyStopsAtCtrlC(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process can't send itself Ctrl-C")
	}
	name := filepath.Join(t.TempDir(), "orbits.png")
	var stderr strings.Builder
	status := nbody([]string{"-steps", "2000000000", "-png", name}, &interrupting{t: t}, &stderr)
	want := regexp.MustCompile(`^gocuda nbody: interrupted after \d+ of 2000000000 steps\n$`)
	if status != 130 || !want.MatchString(stderr.String()) {
		t.Errorf("status %d, %s", status, stderr.String())
	}
	if _, err := os.Stat(name); !os.IsNotExist(err) {
		t.Errorf("the picture is there: %v", err)
	}
}

func TestNBodyStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, o := nbodyFlagSet()
	if err := o.check(); err != nil {
		t.Fatal(err)
	}
	if err := o.run(ctx, bodies.Solar(), io.Discard, io.Discard); err == nil || !strings.HasPrefix(err.Error(), "interrupted") {
		t.Errorf("the error is %v", err)
	}
}

func TestMeterShowsProgressAfterASecond(t *testing.T) {
	var out strings.Builder
	start := time.Now()
	m := newMeter(&out, 400, start)
	m.show(1, start.Add(time.Hour))
	if out.Len() > 0 {
		t.Errorf("on no terminal it printed %q", out.String())
	}
	m = newMeter(&out, 400, start)
	m.w = &out
	for i := range 5 {
		m.show(100*i, start.Add(time.Duration(i)*500*time.Millisecond))
	}
	m.clear()
	line := "step 200 of 400 (50 %), 1s left"
	want := "\r" + line + "\r" + "step 300 of 400 (75 %), 1s left" + "\r" + "step 400 of 400 (100 %), 0s left"
	if got := out.String(); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, " \r") {
		t.Errorf("printed %q", got)
	}
}
