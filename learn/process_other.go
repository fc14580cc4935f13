//go:build !unix

package learn

import "os/exec"

// groups says that there are no process groups.
const groups = false

// ownGroup does nothing: the program itself is killed all the same.
func ownGroup(*exec.Cmd) {}

// killGroup does nothing.
func killGroup(*exec.Cmd) {}
