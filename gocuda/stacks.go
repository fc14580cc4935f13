package gocuda

import (
	"runtime"
	"strconv"
	"strings"

	"github.com/gocuda/gocuda/gocuda/rt"
)

// Stacks of other goroutines, to say where a block is that does not end. The Go runtime prints them
// as text only.

// A goroutineStack is what the text says of a goroutine.
type goroutineStack struct {
	parent uint64 // the number of the goroutine that made it
	state  string // such as "running" or "chan receive"
	frames []runtime.Frame
}

type goroutineStacks map[uint64]*goroutineStack

// mostStacks bounds the text. Of a program with a great many goroutines it has a part.
const mostStacks = 16 << 20

// allStacks returns the stacks of all goroutines. The program stands still meanwhile.
func allStacks() goroutineStacks {
	for size := 1 << 16; ; size *= 2 {
		buf := make([]byte, size)
		if n := runtime.Stack(buf, true); n < size || size >= mostStacks {
			return parseStacks(string(buf[:n]))
		}
	}
}

// goroutineID returns the number that stacks have for the current goroutine.
func goroutineID() uint64 {
	var buf [64]byte
	id, _, _ := stackHeader(string(buf[:runtime.Stack(buf[:], false)]))
	return id
}

// stackHeader reads the first line of a stack: "goroutine 18 [chan receive, 2 minutes]:".
func stackHeader(line string) (id uint64, state string, ok bool) {
	rest, ok := strings.CutPrefix(line, "goroutine ")
	if !ok {
		return 0, "", false
	}
	number, rest, _ := strings.Cut(rest, " ")
	id, err := strconv.ParseUint(number, 10, 64)
	_, rest, _ = strings.Cut(rest, "[")
	if end := strings.IndexAny(rest, ",]"); end >= 0 {
		rest = rest[:end]
	}
	return id, rest, err == nil
}

func parseStacks(text string) goroutineStacks {
	all := goroutineStacks{}
	for part := range strings.SplitSeq(text, "\n\n") {
		lines := strings.Split(strings.TrimSpace(part), "\n")
		id, state, ok := stackHeader(lines[0])
		if !ok {
			continue
		}
		s := &goroutineStack{state: state}
		for k := 1; k+1 < len(lines); k++ {
			where, ok := strings.CutPrefix(lines[k+1], "\t")
			if !ok {
				continue
			}
			if rest, ok := strings.CutPrefix(lines[k], "created by "); ok {
				_, number, _ := strings.Cut(rest, " in goroutine ")
				s.parent, _ = strconv.ParseUint(number, 10, 64)
				break
			}
			s.frames = append(s.frames, stackFrame(lines[k], where))
			k++
		}
		all[id] = s
	}
	return all
}

// stackFrame reads the two lines of a frame: "main.kernel(0xc000012345, ...)" and "/home/a/k.go:15
// +0x25".
func stackFrame(call, where string) runtime.Frame {
	f := runtime.Frame{Function: call}
	if open := strings.LastIndexByte(call, '('); open > 0 {
		f.Function = call[:open]
	}
	where, _, _ = strings.Cut(where, " +0x")
	if colon := strings.LastIndexByte(where, ':'); colon > 0 {
		f.File = rt.FileOf(f.Function, where[:colon])
		f.Line, _ = strconv.Atoi(where[colon+1:])
	}
	return f
}

// places returns, for each goroutine that is a worker, where the kernel is that it runs. The
// coroutines and the threads of its block descend from it: of several it is the place of one that
// computes, or else of one that waits for something of the kernel's own, or else of any.
func (all goroutineStacks) places(worker map[uint64]bool) map[uint64]place {
	type found struct {
		place
		score int
		id    uint64 // to choose in the same way each time
	}
	best := map[uint64]found{}
	for id, s := range all {
		p, score := s.place()
		if score == 0 {
			continue
		}
		k := id
		for all[k] != nil && !all[k].isWorker() { // numbers are not used again, so this does not go round
			k = all[k].parent
		}
		if b := best[k]; worker[k] && (score > b.score || score == b.score && id < b.id) {
			best[k] = found{p, score, id}
		}
	}
	places := map[uint64]place{}
	for k, b := range best {
		places[k] = b.place
	}
	return places
}

// isWorker reports whether s is a worker's goroutine. Another one may have made it.
func (s *goroutineStack) isWorker() bool {
	last := len(s.frames) - 1
	return last >= 0 && s.frames[last].Function == modulePath+"gocuda.(*worker).loop"
}

// place returns the innermost line of s that is the user's, with a score that is higher the
// likelier it is what the block does at present.
func (s *goroutineStack) place() (p place, score int) {
	frames, inner := s.frames, 2
	for i := range frames {
		f := &frames[i]
		if i == 0 && !isLibrary(f) && inLibrary(f) {
			return place{}, 0 // the Go runtime has mixed up a func with one that is inlined there
		}
		if isStandard(f) {
			continue
		}
		if isLibrary(f) || inLibrary(f) {
			inner = 1
			continue
		}
		if isGenerated(f) {
			if p.line == 0 {
				p, score = place{f.File, f.Line}, inner
			}
			continue
		}
		p, score = place{f.File, f.Line}, inner
		break
	}
	if score > 0 && (s.state == "running" || s.state == "runnable") {
		score = 3
	}
	return p, score
}
