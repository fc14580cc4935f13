package gocommand

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/gocuda/gocuda/internal/compiler"
)

// hashOf is the hash of some texts, in hexadecimal digits. Texts that are divided otherwise have
// another one.
func hashOf(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d %s", len(t), t)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// toolHash is the hash of this program, in which the compiler is.
var toolHash = sync.OnceValues(func() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
})

// A hasher finds the packages with kernels, and the hashes of all that their generated code is made
// of: the compiler, the go command's settings, and the sources of the package and of all that it
// imports.
type hasher struct {
	common string // of what all packages share
	goroot string
	texts  map[string][]byte // of files that are replaced
	known  map[string]string // hashes of packages, by ID
}

func newHasher(env environment, r Request, texts map[string][]byte) (*hasher, error) {
	tool, err := toolHash()
	if err != nil {
		return nil, err
	}
	settings, err := json.Marshal(env)
	if err != nil {
		return nil, err
	}
	common := hashOf(tool, string(settings), strings.Join(r.Flags, "\n"), fmt.Sprint(r.Written))
	return &hasher{common: common, goroot: env["GOROOT"] + string(filepath.Separator), texts: texts, known: map[string]string{}}, nil
}

// read returns the text of a file, with the overlay. One that can't be read has none.
func (h *hasher) read(name string) []byte {
	if text, ok := h.texts[name]; ok {
		return text
	}
	data, _ := os.ReadFile(name) // the go command says what is wrong
	return data
}

// targets returns the packages with kernels among the roots and all that they import, and the roots
// with kernels in test files, in the order of their paths.
func (h *hasher) targets(roots []*packages.Package) []target {
	var list []target
	seen := map[target]bool{}
	packages.Visit(roots, nil, func(p *packages.Package) {
		// One that is built again for a test has the files of the package, and may be there alone.
		t := target{path: p.PkgPath, dir: folder(p), tests: compiler.TestsOf(p)}
		if t.dir == "" || !isMain(p.Module) && !t.isNamed() || strings.HasSuffix(p.ID, ".test") || seen[t] {
			return
		}
		found := t.tests == compiler.NoTests && len(compiler.OwnFiles(t.dir)) > 0 && !t.isNamed()
		for _, name := range p.GoFiles {
			if t.tests == compiler.NoTests || strings.HasSuffix(name, "_test.go") {
				found = found || compiler.MayHaveKernels(h.read(name))
			}
		}
		if !found {
			return
		}
		seen[t] = true
		t.key = hashOf(h.common, h.hash(p), fmt.Sprint(t.tests), moduleText(p.Module), h.testSources(t.dir))
		list = append(list, t)
	})
	slices.SortFunc(list, func(a, b target) int {
		if n := strings.Compare(a.path, b.path); n != 0 {
			return n
		}
		return int(a.tests - b.tests)
	})
	return list
}

// folder is the folder of a package.
func folder(p *packages.Package) string {
	if p.Dir != "" || len(p.GoFiles) == 0 {
		return p.Dir
	}
	return filepath.Dir(p.GoFiles[0])
}

// moduleText is what generated code depends on in a module.
func moduleText(m *packages.Module) string {
	if m == nil {
		return ""
	}
	return m.Path + " " + m.GoVersion + " " + m.Dir
}

// testSources is the hash of the tests in a folder: generated code takes no names that they declare.
func (h *hasher) testSources(dir string) string {
	names, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	var texts []string
	for _, name := range names {
		texts = append(texts, name, string(h.read(name)))
	}
	return hashOf(texts...)
}

// hash returns the hash of a package's sources and of all that it imports. Those of the standard
// library come with the version of Go, and those of the module cache with that of their module.
func (h *hasher) hash(p *packages.Package) string {
	if known, ok := h.known[p.ID]; ok {
		return known
	}
	h.known[p.ID] = "" // in the case of a cycle, which the go command refuses
	texts := []string{p.ID, p.Name}
	m := p.Module
	if m != nil && m.Replace != nil {
		m = m.Replace
	}
	switch {
	case len(p.GoFiles) > 0 && strings.HasPrefix(p.GoFiles[0], h.goroot):
		return hashOf(texts...)
	case m != nil && m.Version != "" && !strings.Contains(folder(p), string(filepath.Separator)+"vendor"+string(filepath.Separator)):
		texts = append(texts, m.Path, m.Version)
	default:
		for _, name := range p.GoFiles {
			texts = append(texts, name, string(h.read(name)))
		}
	}
	for _, path := range sortedImports(p) {
		texts = append(texts, path, h.hash(p.Imports[path]))
	}
	h.known[p.ID] = hashOf(texts...)
	return h.known[p.ID]
}

func sortedImports(p *packages.Package) []string {
	var list []string
	for path := range p.Imports {
		list = append(list, path)
	}
	slices.Sort(list)
	return list
}
