//go:build !compiled

package corpus

import (
	"os"
	"testing"

	"github.com/gocuda/gocuda/test/internal/rerun"
)

// TestMain runs the tests with compiled kernels: they have another build tag.
func TestMain(*testing.M) { os.Exit(rerun.Run()) }
