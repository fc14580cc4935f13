package gocuda

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/mem"
)

// A Graph is work and the order in which it has to be done: its nodes, such as kernels and copies,
// and edges that say which node waits for which. It is CUDA's cudaGraph_t. Graphs are put together
// from nodes, see [Device.NewGraph], or captured from streams, see [Stream.BeginCapture]. A graph
// is a description: [Graph.Instantiate] makes a [GraphExec] of it, which can be launched any number
// of times. A launch costs less than the same work in a stream.
//
// The methods of a graph and its nodes may be called from several goroutines.
type Graph struct {
	dev *Device

	mu        sync.Mutex
	nodes     []*GraphNode // in the order in which they were added
	destroyed bool
}

// A GraphNode is a piece of work in a [Graph], CUDA's cudaGraphNode_t.
type GraphNode struct {
	graph    *Graph
	original *GraphNode // of a clone
	kind     GraphNodeType

	// Guarded by the graph.
	deps, dependents []*GraphNode // who waits for whom, in the order of the calls
	removed          bool
	nodeParams
}

// nodeParams is what a node does, by its type.
type nodeParams struct {
	dev      *Device           // of a kernel, a copy or an event
	ctx      []context.Context // of captured launches that had one
	cfg      grid.Config
	kernel   Kernel
	work     func() error // of a host node, a copy, a memset
	event    *Event
	child    *Graph // not shared with any other node
	disabled bool   // in executable graphs

	cooperative bool // a kernel whose launch was cooperative
}

// GraphNodeType is the kind of a [GraphNode], CUDA's cudaGraphNodeType.
type GraphNodeType uint8

const (
	GraphNodeKernel GraphNodeType = iota // cudaGraphNodeTypeKernel
	GraphNodeMemcpy
	GraphNodeMemset
	GraphNodeHost
	GraphNodeGraph // a child graph
	GraphNodeEmpty
	GraphNodeWaitEvent
	GraphNodeEventRecord
)

var graphNodeNames = [...]string{"kernel", "memcpy", "memset", "host", "graph", "empty", "wait event", "event record"}

// String names the type.
func (t GraphNodeType) String() string {
	if int(t) < len(graphNodeNames) {
		return graphNodeNames[t]
	}
	return fmt.Sprintf("GraphNodeType(%d)", int(t))
}

// NewGraph makes an empty graph, CUDA's cudaGraphCreate. Its kernels and copies run on d.
func (d *Device) NewGraph() *Graph { return &Graph{dev: d} }

// AddKernelNode adds a launch, CUDA's cudaGraphAddKernelNode. Errors of the configuration are
// returned at once, as by [Stream.Launch]. The node runs when all nodes of deps have ended; this
// holds for nodes of all types. The nodes of deps must be of the same graph, and none may be named
// twice.
func (g *Graph) AddKernelNode(deps []*GraphNode, cfg grid.Config, kernel Kernel) (*GraphNode, error) {
	if g == nil {
		return nil, errNilGraph
	}
	if err := g.dev.check(cfg, kernel); err != nil {
		return nil, err
	}
	return g.add(deps, GraphNodeKernel, nodeParams{dev: g.dev, cfg: cfg, kernel: kernel})
}

// AddHostNode adds a call of f, CUDA's cudaGraphAddHostNode. An error or a panic of f ends the
// launch of the graph. f must not wait for the stream in which the graph runs.
func (g *Graph) AddHostNode(deps []*GraphNode, f func() error) (*GraphNode, error) {
	if err := notNil(f); err != nil {
		return nil, err
	}
	return g.add(deps, GraphNodeHost, nodeParams{work: f})
}

// AddMemcpyNode adds a copy, CUDA's cudaGraphAddMemcpyNode. queue defines the copy: it calls a func
// of package mem that takes a stream.
//
//	g.AddMemcpyNode(deps, func(s mem.Stream) error { return mem.CopyToDeviceAsync(s, dst, src) })
//
// queue is called once, now. It must queue one copy; its error is returned.
func (g *Graph) AddMemcpyNode(deps []*GraphNode, queue func(s mem.Stream) error) (*GraphNode, error) {
	return g.addQueued(deps, GraphNodeMemcpy, queue)
}

// AddMemsetNode adds a memset, CUDA's cudaGraphAddMemsetNode, as [Graph.AddMemcpyNode] adds a copy.
func (g *Graph) AddMemsetNode(deps []*GraphNode, queue func(s mem.Stream) error) (*GraphNode, error) {
	return g.addQueued(deps, GraphNodeMemset, queue)
}

func (g *Graph) addQueued(deps []*GraphNode, kind GraphNodeType, queue func(s mem.Stream) error) (*GraphNode, error) {
	if g == nil {
		return nil, errNilGraph
	}
	work, err := queued(g.dev, queue)
	if err != nil {
		return nil, err
	}
	return g.add(deps, kind, nodeParams{dev: g.dev, work: work})
}

// AddEmptyNode adds a node that does nothing, CUDA's cudaGraphAddEmptyNode. If n nodes wait for m
// others, an empty node between them makes do with m+n dependencies instead of m*n.
func (g *Graph) AddEmptyNode(deps []*GraphNode) (*GraphNode, error) {
	return g.add(deps, GraphNodeEmpty, nodeParams{})
}

// AddChildGraphNode adds all of a graph as one node, CUDA's cudaGraphAddChildGraphNode. The child
// is copied: later changes of it don't affect the node. [GraphNode.ChildGraph] returns the copy.
func (g *Graph) AddChildGraphNode(deps []*GraphNode, child *Graph) (*GraphNode, error) {
	clone, err := child.Clone()
	if err != nil {
		return nil, err
	}
	return g.add(deps, GraphNodeGraph, nodeParams{child: clone})
}

// AddEventRecordNode adds a record of e, CUDA's cudaGraphAddEventRecordNode. The launch of the
// graph records the event, as [Stream.Record] would at that time. The event happens when the node
// runs.
func (g *Graph) AddEventRecordNode(deps []*GraphNode, e *Event) (*GraphNode, error) {
	if g == nil {
		return nil, errNilGraph
	}
	if err := e.of(g.dev); err != nil {
		return nil, err
	}
	return g.add(deps, GraphNodeEventRecord, nodeParams{event: e})
}

// AddEventWaitNode adds a wait for e, CUDA's cudaGraphAddEventWaitNode. The node waits for the last
// record of e that was made before the launch of the graph, so never for a record by a node of the
// same launch. e may be of another device.
func (g *Graph) AddEventWaitNode(deps []*GraphNode, e *Event) (*GraphNode, error) {
	if err := e.valid(); err != nil {
		return nil, err
	}
	return g.add(deps, GraphNodeWaitEvent, nodeParams{event: e})
}

var (
	errNilGraph  = fmt.Errorf("gocuda: %w: the graph is nil", ErrInvalidResourceHandle)
	errNilNode   = fmt.Errorf("gocuda: graph: %w: the node is nil", ErrInvalidResourceHandle)
	errDestroyed = fmt.Errorf("gocuda: %w: the graph was destroyed", ErrInvalidResourceHandle)
)

func notNil(f func() error) error {
	if f == nil {
		return fmt.Errorf("gocuda: graph: %w: the function is nil", ErrInvalidValue)
	}
	return nil
}

// A nodeQueue is the stream that the func of a memcpy node gets: it keeps what is queued.
type nodeQueue struct {
	dev  *Device
	work []func() error
}

func (q *nodeQueue) Memory() *mem.Space { return q.dev.Memory() }

func (q *nodeQueue) Enqueue(f func() error) error {
	if err := notNil(f); err != nil {
		return err
	}
	q.work = append(q.work, f)
	return nil
}

// queued calls queue and returns the one function that it enqueues.
func queued(dev *Device, queue func(mem.Stream) error) (work func() error, err error) {
	if dev == nil {
		return nil, errNilDevice
	}
	if queue == nil {
		return nil, fmt.Errorf("gocuda: graph: %w: the function is nil", ErrInvalidValue)
	}
	q := &nodeQueue{dev: dev}
	if err := call(func() error { return queue(q) }); err != nil {
		return nil, err
	}
	if len(q.work) != 1 {
		return nil, fmt.Errorf("gocuda: graph: %w: the function of the node has queued %d things, not one", ErrInvalidValue, len(q.work))
	}
	return q.work[0], nil
}

// lock locks the graph, unless it can't be used.
func (g *Graph) lock() error {
	if g == nil || g.dev == nil {
		return errNilGraph
	}
	g.mu.Lock()
	if g.destroyed {
		g.mu.Unlock()
		return errDestroyed
	}
	return nil
}

func (g *Graph) add(deps []*GraphNode, kind GraphNodeType, p nodeParams) (*GraphNode, error) {
	if err := g.lock(); err != nil {
		return nil, err
	}
	defer g.mu.Unlock()
	if err := g.own(deps); err != nil {
		return nil, err
	}
	for i, d := range deps {
		if slices.Contains(deps[:i], d) {
			return nil, fmt.Errorf("gocuda: graph: %w: %v is among the dependencies twice", ErrInvalidValue, d)
		}
	}
	n := &GraphNode{graph: g, kind: kind, deps: slices.Clone(deps), nodeParams: p}
	for _, d := range deps {
		d.dependents = append(d.dependents, n)
	}
	g.nodes = append(g.nodes, n)
	return n, nil
}

// own returns what is wrong with nodes that should be of g, which is locked.
func (g *Graph) own(nodes []*GraphNode) error {
	for _, n := range nodes {
		switch {
		case n == nil:
			return errNilNode
		case n.graph != g:
			return fmt.Errorf("gocuda: graph: %w: %v is a node of another graph", ErrInvalidValue, n)
		case n.removed:
			return fmt.Errorf("gocuda: graph: %w: %v was destroyed", ErrInvalidResourceHandle, n)
		}
	}
	return nil
}

// AddDependencies makes each node to[i] wait for from[i], CUDA's cudaGraphAddDependencies. An edge
// that is there already, or that would close a cycle, is an [ErrInvalidValue]; then none of them is
// added.
func (g *Graph) AddDependencies(from, to []*GraphNode) error {
	if err := g.lock(); err != nil {
		return err
	}
	defer g.mu.Unlock()
	if err := g.edges(from, to); err != nil {
		return err
	}
	for i, n := range to {
		var err error
		if slices.Contains(n.deps, from[i]) {
			err = fmt.Errorf("gocuda: graph: %w: %v waits for %v already", ErrInvalidValue, n, from[i])
		} else if way := path(n, from[i]); way != nil {
			err = fmt.Errorf("gocuda: graph: %w: that would be a cycle: %v", ErrInvalidValue, way)
		}
		if err != nil {
			for k := range i {
				unlink(from[k], to[k])
			}
			return err
		}
		n.deps = append(n.deps, from[i])
		from[i].dependents = append(from[i].dependents, n)
	}
	return nil
}

// RemoveDependencies removes edges, CUDA's cudaGraphRemoveDependencies. If one of them is not there
// it is an [ErrInvalidValue], and none is removed.
func (g *Graph) RemoveDependencies(from, to []*GraphNode) error {
	if err := g.lock(); err != nil {
		return err
	}
	defer g.mu.Unlock()
	if err := g.edges(from, to); err != nil {
		return err
	}
	for i, n := range to {
		twice := false
		for k := range i {
			twice = twice || from[k] == from[i] && to[k] == n
		}
		if twice || !slices.Contains(n.deps, from[i]) {
			return fmt.Errorf("gocuda: graph: %w: %v does not wait for %v", ErrInvalidValue, n, from[i])
		}
	}
	for i, n := range to {
		unlink(from[i], n)
	}
	return nil
}

func (g *Graph) edges(from, to []*GraphNode) error {
	if len(from) != len(to) {
		return fmt.Errorf("gocuda: graph: %w: edges from %d nodes to %d", ErrInvalidValue, len(from), len(to))
	}
	if err := g.own(from); err != nil {
		return err
	}
	return g.own(to)
}

func unlink(from, to *GraphNode) {
	same := func(n *GraphNode) func(*GraphNode) bool { return func(m *GraphNode) bool { return m == n } }
	to.deps = slices.DeleteFunc(to.deps, same(from))
	from.dependents = slices.DeleteFunc(from.dependents, same(to))
}

// path returns the nodes on a way along edges, or nil if there is none.
func path(from, to *GraphNode) []*GraphNode {
	before := map[*GraphNode]*GraphNode{from: nil}
	for todo := []*GraphNode{from}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n == to {
			var way []*GraphNode
			for ; n != nil; n = before[n] {
				way = append(way, n)
			}
			slices.Reverse(way)
			return way
		}
		for _, d := range n.dependents {
			if _, seen := before[d]; !seen {
				before[d] = n
				todo = append(todo, d)
			}
		}
	}
	return nil
}

// Nodes returns the nodes in the order in which they were added, CUDA's cudaGraphGetNodes. It is
// empty for a graph that was destroyed.
func (g *Graph) Nodes() []*GraphNode {
	if g.lock() != nil {
		return nil
	}
	defer g.mu.Unlock()
	return slices.Clone(g.nodes)
}

// RootNodes returns the nodes that wait for no other, CUDA's cudaGraphGetRootNodes.
func (g *Graph) RootNodes() []*GraphNode {
	return slices.DeleteFunc(g.Nodes(), func(n *GraphNode) bool { return len(n.Dependencies()) > 0 })
}

// Edges returns all dependencies, to[i] waits for from[i]: CUDA's cudaGraphGetEdges.
func (g *Graph) Edges() (from, to []*GraphNode) {
	for _, n := range g.Nodes() {
		for _, d := range n.Dependencies() {
			from, to = append(from, d), append(to, n)
		}
	}
	return from, to
}

// Clone returns a copy of the graph, with copies of its child graphs: CUDA's cudaGraphClone.
// Kernels, functions and events are shared.
func (g *Graph) Clone() (*Graph, error) {
	if err := g.lock(); err != nil {
		return nil, err
	}
	defer g.mu.Unlock()
	clone := &Graph{dev: g.dev, nodes: make([]*GraphNode, len(g.nodes))}
	of := make(map[*GraphNode]*GraphNode, len(g.nodes))
	for i, n := range g.nodes {
		c := &GraphNode{graph: clone, original: n, kind: n.kind, nodeParams: n.nodeParams}
		if n.child != nil {
			child, err := n.child.Clone()
			if err != nil {
				return nil, err
			}
			c.child = child
		}
		clone.nodes[i], of[n] = c, c
	}
	all := func(nodes []*GraphNode) []*GraphNode {
		clones := make([]*GraphNode, len(nodes))
		for i, n := range nodes {
			clones[i] = of[n]
		}
		return clones
	}
	for i, n := range g.nodes {
		clone.nodes[i].deps, clone.nodes[i].dependents = all(n.deps), all(n.dependents)
	}
	return clone, nil
}

// Destroy ends the use of the graph and its nodes, CUDA's cudaGraphDestroy. Graphs hold nothing but
// memory, so it is not needed; executable graphs and child nodes made of it live on.
func (g *Graph) Destroy() error {
	if err := g.lock(); err != nil {
		return err
	}
	defer g.mu.Unlock()
	g.destroyed, g.nodes = true, nil
	return nil
}

// lock locks the graph of a node, unless that is nil or was destroyed.
func (n *GraphNode) lock() error {
	if n == nil {
		return errNilNode
	}
	if err := n.graph.lock(); err != nil {
		return err
	}
	if err := n.graph.own([]*GraphNode{n}); err != nil {
		n.graph.mu.Unlock()
		return err
	}
	return nil
}

// lockAs is lock for a node that must be of the given type.
func (n *GraphNode) lockAs(kind GraphNodeType) error {
	if err := n.lock(); err != nil {
		return err
	}
	if n.kind != kind {
		n.graph.mu.Unlock()
		return fmt.Errorf("gocuda: graph: %w: %v is no %v node", ErrInvalidValue, n, kind)
	}
	return nil
}

// Type returns what the node is, CUDA's cudaGraphNodeGetType.
func (n *GraphNode) Type() GraphNodeType { return n.kind }

// String names the node by its type, and a kernel also by its name.
func (n *GraphNode) String() string {
	switch {
	case n == nil:
		return "no node"
	case n.kind == GraphNodeKernel:
		return "kernel node " + infoOf(n.kernel).name
	}
	return n.kind.String() + " node"
}

// Graph returns the graph that the node belongs to.
func (n *GraphNode) Graph() *Graph { return n.graph }

// Dependencies returns the nodes that n waits for, CUDA's cudaGraphNodeGetDependencies.
func (n *GraphNode) Dependencies() []*GraphNode {
	if n.lock() != nil {
		return nil
	}
	defer n.graph.mu.Unlock()
	return slices.Clone(n.deps)
}

// Dependents returns the nodes that wait for n, CUDA's cudaGraphNodeGetDependentNodes.
func (n *GraphNode) Dependents() []*GraphNode {
	if n.lock() != nil {
		return nil
	}
	defer n.graph.mu.Unlock()
	return slices.Clone(n.dependents)
}

// FindInClone returns the copy of n in a graph that [Graph.Clone] made of n's, CUDA's
// cudaGraphNodeFindInClone.
func (n *GraphNode) FindInClone(clone *Graph) (*GraphNode, error) {
	if n == nil {
		return nil, errNilNode
	}
	for _, c := range clone.Nodes() {
		if c.original == n {
			return c, nil
		}
	}
	return nil, fmt.Errorf("gocuda: graph: %w: the clone has no copy of %v", ErrInvalidValue, n)
}

// Destroy removes the node and its edges from its graph, CUDA's cudaGraphDestroyNode.
func (n *GraphNode) Destroy() error {
	if err := n.lock(); err != nil {
		return err
	}
	g := n.graph
	defer g.mu.Unlock()
	for _, d := range slices.Clone(n.deps) {
		unlink(d, n)
	}
	for _, d := range slices.Clone(n.dependents) {
		unlink(n, d)
	}
	g.nodes = slices.DeleteFunc(g.nodes, func(m *GraphNode) bool { return m == n })
	n.removed = true
	return nil
}

// KernelParams returns the launch of a kernel node, CUDA's cudaGraphKernelNodeGetParams.
func (n *GraphNode) KernelParams() (cfg grid.Config, kernel Kernel, err error) {
	if err := n.lockAs(GraphNodeKernel); err != nil {
		return grid.Config{}, nil, err
	}
	defer n.graph.mu.Unlock()
	return n.cfg, n.kernel, nil
}

// SetKernelParams changes a kernel node, CUDA's cudaGraphKernelNodeSetParams. Executable graphs
// made before stay as they are; see [GraphExec.KernelNodeSetParams].
func (n *GraphNode) SetKernelParams(cfg grid.Config, kernel Kernel) error {
	if err := n.lockAs(GraphNodeKernel); err != nil {
		return err
	}
	defer n.graph.mu.Unlock()
	if err := n.checkKernel(cfg, kernel); err != nil {
		return err
	}
	n.cfg, n.kernel, n.ctx = cfg, kernel, nil
	return nil
}

// checkKernel returns what is wrong with a launch by a kernel node.
func (p *nodeParams) checkKernel(cfg grid.Config, kernel Kernel) error {
	if p.cooperative {
		return p.dev.checkCooperative(cfg, kernel)
	}
	return p.dev.check(cfg, kernel)
}

// SetHostParams changes the function of a host node, CUDA's cudaGraphHostNodeSetParams.
func (n *GraphNode) SetHostParams(f func() error) error {
	if err := notNil(f); err != nil {
		return err
	}
	if err := n.lockAs(GraphNodeHost); err != nil {
		return err
	}
	defer n.graph.mu.Unlock()
	n.work = f
	return nil
}

// Event returns the event of a node that records it or waits for it, CUDA's
// cudaGraphEventRecordNodeGetEvent.
func (n *GraphNode) Event() (*Event, error) {
	if err := n.lock(); err != nil {
		return nil, err
	}
	defer n.graph.mu.Unlock()
	if n.event == nil {
		return nil, fmt.Errorf("gocuda: graph: %w: %v has no event", ErrInvalidValue, n)
	}
	return n.event, nil
}

// ChildGraph returns the graph inside a child graph node, CUDA's cudaGraphChildGraphNodeGetGraph.
// It may be changed, and must not be destroyed.
func (n *GraphNode) ChildGraph() (*Graph, error) {
	if err := n.lockAs(GraphNodeGraph); err != nil {
		return nil, err
	}
	defer n.graph.mu.Unlock()
	return n.child, nil
}

// WriteDOT writes the graph in the language of Graphviz, CUDA's cudaGraphDebugDotPrint.
func (g *Graph) WriteDOT(w io.Writer) error {
	if err := g.lock(); err != nil {
		return err
	}
	var text strings.Builder
	text.WriteString("digraph {\n")
	number := map[*GraphNode]int{}
	for i, n := range g.nodes {
		number[n] = i
		fmt.Fprintf(&text, "\tn%d [label=%q]\n", i, n)
	}
	for i, n := range g.nodes {
		for _, d := range n.deps {
			fmt.Fprintf(&text, "\tn%d -> n%d\n", number[d], i)
		}
	}
	text.WriteString("}\n")
	g.mu.Unlock()
	if _, err := io.WriteString(w, text.String()); err != nil {
		return fmt.Errorf("gocuda: graph: %w", err)
	}
	return nil
}
