// Package overlay reads and writes overlays of the go command: files that stand in the place of
// others while something is built, see the flag -overlay in `go help build`.
package overlay

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Files are the files of an overlay by the absolute names of those that they replace. The empty
// name stands for no file.
type Files map[string]string

// Read reads an overlay as the go command does that runs in the folder dir.
func Read(dir, file string) (Files, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	absolute := func(name string) string {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		return filepath.Clean(name)
	}
	data, err := os.ReadFile(absolute(file))
	if err != nil {
		return nil, fmt.Errorf("the overlay: %w", err)
	}
	var list struct{ Replace map[string]string }
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("the overlay %s: %w", file, err)
	}
	files := Files{}
	for name, by := range list.Replace {
		if by != "" {
			by = absolute(by)
		}
		files[absolute(name)] = by
	}
	return files, nil
}

// JSON returns the text of the file that the go command reads.
func (f Files) JSON() ([]byte, error) { return json.Marshal(map[string]Files{"Replace": f}) }

// Texts returns the contents of the files as package packages wants them, which knows of no deleted
// files: in their place is a file that is built nowhere.
func (f Files) Texts() (map[string][]byte, error) {
	if len(f) == 0 {
		return nil, nil
	}
	texts := map[string][]byte{}
	for name, by := range f {
		if by == "" {
			texts[name] = []byte("//go:build ignore\n\npackage ignore\n")
			continue
		}
		data, err := os.ReadFile(by)
		if err != nil {
			return nil, fmt.Errorf("the overlay: %w", err)
		}
		texts[name] = data
	}
	return texts, nil
}

// ReadFile reads a file of the tree, or what is in its place.
func (f Files) ReadFile(name string) ([]byte, error) {
	by, ok := f[name]
	switch {
	case !ok:
		return os.ReadFile(name)
	case by == "":
		return nil, fmt.Errorf("%s: %w", name, os.ErrNotExist)
	}
	return os.ReadFile(by)
}
