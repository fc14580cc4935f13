package gocommand

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gocuda/gocuda/internal/compiler"
	"github.com/gocuda/gocuda/internal/overlay"
)

// A Request says what is to be built.
type Request struct {
	Dir      string   // where the go command runs, or "" for the working directory
	Flags    []string // of the go command that decide which files are built, such as -tags
	Patterns []string // packages or source files
	Tests    bool     // whether the tests of the packages are built
	Overlay  overlay.Files
	Written  bool // whether kernels run as they are written; see compiler.Options.Uncompiled
	Missing  bool // whether packages with generated files in the tree keep these
}

// Code is the generated code for what is to be built.
type Code struct {
	// Replace has the generated files by the names that they have in the tree, and generated files
	// of the tree that are hidden with the empty name. The files of the request's overlay are in
	// it.
	Replace overlay.Files
	// Named has the generated files that are named beside the patterns, if these are files.
	Named []string
	// Warnings and Fallbacks are what the compiler says about kernels.
	Warnings, Fallbacks []compiler.Note
	version             string // what is wrong with the versions, or ""
}

// namedFiles is the path of a package whose files are named.
const namedFiles = "command-line-arguments"

// A target is a package with kernels, or its tests.
type target struct {
	path  string
	dir   string
	tests compiler.TestFiles
	key   string // in the cache
}

// Generate returns the code for the kernels of what is built: of all packages that the patterns
// name or that these import, in the main modules and in modules that are replaced by a folder. If
// kernels can't be compiled there is an error, and the code of the others. What can't be listed has
// no kernels; the go command says what is wrong with it.
func Generate(ctx context.Context, r Request) (*Code, error) {
	code := &Code{Replace: maps.Clone(r.Overlay)}
	if code.Replace == nil {
		code.Replace = overlay.Files{}
	}
	env, err := readEnvironment(r.Dir)
	if err != nil {
		return code, err
	}
	texts, err := r.Overlay.Texts()
	if err != nil {
		return code, err
	}
	roots, err := packages.Load(&packages.Config{
		Context: ctx, Dir: r.Dir, BuildFlags: r.Flags, Tests: r.Tests, Overlay: texts,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule,
	}, r.Patterns...)
	if err != nil {
		return code, ctx.Err()
	}
	c, err := openCache()
	if err != nil {
		return code, err
	}
	h, err := newHasher(env, r, texts)
	if err != nil {
		return code, err
	}
	targets := h.targets(roots)
	if info, ok := debug.ReadBuildInfo(); ok && len(targets) > 0 {
		code.version = otherVersion(info, runtimeOf(roots))
	}
	if r.Missing {
		targets = slices.DeleteFunc(targets, func(t target) bool { return t.tests == compiler.NoTests && len(compiler.OwnFiles(t.dir)) > 0 })
	}
	found := map[string]*entry{}
	var missing []target
	for _, t := range targets {
		if e := c.get(t.key); e != nil {
			found[t.key] = e
		} else {
			missing = append(missing, t)
		}
	}
	err = r.compile(c, env["GOARCH"], missing, found)
	for _, t := range targets {
		if e := found[t.key]; e != nil {
			err = errors.Join(err, code.add(t, e, filepath.Dir(r.Patterns[0])))
		}
	}
	if !r.Missing {
		code.hide(targets)
	}
	return code, err
}

// compile compiles the kernels of targets for an architecture, puts the results into the cache, and
// adds them to found. It joins the errors.
func (r *Request) compile(c *cache, arch string, targets []target, found map[string]*entry) error {
	var errs []error
	for _, together := range divide(targets) {
		results, err := compiler.Generate(r.Dir, r.patternsFor(together), compiler.Options{
			Fresh: true, Arch: arch, Uncompiled: r.Written, Tests: together[0].tests, Flags: r.Flags, Overlay: r.Overlay,
			NoNests: together[0].isNamed(), // assembly can't be named
		})
		errs = append(errs, err)
		for _, res := range results {
			i := slices.IndexFunc(together, func(t target) bool { return t.path == res.Package })
			if i < 0 {
				continue
			}
			e, err := c.put(together[i].key, res, r.Dir)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			found[together[i].key] = e
		}
	}
	return errors.Join(errs...)
}

// divide returns the targets that the compiler takes together: all packages, and each of the others
// by itself, since a package has one form for each test that it is built for.
func divide(targets []target) (groups [][]target) {
	var all []target
	for _, t := range targets {
		if t.tests == compiler.NoTests && !t.isNamed() {
			all = append(all, t)
		} else {
			groups = append(groups, []target{t})
		}
	}
	if len(all) > 0 {
		groups = append(groups, all)
	}
	return groups
}

// patternsFor returns the patterns that stand for some targets.
func (r *Request) patternsFor(targets []target) (patterns []string) {
	if targets[0].isNamed() {
		return r.Patterns
	}
	for _, t := range targets {
		path := t.path
		if t.tests == compiler.ExternalTests {
			path = strings.TrimSuffix(path, "_test")
		}
		patterns = append(patterns, path)
	}
	return patterns
}

// isNamed reports whether a target consists of files that are named.
func (t target) isNamed() bool { return t.path == namedFiles || t.path == namedFiles+"_test" }

// add adds what was made of a target. If it consists of named files, its files are named in the
// folder that those have been.
func (c *Code) add(t target, e *entry, named string) error {
	c.Warnings = append(c.Warnings, e.Warnings...)
	c.Fallbacks = append(c.Fallbacks, e.Fallbacks...)
	var files []compiler.File
	for _, name := range e.Files {
		files = append(files, compiler.File{Path: filepath.Join(t.dir, name), Data: []byte{}})
	}
	if err := compiler.InTheWay(files); err != nil {
		return err
	}
	for i, f := range files {
		c.Replace[f.Path] = filepath.Join(e.dir, e.Files[i])
		if t.isNamed() {
			c.Named = append(c.Named, filepath.Join(named, e.Files[i]))
		}
	}
	return nil
}

// hide hides the generated files of the tree in whose place there is nothing.
func (c *Code) hide(targets []target) {
	for _, t := range targets {
		for _, path := range compiler.OwnFiles(t.dir) {
			if _, ok := c.Replace[path]; !ok {
				c.Replace[path] = ""
			}
		}
	}
}

// Report prints what the compiler says about kernels, as `gocuda gen` does.
func (c *Code) Report(w io.Writer) {
	if c.version != "" {
		fmt.Fprintln(w, "gocuda go: "+c.version)
	}
	for _, n := range c.Warnings {
		n.Pos.Filename = compiler.Short(n.Pos.Filename)
		fmt.Fprintln(w, n)
	}
	for _, n := range c.Fallbacks {
		n.Pos.Filename = compiler.Short(n.Pos.Filename)
		fmt.Fprintf(w, "%s: %s stays on coroutines: %s\n", n.Pos, n.Kernel, n.Message)
	}
}

// OverlayFile returns the name of a file for the flag -overlay of the go command. It is one of the
// cache.
func (c *Code) OverlayFile() (string, error) {
	data, err := c.Replace.JSON()
	if err != nil {
		return "", err
	}
	store, err := openCache()
	if err != nil {
		return "", err
	}
	return store.file(hashOf("overlay", string(data)), "overlay.json", data)
}

// isGenerated reports whether a file that is named as an argument was written by the compiler.
func isGenerated(dir, name string) bool {
	path := filepath.Join(dir, name)
	if filepath.IsAbs(name) {
		path = name
	}
	return isGoFile(name) && slices.Contains(compiler.OwnFiles(filepath.Dir(path)), path)
}

// isMain reports whether the files of a package can be replaced by the user's own: they are of a
// main module, or of one that is replaced by a folder. The runtime's own kernels come with their
// generated code, if it is no main module.
func isMain(m *packages.Module) bool {
	return m != nil && (m.Main || m.Path != runtimeModule && m.Replace != nil && m.Replace.Version == "")
}

const runtimeModule = "github.com/gocuda/gocuda"

// exists reports whether there is a file.
func exists(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
