//go:build unix

package learn

import (
	"os/exec"
	"syscall"
)

// groups says that the system has process groups, and limits on the resources of processes.
const groups = true

// ownGroup gives the program a process group of its own. To cancel the command kills the whole
// group.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// killGroup ends what a program that has ended has left running in its group.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // mostly there is no such group any more
	}
}
