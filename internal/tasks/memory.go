package tasks

import (
	"fmt"
	"io"
	"os"

	"github.com/gocuda/gocuda/internal/host"
)

// Sizes are compared with the memory that there is before it is taken: sizes that flags ask for,
// that the head of a file claims, and those of files. Go can't recover from running out of memory.

// fits returns an error if there is not enough memory for input of so many elements, and what the
// job does with it.
func (e *Env) fits(elements float64) error {
	what := fmt.Sprintf("%.4g elements", elements)
	if e.In != "" {
		what = e.In + ": " + what
	}
	return host.Need(elements*float64(e.perElement), what)
}

// open opens the file that is the input. The number of its elements is not known before it has been
// read; what is read takes twice its size at least.
func (e *Env) open() (io.ReadCloser, error) {
	f, err := os.Open(e.In)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() {
		err = host.Need(2*float64(info.Size()), e.In)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return &endless{f, e.In, host.Free() / 8}, nil
	}
	return f, nil
}

// An endless is input that may have no end, of a pipe or a device.
type endless struct {
	*os.File
	name string
	left int64 // that may be read
}

func (r *endless) Read(p []byte) (int, error) {
	n, err := r.File.Read(p)
	if r.left -= int64(n); r.left < 0 {
		return 0, fmt.Errorf("%w: there is no end of %s", host.ErrOutOfMemory, r.name)
	}
	return n, err
}
