package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The compiler has tests of its own; here it is asked for as users do.
func TestGen(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	write := func(path, text string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	t.Chdir(t.TempDir())
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod") // the go command adds what gocuda requires
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	write("go.mod", fmt.Sprintf("module example.com/kernels\n\ngo 1.26\n\nrequire github.com/gocuda/gocuda v0.0.0\n\nreplace github.com/gocuda/gocuda => %s\n", root))
	write("go.sum", string(sums)) // so that nobody has to be asked for them
	const kernel = `package kernels

import "github.com/gocuda/gocuda/gocuda"

//gocuda:kernel
func double(t *gocuda.Thread, x []float32) {
	i := t.GlobalX()
	if i < len(x) {
		x[i] *= 2
	}
}
`
	write("kernels.go", kernel)
	expect := func(status int, says string, args ...string) {
		t.Helper()
		got, stdout, stderr := command(append([]string{"gen"}, args...)...)
		assert.Equal(t, status, got, "gocuda gen %v: %s%s", args, stdout, stderr)
		assert.Contains(t, stdout+stderr, says, "gocuda gen %v", args)
		if says == "" {
			assert.Empty(t, stdout+stderr, "gocuda gen %v", args)
		}
	}
	generated := func() string {
		data, _ := os.ReadFile("kernels_gocuda.go")
		return string(data)
	}

	expect(0, "-check", "-h")
	expect(2, "-fast", "-fast")
	expect(1, "nowhere", "./nowhere")
	expect(0, "double: 1 phase", "-explain")
	expect(1, "kernels_gocuda.go is not up to date; run gocuda gen", "-check")
	assert.Empty(t, generated(), "-explain or -check wrote a file")
	write("kernels.go", "//go:build linux || !linux\n\n"+kernel)
	expect(1, "double: the file has a build constraint")
	expect(0, "double: 1 phase", "-explain")
	write("kernels.go", kernel)
	expect(0, "")
	assert.Contains(t, generated(), "func doubleKernel(x []float32) gocuda.Kernel {")
	expect(0, "", "-check", "./...")

	write("kernels.go", strings.Replace(kernel, "x[i] *= 2", "go func() { x[i] *= 2 }()", 1))
	before := generated()
	expect(1, "kernels.go:9:3: double stays on coroutines: goroutines are not translated", "-strict")
	assert.Equal(t, before, generated(), "-strict wrote a file")
	expect(0, "goroutines")
	assert.Contains(t, generated(), "Uncompiled", "the kernel does not stay on coroutines")
	before = generated()
	write("kernels.go", strings.Replace(kernel, "//gocuda:kernel", "// gocuda:kernel", 1))
	expect(1, "gocuda gen: kernels.go:5:1: double: a directive has no space after the slashes; write //gocuda:kernel\n")
	write("kernels.go", kernel+"\n//gocuda:kernel\nvar triple = func(t *gocuda.Thread) {}\n\n//gocuda:kernel\ntype quadruple int\n")
	expect(1, "gocuda gen: kernels.go:13:1: //gocuda:kernel has no effect above a var; it belongs directly above a func\n"+
		"gocuda gen: kernels.go:16:1: //gocuda:kernel has no effect above a type; it belongs directly above a func\n")
	assert.Equal(t, before, generated(), "a file was written in spite of an error")
	write("bad/bad.go", "package bad\n\nfunc {\n")
	write("kernels.go", strings.Replace(kernel, "x[i] *= 2", "x[i] *= 3", 1))
	expect(1, "gocuda gen: "+filepath.FromSlash("bad/bad.go")+":3:6: ", "./...")
	assert.NotEqual(t, before, generated(), "a package keeps another one from being written")
	require.NoError(t, os.RemoveAll("bad"))
	write("kernels.go", "package kernels\n")
	expect(0, "", "./...")
	assert.Empty(t, generated(), "there are no kernels any more, and still a file")
}
