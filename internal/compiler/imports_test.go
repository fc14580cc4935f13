package compiler

import "testing"

// The examples of `go help packages`, section "Internal Directories".
func TestMayImport(t *testing.T) {
	for _, c := range []struct {
		from, path string
		want       bool
	}{
		{"m/crash/bang", "m/crash/bang/internal/b", true},
		{"m/crash", "m/crash/bang/internal/b", false},
		{"m/crash/bang/x/y", "m/crash/bang/internal", true},
		{"m/crash/bangs", "m/crash/bang/internal/b", false},
		{"m/crash", "m/internals/b", true},
		{"m/a", "m/internal/x/internal/y", false},
		{"m/internal/x/z", "m/internal/x/internal/y", true},
		{"m", "internal/abi", false},
	} {
		if got := mayImport(c.from, c.path); got != c.want {
			t.Errorf("%s imports %s: %v", c.from, c.path, got)
		}
	}
}
