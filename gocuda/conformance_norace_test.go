//go:build !race

package gocuda_test

const underRace = false
