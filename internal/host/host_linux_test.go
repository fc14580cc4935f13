package host

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What the processor tells agrees with what the Linux kernel made of it. The name is left out: a
// virtual machine may give the kernel another one.
func TestAgainstProc(t *testing.T) {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil || runtime.GOARCH != "amd64" {
		t.Skip("needs /proc/cpuinfo of an x86 processor")
	}
	_, flags, _ := strings.Cut(string(text), "\nflags")
	flags, _, _ = strings.Cut(flags, "\n")
	has := strings.Fields(flags)
	i := describe("")
	for feature, flag := range map[string]string{
		"SSE2": "sse2", "SSE42": "sse4_2", "AVX": "avx", "AVX2": "avx2", "FMA3": "fma", "F16C": "f16c",
		"AVX512F": "avx512f", "AVX512BW": "avx512bw", "AVX512VL": "avx512vl", "AVX512VNNI": "avx512_vnni",
	} {
		assert.Equal(t, contains(has, flag), contains(i.Features, feature), "%s: %v, the kernel's flags are %v", feature, i.Features, has)
	}
	for file, got := range map[string]int{"index0": i.L1D, "index2": i.L2, "index3": i.L3} {
		if size := read("/sys/devices/system/cpu/cpu0/cache/" + file + "/size"); size != "" {
			assert.Equal(t, parseSize(size), got, file)
		}
	}
	if total := memTotal(t); total > 0 {
		assert.InEpsilon(t, total, i.Memory, 0.05)
	}
}

// memTotal is the memory by /proc/meminfo, in bytes.
func memTotal(t *testing.T) int64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemTotal:" && f[2] == "kB" {
			return int64(parseSize(f[1] + "K"))
		}
	}
	return 0
}
