// Package sanitize finds mistakes in kernels: races in shared and global memory, reads of memory
// that was never written, barriers that only some threads reach, and accesses to memory that was
// freed.
//
// It works in programs that `gocuda sanitize` has built, since it needs to see every access: see
// docs/sanitizer.md.
package sanitize

// T is what Run needs of a *testing.T.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Run calls f and fails the test if the sanitizer finds an error in a launch of it. Without the
// overlay nothing would be found, so the test fails then too, and says so.
func Run(t T, f func()) {
	t.Helper()
	if active == nil {
		t.Fatalf("sanitize: this program was not built by gocuda sanitize, so nothing can be found")
		return
	}
	active.mu.Lock()
	before := active.total
	active.mu.Unlock()
	f()
	active.mu.Lock()
	defer active.mu.Unlock()
	if n := active.total - before; n > 0 {
		t.Errorf("sanitize: %d errors in the kernels; gocuda sanitize prints them at the end", n)
	}
}

// Active reports whether the program was built by `gocuda sanitize`.
func Active() bool { return active != nil }
