package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/cli"
	"github.com/gocuda/gocuda/internal/host"
)

// modulePath is this module.
const modulePath = "github.com/gocuda/gocuda"

// unknownVersion is what the go command writes for a module that is replaced by a folder and
// required by no version.
const unknownVersion = "v0.0.0-00010101000000-000000000000"

// A version is what is known of how this program was built.
type version struct {
	Module   string // version of the module, or (devel)
	Revision string // of the version control system, or ""
	Time     string // of that revision
	Modified bool   // since that revision
	Replaced string // the folder or module that stands for this one, or ""
}

// versionOf returns the version of this module in the build information of a program. The program
// may be of another module that depends on this one.
func versionOf(info *debug.BuildInfo) version {
	v := version{Module: "of no known version"}
	if info == nil {
		return v
	}
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path != modulePath {
			continue
		}
		if m.Version != "" && m.Version != unknownVersion {
			v.Module = m.Version
		}
		if m.Replace != nil {
			v.Replaced = strings.TrimSpace(m.Replace.Path + " " + m.Replace.Version)
		}
	}
	if info.Main.Path != modulePath || info.Main.Replace != nil {
		return v // the revision is of another module
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

// thisVersion returns the version of this program.
func thisVersion() version {
	info, _ := debug.ReadBuildInfo()
	return versionOf(info)
}

// String returns the version in a line.
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
	switch host.VectorBytes() {
	case 64:
		return "AVX-512"
	case 32:
		return "AVX2"
	case 16:
		return "NEON"
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
