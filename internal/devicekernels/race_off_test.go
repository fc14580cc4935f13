//go:build !race

package devicekernels

const raceEnabled = false
