package gocuda_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/mem"
)

type node = *gocuda.GraphNode

// nodes is for arguments.
func nodes(n ...node) []node { return n }

func nop() error { return nil }

// one stops the test unless a node was added.
func one(t testing.TB) func(node, error) node {
	return func(n node, err error) node {
		t.Helper()
		require.NoError(t, err)
		return n
	}
}

func TestGraphNodesAndEdges(t *testing.T) {
	g := openDevice(t).NewGraph()
	add := one(t)
	a := add(g.AddHostNode(nil, nop))
	b := add(g.AddEmptyNode(nodes(a)))
	c := add(g.AddKernelNode(nodes(a), oneThread, gocuda.ThreadFunc(func(*gocuda.Thread) {})))
	d := add(g.AddHostNode(nodes(b, c), nop))
	e := add(g.AddHostNode(nil, nop))
	check := func(what string, got, want []node) {
		t.Helper()
		slicetest.Equal(t, want, got, what)
	}
	check("nodes", g.Nodes(), nodes(a, b, c, d, e))
	check("roots", g.RootNodes(), nodes(a, e))
	check("dependencies", d.Dependencies(), nodes(b, c))
	check("dependents", a.Dependents(), nodes(b, c))
	from, to := g.Edges()
	check("edges from", from, nodes(a, a, b, c))
	check("edges to", to, nodes(b, c, d, d))

	require.NoError(t, g.AddDependencies(nodes(e, a), nodes(d, e)))
	check("dependencies", d.Dependencies(), nodes(b, c, e))
	check("roots", g.RootNodes(), nodes(a))
	require.NoError(t, g.RemoveDependencies(nodes(e, b), nodes(d, d)))
	check("dependencies", d.Dependencies(), nodes(c))
	check("dependents", b.Dependents(), nil)

	require.NoError(t, c.Destroy())
	check("nodes", g.Nodes(), nodes(a, b, d, e))
	check("dependents", a.Dependents(), nodes(b, e))
	check("dependencies", d.Dependencies(), nil)
	assert.Same(t, g, a.Graph())
	assert.Equal(t, gocuda.GraphNodeHost, a.Type())
	assert.Equal(t, gocuda.GraphNodeEmpty, b.Type())
}

func TestGraphRefusesCycles(t *testing.T) {
	g := openDevice(t).NewGraph()
	add := one(t)
	chain := nodes(add(g.AddEmptyNode(nil)))
	for i := range 5 {
		chain = append(chain, add(g.AddEmptyNode(nodes(chain[i]))))
	}
	for _, c := range []struct{ from, to []node }{
		{nodes(chain[5]), nodes(chain[0])},
		{nodes(chain[1]), nodes(chain[0])},
		{nodes(chain[2]), nodes(chain[2])},
		{nodes(chain[0], chain[5]), nodes(chain[3], chain[0])}, // the first is fine
	} {
		err := g.AddDependencies(c.from, c.to)
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue)
		assert.ErrorContains(t, err, "cycle")
	}
	from, _ := g.Edges()
	assert.Len(t, from, 5)
}

// A random sequence of edges is accepted as long as a depth-first search finds no cycle in it.
func TestGraphRefusesExactlyTheCycles(t *testing.T) {
	dev := openDevice(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 30 {
		g := dev.NewGraph()
		var all []node
		for range 8 {
			all = append(all, one(t)(g.AddEmptyNode(nil)))
		}
		var edge [8][8]bool
		var reaches func(i, j int) bool
		reaches = func(i, j int) bool {
			if i == j {
				return true
			}
			for k, e := range edge[i] {
				if e && reaches(k, j) {
					return true
				}
			}
			return false
		}
		for range 60 {
			i, j := rnd.IntN(8), rnd.IntN(8)
			ok := !edge[i][j] && !reaches(j, i)
			require.Equal(t, ok, g.AddDependencies(nodes(all[i]), nodes(all[j])) == nil, "from %d to %d", i, j)
			edge[i][j] = edge[i][j] || ok
		}
	}
}

func TestGraphMisuse(t *testing.T) {
	dev, other := openDevice(t), openDevice(t)
	closed, err := gocuda.NewDevice()
	require.NoError(t, err)
	onClosed := closed.NewGraph()
	require.NoError(t, closed.Close())
	g, far := dev.NewGraph(), other.NewGraph()
	add := one(t)
	a, foreign := add(g.AddEmptyNode(nil)), add(far.AddEmptyNode(nil))
	gone := add(g.AddEmptyNode(nil))
	require.NoError(t, gone.Destroy())
	destroyed := dev.NewGraph()
	left := add(destroyed.AddHostNode(nil, nop))
	require.NoError(t, destroyed.Destroy())
	var none *gocuda.Graph
	var nobody node
	k := gocuda.ThreadFunc(func(*gocuda.Thread) {})
	host := add(g.AddHostNode(nil, nop))
	only := func(_ node, err error) error { return err }
	handle, value := gocuda.ErrInvalidResourceHandle, gocuda.ErrInvalidValue
	boom := errors.New("boom")
	buf, err := mem.Alloc[int](dev, 4)
	require.NoError(t, err)
	set := func(s mem.Stream) error { return mem.MemsetAsync(s, buf, 1) }
	for name, c := range map[string]struct{ err, want error }{
		"nil graph":                     {only(none.AddEmptyNode(nil)), handle},
		"kernel in a nil graph":         {only(none.AddKernelNode(nil, oneThread, k)), handle},
		"copy in a nil graph":           {only(none.AddMemcpyNode(nil, set)), handle},
		"record in a nil graph":         {only(none.AddEventRecordNode(nil, dev.NewEvent())), handle},
		"nil child":                     {only(g.AddChildGraphNode(nil, none)), handle},
		"instantiate nil":               {second(none.Instantiate()), handle},
		"clone nil":                     {second(none.Clone()), handle},
		"graph of a closed device":      {only(onClosed.AddKernelNode(nil, oneThread, k)), handle},
		"destroyed graph":               {only(destroyed.AddEmptyNode(nil)), handle},
		"destroyed graph again":         {destroyed.Destroy(), handle},
		"destroyed child":               {only(g.AddChildGraphNode(nil, destroyed)), handle},
		"instantiate a destroyed graph": {second(destroyed.Instantiate()), handle},
		"node of a destroyed graph":     {left.SetHostParams(nop), handle},
		"destroyed node":                {only(g.AddEmptyNode(nodes(gone))), handle},
		"destroyed node again":          {gone.Destroy(), handle},
		"edge to a destroyed node":      {g.AddDependencies(nodes(a), nodes(gone)), handle},
		"nil node":                      {only(g.AddEmptyNode(nodes(nil))), handle},
		"destroy a nil node":            {nobody.Destroy(), handle},
		"foreign node":                  {only(g.AddEmptyNode(nodes(foreign))), value},
		"edge from a foreign node":      {g.AddDependencies(nodes(foreign), nodes(a)), value},
		"the same node twice":           {only(g.AddEmptyNode(nodes(a, a))), value},
		"edges of different numbers":    {g.AddDependencies(nodes(a), nil), value},
		"remove an edge that is not":    {g.RemoveDependencies(nodes(a), nodes(host)), value},
		"nil kernel":                    {only(g.AddKernelNode(nil, oneThread, nil)), gocuda.ErrInvalidDeviceFunction},
		"block too large":               {only(g.AddKernelNode(nil, grid.Linear(5000, 5000), k)), gocuda.ErrInvalidConfiguration},
		"nil function":                  {only(g.AddHostNode(nil, nil)), value},
		"nil copy":                      {only(g.AddMemcpyNode(nil, nil)), value},
		"no copy":                       {only(g.AddMemcpyNode(nil, func(mem.Stream) error { return nil })), value},
		"two copies":                    {only(g.AddMemsetNode(nil, func(s mem.Stream) error { return errors.Join(set(s), set(s)) })), value},
		"a copy that fails":             {only(g.AddMemcpyNode(nil, func(mem.Stream) error { return boom })), boom},
		"a copy that panics":            {only(g.AddMemcpyNode(nil, func(mem.Stream) error { panic(boom) })), boom},
		"a copy on another device":      {only(far.AddMemcpyNode(nil, set)), mem.ErrForeign},
		"event of another device":       {only(g.AddEventRecordNode(nil, other.NewEvent())), handle},
		"record of nil":                 {only(g.AddEventRecordNode(nil, nil)), handle},
		"wait for nil":                  {only(g.AddEventWaitNode(nil, nil)), handle},
		"host node is no kernel":        {host.SetKernelParams(oneThread, k), value},
		"empty node has no function":    {a.SetHostParams(nop), value},
		"empty node has no event":       {second(a.Event()), value},
		"empty node has no child":       {second(a.ChildGraph()), value},
		"another graph is no clone":     {second(a.FindInClone(far)), value},
	} {
		assert.ErrorIs(t, c.err, c.want, name)
	}
	slicetest.Equal(t, nodes(a, host), g.Nodes(), "something was added nevertheless")
	assert.Nil(t, destroyed.Nodes(), "what was destroyed still has nodes")
	assert.Nil(t, left.Dependencies(), "what was destroyed still has nodes")
	assert.Nil(t, nobody.Dependents(), "what was destroyed still has nodes")
}

func second[T any](_ T, err error) error { return err }

func TestGraphClone(t *testing.T) {
	dev := openDevice(t)
	add := one(t)
	child := dev.NewGraph()
	leaf := add(child.AddHostNode(nil, nop))
	g := dev.NewGraph()
	a := add(g.AddHostNode(nil, nop))
	b := add(g.AddChildGraphNode(nodes(a), child))
	c, err := g.Clone()
	require.NoError(t, err)
	ca, err := a.FindInClone(c)
	require.NoError(t, err)
	cb, err := b.FindInClone(c)
	require.NoError(t, err)
	assert.NotSame(t, a, ca, "the clone")
	assert.Same(t, c, ca.Graph(), "the clone")
	slicetest.Equal(t, nodes(ca), cb.Dependencies(), "the clone")
	slicetest.Equal(t, nodes(ca, cb), c.Nodes(), "the clone")
	inner, err := b.ChildGraph()
	require.NoError(t, err)
	cloned, err := cb.ChildGraph()
	require.NoError(t, err)
	assert.NotSame(t, child, inner, "child graphs are shared")
	assert.NotSame(t, inner, cloned, "child graphs are shared")
	n := inner.Nodes()
	require.Len(t, n, 1, "the child")
	assert.NotSame(t, leaf, n[0], "the child")
	assert.Equal(t, gocuda.GraphNodeHost, n[0].Type(), "the child")
	// They go their own ways.
	require.NoError(t, ca.Destroy())
	add(c.AddEmptyNode(nil))
	slicetest.Equal(t, nodes(a, b), g.Nodes(), "a change of the clone has changed the graph")
	assert.Len(t, b.Dependencies(), 1, "a change of the clone has changed the graph")
}

func TestGraphParams(t *testing.T) {
	dev := openDevice(t, gocuda.WithWorkers(1))
	g := dev.NewGraph()
	var mu sync.Mutex
	ran := ""
	kernel := func(name string) gocuda.Kernel {
		return gocuda.BlockFunc(func(*gocuda.Block) {
			mu.Lock()
			defer mu.Unlock()
			ran += name
		})
	}
	n := one(t)(g.AddKernelNode(nil, oneThread, kernel("a")))
	cfg, k, err := n.KernelParams()
	require.NoError(t, err)
	assert.Equal(t, oneThread, cfg)
	assert.NotNil(t, k)
	x, err := g.Instantiate()
	require.NoError(t, err)
	two := oneThread
	two.Grid.X = 2
	require.NoError(t, n.SetKernelParams(two, kernel("b")))
	y, err := g.Instantiate()
	require.NoError(t, err)
	stream := dev.NewStream()
	for _, e := range []*gocuda.GraphExec{x, y, x} {
		require.NoError(t, e.Launch(stream))
		require.NoError(t, synchronize(t, stream))
	}
	assert.Equal(t, "abba", ran)
}

func TestGraphDOT(t *testing.T) {
	g := openDevice(t).NewGraph()
	a := one(t)(g.AddHostNode(nil, nop))
	one(t)(g.AddKernelNode(nodes(a), oneThread, watched{nil, "saxpy"}))
	var text strings.Builder
	require.NoError(t, g.WriteDOT(&text))
	for _, part := range []string{"digraph", `label="host node"`, `label="kernel node saxpy"`, "n0 -> n1"} {
		assert.Contains(t, text.String(), part)
	}
	full := errors.New("disk full")
	assert.ErrorIs(t, g.WriteDOT(writerFunc(func([]byte) (int, error) { return 0, full })), full, "a writer that fails")
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
