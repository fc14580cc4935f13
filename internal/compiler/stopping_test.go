package compiler

import (
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// Funcs of package vec that kernels call and that have a prologue, as the Go compiler lists them, are known to mayStop. Those that are
// instantiated in other packages are not in the list.
func TestStopping(t *testing.T) {
	if runtime.GOARCH != "amd64" || raceEnabled || testing.Short() {
		t.Skip("it builds package vec")
	}
	cmd := exec.Command("go", "build", "-gcflags=-S", vecPath)
	cmd.Env = append(os.Environ(), "GOEXPERIMENT=simd")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	list := regexp.MustCompile(`(?m)^`+vecPath+`\.([A-Z]\w*) STEXT (.*)$`).FindAllStringSubmatch(string(out), -1)
	if len(list) < 500 {
		t.Fatalf("there are %d funcs in the list", len(list))
	}
	for _, m := range list {
		if !strings.Contains(m[2], "nosplit") && !mayStop("x := vec."+m[1]+"(y)") {
			t.Errorf("%s: %s", m[1], m[2])
		}
	}
	for _, text := range []string{"x := p.Outside(1)", "panic(1)", "v := vec.ScatterF32x16(x, i, y, m)", "helper(x)"} {
		if !mayStop(text) {
			t.Errorf("%s may not stop", text)
		}
	}
	for _, text := range []string{"x := vec.AddF32x8(y, z)", "at := vec.Place[[8]float32](x, 1)", "a.Mul(b).MulAdd(c, vec.DivF32x8(d, e))", "i := int(k)", "if (a) {"} {
		if mayStop(text) {
			t.Errorf("%s may stop", text)
		}
	}
}
