package mem

import (
	"encoding/binary"
	"fmt"
	"unsafe"
)

// Memsets of words, the driver API's cuMemsetD16 and cuMemsetD32. CUDA counts words; here the
// length is the buffer's or the rectangle's, of any element type whose bytes are whole words. The
// words have the byte order of the processor.

// MemsetD16 sets every 16-bit word of dst to value, CUDA's cuMemsetD16. Memory that does not begin
// at a word or is no whole number of words is an [ErrInvalidValue].
func MemsetD16[T any](dst *Buffer[T], value uint16) error { return setWords(dst, word16(value)) }

// MemsetD32 sets every 32-bit word of dst to value, CUDA's cuMemsetD32, as [MemsetD16].
func MemsetD32[T any](dst *Buffer[T], value uint32) error { return setWords(dst, word32(value)) }

// MemsetD16Async queues [MemsetD16] on s, CUDA's cuMemsetD16Async.
func MemsetD16Async[T any](s Stream, dst *Buffer[T], value uint16) error {
	return queueWords(s, dst, word16(value))
}

// MemsetD32Async queues [MemsetD32] on s, CUDA's cuMemsetD32Async.
func MemsetD32Async[T any](s Stream, dst *Buffer[T], value uint32) error {
	return queueWords(s, dst, word32(value))
}

// Memset2DD16 sets every 16-bit word of a rectangle of width x height elements, from the place of
// dst on, to value: CUDA's cuMemsetD2D16. Rows that do not begin at a word or are no whole number
// of words are an [ErrInvalidValue].
func Memset2DD16[T any](dst Rows[T], value uint16, width, height int) error {
	return setWords2D(dst, word16(value), width, height)
}

// Memset2DD32 sets every 32-bit word of a rectangle, CUDA's cuMemsetD2D32, as [Memset2DD16].
func Memset2DD32[T any](dst Rows[T], value uint32, width, height int) error {
	return setWords2D(dst, word32(value), width, height)
}

// A word is what is repeated, size bytes of it.
type word struct {
	bytes [4]byte
	size  int
}

func word16(value uint16) (w word) {
	binary.NativeEndian.PutUint16(w.bytes[:], value)
	w.size = 2
	return w
}

func word32(value uint32) (w word) {
	binary.NativeEndian.PutUint32(w.bytes[:], value)
	w.size = 4
	return w
}

// fill repeats the word over b, which holds whole words.
func (w word) fill(b []byte) {
	var piece [64]byte // as in Fill
	for i := range piece {
		piece[i] = w.bytes[i%w.size]
	}
	for len(b) > 0 {
		b = b[copy(b, piece[:]):]
	}
}

// wholeWords returns an error unless s is whole words, from the beginning of a word on.
func wholeWords[T any](w word, s []T) error {
	b := bytesOf(s)
	if len(b) == 0 {
		return nil
	}
	if len(b)%w.size != 0 {
		return fmt.Errorf("mem: %w: %d bytes are no whole number of words of %d bits", ErrInvalidValue, len(b), 8*w.size)
	}
	if at := uintptr(unsafe.Pointer(&b[0])); at%uintptr(w.size) != 0 {
		return fmt.Errorf("mem: %w: the memory begins %d bytes behind a word of %d bits", ErrInvalidValue, at%uintptr(w.size), 8*w.size)
	}
	return nil
}

func setWords[T any](dst *Buffer[T], w word) error {
	end, err := turnOf(dst, nil)
	if err != nil {
		return err
	}
	defer end()
	if err := dst.now(); err != nil {
		return err
	}
	if err := wholeWords(w, dst.data); err != nil {
		return err
	}
	touch(bytesOf(dst.data), true)
	defer timed("fill", len(bytesOf(dst.data)))()
	w.fill(bytesOf(dst.data))
	return nil
}

func queueWords[T any](s Stream, dst *Buffer[T], w word) error {
	if err := onStream(s, dst); err != nil {
		return err
	}
	if err := wholeWords(w, dst.data); err != nil {
		return err
	}
	data, owner := dst.data, dst.owner
	return s.Enqueue(func() error {
		if err := owner.inOrder(); err != nil {
			return err
		}
		touch(bytesOf(data), true)
		defer timed("fill", len(bytesOf(data)))()
		w.fill(bytesOf(data))
		return nil
	})
}

func setWords2D[T any](dst Rows[T], w word, width, height int) error {
	f, err := fillOf(dst, width, height, 1)
	if err != nil {
		return err
	}
	if len(f.data) > 0 {
		for y := range height { // the bytes between rows need be no whole words
			if err := wholeWords(w, f.data[y*f.row:y*f.row+width]); err != nil {
				return err
			}
		}
	}
	return f.now(func() error { return f.each(w.fill) })
}
