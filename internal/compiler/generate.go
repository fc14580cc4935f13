package compiler

import (
	"errors"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/gocuda/gocuda/internal/overlay"
)

// The driver: from packages to generated files.

// A Note is a message about a kernel.
type Note struct {
	Pos     token.Position
	Kernel  string
	Message string
}

func (n Note) String() string {
	if n.Kernel == "" {
		return fmt.Sprintf("%s: %s", n.Pos, n.Message)
	}
	return fmt.Sprintf("%s: %s: %s", n.Pos, n.Kernel, n.Message)
}

// A File is a generated file.
type File struct {
	Path string
	Data []byte // nil if the file must not exist
}

// A Result is the outcome for one package.
type Result struct {
	Package   string
	Files     []File
	Kernels   int
	Fallbacks []Note // kernels that are not translated and run on coroutines
	Warnings  []Note
	Explain   []Note
	Dumps     []string            // the dumps behind the requested pass
	Worked    map[string][]string // the passes that changed each kernel, in the order of the table
}

// Options control the compiler.
type Options struct {
	// LeaveSources leaves the source files out of programs. They then detect stale kernels only
	// where the files exist.
	LeaveSources bool
	// Fresh is for code that is built at once, from the current sources and for this machine only.
	// The code does not check for stale kernels, and kernels may be in files with build
	// constraints.
	Fresh bool
	// Unwritten is for output that is not written to files: kernels may be in files with build
	// constraints.
	Unwritten bool
	// Uncompiled makes all kernels run from source, as for measuring coverage.
	Uncompiled bool
	// Tests selects kernels of test files instead of those of the package.
	Tests TestFiles
	// Flags are flags of the go command that affect the build, such as -tags.
	Flags []string
	// Overlay replaces the contents of files, as the go command's flag -overlay does.
	Overlay overlay.Files
	// Arch is the architecture for which there is assembly, as GOARCH, or "" for all.
	Arch string
	// NoNests generates plain Go only, without assembly.
	NoNests bool
	// Off names the passes that are left out. Dump names the pass behind which kernels and nests
	// are printed.
	Off  []string
	Dump string
	// Record makes results say which passes changed which kernel.
	Record bool
}

// collections counts those that have made garbage collections rare, and has the percentage from
// before.
var collections struct {
	mu      sync.Mutex
	n, then int
}

// rareCollections makes garbage collections rare until the last that has called it calls what it
// returns. Syntax and types live as long as the work takes: frequent collections would take half of
// the time. The user's own setting is left alone.
func rareCollections() (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	c := &collections
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n++; c.n == 1 {
		c.then = debug.SetGCPercent(400)
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.n--; c.n == 0 {
			debug.SetGCPercent(c.then)
		}
	}
}

// Generate translates the kernels of the packages that match patterns in dir. If some packages
// fail, it returns an error and the results of the others.
func Generate(dir string, patterns []string, options Options) ([]Result, error) {
	if err := options.checkPasses(); err != nil {
		return nil, err
	}
	defer rareCollections()()
	prog, err := load(dir, patterns, options)
	if err != nil {
		return nil, err
	}
	targets := prog.targets()
	results, failed := make([]Result, len(targets)), make([]error, len(targets))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, q := range targets {
		g.Go(func() error {
			r, err := prog.generate(q)
			switch {
			case err != nil:
				failed[i] = err
			case q.tests != NoTests:
				r.Files = q.testFiles(r.Files)
			default:
				r.Files = append(r.Files, q.formerFiles()...)
			}
			results[i] = r
			return nil
		})
	}
	_ = g.Wait() // failed has the errors by package
	errs, good := prog.failed, results[:0]
	for i, err := range failed {
		if err != nil {
			errs = append(errs, err)
		} else {
			good = append(good, results[i])
		}
	}
	return good, errors.Join(errs...)
}

// generate translates the kernels of one package. A kernel whose code the Go compiler or go vet
// rejects is left on coroutines.
func (p *program) generate(q *pkg) (Result, error) {
	for _, f := range q.files {
		if f.Name.Name != q.name {
			first := p.relative(q, q.files[0].Package)
			return Result{}, fmt.Errorf("%s: the package is %s here and %s in %s", p.relative(q, f.Name.Pos()), f.Name.Name, q.name, first.Filename)
		}
	}
	var errs scanner.ErrorList
	for _, f := range q.kernelFiles() {
		errs = append(errs, p.checkDirectives(q, f)...)
		for d := range kernelsOf(f) {
			if err := p.checkKernel(q, d); err != nil {
				errs = append(errs, err)
			} else if err := p.checkLockstep(q, d); err != nil {
				errs = append(errs, err)
			}
		}
	}
	if len(errs) > 0 {
		errs.Sort()
		return Result{}, errs
	}
	refused := map[string]string{}
	for {
		known := len(refused)
		res, err := p.generateBut(q, refused)
		if err == nil {
			var complaints []complaint
			if complaints, err = p.verify(q, res.Files); err != nil {
				return res, err
			}
			if len(complaints) == 0 {
				return res, p.refusedLockstep(q, refused)
			}
			err = complaints[0]
			addRefused(refused, q, complaints)
		}
		if len(refused) == known && !p.findRefused(q, refused) {
			return res, fmt.Errorf("%s: the generated code is refused, which is a mistake of gocuda gen: %w", q.path, err)
		}
	}
}

// addRefused adds the kernels to which complaints belong to refused, with the complaint.
func addRefused(refused map[string]string, q *pkg, complaints []complaint) {
	for _, c := range complaints {
		name := ""
		for _, f := range q.kernelFiles() {
			for d := range kernelsOf(f) {
				if n := d.Name.Name; strings.HasPrefix(c.fn, n) && len(n) > len(name) {
					name = n
				}
			}
		}
		if name != "" {
			refused[name] = c.Error()
		}
	}
}

// findRefused tries kernels one by one to find those whose code is rejected, for complaints that
// name no kernel. It reports whether it found any.
func (p *program) findRefused(q *pkg, refused map[string]string) bool {
	var names []string
	for _, f := range q.kernelFiles() {
		for d := range kernelsOf(f) {
			names = append(names, d.Name.Name)
		}
	}
	found := false
	for _, name := range names {
		if refused[name] != "" {
			continue
		}
		alone := map[string]string{}
		for _, n := range names {
			if n != name {
				alone[n] = "another kernel is looked at"
			}
		}
		res, err := p.generateBut(q, alone)
		if err == nil {
			var complaints []complaint
			if complaints, err = p.verify(q, res.Files); err == nil && len(complaints) > 0 {
				err = complaints[0]
			}
		}
		if err != nil {
			refused[name], found = err.Error(), true
		}
	}
	return found
}

// kernelsOf yields the funcs of f that are marked as kernels.
func kernelsOf(f *ast.File) iter.Seq[*ast.FuncDecl] {
	return func(yield func(*ast.FuncDecl) bool) {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok {
				if _, ok := directive(fd); ok && !yield(fd) {
					return
				}
			}
		}
	}
}

// generateBut is generate without verification of the code, and without translating the refused
// kernels.
func (p *program) generateBut(q *pkg, refused map[string]string) (Result, error) {
	res := Result{Package: q.path}
	for _, f := range q.kernelFiles() {
		res.Warnings = append(res.Warnings, p.misspelt(q, f)...)
	}
	pr, texts := p.printKernels(q, refused)
	var kernels []*Kernel
	for _, t := range texts {
		kernels = append(kernels, t.k)
	}
	res.Kernels = len(kernels)
	if len(kernels) == 0 {
		for _, s := range fileSuffixes {
			res.Files = append(res.Files, q.without(s))
		}
		return res, nil
	}
	sources := p.newSourceList(q, kernels)
	// must precede all //line directives, since the runtime asks for the position of this file
	sources.print(pr)
	for i, k := range kernels {
		if k.Reason != "" && k.Reason != asWritten && k.lockstep == "" {
			res.Fallbacks = append(res.Fallbacks, Note{p.relative(q, k.ReasonPos), k.Name, k.Reason})
		}
		res.Explain = append(res.Explain, k.explain(p, q)...)
		dumps := k.dumps
		for _, own := range texts[i].instances.kernels {
			res.Explain = append(res.Explain, own.explainRows(p, q)...)
			dumps = append(dumps, own.dumps...)
		}
		if p.options.Record {
			res.worked(k, texts[i].instances.kernels)
		}
		for _, d := range dumps {
			res.Dumps = append(res.Dumps, fmt.Sprintf("// %s, behind pass %s\n%s", d.of, p.options.Dump, d.text))
		}
		pr.constructor(k, texts[i].instances.bodies != "", sources)
		pr.printf("%s%s", texts[i].body, texts[i].instances.bodies)
	}
	pr.printTables()
	if pr.nests != nil {
		pr.printf("%s", strings.Join(pr.nests.types, "\n"))
	}
	path := filepath.Join(q.dir, q.name+plainSuffix)
	data, err := pr.file(filepath.Base(q.testFile(path)), "")
	if err != nil {
		return res, err
	}
	res.Files = append(res.Files, File{path, data})
	nests, err := p.nestFiles(q, pr.nests)
	if err != nil {
		return res, err
	}
	res.Files = append(res.Files, nests...)
	copies, err := p.lockstepFile(q, kernels)
	if err != nil {
		return res, err
	}
	res.Files = append(res.Files, copies)
	return res, nil
}

// asWritten is the reason why kernels are not compiled with Options.Uncompiled.
const asWritten = "it runs as it is written"

// translate builds a kernel and runs its passes, for the type arguments targs if it is generic. On
// failure it records the reason in the kernel.
func translate(p *program, q *pkg, d *ast.FuncDecl, words []string, targs map[*types.TypeParam]types.Type) (k *Kernel) {
	k = build(p, q, d, words, targs)
	k.decl, k.words, k.targs = d, words, targs
	if k.Reason != "" {
		return k
	}
	defer func() {
		switch v := recover().(type) {
		case nil:
		case unsupported:
			k.refuse(v.pos, v.why)
		default:
			k.refuseMistake(v)
		}
	}()
	k.runPasses(p.options)
	if k.side != 0 {
		k.planes = build(p, q, d, words, targs)
		k.planes.decl, k.planes.words, k.planes.targs = d, words, targs
		k.planes.runPasses(p.options, "linear")
	}
	if k.wide && !k.fitsRows() {
		k = build(p, q, d, words, targs)
		k.decl, k.words, k.targs = d, words, targs
		k.runPasses(p.options, "uncoarsen", "wide")
	}
	return k
}

// checkKernel returns an error if the func declared by d can't be a kernel.
func (p *program) checkKernel(q *pkg, d *ast.FuncDecl) *scanner.Error {
	pos := p.relative(q, d.Name.Pos())
	bad := func(why string) *scanner.Error { return &scanner.Error{Pos: pos, Msg: d.Name.Name + ": " + why} }
	if d.Recv != nil {
		return bad("a method can't be a kernel; give it to a func")
	}
	if d.Body == nil {
		return bad("the func has no body")
	}
	if d.Name.Name == "_" {
		return bad("a kernel needs a name")
	}
	obj := q.info.Defs[d.Name]
	if obj == nil {
		return bad("the func is not known")
	}
	words, _ := directive(d)
	if err := checkOptions(words, obj.Type()); err != nil {
		return bad(err.Error())
	}
	if d.Type.Results != nil && len(d.Type.Results.List) > 0 {
		return bad("a kernel has no results")
	}
	params := d.Type.Params.List
	if len(params) == 0 || !isThread(q.info.TypeOf(params[0].Type)) {
		return bad("the first parameter of a kernel is a *gocuda.Thread")
	}
	for _, f := range params[1:] {
		if isThread(q.info.TypeOf(f.Type)) {
			return bad("a kernel has one *gocuda.Thread")
		}
	}
	if len(params[0].Names) > 1 {
		return bad("a kernel has one *gocuda.Thread")
	}
	suffixes := []string{"Kernel"}
	if isLockstep(words) {
		suffixes = append(suffixes, lockstepSuffix)
	}
	for _, suffix := range suffixes {
		name := d.Name.Name + suffix
		if other := q.types.Scope().Lookup(name); other != nil {
			return bad(fmt.Sprintf("%s, a name of the generated code, is declared at %s", name, p.relative(q, other.Pos())))
		}
	}
	file := p.fset.File(d.Pos())
	if !p.options.Fresh && !p.options.Unwritten && constrained(file.Name(), q, d) {
		return bad("the file has a build constraint, which the generated file would not have")
	}
	return nil
}

// generatedSuffixes are the suffixes of declarations that are generated for a kernel.
var generatedSuffixes = []string{"Kernel", "Body", "Forms"}

// reserveGenerated reserves the names of these declarations, so that variables of the kernel don't
// get them.
func reserveGenerated(names map[string]bool, kernel string) {
	names[kernel] = true
	for _, s := range generatedSuffixes {
		names[kernel+s], names[kernel+s+"_"] = true, true
	}
}

// constrained reports whether a file has a build constraint, by its name or by a directive.
func constrained(name string, q *pkg, d *ast.FuncDecl) bool {
	base := strings.TrimSuffix(filepath.Base(name), ".go")
	if i := strings.IndexByte(base, '_'); i >= 0 {
		for _, part := range strings.Split(base[i+1:], "_") {
			switch part {
			case "linux", "darwin", "windows", "freebsd", "amd64", "arm64", "386", "arm", "unix", "wasm", "js":
				return true
			}
		}
	}
	for _, f := range q.files {
		if f.Pos() > d.Pos() || d.End() > f.End() {
			continue
		}
		for _, g := range f.Comments {
			for _, c := range g.List {
				if c.Pos() < f.Package && strings.HasPrefix(c.Text, "//go:build ") {
					return true
				}
			}
		}
	}
	return false
}

// refuse leaves k on coroutines, with the reason why.
func (k *Kernel) refuse(pos token.Pos, why string) { k.Reason, k.ReasonPos = why, pos }

// refuseMistake leaves k on coroutines after a panic of the compiler.
func (k *Kernel) refuseMistake(v any) {
	if os.Getenv("GOCUDA_GEN_PANIC") != "" {
		panic(v)
	}
	k.refuse(k.Pos, fmt.Sprintf("gocuda gen can't translate it, which is a mistake of gocuda gen: %v", v))
}

// instances are the forms of a generic kernel for type arguments with assembly.
type instances struct {
	kernels []*Kernel
	bodies  string
}

func (p *printer) instances(k *Kernel) (forms instances) {
	var names []string
	for _, targs := range k.instances() {
		own := translate(p.prog, p.root, k.decl, k.words, targs)
		if own.Reason != "" {
			continue
		}
		name := p.bodyName(k)
		for tp := range k.TypeParams.TypeParams() {
			name += "_" + targs[tp].String() + "_"
		}
		for p.root.declares(name) {
			name += "_"
		}
		text := p.bodyText(own, name)
		forms.kernels = append(forms.kernels, own)
		if own.Reason == "" && slices.ContainsFunc(slices.Collect(maps.Values(own.rows)), func(n *nested) bool { return n.why == "" }) {
			forms.bodies += text
			names = append(names, name)
		}
	}
	if names != nil {
		forms.bodies += fmt.Sprintf("func init() {\nif %s {\n%s.Vectors = append(%[2]s.Vectors, %s)\n}\n}\n\n", hasNests, p.formsName(k), strings.Join(names, ", "))
	}
	return forms
}

// bodyText returns the plain form of k as a func of the given name. On failure it refuses k.
func (p *printer) bodyText(k *Kernel, name string) (text string) {
	saved := p.out
	p.out = strings.Builder{}
	defer func() {
		text = p.out.String()
		p.out = saved
		k.forget()
		if v := recover(); v != nil {
			text = ""
			if u, ok := v.(unsupported); ok {
				k.refuse(u.pos, u.why)
			} else {
				k.refuseMistake(v)
			}
		}
	}()
	p.body(k, name)
	return ""
}

// forget drops what only the text of k needed. A package may have thousands of nests, and each has all its forms.
func (k *Kernel) forget() {
	for _, n := range k.rows {
		n.row, n.asm = nil, nil
	}
	if k.TypeParams == nil || k.targs != nil {
		k.names = nil
	}
}
