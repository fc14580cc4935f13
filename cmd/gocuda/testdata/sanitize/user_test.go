// Package user has mistakes in kernels, each with its corrected twin, whose name ends in Right.
//
// A comment such as
//
//	// want race RAW error 508
//
// says what gocuda sanitize reports with this line as one of its places: the tool, and then the kind, the severity and
// the count where they are certain. Nothing else may be reported. A question mark before the tool allows a report that
// need not come.
package user

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// device is the host, in checked mode if the environment variable CHECKED is set.
var device = sync.OnceValue(func() *gocuda.Device {
	if os.Getenv("CHECKED") == "" {
		return gocuda.Default()
	}
	d, err := gocuda.NewDevice(gocuda.WithChecked(true))
	if err != nil {
		panic(err)
	}
	return d
})

// run launches g blocks of b threads. Some of the mistakes end a launch: it says so, and the test goes on.
func run(g, b int, k func(*gocuda.Thread)) {
	if err := device().LaunchFunc(context.Background(), line(g, b), k); err != nil {
		fmt.Println("the launch fails:", err)
	}
}

func line(g, b int) grid.Config {
	return grid.Config{Grid: grid.Dim3{X: g}, Block: grid.Dim3{X: b}}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
