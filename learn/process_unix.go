//go:build unix

package learn

import (
	"os/exec"
	"syscall"
)

// ownGroup gives the program a process group, and lets its end be the end of all in it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
