//go:build goexperiment.simd

package bench

const builtWithSIMD = true
