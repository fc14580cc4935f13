//go:build race

package cg_test

const raceMode = true
