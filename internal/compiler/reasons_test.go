package compiler

import (
	"bytes"
	"fmt"
	"go/scanner"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The reason why a kernel can't be translated has the right position: the line marked HERE.
func TestReasons(t *testing.T) {
	for _, c := range []struct {
		name   string
		body   string
		says   string
		defect string
	}{
		{"goroutine", "go func() { x[0] = 1 }() // HERE", "goroutines", ""},
		{"lanes that meet at two places", "if x[t.Rank()] > 0 { // HERE\nt.SyncWarp(gocuda.FullMask); x[0] = 1\n} else {\nt.SyncWarp(gocuda.FullMask)\n}", "SyncWarp on both sides", ""},
		{"shuffle of a pointer", "p := gocuda.ShflSync(t, gocuda.FullMask, &x[t.Rank()], 0, 32) // HERE\n*p = 1", "of a pointer", ""},
		{"defer", "defer func() { x[0] = 1 }() // HERE", "defer", ""},
		{"recover", "if recover() != nil { // HERE\n}", "recover", ""},
		{"goto", "again:\nx[0]++\nif x[0] < 3 {\ngoto again // HERE\n}", "goto", ""},

		{"map that is read", "x[0] = table[1] // HERE", "maps", ""},
		{"map that is written", "table[1] = 2 // HERE", "maps", ""},
		{"map that is made", "v := make(map[int]int) // HERE\nv[0] = 1", "maps", ""},
		{"literal of a map", "v := map[int]int{} // HERE\nv[0] = 1", "maps", ""},
		{"range over a map", "for k := range table { // HERE\nx[k] = 1\n}", "maps", ""},
		{"map with ok", "v, ok := table[1] // HERE\nif ok { x[0] = v }", "with ok", ""},
		{"delete", "delete(table, 3) // HERE", "delete", ""},

		{"send", "queue <- 1 // HERE", "channels", ""},
		{"receive", "x[0] = <-queue // HERE", "channels", ""},
		{"range over a channel", "for v := range queue { // HERE\nx[0] = v\n}", "channels", ""},
		{"channel that is made", "c := make(chan int) // HERE\nsink = c", "channels", ""},
		{"select", "select { // HERE\ndefault:\n}", "channels", ""},
		{"close", "close(queue) // HERE", "close", ""},

		{"closure that is stored", "sink = func() { x[0] = 1 } // HERE", "closure is used as a value", ""},
		{"closure in a slice", "v := []func(){func() { x[0] = 1 }} // HERE\nv[0]()", "closure is used as a value", ""},
		{"closure that is returned", "x[0] = adder(3)(4) // HERE", "a func", ""},
		{"closure that is given to a helper with a defer", "order(x, func(a, b int) bool { return a < b })", "defer", ""},
		{"closure that is given to a helper that calls itself", "x[0] = again(n, func() int { return n })", "again calls itself", ""},
		{"closure that is given to a func of the standard library", "x[0] = sort.Search(n, func(i int) bool { return y[i] >= q }) // HERE",
			"a closure is passed to sort.Search, whose source is not translated with the kernel; write the loop in place of the call, or a helper", ""},
		{"closure in a variable that is given to a generic func", "even := func(v int) bool { return v%2 == 0 }\nx[0] = slices.IndexFunc(y, even) // HERE", "passed to slices.IndexFunc", ""},
		{"closure that is given to a method of the standard library", "once.Do(func() { x[0] = 1 }) // HERE", "passed to (*sync.Once).Do", ""},
		{"variable with several closures", "v := func() int { return 1 } // HERE\nif yes {\nv = func() int { return 2 }\n}\nx[0] = v()", "v changes", ""},
		{"closure that calls itself", "var v func(int) int\nv = func(n int) int { // HERE\nif n == 0 {\nreturn 0\n}\nreturn v(n - 1)\n}\nx[0] = v(3)", "", ""},
		{"func in a parameter", "x[0] = callback(1) // HERE", "func in a variable", ""},
		{"method value", "v := item.get // HERE\nx[0] = v()", "method values", ""},
		{"method expression that is not called", "v := box.get // HERE\nx[0] = v(item)", "method expressions are translated only where they are called", ""},
		{"method expression that is passed on", "x[0] = apply(box.get, item) // HERE", "method expressions are translated only where they are called", ""},
		{"method expression of an interface", "x[0] = len(fmt.Stringer.String(name)) // HERE", "interfaces", ""},
		{"method expression of the thread", "(*gocuda.Thread).Arrive(t) // HERE", "Arrive is not translated", ""},
		{"method expression of several results", "x[0] = box.plus(both(n)) // HERE", "the results of a call as receiver and arguments", ""},
		{"method value of the thread", "v := t.GlobalX // HERE\nx[0] = v()", "method values", ""},
		{"method of an interface", "x[0] = len(name.String()) // HERE", "interfaces", ""},

		{"recursion with the thread", "x[0] = deep(t, 3)", "deep calls itself", ""},
		{"the kernel itself", "if n > 0 {\nk(t, x, y, fs, n-1, q, yes, g, table, queue, callback, item, name, value) // HERE\n}", "k calls itself", ""},
		{"two that call each other", "x[0] = ping(t, 3)", "calls itself", ""},

		{"type switch", "switch value.(type) { // HERE\ncase int:\n}", "type switch", ""},
		{"type assertion", "x[0] = value.(int) // HERE", "type assertion", ""},
		{"type assertion with ok", "v, ok := value.(int) // HERE\nif ok { x[0] = v }", "with ok", ""},
		{"range over a func", "for v := range each { // HERE\nx[v] = 1\n}", "range over a func", ""},
		{"range over a string", "for i, r := range \"ab\" { // HERE\nx[i] = int(r)\n}", "range over a string", ""},
		{"println", "println(n) // HERE", "println", ""},

		{"the thread in a slice", "v := []*gocuda.Thread{t} // HERE\nx[0] = v[0].Rank()", "Thread", ""},
		{"the thread in a variable of the package", "sink = t // HERE", "Thread", ""},
		{"the thread given back", "x[0] = same(t).Rank() // HERE", "returns the Thread", ""},
		{"another thread", "t = nil // HERE\nx[0] = t.Rank()", "Thread", ""},
		{"the thread given to a func without source", "fmt.Println(t) // HERE", "Thread", ""},

		{"a mistake of types", "x[0] = \"a\" // HERE", "cannot use", ""},
		{"a mistake of types that takes several lines to say", "x[0] = gocuda.Shared[int](t)[0] // HERE", "not enough arguments", ""},
		{"an undefined name", "x[0] = nowhere // HERE", "undefined", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := snippetOf(t, strings.Replace(inKernel(c.body), "g float64)",
				"g float64, table map[int]int, queue chan int, callback func(int) int, item box, name fmt.Stringer, value any)", 1)+`
type box struct{ v int }

func (b box) get() int { return b.v }

func (b box) plus(v int) int { return b.v + v }

func both(n int) (box, int) { return box{n}, n }

func apply(f func(box) int, b box) int { return f(b) }

var once sync.Once

func again(n int, f func() int) int {
	if n == 0 {
		return f()
	}
	return again(n-1, f)`+hereIf(c.name == "closure that is given to a helper that calls itself")+`
}

func adder(n int) func(int) int {
	return func(q int) int { return n + q }
}

func order(x []int, less func(a, b int) bool) {
	defer func() { x[0] = 1 }()`+hereIf(c.name == "closure that is given to a helper with a defer")+`
	if less(x[0], x[1]) {
		return
	}
}

func each(yield func(int) bool) {}

func deep(t *gocuda.Thread, n int) int {
	if n == 0 {
		return t.Rank()
	}
	return deep(t, n-1)`+hereIf(c.name == "recursion with the thread")+`
}

func ping(t *gocuda.Thread, n int) int {
	return pong(t, n)
}

func pong(t *gocuda.Thread, n int) int {
	return ping(t, n-1)`+hereIf(c.name == "two that call each other")+`
}

func same(t *gocuda.Thread) *gocuda.Thread { return t }
`)
			k := s.kernels()[0]
			if k.Reason == "" || !contains(k.Reason, c.says) || contains(k.Reason, "\n") {
				expected(t, c.defect, "the reason is %q, it should speak of %q in one line", k.Reason, c.says)
			}
			pos := s.position(k.ReasonPos)
			switch {
			case !pos.IsValid():
				expected(t, c.defect, "%q has no position", k.Reason)
			case pos.Line != s.marked(t):
				expected(t, c.defect, "%q is said of line %d, the line marked is %d", k.Reason, pos.Line, s.marked(t))
			}
			// Such a kernel still gets a constructor.
			if contains(c.name, "mistake") || contains(c.name, "undefined") {
				return
			}
			if out, err := s.generated(); err != nil || !contains(out, "Uncompiled") {
				t.Errorf("the constructor: %v\n%s", err, out)
			}
		})
	}
}

func hereIf(yes bool) string {
	if yes {
		return " // HERE"
	}
	return ""
}

// These constructs are translated.
func TestNoReasons(t *testing.T) {
	for _, c := range []struct{ name, body, more string }{
		{"warps that go different ways", "if t.WarpID() == 0 {\nt.SyncWarp(gocuda.FullMask); x[0] = 1\n} else {\nt.SyncWarp(gocuda.FullMask)\n}", ""},
		{"closure that stays", "v := func(a int) int { return a + n }; x[0] = v(v(2))", ""},
		{"closure that is called at once", "func() { x[0] = 1 }()", ""},
		{"closure given to a helper", "x[0] = twice(func(a int) int { return a * n }, 3)", "func twice(f func(int) int, a int) int { return f(f(a)) }"},
		{"declared func given to a helper", "x[0] = twice(inc, 3)", "func twice(f func(int) int, a int) int { return f(f(a)) }\nfunc inc(a int) int { return a + 1 }"},
		{"closure given to a helper that Go does not inline", "x[0] = twice(func(a int) int { return a * n }, 3)", "//go:noinline\nfunc twice(f func(int) int, a int) int { return f(f(a)) }"},
		{"declared func given to the standard library", "x[0] = slices.IndexFunc(y, even)", "func even(v int) bool { return v%2 == 0 }"},
		{"method expression", "(*box).set(&box{n}, box.get(box{q})); x[0] = box.plus(box{n}, 1, x[1], 2)",
			"type box struct{ v int }\nfunc (b box) get() int { return b.v }\nfunc (b *box) set(v int) { b.v = v }\nfunc (b box) plus(v ...int) int { return b.v + len(v) }"},
		{"method expression of what is only assignable", "x[0] = list.first(x) + list.last(y) + num.twice(3) + (*list).size(nil)",
			"type list []int\nfunc (l list) first() int { return l[0] }\nfunc (l list) last() int {\ndefer func() {}()\nreturn l[len(l)-1]\n}\n" +
				"type num int\nfunc (v num) twice() int {\ndefer func() {}()\nreturn int(v) * 2\n}\nfunc (l *list) size() int {\ndefer func() {}()\nreturn 3\n}"},
		{"method expression of the thread", "(*gocuda.Thread).SyncThreads(t); (*gocuda.Thread).Printf(t, \"%d %d\\n\", (*gocuda.Thread).Rank(t), n)", ""},
		{"recursion without the thread", "x[0] = fact(n)", "func fact(n int) int {\nif n < 2 {\nreturn 1\n}\nreturn n * fact(n-1)\n}"},
		{"helper with a defer", "x[0] = careful(x)", "func careful(x []int) int {\ndefer func() { x[1] = 1 }()\nreturn 3\n}"},
		{"labels", "outer:\nfor i := range n {\nfor {\nif i > q {\nbreak outer\n}\ncontinue outer\n}\n}", ""},
		{"generic helper", "x[0] = pick(yes, n, q)", "func pick[T any](yes bool, a, b T) T {\nif yes {\nreturn a\n}\nreturn b\n}"},
		{"Printf", `t.Printf("%d\n", t.Rank())`, ""},
		{"panic", `panic("no")`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			translatedKernel(t, inKernel(c.body)+c.more)
		})
	}
}

// A func that can't be a kernel is an error of the command.
func TestBadKernels(t *testing.T) {
	for _, c := range []struct {
		name, text, says string
		defect           string
	}{
		{"method", "type box struct{}\n//gocuda:kernel\nfunc (b box) run(t *gocuda.Thread) {} // HERE", "a method can't be a kernel", ""},
		{"result", "//gocuda:kernel\nfunc run(t *gocuda.Thread) int { return 1 } // HERE", "no results", ""},
		{"no thread", "//gocuda:kernel\nfunc run(x []int) {} // HERE", "first parameter", ""},
		{"no parameters", "//gocuda:kernel\nfunc run() {} // HERE", "first parameter", ""},
		{"the thread comes second", "//gocuda:kernel\nfunc run(x []int, t *gocuda.Thread) {} // HERE", "first parameter", ""},
		{"a block", "//gocuda:kernel\nfunc run(b *gocuda.Block) {} // HERE", "first parameter", ""},
		{"two threads", "//gocuda:kernel\nfunc run(t, u *gocuda.Thread) { _ = u.Rank() } // HERE", "", "a second thread as a parameter is taken for an argument"},
		{"no body", "//gocuda:kernel\nfunc run(t *gocuda.Thread) // HERE", "no body", ""},
		{"the constructor exists", "//gocuda:kernel\nfunc run(t *gocuda.Thread) {} // HERE\nfunc runKernel() {}", "runKernel", ""},
		{"the body's name is taken", "//gocuda:kernel\nfunc run(t *gocuda.Thread) {} // HERE\nfunc runBody() {}", "runBody", "only the constructor's name is looked up"},
		{"the name of the forms is taken", "//gocuda:kernel\nfunc run(t *gocuda.Thread, x []int) { x[t.GlobalX()] = 1 } // HERE\nvar runForms int", "runForms",
			"only the constructor's name is looked up"},
		{"the name is a blank", "//gocuda:kernel\nfunc _(t *gocuda.Thread) {} // HERE", "_", "a kernel without a name gets a constructor"},
		{"types of a kernel that is not generic", "//gocuda:kernel types=int8\nfunc run(t *gocuda.Thread) {} // HERE", "for generic kernels", ""},
		{"a type without vectors", "//gocuda:kernel types=int8,string\nfunc run[T any](t *gocuda.Thread, x []T) {} // HERE", "\"string\"", ""},
		{"no types", "//gocuda:kernel types=\nfunc run[T any](t *gocuda.Thread, x []T) {} // HERE", "\"\"", ""},
		{"a type under two names", "//gocuda:kernel types=byte,uint8\nfunc run[T any](t *gocuda.Thread, x []T) {} // HERE", "uint8 twice", ""},
		{"a type twice", "//gocuda:kernel types=int8,int,int8\nfunc run[T any](t *gocuda.Thread, x []T) {} // HERE", "int8 twice", ""},
		{"a type that the constraint excludes", "//gocuda:kernel types=int8,int\nfunc run[T float32|int](t *gocuda.Thread, x []T) {} // HERE", "lists int8", ""},
		{"an option twice", "//gocuda:kernel fastmath types=int8 fastmath\nfunc run[T any](t *gocuda.Thread, x []T) {} // HERE", "fastmath twice", ""},
		{"unknown option", "//gocuda:kernel fastmth\nfunc run(t *gocuda.Thread) {} // HERE", "fastmth", "a misspelt option leaves the kernel on coroutines and the command succeeds"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := snippetOf(t, c.text)
			_, err := s.prog.generate(s.pkg)
			if err == nil {
				expected(t, c.defect, "no error")
				return
			}
			if !contains(err.Error(), c.says) {
				t.Errorf("%v: it should speak of %q", err, c.says)
			}
			want := "kernel.go:" + strconv.Itoa(s.marked(t)) + ":"
			if !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%v: it should begin with %s", err, want)
			}
		})
	}
}

// The directive is a line of its own, without a space behind the slashes.
func TestDirective(t *testing.T) {
	for _, c := range []struct {
		doc  string
		want int
	}{
		{"//gocuda:kernel", 1},
		{"//gocuda:kernel fastmath", 1},
		{"// run is a kernel.\n//\n//gocuda:kernel", 1},
		{"//gocuda:kernel\n// run is a kernel.", 1},
		{"// gocuda:kernel", 0},
		{"//gocuda:kernels", 0},
		{"// run is marked //gocuda:kernel elsewhere.", 0},
		{"//gocuda:kernel\n", 0}, // an empty line follows, so it does not belong to the func
		{"", 0},
	} {
		s := snippetOf(t, c.doc+"\nfunc run(t *gocuda.Thread) {}\n")
		if n := len(s.kernels()); n != c.want {
			t.Errorf("%q: %d kernels", c.doc, n)
		}
	}
	if k := translatedKernel(t, "//gocuda:kernel fastmath\nfunc run(t *gocuda.Thread) {}"); !k.Fastmath {
		t.Error("fastmath is not noted")
	}
}

// A directive without effect is an error with its position in the text.
func TestDirectivesWithoutEffect(t *testing.T) {
	const fn = "func run(t *gocuda.Thread) {}"
	for _, c := range []struct{ name, text, want string }{
		{"above a var", "//gocuda:kernel\nvar run = func(t *gocuda.Thread) {}", "1:1: //gocuda:kernel has no effect above a var"},
		{"above a var in a group", "var (\n\t// run is a kernel.\n\t//\n\t//gocuda:kernel\n\trun = func(t *gocuda.Thread) {}\n)", "4:2: //gocuda:kernel has no effect above a var"},
		{"above a type", "//gocuda:kernel\ntype run func(t *gocuda.Thread)", "1:1: //gocuda:kernel has no effect above a type"},
		{"above a const", "//gocuda:kernel fastmath\nconst run = 1", "1:1: //gocuda:kernel has no effect above a const"},
		{"above nothing", fn + "\n\n//gocuda:kernel", "3:1: //gocuda:kernel has no effect here; it belongs directly above a func"},
		{"with an empty line below", "// About run.\n//\n//gocuda:kernel\n\n" + fn, "3:1: //gocuda:kernel has no effect here; it belongs directly above a func"},
		{"behind a func", fn + " //gocuda:kernel", "1:31: //gocuda:kernel has no effect here"},
		{"inside a func", "func f() {\n\t//gocuda:kernel\n\trun := func(t *gocuda.Thread) {}\n\trun(nil)\n}", "2:2: //gocuda:kernel has no effect inside a func"},
		{"inside the head of a func", "func run( //gocuda:kernel\n\tt *gocuda.Thread) {\n}", "1:11: //gocuda:kernel has no effect inside a func"},
		{"inside a type", "type box struct {\n\t//gocuda:kernel\n\trun func(t *gocuda.Thread)\n}", "2:2: //gocuda:kernel has no effect inside a type"},
		{"a space", "// gocuda:kernel\n" + fn, "1:1: run: a directive has no space after the slashes; write //gocuda:kernel"},
		{"a space and options", "// run is a kernel.\n// gocuda:kernel fastmath types=int\n" + fn, "2:1: run: a directive has no space"},
		{"a space above a method", "type box int\n\n// gocuda:kernel\nfunc (box) run(t *gocuda.Thread) {}", "3:1: run: a directive has no space"},
		{"a space above a var", "// gocuda:kernel\nvar run = func(t *gocuda.Thread) {}", "1:1: //gocuda:kernel has no effect above a var"},
		{"a space in one of two", "//gocuda:kernel\n// gocuda:kernel fastmath\n" + fn, "2:1: run: a directive has no space"},
		{"two that are equal", "//gocuda:kernel\n//gocuda:kernel\n" + fn, "2:1: run: two directives"},
		{"two with different options", "//gocuda:kernel\n// run is a kernel.\n//gocuda:kernel fastmath\n" + fn, "3:1: run: two directives; write one, with all options"},
		{"several errors", "//gocuda:kernel\nvar a int\n\n//gocuda:kernel\ntype b int\n\n//gocuda:kernel\nfunc c() {}",
			"1:1: //gocuda:kernel has no effect above a var; it belongs directly above a func\n" +
				"4:1: //gocuda:kernel has no effect above a type; it belongs directly above a func\n" +
				"8:6: c: the first parameter"},

		{"words that are no options", "// gocuda:kernel is the directive of kernels, as\n// in //gocuda:kernel.\n" + fn, ""},
		{"a space, but not above a declaration", "// gocuda:kernel\n\n" + fn, ""},
		{"a space above a type", "// gocuda:kernel\ntype kernel int", ""},
		{"a space inside a func", "func f() {\n\t// gocuda:kernel\n}", ""},
		{"an example", "// Constants are for kernels:\n//\n//\t//gocuda:kernel\n//\tfunc run(t *gocuda.Thread) {}\nvar x int", ""},
		{"text", "const text = `\n//gocuda:kernel\n`\n\n/*\n//gocuda:kernel\n*/", ""},
		{"another directive", "//gocuda:kernels\nvar x int", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := snippetOf(t, c.text)
			data, err := os.ReadFile(filepath.Join(s.prog.dir, "kernel.go"))
			if err != nil {
				t.Fatal(err)
			}
			above := strings.Count(string(data[:bytes.LastIndex(data, []byte(c.text))]), "\n")
			_, err = s.prog.generate(s.pkg)
			var got []string
			if list, ok := err.(scanner.ErrorList); ok {
				for _, e := range list {
					got = append(got, fmt.Sprintf("%d:%d: %s", e.Pos.Line-above, e.Pos.Column, e.Msg))
				}
			} else if err != nil {
				got = append(got, err.Error())
			}
			if all := strings.Join(got, "\n"); c.want == "" && all != "" || !strings.HasPrefix(all, c.want) || strings.Count(all, "\n") != strings.Count(c.want, "\n") {
				t.Errorf("it says %s, and should say %q", all, c.want)
			}
		})
	}
}

// The length of a shared array must be provably uniform.
func TestSharedLength(t *testing.T) {
	for _, c := range []struct {
		length string
		ok     bool
		defect string
	}{
		{"64", true, ""}, {"n", true, ""}, {"2*t.BlockDim.X + n", true, ""}, {"len(x)", true, ""}, {"x[0]", true, ""},
		{"t.Rank() + 1", false, "a length that differs is printed where there is no thread"},
		{"x[t.Rank()]", false, "a length that differs is printed where there is no thread"},
	} {
		t.Run(c.length, func(t *testing.T) {
			s := snippetOf(t, inKernel("s := gocuda.Shared[int](t, "+c.length+"); s[0] = 1; t.SyncThreads(); x[t.Rank()] = s[0]"))
			k := s.kernels()[0]
			if c.ok != (k.Reason == "") {
				expected(t, c.defect, "the reason is %q", k.Reason)
			}
			if _, err := s.generated(); err != nil {
				expected(t, c.defect, "what is generated does not compile: %v", err)
			}
		})
	}
}

// Kernels that need threads to wait independently of each other, or to launch kernels, stay on
// coroutines, with that reason.
func TestReasonsOfGroupsAndChildren(t *testing.T) {
	for _, c := range []struct{ name, body, says string }{
		{"Arrive", "a := t.Arrive() // HERE\nx[0] = 1\nt.Wait(a)", "Arrive is not translated"},
		{"Wait", "t.Wait(gocuda.Arrival{}) // HERE", "Wait is not translated"},
		{"BarSync", "t.BarSync(1, 64) // HERE", "BarSync is not translated"},
		{"BarSync in a branch", "if t.WarpID() == 0 {\nt.BarSync(1, 32) // HERE\n}", "BarSync is not translated"},
		{"BarArrive", "t.BarArrive(1, 64) // HERE", "BarArrive is not translated"},
		{"BarRedCount", "x[0] = t.BarRedCount(1, 64, yes) // HERE", "BarRedCount is not translated"},
		{"BarRedAnd", "if t.BarRedAnd(1, 64, yes) { // HERE\nx[0] = 1\n}", "BarRedAnd is not translated"},
		{"BarRedOr", "if t.BarRedOr(1, 64, yes) { // HERE\nx[0] = 1\n}", "BarRedOr is not translated"},
		{"SyncGrid", "t.SyncGrid() // HERE", "SyncGrid is not translated"},
		{"SyncGrid in a loop", "for range n {\nt.SyncThreads()\nt.SyncGrid() // HERE\n}", "SyncGrid is not translated"},
		{"ArriveGrid", "a := t.ArriveGrid() // HERE\nt.WaitGrid(a)", "ArriveGrid is not translated"},
		{"Cooperative", "if t.Cooperative() { // HERE\nx[0] = 1\n}", "Cooperative is not translated"},
		{"Launch", "t.Launch(grid.Linear(1, 1), nil) // HERE", "Launch is not translated"},
		{"LaunchFunc", "t.LaunchFunc(grid.Linear(1, 1), func(t *gocuda.Thread) {}) // HERE", "LaunchFunc is not translated"},
		{"LaunchFunc with an error", "err := t.LaunchFunc(grid.Linear(1, 1), func(t *gocuda.Thread) {}) // HERE\nt.Assert(err == nil)", "LaunchFunc is not translated"},
		{"LaunchOn", "t.LaunchOn(gocuda.StreamTailLaunch(), grid.Linear(1, 1), nil) // HERE", "LaunchOn is not translated"},
		{"NewStream", "s := t.NewStream() // HERE\nt.LaunchOn(s, grid.Linear(1, 1), nil)", "NewStream is not translated"},
		{"Barrier", "b := &gocuda.Shared[gocuda.Barrier](t, 1)[0]\nb.ArriveAndWait(t) // HERE", "ArriveAndWait is not translated"},
		{"Barrier.Init", "b := gocuda.Shared[gocuda.Barrier](t, 1)\nb[0].Init(t, 3) // HERE", "Init is not translated"},
		{"thread block", "cg.ThisThreadBlock(t).Sync() // HERE", "cooperative groups are not translated"},
		{"grid group", "cg.ThisGrid(t).Sync() // HERE", "cooperative groups are not translated"},
		{"tile", "tile := cg.TiledPartition(cg.ThisThreadBlock(t), 4) // HERE\nx[t.Rank()] = cg.Reduce(tile, x[t.Rank()], cg.Plus[int])", "cooperative groups are not translated"},
		{"coalesced threads", "x[0] = cg.CoalescedThreads(t).Size() // HERE", "cooperative groups are not translated: cg.CoalescedThreads"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := snippetOf(t, inKernel(c.body))
			k := s.kernels()[0]
			pos := s.position(k.ReasonPos)
			if !contains(k.Reason, c.says) || pos.Line != s.marked(t) {
				t.Errorf("the reason is %q at %v, it should say %q of line %d", k.Reason, pos, c.says, s.marked(t))
			}
			if out, err := s.generated(); err != nil || !contains(out, "Uncompiled") {
				t.Errorf("the constructor: %v\n%s", err, out)
			}
		})
	}
}
