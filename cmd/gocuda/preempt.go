package main

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// withoutPreemption runs this program again with GODEBUG=asyncpreemptoff=1, and returns its exit
// status, if that matters and is not so already.
//
// In a program built with GOEXPERIMENT=simd, Go 1.26 saves and restores whole vector registers when
// it preempts a goroutine in the middle of a loop. After that the processor takes their upper parts
// to be in use, and SSE instructions, of which Go's scalar code is made, wait for them: a pair of
// n-body takes 16 ns in place of 3.2. That would flatter the vectors, to which it does not happen.
func withoutPreemption() (status int, done bool) {
	debug := os.Getenv("GODEBUG")
	if !strings.Contains(runtime.Version(), "X:simd") || strings.Contains(debug, "asyncpreemptoff") {
		return 0, false
	}
	self, err := os.Executable()
	if err != nil {
		return 0, false
	}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GODEBUG=") })
	env = append(env, "GODEBUG="+strings.TrimPrefix(debug+",asyncpreemptoff=1", ","))
	syscall.Exec(self, os.Args, env) // takes the place of this process, except on Windows, where it fails
	cmd := exec.Command(self, os.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = env
	if err := cmd.Start(); err != nil {
		return 0, false
	}
	// Ctrl-C reaches both; the other one reports it.
	_, stop := interruptible()
	defer stop()
	if err := cmd.Wait(); err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() >= 0 {
			return exit.ExitCode(), true
		}
		return 1, true
	}
	return 0, true
}
