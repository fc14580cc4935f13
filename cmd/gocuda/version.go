package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/cli"
)

// modulePath is this module.
const modulePath = "github.com/gocuda/gocuda"

// A version is what is known of how this program was built.
type version struct {
	Module   string // version of the module, or (devel)
	Revision string // of the version control system, or ""
	Time     string // of that revision
	Modified bool   // since that revision
	Replaced string // the folder or module that stands for this one, or ""
}

// versionOf reads it from the description of a program, which may be that of another module that this one is a dependency of.
func versionOf(info *debug.BuildInfo) version {
	v := version{Module: "of no known version"}
	if info == nil {
		return v
	}
	if info.Main.Path != modulePath {
		for _, m := range info.Deps {
			if m.Path == modulePath {
				v.Module = m.Version
				if m.Replace != nil {
					v.Replaced = strings.TrimSpace(m.Replace.Path + " " + m.Replace.Version)
				}
			}
		}
		return v
	}
	if info.Main.Version != "" {
		v.Module = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// thisVersion is that of this program.
func thisVersion() version {
	info, _ := debug.ReadBuildInfo()
	return versionOf(info)
}

// String returns it in a line.
func (v version) String() string {
	s := v.Module
	if v.Replaced != "" {
		s += " in " + v.Replaced
	}
	if v.Revision != "" {
		s += ", revision " + v.Revision
		if v.Time != "" {
			s += " of " + v.Time
		}
		if v.Modified {
			s += ", modified"
		}
	}
	return s
}

// vectorsUsed names the vectors that compiled kernels use on this machine.
func vectorsUsed() string {
	switch gocuda.VectorBytes() {
	case 64:
		return "AVX-512"
	case 32:
		return "AVX2"
	}
	return "none: compiled kernels are plain Go"
}

// versionCommand prints what this program is, and what it uses of the machine.
func versionCommand(args []string, stdout, stderr io.Writer) int {
	if status, ok := cli.ParseAlone(noFlags("version"), args, stdout, stderr); !ok {
		return status
	}
	h := gocuda.Default().Properties().Host
	fmt.Fprintf(stdout, "gocuda   %s\n", thisVersion())
	fmt.Fprintf(stdout, "go       %s %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(stdout, "vectors  %s\n", vectorsUsed())
	fmt.Fprintf(stdout, "machine  %s: %s\n", h.Name, strings.Join(h.Features, " "))
	return 0
}
