package memsys

import (
	"fmt"
	"iter"

	"github.com/gocuda/gocuda/gocuda"
)

// Lanes is the number of threads of a warp.
const Lanes = 32

// A Request is one load or store of a warp: each active lane asks for Size bytes at its address.
// Size is 1, 2, 4, 8 or 16, and addresses are multiples of it; larger and unaligned accesses are
// several instructions on a GPU (see [Split]). The zero Request has no active lane and a size that
// is refused.
type Request struct {
	Active uint32        // bit i is set if lane i takes part
	Addr   [Lanes]uint64 // in bytes; only those of active lanes count
	Size   int           // bytes a lane
	Store  bool
}

// Strided returns the load of a whole warp in which lane i reads element stride*i, of size bytes, of an
// array that begins at base. A negative stride reads backwards from base.
func Strided(base uint64, stride, size int) Request {
	r := Request{Active: ^uint32(0), Size: size}
	for lane := range r.Addr {
		r.Addr[lane] = base + uint64(int64(stride)*int64(lane)*int64(size))
	}
	return r
}

// Split returns the size of the words, and their number, in which a GPU accesses a value of size
// bytes whose address is a multiple of align: the largest words of up to 16 bytes that fit without
// a rest. A struct of three float32 is three words of 4 bytes, and an access to it three requests.
// Both results are 0 unless size and align are positive.
func Split(size, align int) (word, n int) {
	if size <= 0 || align <= 0 {
		return 0, 0
	}
	word = 16
	for size%word != 0 || align%word != 0 {
		word /= 2
	}
	return word, size / word
}

// Useful is the number of bytes that the active lanes ask for, each lane counted.
func (r *Request) Useful() int {
	n := 0
	for range r.lanes(0, Lanes) {
		n += r.Size
	}
	return n
}

// check reports what is wrong with a request, or with a capability that no rule is known for.
func (r *Request) check(c gocuda.Capability) error {
	if c.Major < 1 || c.Minor < 0 || c.Major == 1 && c.Minor > 3 {
		return fmt.Errorf("memsys: there is no compute capability %v", c)
	}
	return r.valid()
}

func (r *Request) valid() error {
	switch r.Size {
	case 1, 2, 4, 8, 16:
	default:
		return fmt.Errorf("memsys: a lane can't access %d bytes with one instruction: 1, 2, 4, 8 or 16", r.Size)
	}
	for lane, a := range r.lanes(0, Lanes) {
		if a%uint64(r.Size) != 0 {
			return fmt.Errorf("memsys: lane %d accesses %d bytes at %#x, which is not a multiple of the size", lane, r.Size, a)
		}
	}
	return nil
}

// lanes yields the active lanes in [from, to) and their addresses.
func (r *Request) lanes(from, to int) iter.Seq2[int, uint64] {
	return func(yield func(int, uint64) bool) {
		for lane := from; lane < to; lane++ {
			if r.Active>>lane&1 != 0 && !yield(lane, r.Addr[lane]) {
				return
			}
		}
	}
}

// groups yields the first lane of each group of n lanes that has an active one. These are the
// half-warps (n = 16) and quarter-warps (n = 8) of the guide.
func (r *Request) groups(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for from := 0; from < Lanes; from += n {
			mask := uint32(1<<n - 1)
			if r.Active>>from&mask != 0 && !yield(from) {
				return
			}
		}
	}
}

// byWidth is how many lanes one request serves on GPUs that move 128 bytes at once: a warp up to 4
// bytes a lane, a half-warp of 8 bytes, a quarter-warp of 16.
func byWidth(size int) int { return min(Lanes, Lanes*4/size) }
