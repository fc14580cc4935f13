package main

import (
	"os"
	"syscall"
)

var ends = []os.Signal{os.Interrupt, syscall.SIGTERM}
