package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/gocuda/gocuda/learn"
)

// A session is gocuda learn at a pseudo-terminal.
type session struct {
	*testing.T
	terminal *os.File // the side of the one who types
	cmd      *exec.Cmd
	temp     string // for temporary files
	course   string
	ended    chan error
	read     chan struct{} // closed when all that was written has been read

	mu   sync.Mutex
	text []byte
}

// openTerminal opens a pseudo-terminal: pty(7).
func openTerminal(t *testing.T) (here, there *os.File) {
	here, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals: ", err)
	}
	t.Cleanup(func() { here.Close() })
	require.NoError(t, unix.IoctlSetPointerInt(int(here.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(here.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	there, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	return here, there
}

// startSession starts gocuda learn in an empty folder, or in that of a course whose exercise 1 has a
// text.
func startSession(t *testing.T, text string) *session {
	if testing.Short() {
		t.Skip("builds programs")
	}
	t.Parallel()
	here, there := openTerminal(t)
	s := &session{T: t, terminal: here, temp: t.TempDir(), course: filepath.Join(t.TempDir(), "course"), ended: make(chan error, 1), read: make(chan struct{})}
	s.resize(100, 40)
	program, err := os.Executable()
	require.NoError(t, err)
	source, err := filepath.Abs("../..")
	require.NoError(t, err)
	if text != "" {
		_, err := learn.Create(s.course, source)
		require.NoError(t, err)
		s.save(text)
	}
	s.cmd = exec.Command(program, "learn", "-local", source, s.course)
	s.cmd.Env = append(os.Environ(), asCommand+"="+s.temp, "TMPDIR="+s.temp, "TERM=xterm")
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = there, there, there
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(t, s.cmd.Start())
	there.Close()
	go s.readAll()
	go func() { s.ended <- s.cmd.Wait() }()
	t.Cleanup(func() { s.cmd.Process.Kill() })
	return s
}

func (s *session) readAll() {
	defer close(s.read)
	buf := make([]byte, 4096)
	for {
		n, err := s.terminal.Read(buf)
		s.mu.Lock()
		s.text = append(s.text, buf[:n]...)
		s.mu.Unlock()
		if err != nil {
			return // the other side is closed
		}
	}
}

func (s *session) resize(cols, rows int) {
	s.Helper()
	require.NoError(s, unix.IoctlSetWinsize(int(s.terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: uint16(cols), Row: uint16(rows)}))
}

func (s *session) press(keys string) {
	s.Helper()
	_, err := s.terminal.WriteString(keys)
	require.NoError(s, err)
}

// all is what was written to the terminal, and screen what is on it.
func (s *session) all() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.text)
}

func (s *session) screen() string {
	text := s.all()
	return text[strings.LastIndex(text, "\x1b[2J")+1:]
}

func (s *session) String() string { return s.screen() }

// shows waits until the screen has text.
func (s *session) shows(text string) {
	s.Helper()
	require.Eventually(s, func() bool { return strings.Contains(s.screen(), text) }, 2*time.Minute, 10*time.Millisecond,
		"the screen should show %q, and has:\n%s", text, s)
}

func (s *session) file(name string) string { return filepath.Join(s.course, name) }

// save writes the file of exercise 1.
func (s *session) save(text string) {
	s.Helper()
	require.NoError(s, os.WriteFile(s.file("01_map/kernel.go"), []byte(text), 0o666))
}

// ends waits for the command's end, and looks for what it may have left.
func (s *session) ends() (status int) {
	s.Helper()
	select {
	case err := <-s.ended:
		if exit := (&exec.ExitError{}); !errors.As(err, &exit) {
			require.NoError(s, err)
		}
	case <-time.After(20 * time.Second):
		require.Fail(s, "the command does not end", "%s", s)
	}
	<-s.read
	assert.Empty(s, s.processes(), "programs are left running")
	left, err := os.ReadDir(s.temp)
	require.NoError(s, err)
	assert.Empty(s, left, "temporary files are left")
	return s.cmd.ProcessState.ExitCode()
}

// processes are those with the session's environment.
func (s *session) processes() (lines []string) {
	all, err := filepath.Glob("/proc/[0-9]*/environ")
	require.NoError(s, err)
	for _, name := range all {
		text, err := os.ReadFile(name)
		if err == nil && bytes.Contains(text, []byte(asCommand+"="+s.temp)) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
			if len(line) > 0 { // not one that has ended and not been waited for
				lines = append(lines, strings.ReplaceAll(string(line), "\x00", " "))
			}
		}
	}
	return lines
}

const addTen = "package ex01\n\nimport \"github.com/gocuda/gocuda/gocuda\"\n\nfunc AddTen(t *gocuda.Thread, out, in []int32) {\n\t%s\n}\n"

func TestLearnAtATerminal(t *testing.T) {
	s := startSession(t, "")
	s.shows("example  FAILED: size 8")
	s.press("h")
	s.shows("hint 1 of 2")
	s.press("n")
	s.shows("isn't solved yet")

	s.resize(60, 20)
	s.press("l")
	s.shows("> [ ]  1")
	assert.NotContains(t, s.screen(), "[ ] 40", "more lines than the terminal has")
	s.resize(100, 60)
	s.shows("[ ] 40")
	s.press("\x1b[B\x1b[A\x1b") // down, up, and Escape
	s.shows("1. Map")

	for _, test := range []struct{ what, text, shows string }{
		{"a panic", fmt.Sprintf(addTen, `panic("\x1b[2Jno")`), "\ufffd[2Jno; block (0,0,0) thread (0,0,0); at kernel.go:6"},
		{"a compile error", fmt.Sprintf(addTen, `out[0] = "x"`), "build    FAILED"},
		{"half a line", fmt.Sprintf(addTen, `out[`), "not Go yet"},
		{"bytes", "\x7fELF\x00\xff\xfe\x1b[2J", "not a text"},
		{"bytes without a zero", "\x7fELF\xff\xfe\x1b[2J", "not Go yet"},
		{"nothing", "", "not Go yet"},
		{"an endless loop", fmt.Sprintf(addTen, "for {\n\t}"), "timed out"},
		{"a solution", fmt.Sprintf(addTen, "out[t.ThreadIdx.X] = in[t.ThreadIdx.X] + 10"), "Solved. Press n"},
	} {
		s.save(test.text)
		s.shows(test.shows)
	}
	require.NoError(t, os.Remove(s.file("01_map/kernel.go")))
	s.shows("kernel.go is missing")
	s.press("ry")
	s.shows("example  FAILED: size 8")
	s.save(fmt.Sprintf(addTen, "out[t.ThreadIdx.X] = in[t.ThreadIdx.X] + 10"))
	s.shows("1 of 40 solved")
	s.press("p")
	s.shows("The picture of the accesses is in")
	assert.FileExists(t, s.file("01_map/accesses.svg"))
	s.press("c")
	s.shows("All that you have begun are right")
	s.press("n")
	s.shows("2. Zip")
	s.press("q")
	assert.Zero(t, s.ends())
	assert.True(t, strings.HasSuffix(s.all(), "\x1b[?25h\x1b[?1049l"), "the terminal gets its screen and its cursor back")
}

// However it ends, in the middle of a build or of a program that does not end, nothing stays.
func TestLearnIsInterrupted(t *testing.T) {
	loop := fmt.Sprintf(addTen, "for {\n\t}")
	for _, test := range []struct {
		name   string
		end    func(*session)
		status int
	}{
		{"by Ctrl-C", func(s *session) { s.press("\x03") }, statusInterrupted},
		{"by q", func(s *session) { s.press("q") }, 0},
		{"by SIGINT", func(s *session) { s.cmd.Process.Signal(syscall.SIGINT) }, statusInterrupted},
		{"by SIGTERM", func(s *session) { s.cmd.Process.Signal(syscall.SIGTERM) }, statusInterrupted},
		{"by the terminal's end", func(s *session) { s.terminal.Close() }, statusInterrupted},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := startSession(t, loop)
			s.shows("Judging")
			require.Eventually(t, func() bool { return strings.Contains(strings.Join(s.processes(), "\n"), "exercise.test") }, time.Minute, 10*time.Millisecond, "no program runs")
			test.end(s)
			assert.Equal(t, test.status, s.ends())
		})
	}
}

// Without a terminal, as in a container, lines are printed, and keys are read from lines.
func TestLearnWithoutATerminal(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	t.Parallel()
	program, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(program, "learn", "-local", "../..", t.TempDir())
	cmd.Env = append(os.Environ(), asCommand+"=1")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	var out, bad bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &bad
	require.NoError(t, cmd.Start())
	fmt.Fprint(in, "h\nl\nl\nq\n")
	require.NoError(t, cmd.Wait(), bad.String())
	assert.Contains(t, out.String(), "There is no terminal here")
	assert.Contains(t, out.String(), "hint 1 of 2")
	assert.Contains(t, out.String(), "[ ] 40")
	assert.NotContains(t, out.String(), "\x1b")
}
