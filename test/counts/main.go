// Command counts prints how many instructions the inner loops of kernels take for an element on
// arm64, with NEON, beside those of the loops in C that do the same, as clang compiles them. No
// time is measured: it needs no machine of the kind. Elements are counted by what both must do for
// each of them, such as the numbers that are written, so that it is no matter how far a loop is
// unrolled.
//
//	go run ./test/counts
//
// counts the standard workloads, and needs clang and the headers of C for arm64 (Debian has them as
// clang and libc6-dev-arm64-cross). With other files, -c, and a table of their own, -table, it
// counts other programs.
package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// standard is the table of the standard workloads.
//
//go:embed workloads.txt
var standard string

func main() {
	table := flag.String("table", "", "a `file` with the loops to count, in place of those of the standard workloads")
	source := flag.String("c", "bench/baseline/openmp.c", "the `file` with the loops in C")
	folder := flag.String("dir", ".", "the `folder` that the names of files in the table begin at")
	clang := flag.String("clang", "", "the compiler; else the first of clang, clang-19 to clang-14")
	flag.Parse()
	if _, err := run(os.Stdout, *table, *source, *folder, *clang); err != nil {
		fmt.Fprintln(os.Stderr, "counts:", err)
		os.Exit(1)
	}
}

// A loop is one side of a row of the table: a func, what counts elements in it, and how often that
// is done for an element of the row.
type loop struct {
	file, name string
	unit       unit
	times      float64
}

// A row is the loops of a workload.
type row struct {
	name    string
	ours, c []loop
}

// parseTable reads rows such as
//
//	saxpy: kernels/kernels_gocuda_arm64.s saxpyNest1NEON store4 = saxpy.omp_outlined store4
//
// Loops of a side that are added up have a + between them; one that is done so often for an element
// has that in front, as in 0.5*.
func parseTable(text string) (rows []row, err error) {
	for number, l := range strings.Split(text, "\n") {
		l, _, _ = strings.Cut(l, "#")
		if strings.TrimSpace(l) == "" {
			continue
		}
		name, rest, ok := strings.Cut(l, ":")
		left, right, both := strings.Cut(rest, "=")
		r := row{name: strings.TrimSpace(name)}
		side := func(text string, fields int) (list []loop) {
			for _, part := range strings.Split(text, "+") {
				f := strings.Fields(part)
				one := loop{times: 1}
				if len(f) == fields+1 && strings.HasSuffix(f[0], "*") {
					if one.times, err = strconv.ParseFloat(strings.TrimSuffix(f[0], "*"), 64); err != nil {
						ok = false
					}
					f = f[1:]
				}
				if len(f) != fields {
					ok = false
					return nil
				}
				if fields == 3 {
					one.file = f[0]
				}
				var known bool
				one.name = f[fields-2]
				if one.unit, known = parseUnit(f[fields-1]); !known {
					ok = false
				}
				list = append(list, one)
			}
			return list
		}
		if both {
			r.ours, r.c = side(left, 3), side(right, 2)
		}
		if !ok || !both {
			return nil, fmt.Errorf("line %d of the table: %q is no row", number+1, l)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// run prints the table, and returns the geometric mean of the ratios.
func run(out io.Writer, table, source, folder, clang string) (mean float64, err error) {
	text := standard
	if table != "" {
		data, err := os.ReadFile(table)
		if err != nil {
			return 0, err
		}
		text = string(data)
	}
	rows, err := parseTable(text)
	if err != nil {
		return 0, err
	}
	if clang == "" {
		if clang, err = findClang(); err != nil {
			return 0, err
		}
	}
	listing, err := compileC(clang, source)
	if err != nil {
		return 0, err
	}
	c := parse(listing, nil)
	files := map[string]map[string][]block{}
	fmt.Fprintf(out, "%-22s %10s %10s %8s\n", "workload", "ours", "clang", "ratio")
	logs, counted := 0.0, 0
	var missing []error
	for _, r := range rows {
		sum := func(list []loop, in func(loop) (map[string][]block, error)) (total float64, detail string, err error) {
			for _, l := range list {
				funcs, err := in(l)
				if err != nil {
					return 0, "", err
				}
				blocks, known := funcs[l.name]
				if !known {
					return 0, "", fmt.Errorf("%s: there is no func %s", r.name, l.name)
				}
				best, found := innermost(blocks, l.unit)
				if !found {
					return 0, "", fmt.Errorf("%s: no loop of %s does what its elements are counted by", r.name, l.name)
				}
				total += l.times * float64(best.instructions) / best.elements
				detail += fmt.Sprintf(" %d/%.4g", best.instructions, best.elements)
			}
			return total, detail, nil
		}
		ours, how, err := sum(r.ours, func(l loop) (map[string][]block, error) {
			path := filepath.Join(folder, filepath.FromSlash(l.file))
			if files[path] == nil {
				data, err := os.ReadFile(path)
				if err != nil {
					return nil, err
				}
				machine, err := assembled(path)
				if err != nil {
					return nil, err
				}
				files[path] = parse(string(data), machine)
			}
			return files[path], nil
		})
		if err != nil {
			missing = append(missing, err)
			continue
		}
		theirs, how2, err := sum(r.c, func(loop) (map[string][]block, error) { return c, nil })
		if err != nil {
			missing = append(missing, err)
			continue
		}
		fmt.Fprintf(out, "%-22s %10.2f %10.2f %8.2f  %s |%s\n", r.name, ours, theirs, ours/theirs, how, how2)
		logs += math.Log(ours / theirs)
		counted++
	}
	mean = math.Exp(logs / float64(counted))
	fmt.Fprintf(out, "%-22s %10s %10s %8.2f\n", "geometric mean", "", "", mean)
	return mean, errors.Join(missing...)
}

// findClang returns a clang that there is.
func findClang() (string, error) {
	for _, name := range []string{"clang", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("there is no clang")
}

// isFolder reports whether there is a folder of that name.
func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// compileC returns the listing that clang makes of a file.
func compileC(clang, file string) (string, error) {
	var out, errs bytes.Buffer
	resources, err := exec.Command(clang, "-print-resource-dir").Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", clang, err)
	}
	args := []string{"--target=aarch64-linux-gnu", "-O3", "-ffast-math", "-fopenmp", "-isystem", filepath.Join(strings.TrimSpace(string(resources)), "include")}
	// Where Debian's headers for arm64 are. Clang looks there by itself only if a gcc for arm64 is
	// installed.
	if headers := "/usr/aarch64-linux-gnu/include"; isFolder(headers) {
		args = append(args, "-isystem", headers)
	}
	cmd := exec.Command(clang, append(args, "-S", "-o", "-", file)...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", clang, err, errs.String())
	}
	return out.String(), nil
}

var atLine = regexp.MustCompile(`^\s+\S+\.s:(\d+)\t`)

// assembled returns how many instructions of the machine each line of a file for Go's assembler
// becomes.
func assembled(path string) (map[int]int, error) {
	dir, err := os.MkdirTemp("", "counts")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	object := filepath.Join(dir, "a.o")
	asm := exec.Command("go", "tool", "asm", "-p", "p", "-I", filepath.Join(strings.TrimSpace(string(root)), "pkg", "include"), "-o", object, path)
	asm.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64")
	if out, err := asm.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go tool asm: %w\n%s", err, out)
	}
	out, err := exec.Command("go", "tool", "objdump", object).Output()
	if err != nil {
		return nil, fmt.Errorf("go tool objdump: %w", err)
	}
	lines := map[int]int{}
	scan := bufio.NewScanner(bytes.NewReader(out))
	for scan.Scan() {
		if m := atLine.FindStringSubmatch(scan.Text()); m != nil {
			n, _ := strconv.Atoi(m[1])
			lines[n]++
		}
	}
	return lines, scan.Err()
}
