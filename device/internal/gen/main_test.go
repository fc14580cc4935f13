package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The generated files of package device are those that the generator writes.
func TestVectorsAreUpToDate(t *testing.T) { upToDate(t, "vectors_gen.go", vectors()) }
func TestSFUIsUpToDate(t *testing.T)      { upToDate(t, "sfu_tables.go", sfu()) }

func upToDate(t *testing.T, name string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join("..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is out of date; run go generate ./device", name)
	}
}
