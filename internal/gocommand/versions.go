package gocommand

import (
	"fmt"
	"runtime/debug"
	"strings"

	"golang.org/x/tools/go/packages"
)

// runtimeOf returns the module of the runtime among all that is built, or nil.
func runtimeOf(roots []*packages.Package) (m *packages.Module) {
	packages.Visit(roots, nil, func(p *packages.Package) {
		if p.PkgPath == runtimeModule+"/gocuda" {
			m = p.Module
		}
	})
	return m
}

// otherVersion returns a warning if the runtime that a program is built with has another version
// than this program, whose generated code may be for another runtime, or "". A working copy of
// either has no version.
func otherVersion(info *debug.BuildInfo, runtime *packages.Module) string {
	if info == nil || runtime == nil || runtime.Version == "" || runtime.Replace != nil {
		return ""
	}
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path != runtimeModule || m.Replace != nil || !strings.HasPrefix(m.Version, "v") || strings.Contains(m.Version, "+dirty") || m.Version == runtime.Version {
			continue
		}
		return fmt.Sprintf("the command is of %s %s, and what it builds uses %s; install that version, or run it as a tool of the module: go get -tool %[1]s/cmd/gocuda, go tool gocuda",
			runtimeModule, m.Version, runtime.Version)
	}
	return ""
}
