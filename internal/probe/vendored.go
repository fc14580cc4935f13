package probe

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"
)

// Vendored packages. Rewritten files import packages that a vendor folder lacks, since nothing else
// imports them, and the go command takes no others from there. So the build is made without
// -mod=vendor, from a copy of go.mod in which the modules whose packages are to be rewritten are
// replaced by their vendored sources.

// unvendor returns the flags that build a module with a vendor folder in this way, and the files
// that the overlay adds; neither if nothing is vendored. Its own files go to dir.
func unvendor(roots []*packages.Package, dir string) (flags []string, added map[string]string, err error) {
	root, modules := vendored(roots)
	if len(modules) == 0 {
		return nil, nil, nil
	}
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, nil, err
	}
	mod, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		return nil, nil, err
	}
	added = map[string]string{}
	for path, version := range modules {
		if path == module {
			continue
		}
		for _, r := range mod.Replace {
			if r.Old.Path == path {
				if err := mod.DropReplace(r.Old.Path, r.Old.Version); err != nil {
					return nil, nil, err
				}
			}
		}
		from := filepath.Join(root, "vendor", filepath.FromSlash(path))
		if err := mod.AddReplace(path, "", from, ""); err != nil {
			return nil, nil, err
		}
		own := filepath.Join(dir, fmt.Sprintf("vendored%d.mod", len(added)))
		text := "module " + path + "\n"
		if version != "" {
			text += "\ngo " + version + "\n"
		}
		if err := os.WriteFile(own, []byte(text), 0o600); err != nil {
			return nil, nil, err
		}
		added[filepath.Join(from, "go.mod")] = own
	}
	mod.Cleanup()
	if data, err = mod.Format(); err != nil {
		return nil, nil, err
	}
	file := filepath.Join(dir, "unvendored.mod")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return nil, nil, err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err == nil {
		err = os.WriteFile(strings.TrimSuffix(file, ".mod")+".sum", sum, 0o600)
	}
	if err != nil && !os.IsNotExist(err) {
		return nil, nil, err
	}
	return []string{"-mod=mod", "-modfile=" + file}, added, nil
}

// vendored returns the folder of the main module and, if the go command takes packages from its
// vendor folder, the modules of those that use the runtime, with their versions of Go.
func vendored(roots []*packages.Package) (root string, modules map[string]string) {
	for _, p := range roots {
		if p.Module != nil && p.Module.Main {
			root = p.Module.Dir
		}
	}
	if root == "" {
		return "", nil
	}
	folder := filepath.Join(root, "vendor") + string(filepath.Separator)
	modules = map[string]string{}
	packages.Visit(roots, nil, func(p *packages.Package) {
		if p.Module == nil || p.Module.Main || len(p.GoFiles) == 0 || !strings.HasPrefix(p.GoFiles[0], folder) {
			return
		}
		if p.Imports[runtimePath] != nil || p.Module.Path == module {
			modules[p.Module.Path] = p.Module.GoVersion
		}
	})
	return root, modules
}
