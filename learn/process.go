package learn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

var (
	errTime  = errors.New("it was stopped") // why a process has ended
	errLimit = errors.New("a limit could not be set")
)

// runLimited runs a program in a process group of its own, which is killed as a whole at the
// program's end, after the time of limits, or at ctx's end. It returns the output, up to outputMax
// bytes.
func runLimited(ctx context.Context, limits confinement, dir string, env []string, name string, args ...string) (string, error) {
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	timer := time.AfterFunc(limits.time, func() { stop(fmt.Errorf("%w after %v", errTime, limits.time)) })
	defer timer.Stop()
	limits.folder = dir
	if _, err := os.Stat(dir); err != nil {
		return "", errors.New("the folder that it runs in is gone: has it been deleted?")
	}
	name, args = limits.wrap(name, args)
	cmd := exec.CommandContext(running, name, args...)
	cmd.Dir = dir
	cmd.Env = limits.env(env)
	cmd.Stdin = strings.NewReader(limits.stdin)
	out := &limitedBuffer{}
	cmd.Stdout, cmd.Stderr = out, out
	ownGroup(cmd)
	cmd.WaitDelay = 2 * time.Second // one that has left the group may hold the pipe
	var watching sync.WaitGroup
	if limits.disk > 0 {
		watching.Go(func() { limits.watchDisk(running.Done(), stop) })
	}
	err := cmd.Run()
	killGroup(cmd)
	if running.Err() != nil && ctx.Err() == nil {
		err = context.Cause(running)
	}
	stop(nil)
	watching.Wait()
	text := out.b.String()
	if err != nil && strings.HasPrefix(text, noLimit) {
		err = fmt.Errorf("%w: %s", errLimit, strings.TrimSpace(strings.TrimPrefix(text, noLimit)))
	}
	return text, err
}

// limitedBuffer keeps the first outputMax bytes.
type limitedBuffer struct{ b bytes.Buffer }

func (l *limitedBuffer) Write(p []byte) (int, error) {
	if room := outputMax - l.b.Len(); room > 0 {
		l.b.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
