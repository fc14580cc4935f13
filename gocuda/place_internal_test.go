package gocuda

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFramesOfTheLibrary(t *testing.T) {
	for _, c := range []struct {
		function, file string
		library        bool
		generated      bool
	}{
		{"main.kernel", "/home/a/k.go", false, false},
		{"main.kernelBody", "/home/a/k_gocuda.go", false, true},
		{"main.kernelNest1AVX2", "/home/a/k_gocuda_amd64.s", false, true},
		{"main.kernel", "/home/gocuda/gocuda.go", false, false},
		{"example.org/gocuda/gocuda.Kernel", "/home/a/k.go", false, false},
		{modulePath + "gocuda.(*Thread).SyncThreads", "/home/a/barrier.go", true, false},
		{modulePath + "gocuda.Shared[...]", "/home/a/shared.go", true, false},
		{modulePath + "gocuda/rt.Loop", "/home/a/rt.go", true, false},
		{modulePath + "device/internal/exact.Sin", "/home/a/sin.go", true, false},
		{modulePath + "kernels.saxpy", "/home/a/saxpy.go", false, false},
		{modulePath + "kernels/sparse.mul", "/home/a/mul.go", false, false},
		{modulePath + "internal/corpus.fail", "/home/a/fail.go", false, false},
		{modulePath + "gocuda_test.kernel", "/home/a/x_test.go", false, false},
		{modulePath + "gocuda.TestX", "/home/a/x_test.go", false, false},
	} {
		f := runtime.Frame{Function: c.function, File: c.file, Line: 1}
		assert.Equal(t, c.library, isLibrary(&f), "%+v", f)
		assert.Equal(t, c.generated, isGenerated(&f), "%+v", f)
	}
}

// In a program built with -trimpath the files of the standard library are known by their packages.
func TestStandardPath(t *testing.T) {
	modules := []string{"x", "github.com/gocuda/gocuda", "plain/name"}
	for pkg, want := range map[string]bool{
		"runtime": true, "strings": true, "encoding/json": true, "internal/bytealg": true, "iter": true, "xml": true,
		"main": false, "x": false, "x/helpers": false, "plain/name/sub": false, "github.com/a/b": false, "example.org": false,
	} {
		assert.Equal(t, want, isStandardPath(pkg, modules), pkg)
	}
	f, _ := runtime.CallersFrames([]uintptr{caller(1)}).Next()
	assert.False(t, isStandard(&f), "%+v", f)
}
