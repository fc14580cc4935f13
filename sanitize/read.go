package sanitize

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocuda/gocuda/grid"
)

// Read returns the findings of the processes that wrote to a folder. Those of the same places in
// several launches are one. Places in files below dir are named from there.
func Read(folder, dir string) ([]Finding, error) {
	files, err := filepath.Glob(filepath.Join(folder, "findings*"))
	if err != nil {
		return nil, err
	}
	r := reader{all: map[readKey]*Finding{}, dir: dir}
	for _, name := range files {
		if err := r.file(name); err != nil {
			return nil, err
		}
	}
	out := make([]Finding, 0, len(r.found))
	for _, f := range r.found {
		out = append(out, *f)
	}
	slices.SortStableFunc(out, func(f, g Finding) int {
		return cmp.Or(strings.Compare(f.Tool, g.Tool), comparePlaces(f.First, g.First), comparePlaces(f.Other, g.Other),
			strings.Compare(f.Kind, g.Kind), strings.Compare(f.Kernel, g.Kernel), strings.Compare(f.OtherKernel, g.OtherKernel),
			strings.Compare(f.Text, g.Text))
	})
	return out, nil
}

func comparePlaces(p, q Place) int {
	return cmp.Or(strings.Compare(p.File, q.File), p.Line-q.Line, p.Col-q.Col)
}

type readKey struct {
	tool, kind, kernel, other, text string
	first, second                   Place
}

type reader struct {
	dir   string
	all   map[readKey]*Finding
	found []*Finding
}

// file reads what one process has written.
func (r *reader) file(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	live := map[string]Finding{}   // allocations that were not freed, by their number
	unused := map[string]Finding{} // likewise, what the process wrote of each last
	launches := map[string][]int{} // by kernel
	var found []Finding
	in := bufio.NewScanner(file)
	in.Buffer(nil, 1<<26)
	for in.Scan() {
		var f Finding
		if err := json.Unmarshal(in.Bytes(), &f); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
		f.First.File, f.Other.File = r.relative(f.First.File), r.relative(f.Other.File)
		f.Where = strings.ReplaceAll(f.Where, r.dir+string(filepath.Separator), "")
		switch {
		case f.Tool == "launch":
			launches[f.Kernel] = append(launches[f.Kernel], f.Launch)
		case f.Tool == "unused":
			unused[f.Kind] = f
		case f.Tool == "leak" && f.Kind == "alloc":
			live[f.Text] = f
		case f.Tool == "leak":
			delete(live, f.Text)
		default:
			found = append(found, f)
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(name), err)
	}
	// Tests that run at the same time launch kernels in any order, so a launch is named by its
	// number among those of its kernel.
	for _, list := range launches {
		slices.Sort(list)
	}
	for _, f := range found {
		number := func(launch *int, kernel string) {
			if i, ok := slices.BinarySearch(launches[kernel], *launch); ok {
				*launch = i + 1
			}
		}
		number(&f.Launch, f.Kernel)
		number(&f.OtherLaunch, f.OtherKernel)
		r.add(f)
	}
	for _, f := range live {
		r.add(Finding{Tool: "mem", Kind: "leak", Severity: SeverityError, Count: 1, First: f.First, Bytes: f.Count, Text: fmt.Sprintf("Leaked %d bytes", f.Count)})
	}
	for _, f := range unused {
		if f.Count > 0 {
			r.add(Finding{
				Tool: "init", Kind: "unused", Severity: SeverityWarning, Count: 1, First: f.First, Bytes: f.Count,
				Text: fmt.Sprintf("Unused memory in an allocation of %d bytes: not written %d bytes, %d%% of it", f.Bytes, f.Count, f.Count*100/max(1, f.Bytes)),
			})
		}
	}
	return nil
}

func (r *reader) add(f Finding) {
	k := readKey{f.Tool, f.Kind, f.Kernel, f.OtherKernel, f.Text, f.First, f.Other}
	old := r.all[k]
	if old == nil {
		r.all[k] = &f
		r.found = append(r.found, &f)
		return
	}
	old.Count += f.Count
	old.Bytes += f.Bytes
	old.Severity = max(old.Severity, f.Severity)
	old.Hazards = append(old.Hazards, f.Hazards...)
	switch {
	case f.Tool == "race" && f.Launch == old.Launch && f.OtherLaunch == old.OtherLaunch:
		// Either launch may have been the later one at some of the places, whatever their timing:
		// the first threads are named.
		if comparePairs(f.Threads, old.Threads) < 0 {
			old.Threads, old.Where = f.Threads, f.Where
		}
	case f.Launch == old.Launch:
		old.Threads[1] = f.Threads[1]
	case cmp.Or(f.Launch-old.Launch, f.OtherLaunch-old.OtherLaunch) < 0:
		old.Launch, old.OtherLaunch, old.Threads, old.Where = f.Launch, f.OtherLaunch, f.Threads, f.Where
	}
}

// comparePairs orders pairs of threads: by block, x fastest, and thread of the first, then of the
// second.
func comparePairs(a, b [2]Thread) int {
	dim := func(a, b grid.Dim3) int { return cmp.Or(a.Z-b.Z, a.Y-b.Y, a.X-b.X) }
	for i := range a {
		if c := cmp.Or(dim(a[i].Block, b[i].Block), dim(a[i].Thread, b[i].Thread)); c != 0 {
			return c
		}
	}
	return 0
}

// relative names a file from the folder of the command if it is below it.
func (r *reader) relative(file string) string {
	if rel, err := filepath.Rel(r.dir, file); err == nil && filepath.IsAbs(file) && !strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(rel)
	}
	return file
}
