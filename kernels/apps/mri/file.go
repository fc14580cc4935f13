package mri

import (
	"io"

	"github.com/gocuda/gocuda/kernels/internal/text"
)

// A Scan is what a file has.
type Scan struct {
	Samples Samples
	Voxels  Voxels
}

// ReadScan reads a file, whose format the comment of the package shows. name is that of the file,
// for errors: they begin with name:line:column.
func ReadScan(r io.Reader, name string) (*Scan, error) {
	f := scanReader{Reader: text.NewReader(r, name)}
	for f.Next() {
		words := f.Words('#')
		if len(words) == 0 {
			continue
		}
		var err error
		switch words[0].Text {
		case "k":
			err = f.sample(words)
		case "v":
			err = f.voxel(words)
		case "grid":
			err = f.grid(words)
		default:
			err = f.Invalid(words[0].Column, "a line begins with %q, want k, v or grid", words[0].Text)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	switch {
	case f.Samples.Len() == 0:
		return nil, f.Invalid(1, "the file ends without a sample")
	case f.Voxels.Len() == 0:
		return nil, f.Invalid(1, "the file ends without a voxel")
	}
	return &f.Scan, nil
}

// A scanReader reads one file.
type scanReader struct {
	*text.Reader
	Scan
	words int // of a sample, once there is one
}

// numbers reads the words of a line behind the first, and appends each to the slice for it.
func (f *scanReader) numbers(words []text.Word, names []string, to ...*[]float32) error {
	for i, w := range words {
		v, err := f.Float(w, names[i])
		if err != nil {
			return err
		}
		*to[i] = append(*to[i], v)
	}
	return nil
}

func (f *scanReader) sample(words []text.Word) error {
	names := []string{"kx", "ky", "kz", "phi, real", "phi, imaginary", "data, real", "data, imaginary"}
	n := len(words) - 1
	if n != 5 && n != 7 {
		return f.Invalid(words[0].Column, "a sample of %d numbers, want 5 or 7: k, phi and data", n)
	}
	if f.words == 0 {
		f.words = n
	}
	if n != f.words {
		return f.Invalid(words[0].Column, "a sample of %d numbers, and those before have %d", n, f.words)
	}
	s := &f.Samples
	return f.numbers(words[1:], names, &s.X, &s.Y, &s.Z, &s.PhiRe, &s.PhiIm, &s.DataRe, &s.DataIm)
}

func (f *scanReader) voxel(words []text.Word) error {
	v := &f.Voxels
	switch {
	case len(words) != 4:
		return f.Invalid(words[0].Column, "a voxel of %d numbers, want 3", len(words)-1)
	case v.Width > 0:
		return f.Invalid(words[0].Column, "a voxel beside a grid")
	}
	return f.numbers(words[1:], []string{"x", "y", "z"}, &v.X, &v.Y, &v.Z)
}

func (f *scanReader) grid(words []text.Word) error {
	switch {
	case len(words) != 8:
		return f.Invalid(words[0].Column, "a grid of %d numbers, want 7: width, height, depth, x, y, z and the spacing", len(words)-1)
	case f.Voxels.Width > 0:
		return f.Invalid(words[0].Column, "a second grid")
	case f.Voxels.Len() > 0:
		return f.Invalid(words[0].Column, "a grid beside voxels")
	}
	var size [3]int
	for i, what := range []string{"width", "height", "depth"} {
		var err error
		if size[i], err = f.Int(words[1+i], what, 1, maxGrid); err != nil {
			return err
		}
	}
	var at [4]float32
	for i, what := range []string{"x", "y", "z", "the spacing"} {
		var err error
		if at[i], err = f.Float(words[4+i], what); err != nil {
			return err
		}
	}
	v, err := Grid(size[0], size[1], size[2], at[0], at[1], at[2], at[3])
	if err != nil {
		return f.At(words[1].Column, err)
	}
	f.Voxels = *v
	return nil
}
