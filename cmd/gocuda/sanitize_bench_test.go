package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkSanitize compares kernels that are not compiled with the same under gocuda sanitize,
// with all its tools: a product of matrices of 256 by 256 in tiles, and a sum of 2^20 elements.
// times is how many times as much processor time a launch takes, B/word how much more memory the
// program has for each word of global memory that the kernel touches.
func BenchmarkSanitize(b *testing.B) {
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" {
		b.Skip("the program asks a Unix for its processor time")
	}
	userModule(b, "testdata/sanitizebench")
	measure := func(b *testing.B, out []byte) (ns, heap, words float64) {
		b.Helper()
		_, text, _ := strings.Cut(string(out), "MEASURED ")
		_, err := fmt.Sscan(text, &ns, &heap, &words)
		require.NoError(b, err, "%s", out)
		return ns, heap, words
	}
	for _, kernel := range []string{"product", "reduction"} {
		b.Run("kernel="+kernel, func(b *testing.B) {
			var ratio, memory float64
			rounds := 0
			for b.Loop() {
				out, err := exec.Command("go", "run", ".", kernel).CombinedOutput()
				require.NoError(b, err, "%s", out)
				ns, heap, words := measure(b, out)
				var stdout, stderr bytes.Buffer
				require.Zero(b, sanitizeCommand([]string{"-run", ".", "--", kernel}, &stdout, &stderr), "%s%s", &stdout, &stderr)
				probed, more, _ := measure(b, stdout.Bytes())
				ratio += probed / ns
				memory += (more - heap) / words
				rounds++
			}
			b.ReportMetric(ratio/float64(rounds), "times")
			b.ReportMetric(memory/float64(rounds), "B/word")
		})
	}
}
