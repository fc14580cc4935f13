package gocuda

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Stream capture makes a graph of the work that a program queues on streams. Work queued on a
// stream that is being captured does not run. Each launch, copy and callback becomes a node that
// waits for the node before it in the stream. An event that is recorded in the stream is a mark,
// not a node. Another stream that waits for the event is captured too from then on, and its next
// node waits for the nodes before the mark. Before the capture ends, the stream where it began must
// wait, by events again, for the work of the other streams.
//
// Operations that only make sense for work that runs, such as waiting for the stream, are refused
// and invalidate the capture. A program that calls them would behave differently when the graph is
// launched.

// CaptureMode is CUDA's cudaStreamCaptureMode. In CUDA it says which threads may call functions
// that wait for streams implicitly, such as cudaMalloc, during the capture. In gocuda only the
// default stream of a device with [WithLegacyStream] waits implicitly, and its work is refused in
// all modes. So the modes are equivalent; they exist for programs ported from CUDA.
type CaptureMode uint8

const (
	CaptureModeGlobal CaptureMode = iota
	CaptureModeThreadLocal
	CaptureModeRelaxed
)

// CaptureStatus says whether a stream is being captured, CUDA's cudaStreamCaptureStatus.
type CaptureStatus uint8

const (
	CaptureStatusNone        CaptureStatus = iota
	CaptureStatusActive                    // work becomes nodes
	CaptureStatusInvalidated               // an operation that can't be captured has invalidated the capture; call EndCapture
)

// String names the status.
func (s CaptureStatus) String() string {
	switch s {
	case CaptureStatusNone:
		return "none"
	case CaptureStatusActive:
		return "active"
	case CaptureStatusInvalidated:
		return "invalidated"
	}
	return fmt.Sprintf("CaptureStatus(%d)", int(s))
}

// A capture is the common state of the streams that are captured into one graph.
type capture struct {
	id     uint64
	graph  *Graph
	origin *Stream

	mu      sync.Mutex
	streams map[*Stream][]*GraphNode // the nodes that the next node of each stream waits for
	invalid error                    // why the capture was invalidated; nil if it was not
	over    bool
}

var captures atomic.Uint64 // the last id

// A captureMark is where an event was recorded in a capture.
type captureMark struct {
	c     *capture
	nodes []*GraphNode // that come before
}

// BeginCapture begins to capture the stream, CUDA's cudaStreamBeginCapture: until EndCapture, work
// queued on it is not run but becomes nodes of a graph. Work queued before is not affected. For a
// stream that is being captured already, BeginCapture returns an [ErrIllegalState].
func (s *Stream) BeginCapture(mode CaptureMode) error {
	if err := s.usable("begin capture"); err != nil {
		return err
	}
	if mode > CaptureModeRelaxed {
		return fmt.Errorf("gocuda: begin capture: %w: mode %d", ErrInvalidValue, mode)
	}
	if s.isNull() {
		return fmt.Errorf("gocuda: begin capture: %w: the legacy default stream", ErrStreamCaptureUnsupported)
	}
	c := &capture{
		id: captures.Add(1), graph: s.dev.NewGraph(), origin: s, streams: map[*Stream][]*GraphNode{s: nil},
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !s.capture.CompareAndSwap(nil, c) {
		return fmt.Errorf("gocuda: begin capture: %w: the stream is being captured already", ErrIllegalState)
	}
	s.dev.noteCapture(s, true)
	return nil
}

// EndCapture ends a capture in the stream where it began, and returns the graph: CUDA's
// cudaStreamEndCapture. Afterwards no stream is captured any more, even if EndCapture returns an
// error, unless this error is an [ErrStreamCaptureUnmatched].
func (s *Stream) EndCapture() (*Graph, error) {
	if s == nil || s.dev == nil {
		return nil, s.usable("end capture")
	}
	c := s.capturing()
	if c == nil {
		return nil, fmt.Errorf("gocuda: end capture: %w: the stream is not being captured", ErrIllegalState)
	}
	defer c.mu.Unlock()
	if c.origin != s {
		err := fmt.Errorf("gocuda: end capture: %w: the capture began in another stream", ErrStreamCaptureUnmatched)
		c.invalidate(err)
		return nil, err
	}
	c.over = true
	for o := range c.streams {
		o.capture.Store(nil)
		o.dev.noteCapture(o, false)
	}
	if c.invalid != nil {
		return nil, c.invalidated()
	}
	if n := c.unjoined(); n != nil {
		return nil, fmt.Errorf("gocuda: end capture: %w: the stream does not wait for %v of another one", ErrStreamCaptureUnjoined, n)
	}
	if err := s.usable("end capture"); err != nil {
		return nil, err
	}
	return c.graph, nil
}

// unjoined returns a node that nothing waits for and that is not the end of the stream of the capture.
func (c *capture) unjoined() *GraphNode {
	for _, n := range c.graph.Nodes() {
		if len(n.Dependents()) == 0 && !slices.Contains(c.streams[c.origin], n) {
			return n
		}
	}
	return nil
}

// capturing returns the capture that s takes part in, locked, or nil.
func (s *Stream) capturing() *capture {
	for c := s.capture.Load(); c != nil; c = s.capture.Load() {
		c.mu.Lock()
		if !c.over {
			return c
		}
		c.mu.Unlock() // it has just ended, and will not be the stream's any more
	}
	return nil
}

// captured adds a node for queued work to the graph, and returns true, if the stream is being
// captured. work returns the node's type and parameters.
func (s *Stream) captured(work func() (GraphNodeType, nodeParams, error)) (captured bool, err error) {
	if s == nil || s.capture.Load() == nil {
		return false, nil
	}
	if err := s.usable("capture"); err != nil {
		return true, err
	}
	c := s.capturing()
	if c == nil {
		return false, nil
	}
	defer c.mu.Unlock()
	if c.invalid != nil {
		return true, c.invalidated()
	}
	kind, p, err := work()
	if err != nil {
		return true, err
	}
	n, err := c.graph.add(c.streams[s], kind, p)
	if err != nil { // somebody has destroyed the graph, or nodes of it
		c.invalidate(err)
		return true, err
	}
	c.streams[s] = []*GraphNode{n}
	return true, nil
}

// invalidate marks the capture, which is locked, as invalidated. The first reason stays.
func (c *capture) invalidate(why error) {
	if c.invalid == nil {
		c.invalid = why
	}
}

func (c *capture) invalidated() error {
	return fmt.Errorf("gocuda: %w: %w", ErrStreamCaptureInvalidated, c.invalid)
}

// notCaptured returns an error, and invalidates the capture, if s is being captured.
func (s *Stream) notCaptured(what string) error {
	if s.capture.Load() == nil {
		return nil
	}
	c := s.capturing()
	if c == nil {
		return nil
	}
	defer c.mu.Unlock()
	if c.invalid != nil {
		return c.invalidated()
	}
	err := fmt.Errorf("gocuda: %s: %w", what, ErrStreamCaptureUnsupported)
	c.invalidate(err)
	return err
}

// noteCapture keeps the set of streams that are being captured.
func (d *Device) noteCapture(s *Stream, captured bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if captured {
		if d.captured == nil {
			d.captured = map[*Stream]struct{}{}
		}
		d.captured[s] = struct{}{}
	} else {
		delete(d.captured, s)
	}
}

// notCaptured is the same for all streams of the device.
func (d *Device) notCaptured(what string) error {
	var errs []error
	for _, s := range d.capturedStreams() {
		errs = append(errs, s.notCaptured(what))
	}
	return errors.Join(errs...)
}

// capturedStreams returns the streams of the device that are being captured.
func (d *Device) capturedStreams() []*Stream {
	d.mu.Lock()
	defer d.mu.Unlock()
	var all []*Stream
	for s := range d.captured {
		all = append(all, s)
	}
	return all
}

// captureRecord makes e a mark if the stream is being captured.
func (s *Stream) captureRecord(e *Event) (captured bool, err error) {
	c := s.capturing()
	if c == nil {
		return false, nil
	}
	defer c.mu.Unlock()
	if c.invalid != nil {
		return true, c.invalidated()
	}
	e.set(newMarkRecord(&captureMark{c, slices.Clone(c.streams[s])}))
	return true, nil
}

// captureWait handles a wait of s for r if a capture is involved. If r is a mark, s joins the
// mark's capture. If r is no mark but s is being captured, the capture is invalidated: its graph
// can't wait for work outside. Otherwise captureWait does nothing and returns false.
func (s *Stream) captureWait(r *record) (captured bool, err error) {
	if r.mark == nil {
		c := s.capturing()
		if c == nil {
			return false, nil
		}
		defer c.mu.Unlock()
		if c.invalid != nil {
			return true, c.invalidated()
		}
		err := fmt.Errorf("gocuda: wait: %w: the event was recorded outside of it", ErrStreamCaptureIsolation)
		c.invalidate(err)
		return true, err
	}
	c := r.mark.c
	if other := s.capturing(); other != nil {
		defer other.mu.Unlock()
		switch {
		case other.invalid != nil:
			return true, other.invalidated()
		case other != c:
			err := fmt.Errorf("gocuda: wait: %w", ErrStreamCaptureMerge)
			other.invalidate(err)
			other.mu.Unlock() // one at a time
			c.mu.Lock()
			if !c.over {
				c.invalidate(err)
			}
			c.mu.Unlock()
			other.mu.Lock()
			return true, err
		}
	} else {
		c.mu.Lock()
		defer c.mu.Unlock()
		switch {
		case c.over:
			return true, fmt.Errorf("gocuda: wait: %w: its capture has ended", ErrCapturedEvent)
		case c.invalid != nil:
			return true, c.invalidated()
		case !s.capture.CompareAndSwap(nil, c):
			return true, fmt.Errorf("gocuda: wait: %w: a capture of the stream begins at the same time", ErrStreamCaptureMerge)
		}
		s.dev.noteCapture(s, true)
	}
	for _, n := range r.mark.nodes {
		if !slices.Contains(c.streams[s], n) {
			c.streams[s] = append(c.streams[s], n)
		}
	}
	if _, ok := c.streams[s]; !ok {
		c.streams[s] = nil
	}
	return true, nil
}

// notMark returns an error, and invalidates the capture, if the event was recorded in a capture.
func (r *record) notMark() error {
	if r.mark == nil {
		return nil
	}
	err := fmt.Errorf("gocuda: %w", ErrCapturedEvent)
	c := r.mark.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.over {
		c.invalidate(err)
	}
	return err
}

// RecordExternal makes a record of e a node of the graph that is captured from s: CUDA's
// cudaEventRecordWithFlags with cudaEventRecordExternal. Outside of a capture it is an
// [ErrInvalidValue].
func (s *Stream) RecordExternal(e *Event) error {
	return s.external(GraphNodeEventRecord, e)
}

// WaitExternal makes a wait for e a node of the graph that is captured from s: CUDA's
// cudaStreamWaitEvent with cudaEventWaitExternal. Outside of a capture it is an [ErrInvalidValue].
func (s *Stream) WaitExternal(e *Event) error {
	return s.external(GraphNodeWaitEvent, e)
}

func (s *Stream) external(kind GraphNodeType, e *Event) error {
	if err := s.usable(kind.String()); err != nil {
		return err
	}
	err := e.valid()
	if kind == GraphNodeEventRecord {
		err = e.of(s.dev)
	}
	if err != nil {
		return err
	}
	if captured, err := s.captured(func() (GraphNodeType, nodeParams, error) {
		return kind, nodeParams{event: e}, nil
	}); captured {
		return err
	}
	return fmt.Errorf("gocuda: %v: %w: the stream is not being captured", kind, ErrInvalidValue)
}

// CaptureInfo is what is known of the capture of a stream.
type CaptureInfo struct {
	Status       CaptureStatus
	ID           uint64       // of the capture, different from all others; 0 without
	Graph        *Graph       // that is being made
	Dependencies []*GraphNode // what the next node of the stream will wait for
}

// CaptureInfo returns what is known of the stream's capture, CUDA's cudaStreamGetCaptureInfo. Nodes
// may be added to the graph meanwhile; see [Stream.UpdateCaptureDependencies].
func (s *Stream) CaptureInfo() (CaptureInfo, error) {
	if s == nil || s.dev == nil {
		return CaptureInfo{}, s.usable("capture info")
	}
	c := s.capturing()
	if c == nil {
		return CaptureInfo{}, nil
	}
	defer c.mu.Unlock()
	if c.invalid != nil {
		return CaptureInfo{Status: CaptureStatusInvalidated, ID: c.id}, nil
	}
	return CaptureInfo{CaptureStatusActive, c.id, c.graph, slices.Clone(c.streams[s])}, nil
}

// CaptureStatus returns whether the stream is being captured.
func (s *Stream) CaptureStatus() CaptureStatus {
	info, _ := s.CaptureInfo() // the only error is that there is no stream
	return info.Status
}

// IsCapturing reports whether the stream is being captured, CUDA's cudaStreamIsCapturing. It
// returns false and an error if the stream is in a capture that was invalidated.
func (s *Stream) IsCapturing() (bool, error) {
	info, err := s.CaptureInfo()
	if err == nil && info.Status == CaptureStatusInvalidated {
		c := s.capturing()
		if c == nil {
			return false, nil
		}
		defer c.mu.Unlock()
		return false, c.invalidated()
	}
	return info.Status == CaptureStatusActive, err
}

// UpdateCaptureDependencies makes the next node of the stream wait for the given nodes. They
// replace the Dependencies of [CaptureInfo] or, if add is true, are added to them: CUDA's
// cudaStreamUpdateCaptureDependencies.
func (s *Stream) UpdateCaptureDependencies(nodes []*GraphNode, add bool) error {
	if err := s.usable("capture"); err != nil {
		return err
	}
	c := s.capturing()
	if c == nil {
		return fmt.Errorf("gocuda: capture: %w: the stream is not being captured", ErrIllegalState)
	}
	defer c.mu.Unlock()
	if c.invalid != nil {
		return c.invalidated()
	}
	if err := c.graph.lock(); err != nil {
		return err
	}
	err := c.graph.own(nodes)
	c.graph.mu.Unlock()
	if err != nil {
		return err
	}
	var next []*GraphNode
	if add {
		next = slices.Clone(c.streams[s])
	}
	for _, n := range nodes {
		if !slices.Contains(next, n) {
			next = append(next, n)
		}
	}
	c.streams[s] = next
	return nil
}

// contexts returns the contexts of a node that was captured with ctx.
func contexts(ctx context.Context) []context.Context {
	if ctx.Done() == nil {
		return nil
	}
	return []context.Context{ctx}
}

// addContext makes all nodes of g, and of its child graphs, depend on ctx. No other goroutine may
// use g.
func (g *Graph) addContext(ctx context.Context) {
	for _, n := range g.nodes {
		n.ctx = append(slices.Clip(n.ctx), contexts(ctx)...)
		if n.child != nil {
			n.child.addContext(ctx)
		}
	}
}
