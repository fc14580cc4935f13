package sad

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/host"
)

// YUV4MPEG2, the format of mjpegtools (its manual page yuv4mpeg(5) defines it), in which test
// sequences are published and which ffmpeg writes for a name that ends in .y4m. The first line has
// parameters, a letter and a value each, with a space before each of them; then each frame has a
// line of its own and its planes, the luma first, a byte a pixel.
//
//	YUV4MPEG2 W176 H144 F30:1 Ip A1:1 C420jpeg
//	FRAME
//	(176*144 bytes of luma, 88*72 of Cb, 88*72 of Cr)

// A Reader reads the luma of a film, frame by frame.
type Reader struct {
	Width, Height int // of a frame, in pixels

	name   string
	r      *bufio.Reader
	at     int64 // bytes that have been read
	frames int
	chroma int64 // bytes of a frame after the luma
}

// maxHeader is the most bytes of a line, and maxSide the most pixels of a frame to each side.
const (
	maxHeader = 1 << 12
	maxSide   = 1 << 15
)

// NewReader reads the head of a film in YUV4MPEG2. Pixels may be 4:2:0 (C420, C420jpeg, C420mpeg2,
// C420paldv), 4:1:1, 4:2:2, 4:4:4 and monochrome (Cmono), of 8 bits; those of more bits, and with
// alpha, are gocuda.ErrNotSupported. What the format does not allow is gocuda.ErrInvalidValue.
// Errors begin with name and say where: those of the head by line and column, those behind it by
// the number of the frame and the byte in the file.
func NewReader(r io.Reader, name string) (*Reader, error) {
	f := &Reader{name: name, r: bufio.NewReaderSize(r, maxHeader)}
	line, err := f.line()
	if err != nil {
		return nil, f.headError(1, "%w", err)
	}
	const magic = "YUV4MPEG2"
	if line != magic && !strings.HasPrefix(line, magic+" ") {
		return nil, f.headError(1, "%w: the file does not begin with %s", gocuda.ErrInvalidValue, magic)
	}
	colour := "420"
	for from := len(magic); from < len(line); {
		at := from + 1 // behind the space
		word, _, _ := strings.Cut(line[at:], " ")
		from = at + len(word)
		if word == "" {
			return nil, f.headError(at+1, "%w: a parameter is missing", gocuda.ErrInvalidValue)
		}
		switch word[0] {
		case 'W', 'H':
			n, err := strconv.ParseUint(word[1:], 10, 31)
			if err != nil || n < 1 {
				return nil, f.headError(at+1, "%w: %q is no number of pixels", gocuda.ErrInvalidValue, word)
			}
			if n > maxSide {
				return nil, f.headError(at+1, "%w: %s is more than %d pixels", gocuda.ErrNotSupported, word, maxSide)
			}
			if word[0] == 'W' {
				f.Width = int(n)
			} else {
				f.Height = int(n)
			}
		case 'C':
			colour = word[1:]
			switch {
			case planes(colour) != nil:
			case strings.HasPrefix(colour, "4") || strings.HasPrefix(colour, "mono"):
				return nil, f.headError(at+1, "%w: pixels of kind %s", gocuda.ErrNotSupported, word)
			default:
				return nil, f.headError(at+1, "%w: pixels of kind %s", gocuda.ErrInvalidValue, word)
			}
		case 'F', 'I', 'A', 'X': // frames a second, interlacing, the shape of a pixel, anything
		default:
			return nil, f.headError(at+1, "%w: the parameter %q is unknown", gocuda.ErrInvalidValue, word)
		}
	}
	if f.Width == 0 || f.Height == 0 {
		return nil, f.headError(len(line)+1, "%w: want the width and the height, W and H", gocuda.ErrInvalidValue)
	}
	if s := planes(colour); s[0] > 0 {
		across, down := (f.Width+s[0]-1)/s[0], (f.Height+s[1]-1)/s[1]
		f.chroma = 2 * int64(across) * int64(down)
	}
	if err := host.Need(float64(f.Width)*float64(f.Height), name+": a frame"); err != nil {
		return nil, f.headError(1, "%w", err)
	}
	return f, nil
}

// planes returns how many pixels share one of chroma, along x and along y: 0 if there is no chroma,
// and nil if the kind of pixels is not known.
func planes(kind string) []int {
	switch kind {
	case "420", "420jpeg", "420mpeg2", "420paldv":
		return []int{2, 2}
	case "411":
		return []int{4, 1}
	case "422":
		return []int{2, 1}
	case "444":
		return []int{1, 1}
	case "mono":
		return []int{0, 0}
	}
	return nil
}

// Next reads the luma of the next frame, Width by Height bytes, row by row, into luma. At the end
// of the film it is io.EOF.
func (f *Reader) Next(luma []uint8) error {
	if len(luma) != f.Width*f.Height {
		return fmt.Errorf("kernels: a frame of %d by %d pixels: %w: room for %d", f.Width, f.Height, gocuda.ErrInvalidValue, len(luma))
	}
	if _, err := f.r.Peek(1); err == io.EOF {
		return io.EOF
	}
	f.frames++
	start := f.at
	line, err := f.line()
	if err != nil {
		return f.frameError(f.at, "%w", err)
	}
	if line != "FRAME" && !strings.HasPrefix(line, "FRAME ") {
		return f.frameError(start, "%w: want FRAME", gocuda.ErrInvalidValue)
	}
	n, err := io.ReadFull(f.r, luma)
	f.at += int64(n)
	if err == nil && f.chroma > 0 {
		var skipped int64
		skipped, err = io.CopyN(io.Discard, f.r, f.chroma)
		f.at += skipped
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return f.frameError(f.at, "%w: the file ends before the frame does", gocuda.ErrInvalidValue)
	}
	if err != nil {
		return f.frameError(f.at, "%w", err)
	}
	return nil
}

// line reads a line, and leaves its end out.
func (f *Reader) line() (string, error) {
	b, err := f.r.ReadSlice('\n')
	f.at += int64(len(b))
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return "", fmt.Errorf("%w: the line has more than %d bytes", gocuda.ErrInvalidValue, maxHeader)
	case err == io.EOF && len(b) == 0:
		return "", fmt.Errorf("%w: the file is empty", gocuda.ErrInvalidValue)
	case err == io.EOF:
		return "", fmt.Errorf("%w: the file ends in a line of parameters", gocuda.ErrInvalidValue)
	case err != nil:
		return "", err
	}
	return string(b[:len(b)-1]), nil
}

func (f *Reader) headError(column int, format string, args ...any) error {
	return fmt.Errorf("%s:1:%d: "+format, append([]any{f.name, column}, args...)...)
}

func (f *Reader) frameError(at int64, format string, args ...any) error {
	return fmt.Errorf("%s: frame %d: byte %d: "+format, append([]any{f.name, f.frames, at}, args...)...)
}
