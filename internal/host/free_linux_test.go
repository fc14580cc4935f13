package host

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is free is the least of what the machine, the limits of the process and each of its control
// groups leave.
func TestFreeIsTheLeastOfAll(t *testing.T) {
	const none = math.MaxInt64
	machine := map[string]string{
		"proc/meminfo":     "MemTotal:  9000 kB\nMemFree: 10 kB\nMemAvailable:   8000 kB\nSwapTotal: 100 kB\nSwapFree:  50 kB\n",
		"proc/self/status": "Name:\tx\nVmPeak:\t 99 kB\nVmSize:\t    1000 kB\nVmData:\t    600 kB\n",
	}
	v2 := map[string]string{
		"proc/self/cgroup":                       "0::/a/b\n",
		"sys/fs/cgroup/a/b/memory.max":           "max\n",
		"sys/fs/cgroup/a/b/memory.current":       "5\n",
		"sys/fs/cgroup/a/memory.max":             "4000000\n",
		"sys/fs/cgroup/a/memory.current":         "3000000\n",
		"sys/fs/cgroup/a/memory.stat":            "anon 1000\ninactive_file 500000\n",
		"sys/fs/cgroup/memory/memory.max":        "1\n", // no group of ours
		"sys/fs/cgroup/other/b/a/memory.current": "1\n",
	}
	v1 := map[string]string{
		"proc/self/cgroup": "5:cpu,cpuacct:/c\n4:hugetlb,memory:/c\n0::/\n",
		"sys/fs/cgroup/memory/c/memory.limit_in_bytes":      "9223372036854771712\n",
		"sys/fs/cgroup/memory/c/memory.usage_in_bytes":      "1000\n",
		"sys/fs/cgroup/memory/memory.limit_in_bytes":        "2000000\n",
		"sys/fs/cgroup/memory/memory.usage_in_bytes":        "1500000\n",
		"sys/fs/cgroup/memory/memory.stat":                  "inactive_file 7\ntotal_inactive_file 100000\n",
		"sys/fs/cgroup/cpu/c/memory.limit_in_bytes":         "1\n",
		"sys/fs/cgroup/memory/elsewhere/memory.usage_bytes": "1\n",
	}
	for _, c := range []struct {
		name        string
		space, data int64
		files       []map[string]string
		want        int64
	}{
		{"nothing is known", none, none, nil, none},
		{"machine", none, none, []map[string]string{machine}, 8050 << 10},
		{"address space", 3000 << 10, none, []map[string]string{machine}, 2000 << 10},
		{"data", 3000 << 10, 1000 << 10, []map[string]string{machine}, 400 << 10},
		{"more than the limit", 900 << 10, none, []map[string]string{machine}, 0},
		{"group of version 2", none, none, []map[string]string{machine, v2}, 1500000},
		{"group of version 1", none, none, []map[string]string{machine, v1}, 600000},
		{"group of its own as it sees it", none, none, []map[string]string{machine, {
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "70000\n", "sys/fs/cgroup/memory.current": "20000\n",
		}}, 50000},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			for _, files := range c.files {
				for name, text := range files {
					require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o777))
					require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o666))
				}
			}
			assert.Equal(t, c.want, freeUnder(root, c.space, c.data))
		})
	}
}

// On the machine of the test it is something between what the test needs itself and what the
// machine has.
func TestFreeOfThisMachine(t *testing.T) {
	free := Free()
	assert.Positive(t, free)
	assert.Less(t, free, Get().Memory+keyed("/proc/meminfo")["SwapTotal:"]<<10)
}
