package gocuda_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
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
		must(t, err)
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
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	check("nodes", g.Nodes(), nodes(a, b, c, d, e))
	check("roots", g.RootNodes(), nodes(a, e))
	check("dependencies", d.Dependencies(), nodes(b, c))
	check("dependents", a.Dependents(), nodes(b, c))
	from, to := g.Edges()
	check("edges from", from, nodes(a, a, b, c))
	check("edges to", to, nodes(b, c, d, d))

	must(t, g.AddDependencies(nodes(e, a), nodes(d, e)))
	check("dependencies", d.Dependencies(), nodes(b, c, e))
	check("roots", g.RootNodes(), nodes(a))
	must(t, g.RemoveDependencies(nodes(e, b), nodes(d, d)))
	check("dependencies", d.Dependencies(), nodes(c))
	check("dependents", b.Dependents(), nil)

	must(t, c.Destroy())
	check("nodes", g.Nodes(), nodes(a, b, d, e))
	check("dependents", a.Dependents(), nodes(b, e))
	check("dependencies", d.Dependencies(), nil)
	if a.Graph() != g || a.Type() != gocuda.GraphNodeHost || b.Type() != gocuda.GraphNodeEmpty {
		t.Error("nodes don't know what they are")
	}
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
		if !errors.Is(err, gocuda.ErrInvalidValue) || !strings.Contains(err.Error(), "cycle") {
			t.Errorf("%v", err)
		}
	}
	if from, _ := g.Edges(); len(from) != 5 {
		t.Errorf("%d edges are left of 5", len(from))
	}
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
			if err := g.AddDependencies(nodes(all[i]), nodes(all[j])); (err == nil) != ok {
				t.Fatalf("from %d to %d: %v", i, j, err)
			}
			edge[i][j] = edge[i][j] || ok
		}
	}
}

func TestGraphMisuse(t *testing.T) {
	dev, other := openDevice(t), openDevice(t)
	closed, err := gocuda.NewDevice()
	must(t, err)
	onClosed := closed.NewGraph()
	must(t, closed.Close())
	g, far := dev.NewGraph(), other.NewGraph()
	add := one(t)
	a, foreign := add(g.AddEmptyNode(nil)), add(far.AddEmptyNode(nil))
	gone := add(g.AddEmptyNode(nil))
	must(t, gone.Destroy())
	destroyed := dev.NewGraph()
	left := add(destroyed.AddHostNode(nil, nop))
	must(t, destroyed.Destroy())
	var none *gocuda.Graph
	var nobody node
	k := gocuda.ThreadFunc(func(*gocuda.Thread) {})
	host := add(g.AddHostNode(nil, nop))
	only := func(_ node, err error) error { return err }
	handle, value := gocuda.ErrInvalidResourceHandle, gocuda.ErrInvalidValue
	boom := errors.New("boom")
	buf, err := mem.Alloc[int](dev, 4)
	must(t, err)
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
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	if n := g.Nodes(); !slices.Equal(n, nodes(a, host)) {
		t.Errorf("something was added nevertheless: %v", n)
	}
	if destroyed.Nodes() != nil || left.Dependencies() != nil || nobody.Dependents() != nil {
		t.Error("what was destroyed still has nodes")
	}
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
	must(t, err)
	ca, err := a.FindInClone(c)
	must(t, err)
	cb, err := b.FindInClone(c)
	must(t, err)
	if ca == a || ca.Graph() != c || !slices.Equal(cb.Dependencies(), nodes(ca)) || !slices.Equal(c.Nodes(), nodes(ca, cb)) {
		t.Errorf("the clone has %v", c.Nodes())
	}
	inner, err := b.ChildGraph()
	must(t, err)
	cloned, err := cb.ChildGraph()
	must(t, err)
	if inner == child || cloned == inner {
		t.Error("child graphs are shared")
	}
	if n := inner.Nodes(); len(n) != 1 || n[0] == leaf || n[0].Type() != gocuda.GraphNodeHost {
		t.Errorf("the child has %v", n)
	}
	// They go their own ways.
	must(t, ca.Destroy())
	add(c.AddEmptyNode(nil))
	if !slices.Equal(g.Nodes(), nodes(a, b)) || len(b.Dependencies()) != 1 {
		t.Error("a change of the clone has changed the graph")
	}
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
	must(t, err)
	if cfg != oneThread || k == nil {
		t.Errorf("%v, %v", cfg, k)
	}
	x, err := g.Instantiate()
	must(t, err)
	two := oneThread
	two.Grid.X = 2
	must(t, n.SetKernelParams(two, kernel("b")))
	y, err := g.Instantiate()
	must(t, err)
	stream := dev.NewStream()
	for _, e := range []*gocuda.GraphExec{x, y, x} {
		must(t, e.Launch(stream))
		must(t, synchronize(t, stream))
	}
	if ran != "abba" {
		t.Errorf("the kernels ran as %q", ran)
	}
}

func TestGraphDOT(t *testing.T) {
	g := openDevice(t).NewGraph()
	a := one(t)(g.AddHostNode(nil, nop))
	one(t)(g.AddKernelNode(nodes(a), oneThread, watched{nil, "saxpy"}))
	var text strings.Builder
	if err := g.WriteDOT(&text); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"digraph", `label="host node"`, `label="kernel node saxpy"`, "n0 -> n1"} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("no %s in\n%s", part, &text)
		}
	}
	full := errors.New("disk full")
	if err := g.WriteDOT(writerFunc(func([]byte) (int, error) { return 0, full })); !errors.Is(err, full) {
		t.Errorf("a writer that fails: %v", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
