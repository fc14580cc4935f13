package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
)

// The programs in C give the result of the reference, whichever compiler builds them, with one
// thread and with several. What this machine lacks is skipped.
func TestNative(t *testing.T) {
	if raceEnabled {
		t.Skip("the programs are in C")
	}
	missing := map[string]string{}
	t.Setenv("OMP_WAIT_POLICY", "passive") // threads that wait leave the cores to others
	c := &native{note: func(executor, why string) { missing[executor] += why + "\n" }}
	defer c.close()
	require.NoError(t, c.prepare(t.Context(), OpenMP, OpenCL))
	for _, executor := range []string{OpenMP, OpenCL} {
		t.Run(executor, func(t *testing.T) {
			if len(c.programs[executor]) == 0 {
				t.Skip(missing[executor])
			}
			for _, w := range everyWorkload() {
				sizes := w.smallSizes()
				if executor == OpenCL && len(sizes) > 2 {
					sizes = sizes[2:3] // a device compiles each kernel for a second or so
					if testing.Short() && w.Name != "scan" {
						continue
					}
				}
				for _, size := range sizes {
					e := env{t.Context(), gocuda.Default(), gocuda.Default(), 1 + size%3}
					p := w.problem(e, size)
					if !p.has(executor) {
						break
					}
					for _, prog := range c.programs[executor] {
						for range 2 { // rounds
							d, workers, err := c.timeOne(w.Name, size, p, prog, e, 1)
							assert.NoError(t, err, "%s, built by %s", title(w.Name, size), prog.compiler)
							assert.Positive(t, d, "%s, built by %s: time", title(w.Name, size), prog.compiler)
							assert.Positive(t, workers, "%s, built by %s: workers", title(w.Name, size), prog.compiler)
						}
					}
				}
			}
		})
	}
	c.close()
	_, err := os.Stat(c.dir)
	assert.True(t, os.IsNotExist(err), "%s is still there", c.dir)
}

// runOpenMP runs saxpy on openmp, with as many runs a round, and returns the figures and what is
// said about those that are left out.
func runOpenMP(t *testing.T, runs int) (results []Result, notes string) {
	err := Run(t.Context(), Options{
		Workloads: []string{"saxpy"}, Executors: []string{OpenMP}, Sizes: []int{1000}, Runs: runs,
		Skipped: func(workload string, size int, executor, why string) {
			notes += title(workload, size) + " " + executor + ": " + why + "\n"
		},
	}, func(r []Result) { results = append(results, r...) })
	if err != nil {
		t.Error(err)
	}
	return results, notes
}

func TestNativeWithoutCompilers(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if results, notes := runOpenMP(t, 1); len(results) > 0 || strings.Count(notes, "no C compiler with OpenMP found: install clang and libomp") != 1 {
		t.Errorf("%d results, %q", len(results), notes)
	}
}

// Compilers that fail, and programs that do, are notes and no errors. The compilers here are shell
// scripts.
func TestNativeFailures(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	// A compiler whose program starts and does what is said.
	builds := func(program string) string {
		return `#!/bin/sh
while [ "$1" != -o ]; do shift; done
/bin/cat >"$2" <<'END'
#!/bin/sh
[ "$1" = probe ] && exit 0
` + program + `
END
/bin/chmod +x "$2"
`
	}
	for name, c := range map[string]struct{ compiler, says string }{
		"no library":   {"#!/bin/sh\necho 'In file included\nld: error: no -lgomp' >&2; exit 1\n", "gcc: ld: error: no -lgomp"},
		"does not run": {"#!/bin/sh\nexit 0\n", "no such file"},
		"fails":        {builds("echo no memory >&2; exit 1"), "built by gcc: no memory"},
		"prints more":  {builds("echo Hello"), `it printed "Hello`},
		"writes less":  {builds(`echo less >"$6"; echo '{"seconds": 1, "workers": 1}'`), "5 bytes, not 4000"},
		"wrong":        {builds(`/usr/bin/head -c 4000 /dev/zero >"$6"; echo '{"seconds": 1, "workers": 1}'`), "the result is wrong: y[0]"},
		"no workers":   {builds(`echo '{"seconds": 1, "workers": 0}'`), "it printed"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv("PATH", dir)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "gcc"), []byte(c.compiler), 0o755))
			results, notes := runOpenMP(t, 1)
			assert.Empty(t, results)
			assert.Contains(t, notes, c.says)
		})
	}
}

// A program in C has as many rounds as what runs in the process, in one process of its own, and one
// that fails in the second has no figure and no other round.
func TestNativeRounds(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	real := ""
	for _, name := range []string{"gcc", "clang", "clang-19"} {
		if path, err := exec.LookPath(name); err == nil && real == "" {
			real = path
		}
	}
	if real == "" {
		t.Skip("there is no C compiler")
	}
	path, built := os.Getenv("PATH"), filepath.Join(t.TempDir(), "built") // by the real one, at the first time
	for _, c := range []struct {
		name, later  string // what the program does in its second round and after
		runs, rounds int
		says         string // "" if there is a figure
	}{
		{"all rounds", `round "$@"`, 2, 4, ""},
		{"one run", `round "$@"`, 1, 1, ""},
		{"fails in the second", `echo no memory >&2; exit 1`, 2, 2, "saxpy 1000 openmp: built by gcc: no memory\n"},
		{"ends in the second", `exit 0`, 2, 2, `saxpy 1000 openmp: built by gcc: it printed ""` + "\n"},
		{"wrong in the second", `answer=$(round "$@"); head -c 4000 /dev/zero >"$6"; echo "$answer"`, 2, 2, "the result is wrong: y[0]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			// The compiler's program has that of a real one do each round, and counts them and itself.
			dir := t.TempDir()
			rounds := filepath.Join(dir, "rounds")
			compiler := `#!/bin/sh
PATH='` + path + `'
for a; do [ "$last" = -o ] && out=$a; last=$a; done
if [ ! -x '` + built + `' ]; then
'` + real + `' "$@" && mv "$out" '` + built + `' || exit 1
fi
cp '` + built + `' "$out".real
cat >"$out" <<'END'
#!/bin/sh
PATH='` + path + `'
[ "$1" = probe ] && exec "$0".real "$@"
round() { echo | "$0".real "$@"; }
echo program >>'` + rounds + `'
read line || exit
echo round >>'` + rounds + `'
round "$@"
while read line; do
echo round >>'` + rounds + `'
` + c.later + `
done
END
chmod +x "$out"
`
			t.Setenv("PATH", dir)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "gcc"), []byte(compiler), 0o755))
			results, notes := runOpenMP(t, c.runs)
			if strings.Contains(notes, "no C compiler with OpenMP found") {
				t.Skip("there is no compiler with OpenMP")
			}
			b, err := os.ReadFile(rounds)
			assert.NoError(t, err)
			assert.Equal(t, "program\n"+strings.Repeat("round\n", c.rounds), string(b), "rounds of one program")
			if c.says == "" {
				assert.Len(t, results, 1)
				assert.Empty(t, notes)
			} else {
				assert.Empty(t, results)
				assert.Contains(t, notes, c.says)
			}
		})
	}
}
