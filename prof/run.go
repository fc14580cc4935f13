package prof

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// ErrNotBuilt is the error of [Run] in a program that `gocuda prof` has not built.
var ErrNotBuilt = errors.New("prof: this program was not built by gocuda prof, so nothing can be counted")

// Active reports whether the program was built by `gocuda prof`.
func Active() bool { return active != nil }

var runs sync.Mutex

// Run calls f and reports on the launches that it waits for. Launches of other goroutines at the
// same time are counted too. In a program that `gocuda prof` has not built it returns [ErrNotBuilt]
// without calling f.
func Run(f func()) (*Report, error) {
	if active == nil {
		return nil, ErrNotBuilt
	}
	runs.Lock()
	defer runs.Unlock()
	before := active.swap(nil)
	f()
	return active.swap(before).report(active.gpu), nil
}

// Kernel returns the kernel of the name, and panics if the run has none: a test must not pass
// because its kernel did not run. The name is that of the report, or an element of it: of the
// package path, the func, or the func in which a func literal stands.
func (r *Report) Kernel(name string) *Kernel {
	k, err := r.Lookup(name)
	if err != nil {
		panic(err)
	}
	return k
}

// Lookup is [Report.Kernel] with an error in place of a panic. Of several kernels that fit the
// first is returned.
func (r *Report) Lookup(name string) (*Kernel, error) {
	if k := r.find(name); k != nil {
		return k, nil
	}
	var names []string
	for _, k := range r.Kernels {
		names = append(names, k.Name)
		elements := strings.FieldsFunc(k.Name, func(c rune) bool { return strings.ContainsRune("./()*[]", c) })
		if slices.Contains(elements, name) {
			return k, nil
		}
	}
	return nil, fmt.Errorf("prof: no kernel %q has run; there were: %s", name, strings.Join(names, ", "))
}

// On returns the report for another GPU. The counts are the same; which rules are read differs.
func (r *Report) On(g GPU) *Report {
	s := &Report{GPU: g, Notes: r.Notes}
	for _, k := range r.Kernels {
		s.Kernels = append(s.Kernels, &Kernel{Name: k.Name, Launches: k.Launches, gpu: g})
	}
	return s
}

// logName is what each process names its list of launches in the folder of the command.
const logName = "launches-*.json"

// Read returns the report of the processes that wrote to a folder.
func Read(folder string, g GPU) (*Report, error) {
	names, err := filepath.Glob(filepath.Join(folder, logName))
	if err != nil {
		return nil, err
	}
	var processes []launches
	for _, n := range names {
		l, err := readLog(n)
		if err != nil {
			return nil, err
		}
		processes = append(processes, l)
	}
	// Files have random names. Processes follow by the kernels that they ran.
	slices.SortStableFunc(processes, func(a, b launches) int { return slices.CompareFunc(a, b, (*Launch).compare) })
	var all launches
	for _, p := range processes {
		for _, l := range p {
			all.add(l)
		}
	}
	return all.report(g), nil
}

func readLog(name string) (all launches, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for d := json.NewDecoder(f); ; {
		l := &Launch{}
		if err := d.Decode(l); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all.add(l)
	}
}

// ReadFile reads a report that was written as JSON.
func ReadFile(name string) (*Report, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	r := &Report{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, k := range r.Kernels {
		k.gpu = r.GPU
	}
	return r, nil
}
