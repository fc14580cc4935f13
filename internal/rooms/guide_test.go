package rooms

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// around is what the guide leaves out: imports, and variables that stand for a program's own.
const around = `package guide

import (
	"context"
	"errors"
	"log"

	"github.com/gocuda/gocuda/atomic"
	"github.com/gocuda/gocuda/cg"
	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

var (
	ctx                 context.Context
	dev                 *gocuda.Device
	cfg                 grid.Config
	t                   *gocuda.Thread
	s                   *gocuda.Stream
	kernel              func(*gocuda.Thread)
	first, second       = kernel, kernel
	n, w, h, bin        int
	histogram           []int32
	next, capacity, lock uint32
	v, sum              float32
	in, sums, host, out []float32
	data                []int32
	buf                 *mem.Buffer[float32]
	image               []float32
	seed                uint64
	err                 error
)

func reverseKernel(data []int32) gocuda.Kernel { return nil }
`

// The pieces of code in the guide build, among the variables above.
func TestCodeOfTheGuideBuilds(t *testing.T) {
	text, err := os.ReadFile("../../docs/guide.md")
	require.NoError(t, err)
	pieces := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	require.NotEmpty(t, pieces)
	imports := exportData(t, "../../gocuda", "../../grid", "../../mem", "../../atomic", "../../device", "../../cg", "context", "errors", "log")
	for i, piece := range pieces {
		t.Run(fmt.Sprint(i+1), func(t *testing.T) {
			for _, mistake := range mistakesOf(piece[1], imports) {
				assert.NoError(t, mistake, piece[1])
			}
		})
	}
	assert.NotEmpty(t, mistakesOf("t.NoSuchMethod()", imports), "the test sees nothing")
	assert.NotEmpty(t, mistakesOf("return", imports), "the test sees nothing")
}

// mistakesOf type-checks a piece of code: declarations, or statements of a function that returns an error.
func mistakesOf(piece string, imports types.Importer) (mistakes []error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "guide.go", around+piece, 0)
	if err != nil {
		f, err = parser.ParseFile(fset, "guide.go", around+"func _() error {\n"+piece+"\nreturn nil\n}\n", 0)
	}
	if err != nil {
		return []error{err}
	}
	conf := types.Config{Importer: imports, Error: func(err error) {
		var e types.Error
		if errors.As(err, &e) && !e.Soft { // a soft one is a variable or an import that is not used
			mistakes = append(mistakes, err)
		}
	}}
	conf.Check("guide", fset, []*ast.File{f}, nil)
	return mistakes
}

// exportData imports packages and what they import from what the go command has built.
func exportData(t *testing.T, packages ...string) types.Importer {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-export", "-deps", "-json=ImportPath,Export"}, packages...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	files := map[string]string{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct{ ImportPath, Export string }
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else {
			require.NoError(t, err)
		}
		files[p.ImportPath] = p.Export
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
}
