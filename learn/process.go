package learn

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// runLimited runs a program in a process group of its own, which is killed as a whole after the limit or at ctx's
// end. It returns the output, up to outputMax bytes.
func runLimited(ctx context.Context, limit time.Duration, dir string, env []string, name string, args ...string) (string, error) {
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(timed, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out := &limitedBuffer{}
	cmd.Stdout, cmd.Stderr = out, out
	ownGroup(cmd)
	cmd.WaitDelay = 2 * time.Second // a grandchild may hold the pipe
	err := cmd.Run()
	if timed.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("it was stopped after %v", limit)
	}
	return out.b.String(), err
}

// limitedBuffer keeps the first outputMax bytes.
type limitedBuffer struct{ b bytes.Buffer }

func (l *limitedBuffer) Write(p []byte) (int, error) {
	if room := outputMax - l.b.Len(); room > 0 {
		l.b.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
