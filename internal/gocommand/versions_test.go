package gocommand

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
	"golang.org/x/tools/go/packages"
)

func TestOtherVersion(t *testing.T) {
	own := func(version string) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Path: runtimeModule, Version: version}}
	}
	used := func(version string) *packages.Module { return &packages.Module{Path: runtimeModule, Version: version} }
	assert.Contains(t, otherVersion(own("v1.2.0"), used("v1.1.0")), "v1.2.0, and what it builds uses v1.1.0")
	assert.Contains(t, otherVersion(&debug.BuildInfo{Deps: []*debug.Module{{Path: runtimeModule, Version: "v1.3.0"}}}, used("v1.1.0")), "v1.3.0")
	for _, same := range []string{
		otherVersion(own("v1.2.0"), used("v1.2.0")), otherVersion(own("(devel)"), used("v1.2.0")), otherVersion(own("v1.2.0"), used("")),
		otherVersion(own("v1.2.0"), &packages.Module{Version: "v1.1.0", Replace: &packages.Module{Path: "."}}), otherVersion(nil, used("v1.2.0")), otherVersion(own("v1.2.0"), nil),
	} {
		assert.Empty(t, same)
	}
}
