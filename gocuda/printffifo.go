package gocuda

import (
	"fmt"
	"strings"
)

// PrintfFIFOSize returns how many bytes of text a launch can print: cudaDeviceGetLimit of
// cudaLimitPrintfFifoSize. 0 is the default: there is no limit, and text goes to the device's
// writer line by line.
func (d *Device) PrintfFIFOSize() int { return int(d.fifoLimit.Load()) }

// SetPrintfFIFOSize limits how many bytes of text a launch can print: cudaDeviceSetLimit of
// cudaLimitPrintfFifoSize. As on a GPU the text then stays in a buffer until the launch has ended,
// with its children, and if there is more of it the oldest lines are lost. Text that the buffer
// can't hold at all is lost as well. It counts for launches that begin later; 0 takes the limit
// away.
func (d *Device) SetPrintfFIFOSize(bytes int) error {
	if d == nil {
		return errNilDevice
	}
	if bytes < 0 {
		return fmt.Errorf("gocuda: limit: %w: a buffer of %d bytes for Printf", ErrInvalidValue, bytes)
	}
	d.fifoLimit.Store(int64(bytes))
	return nil
}

// A printfFIFO is the text that a launch has printed, oldest first.
type printfFIFO struct {
	limit int
	lines []string
	bytes int
}

// add appends text, and drops the oldest lines that are too much.
func (f *printfFIFO) add(text string) {
	for line := range strings.Lines(text) {
		f.lines = append(f.lines, line)
		f.bytes += len(line)
	}
	n := 0
	for ; f.bytes > f.limit; n++ {
		f.bytes -= len(f.lines[n])
	}
	f.lines = f.lines[n:]
}

// flushFIFO writes what the launch has printed.
func (l *launch) flushFIFO() {
	text := strings.Join(l.fifo.lines, "")
	l.fifo = nil
	if text != "" {
		l.print(text)
	}
}
