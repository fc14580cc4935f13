package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"runtime"
	"slices"

	"github.com/gocuda/gocuda/internal/host"
)

// A Machine is where figures come from.
type Machine struct {
	Name       string   `json:"name"`       // of the processor
	Cores      int      `json:"cores"`      // physical
	Processors int      `json:"processors"` // logical ones that the process may use
	L1D        int      `json:"l1d"`        // bytes, of a core; 0 if unknown, as those that follow
	L2         int      `json:"l2"`         // bytes, of a core
	L3         int      `json:"l3"`         // bytes, of a group of cores
	Memory     int64    `json:"memory"`     // bytes
	Vectors    []string `json:"vectors"`    // extensions, less those that GODEBUG turns off
	OS         string   `json:"os"`
	Arch       string   `json:"arch"`
}

// ThisMachine returns the machine that this process runs on.
func ThisMachine() Machine {
	h := host.Get()
	return Machine{h.Name, h.Cores, h.Threads, h.L1D, h.L2, h.L3, h.Memory, h.Features, runtime.GOOS, runtime.GOARCH}
}

// An Origin is what makes figures: they compare if the machines are the same, whatever the versions.
type Origin struct {
	Machine Machine `json:"machine"`
	Go      string  `json:"go"`     // version of Go
	Version string  `json:"gocuda"` // version or revision of this module, or ""
}

// A Record is a line of `gocuda bench -json`.
type Record struct {
	Result
	// Ratios are the figure over those of serial, goroutines, openmp and opencl, as far as there
	// are such, for the same workload and size: above 1 is better, whether the figure is a speed or
	// a time.
	Ratios map[string]float64 `json:"ratios"`
	Origin
}

// Records returns the lines for the figures of a workload and size.
func Records(results []Result, from Origin) []Record {
	ratio := ratios(results)
	var list []Record
	for _, r := range results {
		rec := Record{r, map[string]float64{}, from}
		for _, base := range ratioBases {
			if x, ok := ratio(r, base); ok && base != r.Executor {
				rec.Ratios[base] = x
			}
		}
		list = append(list, rec)
	}
	return list
}

// ReadRecords reads what `gocuda bench -json` has printed, of one run or several. A line that is
// none of it is an error, and so are lines of several machines.
func ReadRecords(r io.Reader) ([]Record, error) {
	var list []Record
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		var rec Record
		if err := json.Unmarshal(line, &rec); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if err := rec.check(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if len(list) > 0 && !reflect.DeepEqual(rec.Machine, list[0].Machine) {
			return nil, fmt.Errorf("line %d: it is of %s, and the first one of %s: a file has the figures of one machine", n, rec.Machine, list[0].Machine)
		}
		list = append(list, rec)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, errors.New("it has no figures")
	}
	return list, nil
}

// String returns the machine in a few words.
func (m Machine) String() string {
	return fmt.Sprintf("%s, %d cores, %d processors, %s/%s", m.Name, m.Cores, m.Processors, m.OS, m.Arch)
}

// check returns what is wrong with a record that has been read from a line.
func (r *Record) check(line []byte) error {
	i := slices.IndexFunc(everyWorkload(), func(w Workload) bool { return w.Name == r.Workload })
	number := func(v float64) bool { return v > 0 && !math.IsInf(v, 0) }
	switch {
	case r.Workload == "" && bytes.Contains(line, []byte(`"figure"`)):
		return errors.New("it is a point of -figure, not a figure of a workload")
	case r.Workload == "":
		return errors.New("it names no workload")
	case i < 0:
		return fmt.Errorf("there is no workload %q", r.Workload)
	case !slices.Contains(Executors(), r.Executor):
		return fmt.Errorf("there is no executor %q", r.Executor)
	case r.Unit != everyWorkload()[i].Unit:
		return fmt.Errorf("the unit of %s is %s, not %q", r.Workload, everyWorkload()[i].Unit, r.Unit)
	case r.Size < 0 || !number(r.Value) || !r.Verified:
		return errors.New("it has no verified figure")
	case len(r.Samples) == 0 || slices.ContainsFunc(r.Samples, func(v float64) bool { return !number(v) }):
		return errors.New("it has no figures of rounds (samples), which newer versions write")
	}
	return nil
}
