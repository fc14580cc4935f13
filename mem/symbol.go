package mem

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"
	"weak"
)

// Device symbols: arrays in device memory that live as long as the program, CUDA's __device__
// variables. The host reaches them by name, kernels read and write them. Beside constant memory:
//
//	var counter = mem.NewVariable[int32]("counter", 1)
//
//	c, err := counter.On(dev)            // []int32, for kernels
//	err = mem.CopyFromSymbol(dev, host, counter, 0)

// A Symbol is an array that a program declares at package level and that has contents on each
// device: a [*Constant] or a [*Variable].
type Symbol[T any] interface {
	// Err returns what is wrong with the declaration.
	Err() error
	// Len returns the number of elements.
	Len() int
	// Size returns the number of bytes, CUDA's cudaGetSymbolSize. It is 0 for a symbol that is in
	// error.
	Size() int
	// Address returns the address of the first element on dev, CUDA's cudaGetSymbolAddress.
	Address(dev Device) (*T, error)

	write(dev Device, src []T, offset int) (func() error, error)
	read(dev Device, dst []T, offset int) (func() error, error)
}

// CopyToSymbol copies src to a symbol of constant or device memory on dev, from element offset on:
// CUDA's cudaMemcpyToSymbol. src is memory of the host or of a device. Like all functions without
// Async it does not wait for kernels, which must not read the symbol meanwhile; on a device with
// the legacy default stream it waits for its turn.
func CopyToSymbol[T any](dev Device, sym Symbol[T], src []T, offset int) error {
	if err := declared(sym); err != nil {
		return err
	}
	f, err := sym.write(dev, src, offset)
	if err != nil {
		return err
	}
	return symbolNow(dev, src, f)
}

// CopyToSymbolAsync queues [CopyToSymbol] to the symbol on the stream's device, CUDA's
// cudaMemcpyToSymbolAsync.
func CopyToSymbolAsync[T any](s Stream, sym Symbol[T], src []T, offset int) error {
	if _, err := streamSpace(s); err != nil {
		return err
	}
	if err := declared(sym); err != nil {
		return err
	}
	f, err := sym.write(s, src, offset)
	if err != nil {
		return err
	}
	return s.Enqueue(f)
}

// CopyFromSymbol fills dst with elements of the symbol on dev, from offset on: CUDA's
// cudaMemcpyFromSymbol.
func CopyFromSymbol[T any](dev Device, dst []T, sym Symbol[T], offset int) error {
	if err := declared(sym); err != nil {
		return err
	}
	f, err := sym.read(dev, dst, offset)
	if err != nil {
		return err
	}
	return symbolNow(dev, dst, f)
}

// symbolNow copies between a symbol on dev and other memory.
func symbolNow[T any](dev Device, other []T, f func() error) error {
	end, err := inTurn(dev.Memory(), homeOf(ownerOf(other)))
	if err != nil {
		return err
	}
	defer end()
	return f()
}

// CopyFromSymbolAsync queues [CopyFromSymbol] on s, CUDA's cudaMemcpyFromSymbolAsync.
func CopyFromSymbolAsync[T any](s Stream, dst []T, sym Symbol[T], offset int) error {
	if _, err := streamSpace(s); err != nil {
		return err
	}
	if err := declared(sym); err != nil {
		return err
	}
	f, err := sym.read(s, dst, offset)
	if err != nil {
		return err
	}
	return s.Enqueue(f)
}

// declared returns an error if there is no symbol.
func declared[T any](sym Symbol[T]) error {
	if sym == nil {
		return fmt.Errorf("%w: no symbol", ErrInvalidSymbol)
	}
	return sym.Err()
}

// A Variable is a symbol in device memory: an array of T on each device, which kernels can write.
// Declare it at package level.
type Variable[T any] struct {
	name     string
	n        int
	init     []T
	declared bool // by NewVariable
	err      error

	mu sync.Mutex
	on []variablePlace[T]
}

// A variablePlace is the contents of a symbol on a device. It refers to the device weakly, since
// symbols outlive devices.
type variablePlace[T any] struct {
	space weak.Pointer[Space]
	data  []T
}

// NewVariable declares a symbol of n elements, which begin with init and are zero behind it: CUDA's
//
//	__device__ T name[n] = {init...};
//
// The name is for messages. What is wrong is reported by Err, and by whatever uses the symbol. Its
// bytes are taken from the memory of a device when the symbol is first used there, and stay taken.
func NewVariable[T any](name string, n int, init ...T) *Variable[T] {
	v := &Variable[T]{name: name, n: n, init: slices.Clone(init), declared: true}
	if _, err := sizeOf[T](n); err != nil {
		v.err = fmt.Errorf("symbol %s: %w", name, err)
	} else if len(init) > n {
		v.err = fmt.Errorf("mem: %w: symbol %s: %d elements with %d values", ErrInvalidValue, name, n, len(init))
	}
	return v
}

// Err returns what is wrong with the declaration: no valid size or type.
func (v *Variable[T]) Err() error {
	if v == nil || !v.declared {
		return fmt.Errorf("%w: no symbol", ErrInvalidSymbol)
	}
	return v.err
}

// Len returns the number of elements.
func (v *Variable[T]) Len() int {
	if v == nil {
		return 0
	}
	return v.n
}

// Size returns the number of bytes, CUDA's cudaGetSymbolSize. It is 0 for a symbol that is in error.
func (v *Variable[T]) Size() int {
	if v.Err() != nil {
		return 0
	}
	var z T
	return v.n * int(unsafe.Sizeof(z))
}

// On returns the symbol on dev for a kernel. It is the same memory each time.
func (v *Variable[T]) On(dev Device) ([]T, error) {
	if err := v.Err(); err != nil {
		return nil, err
	}
	s, err := spaceOf(dev)
	if err != nil {
		return nil, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	self := weak.Make(s)
	if i := slices.IndexFunc(v.on, func(p variablePlace[T]) bool { return p.space == self }); i >= 0 {
		return v.on[i].data, nil
	}
	v.on = slices.DeleteFunc(v.on, func(p variablePlace[T]) bool { return p.space.Value() == nil })
	reserved, err := sizeOf[T](v.n) // as for a buffer
	if err != nil {
		return nil, err
	}
	if err := s.reserve(reserved); err != nil {
		return nil, fmt.Errorf("symbol %s: %w", v.name, err)
	}
	raw := aligned(v.Size())
	data := elements[T](raw, v.n)
	copy(data, v.init)
	live.add(&allocation{kind: MemoryTypeDevice, loose: self}, raw)
	v.on = append(v.on, variablePlace[T]{self, data})
	return data, nil
}

// Address returns the address of the first element on dev, CUDA's cudaGetSymbolAddress. It is
// memory of the device to [AttributesOf]. A symbol without elements has none: nil.
func (v *Variable[T]) Address(dev Device) (*T, error) {
	data, err := v.On(dev)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	return &data[0], nil
}

func (v *Variable[T]) write(dev Device, src []T, offset int) (func() error, error) {
	data, err := v.part(dev, len(src), offset)
	if err != nil {
		return nil, err
	}
	return symbolCopy(data, src)
}

func (v *Variable[T]) read(dev Device, dst []T, offset int) (func() error, error) {
	data, err := v.part(dev, len(dst), offset)
	if err != nil {
		return nil, err
	}
	return symbolCopy(dst, data)
}

// symbolCopy returns the func that copies src to dst.
func symbolCopy[T any](dst, src []T) (func() error, error) {
	if err := fits(dst, src); err != nil {
		return nil, err
	}
	owners := append(ownersOf(dst), ownersOf(src)...)
	return func() error {
		for _, a := range owners {
			if err := a.inOrder(); err != nil {
				return err
			}
		}
		touchCopy(dst, src)
		copy(dst, src)
		return nil
	}, nil
}

// part returns n elements of the symbol on dev, from offset on.
func (v *Variable[T]) part(dev Device, n, offset int) ([]T, error) {
	data, err := v.On(dev)
	if err != nil {
		return nil, err
	}
	if offset < 0 || offset > len(data) || n > len(data)-offset {
		return nil, fmt.Errorf("mem: %w: %d elements from element %d of symbol %s, which has %d", ErrInvalidValue, n,
			offset, v.name, len(data))
	}
	return data[offset : offset+n : offset+n], nil
}
