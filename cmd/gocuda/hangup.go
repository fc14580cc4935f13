//go:build !js

package main

import (
	"os"
	"syscall"
)

// ends are the signals that end a command that waits: a terminal that is closed sends SIGHUP.
var ends = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
