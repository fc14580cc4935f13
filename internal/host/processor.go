package host

import (
	"runtime"
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// vectors are the vector extensions that Features lists, with the names that GODEBUG has for them,
// as far as it has any. That of ASIMD is ours; Go's runtime says that it does not know it.
var vectors = []struct {
	id   cpuid.FeatureID
	name string // in GODEBUG
}{
	{cpuid.SSE2, ""}, {cpuid.SSE4, "sse41"}, {cpuid.SSE42, "sse42"},
	{cpuid.AVX, "avx"}, {cpuid.AVX2, "avx2"}, {cpuid.FMA3, "fma"}, {cpuid.F16C, ""},
	{cpuid.AVX512F, "avx512f"}, {cpuid.AVX512BW, "avx512bw"}, {cpuid.AVX512CD, "avx512cd"},
	{cpuid.AVX512DQ, "avx512dq"}, {cpuid.AVX512VL, "avx512vl"},
	{cpuid.AVX512VNNI, ""}, {cpuid.AVX512FP16, ""},
	{cpuid.ASIMD, "asimd"}, {cpuid.ASIMDHP, ""}, {cpuid.ASIMDDP, ""}, {cpuid.SVE, ""}, {cpuid.SVE2, ""},
}

// fromProcessor fills in what the processor tells of itself. debug is the value of GODEBUG.
func fromProcessor(i *Info, debug string) {
	c := &cpuid.CPU
	i.Name = strings.TrimSpace(c.BrandName)
	i.Cores = c.PhysicalCores
	i.CacheLine = c.CacheLine
	// What cpuid does not find out is -1.
	i.L1D, i.L2, i.L3 = max(0, c.Cache.L1D), max(0, c.Cache.L2), max(0, c.Cache.L3)
	off := turnedOff(debug)
	for _, v := range vectors {
		has := c.Has(v.id) || v.id == cpuid.ASIMD && runtime.GOARCH == "arm64" // all of them have it, where nobody says so, too
		if has && !off(v.name) && !(strings.HasPrefix(v.id.String(), "AVX512") && off("avx512f")) {
			i.Features = append(i.Features, v.id.String())
		}
	}
}

// turnedOff returns a function that reports whether GODEBUG turns a feature off, as in
// cpu.avx512f=off. Go's own checks of the processor obey it, and
// cpuid, which asks the processor, does not.
func turnedOff(debug string) func(name string) bool {
	off, all := map[string]bool{}, false
	for field := range strings.SplitSeq(debug, ",") {
		name, value, _ := strings.Cut(field, "=")
		name, ok := strings.CutPrefix(name, "cpu.")
		switch {
		case !ok || value != "on" && value != "off":
		case name == "all": // all of them, whatever was said before
			clear(off)
			all = value == "off"
		default:
			off[name] = value == "off"
		}
	}
	return func(name string) bool {
		if v, ok := off[name]; ok {
			return v
		}
		return name != "" && all
	}
}
