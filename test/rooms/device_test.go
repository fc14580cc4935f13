package rooms

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A room is what a package exports, and its tests.
type room struct {
	names   map[string]bool            // funcs, types, constants, variables
	funcs   []string                   // of the names
	members map[string]map[string]bool // methods and fields of types
	inside  map[string][]string        // types that types embed or stand for
	tests   map[string]bool
}

func readRoom(t *testing.T, folder string) *room {
	t.Helper()
	r := &room{map[string]bool{}, nil, map[string]map[string]bool{}, map[string][]string{}, map[string]bool{}}
	files, err := filepath.Glob("../../" + folder + "/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(folder, err)
	}
	member := func(typ, name string) {
		if r.members[typ] == nil {
			r.members[typ] = map[string]bool{}
		}
		r.members[typ][name] = true
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		isTest := strings.HasSuffix(file, "_test.go")
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				switch name := fn.Name.Name; {
				case isTest:
					r.tests[name] = true
				case fn.Recv != nil:
					member(typeName(fn.Recv.List[0].Type), name)
				case fn.Name.IsExported() && !r.names[name]: // a build tag may choose among several
					r.names[name] = true
					r.funcs = append(r.funcs, name)
				}
			}
			gen, ok := d.(*ast.GenDecl)
			if !ok || isTest {
				continue
			}
			for _, s := range gen.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					for _, name := range s.Names {
						r.names[name.Name] = true
					}
				case *ast.TypeSpec:
					name := s.Name.Name
					r.names[name] = true
					var list *ast.FieldList
					switch typ := s.Type.(type) {
					case *ast.StructType:
						list = typ.Fields
					case *ast.InterfaceType:
						list = typ.Methods
					default:
						r.inside[name] = append(r.inside[name], typeName(typ))
						continue
					}
					for _, field := range list.List {
						for _, n := range field.Names {
							member(name, n.Name)
						}
						if len(field.Names) == 0 {
							r.inside[name] = append(r.inside[name], typeName(field.Type))
						}
					}
				}
			}
		}
	}
	return r
}

// typeName is the name of a type without its package, its star and its parameters.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// has reports whether the package exports a name, or a member of a type.
func (r *room) has(name string) bool {
	typ, member, ok := strings.Cut(name, ".")
	if !ast.IsExported(typ) || !r.names[typ] {
		return false
	}
	return !ok || ast.IsExported(member) && r.hasMember(typ, member)
}

func (r *room) hasMember(typ, member string) bool {
	return r.members[typ][member] || slices.ContainsFunc(r.inside[typ], func(in string) bool { return in != typ && r.hasMember(in, member) })
}

// A row is a row of a table of docs/device.md.
type row struct {
	line  int
	pkg   string // of the section
	cells []string
}

var (
	headings = regexp.MustCompile(`^## .* \(package (\w+)\)$`)
	quoted   = regexp.MustCompile("`([^`]*)`")
	ranges   = regexp.MustCompile("`([\\w.]*[A-Za-z])(\\d)` to `([\\w.]*[A-Za-z])(\\d)`")
)

// deviceTables returns the rows of docs/device.md, which must all have one form.
func deviceTables(t *testing.T) []row {
	t.Helper()
	text, err := os.ReadFile("../../docs/device.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	pkg := ""
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "## ") {
			m := headings.FindStringSubmatch(line)
			if m == nil {
				t.Errorf("line %d: the heading has no (package ...): %s", i+1, line)
				continue
			}
			pkg = m[1]
		}
		if !strings.HasPrefix(line, "|") || line == "| --- | --- | --- |" || line == "| CUDA | gocuda | exactness |" {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if len(cells) != 3 || pkg == "" {
			t.Errorf("line %d has %d cells, and is of package %q", i+1, len(cells), pkg)
			continue
		}
		for k := range cells {
			cells[k] = strings.TrimSpace(cells[k])
		}
		rows = append(rows, row{i + 1, pkg, cells})
	}
	return rows
}

// testsOfRows returns the tests of the rows of docs/device.md, by the names of the rows, from
// testdata/device.txt.
func testsOfRows(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("testdata/device.txt")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string][]string{}
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, list, ok := strings.Cut(line, ":")
		if !ok || tests[name] != nil {
			t.Errorf("testdata/device.txt: line %d has no colon, or a name that an earlier line has: %s", i+1, line)
			continue
		}
		tests[name] = strings.Fields(list)
	}
	return tests
}

// words returns what is quoted in a cell. `Int1` to `Int4` is four words.
func words(cell string) []string {
	var all []string
	for _, m := range ranges.FindAllStringSubmatch(cell, -1) {
		from, _ := strconv.Atoi(m[2])
		to, _ := strconv.Atoi(m[4])
		for n := from; n <= to; n++ {
			all = append(all, fmt.Sprint(m[1], n))
		}
	}
	for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
		all = append(all, strings.TrimSuffix(m[1], "{}"))
	}
	return all
}

// The tables of docs/device.md name what there is: each name of package device, cg, mem, gocuda and
// grid exists, in the package of the section unless it says another. All funcs of device and cg are
// in the tables. For each row testdata/device.txt names tests that exist.
func TestDeviceTables(t *testing.T) {
	rooms := map[string]*room{}
	for _, folder := range []string{"device", "cg", "mem", "gocuda", "grid"} {
		rooms[folder] = readRoom(t, folder)
	}
	listed := map[string]bool{}
	tests := testsOfRows(t)
	tested := map[string]bool{}
	rows := deviceTables(t)
	if len(rows) < 300 {
		t.Errorf("only %d rows", len(rows))
	}
	// where finds the package of a name, which is the section's if the name does not begin with
	// another.
	where := func(r row, word string) (pkg, name string) {
		if first, rest, ok := strings.Cut(word, "."); ok && rooms[first] != nil {
			return first, rest
		}
		return r.pkg, word
	}
	for _, r := range rows {
		if rooms[r.pkg] == nil {
			t.Errorf("line %d is of package %s", r.line, r.pkg)
			continue
		}
		names := words(r.cells[1])
		for _, word := range names {
			pkg, name := where(r, word)
			if !rooms[pkg].has(name) {
				t.Errorf("line %d: package %s has no %s", r.line, pkg, name)
			}
			listed[pkg+"."+name] = true
		}
		if len(names) == 0 {
			if r.cells[1] != "none" {
				t.Errorf("line %d names nothing in its gocuda column", r.line)
			}
			continue
		}
		pkg, name := where(r, names[0])
		key := pkg + "." + name
		if tested[key] {
			t.Errorf("line %d begins with %s, as an earlier row does", r.line, key)
		}
		tested[key] = true
		if len(tests[key]) == 0 {
			t.Errorf("line %d: testdata/device.txt has no test of %s", r.line, key)
		}
		for _, word := range tests[key] {
			pkg, name := where(r, word)
			name, _, _ = strings.Cut(name, "/")
			if !rooms[pkg].tests[name] {
				t.Errorf("testdata/device.txt: package %s has no %s, which %s names", pkg, name, key)
			}
		}
	}
	for key := range tests {
		if !tested[key] {
			t.Errorf("testdata/device.txt has tests of %s, with which no row of docs/device.md begins", key)
		}
	}
	for _, pkg := range []string{"device", "cg"} {
		if n := len(rooms[pkg].funcs); n < 15 {
			t.Errorf("only %d funcs of %s", n, pkg)
		}
		for _, name := range rooms[pkg].funcs {
			if !listed[pkg+"."+name] {
				t.Errorf("%s.%s is in no table of docs/device.md", pkg, name)
			}
		}
	}
}

// handbook is the CUDA names of tables 8.4 to 8.15 of The CUDA Handbook: all of them have a row.
const handbook = `
__mul24 __umul24 __mulhi __umulhi __mul64hi __umul64hi
__brev __byte_perm __clz __ffs __popc __sad __usad __brevll __clzll __ffsll __popcll
__funnelshift_l __funnelshift_lc __funnelshift_r __funnelshift_rc
__fadd_rn __fmul_rn __fmaf_rn __frcp_rn __fdiv_rn __fsqrt_rn __dadd_rn __dmul_rn __fma_rn __drcp_rn __ddiv_rn __dsqrt_rn
__float2int_rn __float2uint_rn __int2float_rn __uint2float_rn __float2ll_rn __ll2float_rn __ull2float_rn __double2float_rn
__double2int_rn __double2uint_rn __double2ll_rn __double2ull_rn __int2double_rn __uint2double_rn __ll2double_rn
__ull2double_rn __half2float __float2half __halftofloat __floattohalf __float_as_int __int_as_float
__cosf __exp10f __expf __fdividef __logf __log2f __log10f __powf __sinf __sincosf __tanf __saturatef
acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi erf erfc erfcinv erfcx erfinv exp exp10 exp2 expm1
fabs fdim floor fma fmax fmin fmod frexp hypot ilogb j0 j1 jn ldexp lgamma llrint llround lrint lround log log10 log1p log2
logb modf nan nearbyint nextafter normcdf normcdfinv pow rcbrt remainder remquo rsqrt rint round scalbln scalbn sin sincos
sincospi sinh sinpi sqrt tan tanh tgamma trunc y0 y1 yn
acosf acoshf asinf asinhf atanf atan2f atanhf cbrtf ceilf copysignf cosf coshf cospif erff erfcf erfcinvf erfcxf erfinvf
expf exp10f exp2f expm1f fabsf fdimf floorf fmaf fmaxf fminf fmodf frexpf hypotf ilogbf j0f j1f jnf ldexpf lgammaf llrintf
llroundf lrintf lroundf logf log10f log1pf log2f logbf modff nanf nearbyintf nextafterf normcdff normcdfinvf powf rcbrtf
remainderf remquof rsqrtf rintf roundf scalblnf scalbnf sinf sincosf sincospif sinhf sinpif sqrtf tanf tanhf tgammaf truncf
y0f y1f ynf isfinite isinf isnan signbit
vabsdiff vadd vavrg vmad vmax vmin vset vshl vshr vsub
vabsdiff2 vabsdiff4 vadd2 vadd4 vavrg2 vavrg4 vmax2 vmax4 vmin2 vmin4 vset2 vset4 vsub2 vsub4`

func TestHandbookIsListed(t *testing.T) {
	listed := map[string]bool{}
	for _, r := range deviceTables(t) {
		for _, word := range words(r.cells[0]) {
			listed[word] = true
		}
	}
	for _, name := range strings.Fields(handbook) {
		if !listed[name] {
			t.Errorf("%s of The CUDA Handbook is in no table of docs/device.md", name)
		}
	}
}

// primitives is the CUDA names of table 8.1 to 8.3 of The CUDA Handbook, of its sections 8.1.1, 8.5
// and 8.6, and of the runtime's parts that chapters 3, 5 and 6 are about: docs/cuda.md has all of
// them, and what it names for them exists.
const primitives = `
atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc atomicDec atomicCAS atomicAnd atomicOr atomicXor
__threadfence __threadfence_block __threadfence_system
__any __all __ballot __shfl __shfl_up __shfl_down __shfl_xor
__syncthreads __syncthreads_count __syncthreads_or __syncthreads_and __prof_trigger
__ldg printf assert malloc free __isGlobal __isShared __isConstant __isLocal
__float_as_int __double2loint __hiloint2double __double_as_longlong clock64
cudaGetDeviceCount cudaGetDeviceProperties cudaChooseDevice cudaSetDevice cudaDeviceSetLimit cudaDeviceSynchronize
cudaMalloc cudaFree cudaMallocPitch cudaMalloc3D cudaMemcpy cudaMemcpyAsync cudaMemset cuMemsetD16 cuMemsetD32 cudaMemGetInfo
cudaHostAlloc cudaHostRegister cudaPointerGetAttributes cudaMemcpyToSymbol cudaMemcpyFromSymbol cudaMemcpyPeer
cudaStreamCreate cudaStreamDestroy cudaStreamSynchronize cudaStreamQuery cudaStreamWaitEvent cudaStreamCreateWithFlags
cudaStreamNonBlocking cudaEventCreate cudaEventCreateWithFlags cudaEventRecord cudaEventSynchronize cudaEventQuery
cudaEventElapsedTime cudaMallocArray cudaMemcpy2D cudaMemcpy3D`

// sass is the instructions of tables 8.16 and 8.17 of The CUDA Handbook.
const sass = `
COS DADD DFMA DMAX DMIN DMUL DSET EX2 FADD FADD32 FADD32I FCMP FMAD FMAD32 FMAD32I FMAX FMIN FMUL FMUL32 FMUL32I FSET LG2 RCP RRO
RSQ SIN BAR BPT BRA BRK BRX C2R CAL RET SSY F2F F2I I2F I2I IADD IADD32 IADD32I IMAD IMAD32 IMAD32I IMAX IMIN IMUL IMUL32 IMUL32I
ISAD ISAD32 ISET SHL SHR A2R ADA G2R GATOM GLD GRED GST LLD LST LOP MOV MOV32 MVC MVI R2A R2C R2G NOP TEX TEX32 VOTE S2R
DMNMX DSETP FFMA FMNMX FSWZ FSETP MUFU BFE BFI FLO ICMP IMNMX ISCADD ISETP SHF POPC VABSDIFF VADD VMAD VMAX VMIN VSET VSHL VSHR
VSUB VABSDIFF2 VABSDIFF4 VADD2 VADD4 VAVRG2 VAVRG4 VMAX2 VMAX4 VMIN2 VMIN4 VSET2 VSET4 VSUB2 VSUB4 PRMT SEL SHFL CSET CSETP P2R
R2P PSET PSETP TLD TLD4 TXQ ATOM CCTL CCTLL LD LDC LDG LDL LDLK LDS LDSLK LDU LD_LDU LDS_LDU MEMBAR RED ST STL STUL STS STSUL
SULD SULEA SUQ SURED SUST SUBFM SUCLAMP SUEAU SULDGA SUSTGA CONT EXIT JCAL JMP JMX LONGJMP PBK PCNT PLONGJMP PRET B2R LEPC`

func TestPrimitivesAreListed(t *testing.T) {
	text, err := os.ReadFile("../../docs/cuda.md")
	if err != nil {
		t.Fatal(err)
	}
	packages := map[string]*room{}
	for _, folder := range []string{"atomic", "device", "mem", "gocuda", "cg"} {
		packages[folder] = readRoom(t, folder)
	}
	name := regexp.MustCompile(`^\w+`)
	device := regexp.MustCompile(`^(dev|t)\.`)
	listed := map[string]bool{}
	for _, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			continue
		}
		for _, word := range words(cells[1]) {
			listed[name.FindString(word)] = true
		}
		for _, word := range words(cells[2]) {
			if pkg, called, ok := strings.Cut(word, "."); ok && packages[pkg] != nil && !packages[pkg].has(name.FindString(called)) {
				t.Errorf("%s: there is no such name", word)
			}
			if _, called, ok := strings.Cut(word, "."); ok && device.MatchString(word) {
				called = name.FindString(called)
				if !packages["gocuda"].hasMember("Device", called) && !packages["gocuda"].hasMember("Stream", called) && !packages["gocuda"].hasMember("Thread", called) {
					t.Errorf("%s: there is no such method", word)
				}
			}
		}
	}
	for _, word := range strings.Fields(primitives + sass) {
		if !listed[word] {
			t.Errorf("%s of The CUDA Handbook is not in docs/cuda.md", word)
		}
	}
}

// The comment of each func of package device says whose it is: CUDA's, PTX's or cuRAND's. Generated
// files speak for a type.
func TestDeviceFuncsSayWhatTheyStandFor(t *testing.T) {
	files, err := filepath.Glob("../../device/*.go")
	if err != nil {
		t.Fatal(err)
	}
	origin := regexp.MustCompile(`CUDA|PTX|cuRAND|\bprmt\b`)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(file, "_gen.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.IsExported() && !origin.MatchString(fn.Doc.Text()) {
				t.Errorf("%s: the comment of %s names nothing of CUDA: %q", file, fn.Name.Name, fn.Doc.Text())
			}
		}
	}
}
