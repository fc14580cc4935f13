package randkernel

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMany runs as many random kernels as GOCUDA_RANDOM_KERNELS says, in their plain form: FROM:TO
// is a range of seeds, each of which is a program of 120 kernels, and FROM:TO:N one of programs of
// N kernels. For example
//
//	GOCUDA_RANDOM_KERNELS=1000:1010 go test -run Many -v -timeout 5h ./test/randkernel
//
// runs 1200 kernels, of the seeds 1000 to 1009. Of each seed that fails it prints the smallest
// kernel that does. At the end it says how many kernels agree. It ends early if the time that the
// test may take is about to end.
func TestMany(t *testing.T) {
	setting := os.Getenv("GOCUDA_RANDOM_KERNELS")
	if setting == "" {
		t.Skip("GOCUDA_RANDOM_KERNELS is not set")
	}
	if raceEnabled {
		t.Skip("under the race detector a compiled kernel runs its source")
	}
	from, to, kernels, err := parseMany(setting)
	require.NoError(t, err, "GOCUDA_RANDOM_KERNELS")
	defer func(d time.Duration) { patience = d }(patience)
	patience = 15 * time.Minute // a large program takes minutes on a busy machine
	agree, source, longest := 0, 0, time.Duration(0)
	failed := map[uint64]string{}
	seed := from
	for ; seed < to; seed++ {
		begun := time.Now()
		if end, ok := t.Deadline(); ok && begun.Add(2*longest+*most).After(end) {
			break
		}
		ks := plainOnly(random(seed, kernels))
		r := runProgram(t, ks, nil)
		source += r.source
		longest = max(longest, time.Since(begun))
		if r.what == "" || r.what == "disagree" {
			agree += len(ks) - len(r.bad)
		}
		if r.what != "" {
			failed[seed] = fmt.Sprint(r.what, r.bad)
			report(t, seed, ks, r)
		}
		t.Logf("seed %d: %d kernels, %d of them only as source, in %v", seed, len(ks), r.source, time.Since(begun).Round(time.Second))
	}
	t.Logf("%d of %d kernels agree, of %d seeds, from %d to %d; %d kernels have no compiled form; seeds that failed: %v",
		agree, int(seed-from)*kernels, seed-from, from, seed-1, source, failed)
}

// parseMany returns what FROM:TO or FROM:TO:N says.
func parseMany(s string) (from, to uint64, kernels int, err error) {
	kernels = 120
	parts := strings.Split(s, ":")
	if len(parts) == 3 {
		if kernels, err = strconv.Atoi(parts[2]); err != nil || kernels < 1 {
			return 0, 0, 0, fmt.Errorf("%q: the number of kernels of a program is a positive integer", s)
		}
		parts = parts[:2]
	}
	if len(parts) != 2 {
		return 0, 0, 0, fmt.Errorf("%q is not FROM:TO or FROM:TO:N", s)
	}
	from, err = strconv.ParseUint(parts[0], 10, 64)
	if err == nil {
		to, err = strconv.ParseUint(parts[1], 10, 64)
	}
	if err == nil && from >= to {
		err = fmt.Errorf("%q: no seed is in that range", s)
	}
	return from, to, kernels, err
}

// plainOnly returns the kernels with the option that leaves their vector forms out.
func plainOnly(ks []*kernel) []*kernel {
	list := make([]*kernel, len(ks))
	for i, k := range ks {
		c := *k
		c.head = strings.Replace(k.head, "//gocuda:kernel\n", "//gocuda:kernel novectors\n", 1)
		list[i] = &c
	}
	return list
}

func TestParseMany(t *testing.T) {
	from, to, kernels, err := parseMany("10:20:7")
	require.NoError(t, err)
	require.Equal(t, []any{uint64(10), uint64(20), 7}, []any{from, to, kernels})
	_, _, kernels, err = parseMany("10:20")
	require.NoError(t, err)
	require.Equal(t, 120, kernels)
	for _, bad := range []string{"10", "20:10", "5:5", "a:b", "1:2:0", "1:2:3:4", "-1:4"} {
		_, _, _, err := parseMany(bad)
		require.Error(t, err, bad)
	}
}
