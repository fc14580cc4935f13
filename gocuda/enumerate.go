package gocuda

import (
	"fmt"
	"strings"

	"github.com/gocuda/gocuda/grid"
)

// Enumeration and choice of devices (The CUDA Handbook, 3.2). A program can open the host, and
// devices with the limits of each GPU of [Generations]. The number of a device is its index in that
// list; 0 is the host.

// DeviceCount returns how many devices there are to open, CUDA's cudaGetDeviceCount.
func DeviceCount() int { return len(Generations()) }

// PropertiesOf returns what is known of the device that NewDevice(WithGeneration(g)) opens, without
// opening it: CUDA's cudaGetDeviceProperties, with the generation in place of the device's number.
func PropertiesOf(g Generation) (Properties, error) {
	if !g.valid() {
		return Properties{}, fmt.Errorf("gocuda: properties: %w: generation %d", ErrInvalidValue, int(g))
	}
	p := propertiesOf(g, memoryOf(g))
	p.Workers = defaultWorkers()
	return p, nil
}

// memoryOf returns the bytes of memory that a device has by default.
func memoryOf(g Generation) int64 {
	if g == Host {
		return hostMemory()
	}
	return min(hostMemory(), int64(gpus[g].memory)<<20)
}

// ChooseDevice returns the device that fits the properties in want best, CUDA's cudaChooseDevice.
// Fields that are 0 ask for nothing. Major and Minor are the least compute capability, other
// numbers the least that the device must have, Name a part of the name, in either case. WarpSize
// and Generation must be equal if they are not 0. Of the devices that have everything, ChooseDevice
// returns the one of the lowest compute capability, so that a property that the program forgot to
// ask for shows early. If want asks for nothing, it returns the host. If no device fits, the error
// is an [ErrInvalidDevice].
func ChooseDevice(want Properties) (Generation, error) {
	if want.zero() {
		return Host, nil
	}
	var near []string
	for _, g := range append(Generations()[1:], Host) {
		p, err := PropertiesOf(g)
		if err != nil {
			return Host, err
		}
		lack := p.lack(want)
		if lack == "" {
			return g, nil
		}
		near = append(near, fmt.Sprintf("%v: %s", g, lack))
	}
	return Host, fmt.Errorf("gocuda: choose device: %w: none has what is asked for (%s)", ErrInvalidDevice, strings.Join(near, "; "))
}

// zero reports whether p asks for nothing.
func (p Properties) zero() bool {
	for _, f := range p.numbers() {
		if f.value != 0 {
			return false
		}
	}
	return p.Name == "" && p.Generation == Host && p.Major == 0 && p.Minor == 0
}

// A number is a field of Properties.
type number struct {
	name  string
	value int64
	exact bool // the device must have the same value, not at least as much
}

func (p Properties) numbers() []number {
	dims := func(name string, d grid.Dim3) []number {
		return []number{{name + ".X", int64(d.X), false}, {name + ".Y", int64(d.Y), false}, {name + ".Z", int64(d.Z), false}}
	}
	all := []number{
		{"TotalGlobalMem", p.TotalGlobalMem, false},
		{"TotalConstMem", int64(p.TotalConstMem), false},
		{"SharedMemPerBlock", int64(p.SharedMemPerBlock), false},
		{"SharedMemPerBlockOptin", int64(p.SharedMemPerBlockOptin), false},
		{"SharedMemPerMultiprocessor", int64(p.SharedMemPerMultiprocessor), false},
		{"RegsPerBlock", int64(p.RegsPerBlock), false},
		{"RegsPerMultiprocessor", int64(p.RegsPerMultiprocessor), false},
		{"WarpSize", int64(p.WarpSize), true},
		{"MaxThreadsPerBlock", int64(p.MaxThreadsPerBlock), false},
		{"MultiProcessorCount", int64(p.MultiProcessorCount), false},
		{"CoresPerMultiprocessor", int64(p.CoresPerMultiprocessor), false},
		{"MaxThreadsPerMultiProcessor", int64(p.MaxThreadsPerMultiProcessor), false},
		{"MaxBlocksPerMultiProcessor", int64(p.MaxBlocksPerMultiProcessor), false},
		{"ClockRate", int64(p.ClockRate), false},
		{"L2CacheSize", int64(p.L2CacheSize), false},
		{"MemoryClockRate", int64(p.MemoryClockRate), false},
		{"MemoryBusWidth", int64(p.MemoryBusWidth), false},
		{"Workers", int64(p.Workers), false},
	}
	all = append(all, dims("MaxThreadsDim", p.MaxThreadsDim)...)
	return append(all, dims("MaxGridSize", p.MaxGridSize)...)
}

// lack describes the first property in want that a device with properties p does not have. It is
// empty if the device has all of them.
func (p Properties) lack(want Properties) string {
	have := Capability{p.Major, p.Minor}
	switch {
	case want.Generation != Host && want.Generation != p.Generation:
		return fmt.Sprintf("it is no %v", want.Generation)
	case have.before(Capability{want.Major, want.Minor}):
		return fmt.Sprintf("compute capability %v", have)
	case !strings.Contains(strings.ToLower(p.Name), strings.ToLower(want.Name)):
		return fmt.Sprintf("its name is %q", p.Name)
	}
	got := p.numbers()
	for i, w := range want.numbers() {
		if w.value != 0 && (got[i].value < w.value || w.exact && got[i].value != w.value) {
			return fmt.Sprintf("%s is %d", w.name, got[i].value)
		}
	}
	return ""
}
