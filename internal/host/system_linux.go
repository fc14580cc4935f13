package host

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

const cpuDir = "/sys/devices/system/cpu/"

// fromSystem fills in the memory, the cores, and what the processor does not tell: its name and its
// caches, on arm64 for example.
func fromSystem(i *Info) {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) == nil {
		i.Memory = int64(info.Totalram) * int64(info.Unit)
	}

	// Logical processors of one core have the same list of siblings.
	cores := map[string]bool{}
	lists, _ := filepath.Glob(cpuDir + "cpu[0-9]*/topology/core_cpus_list")
	for _, f := range lists {
		cores[read(f)] = true
	}
	if len(cores) > 0 {
		i.Cores = len(cores)
	}

	caches, _ := filepath.Glob(cpuDir + "cpu0/cache/index[0-9]*")
	for _, dir := range caches {
		size := parseSize(read(dir + "/size"))
		var into *int
		switch read(dir+"/level") + read(dir+"/type") {
		case "1Data":
			into = &i.L1D
		case "2Unified":
			into = &i.L2
		case "3Unified":
			into = &i.L3
		default:
			continue
		}
		if *into == 0 {
			*into = size
		}
		if i.CacheLine == 0 {
			i.CacheLine, _ = strconv.Atoi(read(dir + "/coherency_line_size"))
		}
	}
	if i.Name == "" {
		for line := range strings.Lines(read("/proc/cpuinfo")) {
			if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
				i.Name = strings.TrimSpace(value)
				break
			}
		}
	}
}

func read(file string) string {
	b, _ := os.ReadFile(file)
	return strings.TrimSpace(string(b))
}

// parseSize reads a size such as 32K or 1M.
func parseSize(s string) int {
	unit := 1
	switch {
	case strings.HasSuffix(s, "K"):
		unit = 1 << 10
	case strings.HasSuffix(s, "M"):
		unit = 1 << 20
	}
	n, _ := strconv.Atoi(strings.TrimRight(s, "KM"))
	return n * unit
}
