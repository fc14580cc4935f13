package rt_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/gocuda/rt"
)

// A program whose generated code is for another version does not start: the panic names the
// package, both versions and the command that helps.
func TestSourcesOfAnotherVersion(t *testing.T) {
	files := rt.SourceFiles{Path: "example.com/kernels"}
	assert.NotNil(t, rt.Sources(rt.Version, files))
	for _, version := range []int{rt.Version - 1, rt.Version + 1} {
		func() {
			defer func() {
				text := fmt.Sprint(recover())
				for _, part := range []string{files.Path, fmt.Sprintf("version %d ", version), fmt.Sprintf("version %d:", rt.Version), "`gocuda gen`"} {
					assert.Contains(t, text, part)
				}
			}()
			rt.Sources(version, files)
		}()
	}
}
