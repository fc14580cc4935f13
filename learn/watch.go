package learn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// pollInterval is how often the watch mode looks at the files. It polls, since that works in
// containers and on network disks.
const pollInterval = 200 * time.Millisecond

// A Watcher is the watch mode: it judges the current exercise whenever its files have changed, and
// acts on keys.
type Watcher struct {
	Course   *Course
	Docs     string                  // the folder that the texts call docs/, or ""
	Keys     <-chan Key              // closed at the end of the input, which does not end the watching
	Out      io.Writer               // the screen
	Terminal bool                    // whether Out is one, which is drawn anew; else it gets what is new, line by line
	Size     func() (cols, rows int) // of the terminal

	check   func(context.Context, *Exercise) (Result, error) // Course.Check, but in tests
	picture func(context.Context, *Exercise) (string, error) // Course.Picture, but in tests

	state *State
	e     *Exercise

	seen, judged string // the stamps of the exercise's files: at the last look, and at the last judgement
	job          *job   // what is running, or nil
	built        bool   // something was judged: the next build is fast
	again        bool   // the files have changed since the job began
	queue        []*Exercise
	failing      []int // of check all, those that have failed

	res     *Result // of the last judgement, or nil
	err     error   // of it
	message string  // what the last key has done
	view    view
	cursor  int // in the list
	cols    int
	rows    int
	printed string // without a terminal: what was printed last
}

// A view is what is on the screen.
type view int

const (
	viewExercise view = iota
	viewList
	viewReset // the question whether to reset the exercise
)

// A job is work beside the keys: the judgement of an exercise, or its picture.
type job struct {
	e      *Exercise
	cancel context.CancelFunc
	done   chan finished
	kind   kind

	stopped bool // by the learner: what it has found out is not wanted
}

// A kind is what a job is for.
type kind int

const (
	judging kind = iota // the current exercise
	all                 // a part of check all
	drawing             // the picture
)

type finished struct {
	res     Result
	err     error
	picture string // the file
}

// ErrInterrupted says that the learner has pressed Ctrl-C.
var ErrInterrupted = errors.New("interrupted")

// Run watches until the key q, which is no error, Ctrl-C, or the context's end. Nothing is left
// running then.
func (w *Watcher) Run(ctx context.Context) error {
	var err error
	if w.state, err = w.Course.Load(); err != nil {
		return err
	}
	if w.e, err = w.Course.Exercise(w.state.Current); err != nil {
		w.e = w.Course.Exercises[0]
	}
	if w.check == nil {
		w.check, w.picture = w.Course.Check, w.Course.Picture
	}
	defer w.stop()
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	w.look(ctx)
	w.draw(false)
	keys := w.Keys
	for {
		var done chan finished
		if w.job != nil {
			done = w.job.done
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case k, ok := <-keys:
			if !ok {
				keys = nil
				continue
			}
			if k == KeyInterrupt {
				return ErrInterrupted
			}
			if w.press(ctx, k) {
				return nil
			}
			w.draw(true)
		case f := <-done:
			w.finish(ctx, f)
			w.draw(false)
		case <-tick.C:
			if w.look(ctx) {
				w.draw(false)
			}
		}
	}
}

// stop ends the running job and waits for it.
func (w *Watcher) stop() {
	if w.job != nil {
		w.job.cancel()
		<-w.job.done
		w.job = nil
	}
}

// stamp returns a text that changes when the learner's files of an exercise change.
func (w *Watcher) stamp(e *Exercise) string {
	var b strings.Builder
	fmt.Fprintln(&b, e.Name) // so that no stamp is empty
	files, err := os.ReadDir(filepath.Join(w.Course.Dir, e.Name))
	if err != nil {
		return err.Error()
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || f.Name() == "kernel_test.go" {
			continue
		}
		if info, err := f.Info(); err == nil {
			fmt.Fprintln(&b, f.Name(), info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String()
}

// look looks at the files and the terminal, and reports whether the screen is to be drawn anew.
func (w *Watcher) look(ctx context.Context) (redraw bool) {
	if cols, rows := w.Size(); cols != w.cols || rows != w.rows {
		w.cols, w.rows = cols, rows
		redraw = w.Terminal
	}
	first := w.judged == "" && w.job == nil
	now := w.stamp(w.e)
	settled := now == w.seen || first // an editor may be in the middle of writing
	w.seen = now
	if !settled || now == w.judged || w.job != nil && w.job.kind != judging {
		return redraw
	}
	if w.job != nil {
		w.again = true
		w.job.cancel()
		return redraw
	}
	w.judge(ctx)
	return true
}

// judge begins to judge the current exercise.
func (w *Watcher) judge(ctx context.Context) {
	w.judged, w.res, w.err = w.stamp(w.e), nil, nil
	w.seen = w.judged
	w.start(ctx, w.e, judging)
}

func (w *Watcher) start(ctx context.Context, e *Exercise, kind kind) {
	ctx, cancel := context.WithCancel(ctx)
	j := &job{e: e, cancel: cancel, done: make(chan finished, 1), kind: kind}
	w.job = j
	go func() {
		defer cancel()
		var f finished
		if kind == drawing {
			f.picture, f.err = w.picture(ctx, e)
		} else {
			f.res, f.err = w.check(ctx, e)
		}
		j.done <- f
	}()
}

// finish takes the result of the job.
func (w *Watcher) finish(ctx context.Context, f finished) {
	j := w.job
	w.job = nil
	w.reload()
	switch {
	case j.stopped && !w.again:
		return
	case w.again || errors.Is(f.err, context.Canceled):
		w.again = false
		w.judge(ctx)
		return
	case j.kind == drawing && f.err != nil:
		w.message = "There is no picture: " + f.err.Error()
		return
	case j.kind == drawing:
		w.message = "The picture of the accesses is in " + f.picture + ": open it in a browser."
		return
	case j.kind == all && f.err != nil:
		w.queue, w.message = nil, f.err.Error()
		return
	case j.kind == all:
		w.note(j.e, f.res)
		if !f.res.Solved() {
			w.failing = append(w.failing, j.e.Number)
		}
		w.nextOfAll(ctx)
		return
	}
	w.err, w.built = f.err, true
	if f.err == nil {
		w.res = &f.res
		w.note(j.e, f.res)
	}
}

// note remembers whether an exercise is solved.
func (w *Watcher) note(e *Exercise, res Result) {
	if solved := res.Solved(); solved != w.state.Solved[e.Number] {
		if solved {
			w.state.Solved[e.Number] = true
		} else {
			delete(w.state.Solved, e.Number)
		}
		w.save()
	}
}

// reload takes over what commands in another window have changed in the state. A file that can't be
// read changes nothing.
func (w *Watcher) reload() {
	if s, err := w.Course.Load(); err == nil {
		w.state = s
	}
}

// save saves the state. That it can't is told, and ends nothing.
func (w *Watcher) save() {
	w.state.Current = w.e.Number
	if err := w.Course.Save(w.state); err != nil {
		w.message = "The state could not be saved: " + err.Error()
	}
}

// show makes e the current exercise.
func (w *Watcher) show(ctx context.Context, e *Exercise) {
	w.e, w.view, w.message = e, viewExercise, ""
	w.save()
	if w.job != nil {
		w.again = true
		w.job.cancel()
		w.judged, w.res, w.err = "", nil, nil
		return
	}
	w.judge(ctx)
}

// press does what a key stands for, and reports whether that is to quit.
func (w *Watcher) press(ctx context.Context, k Key) (quit bool) {
	if k == KeyEnter && !w.Terminal { // the end of a line with keys
		return false
	}
	w.reload()
	switch w.view {
	case viewReset:
		w.view = viewExercise
		w.message = "Nothing is changed."
		if k == 'y' {
			if err := w.Course.Reset(w.e); err != nil {
				w.message = err.Error()
				return false
			}
			w.message = w.e.Name + "/kernel.go is as it was at first; yours is in kernel.go.old."
		}
		return false
	case viewList:
		w.pressInList(ctx, k)
		return false
	}
	if w.job != nil && w.job.kind == all && !w.job.stopped {
		if k == KeyEscape || k == 'c' || k == 'q' {
			w.queue, w.job.stopped = nil, true
			w.job.cancel()
			w.message = "Check all was stopped."
		}
		return false
	}
	w.message = ""
	switch k {
	case 'q':
		return true
	case 'n':
		w.next(ctx)
	case 'h':
		n := w.state.Hints[w.e.Number] + 1
		if n > len(w.e.Hints) {
			n = len(w.e.Hints)
			w.message = "There are no more hints."
		}
		w.state.Hints[w.e.Number] = n
		w.save()
	case 'l':
		w.view, w.cursor = viewList, w.index()
	case 'r':
		w.view = viewReset
	case 'c':
		w.stopFor()
		w.queue, w.failing = append([]*Exercise(nil), w.Course.Exercises...), nil
		w.nextOfAll(ctx)
	case 'p':
		w.stopFor()
		w.message = "Drawing the accesses ..."
		w.start(ctx, w.e, drawing)
	case KeyEnter, KeyOther, KeyUp, KeyDown, KeyEscape:
	default:
		w.message = fmt.Sprintf("The key %q does nothing.", rune(k))
	}
	return false
}

// stopFor ends a judgement in favour of another job, after which it begins again.
func (w *Watcher) stopFor() {
	if w.job != nil {
		w.stop()
		w.judged = ""
	}
}

func (w *Watcher) pressInList(ctx context.Context, k Key) {
	switch k {
	case KeyUp, 'k':
		w.cursor = max(w.cursor-1, 0)
	case KeyDown, 'j':
		w.cursor = min(w.cursor+1, len(w.Course.Exercises)-1)
	case 'l', 'q', KeyEscape:
		w.view = viewExercise
	case KeyEnter, 'c':
		w.show(ctx, w.Course.Exercises[w.cursor])
	}
}

// index is the place of the current exercise.
func (w *Watcher) index() int {
	for i, e := range w.Course.Exercises {
		if e == w.e {
			return i
		}
	}
	return 0
}

// next goes to the next exercise that is not solved, of those behind the current one, and then from
// the start.
func (w *Watcher) next(ctx context.Context) {
	if !w.state.Solved[w.e.Number] {
		w.message = "This exercise isn't solved yet: h gives a hint, and l leads to any other exercise."
		return
	}
	if e := w.Course.Next(w.state, w.e); e != nil {
		w.show(ctx, e)
		return
	}
	w.message = "All exercises are solved."
}

// nextOfAll begins with the next exercise of check all.
func (w *Watcher) nextOfAll(ctx context.Context) {
	for len(w.queue) > 0 {
		e := w.queue[0]
		w.queue = w.queue[1:]
		if w.untouched(e) { // a stub, which fails: there is nothing to find out
			continue
		}
		w.message = fmt.Sprintf("Checking all: %d %s ... (Esc stops)", e.Number, e.Title)
		w.start(ctx, e, all)
		return
	}
	w.message = "All that you have begun are right."
	if len(w.failing) > 0 {
		w.message = fmt.Sprintf("These are not right: %s.", strings.Trim(fmt.Sprint(w.failing), "[]"))
	}
}

// untouched reports whether the learner's file is the stub.
func (w *Watcher) untouched(e *Exercise) bool {
	stub, err := e.Text("kernel.go.txt")
	if err != nil {
		return false
	}
	text, err := os.ReadFile(filepath.Join(w.Course.Dir, e.Name, "kernel.go"))
	return errors.Is(err, fs.ErrNotExist) || err == nil && string(text) == string(stub)
}
