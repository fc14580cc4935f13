//go:build race

package gocuda_test

// raceMode says whether the race detector watches: it allocates, and makes threads goroutines.
const raceMode = true
