package learn

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A screen is the output of a Watcher, for a test to wait on.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

// last is the text since the screen was cleared last.
func (s *screen) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := s.text.String()
	return text[strings.LastIndex(text, "\x1b[2J")+1:]
}

// A watch is a Watcher at work whose judgements are the test's: a kernel.go with "right" in it
// passes, one with "wrong" fails, and one with "slow" is judged until it is cancelled, and one with
// "stubborn" a while longer.
type watch struct {
	*testing.T
	*screen
	c       *Course
	keys    chan Key
	ended   chan error
	cancel  context.CancelFunc
	mu      sync.Mutex
	cols    int
	rows    int
	running int // judgements
	judged  []int
}

func startWatch(t *testing.T, terminal bool) *watch {
	t.Parallel()
	c, err := Create(t.TempDir(), "..")
	require.NoError(t, err)
	w := &watch{T: t, screen: &screen{}, c: c, keys: make(chan Key), ended: make(chan error, 1), cols: 120, rows: 60}
	ctx, cancel := context.WithCancel(t.Context())
	w.cancel = cancel
	watcher := &Watcher{Course: c, Keys: w.keys, Out: w.screen, Terminal: terminal, Size: w.size, check: w.check, picture: w.picture}
	go func() { w.ended <- watcher.Run(ctx) }()
	t.Cleanup(cancel)
	return w
}

func (w *watch) size() (int, int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.cols, w.rows
}

func (w *watch) check(ctx context.Context, e *Exercise) (res Result, err error) {
	w.mu.Lock()
	w.running++
	w.judged = append(w.judged, e.Number)
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.running--
	}()
	text, err := os.ReadFile(filepath.Join(w.c.Dir, e.Name, "kernel.go"))
	switch {
	case errors.Is(err, os.ErrNotExist):
		res.add(Outcome{CheckBuild, Failed, "kernel.go is missing"})
	case bytes.Contains(text, []byte("slow")):
		<-ctx.Done()
		return res, context.Cause(ctx)
	case bytes.Contains(text, []byte("stubborn")):
		<-ctx.Done()
		time.Sleep(50 * time.Millisecond)
		return res, context.Cause(ctx)
	case bytes.Contains(text, []byte("broken")):
		return res, errors.New("the disk is full")
	case bytes.Contains(text, []byte("rude")):
		res.add(Outcome{CheckExample, Failed, "\x1b[31mred\a\xff" + strings.Repeat("x", 1<<16)})
	case bytes.Contains(text, []byte("no overlay")):
		res.add(Outcome{CheckExample, Passed, ""})
		res.add(Outcome{CheckBudget, NotRun, "no overlay"})
	case bytes.Contains(text, []byte("right")):
		res.add(Outcome{CheckExample, Passed, ""})
	default:
		res.add(Outcome{CheckExample, Failed, "size 8 is wrong"})
	}
	return res, nil
}

func (w *watch) picture(ctx context.Context, e *Exercise) (string, error) {
	if e.Number == 2 {
		return "", ErrNoPicture
	}
	return "accesses.svg", nil
}

func (w *watch) save(number int, text string) {
	w.Helper()
	e, err := w.c.Exercise(number)
	require.NoError(w, err)
	require.NoError(w, os.WriteFile(filepath.Join(w.c.Dir, e.Name, "kernel.go"), []byte(text), 0o666))
}

func (w *watch) press(keys ...Key) {
	w.Helper()
	for _, k := range keys {
		select {
		case w.keys <- k:
		case <-time.After(10 * time.Second):
			require.Fail(w, "nobody reads the keys")
		}
	}
}

// shows waits until the screen has all of texts.
func (w *watch) shows(texts ...string) {
	w.Helper()
	require.Eventually(w, func() bool {
		for _, text := range texts {
			if !strings.Contains(w.last(), text) {
				return false
			}
		}
		return true
	}, 10*time.Second, 5*time.Millisecond, "the screen should show %q, and has:\n%s", texts, lazy{w})
}

type lazy struct{ w *watch }

func (l lazy) String() string { return l.w.last() }

// fits waits until the screen has what a terminal of the size has room for, and as wide as that is.
func (w *watch) fits(cols, rows int) {
	w.Helper()
	require.Eventually(w, func() bool {
		lines := strings.Split(strings.TrimSuffix(strings.TrimPrefix(w.last(), "[2J"), "\r\n"), "\r\n")
		widest := 0
		for _, line := range lines {
			widest = max(widest, len([]rune(line)))
		}
		return widest <= cols && len(lines) <= max(rows-1, 1)
	}, 10*time.Second, 5*time.Millisecond, "%d x %d: %s", cols, rows, lazy{w})
}

// ends waits for the end of the watching.
func (w *watch) ends() error {
	w.Helper()
	select {
	case err := <-w.ended:
		w.mu.Lock()
		defer w.mu.Unlock()
		assert.Zero(w, w.running, "a judgement is left running")
		return err
	case <-time.After(10 * time.Second):
		require.Fail(w, "the watching does not end")
		return nil
	}
}

func (w *watch) state() *State {
	w.Helper()
	s, err := w.c.Load()
	require.NoError(w, err)
	return s
}

func TestWatchJudgesWhatIsSaved(t *testing.T) {
	w := startWatch(t, true)
	w.shows("1. Map", "size 8 is wrong", "0 of 40 solved", keyLine)
	w.press('n')
	w.shows("isn't solved yet")
	w.save(1, "right")
	w.shows("Solved. Press n", "1 of 40 solved")
	assert.Equal(t, 1, w.state().Current, "it went on without being told to")
	w.save(1, "wrong again")
	w.shows("size 8 is wrong", "0 of 40 solved")
	w.save(1, "right, but no overlay")
	w.shows("budget   not run: no overlay", "does not count as solved", "0 of 40 solved")
	w.save(1, "right")
	w.shows("Solved. Press n")
	w.press('n')
	w.shows("2. ", "size 8 is wrong")
	assert.Equal(t, 2, w.state().Current)
	assert.True(t, w.state().Solved[1])
	w.press('q')
	assert.NoError(t, w.ends())
}

func TestWatchSurvivesWhatHappensToFiles(t *testing.T) {
	w := startWatch(t, true)
	w.shows("size 8 is wrong")
	folder := filepath.Join(w.c.Dir, w.c.Exercises[0].Name)
	require.NoError(t, os.Remove(filepath.Join(folder, "kernel.go")))
	w.shows("kernel.go is missing")
	w.save(1, "broken")
	w.shows("could not be judged: the disk is full")
	w.save(1, "rude")
	w.shows("\ufffd[31mred", "...", keyLine)
	assert.NotContains(t, w.last(), "\a")
	require.NoError(t, os.RemoveAll(folder))
	w.shows("kernel.go is missing")
	require.NoError(t, os.Remove(filepath.Join(w.c.Dir, stateFile)))
	require.NoError(t, os.MkdirAll(folder, 0o777))
	w.save(1, "right")
	w.shows("Solved")
	assert.True(t, w.state().Solved[1], "the state is written anew")
	w.press('q')
	assert.NoError(t, w.ends())
}

func TestWatchOfAFolderWithoutAFile(t *testing.T) {
	c, err := Create(t.TempDir(), "..")
	require.NoError(t, err)
	require.NoError(t, os.Remove(filepath.Join(c.Dir, c.Exercises[0].Name, "kernel.go")))
	w := &watch{T: t, screen: &screen{}, c: c, keys: make(chan Key), ended: make(chan error, 1), cols: 80, rows: 24}
	watcher := &Watcher{Course: c, Keys: w.keys, Out: w.screen, Terminal: true, Size: w.size, check: w.check, picture: w.picture}
	go func() { w.ended <- watcher.Run(t.Context()) }()
	w.shows("kernel.go is missing")
	w.press(KeyInterrupt)
	assert.ErrorIs(t, w.ends(), ErrInterrupted)
}

func TestWatchStopsAJudgementWhenTheFileChanges(t *testing.T) {
	w := startWatch(t, true)
	w.shows("size 8 is wrong")
	w.save(1, "slow")
	w.shows("Judging")
	w.save(1, "right")
	w.shows("Solved")
	w.save(1, "slow")
	w.shows("Judging")
	w.press('l')
	w.shows("> [x]  1", "[ ] 40")
	w.press(KeyDown, KeyDown, KeyDown, KeyUp, KeyEnter)
	w.shows("3. ", "size 8 is wrong")
	w.save(3, "slow")
	w.shows("Judging")
	w.press(KeyInterrupt)
	assert.ErrorIs(t, w.ends(), ErrInterrupted)
}

func TestWatchEndsWithItsContext(t *testing.T) {
	w := startWatch(t, true)
	w.save(1, "slow")
	w.shows("Judging")
	w.cancel()
	assert.ErrorIs(t, w.ends(), context.Canceled)
}

func TestWatchKeys(t *testing.T) {
	w := startWatch(t, true)
	w.shows("size 8 is wrong")

	hints := w.c.Exercises[0].Hints
	w.press('h')
	w.shows(hints[0])
	assert.NotContains(t, w.last(), hints[1])
	for range len(hints) + 2 {
		w.press('h')
	}
	w.shows(hints[len(hints)-1])
	assert.Equal(t, len(hints), w.state().Hints[1])

	w.press('p')
	w.shows("accesses.svg")
	w.press('z')
	w.shows(`The key 'z' does nothing`)

	w.save(1, "right")
	w.shows("Solved")
	w.press('r')
	w.shows("(y/n)")
	w.press('n')
	w.shows("Nothing is changed", "Solved")
	w.press('r', 'y')
	w.shows("as it was at first", "size 8 is wrong")
	old, err := os.ReadFile(filepath.Join(w.c.Dir, w.c.Exercises[0].Name, "kernel.go.old"))
	require.NoError(t, err)
	assert.Equal(t, "right", string(old))

	w.press('l', 'l')
	w.shows("1. Map")
	w.press('l', KeyDown, 'c')
	w.shows("2. ")
	w.press('p')
	w.shows("There is no picture: " + ErrNoPicture.Error())
	w.press('q')
	assert.NoError(t, w.ends())
}

func TestWatchChecksAllThatIsBegun(t *testing.T) {
	w := startWatch(t, true)
	w.shows("size 8 is wrong")
	w.save(4, "right")
	w.save(7, "wrong")
	w.save(9, "right")
	w.press('c')
	w.shows("These are not right: 7.", "2 of 40 solved")
	w.mu.Lock()
	assert.Equal(t, []int{1, 4, 7, 9}, w.judged, "stubs are not judged")
	w.mu.Unlock()
	w.save(7, "right")
	w.press('c')
	w.shows("All that you have begun are right", "3 of 40 solved")
	w.save(7, "slow")
	w.press('c')
	w.shows("Checking all: 7")
	w.press('n', 'h', KeyEscape)
	w.shows("Check all was stopped", "size 8 is wrong")
	w.press('c')
	w.shows("Checking all: 7")
	w.press(KeyInterrupt)
	assert.ErrorIs(t, w.ends(), ErrInterrupted)
}

func TestWatchTakesKeysWhileCheckAllEnds(t *testing.T) {
	w := startWatch(t, true)
	w.shows("size 8 is wrong")
	w.save(1, "right")
	w.shows("Solved")
	w.save(7, "stubborn")
	for _, again := range []Key{'c', 'p', 'l', 'h'} {
		w.press('c')
		w.shows("Checking all: 7")
		w.press(KeyEscape, again)
		switch again {
		case 'c':
			w.shows("Checking all: 7")
			w.press(KeyEscape)
		case 'p':
			w.shows("accesses.svg")
		case 'l':
			w.press(KeyDown, 'c')
			w.shows("2. ", "size 8 is wrong")
		case 'h':
			w.shows("hint 1 of")
		}
	}
	w.press('c')
	w.shows("Checking all: 7")
	w.press(KeyEscape, 'q')
	assert.NoError(t, w.ends())
}

func TestWatchFollowsTheTerminalsSize(t *testing.T) {
	w := startWatch(t, true)
	w.shows("size 8 is wrong")
	for _, size := range [][2]int{{40, 10}, {20, 5}, {7, 3}, {1, 1}, {200, 50}, {80, 24}} {
		w.mu.Lock()
		w.cols, w.rows = size[0], size[1]
		w.mu.Unlock()
		w.fits(size[0], size[1])
		w.press('l')
		w.fits(size[0], size[1])
		w.press('l')
	}
	w.shows("1. Map", keyLine)

	w.mu.Lock()
	w.rows = 8
	w.mu.Unlock()
	w.shows("1. Map", "...", keyLine)
	w.press('r')
	w.fits(80, 8)
	w.shows("(y/n)", keyLine) // a question is seen
	w.press('n')
	w.press('q')
	assert.NoError(t, w.ends())
}

// The state of another window's commands is taken over.
func TestWatchBesideCommands(t *testing.T) {
	w := startWatch(t, true)
	w.shows("size 8 is wrong")
	s := w.state()
	s.Solved[12], s.Hints[1] = true, 1
	require.NoError(t, w.c.Save(s))
	w.save(1, "right")
	w.shows("2 of 40 solved", "hint 1 of")
	w.press('q')
	assert.NoError(t, w.ends())
	assert.True(t, w.state().Solved[12])
}

func TestWatchWithoutATerminal(t *testing.T) {
	w := startWatch(t, false)
	w.shows("size 8 is wrong")
	reader, writer := io.Pipe()
	read := make(chan struct{})
	go func() {
		defer close(read)
		ReadKeys(reader, w.keys)
	}()
	write := func(s string) {
		_, err := io.WriteString(writer, s)
		require.NoError(t, err)
	}
	write("h\n")
	w.shows("hint 1 of")
	write("r\ny\n")
	w.shows("as it was at first")
	w.save(1, "right")
	w.shows("Solved. Press n")
	require.NoError(t, writer.Close()) // the end of the input, which ends nothing
	<-read
	w.save(1, "right, too")
	w.save(1, "wrong")
	require.Eventually(t, func() bool { return strings.Count(w.last(), "size 8 is wrong") >= 3 }, 10*time.Second, 5*time.Millisecond)
	assert.NotContains(t, w.last(), "\x1b")
	w.cancel()
	assert.ErrorIs(t, w.ends(), context.Canceled)
}

func TestReadKeys(t *testing.T) {
	keys := make(chan Key)
	go ReadKeys(strings.NewReader("n\x1b[A\x1b[B\x1bOA\x1b[3~x\r\n\x03é\xff\x1b"), keys)
	var got []Key
	for k := range keys {
		got = append(got, k)
	}
	assert.Equal(t, []Key{'n', KeyUp, KeyDown, KeyUp, KeyOther, 'x', KeyEnter, KeyEnter, KeyInterrupt, 'é', '\ufffd', KeyEscape}, got)
}
