package gocuda

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
)

// Printf writes formatted text to the device's writer, CUDA's device-side printf. Lines arrive whole,
// never mixed with those of other threads: text without a newline waits for the rest of its line, at
// the latest until the block ends. Format verbs are Go's.
//
// An error of the writer becomes the error of the launch, if that has no other.
func (t *Thread) Printf(form string, args ...any) { t.print(format(form, args)) }

// Printf writes formatted text to the device's writer; see [Thread.Printf].
func (w *Warp) Printf(form string, args ...any) { w.print(format(form, args)) }

// Printf writes formatted text to the device's writer; see [Thread.Printf]. It is for the body of a
// block kernel.
func (b *Block) Printf(form string, args ...any) {
	b.require(opPrint)
	b.out.add(b, -1, format(form, args))
}

//go:norace
func (s *strand) print(text string) {
	b := s.b
	b.require(opPrint)
	if b.threads == nil {
		b.out.add(b, s.id, text)
		return
	}
	b.threads.lock()
	defer b.threads.unlock()
	b.out.add(b, s.id, text)
}

// output is what the strands of a block have printed and the device's writer has not seen yet. It holds
// strings because the race detector is told of every append to bytes, also from a go:norace function.
type output struct {
	partial []partialLine
	lines   []string // whole lines, under the race detector
}

// A partialLine is a line that a strand has begun; strand -1 is the block itself. Few strands have one,
// so a list is searched.
type partialLine struct {
	id   int
	text string
}

//go:norace
func (o *output) add(b *Block, id int, text string) {
	k := 0
	for k < len(o.partial) && o.partial[k].id != id {
		k++
	}
	if k < len(o.partial) {
		text = o.partial[k].text + text
	}
	end := strings.LastIndexByte(text, '\n') + 1
	if end > 0 {
		o.write(b, text[:end])
	}
	if k < len(o.partial) {
		o.partial[k].text = text[end:]
	} else if end < len(text) {
		o.partial = append(o.partial, partialLine{id, text[end:]})
	}
}

//go:norace
func (o *output) write(b *Block, lines string) {
	if raceEnabled {
		// The writer's own locks would order the threads; the block writes when it ends.
		o.lines = append(o.lines, lines)
		return
	}
	b.launch.write(lines)
}

// flush writes what is left when the block has ended.
func (o *output) flush(b *Block) {
	if len(o.lines) == 0 && len(o.partial) == 0 {
		return
	}
	slices.SortFunc(o.partial, func(p, q partialLine) int { return p.id - q.id })
	for _, p := range o.partial {
		o.lines = append(o.lines, p.text)
	}
	if text := strings.Join(o.lines, ""); text != "" {
		b.launch.write(text)
	}
	o.lines, o.partial = nil, nil
}

// A lockedWriter is the writer of a device.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

// Write makes an error of a panic of the writer: it can come where no kernel is on the stack to blame.
func (w *lockedWriter) Write(p []byte) (n int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer func() {
		switch v := recover().(type) {
		case nil:
		case error:
			err = fmt.Errorf("the writer panicked: %w", v)
		default:
			err = fmt.Errorf("the writer panicked: %v", v)
		}
	}()
	return w.w.Write(p)
}

// stdout writes to what os.Stdout is at the time, which programs and tests replace.
type stdout struct{}

func (stdout) Write(p []byte) (int, error) { return os.Stdout.Write(p) }
