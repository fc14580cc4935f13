package gocuda

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

// A GraphExec is a graph that can be launched, CUDA's cudaGraphExec_t. It has a copy of the graph
// that it was made of, in which the nodes and their edges are fixed. The parameters of a node can
// still be changed, by [GraphExec.Update] and the methods with NodeSet in their names.
type GraphExec struct {
	shape shape
	index map[*GraphNode]int32 // the step of each node of the graph that x was made of

	mu        sync.Mutex
	graph     *Graph       // the copy
	nodes     []*GraphNode // of the copy, by step; nil where a child graph begins
	steps     []step       // of the next launch
	shared    bool         // steps also belongs to a launch: not to be changed any more
	last      chan struct{}
	destroyed bool

	run graphRun // of the launch under way
}

// A shape is the dependencies between the steps of a graph. Each node is a step, except a child
// graph node. That is replaced by the steps of its child, with an empty step before and after them.
type shape struct {
	dependents [][]int32
	before     []int32 // how many steps each waits for
	roots      []int32 // steps that wait for no other, the first of them last
	events     int     // nodes that wait for events or record them
}

// A step is what a node does.
type step struct {
	kind GraphNodeType
	slot int // of a node with an event: its number among these
	nodeParams
}

// Instantiate makes an executable graph, CUDA's cudaGraphInstantiate. The graph may be changed or
// destroyed afterwards.
func (g *Graph) Instantiate() (*GraphExec, error) {
	if err := g.lock(); err != nil {
		return nil, err
	}
	g.mu.Unlock()
	clone, err := g.Clone()
	if err != nil {
		return nil, err
	}
	x := &GraphExec{graph: clone, index: map[*GraphNode]int32{}}
	x.nodes, x.steps = x.shape.flatten(clone)
	for i, n := range x.nodes {
		if n != nil {
			x.index[n.original] = int32(i)
		}
	}
	x.run.init(len(x.steps))
	return x, nil
}

// flatten makes the steps of g, which no other goroutine uses. Graphs with the same nodes and edges
// have the same steps.
func (sh *shape) flatten(g *Graph) (nodes []*GraphNode, steps []step) {
	*sh = shape{}
	put := func(n *GraphNode, s step) int32 {
		nodes, steps = append(nodes, n), append(steps, s)
		sh.dependents, sh.before = append(sh.dependents, nil), append(sh.before, 0)
		return int32(len(steps) - 1)
	}
	edge := func(from, to int32) {
		sh.dependents[from] = append(sh.dependents[from], to)
		sh.before[to]++
	}
	var all func(g *Graph) (first, last map[*GraphNode]int32)
	all = func(g *Graph) (first, last map[*GraphNode]int32) {
		first, last = map[*GraphNode]int32{}, map[*GraphNode]int32{}
		for _, n := range g.nodes {
			if n.kind != GraphNodeGraph {
				s := step{kind: n.kind, nodeParams: n.nodeParams}
				if n.event != nil {
					s.slot = sh.events
					sh.events++
				}
				first[n] = put(n, s)
				last[n] = first[n]
				continue
			}
			first[n] = put(nil, step{kind: GraphNodeEmpty})
			begin, end := all(n.child)
			last[n] = put(n, step{kind: GraphNodeEmpty})
			for _, c := range n.child.nodes {
				if len(c.deps) == 0 {
					edge(first[n], begin[c])
				}
				if len(c.dependents) == 0 {
					edge(end[c], last[n])
				}
			}
			if len(n.child.nodes) == 0 {
				edge(first[n], last[n])
			}
		}
		for _, n := range g.nodes {
			for _, d := range n.deps {
				edge(last[d], first[n])
			}
		}
		return first, last
	}
	all(g)
	for i := len(steps) - 1; i >= 0; i-- {
		if sh.before[i] == 0 {
			sh.roots = append(sh.roots, int32(i))
		}
	}
	return nodes, steps
}

// Launch queues the graph on s, CUDA's cudaGraphLaunch. A node runs when the nodes that it waits
// for have ended; nodes that don't wait for each other run at the same time. Work queued on s
// afterwards waits for all nodes. The first failure of a node becomes the stream's error. Nodes
// that have not begun by then are dropped, and so is the work queued behind the graph.
//
// Launches of the same executable graph run one after the other, in the order of the calls,
// whatever their streams are. Kernels run on the devices of their nodes. On a stream that is being
// captured the graph becomes a child graph node.
func (x *GraphExec) Launch(s *Stream) error { return x.LaunchContext(context.Background(), s) }

// LaunchContext is [GraphExec.Launch] with a context: if it is done before the last node has ended,
// kernels stop as in [Device.Launch], and its cause becomes the stream's error.
func (x *GraphExec) LaunchContext(ctx context.Context, s *Stream) error {
	if err := s.usable("graph launch"); err != nil {
		return err
	}
	if ctx == nil {
		return fmt.Errorf("gocuda: graph launch: %w: the context is nil", ErrInvalidValue)
	}
	if err := x.lock(); err != nil {
		return err
	}
	defer x.mu.Unlock()
	if captured, err := s.captured(func() (GraphNodeType, nodeParams, error) {
		child, err := x.graph.Clone()
		if err == nil {
			child.addContext(ctx)
		}
		return GraphNodeGraph, nodeParams{child: child}, err
	}); captured {
		return err
	}
	l := &graphLaunch{x: x, s: s, ctx: ctx, steps: x.steps, before: x.last, over: make(chan struct{})}
	l.number()
	if err := x.findEvents(l); err != nil {
		return err
	}
	if err := s.add(task{run: l.run, drop: l.drop}); err != nil {
		return err
	}
	x.last, x.shared = l.over, true
	for i := range l.steps {
		if st := &l.steps[i]; st.kind == GraphNodeEventRecord {
			st.event.set(l.events[st.slot])
		}
	}
	return nil
}

// findEvents finds the records that the launch's nodes wait for, and makes those of its nodes that
// record events.
func (x *GraphExec) findEvents(l *graphLaunch) error {
	if x.shape.events == 0 {
		return nil
	}
	l.events = make([]*record, x.shape.events)
	for i := range l.steps {
		switch st := &l.steps[i]; st.kind {
		case GraphNodeWaitEvent:
			r := st.event.last()
			if r != nil {
				if err := r.notMark(); err != nil { // it would never happen
					return err
				}
			}
			l.events[st.slot] = r
		case GraphNodeEventRecord:
			l.events[st.slot] = newRecord()
		}
	}
	return nil
}

// Destroy ends the use of the executable graph, CUDA's cudaGraphExecDestroy. Launches that are
// queued run nevertheless. An executable graph holds nothing but memory, so Destroy is not needed.
func (x *GraphExec) Destroy() error {
	if err := x.lock(); err != nil {
		return err
	}
	defer x.mu.Unlock()
	x.destroyed = true
	return nil
}

// lock locks x, unless it is nil or was destroyed.
func (x *GraphExec) lock() error {
	if x == nil || x.index == nil {
		return fmt.Errorf("gocuda: %w: the executable graph is nil", ErrInvalidResourceHandle)
	}
	x.mu.Lock()
	if x.destroyed {
		x.mu.Unlock()
		return fmt.Errorf("gocuda: %w: the executable graph was destroyed", ErrInvalidResourceHandle)
	}
	return nil
}

// set changes the parameters of n, a node of the graph that x was made of or of a child graph in
// it. Launches that have been queued keep the old parameters.
func (x *GraphExec) set(n *GraphNode, change func(p *nodeParams) error, kinds ...GraphNodeType) error {
	if n == nil {
		return errNilNode
	}
	if err := x.lock(); err != nil {
		return err
	}
	defer x.mu.Unlock()
	i, ok := x.index[n]
	if !ok {
		return fmt.Errorf("gocuda: graph: %w: the executable graph was not made of %v", ErrInvalidValue, n)
	}
	if !slices.Contains(kinds, n.kind) {
		return fmt.Errorf("gocuda: graph: %w: %v is of another type", ErrInvalidValue, n)
	}
	p := x.nodes[i].nodeParams
	if err := change(&p); err != nil {
		return err
	}
	x.nodes[i].nodeParams = p
	x.own()
	x.steps[i].nodeParams = p
	return nil
}

// own makes sure that no launch uses x.steps; it copies them if need be.
func (x *GraphExec) own() {
	if x.shared {
		x.steps, x.shared = slices.Clone(x.steps), false
	}
}

// KernelNodeSetParams changes a kernel node for launches from now on, CUDA's
// cudaGraphExecKernelNodeSetParams. n is a node of the graph that x was made of, which stays as it
// is.
func (x *GraphExec) KernelNodeSetParams(n *GraphNode, cfg grid.Config, kernel Kernel) error {
	return x.set(n, func(p *nodeParams) error {
		p.cfg, p.kernel, p.ctx = cfg, kernel, nil
		return p.checkKernel(cfg, kernel)
	}, GraphNodeKernel)
}

// HostNodeSetParams changes a host node for launches from now on, CUDA's
// cudaGraphExecHostNodeSetParams.
func (x *GraphExec) HostNodeSetParams(n *GraphNode, f func() error) error {
	return x.set(n, func(p *nodeParams) error {
		p.work = f
		return notNil(f)
	}, GraphNodeHost)
}

// MemcpyNodeSetParams changes a copy or a memset for launches from now on, CUDA's
// cudaGraphExecMemcpyNodeSetParams and cudaGraphExecMemsetNodeSetParams. For queue see
// [Graph.AddMemcpyNode].
func (x *GraphExec) MemcpyNodeSetParams(n *GraphNode, queue func(s mem.Stream) error) error {
	return x.set(n, func(p *nodeParams) (err error) {
		p.work, err = queued(p.dev, queue)
		return err
	}, GraphNodeMemcpy, GraphNodeMemset)
}

// EventNodeSetEvent changes the event of a node for launches from now on, CUDA's
// cudaGraphExecEventRecordNodeSetEvent and cudaGraphExecEventWaitNodeSetEvent.
func (x *GraphExec) EventNodeSetEvent(n *GraphNode, e *Event) error {
	return x.set(n, func(p *nodeParams) error {
		if err := e.valid(); err != nil {
			return err
		}
		if n.kind == GraphNodeEventRecord && e.dev != p.event.dev {
			return e.of(p.event.dev)
		}
		p.event = e
		return nil
	}, GraphNodeEventRecord, GraphNodeWaitEvent)
}

// NodeSetEnabled turns a kernel, copy or memset node into an empty node, or back into what it was,
// for launches from now on: CUDA's cudaGraphNodeSetEnabled. Nodes are enabled at first.
func (x *GraphExec) NodeSetEnabled(n *GraphNode, enabled bool) error {
	return x.set(n, func(p *nodeParams) error {
		p.disabled = !enabled
		return nil
	}, GraphNodeKernel, GraphNodeMemcpy, GraphNodeMemset)
}

// NodeEnabled reports what NodeSetEnabled has set, CUDA's cudaGraphNodeGetEnabled.
func (x *GraphExec) NodeEnabled(n *GraphNode) (enabled bool, err error) {
	err = x.set(n, func(p *nodeParams) error {
		enabled = !p.disabled
		return nil
	}, GraphNodeKernel, GraphNodeMemcpy, GraphNodeMemset)
	return enabled, err
}

// GraphExecUpdateResult says why a graph does not fit an executable one, CUDA's
// cudaGraphExecUpdateResult.
type GraphExecUpdateResult uint8

const (
	UpdateTopologyChanged   GraphExecUpdateResult = iota + 1 // other nodes, or other edges
	UpdateNodeTypeChanged                                    // a node of another type
	UpdateParametersChanged                                  // a node of another device
	UpdateAttributesChanged                                  // a cooperative launch in place of another, or the reverse
)

// String says it in words.
func (r GraphExecUpdateResult) String() string {
	switch r {
	case UpdateTopologyChanged:
		return "the topology has changed"
	case UpdateNodeTypeChanged:
		return "the type of a node has changed"
	case UpdateParametersChanged:
		return "the device of a node has changed"
	case UpdateAttributesChanged:
		return "a launch is cooperative and the other is not"
	}
	return fmt.Sprintf("GraphExecUpdateResult(%d)", int(r))
}

// A GraphExecUpdateError says where a graph differs from an executable one. It matches
// [ErrGraphExecUpdateFailure].
type GraphExecUpdateError struct {
	Result GraphExecUpdateResult
	Node   *GraphNode // of the new graph, or of a child in it; nil if it has too few nodes
}

func (e *GraphExecUpdateError) Error() string {
	if e.Node == nil {
		return fmt.Sprintf("gocuda: %v: %v: there are fewer nodes", ErrGraphExecUpdateFailure, e.Result)
	}
	return fmt.Sprintf("gocuda: %v: %v: %v", ErrGraphExecUpdateFailure, e.Result, e.Node)
}

// Unwrap returns ErrGraphExecUpdateFailure.
func (e *GraphExecUpdateError) Unwrap() error { return ErrGraphExecUpdateFailure }

// Update gives the nodes of x the parameters of the nodes of g, for launches from now on: CUDA's
// cudaGraphExecUpdate. g must have the same nodes as the graph that x was made of, added in the
// same order, with the same edges, types and devices. Otherwise the error is a
// [*GraphExecUpdateError], and nothing has changed. Methods of x still take the nodes of the graph
// that x was made of, not those of g. Nodes that are disabled stay so.
func (x *GraphExec) Update(g *Graph) error {
	clone, err := g.Clone()
	if err != nil {
		return err
	}
	if err := x.lock(); err != nil {
		return err
	}
	defer x.mu.Unlock()
	if err := differs(x.graph, clone); err != nil {
		return err
	}
	var same shape
	nodes, steps := same.flatten(clone)
	for i := range steps {
		if x.steps[i].disabled {
			steps[i].disabled = true
			nodes[i].disabled = true
		}
	}
	x.graph, x.nodes, x.steps, x.shared = clone, nodes, steps, false
	return nil
}

// differs returns the first difference between g and old, other than in parameters that Update may
// change, as a [*GraphExecUpdateError]. Both graphs are locked or used by no other goroutine.
func differs(old, g *Graph) error {
	if len(g.nodes) < len(old.nodes) {
		return &GraphExecUpdateError{Result: UpdateTopologyChanged}
	}
	if len(g.nodes) > len(old.nodes) {
		return &GraphExecUpdateError{UpdateTopologyChanged, g.nodes[len(old.nodes)].original}
	}
	number := map[*GraphNode]int{}
	for i, n := range g.nodes {
		number[n], number[old.nodes[i]] = i, i
	}
	deps := func(n *GraphNode) []int {
		var numbers []int
		for _, d := range n.deps {
			numbers = append(numbers, number[d])
		}
		slices.Sort(numbers)
		return numbers
	}
	for i, n := range g.nodes {
		o := old.nodes[i]
		switch {
		case n.kind != o.kind:
			return &GraphExecUpdateError{UpdateNodeTypeChanged, n.original}
		case !slices.Equal(deps(n), deps(o)):
			return &GraphExecUpdateError{UpdateTopologyChanged, n.original}
		case n.dev != o.dev, n.kind == GraphNodeEventRecord && n.event.dev != o.event.dev:
			return &GraphExecUpdateError{UpdateParametersChanged, n.original}
		case n.cooperative != o.cooperative:
			return &GraphExecUpdateError{UpdateAttributesChanged, n.original}
		case n.child != nil:
			if err := differs(o.child, n.child); err != nil {
				return err
			}
		}
	}
	return nil
}
