package host

import (
	"runtime"
	"slices"
	"sync"
)

// VectorBytes returns how wide the vectors are that compiled kernels use on this machine: 64 with
// AVX-512 (F, BW, DQ and VL), 32 with AVX2 and FMA, 16 with NEON, which all of arm64 have, and 0
// where there are none. It obeys GODEBUG, as in cpu.avx512f=off or, on arm64, cpu.asimd=off.
func VectorBytes() int { return vectorBytes() }

var vectorBytes = sync.OnceValue(func() int {
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(Get().Features, n) })
	}
	switch {
	case runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64": // 386 may have the instructions, and kernels are plain Go all the same
		return 0
	case has("ASIMD"):
		return 16
	case !has("AVX2", "FMA3"):
		return 0
	case has("AVX512F", "AVX512BW", "AVX512DQ", "AVX512VL"):
		return 64
	}
	return 32
})
