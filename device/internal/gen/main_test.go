package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The generated file of package device is the one that the generator writes.
func TestVectorsAreUpToDate(t *testing.T) {
	got, err := os.ReadFile(filepath.Join("..", "..", "vectors_gen.go"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, vectors()) {
		t.Error("vectors_gen.go is out of date; run go generate ./device")
	}
}
