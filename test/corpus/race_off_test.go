//go:build compiled && !race

package corpus

const raceEnabled = false
