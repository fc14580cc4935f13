package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The generated files of package vec are those that the generator writes.
func TestFilesAreUpToDate(t *testing.T) {
	for name, make := range files {
		want := make().source(name)
		got, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is out of date; run go generate ./vec", name)
		}
	}
}
