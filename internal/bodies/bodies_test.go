package bodies

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/nbody"
)

func TestSolarHasTheBenchmarksEnergy(t *testing.T) {
	s := Solar()
	if got := fmt.Sprintf("%.9f", nbody.Energy(s.Bodies, s.Velocities)); got != "-0.169075164" {
		t.Errorf("the energy is %s", got)
	}
	if want := []string{"Sun", "Jupiter", "Saturn", "Uranus", "Neptune"}; !slices.Equal(s.Names, want) {
		t.Errorf("the names are %q", s.Names)
	}
}

func TestSolarHasNoMomentum(t *testing.T) {
	s := Solar()
	var p kernels.Vec3[float64]
	for i, b := range s.Bodies {
		v := s.Velocities[i]
		p.X += b.Mass * v.X
		p.Y += b.Mass * v.Y
		p.Z += b.Mass * v.Z
	}
	if size := math.Abs(p.X) + math.Abs(p.Y) + math.Abs(p.Z); size > 1e-16 {
		t.Errorf("the momentum is %v", p)
	}
}

func TestSolarIsNewEachTime(t *testing.T) {
	a := Solar()
	a.Bodies[1].X, a.Velocities[1].X, a.Names[1] = 0, 0, ""
	if b := Solar(); b.Bodies[1].X == 0 || b.Velocities[1].X == 0 || b.Names[1] == "" {
		t.Error("a change of one system shows in the next")
	}
}

func TestReadCSV(t *testing.T) {
	a := System{
		Names:      []string{"a"},
		Bodies:     []nbody.Body[float64]{{X: 1, Y: 2, Z: 3, Mass: 7}},
		Velocities: []kernels.Vec3[float64]{{X: 4, Y: 5, Z: -6e-1}},
	}
	for name, text := range map[string]string{
		"plain":                "a,1,2,3,4,5,-.6,7\n",
		"no newline":           "a,1,2,3,4,5,-.6,7",
		"windows":              "a,1,2,3,4,5,-.6,7\r\n",
		"header":               "name,x,y,z,vx,vy,vz,mass\na,1,2,3,4,5,-.6,7\n",
		"header in capitals":   "Name, X, Y, Z, VX, VY, VZ, Mass\na,1,2,3,4,5,-.6,7\n",
		"byte order mark":      "\ufeffname,x,y,z,vx,vy,vz,mass\na,1,2,3,4,5,-.6,7\n",
		"comments and blanks":  "# one\n\n  \na,1,2,3,4,5,-.6,7\n#two,3\n\n",
		"space":                "  a , 1 ,2 ,\t3, 4,5,-0.6 , 7 \n",
		"quotes":               `"a","1","2","3","4","5","-0.6","7"`,
		"comment above header": "# units: AU and years\nname,x,y,z,vx,vy,vz,mass\na,1,2,3,4,5,-6e-1,+7\n",
	} {
		got, err := ReadCSV(strings.NewReader(text), "f")
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !equal(got, a) {
			t.Errorf("%s: read %v", name, got)
		}
	}
}

func TestReadCSVTakesAnyNameInTheFirstLine(t *testing.T) {
	s, err := ReadCSV(strings.NewReader("name,0,0,0,0,0,0,0\nx,1,0,0,0,0,0,0"), "f")
	if err != nil || s.Len() != 2 || s.Names[0] != "name" {
		t.Errorf("read %v, %v", s, err)
	}
}

func TestReadCSVErrors(t *testing.T) {
	const ok = "a,1,2,3,4,5,6,7\n"
	const fields = "(name,x,y,z,vx,vy,vz,mass)"
	for name, test := range map[string]struct{ text, want string }{
		"empty":           {"", "f.csv:1:1: no bodies: expected at least one line of name,x,y,z,vx,vy,vz,mass"},
		"only comments":   {"# a\n\n# b\n", "f.csv:4:1: no bodies"},
		"only a header":   {"name,x,y,z,vx,vy,vz,mass\n", "f.csv:2:1: no bodies"},
		"too few":         {ok + "b,1,2,3\n", "f.csv:2:7: expected 8 fields separated by commas " + fields + ", found 4"},
		"too many":        {ok + "b,1,2,3,4,5,6,7,8,9\n", "f.csv:2:17: expected 8 fields separated by commas " + fields + ", found 10"},
		"semicolons":      {"a;1;2;3;4;5;6;7\n", "f.csv:1:1: expected 8 fields separated by commas " + fields + ", found 1"},
		"not a number":    {ok + "# c\nb,1,2,3,four,5,6,7\n", `f.csv:3:9: expected a number for vx, found "four"`},
		"first line":      {"a,1,2,3,4,5,6,heavy\n", `f.csv:1:15: expected a number for mass, found "heavy"`},
		"column of space": {ok + "b, 1,  2,   z,4,5,6,7\n", `f.csv:2:13: expected a number for z, found "z"`},
		"nothing":         {ok + "b,1,,3,4,5,6,7\n", "f.csv:2:5: expected a number for y, found nothing"},
		"NaN":             {ok + "b,nan,2,3,4,5,6,7\n", "f.csv:2:3: expected a finite number for x, found nan"},
		"Inf":             {ok + "b,1,2,3,4,-Inf,6,7\n", "f.csv:2:11: expected a finite number for vy, found -Inf"},
		"too large":       {ok + "b,1,2,3,4,5,1e999,7\n", "f.csv:2:13: expected a number for vz within the range of float64, found 1e999"},
		"negative mass":   {ok + "b,1,2,3,4,5,6,-7\n", "f.csv:2:15: expected a mass of 0 or more, found -7"},
		"duplicate":       {ok + "b,1,2,3,4,5,6,7\n a,0,0,0,0,0,0,0\n", `f.csv:3:2: expected a new name, but "a" is also on line 1`},
		"no name":         {ok + ",1,2,3,4,5,6,7\n", "f.csv:2:1: expected a name, found nothing"},
		"control":         {"\"a\tb\",1,2,3,4,5,6,7\n", `f.csv:1:1: expected a name without line breaks and control characters, found "a\tb"`},
		"other header":    {"name,mass,x,y,z,vx,vy,vz\n" + ok, `f.csv:1:6: the first line has no numbers, so it must be the header name,x,y,z,vx,vy,vz,mass; found "mass", expected "x"`},
		"bare quote":      {ok + "b\"c,1,2,3,4,5,6,7\n", `f.csv:2:2: expected no " inside a field`},
		"open quote":      {ok + "\"b,1,2,3,4,5,6,7\nc,1", `f.csv:2:1: expected quoted fields to end with "`},
		"second header":   {ok + "name,x,y,z,vx,vy,vz,mass\n", `f.csv:2:6: expected a number for x, found "x"`},
		"long line":       {ok + "# " + strings.Repeat("-", MaxLine), "f.csv:2:1: the line is longer than 65536 bytes"},
		"endless line":    {strings.Repeat("\x00", 1<<20), "f.csv:1:1: the line is longer than 65536 bytes"},
	} {
		s, err := ReadCSV(strings.NewReader(test.text), "f.csv")
		if err == nil {
			t.Errorf("%s: no error, read %v", name, s)
		} else if !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s:\n got %v\nwant %s", name, err, test.want)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error has more than one line: %v", name, err)
		}
	}
}

func TestReadCSVReportsWhereReadingFailed(t *testing.T) {
	broken := errors.New("the disk is gone")
	_, err := ReadCSV(io.MultiReader(strings.NewReader("a,1,2,3,4,5,6,7\n"), failing{broken}), "f.csv")
	if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "f.csv:2:1: ") {
		t.Errorf("the error is %v", err)
	}
}

func TestReadCSVOfManyLines(t *testing.T) {
	const n = 50_000
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "b%d,%d,0,0,0,0,0,1\n", i, i)
	}
	s, err := ReadCSV(strings.NewReader(text.String()), "f")
	if err != nil || s.Len() != n || s.Bodies[n-1].X != n-1 || s.Names[n-1] != fmt.Sprintf("b%d", n-1) {
		t.Errorf("read %d bodies, %v", s.Len(), err)
	}
	if _, err = ReadCSV(strings.NewReader(text.String()+"last,0"), "f"); err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("f:%d:6: ", n+1)) {
		t.Errorf("the error is %v", err)
	}
}

func TestWriteCSVReadsBackTheSame(t *testing.T) {
	want := Solar()
	want.add(`#5 "odd", name`, nbody.Body[float64]{X: math.MaxFloat64, Y: math.SmallestNonzeroFloat64, Z: 1. / 3}, kernels.Vec3[float64]{})
	want.add("Ceres ①", nbody.Body[float64]{X: -1e-300, Mass: 0.1}, kernels.Vec3[float64]{Z: math.Pi})
	var text strings.Builder
	if err := want.WriteCSV(&text); err != nil {
		t.Fatal(err)
	}
	got, err := ReadCSV(strings.NewReader(text.String()), "f")
	if err != nil {
		t.Fatal(err)
	}
	if !equal(got, want) {
		t.Errorf("wrote %v\nread %v", want, got)
	}
}

func TestWriteCSVReportsErrors(t *testing.T) {
	broken := errors.New("the disk is full")
	if err := Solar().WriteCSV(failing{broken}); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
}

func FuzzReadCSV(f *testing.F) {
	f.Add("name,x,y,z,vx,vy,vz,mass\na,1,2,3,4,5,6,7\n")
	f.Add("# c\n\"a\"\"b\", 1,2,3,4,5,6,7\r\n\n")
	f.Add("a,1,2,3,NaN,5,6,-7")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ReadCSV(strings.NewReader(text), "f")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("the error has no position: %v", err)
			}
			return
		}
		var again strings.Builder
		if err := s.WriteCSV(&again); err != nil {
			t.Fatal(err)
		}
		back, err := ReadCSV(strings.NewReader(again.String()), "f")
		if err != nil || !equal(back, s) {
			t.Errorf("read %v\nwrote %s\nread %v, %v", s, again.String(), back, err)
		}
	})
}

func equal(a, b System) bool {
	return slices.Equal(a.Names, b.Names) && slices.Equal(a.Bodies, b.Bodies) && slices.Equal(a.Velocities, b.Velocities)
}

// failing fails at every read and write.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error)  { return 0, f.err }
func (f failing) Write([]byte) (int, error) { return 0, f.err }
