package main

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestVersionOf(t *testing.T) {
	set := func(pairs ...string) (list []debug.BuildSetting) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return list
	}
	for want, info := range map[string]*debug.BuildInfo{
		"of no known version": nil,
		"(devel), revision abc of 2026-01-02T03:04:05Z, modified": {
			Main:     debug.Module{Path: modulePath, Version: "(devel)"},
			Settings: set("vcs.revision", "abc", "vcs.time", "2026-01-02T03:04:05Z", "vcs.modified", "true"),
		},
		"v1.2.3": {Main: debug.Module{Path: modulePath, Version: "v1.2.3"}, Settings: set("vcs.modified", "false")},
		"of no known version in ../gocuda": {
			Main:     debug.Module{Path: modulePath, Version: "v0.0.0-00010101000000-000000000000", Replace: &debug.Module{Path: "../gocuda"}},
			Settings: set("vcs.revision", "of the user"),
		},
		"v1.2.3 in ../gocuda": {Main: debug.Module{Path: "example.com/user"}, Deps: []*debug.Module{{Path: "x", Version: "v9"}, {Path: modulePath, Version: "v1.2.3", Replace: &debug.Module{Path: "../gocuda"}}}, Settings: set("vcs.revision", "of the user")},
	} {
		assert.Equal(t, want, versionOf(info).String())
	}
}

func TestVersion(t *testing.T) {
	status, stdout, stderr := command("version")
	assert.Zero(t, status, stderr)
	assert.Contains(t, stdout, runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH)
	assert.Regexp(t, "(?m)^gocuda   .+$", stdout)
	assert.Regexp(t, "(?m)^vectors  (AVX-512|AVX2|none: compiled kernels are plain Go)$", stdout)
	_, other, _ := command("--version")
	assert.Equal(t, stdout, other)
}
