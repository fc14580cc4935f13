// Package probe rewrites the sources of a program so that every access, branch and barrier of its
// kernels calls package gocuda/rt/probe, and has the go command build the result with -overlay.
// Nothing outside a temporary folder is written.
//
// All functions of the packages of the main module that use the runtime, and of packages that these
// import, are rewritten, since any of them may be called by a kernel. On goroutines of the host the
// calls do nothing. Packages of the module cache can't be overlaid, and the standard library is
// not; what they access is not seen.
package probe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gocuda/gocuda/gocuda/rt/probe"
	"github.com/gocuda/gocuda/gocuda/rt/warps"
	"github.com/gocuda/gocuda/internal/overlay"
	"github.com/gocuda/gocuda/internal/typecheck"
)

// An Overlay is a folder with rewritten sources.
type Overlay struct {
	Dir    string   // to be removed by Close
	File   string   // for the flag -overlay
	Sites  string   // the list of sites, for probe.SitesVariable or warps.TableVariable
	Files  int      // rewritten
	Unseen []string // packages that use the runtime and can't be rewritten

	Accesses map[string]int // in the source of each of these that have any

	Flags []string // of the go command, besides -overlay
	added overlay.Files
}

// Close removes the folder.
func (o *Overlay) Close() error { return os.RemoveAll(o.Dir) }

// Options say what is rewritten.
type Options struct {
	Dir     string        // of the module; empty for the current one
	Flags   []string      // of the go command that change what is built, such as -tags
	Tests   bool          // test files too
	Imports []string      // packages that rewritten files import besides
	Env     []string      // variables of the go command besides those of this process
	Overlay overlay.Files // in the place of files of the tree, such as generated code that is not there
	Profile bool          // the events are those of package gocuda/rt/warps, not of gocuda/rt/probe
}

// runtimeRooms are the folders of the runtime's own module that are not rewritten: what kernels
// call, not kernels.
var runtimeRooms = []string{
	"gocuda", "mem", "grid", "atomic", "cg", "device", "sanitize", "prof", "learn", "cmd",
	"internal/observe", "internal/timeline", "internal/spin", "internal/host", "internal/probe", "internal/compiler", "internal/fingerprint",
}

func isRuntime(path string) bool {
	rest, ok := strings.CutPrefix(path, module+"/")
	if !ok {
		return path == module
	}
	return slices.ContainsFunc(runtimeRooms, func(r string) bool { return rest == r || strings.HasPrefix(rest, r+"/") })
}

// basePath is the import path of a package without the mark of a test variant.
func basePath(p *packages.Package) string {
	path, _, _ := strings.Cut(p.ID, " ")
	return path
}

// Make rewrites the packages that the patterns name and those that they import.
func Make(ctx context.Context, o Options, patterns ...string) (out *Overlay, err error) {
	out = &Overlay{}
	if out.Dir, err = os.MkdirTemp("", "gocuda-probe"); err != nil {
		return nil, err
	}
	if err := out.make(ctx, o, patterns); err != nil {
		return nil, errors.Join(err, out.Close())
	}
	return out, nil
}

func (out *Overlay) make(ctx context.Context, o Options, patterns []string) error {
	cfg := &packages.Config{
		Env:     append(os.Environ(), o.Env...),
		Context: ctx, Dir: o.Dir, BuildFlags: o.Flags, Tests: o.Tests, Fset: token.NewFileSet(), Mode: typecheck.Listed,
	}
	var err error
	if cfg.Overlay, err = o.Overlay.Texts(); err != nil {
		return err
	}
	roots, err := packages.Load(cfg, patterns...)
	if err != nil {
		return err
	}
	if err := firstError(roots); err != nil {
		return err
	}
	if out.Flags, out.added, err = unvendor(roots, out.Dir); err != nil {
		return err
	}
	for name, by := range o.Overlay {
		if out.added == nil {
			out.added = overlay.Files{}
		}
		out.added[name] = by
	}
	if len(out.added) > 0 {
		file := filepath.Join(out.Dir, "added.json")
		if err := writeOverlay(file, out.added); err != nil {
			return err
		}
		cfg.BuildFlags = slices.Concat(o.Flags, out.Flags, []string{"-overlay=" + file})
	}
	if len(out.Flags) > 0 {
		if roots, err = packages.Load(cfg, patterns...); err != nil {
			return err
		}
		if err := firstError(roots); err != nil {
			return err
		}
	}
	var wanted []string
	wanted, out.Unseen = choose(roots)
	var all, unseen []*packages.Package
	packages.Visit(roots, nil, func(p *packages.Package) {
		switch path := basePath(p); {
		case strings.HasSuffix(path, ".test"):
		case slices.Contains(wanted, strings.TrimSuffix(path, "_test")):
			all = append(all, p)
		case slices.Contains(out.Unseen, p.ID):
			unseen = append(unseen, p)
		}
	})
	arch, err := goArch(cfg)
	if err != nil {
		return err
	}
	if err := typecheck.Packages(cfg, roots, types.SizesFor("gc", arch), func(p *packages.Package) bool {
		return slices.Contains(all, p) || slices.Contains(unseen, p)
	}); err != nil {
		return err
	}
	if err := firstError(all); err != nil {
		return err
	}
	if out.Accesses, err = countUnseen(unseen, o.Overlay); err != nil {
		return err
	}
	return out.write(all, o)
}

// goArch returns the architecture that the go command builds for.
func goArch(cfg *packages.Config) (string, error) {
	cmd := exec.CommandContext(cfg.Context, "go", "env", "GOARCH")
	cmd.Dir, cmd.Env = cfg.Dir, cfg.Env
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go env GOARCH: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// countUnseen counts the accesses to memory in packages that are not rewritten.
func countUnseen(all []*packages.Package, replaced overlay.Files) (map[string]int, error) {
	count := map[string]int{}
	barriers := barrierFuncs(all)
	for _, p := range all {
		shared := sharedVars(p)
		var sites []probe.Site
		for i, f := range p.Syntax {
			if i >= len(p.CompiledGoFiles) {
				break
			}
			text, err := replaced.ReadFile(p.CompiledGoFiles[i])
			if err != nil {
				return nil, err
			}
			if isGenerated(p.CompiledGoFiles[i], text) {
				continue
			}
			r := &rewriter{
				fset: p.Fset, info: p.TypesInfo, file: f, text: text, sites: &sites, shared: shared, barriers: barriers, edits: map[int]*edit{},
			}
			r.decls()
			count[basePath(p)] += r.accesses
		}
	}
	return count, nil
}

func firstError(all []*packages.Package) error {
	for _, p := range all {
		for _, e := range p.Errors {
			return fmt.Errorf("%s: %w", p.ID, e)
		}
	}
	return nil
}

// choose returns the packages to rewrite: those that the runtime's users among the roots reach, in
// modules whose files can be overlaid.
func choose(roots []*packages.Package) (wanted, unseen []string) {
	uses := map[string]bool{}
	var all []*packages.Package
	packages.Visit(roots, nil, func(p *packages.Package) { // imports come first
		all = append(all, p)
		for _, q := range p.Imports {
			uses[p.ID] = uses[p.ID] || q.PkgPath == runtimePath || uses[q.ID]
		}
	})
	// What a user of the runtime imports may be a helper of its kernels.
	reached := map[string]bool{}
	for i := len(all) - 1; i >= 0; i-- {
		p := all[i]
		if uses[p.ID] && !isRuntime(basePath(p)) || reached[p.ID] {
			reached[p.ID] = true
			for _, q := range p.Imports {
				if q.Module != nil && !isRuntime(q.PkgPath) {
					reached[q.ID] = true
				}
			}
		}
	}
	for _, p := range all {
		path := basePath(p)
		if !reached[p.ID] || p.Module == nil || isRuntime(path) || strings.HasSuffix(path, ".test") || strings.HasSuffix(path, "_test") {
			continue
		}
		list := &wanted
		if !p.Module.Main && (p.Module.Replace == nil || p.Module.Replace.Version != "") {
			if !uses[p.ID] {
				continue
			}
			list = &unseen
		}
		if !slices.Contains(*list, path) {
			*list = append(*list, path)
		}
	}
	slices.Sort(wanted)
	slices.Sort(unseen)
	return wanted, unseen
}

// isGenerated reports whether a file holds the compiled forms of kernels, whose sources are to run.
// The copies of kernels in lockstep run themselves.
func isGenerated(path string, text []byte) bool {
	return !strings.HasSuffix(path, "_gocuda_lockstep.go") && !strings.HasSuffix(path, "_gocuda_lockstep_test.go") && strings.Contains(string(text[:min(len(text), 4096)]), "Code generated by gocuda gen")
}

func (o *Overlay) write(all []*packages.Package, opt Options) error {
	// A variant of a package for its tests has all its files.
	slices.SortStableFunc(all, func(p, q *packages.Package) int {
		if n := len(q.Syntax) - len(p.Syntax); n != 0 && basePath(p) == basePath(q) {
			return n
		}
		return strings.Compare(p.ID, q.ID)
	})
	barriers, pure := barrierFuncs(all), pureFuncs(all)
	replace, replaced := maps.Clone(o.added), map[string]bool{}
	if replace == nil {
		replace = overlay.Files{}
	}
	var sites []probe.Site
	var table *warps.Table
	if opt.Profile {
		table = &warps.Table{}
	}
	wd := opt.Dir
	if wd == "" {
		wd, _ = os.Getwd()
	}
	for _, p := range all {
		shared := sharedVars(p)
		for i, f := range p.Syntax {
			path := p.Fset.Position(f.FileStart).Filename
			if i < len(p.CompiledGoFiles) {
				path = p.CompiledGoFiles[i]
			}
			if replaced[path] || !slices.Contains(p.GoFiles, path) {
				continue // seen already, or made by cgo
			}
			text, err := opt.Overlay.ReadFile(path)
			if err != nil {
				return err
			}
			if isGenerated(path, text) {
				continue
			}
			shown := path
			if rel, err := filepath.Rel(wd, path); err == nil && !strings.HasPrefix(rel, "..") {
				shown = filepath.ToSlash(rel)
			}
			r := &rewriter{
				fset: p.Fset, info: p.TypesInfo, file: f, text: text, path: shown, sites: &sites,
				shared: shared, barriers: barriers, edits: map[int]*edit{}, fragile: findFragile(f, p.TypesInfo, pure),
				table: table, flow: flow{region: -1}, receivers: map[types.Object]bool{},
			}
			r.decls()
			rewritten := r.result(opt.Imports...)
			if rewritten == nil {
				continue
			}
			to := filepath.Join(o.Dir, strconv.Itoa(o.Files)+"_"+filepath.Base(path))
			if err := os.WriteFile(to, rewritten, 0o600); err != nil {
				return err
			}
			replace[path], replaced[path] = to, true
			o.Files++
		}
	}
	o.File, o.Sites = filepath.Join(o.Dir, "overlay.json"), filepath.Join(o.Dir, "sites.json")
	if err := writeOverlay(o.File, replace); err != nil {
		return err
	}
	if opt.Profile {
		return writeJSON(o.Sites, table)
	}
	return writeJSON(o.Sites, sites)
}

func writeOverlay(path string, files overlay.Files) error {
	data, err := files.JSON()
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

func writeJSON(path string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

// barrierFuncs returns the functions that come to a barrier of the block.
func barrierFuncs(all []*packages.Package) map[string]bool {
	found := map[string]bool{}
	for changed := true; changed; {
		changed = false
		for _, p := range all {
			for _, f := range p.Syntax {
				for _, d := range f.Decls {
					fn, ok := d.(*ast.FuncDecl)
					if !ok || fn.Body == nil {
						continue
					}
					def, ok := p.TypesInfo.Defs[fn.Name].(*types.Func)
					if !ok {
						continue
					}
					obj := def.FullName()
					if !found[obj] && hasBarrier(fn.Body, p.TypesInfo, found) {
						found[obj], changed = true, true
					}
				}
			}
		}
	}
	return found
}

// sharedVars returns the variables of a package that a func changes which did not declare them,
// other than those that a thread of a kernel has declared.
func sharedVars(p *packages.Package) map[types.Object]bool {
	shared := map[types.Object]bool{}
	type scope struct {
		from, to token.Pos
		kernel   bool
	}
	for _, f := range p.Syntax {
		var stack []scope
		var note func(e ast.Expr)
		note = func(e ast.Expr) {
			switch x := e.(type) {
			case *ast.ParenExpr:
				note(x.X)
			case *ast.SelectorExpr:
				if s := p.TypesInfo.Selections[x]; s != nil && s.Kind() == types.FieldVal && !s.Indirect() {
					note(x.X)
				} else if s == nil {
					note(x.Sel)
				}
			case *ast.IndexExpr:
				if t := p.TypesInfo.TypeOf(x.X); t != nil {
					if _, ok := core(t).(*types.Array); ok {
						note(x.X)
					}
				}
			case *ast.Ident:
				v, ok := p.TypesInfo.Uses[x].(*types.Var)
				if !ok || v.IsField() {
					return
				}
				if v.Parent() == p.Types.Scope() {
					shared[v] = true
					return
				}
				if len(stack) == 0 {
					return
				}
				in := stack[len(stack)-1]
				if v.Pos() >= in.from && v.Pos() < in.to {
					return
				}
				for _, s := range stack {
					if s.kernel && v.Pos() >= s.from && v.Pos() < s.to {
						return
					}
				}
				shared[v] = true
			}
		}
		var visit func(n ast.Node) bool
		inside := func(typ *ast.FuncType, body *ast.BlockStmt, from token.Pos) {
			if body == nil {
				return
			}
			stack = append(stack, scope{from, body.End(), isKernel(p.TypesInfo, typ)})
			ast.Inspect(body, visit)
			stack = stack[:len(stack)-1]
		}
		visit = func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				inside(n.Type, n.Body, n.Pos())
				return false
			case *ast.FuncLit:
				inside(n.Type, n.Body, n.Pos())
				return false
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					note(e)
				}
			case *ast.IncDecStmt:
				note(n.X)
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					note(n.X)
				}
			}
			return true
		}
		ast.Inspect(f, visit)
	}
	return shared
}

// isKernel reports whether a func of the type gets a thread or a warp.
func isKernel(info *types.Info, typ *ast.FuncType) bool {
	for _, f := range typ.Params.List {
		p, ok := types.Unalias(info.TypeOf(f.Type)).(*types.Pointer)
		if !ok {
			continue
		}
		n, ok := types.Unalias(p.Elem()).(*types.Named)
		if ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == runtimePath && (n.Obj().Name() == "Thread" || n.Obj().Name() == "Warp") {
			return true
		}
	}
	return false
}
