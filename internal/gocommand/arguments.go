package gocommand

import (
	"slices"
	"strings"
)

// arguments are those of the go command, as far as they say what is built. Whatever is wrong with
// them is for the go command to tell.
type arguments struct {
	all      []string
	verb     string
	dir      string   // of -C, or ""
	chdir    int      // the number of arguments that are -C
	build    []string // flags that decide which files are built, as -name=value
	overlay  string   // the file of -overlay, or ""
	covers   bool     // whether coverage is measured
	races    bool     // whether the race detector is on
	toolexec string   // the value of -toolexec, or ""
	flags    [][2]int // where -overlay and -toolexec are in all: from and to
	named    [2]int   // where the packages or files are in all
}

// valued are the flags that take a value, which may be the next argument. All others are switches.
var valued = map[string]bool{}

// deciding are the flags that decide which files are built.
var deciding = []string{"asan", "compiler", "mod", "modfile", "msan", "race", "tags"}

func init() {
	const build = "C asmflags buildmode compiler covermode coverpkg exec gccgoflags gcflags installsuffix ldflags mod modfile o overlay p pgo pkgdir tags toolexec"
	const test = "bench benchtime blockprofile blockprofilerate count coverprofile cpu cpuprofile fuzz fuzzcachedir fuzzminimizetime fuzztime list " +
		"memprofile memprofilerate mutexprofile mutexprofilefraction outputdir parallel run shuffle skip timeout trace vet"
	for _, name := range strings.Fields(build) {
		valued[name] = true
	}
	for _, name := range strings.Fields(test) {
		valued[name], valued["test."+name] = true, true
	}
}

// switches are the flags of go test without a value. It takes what follows an unknown flag for an
// argument of the tests.
var switches = strings.Fields("a artifacts asan benchmem buildvcs c cover failfast fullpath json linkshared modcacherw msan n race short trimpath v work x")

// vetValued are the flags of go vet that take a value, besides valued. A switch of the same name is
// none there.
var vetValued = []string{"c", "printf.funcs", "unusedresult.funcs", "unusedresult.stringmethods", "vettool"}

// takesValue reports whether a flag has a value.
func (a *arguments) takesValue(name string) bool {
	return valued[name] || a.verb == "vet" && slices.Contains(vetValued, name)
}

// isKnown reports whether go test takes a flag for its own.
func isKnown(name string) bool {
	return valued[name] || slices.Contains(switches, strings.TrimPrefix(name, "test."))
}

// parse reads arguments of which the first is the verb. The go command has two rules for where the
// packages are: go test takes flags on both sides of them, all others only before.
func parse(args []string) *arguments {
	a := &arguments{all: args, verb: args[0]}
	closed, unknown := false, false // of go test: no packages any more, and behind a flag of the tests without a value
	for i := 1; i < len(args); {
		arg := args[i]
		if arg == "--" {
			if a.verb != "test" {
				a.positional(i + 1)
			}
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			if a.verb != "test" {
				a.positional(i)
				break
			}
			if closed {
				if !unknown {
					break // all the rest is for the tests
				}
				unknown = false // this may be the value
				i++
				continue
			}
			a.named[0] = i
			for i < len(args) && (len(args[i]) < 2 || args[i][0] != '-') {
				i++
			}
			a.named[1], closed = i, true
			continue
		}
		name, value, has := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
		if a.verb == "test" && name == "args" {
			break
		}
		from := i
		i++
		if a.takesValue(name) && !has {
			if i == len(args) {
				break // the go command says so
			}
			value, has = args[i], true
			i++
		}
		if unknown = a.verb == "test" && !isKnown(name); unknown {
			closed, unknown = true, !has
		}
		switch {
		case name == "C" && from == 1:
			a.dir, a.chdir = value, i-from
		case name == "overlay":
			a.overlay = value
			a.flags = append(a.flags, [2]int{from, i})
		case name == "toolexec":
			a.toolexec = value
			a.flags = append(a.flags, [2]int{from, i})
		case slices.Contains(coverFlags, name):
			a.covers = a.covers || value != "false"
		case slices.Contains(deciding, name):
			if has {
				arg = "-" + name + "=" + value
			}
			a.build = append(a.build, arg)
			a.races = name == "race" && value != "false" || a.races && name != "race"
		}
	}
	return a
}

// positional takes the packages, which begin at i, of all commands but go test.
func (a *arguments) positional(i int) {
	to := len(a.all)
	if a.verb == "run" {
		to = i
		for to < len(a.all) && isGoFile(a.all[to]) {
			to++
		}
		if to == i && i < len(a.all) {
			to++ // a package, and then the arguments of the program
		}
	}
	a.named = [2]int{i, to}
}

// patterns returns the packages or files, by default the package in the current folder.
func (a *arguments) patterns() []string {
	if list := a.all[a.named[0]:a.named[1]]; len(list) > 0 {
		return list
	}
	return []string{"."}
}

// with returns the arguments with flags in the place of those with the same names. If the patterns
// are files, the generated files among them give way to those in files.
func (a *arguments) with(flags, files []string) []string {
	out := slices.Clone(a.all[:1+a.chdir])
	out = append(out, flags...)
	for i := 1 + a.chdir; i < len(a.all); i++ {
		if j := slices.IndexFunc(a.flags, func(f [2]int) bool { return f[0] == i && replaces(flags, a.all[i]) }); j >= 0 {
			i = a.flags[j][1] - 1
			continue
		}
		if i < a.named[0] || i >= a.named[1] || !isGenerated(a.dir, a.all[i]) {
			out = append(out, a.all[i])
		}
		if i == a.named[1]-1 {
			out = append(out, files...)
		}
	}
	return out
}

// replaces reports whether one of flags has the name of a flag in an argument.
func replaces(flags []string, arg string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	return slices.ContainsFunc(flags, func(f string) bool { return strings.HasPrefix(f, "-"+name+"=") })
}
