package rt

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/gocuda/gocuda/internal/fingerprint"
)

// ErrStaleKernel is gocuda.ErrStaleKernel.
var ErrStaleKernel = errors.New("the compiled form of the kernel is older than its source")

// A Read is what `gocuda gen` has read of a package for a kernel: declarations with their fingerprints.
type Read struct {
	Of       *PackageSource
	Declared fingerprint.List
}

// SourceFiles are the source files of a package that `gocuda gen` has read.
type SourceFiles struct {
	Path   string // import path of the package
	Module string // the path of its module, if that is another than the one of the generated file
	Dir    string // the folder of the files: relative to that of the generated file, or to the module's
	Files  []SourceFile
}

// A PackageSource is the declarations in the source files of a package. They are read when they are
// first needed.
type PackageSource struct {
	SourceFiles
	at     string // the folder of the generated file
	once   sync.Once
	prints map[string]fingerprint.Print
	files  map[string]string // of the declarations
}

// A SourceFile is one file, with its text if that is embedded in the program. Others are read where
// they are found, unless they are newer than the program.
type SourceFile struct {
	Name string
	Text string
}

// newSources returns the declarations in files, for the generated file with this func that calls
// Sources.
func newSources(files SourceFiles, function, file string) *PackageSource {
	s := &PackageSource{SourceFiles: files}
	if filepath.IsAbs(file) {
		s.at = filepath.Dir(file)
		generatedIn.Store(PackageOf(function), s.at)
	}
	return s
}

// generatedIn holds the folders of generated files by package, as names of funcs have it.
var generatedIn sync.Map

// PackageOf returns the path of the package of a function.
func PackageOf(function string) string {
	slash := strings.LastIndexByte(function, '/') + 1
	if dot := strings.IndexByte(function[slash:], '.'); dot >= 0 {
		return function[:slash+dot]
	}
	return function
}

// FileOf returns the file of a frame with its folder: generated code names files relative to its own.
func FileOf(function, file string) string {
	if file == "" || filepath.IsAbs(file) {
		return file
	}
	if dir, ok := generatedIn.Load(PackageOf(function)); ok {
		return filepath.Join(dir.(string), filepath.FromSlash(file))
	}
	return file
}

// Stale returns an error if something that the compiled form was made of is no longer as it was. It
// looks once.
func (f *Forms) Stale() error {
	if f.fresh.Load() {
		return nil
	}
	f.once.Do(func() { f.old = f.findStale() })
	if f.old == nil {
		f.fresh.Store(true)
	}
	return f.old
}

func (f *Forms) findStale() error {
	for _, r := range f.Read {
		r.Of.once.Do(r.Of.read)
		if r.Of.prints == nil {
			continue // there is nothing to compare with
		}
		name, changed := r.Declared.Changed(r.Of.prints)
		if !changed {
			continue
		}
		where := r.Of.Path
		if file := r.Of.files[name]; file != "" {
			where = fmt.Sprintf("%s:%d", file, r.Of.prints[name].Line)
		}
		pkg, _, _ := strings.Cut(f.Name, ".")
		return fmt.Errorf("gocuda: launch of %s: %w: %s has changed (%s); run `go generate` or `gocuda gen` for package %s, and build again",
			f.Name, ErrStaleKernel, name, where, pkg)
	}
	return nil
}

// read fills prints, unless the files are neither embedded nor found nor older than the program.
func (s *PackageSource) read() {
	prints, files := map[string]fingerprint.Print{}, map[string]string{}
	for _, f := range s.Files {
		text := f.Text
		if text == "" {
			dir := s.folder()
			if dir == "" {
				return
			}
			data, ok := readOlder(filepath.Join(dir, f.Name))
			if !ok {
				return
			}
			text = data
		}
		for name, p := range fingerprint.Declarations([]byte(text)) {
			prints[name], files[name] = p, f.Name
		}
	}
	s.prints, s.files = prints, files
}

// folder returns the folder of files that are not embedded, or "".
func (s *PackageSource) folder() string {
	if s.Module == "" {
		if s.at == "" {
			return "" // built with -trimpath
		}
		return filepath.Join(s.at, filepath.FromSlash(s.Dir))
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	i := slices.IndexFunc(info.Deps, func(m *debug.Module) bool { return m.Path == s.Module })
	if i < 0 {
		return ""
	}
	m := info.Deps[i]
	if m.Replace != nil {
		m = m.Replace
	}
	if m.Version == "" || !strings.HasPrefix(m.Version, "v") {
		return filepath.Join(m.Path, filepath.FromSlash(s.Dir)) // a folder; if it is a relative one nothing is found
	}
	cache := os.Getenv("GOMODCACHE")
	if cache == "" {
		home, _ := os.UserHomeDir()
		paths := filepath.SplitList(cmp.Or(os.Getenv("GOPATH"), filepath.Join(home, "go")))
		if len(paths) == 0 {
			return ""
		}
		cache = filepath.Join(paths[0], "pkg", "mod")
	}
	return filepath.Join(cache, escaped(m.Path)+"@"+escaped(m.Version), filepath.FromSlash(s.Dir))
}

// escaped returns a module path or version as folders in the module cache are called: with an
// exclamation mark and a small letter for a capital one.
func escaped(path string) string {
	var b strings.Builder
	for _, r := range path {
		if 'A' <= r && r <= 'Z' {
			b.WriteByte('!')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// readOlder reads a file that is no newer than the program.
func readOlder(name string) (text string, ok bool) {
	program, err := os.Executable()
	if err != nil {
		return "", false
	}
	own, err := os.Stat(program)
	if err != nil {
		return "", false
	}
	info, err := os.Stat(name)
	if err != nil || info.ModTime().After(own.ModTime()) {
		return "", false
	}
	data, err := os.ReadFile(name)
	return string(data), err == nil
}
