package learn

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fullDisk is what go build prints when a disk is full.
const fullDisk = `# course/verify/03_guard_mistake1
compile: writing output: write $WORK/b173/_pkg_.a: no space left on device
course/verify/03_guard_solution: write /tmp/gocuda-learn-519380304/go-build3201412638/b175/importcfg: no space left on device
`

func TestNoSpace(t *testing.T) {
	for _, out := range []string{
		fullDisk,
		"go: creating work dir: mkdir /tmp/go-build1: no space left on device\n",
		"compile: writing output: write $WORK/b1/_pkg_.a: There is not enough space on the disk.\n",
	} {
		assert.True(t, noSpace(out), out)
	}
	for _, out := range []string{
		"",
		"# course/01_map\n./kernel.go:7:11: undefined: x\n",
		"# course/01_map\n./kernel.go:7:11: cannot use \"no space left on device\" (untyped string constant) as int32 value in assignment\n",
	} {
		assert.False(t, noSpace(out), out)
	}
}

// A build that fails for a reason that is not in a variant's text says nothing about the variant.
func TestABuildThatTheMachineFails(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("puts a shell script in the place of the go command")
	}
	for _, test := range []struct{ name, out, want string }{
		{"a full disk", fullDisk, "the build failed: no space left on device"},
		{"a compiler that is killed", "# course/verify/03_guard_mistake1\ngo: /usr/lib/go/pkg/tool/compile: signal: killed\n", "signal: killed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			bin, temp := t.TempDir(), t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(bin, "says"), []byte(test.out), 0o666))
			script := "#!/bin/sh\ncat '" + bin + "/says'\nexit 1\n"
			require.NoError(t, os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o777))
			t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
			t.Setenv("TMPDIR", temp)
			var out bytes.Buffer
			_, _, err := Verify(t.Context(), "..", []int{3}, &out)
			require.ErrorContains(t, err, test.want)
			assert.Empty(t, out.String())
			left, err := os.ReadDir(temp)
			require.NoError(t, err)
			assert.Empty(t, left, "temporary files are left")

			c, err := Create(t.TempDir(), "..")
			require.NoError(t, err)
			e, err := c.Exercise(3)
			require.NoError(t, err)
			_, err = c.Check(t.Context(), e)
			if test.name == "a full disk" {
				assert.ErrorContains(t, err, test.want)
			}
		})
	}
}
