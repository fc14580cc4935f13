package rooms

import (
	"encoding/json"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// modules are the modules of others, with the rooms whose programs may import them, and all below
// these; docs/architecture.md says what for. Without a room only tests may.
var modules = map[string][]string{
	"github.com/klauspost/cpuid/v2": {"internal/host"},
	"golang.org/x/sys":              nil,
	"golang.org/x/term":             {"cmd/gocuda"},
	"golang.org/x/sync":             {"gocuda", "internal/compiler", "internal/typecheck", "kernels", "bench", "internal/tasks", "learn"},
	"golang.org/x/arch":             nil,
	"golang.org/x/tools":            {"internal/compiler", "internal/gocommand", "internal/probe", "internal/typecheck"},
	"golang.org/x/mod":              {"internal/probe", "test/zipsize"},
	"gonum.org/v1/plot":             {"bench", "internal/charts", "internal/orbits", "internal/tasks", "prof/page"},
	"golang.org/x/image":            {"bench", "internal/charts"},
	"gonum.org/v1/gonum":            nil,
	"github.com/stretchr/testify":   nil,
}

// moduleOf returns the module of others that a package is of, or "".
func moduleOf(pkg string) string {
	for m := range modules {
		if within(pkg, m) {
			return m
		}
	}
	return ""
}

// within reports whether a path is root or below it.
func within(path, root string) bool { return path == root || strings.HasPrefix(path, root+"/") }

// mayImport reports whether a file in a room may import a package of another module.
func mayImport(room, pkg string, test bool) bool {
	m := moduleOf(pkg)
	return m != "" && (test || slices.ContainsFunc(modules[m], func(r string) bool { return within(room, r) }))
}

// The list of modules above, those of the two go.mod and the table in docs/architecture.md are the
// same.
func TestModulesAreListed(t *testing.T) {
	text, err := os.ReadFile("../../docs/architecture.md")
	require.NoError(t, err)
	direct := map[string]bool{}
	for _, file := range []string{"go.mod", "test/go.mod"} {
		var mod struct {
			Require []struct {
				Path     string
				Indirect bool
			}
		}
		require.NoError(t, json.Unmarshal([]byte(goCommand(t, nil, "mod", "edit", "-json", file)), &mod))
		for _, r := range mod.Require {
			if r.Indirect || r.Path == strings.TrimSuffix(module, "/") {
				continue
			}
			direct[r.Path] = true
			assert.Contains(t, modules, r.Path)
			assert.True(t, strings.Contains(string(text), "\n| "+r.Path+" |"), "docs/architecture.md says nothing of %s", r.Path)
		}
	}
	assert.Len(t, direct, len(modules))
}

// A program that imports gocuda compiles few packages of other modules, wherever it runs, and none
// of those of commands and tests.
func TestWhatProgramsCompile(t *testing.T) {
	if testing.Short() {
		t.Skip("asks the go command for several systems")
	}
	for _, target := range []string{runtime.GOOS + "/" + runtime.GOARCH, "linux/amd64", "linux/arm64", "darwin/arm64", "windows/amd64", "linux/386"} {
		allowed := []string{strings.TrimSuffix(module, "/"), "golang.org/x/sync", "github.com/klauspost/cpuid/v2"}
		if target == "darwin/arm64" {
			allowed = append(allowed, "golang.org/x/sys/unix") // cpuid asks the system there
		}
		system, arch, _ := strings.Cut(target, "/")
		env := []string{"GOOS=" + system, "GOARCH=" + arch, "CGO_ENABLED=0"}
		list := goCommand(t, env, "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./gocuda", "./cg", "./device")
		packages := strings.Fields(list)
		assert.Contains(t, packages, "github.com/klauspost/cpuid/v2", target)
		for _, p := range packages {
			ok := slices.ContainsFunc(allowed, func(a string) bool { return within(p, a) })
			assert.True(t, ok, "on %s a program that imports gocuda compiles %s", target, p)
		}
	}
}

// goCommand runs the go command in the root of the tree and returns what it prints.
func goCommand(t *testing.T, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	return string(out)
}
