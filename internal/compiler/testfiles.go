package compiler

import (
	"bytes"
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Kernels in test files. `gocuda gen` ignores them; they are translated for code that is generated
// afresh with each build, see Options.Fresh.

// TestFiles selects the test files of a package.
type TestFiles int

// The sets of test files.
const (
	NoTests       TestFiles = iota // no test files, but the package itself
	InternalTests                  // the test files that belong to the package
	ExternalTests                  // the test files of the external package, with the suffix _test
)

// testSuffixes maps suffixes of generated files to the suffixes for test files. The go command has
// no assembly files for tests only, so the assembly is built with the package. Other builds of the
// package leave its funcs out.
var testSuffixes = func() map[string]string {
	of := map[string]string{
		plainSuffix:  "_gocuda_test.go",
		goNestSuffix: "_gocuda_nests_test.go",
		noNestSuffix: "_gocuda_noasm_test.go",

		lockstepFileSuffix: "_gocuda_lockstep_test.go",
	}
	for _, arch := range architectures {
		of[nestSuffix(arch)], of[nestAsmSuffix(arch)] = "_gocuda_"+arch+"_test.go", "_gocuda_test_"+arch+".s"
	}
	return of
}()

// only returns the matched packages whose kernels are selected.
func (t TestFiles) only(matched []*packages.Package) []*packages.Package {
	if t == NoTests {
		return matched
	}
	return slices.DeleteFunc(matched, func(m *packages.Package) bool { return TestsOf(m) != t })
}

// TestsOf returns the set of test files in m, which packages.Load has returned for a pattern.
func TestsOf(m *packages.Package) TestFiles {
	path, of, ok := strings.Cut(m.ID, " [")
	switch {
	case !ok:
		return NoTests
	case path+".test]" == of:
		return InternalTests
	case strings.TrimSuffix(path, "_test")+".test]" == of:
		return ExternalTests
	}
	return NoTests // a package that is rebuilt because it imports one with tests
}

// kernelFiles returns the files whose kernels are selected.
func (q *pkg) kernelFiles() []*ast.File {
	if q.tests == NoTests {
		return q.files
	}
	return slices.DeleteFunc(slices.Clone(q.files), func(f *ast.File) bool { return !q.test[f] })
}

// testFile returns the path of a generated file for test files, given that for the package.
func (q *pkg) testFile(path string) string {
	if q.tests == NoTests {
		return path
	}
	suffix := testSuffixes[strings.TrimPrefix(filepath.Base(path), q.name)]
	if suffix == "" {
		return path
	}
	return filepath.Join(filepath.Dir(path), q.name+suffix)
}

// testFiles renames files for test files. Declarations that all generated files of a package share
// are renamed as well, since both sets are built together.
func (q *pkg) testFiles(files []File) []File {
	var names []string
	for _, g := range slices.Backward(guards) { // longer names first, since some are prefixes of others
		names = append(names, g, strings.Replace(g, "gocudaHas", "gocudaTestsHave", 1))
	}
	shared := strings.NewReplacer(names...)
	for i, f := range files {
		files[i].Path = q.testFile(f.Path)
		if f.Data != nil {
			files[i].Data = []byte(shared.Replace(string(f.Data)))
		}
	}
	return files
}

// OwnFiles returns the paths of the generated files in a folder.
func OwnFiles(dir string) []string {
	var list []string
	entries, _ := os.ReadDir(dir) // an unreadable folder counts as empty
	for _, e := range entries {
		if !isGenerated(e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if _, exists, err := ownFile(path); exists && err == nil {
			list = append(list, path)
		}
	}
	return list
}

// IsOwn reports whether the compiler wrote a text.
func IsOwn(text []byte) bool { return writtenHere(text) }

// MayHaveKernels reports whether a source file contains text that looks like a directive.
func MayHaveKernels(text []byte) bool { return bytes.Contains(text, []byte("gocuda:")) }
