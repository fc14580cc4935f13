//go:build compiled

package kernel

import (
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

var word = flag.String("word", "", "a flag of the tests' own")

func TestDouble(t *testing.T) {
	x := []int32{1, 2, 3}
	k := Compiled(x)
	if _, ok := k.(gocuda.ThreadFunc); ok {
		t.Error("not compiled")
	}
	if err := gocuda.Launch(t.Context(), grid.Linear(3, 32), k); err != nil || x[2] != 6 {
		t.Error(x, err)
	}
	info, _ := debug.ReadBuildInfo()
	for _, s := range info.Settings {
		fmt.Printf("%s=%s\n", s.Key, s.Value)
	}
	fmt.Println("word", *word, "arguments", flag.Args(), "short", testing.Short(), "GODEBUG", os.Getenv("GODEBUG"))
}

func TestFails(t *testing.T) { t.Error("as it should") }
