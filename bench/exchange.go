package bench

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"
)

// The files through which this process and the programs in C share their data. The format is that of
// baseline/host.h: an input is a list of arrays, each a length in bytes and its elements; an output is
// elements alone.

// An exchange is what the programs in C get of a problem, and where their result goes: to the same
// memory as the results of all others, where the problem checks it.
type exchange struct {
	in, out []array
}

// An array is a slice of numbers, or of structs of numbers, of any type.
type array struct {
	bytes int
	write func(io.Writer) error
	read  func(io.Reader) error
}

func arrays(a ...array) []array { return a }

// chunk is how many elements are converted at a time. All at once would double the memory.
const chunk = 1 << 16

func of[T any](v []T) array {
	return array{
		bytes: binary.Size(v),
		write: func(w io.Writer) error {
			for part := range slices.Chunk(v, chunk) {
				if err := binary.Write(w, binary.NativeEndian, part); err != nil {
					return err
				}
			}
			return nil
		},
		read: func(r io.Reader) error {
			for part := range slices.Chunk(v, chunk) {
				if err := binary.Read(r, binary.NativeEndian, part); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// writeInput makes the file that a program reads.
func (x *exchange) writeInput(path string) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	w := bufio.NewWriterSize(f, 1<<18)
	for _, a := range x.in {
		if err := binary.Write(w, binary.NativeEndian, uint64(a.bytes)); err != nil {
			return err
		}
		if err := a.write(w); err != nil {
			return err
		}
	}
	return w.Flush()
}

// readOutput takes over what a program has written.
func (x *exchange) readOutput(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	want := 0
	for _, a := range x.out {
		want += a.bytes
	}
	if info, err := f.Stat(); err != nil {
		return err
	} else if info.Size() != int64(want) {
		return fmt.Errorf("the result has %d bytes, not %d", info.Size(), want)
	}
	r := bufio.NewReaderSize(f, 1<<18)
	for _, a := range x.out {
		if err := a.read(r); err != nil {
			return err
		}
	}
	return nil
}
