package tasks

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"io"
	"path/filepath"
)

// An animation is pictures in shades of grey, for an animated GIF file.
type animation struct {
	name   string // of the file
	frames int
	taken  []*image.Paletted
}

// frameDelay is the time of a frame, in hundredths of a second.
const frameDelay = 8

var greys = func() color.Palette {
	var p color.Palette
	for i := range 256 {
		p = append(p, color.Gray{Y: uint8(i)})
	}
	return p
}()

// check finds mistakes before any work is done.
func (f *animation) check(o Options) error {
	switch {
	case f.name == "":
		return nil
	case filepath.Ext(f.name) != ".gif":
		return fmt.Errorf("-gif %s: want the name of a .gif file", f.name)
	case f.frames < 1 || f.frames > 1000:
		return fmt.Errorf("-frames %d: want 1 to 1000", f.frames)
	}
	for _, other := range []string{o.In, o.Out, o.PNG} {
		if other != "" && filepath.Clean(other) == filepath.Clean(f.name) {
			return fmt.Errorf("-gif %s: another flag names the same file", f.name)
		}
	}
	return nil
}

// due reports whether a frame is to be taken when some of the steps are done. The first is before
// all steps and the last after them; with fewer steps than frames there is one for each step.
func (f *animation) due(done, steps int) bool {
	if f.name == "" {
		return false
	}
	if f.frames == 1 {
		return done == steps
	}
	gaps := min(f.frames-1, steps)
	return done == 0 || done*gaps/steps > (done-1)*gaps/steps
}

// take adds a frame.
func (f *animation) take(m *image.Gray) {
	f.taken = append(f.taken, &image.Paletted{Pix: m.Pix, Stride: m.Stride, Rect: m.Rect, Palette: greys})
}

// write writes the file.
func (f *animation) write() error {
	if len(f.taken) == 0 {
		return errors.New("the animation has no frames")
	}
	return write(f.name, func(w io.Writer) error {
		delays := make([]int, len(f.taken))
		for i := range delays {
			delays[i] = frameDelay
		}
		return gif.EncodeAll(w, &gif.GIF{Image: f.taken, Delay: delays})
	})
}
