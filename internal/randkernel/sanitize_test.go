package randkernel

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/sanitize"
)

// TestSanitizer runs random kernels under the probe overlay. They compute what they do without, and gocuda sanitize
// reports nothing, since no kernel has a race, an uninitialised read or a barrier that some threads skip.
//
// GOCUDA_RANDOM_SANITIZE asks for more than a few of them, in the form of TestMany's setting. For example
//
//	GOCUDA_RANDOM_SANITIZE=2000:2100:100 go test -run Sanitizer -v -timeout 5h ./internal/randkernel
//
// runs 10000 kernels. TestSanitizerFindsRemovedBarriers takes the same setting.
func TestSanitizer(t *testing.T) {
	if testing.Short() {
		t.Skip("in short mode")
	}
	from, to, kernels := sanitizerSeeds(t, 3000, 3001, 24)
	binary := sanitizer(t)
	shapes := 0
	for seed := from; seed < to; seed++ {
		ks := random(seed, kernels)
		plain, probed, found := runSanitized(t, binary, program(ks), standIn(ks))
		assert.Empty(t, found, "seed %d", seed)
		require.NotEmpty(t, plain, "seed %d", seed)
		assert.Equal(t, plain, probed, "seed %d", seed)
		shapes += len(plain)
		t.Logf("seed %d: %d kernels so far, in %d launches", seed, int(seed-from+1)*kernels, shapes)
	}
}

// sanitizerSeeds returns what GOCUDA_RANDOM_SANITIZE asks for, or the range given.
func sanitizerSeeds(t *testing.T, from, to uint64, kernels int) (uint64, uint64, int) {
	t.Helper()
	if setting := os.Getenv("GOCUDA_RANDOM_SANITIZE"); setting != "" {
		var err error
		from, to, kernels, err = parseMany(setting)
		require.NoError(t, err, "GOCUDA_RANDOM_SANITIZE")
	}
	return from, to, kernels
}

// sanitizer builds the command.
func sanitizer(t *testing.T) string {
	t.Helper()
	defer func(d time.Duration) { patience = d }(patience)
	patience = 15 * time.Minute // much is built at first
	binary := filepath.Join(t.TempDir(), "gocuda.exe")
	out, err := command("go", "build", "-o", binary, "./cmd/gocuda")
	require.NoError(t, err, out)
	return binary
}

var digest = regexp.MustCompile(`(?m)^DIGEST .*$`)

// runSanitized runs a program without and with gocuda sanitize. It returns the digests that both print, and what was found.
func runSanitized(t *testing.T, binary string, src, compiled []byte) (plain, probed []string, found []sanitize.Finding) {
	t.Helper()
	dir, err := makeTemp()
	require.NoError(t, err)
	defer func() {
		os.RemoveAll(dir)
		os.Remove("testdata") // if there is nothing else in it
	}()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), src, 0o666))
	if compiled != nil {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "main_gocuda.go"), compiled, 0o666))
	}
	path := "./internal/randkernel/" + filepath.ToSlash(dir)
	run := func(name string, args ...string) (stdout, stderr string) {
		var out, log bytes.Buffer
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = root, &out, &log
		cmd.Env = append(os.Environ(), "DIGESTS=1")
		_ = cmd.Run() // what it prints says how it went
		return out.String(), log.String()
	}
	out, log := run("go", "run", path)
	plain = digest.FindAllString(out, -1)
	require.NotEmpty(t, plain, "%s\n%s", out, log)
	out, log = run(binary, "sanitize", "-o", "json", "-print-limit", "0", "-run", path)
	var report struct{ Findings []sanitize.Finding }
	require.NoError(t, json.NewDecoder(strings.NewReader(out)).Decode(&report), "%s\n%s", out, log)
	return plain, digest.FindAllString(log, -1), report.Findings
}
