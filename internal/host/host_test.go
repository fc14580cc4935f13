package host

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func contains(list []string, s string) bool { return slices.Contains(list, s) }

func TestPlausible(t *testing.T) {
	i := Get()
	assert.NotEmpty(t, i.Name)
	assert.Positive(t, i.Threads)
	assert.Positive(t, i.Cores)
	assert.GreaterOrEqual(t, i.CacheLine, 16)
	assert.Zero(t, i.CacheLine&(i.CacheLine-1), "lines of %d bytes", i.CacheLine)
	for what, size := range map[string]int64{"L1D": int64(i.L1D), "L2": int64(i.L2), "L3": int64(i.L3), "memory": i.Memory} {
		assert.GreaterOrEqual(t, size, int64(0), what)
	}
}

// GODEBUG takes features away and leaves all others. Without AVX512F there is no AVX-512 at all.
func TestGODEBUG(t *testing.T) {
	all := describe("").Features
	require.NotEmpty(t, all)
	for debug, gone := range map[string]func(feature string) bool{
		"cpu.avx512f=off":                func(f string) bool { return strings.HasPrefix(f, "AVX512") },
		"madvdontneed=1,cpu.avx512f=off": func(f string) bool { return strings.HasPrefix(f, "AVX512") },
		"cpu.avx512bw=off":               func(f string) bool { return f == "AVX512BW" },
		"cpu.avx2=off,cpu.fma=off":       func(f string) bool { return f == "AVX2" || f == "FMA3" },
		"cpu.avx2=on,avx2=off,cpu.avx2":  func(string) bool { return false },
	} {
		want := slices.DeleteFunc(slices.Clone(all), gone)
		assert.Equal(t, want, describe(debug).Features, debug)
	}
}

func TestTurnedOff(t *testing.T) {
	off := turnedOff("cpu.all=off,cpu.avx2=on")
	assert.True(t, off("avx"))
	assert.False(t, off("avx2"))
	assert.False(t, off(""), "a feature that GODEBUG has no name for")
	assert.False(t, turnedOff("")("avx"))
	assert.True(t, turnedOff("cpu.avx=on,cpu.avx=off")("avx"), "the last one counts")
	assert.True(t, turnedOff("cpu.avx2=on,cpu.all=off")("avx2"), "all is every one, also those before it")
	assert.True(t, turnedOff("cpu.avx2=off,cpu.avx2=perhaps,cpu.avx2")("avx2"), "what is neither on nor off counts for nothing")
}
