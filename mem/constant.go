package mem

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"
	"weak"
)

// Constant memory: symbols that the host writes and kernels read. On a GPU it has a cache of its
// own, which is fast where all threads of a warp read the same element. On a processor any memory
// has this property: an element that is the same for all threads is read once for a vector of them.
//
// A symbol is declared at package level, where CUDA has __constant__, and has contents of its own
// on each device:
//
//	var coef = mem.NewConstant[float32]("coef", 16)
//
//	//gocuda:kernel
//	func filter(t *gocuda.Thread, c mem.ReadOnly[float32], in, out []float32) { ... c.At(k) ... }
//
//	err := mem.CopyToSymbol(dev, coef, host, 0) // cudaMemcpyToSymbol
//	c, err := coef.On(dev)
//	err = dev.Launch(ctx, cfg, filterKernel(c, in, out))

// ConstantBytes is how much constant memory the symbols of a module can have together, as on all
// GPUs: 64 KiB.
const ConstantBytes = 64 << 10

// A Module is a set of symbols that share the [ConstantBytes] of constant memory, as those of a
// CUmodule do. The zero value is an empty module. A program has one that [NewConstant] uses; a
// package that needs much of it should have its own.
type Module struct {
	mu   sync.Mutex
	used int64
}

var program Module

// A Constant is a symbol in constant memory: an array of T on each device. Declare it at package level.
type Constant[T any] struct {
	name   string
	module *Module
	n      int
	init   []T
	err    error

	mu sync.Mutex
	on []placed
}

// placed is the contents of a symbol on one device. A symbol mostly lives as long as the program,
// so it must not keep devices.
type placed struct {
	space    weak.Pointer[Space]
	contents *constants
}

// constants are the contents of a symbol on a device.
type constants struct {
	name string
	data []byte

	mu     hiddenMutex
	shadow []byte // in checked mode: what data should be
}

// A symbolSet is the symbols of a device. It is read after each launch. To the race detector, these
// reads must not order the launches; so the lock is hidden, and so are the accesses.
type symbolSet struct {
	mu  hiddenMutex
	all []weak.Pointer[constants]
}

//go:norace
func (set *symbolSet) add(k *constants) {
	set.mu.Lock()
	defer set.mu.Unlock()
	n := 0
	for _, p := range set.all {
		if p.Value() != nil {
			set.all[n] = p
			n++
		}
	}
	set.all = append(set.all[:n], weak.Make(k))
}

//go:norace
func (set *symbolSet) list() []*constants {
	set.mu.Lock()
	defer set.mu.Unlock()
	var all []*constants
	for _, p := range set.all {
		if k := p.Value(); k != nil {
			all = append(all, k)
		}
	}
	return all
}

// NewConstant declares a symbol of n elements, which begin with init and are zero behind it: CUDA's
//
//	__constant__ T name[n] = {init...};
//
// The name is for messages. What is wrong is reported by Err, and by whatever uses the symbol.
func NewConstant[T any](name string, n int, init ...T) *Constant[T] {
	return NewConstantIn(&program, name, n, init...)
}

// NewConstantIn is [NewConstant] in a module of its own.
func NewConstantIn[T any](m *Module, name string, n int, init ...T) *Constant[T] {
	c := &Constant[T]{name: name, module: m, n: n, init: slices.Clone(init)}
	var z T
	_, err := sizeOf[T](n)
	switch size := int64(n) * int64(unsafe.Sizeof(z)); {
	case m == nil:
		c.err = fmt.Errorf("mem: %w: symbol %s: no module", ErrInvalidValue, name)
	case err != nil:
		c.err = fmt.Errorf("symbol %s: %w", name, err)
	case len(init) > n:
		c.err = fmt.Errorf("mem: %w: symbol %s: %d elements with %d values", ErrInvalidValue, name, n, len(init))
	default:
		align := int64(unsafe.Alignof(z))
		m.mu.Lock()
		defer m.mu.Unlock()
		from := (m.used + align - 1) / align * align
		if size > ConstantBytes-from {
			c.err = fmt.Errorf("%w: symbol %s of %d bytes, and the module has %d of %d", ErrConstantMemory, name, size,
				m.used, ConstantBytes)
			return c
		}
		m.used = from + size
	}
	return c
}

// Err returns what is wrong with the declaration: no valid size or type, or more than
// [ConstantBytes] in a module.
func (c *Constant[T]) Err() error {
	if c == nil || c.module == nil && c.err == nil {
		return fmt.Errorf("%w: no symbol", ErrInvalidSymbol)
	}
	return c.err
}

// Len returns the number of elements.
func (c *Constant[T]) Len() int {
	if c == nil {
		return 0
	}
	return c.n
}

// Size returns the number of bytes, CUDA's cudaGetSymbolSize. It is 0 for a symbol that is in error.
func (c *Constant[T]) Size() int {
	if c.Err() != nil {
		return 0
	}
	var z T
	return c.n * int(unsafe.Sizeof(z))
}

// place returns the contents on dev.
func (c *Constant[T]) place(dev Device) (*constants, []T, error) {
	if err := c.Err(); err != nil {
		return nil, nil, err
	}
	s, err := spaceOf(dev)
	if err != nil {
		return nil, nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	self := weak.Make(s)
	i := slices.IndexFunc(c.on, func(p placed) bool { return p.space == self })
	if i < 0 {
		if s.isClosed() {
			return nil, nil, errClosed
		}
		c.on = slices.DeleteFunc(c.on, func(p placed) bool { return p.space.Value() == nil })
		i = len(c.on)
		c.on = append(c.on, placed{self, c.load(s)})
	}
	k := c.on[i].contents
	return k, elements[T](k.data, c.n), nil
}

// load makes the contents for a device.
func (c *Constant[T]) load(s *Space) *constants {
	k := &constants{name: c.name, data: aligned(c.Size())}
	copy(elements[T](k.data, c.n), c.init)
	live.add(&allocation{kind: MemoryTypeDevice, loose: weak.Make(s), constant: true}, k.data)
	if s.poison {
		k.shadow = slices.Clone(k.data)
		s.symbols.add(k)
	}
	return k
}

// elements returns b as n elements, which may have no size.
func elements[T any](b []byte, n int) []T {
	if len(b) == 0 {
		return make([]T, n)
	}
	return View[T](b)
}

// On returns the symbol on dev for a kernel.
func (c *Constant[T]) On(dev Device) (ReadOnly[T], error) {
	_, data, err := c.place(dev)
	return ReadOnly[T]{data}, err
}

// Address returns the address of the first element on dev, CUDA's cudaGetSymbolAddress. It is
// memory of the device to [AttributesOf]. A symbol without elements has none: nil.
func (c *Constant[T]) Address(dev Device) (*T, error) {
	_, data, err := c.place(dev)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	return &data[0], nil
}

// write returns the func that copies src to the symbol.
func (c *Constant[T]) write(dev Device, src []T, offset int) (func() error, error) {
	k, data, err := c.part(dev, len(src), offset)
	if err != nil {
		return nil, err
	}
	if err := fits(data, src); err != nil {
		return nil, err
	}
	owners := ownersOf(src)
	return func() error {
		for _, a := range owners {
			if err := a.inOrder(); err != nil {
				return err
			}
		}
		k.mu.Lock() // hidden, so that the race detector sees copies that nothing orders
		defer k.mu.Unlock()
		copy(data, src)
		k.follow(bytesOf(data))
		return nil
	}, nil
}

// read returns the func that copies a part of the symbol to dst.
func (c *Constant[T]) read(dev Device, dst []T, offset int) (func() error, error) {
	_, data, err := c.part(dev, len(dst), offset)
	if err != nil {
		return nil, err
	}
	if err := fits(dst, data); err != nil {
		return nil, err
	}
	owners := ownersOf(dst)
	return func() error {
		for _, a := range owners {
			if err := a.inOrder(); err != nil {
				return err
			}
		}
		copy(dst, data)
		return nil
	}, nil
}

// part returns n elements of the symbol on dev, from offset on.
func (c *Constant[T]) part(dev Device, n, offset int) (*constants, []T, error) {
	k, data, err := c.place(dev)
	if err != nil {
		return nil, nil, err
	}
	if offset < 0 || offset > len(data) || n > len(data)-offset {
		return nil, nil, fmt.Errorf("mem: %w: %d elements from element %d of symbol %s, which has %d", ErrInvalidValue, n,
			offset, c.name, len(data))
	}
	return k, data[offset : offset+n : offset+n], nil
}

// CheckConstants returns an [ErrConstantWritten] if a kernel has changed constant memory since the
// last time, and undoes it. It only looks on devices in checked mode. Package gocuda calls it after
// each launch.
func (s *Space) CheckConstants() error {
	if !s.poison {
		return nil
	}
	for _, k := range s.symbols.list() {
		if at := k.restore(); at >= 0 {
			return fmt.Errorf("%w: symbol %s, byte %d", ErrConstantWritten, k.name, at)
		}
	}
	return nil
}

// follow copies part, a piece of k.data, to its shadow. k.mu is held.
//
//go:norace
func (k *constants) follow(part []byte) {
	if k.shadow == nil || len(part) == 0 {
		return
	}
	at := addressOf(part) - addressOf(k.data)
	for i := range part { // copy would tell the race detector
		k.shadow[at+uintptr(i)] = part[i]
	}
}

// restore undoes writes other than those of copies, and returns the index of the first changed
// byte, or -1.
//
//go:norace
func (k *constants) restore() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	if same(k.data, k.shadow) {
		return -1
	}
	at := -1
	for i := range k.data {
		if k.data[i] != k.shadow[i] {
			k.data[i] = k.shadow[i]
			if at < 0 {
				at = i
			}
		}
	}
	return at
}
