//go:build race

package randkernel

const raceEnabled = true
