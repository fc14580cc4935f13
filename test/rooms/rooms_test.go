// Package rooms holds the tree to its plan: which folder may import which.
package rooms

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/gocuda/gocuda/"

// order is the folders of docs/architecture.md: each may import those before it.
var order = []string{
	"internal/fingerprint", "internal/host", "internal/spin", "grid", "internal/observe", "internal/timeline", "internal/perfetto", "atomic", "device/internal/gen", "device/internal/exact", "device", "mem", "gocuda/rt", "gocuda", "cg", "prof/memsys",
	"gocuda/rt/probe", "gocuda/rt/warps", "internal/cli", "internal/overlay", "internal/typecheck", "internal/probe", "sanitize", "sanitize/page", "internal/charts", "prof", "prof/page",
	"internal/compiler/lir", "internal/compiler/asm", "internal/compiler/asm/amd64", "internal/compiler/asm/arm64", "internal/compiler/gogen", "internal/compiler/nesttest", "internal/compiler", "cmd/gocuda-gen", "internal/gocommand",
	"kernels/internal/check", "kernels/internal/text", "kernels", "kernels/internal/launchers", "kernels/internal/chunk",
	"kernels/reduction", "kernels/scan", "kernels/sorting", "kernels/dense", "kernels/sparse", "kernels/fft", "kernels/image", "kernels/texture", "kernels/streaming", "kernels/bandwidth", "kernels/halves",
	"kernels/nbody", "kernels/dynprog", "kernels/stats",
	"kernels/apps", "kernels/apps/cp", "kernels/apps/mri", "kernels/apps/mriq", "kernels/apps/mrifhd", "kernels/apps/lbm", "kernels/apps/tpacf", "kernels/apps/rc5", "kernels/apps/sad", "kernels/apps/pns", "kernels/apps/fem", "kernels/apps/rpes",
	"internal/serial", "internal/ladder", "bench",
	"internal/bodies", "internal/orbits", "internal/tasks", "learn/judge", "learn", "cmd/gocuda",
	"internal/slicetest", // the last one of the module that users get, since only tests import it
	"test/internal/rerun", "test/compiled", "test/counts", "test/zipsize", "test/kernels/internal/kerneltest", "test/corpus/helper", "test/corpus", "test/devicekernels", "test/randkernel",
}

func TestImportsGoDown(t *testing.T) {
	files := 0
	err := filepath.WalkDir("../..", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != "..") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		test := strings.HasSuffix(file, "_test.go")
		rel, err := filepath.Rel("../..", file)
		if err != nil {
			return err
		}
		room := path.Dir(filepath.ToSlash(rel))
		at := slices.Index(order, room)
		if !test {
			files++
			assert.NotEqual(t, -1, at, "%s: the folder is not in the plan", rel)
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, s := range f.Imports {
			name, err := strconv.Unquote(s.Path.Value)
			if err != nil {
				return err
			}
			if own, ok := strings.CutPrefix(name, module); ok {
				to := slices.Index(order, own)
				assert.True(t, test || 0 <= to && to < at, "%s imports %s, which is not below it", rel, own)
			} else if strings.Contains(strings.Split(name, "/")[0], ".") {
				assert.True(t, mayImport(room, name, test), "%s imports %s, of another module", rel, name)
			}
		}
		return nil
	})
	require.NoError(t, err)
	assert.GreaterOrEqual(t, files, 50)
}
