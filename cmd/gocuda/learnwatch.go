package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"golang.org/x/term"

	"github.com/gocuda/gocuda/learn"
)

// learnWatch is the watch mode of gocuda learn. On a terminal it has the screen, and gets keys as
// they are pressed. Elsewhere it prints lines, and reads commands from in, if there are any.
func learnWatch(dir, local string, in *os.File, stdout, stderr io.Writer) int {
	var failed error
	defer func() { // after the screen is back
		if failed != nil {
			fmt.Fprintf(stderr, "gocuda learn: %v\n", failed)
		}
	}()
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	defer stop()
	c, err := learn.Begin(dir, local)
	if err != nil {
		fmt.Fprintf(stderr, "gocuda learn: %v\n", err)
		return 1
	}
	keys := make(chan learn.Key)
	w := &learn.Watcher{Course: c, Docs: c.Docs(ctx), Keys: keys, Out: stdout, Size: func() (int, int) { return 80, 25 }}
	if out, ok := stdout.(*os.File); ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(out.Fd())) && term.IsTerminal(int(in.Fd())) {
		before, err := term.MakeRaw(int(in.Fd()))
		if err != nil {
			fmt.Fprintf(stderr, "gocuda learn: %v\n", err)
			return 1
		}
		fmt.Fprint(stdout, "\x1b[?1049h\x1b[?25l") // the other screen, without a cursor
		defer func() {
			fmt.Fprint(stdout, "\x1b[?25h\x1b[?1049l")
			term.Restore(int(in.Fd()), before)
		}()
		w.Terminal = true
		w.Size = func() (int, int) {
			cols, rows, err := term.GetSize(int(out.Fd()))
			if err != nil || cols <= 0 || rows <= 0 {
				return 80, 25
			}
			return cols, rows
		}
	} else {
		fmt.Fprintf(stdout, "The course is in %s. There is no terminal here: results are printed whenever you save; stop with an interrupt.\n\n", c.Dir)
	}
	go learn.ReadKeys(in, keys) // ends with the process
	switch err := w.Run(ctx); {
	case err == nil:
		return 0
	case errors.Is(err, learn.ErrInterrupted) || ctx.Err() != nil:
		return statusInterrupted
	default:
		failed = err
		return 1
	}
}
