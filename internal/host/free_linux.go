package host

import (
	"bufio"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// systemFree returns how many bytes Linux would give this process.
func systemFree() int64 {
	return freeUnder("/", softLimit(syscall.RLIMIT_AS), softLimit(syscall.RLIMIT_DATA))
}

func softLimit(resource int) int64 {
	var r syscall.Rlimit
	if syscall.Getrlimit(resource, &r) != nil || r.Cur > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(r.Cur)
}

// freeUnder is systemFree for the files below root, and limits on the address space and on the data
// of the process.
func freeUnder(root string, space, data int64) int64 {
	free := int64(math.MaxInt64)
	if m := keyed(filepath.Join(root, "proc/meminfo")); m["MemAvailable:"] > 0 {
		free = (m["MemAvailable:"] + m["SwapFree:"]) << 10
	}
	status := keyed(filepath.Join(root, "proc/self/status"))
	free = min(free, space-status["VmSize:"]<<10, data-status["VmData:"]<<10)
	return max(0, min(free, groupsFree(root)))
}

// groupsFree returns what the control groups leave, of which each is inside another.
func groupsFree(root string) int64 {
	free := int64(math.MaxInt64)
	mount := filepath.Join(root, "sys/fs/cgroup")
	for line := range strings.Lines(read(filepath.Join(root, "proc/self/cgroup"))) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3) // 0::/user.slice or, in version 1, 4:memory:/user.slice
		if len(f) < 3 {
			continue
		}
		dir, limit, used, cache := mount, "memory.max", "memory.current", "inactive_file"
		if slices.Contains(strings.Split(f[1], ","), "memory") {
			dir, limit, used, cache = filepath.Join(mount, "memory"), "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"
		} else if f[1] != "" {
			continue
		}
		for group := path.Clean("/" + f[2]); ; group = path.Dir(group) {
			at := filepath.Join(dir, group)
			most, err := strconv.ParseInt(read(filepath.Join(at, limit)), 10, 64)
			now, _ := strconv.ParseInt(read(filepath.Join(at, used)), 10, 64)
			if err == nil { // else there is no limit: "max", or the group is not to be seen from within a container
				free = min(free, most-now+keyed(filepath.Join(at, "memory.stat"))[cache])
			}
			if group == "/" {
				break
			}
		}
	}
	return free
}

// keyed reads the first number of each line of a file by the word before it.
func keyed(file string) map[string]int64 {
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	m := map[string]int64{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) > 1 {
			if n, err := strconv.ParseInt(words[1], 10, 64); err == nil {
				m[words[0]] = n
			}
		}
	}
	return m
}
