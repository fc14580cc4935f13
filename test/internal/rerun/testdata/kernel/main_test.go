//go:build !compiled

package kernel

import (
	"os"
	"testing"

	"github.com/gocuda/gocuda/test/internal/rerun"
)

func TestMain(*testing.M) { os.Exit(rerun.Run()) }
