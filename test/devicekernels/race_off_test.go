//go:build compiled && !race

package devicekernels

const raceEnabled = false
