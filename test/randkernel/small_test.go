package randkernel

import (
	"bytes"
	"testing"
)

// TestSmallIntegersAgree runs random kernels over integers of 8 and 16 bits and over bools. For more of them:
//
//	go test ./test/randkernel -run SmallIntegers -seeds 100 -first 1000
func TestSmallIntegersAgree(t *testing.T) {
	if raceEnabled {
		t.Skip("under the race detector a compiled kernel runs its source")
	}
	n := *seeds
	if testing.Short() {
		n = 1
	}
	for i := 0; i < n && !t.Failed(); i++ {
		seed := *first + uint64(i)
		ks := randomSmall(seed, perSmallProgram)
		if r := runProgram(t, ks, nil); r.what != "" {
			report(t, seed, ks, r)
		}
	}
}

// perSmallProgram is the number of kernels of a program, which run twice: the second time with AVX2 alone.
const perSmallProgram = 40

// TestSmallKernelsAreWellDefined runs them without the compiler, also under the race detector.
func TestSmallKernelsAreWellDefined(t *testing.T) {
	if testing.Short() {
		t.Skip("in short mode")
	}
	t.Setenv("CHECKED", "1")
	if r := runProgram(t, randomSmall(1000, 40), standIn); r.what != "" {
		t.Errorf("%s\n%s", r.what, r.output)
	}
}

// TestSmallDisagreementsAreFound runs kernels beside forms of them that are wrong.
func TestSmallDisagreementsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("in short mode")
	}
	ks := randomSmall(5, 40)
	r := runProgram(t, ks, func(ks []*kernel) []byte {
		return bytes.ReplaceAll(standIn(ks), []byte("c0, c1, e0"), []byte("c1, c0, e0"))
	})
	if r.what != "disagree" || len(r.bad) < 3 {
		t.Errorf("%q, and %d of %d kernels disagree:\n%s", r.what, len(r.bad), len(ks), r.output)
	}
}
