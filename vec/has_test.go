//go:build goexperiment.simd && amd64

package vec

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/internal/host"
)

// What decides between the forms of kernels agrees with what the device's properties say, also when
// GODEBUG turns features off.
func TestHasAgreesWithTheHost(t *testing.T) {
	has := func(features ...string) bool {
		return !slices.ContainsFunc(features, func(f string) bool { return !slices.Contains(host.Get().Features, f) })
	}
	assert.Equal(t, has("AVX2", "FMA3"), HasAVX2())
	assert.Equal(t, has("AVX2", "FMA3", "AVX512F", "AVX512BW", "AVX512CD", "AVX512DQ", "AVX512VL"), HasAVX512())
}
