package tasks

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"image"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/sparse"
)

// setup returns the job of a task with the given flags.
func setup(t *testing.T, task *Task, args ...string) Job {
	t.Helper()
	fs := flag.NewFlagSet(task.Name, flag.ContinueOnError)
	job := task.Setup(fs)
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	return job
}

// small is the size at which a task is tested.
func small(task *Task) []int {
	switch {
	case raceEnabled && task.Sizes == "1000x1000", raceEnabled && task.Sizes == "200x200":
		return []int{7, 5}
	case task.Name == "fft":
		return []int{256}
	case task.Name == "solve":
		return []int{33, 33}
	case strings.Count(task.Sizes, "x") == 2:
		return []int{13, 9, 7}
	case task.Name == "rpes":
		return []int{5}
	case strings.Contains(task.Sizes, "x"):
		return []int{37, 21}
	}
	return []int{300}
}

// quick are the flags that make a task short.
var quick = map[string][]string{
	"fdtd":      {"-steps", "20"},
	"nbody":     {"-steps", "3"},
	"correlate": {"-side", "5"},
	"fem":       {"-steps", "20"},
	"lbm":       {"-steps", "20"},
	"cp":        {"-atoms", "100"},
	"mriq":      {"-spokes", "5", "-readout", "20"},
	"mrifhd":    {"-spokes", "5", "-readout", "20"},
	"pns":       {"-columns", "3", "-steps", "20"},
}

func TestEveryTaskIsVerified(t *testing.T) {
	for _, task := range All() {
		t.Run(task.Name, func(t *testing.T) {
			launchers := map[string]kernels.Launcher{"compiled": gocuda.Default(), "uncompiled": kernels.Uncompiled(gocuda.Default())}
			if raceEnabled {
				delete(launchers, "compiled") // which runs uncompiled too
			}
			for name, on := range launchers {
				dir := t.TempDir()
				o := Options{On: on, Size: small(&task), Seed: 1, Verify: true}
				if task.Gives&Values != 0 {
					o.Out = filepath.Join(dir, "out.csv")
				}
				if task.Gives&Picture != 0 {
					o.PNG = filepath.Join(dir, "out.png")
				}
				var said bytes.Buffer
				if err := Run(t.Context(), &task, setup(t, &task, quick[task.Name]...), o, &said); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if !strings.Contains(said.String(), "verified") || !strings.Contains(said.String(), "launches") {
					t.Errorf("%s: it says %q", name, &said)
				}
				if o.Out != "" {
					if info, err := os.Stat(o.Out); err != nil || info.Size() == 0 {
						t.Errorf("%s: nothing was written (%v)", name, err)
					}
				}
				if o.PNG != "" {
					f, err := os.Open(o.PNG)
					if err != nil {
						t.Fatal(err)
					}
					if _, err := png.Decode(f); err != nil {
						t.Errorf("%s: the picture: %v", name, err)
					}
					f.Close()
				}
			}
		})
	}
}

// Every flag that names one of several, with each of them.
func TestEveryMethodIsVerified(t *testing.T) {
	if raceEnabled {
		t.Skip("the kernels have tests of their own for that")
	}
	tried := 0
	for _, task := range All() {
		fs := flag.NewFlagSet(task.Name, flag.ContinueOnError)
		task.Setup(fs)
		fs.VisitAll(func(f *flag.Flag) {
			c, ok := f.Value.(interface{ words() []string })
			if !ok {
				return
			}
			for _, word := range c.words() {
				tried++
				args := append([]string{"-" + f.Name, word}, quick[task.Name]...)
				o := Options{On: gocuda.Default(), Size: small(&task), Seed: 1, Verify: true}
				if err := Run(t.Context(), &task, setup(t, &task, args...), o, new(bytes.Buffer)); err != nil {
					t.Errorf("%s %v: %v", task.Name, args, err)
				}
			}
		})
	}
	if tried < 30 {
		t.Errorf("only %d were tried", tried)
	}
}

// believers take steps from results that are not there, so they fail before there is something to
// verify.
var believers = []string{"cg", "paths", "align"}

// idle launches nothing, and says that all is well.
type idle struct{}

func (idle) Launch(context.Context, grid.Config, gocuda.Kernel) error { return nil }

func TestVerifyFindsResultsThatAreNone(t *testing.T) {
	for _, task := range All() {
		if slices.Contains(believers, task.Name) {
			continue
		}
		err := Run(t.Context(), &task, setup(t, &task, quick[task.Name]...), Options{On: idle{}, Size: small(&task), Seed: 1, Verify: true}, new(bytes.Buffer))
		if !errors.Is(err, ErrMismatch) {
			t.Errorf("%s: without any launch: %v, want a mismatch", task.Name, err)
		}
	}
}

func TestLaunchErrorsComeBack(t *testing.T) {
	dev, err := gocuda.NewDevice()
	if err != nil {
		t.Fatal(err)
	}
	dev.Close()
	for _, task := range All() {
		err := Run(t.Context(), &task, setup(t, &task, quick[task.Name]...), Options{On: dev, Size: small(&task), Seed: 1}, new(bytes.Buffer))
		if !errors.Is(err, gocuda.ErrInvalidResourceHandle) {
			t.Errorf("%s: on a closed device: %v", task.Name, err)
		}
	}
}

func TestCancelledContextStopsSteps(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	task, err := Find("fdtd")
	if err != nil {
		t.Fatal(err)
	}
	if err := Run(ctx, task, setup(t, task), Options{On: gocuda.Default(), Size: []int{50}}, new(bytes.Buffer)); !errors.Is(err, why) {
		t.Errorf("%v, want %v", err, why)
	}
}

func TestUnknownTaskNamesAll(t *testing.T) {
	if _, err := Find("chess"); err == nil || !strings.Contains(err.Error(), "mandelbrot") {
		t.Error(err)
	}
}

func TestOptionsThatContradict(t *testing.T) {
	for _, c := range []struct {
		task string
		o    Options
		says string
	}{
		{"mandelbrot", Options{In: "a.csv"}, "takes no input"},
		{"saxpy", Options{In: "a.csv", Size: []int{5}}, "its own size"},
		{"saxpy", Options{In: "a.csv", Out: "./a.csv"}, "overwritten"},
		{"transpose", Options{PNG: "x.csv", Out: "x.csv"}, "same file"},
		{"saxpy", Options{Out: "x.doc"}, "unknown format"},
		{"reduce", Options{Out: "x.csv"}, "no numbers"},
		{"saxpy", Options{PNG: "x.png"}, "no picture"},
		{"saxpy", Options{Size: []int{5, 6}}, "want 1 numbers"},
		{"mandelbrot", Options{Size: []int{1 << 20, 1 << 20}}, "more than"},
	} {
		task, err := Find(c.task)
		if err != nil {
			t.Fatal(err)
		}
		c.o.On = gocuda.Default()
		if err := Run(t.Context(), task, setup(t, task), c.o, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s %+v: %v, want %q", c.task, c.o, err, c.says)
		}
	}
}

func TestReadCSV(t *testing.T) {
	for text, want := range map[string]struct {
		v    []float32
		cols int
	}{
		"":                             {nil, 0},
		"1\n2\n\n 3 \n":                {[]float32{1, 2, 3}, 1},
		"x,y\n1,2\n3,4\n":              {[]float32{1, 2, 3, 4}, 2},
		"\xef\xbb\xbf1,2\r\n# no\n3\n": {[]float32{1, 2, 3}, -1},
		"1e3,-0.5,+inf\n":              {[]float32{1000, -0.5, float32(math.Inf(1))}, 3},
		"inf\n1\n":                     {[]float32{float32(math.Inf(1)), 1}, 1}, // a number, not a header
	} {
		v, cols, err := readCSV[float32](strings.NewReader(text), "f")
		if err != nil || !slices.Equal(v, want.v) || cols != want.cols {
			t.Errorf("%q: %v in %d columns, %v; want %v", text, v, cols, err, want)
		}
	}
}

func TestReadCSVErrors(t *testing.T) {
	for text, says := range map[string]string{
		"1\n2,x\n":         `f:2:3: "x" is not a number`,
		"1\n2,,3\n":        "f:2:3: a number is missing",
		"1,\n":             "f:1:3: a number is missing",
		"1\n\"2\n":         "f:2:",
		"1e99\n":           "f:1:1: 1e99 is out of the range of a float32",
		"a,b\nc,d\n":       `f:2:1: "c" is not a number`,
		"# c\n\n  1, 2z\n": `f:3:6: "2z" is not a number`,
	} {
		if _, _, err := readCSV[float32](strings.NewReader(text), "f"); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
	if _, _, err := readCSV[uint32](strings.NewReader("-1\n"), "f"); err == nil || !strings.Contains(err.Error(), "f:1:1: ") {
		t.Errorf("-1 as uint32: %v", err)
	}
}

func TestReadRaw(t *testing.T) {
	v, err := readRaw[uint32](strings.NewReader("\x01\x00\x00\x00\x00\x01\x00\x00"), "f")
	if err != nil || !slices.Equal(v, []uint32{1, 256}) {
		t.Errorf("%v, %v; want [1 256]", v, err)
	}
	f, err := readRaw[float64](strings.NewReader("\x00\x00\x00\x00\x00\x00\xf0\x3f"), "f")
	if err != nil || !slices.Equal(f, []float64{1}) {
		t.Errorf("%v, %v; want [1]", f, err)
	}
	if _, err := readRaw[float32](strings.NewReader("123456"), "f"); err == nil || !strings.Contains(err.Error(), "f: byte 4: ") {
		t.Error(err)
	}
}

// What is written is read again as it was, in all formats.
func TestNumbersKeepTheirValue(t *testing.T) {
	v := []float32{0, 1, -1.5, math.MaxFloat32, math.SmallestNonzeroFloat32, 1.0 / 3, float32(math.Inf(-1))}
	for _, name := range []string{"a.csv", "a.txt", "a.bin", "a.RAW"} {
		file := filepath.Join(t.TempDir(), name)
		f, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(writeNumbers(f, file, column(v)), f.Close()); err != nil {
			t.Fatal(err)
		}
		got, err := readFile[float32](&Env{Options: Options{In: file}})
		if err != nil || !slices.Equal(got, v) {
			t.Errorf("%s: %v, %v; want %v", name, got, err, v)
		}
	}
	var market bytes.Buffer
	if err := writeNumbers(&market, "a.mtx", table[float32]{3, v[:6]}); err != nil {
		t.Fatal(err)
	}
	rows, cols, got, err := sparse.ReadDenseMatrixMarket(&market)
	if err != nil || rows != 2 || cols != 3 || !slices.Equal(got, v[:6]) {
		t.Errorf("Matrix Market: %d by %d, %v, %v", rows, cols, got, err)
	}
}

func TestBadPictures(t *testing.T) {
	dir := t.TempDir()
	var whole bytes.Buffer
	if err := png.Encode(&whole, testPicture(40, 30)); err != nil {
		t.Fatal(err)
	}
	huge := slices.Clone(whole.Bytes())
	copy(huge[16:], "\x00\xff\xff\xff\x00\xff\xff\xff") // the width and the height in the header
	for name, content := range map[string][]byte{
		"empty.png": nil, "text.png": []byte("no picture"), "cut.png": whole.Bytes()[:whole.Len()/2], "huge.png": huge,
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, content, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := new(Env).readPicture(file); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := new(Env).readPicture(filepath.Join(dir, "none.png")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestPlanesAreThePicture(t *testing.T) {
	m := testPicture(33, 17)
	w, h, rgb := planes(m)
	back := fromPlanes(w, h, rgb).(*image.RGBA)
	if !slices.Equal(back.Pix, m.(*image.RGBA).Pix) {
		t.Error("the planes make another picture")
	}
}

// A file that can't be finished is not left behind.
func TestWriteLeavesNoHalfFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.png")
	if err := write(file, func(w io.Writer) error { return writePNG(w, image.NewGray(image.Rectangle{})) }); err == nil {
		t.Error("no error")
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is there (%v)", err)
	}
}
