package host

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// What cpuid tells agrees with what the Linux kernel made of it.
func TestAgainstProc(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("needs /proc/cpuinfo of an x86 processor")
	}
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Skip(err)
	}
	first := map[string]string{}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(line, ":")
		key = strings.TrimSpace(key)
		if _, seen := first[key]; !seen {
			first[key] = strings.TrimSpace(value)
		}
	}
	i := Get()
	if i.Name != first["model name"] {
		t.Errorf("name %q, the kernel says %q", i.Name, first["model name"])
	}
	flags := strings.Fields(first["flags"])
	for feature, flag := range map[string]string{
		"SSE2": "sse2", "SSE4.2": "sse4_2", "AVX": "avx", "AVX2": "avx2", "FMA3": "fma", "F16C": "f16c",
		"AVX512F": "avx512f", "AVX512BW": "avx512bw", "AVX512VL": "avx512vl", "AVX512VNNI": "avx512_vnni",
	} {
		if slices.Contains(i.Features, feature) != slices.Contains(flags, flag) {
			t.Errorf("%s: %v, the kernel's flags are %v", feature, i.Features, flags)
		}
	}
	for file, got := range map[string]int{"index0": i.L1D, "index2": i.L2, "index3": i.L3} {
		if size := read("/sys/devices/system/cpu/cpu0/cache/" + file + "/size"); size != "" && parseSize(size) != got {
			t.Errorf("%s: %d bytes, the kernel says %s", file, got, size)
		}
	}
}

func TestPlausible(t *testing.T) {
	i := Get()
	if i.Name == "" || i.Cores < 1 || i.Threads < 1 || i.CacheLine < 16 || i.CacheLine&(i.CacheLine-1) != 0 {
		t.Errorf("%+v", i)
	}
}
