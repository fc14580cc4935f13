package tasks

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"

	"github.com/gocuda/gocuda/internal/host"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels/apps/sad"
)

// The motion search of an H.264 encoder.

var sadTask = Task{"sad", "the motion in a film, by the search of an H.264 encoder", "a film in YUV4MPEG2 (.y4m); two frames of a test picture that moves without a file",
	"320x240", Values | Picture, motion, 34, 66}

func motion(fs *flag.FlagSet) Job {
	frames := fs.Int("frames", 0, "read at most so `many` frames (default all)")
	size := choose[name](fs, "block", "the blocks whose vectors are written and drawn, width by height", "16x16", "16x8", "8x16", "8x8", "8x4", "4x8", "4x4")
	method := choose(fs, "method", "how the reference frame is read", sad.Window, sad.Texture)
	return func(e *Env) (*Result, error) {
		if *frames < 0 || *frames == 1 {
			return nil, fmt.Errorf("-frames %d: want 2 or more, or 0 for all", *frames)
		}
		f, err := e.film(*frames)
		if err != nil {
			return nil, err
		}
		across, down := sad.Macroblocks(f.w, f.h)
		n := across * down * sad.BlockCount
		vectors := make([]sad.Vector, n*(len(f.frames)-1))
		for i := 1; i < len(f.frames); i++ {
			if err := e.step(i, len(f.frames), "frame"); err != nil {
				return nil, err
			}
			err := e.timed(func() error {
				return sad.Search(e.Ctx, e.On, method.is, f.w, f.h, f.frames[i], f.frames[i-1], vectors[n*(i-1):n*i])
			})
			if err != nil {
				return nil, err
			}
		}
		r := &Result{Verify: func() error {
			want := make([]sad.Vector, n)
			for i := 1; i < len(f.frames); i++ {
				if err := e.step(i, len(f.frames), "frame of the reference"); err != nil {
					return err
				}
				serial.SADSearch(f.w, f.h, f.frames[i], f.frames[i-1], want)
				for k, v := range vectors[n*(i-1) : n*i] {
					if v != want[k] {
						return fmt.Errorf("frame %d, macroblock %d, block %d: %+v, want %+v", i, k/sad.BlockCount, k%sad.BlockCount, v, want[k])
					}
				}
			}
			return nil
		}}
		r.printf("frames    %d of %d by %d pixels", len(f.frames), f.w, f.h)
		r.printf("still     %.3f grey levels a pixel between a frame and the one before", f.still())
		for _, word := range size.words() {
			var sum, pixels float64
			for i, v := range vectors {
				if b := sad.Blocks()[i%sad.BlockCount]; blockName(b) == word {
					sum += float64(v.SAD)
					pixels += float64(b.W * b.H)
				}
			}
			r.printf("%-9s %.3f with the best vectors", word, sum/pixels)
		}
		if e.Out != "" {
			r.Numbers = motionTable(f.w, f.h, string(size.is), vectors)
			r.printf("file      a line is frame, x, y, width, height, dx, dy, sum of absolute differences")
		}
		r.Picture = func() image.Image {
			last := len(f.frames) - 1
			return drawMotion(f.w, f.h, f.frames[last], string(size.is), vectors[n*(last-1):])
		}
		return r, nil
	}
}

// blockName is the size of a block in one word.
func blockName(b sad.Block) string { return fmt.Sprintf("%dx%d", b.W, b.H) }

// blocksOf returns the numbers of the blocks of a size.
func blocksOf(size string) (all []int) {
	for i, b := range sad.Blocks() {
		if blockName(b) == size {
			all = append(all, i)
		}
	}
	return all
}

// motionTable has a line for each block of the size.
func motionTable(w, h int, size string, vectors []sad.Vector) Numbers {
	across, down := sad.Macroblocks(w, h)
	numbers, blocks := blocksOf(size), sad.Blocks()
	v := make([]int32, 0, len(vectors)/sad.BlockCount*len(numbers)*8)
	for m := range len(vectors) / sad.BlockCount {
		frame, at := m/(across*down)+1, m%(across*down)
		for _, k := range numbers {
			b, best := blocks[k], vectors[m*sad.BlockCount+k]
			v = append(v, int32(frame), int32(16*(at%across)+b.X), int32(16*(at/across)+b.Y), int32(b.W), int32(b.H), int32(best.DX), int32(best.DY), int32(best.SAD))
		}
	}
	return table[int32]{8, v}
}

// A film is the luma of its frames, of which there are two at least.
type film struct {
	w, h   int
	frames [][]uint8
}

// still is by how much the pixels of a frame differ from those of the one before, on average.
func (f *film) still() float64 {
	var sum float64
	for i, cur := range f.frames[1:] {
		for k, c := range cur {
			sum += math.Abs(float64(c) - float64(f.frames[i][k]))
		}
	}
	return sum / float64(f.w*f.h*(len(f.frames)-1))
}

// film reads a film, or at most so many frames of it, or makes one.
func (e *Env) film(most int) (*film, error) {
	if e.In == "" {
		s, err := e.size(320, 240)
		if err != nil {
			return nil, err
		}
		if s[0] < 1 || s[1] < 1 {
			return nil, fmt.Errorf("-size: a film of %d by %d pixels", s[0], s[1])
		}
		return movingPicture(s[0], s[1], max(most, 2)), nil
	}
	file, err := e.open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r, err := sad.NewReader(file, e.In)
	if err != nil {
		return nil, err
	}
	f := &film{w: r.Width, h: r.Height}
	for most == 0 || len(f.frames) < most {
		if err := host.Need(float64(e.perElement)*float64(f.w)*float64(f.h), fmt.Sprintf("%s: frame %d", e.In, len(f.frames)+1)); err != nil {
			return nil, err
		}
		luma := make([]uint8, f.w*f.h)
		if err := r.Next(luma); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		f.frames = append(f.frames, luma)
	}
	if len(f.frames) < 2 {
		return nil, fmt.Errorf("%s: %d frames; motion is between two at least", e.In, len(f.frames))
	}
	return f, nil
}

// movingPicture makes a film: the test picture moves by (-3, 2) from frame to frame, and a disc of
// stripes by (5, 0).
func movingPicture(w, h, n int) *film {
	f := &film{w: w, h: h}
	_, _, still := grey(testPicture(w, h))
	for k := range n {
		v := make([]uint8, w*h)
		for i := range v {
			x, y := i%w, i/w
			v[i] = still[min(max(y-2*k, 0), h-1)*w+min(x+3*k, w-1)]
			u, d := x-w/4-5*k, y-h/2
			if u*u+d*d < min(w, h)*min(w, h)/36 {
				v[i] = uint8(128 + 100*math.Sin(0.7*float64(u)+0.3*float64(d)))
			}
		}
		f.frames = append(f.frames, v)
	}
	return f
}

// drawMotion draws a frame, dimmed, and from the middle of each block a line to the place that it
// comes from. The colour is the direction; a block that stays has a dot. Small frames are enlarged.
func drawMotion(w, h int, frame []uint8, size string, vectors []sad.Vector) image.Image {
	scale := max(1, min(4, 1024/max(w, h)))
	m := image.NewRGBA(image.Rect(0, 0, scale*w, scale*h))
	for y := range scale * h {
		for x := range scale * w {
			g := frame[y/scale*w+x/scale]/2 + 64
			m.SetRGBA(x, y, color.RGBA{g, g, g, 255})
		}
	}
	across, _ := sad.Macroblocks(w, h)
	blocks := sad.Blocks()
	for i := range len(vectors) / sad.BlockCount {
		for _, k := range blocksOf(size) {
			b, v := blocks[k], vectors[i*sad.BlockCount+k]
			x, y := scale*(16*(i%across)+b.X+b.W/2), scale*(16*(i/across)+b.Y+b.H/2)
			dx, dy := scale*int(v.DX), scale*int(v.DY)
			a := math.Atan2(float64(dy), float64(dx))
			c := color.RGBA{shade(0.6 + 0.4*math.Cos(a)), shade(0.6 + 0.4*math.Cos(a-2.1)), shade(0.6 + 0.4*math.Cos(a+2.1)), 255}
			if v.DX == 0 && v.DY == 0 {
				c = color.RGBA{255, 255, 255, 255}
			}
			steps := max(dx, -dx, dy, -dy, 1)
			for s := range steps + 1 {
				m.SetRGBA(x+dx*s/steps, y+dy*s/steps, c) // what is outside is dropped
			}
		}
	}
	return m
}
