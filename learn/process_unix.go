//go:build unix

package learn

import (
	"os/exec"
	"syscall"
)

// groups says that there are process groups, and limits of them.
const groups = true

// ownGroup gives the program a process group, and lets its end be the end of all in it.
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
