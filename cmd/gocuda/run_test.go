package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file goes in, a file comes out.
func TestRunFiles(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.csv"), filepath.Join(dir, "out.csv")
	if err := os.WriteFile(in, []byte("1,2,3\n4,5,6\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := command("run", "transpose", "-in", in, "-o", out, "-verify")
	if status != 0 || !strings.Contains(stdout, "2 by 3") {
		t.Fatalf("status %d, %q %q", status, stdout, stderr)
	}
	if got, err := os.ReadFile(out); err != nil || string(got) != "1,4\n2,5\n3,6\n" {
		t.Errorf("%q, %v", got, err)
	}
	if err := os.WriteFile(in, []byte("1,2,3\n4,five,6\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := command("run", "transpose", "-in", in); status != 1 || !strings.Contains(stderr, "in.csv:2:3: ") {
		t.Errorf("a bad number: status %d, %q", status, stderr)
	}
}
