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

// Kernels of test files. `gocuda gen` leaves them alone; they are for code that is generated afresh with each build, see Options.Fresh.

// TestFiles says which test files of a package are meant.
type TestFiles int

// The test files of a package.
const (
	NoTests       TestFiles = iota // none, but the package itself
	InternalTests                  // those that belong to the package
	ExternalTests                  // those of the package with the suffix _test
)

// testSuffixes are those of the files that are generated for test files, by those for the package. The go command takes no file of
// assembly for one of a test, so this one is built with the package, whose other builds leave its funcs out.
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

// only returns the one of matched packages whose kernels are meant.
func (t TestFiles) only(matched []*packages.Package) []*packages.Package {
	if t == NoTests {
		return matched
	}
	return slices.DeleteFunc(matched, func(m *packages.Package) bool { return TestsOf(m) != t })
}

// TestsOf returns which test files a package has, of those that package packages returns for a pattern.
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
	return NoTests // a package that is built again, since it imports one with tests
}

// kernelFiles returns the files whose kernels are meant.
func (q *pkg) kernelFiles() []*ast.File {
	if q.tests == NoTests {
		return q.files
	}
	return slices.DeleteFunc(slices.Clone(q.files), func(f *ast.File) bool { return !q.test[f] })
}

// testFile returns the path of a generated file for test files, by that for the package.
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

// testFiles returns files under the names that those for test files have. What all files of a package share has another name in
// them, since they are built together with the package's own.
func (q *pkg) testFiles(files []File) []File {
	var names []string
	for _, g := range slices.Backward(guards) { // the longer of two that begin alike first
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
	entries, _ := os.ReadDir(dir) // a folder that can't be read has none
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

// MayHaveKernels reports whether a source file has something that looks like a directive.
func MayHaveKernels(text []byte) bool { return bytes.Contains(text, []byte("gocuda:")) }
