package mem

import (
	"fmt"
	"unsafe"
)

// Stream is an in-order queue of work on a device. A *gocuda.Stream is one.
type Stream interface {
	Device
	// Enqueue adds f to the queue. An error that f returns becomes the stream's.
	Enqueue(f func() error) error
}

// CopyToDevice copies src to the beginning of dst, CUDA's cudaMemcpy with cudaMemcpyHostToDevice. dst
// must have room for all of src; use Slice to copy to another place.
func CopyToDevice[T any](dst *Buffer[T], src []T) error {
	end, err := turnOf(dst, nil)
	if err != nil {
		return err
	}
	defer end()
	if err := dst.now(); err != nil {
		return err
	}
	return move(dst.data, src)
}

// CopyToHost copies all of src to the beginning of dst, CUDA's cudaMemcpy with
// cudaMemcpyDeviceToHost. dst must have room for it; use Slice to copy a part.
func CopyToHost[T any](dst []T, src *Buffer[T]) error {
	end, err := turnOf(src, nil)
	if err != nil {
		return err
	}
	defer end()
	if err := src.now(); err != nil {
		return err
	}
	return move(dst, src.data)
}

// Copy copies all of src to the beginning of dst on the same device, CUDA's cudaMemcpy with
// cudaMemcpyDeviceToDevice. dst must have room for it. Two devices must have peer access;
// [CopyPeer] needs none.
func Copy[T any](dst, src *Buffer[T]) error {
	if err := pair(dst, src); err != nil {
		return err
	}
	end, err := turnOf(dst, src)
	if err != nil {
		return err
	}
	defer end()
	if err := bothNow(dst, src); err != nil {
		return err
	}
	return move(dst.data, src.data)
}

// Memset sets every byte of dst to value, CUDA's cudaMemset.
func Memset[T any](dst *Buffer[T], value byte) error {
	end, err := turnOf(dst, nil)
	if err != nil {
		return err
	}
	defer end()
	if err := dst.now(); err != nil {
		return err
	}
	touch(bytesOf(dst.data), true)
	defer timed("fill", len(bytesOf(dst.data)))()
	Fill(bytesOf(dst.data), value)
	return nil
}

// CopyToDeviceAsync queues [CopyToDevice] on s, CUDA's cudaMemcpyAsync. What is wrong with the
// arguments is reported at once. src must stay unchanged until the copy is done.
func CopyToDeviceAsync[T any](s Stream, dst *Buffer[T], src []T) error {
	if err := onStream(s, dst); err != nil {
		return err
	}
	return queueMove(s, dst.data, src, dst.owner)
}

// CopyToHostAsync queues [CopyToHost] on s. dst may be used once the stream is synchronized.
func CopyToHostAsync[T any](s Stream, dst []T, src *Buffer[T]) error {
	if err := onStream(s, src); err != nil {
		return err
	}
	return queueMove(s, dst, src.data, src.owner)
}

// CopyAsync queues [Copy] on s.
func CopyAsync[T any](s Stream, dst, src *Buffer[T]) error {
	if err := pair(dst, src); err != nil {
		return err
	}
	if err := onStream(s, dst); err != nil {
		return err
	}
	return queueMove(s, dst.data, src.data, dst.owner, src.owner)
}

// MemsetAsync queues [Memset] on s.
func MemsetAsync[T any](s Stream, dst *Buffer[T], value byte) error {
	if err := onStream(s, dst); err != nil {
		return err
	}
	data, owner := dst.data, dst.owner
	return s.Enqueue(func() error {
		if err := owner.inOrder(); err != nil {
			return err
		}
		touch(bytesOf(data), true)
		defer timed("fill", len(bytesOf(data)))()
		Fill(bytesOf(data), value)
		return nil
	})
}

// streamSpace returns the memory of the stream's device.
func streamSpace(s Stream) (*Space, error) {
	if s == nil || s.Memory() == nil {
		return nil, errNoStream
	}
	return s.Memory(), nil
}

func pair[T any](dst, src *Buffer[T]) error {
	if err := dst.check(); err != nil {
		return fmt.Errorf("destination: %w", err)
	}
	if err := src.check(); err != nil {
		return fmt.Errorf("source: %w", err)
	}
	if !reach(dst.owner, src.owner) {
		return ErrForeign
	}
	return nil
}

// reach reports whether one device can use the memory of both.
func reach(a, b *allocation) bool {
	return a.home().reaches(b) || b.home().reaches(a)
}

func bothNow[T any](dst, src *Buffer[T]) error {
	if err := dst.now(); err != nil {
		return fmt.Errorf("destination: %w", err)
	}
	if err := src.now(); err != nil {
		return fmt.Errorf("source: %w", err)
	}
	return nil
}

func onStream[T any](s Stream, b *Buffer[T]) error {
	space, err := streamSpace(s)
	if err != nil {
		return err
	}
	if err := b.check(); err != nil {
		return err
	}
	if !space.reaches(b.owner) {
		return ErrForeign
	}
	return nil
}

// fits returns what is wrong with a copy of src to dst.
func fits[T any](dst, src []T) error {
	if len(dst) < len(src) {
		return fmt.Errorf("mem: %w: copy of %d elements into %d", ErrInvalidValue, len(src), len(dst))
	}
	d, s := bytesOf(dst[:len(src)]), bytesOf(src)
	if len(d) == 0 {
		return nil
	}
	dp, sp := uintptr(unsafe.Pointer(&d[0])), uintptr(unsafe.Pointer(&s[0]))
	if dp < sp+uintptr(len(s)) && sp < dp+uintptr(len(d)) {
		return ErrOverlap
	}
	return nil
}

func move[T any](dst, src []T) error {
	if err := fits(dst, src); err != nil {
		return err
	}
	touchCopy(dst, src)
	defer timed("copy", len(bytesOf(src)))()
	copy(dst, src)
	return nil
}

// queueMove holds on to the memory itself, not to the Buffer: CUDA's cudaFree waits for queued work,
// so freeing a buffer behind a queued copy must not spoil the copy.
func queueMove[T any](s Stream, dst, src []T, owners ...*allocation) error {
	if err := fits(dst, src); err != nil {
		return err
	}
	return s.Enqueue(func() error {
		for _, a := range owners {
			if err := a.inOrder(); err != nil {
				return err
			}
		}
		touchCopy(dst, src)
		defer timed("copy", len(bytesOf(src)))()
		copy(dst, src)
		return nil
	})
}

func bytesOf[T any](s []T) []byte {
	var z T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(z)))
}
