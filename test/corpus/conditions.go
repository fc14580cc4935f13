//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Conditions at the edges of what threads cover, the flags that such conditions set, and slices that are
// fields of parameters. Planes and lines have any size from nothing on, and more threads than elements.

// cdFrame copies a border and averages inside. The guard and the border are in equations.
//
//gocuda:kernel
func cdFrame(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	i := y*w + x
	if x == 0 || x == w-1 || y == 0 || y == h-1 {
		out[i] = in[i]
	} else {
		out[i] = in[i-1] + in[i+1] - in[i-w] - in[i+w]
	}
}

// cdInside is the opposite condition, around the whole.
//
//gocuda:kernel
func cdInside(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := int32(t.GlobalX()), int32(t.GlobalY())
	w32, h32 := int32(w), int32(h)
	if x < w32 && y < h32 {
		i := x + w32*y
		if x != 0 && x != w32-1 && y != 0 && h32-1 != y {
			out[i] = in[i-1] + in[i+1] - in[i-w32] - in[i+w32]
		} else {
			out[i] = in[i]
		}
	}
}

// cdSides names its conditions and adds up the neighbours that there are.
//
//gocuda:kernel
func cdSides(t *gocuda.Thread, w, h int, in, out []float32) {
	x, y := t.GlobalX(), t.GlobalY()
	if !(x < w && y < h) {
		return
	}
	left, right := x == 0, x == w-1
	top, bottom := y == 0, y+1 == h
	i := y*w + x
	var s float32
	if !left {
		s += in[i-1]
	}
	if !right {
		s += in[i+1] * 2
	}
	if !top {
		s += in[i-w] * 3
	}
	if !bottom {
		s += in[i+w] * 4
	}
	if !(left || top) && !right {
		s -= in[i-w-1] + in[i-w+1]
	}
	out[i] = s
}

// cdUnsigned has coordinates that wrap around below zero.
//
//gocuda:kernel
func cdUnsigned(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y, wu, hu := uint32(t.GlobalX()), uint32(t.GlobalY()), uint32(w), uint32(h)
	if x < wu && y < hu {
		i := y*wu + x
		s := in[i]
		if x != 0 && x-1 < wu {
			s += 3 * in[i-1]
		}
		if x-1 < wu-2 {
			s ^= 64
		}
		if x == wu-1 || x-wu == 1<<32-2 {
			s ^= 128
		}
		if y-1 == hu-2 {
			s ^= 256
		}
		if wu-x == 1 && hu-y != 1 {
			s++
		}
		out[i] = s
	}
}

// cdWalls are sides that the guard excludes, and one that only looks so.
//
//gocuda:kernel
func cdWalls(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	v := in[y*w+x]
	if x == w {
		v = 1
	}
	if x != w && y != h {
		v ^= 1
	}
	if x == -1 || y == h+3 {
		v = 2
	}
	if x-w == -1 {
		v ^= 4
	}
	if x+1 != w && x+2 != w {
		v ^= 8
	}
	if x == w && x == 0 || y-h != -1 {
		v ^= 16
	}
	if x > w-1 || x > w-2 {
		v ^= 32
	}
	if x < 0 || y <= 0 {
		v ^= 64
	}
	out[y*w+x] = v
}

// cdDiagonals compares the coordinates with one another and with the other axis' limit.
//
//gocuda:kernel
func cdDiagonals(t *gocuda.Thread, w, h int, in, out []uint8) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < w && y < h {
		var b uint8
		if x == y {
			b |= 1
		}
		if x+y == w-1 {
			b |= 2
		}
		if x == h-1 || y == w-1 {
			b |= 4
		}
		if x-y != w-h && x != y+1 {
			b |= 8
		}
		if 2*x == w || 2*y == h-1 {
			b |= 16
		}
		if w == h && x != h-1 {
			b |= 32
		}
		if w-1-x == x {
			b |= 64
		}
		if x*y == (w-1)*(h-1) {
			b |= 128
		}
		out[y*w+x] = b ^ in[y*w+x]
	}
}

// cdEither is guarded by one of two.
//
//gocuda:kernel
func cdEither(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	v := int32(5)
	if x < w || y < h {
		if x != w-1 {
			v += 1
		}
		if y == h-1 {
			v += 2
		}
		if y != 0 && x == w {
			v += 4
		}
	} else if x == w || y != h {
		v = 9
	}
	if x < w && y < h {
		out[y*w+x] = v ^ in[y*w+x]
	}
}

// cdMoved changes coordinates and limits after the guard.
//
//gocuda:kernel
func cdMoved(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	i := y*w + x
	v := in[i]
	x += 2
	if x == w-1 || x == 2 {
		v ^= 1
	}
	if x != w-1 {
		v ^= 2
	}
	w -= 3
	if x == w-1 {
		v ^= 4
	}
	if x != w && w != x-1 {
		v ^= 8
	}
	x -= 5
	if x == 0 || x != w-1 {
		v ^= 16
	}
	if x != 0 && x != -3 {
		v ^= 32
	}
	y = -y
	if y == 0 {
		v ^= 64
	}
	if y != 0 && y != 1-h {
		v ^= 128
	}
	out[i] = v
}

// cdShadow has inner variables with the names of the guard's.
//
//gocuda:kernel
func cdShadow(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < w && y < h {
		i := y*w + x
		v := in[i]
		{
			w := w - 2
			if x == w-1 {
				v ^= 1
			}
			if x != w {
				v ^= 2
			}
		}
		if x := x - 1; x == w-1 || x == 0 {
			v ^= 4
		} else if x != -1 {
			v ^= 8
		}
		func() {
			h := w
			if y == h-1 {
				v ^= 16
			}
		}()
		out[i] = v
	}
}

// cdWrap has a periodic plane.
//
//gocuda:kernel
func cdWrap(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	l, r, u, d := x-1, x+1, y-1, y+1
	if x == 0 {
		l = w - 1
	}
	if x == w-1 {
		r = 0
	}
	if y == 0 {
		u = h - 1
	}
	if d == h {
		d = 0
	}
	out[y*w+x] = in[y*w+l] + 3*in[y*w+r] + 5*in[u*w+x] + 7*in[d*w+x]
}

// cdMirror has a mirrored plane and a radius of three.
//
//gocuda:kernel
func cdMirror(t *gocuda.Thread, w, h int, in, out []float32) {
	x, y := int32(t.GlobalX()), int32(t.GlobalY())
	if x >= int32(w) || y >= int32(h) {
		return
	}
	var s float32
	for d := int32(-3); d <= 3; d++ {
		s += in[y*int32(w)+cdFold(x+d, int32(w))] * float32(d+4)
	}
	out[y*int32(w)+x] = s
}

func cdFold(x, w int32) int32 {
	for x < 0 || x > w-1 {
		if x < 0 {
			x = -1 - x
		}
		if x >= w {
			x = 2*w - 1 - x
		}
	}
	return x
}

// cdClamp has radius two, clamped with ifs instead of min and max.
//
//gocuda:kernel
func cdClamp(t *gocuda.Thread, w, h int, in, out []uint16) {
	x, y := t.GlobalX(), t.GlobalY()
	if x > w-1 || y > h-1 {
		return
	}
	row := in[y*w : y*w+w]
	at := func(k int) uint16 {
		if k < 0 {
			k = 0
		} else if k >= w {
			k = w - 1
		}
		return row[k]
	}
	out[y*w+x] = at(x-2) + 2*at(x-1) + 4*at(x) + 8*at(x+1) + 16*at(x+2)
}

// cdFlag sets a flag in steps and asks it once.
//
//gocuda:kernel
func cdFlag(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	i := y*w + x
	edge := false
	if x == 0 {
		edge = true
	}
	if x == w-1 {
		edge = true
	}
	if y == 0 || y == h-1 {
		edge = true
	}
	if !edge {
		out[i] = in[i-1] + in[i+1] + in[i-w] + in[i+w]
	} else {
		out[i] = -in[i]
	}
}

// cdFlagBack takes a flag back.
//
//gocuda:kernel
func cdFlagBack(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := int32(t.GlobalX()), int32(t.GlobalY())
	if x >= int32(w) || y >= int32(h) {
		return
	}
	i := y*int32(w) + x
	ok := true
	if x == 0 {
		ok = false
	}
	if y == 0 {
		ok = true
	}
	if x == int32(w)-1 {
		ok = !ok
	}
	if ok && y != int32(h)-1 {
		out[i] = in[i] + 1
	} else if !ok {
		out[i] = in[i] * 2
	} else {
		out[i] = 0
	}
}

// cdFlagOld has flags whose conditions' numbers change before the flags are asked.
//
//gocuda:kernel
func cdFlagOld(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	i := y*w + x
	v := in[i]
	odd := v&1 != 0
	last := x == w-1
	first := false
	if x == 0 {
		first = true
	}
	v += 3
	x++
	w += 2
	if odd {
		v ^= 1 << 8
	}
	if last {
		v ^= 1 << 9
	}
	if !first {
		v ^= 1 << 10
	}
	x -= 2
	neg := v < 0
	v = -v
	if neg || first && odd {
		v += 7
	}
	if last == (x == w-1) {
		v--
	}
	out[i] = v
}

// cdFlagStored has a flag of an element that is stored before the flag is asked.
//
//gocuda:kernel
func cdFlagStored(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	i := y*w + x
	out[i] = in[i] & 15
	big := false
	if out[i] > 7 {
		big = true
	}
	out[i] ^= 8
	if big {
		out[i] += 100
	}
	if small := out[i] < 50; small {
		out[i] = 60
		if small && !big {
			out[i]++
		}
	}
}

// cdFlagUnset reads a flag before anything sets it.
//
//gocuda:kernel
func cdFlagUnset(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < w && y < h {
		var seen, both bool
		v := in[y*w+x]
		if seen {
			v = 0
		}
		if x == w-1 {
			both = seen
			seen = true
		}
		if !seen {
			v++
		}
		if y == h-1 {
			both = both || seen
			seen = true
		}
		if both {
			v *= 3
		}
		if seen && !both {
			v *= 5
		}
		out[y*w+x] = v
	}
}

// cdFlagAnd builds flags from flags.
//
//gocuda:kernel
func cdFlagAnd(t *gocuda.Thread, w, h int, in, out []uint8) {
	x, y := uint32(t.GlobalX()), uint32(t.GlobalY())
	if x >= uint32(w) || y >= uint32(h) {
		return
	}
	i := int(y)*w + int(x)
	a := x != 0
	a = a && x != uint32(w)-1
	b := y == 0
	b = b || y == uint32(h-1)
	c := a && !b
	c = c || in[i] > 200
	d := !c && (a || b)
	a = a != b
	r := in[i] & 15
	if a {
		r |= 16
	}
	if b {
		r |= 32
	}
	if c {
		r |= 64
	}
	if d {
		r |= 128
	}
	out[i] = r
}

// cdFlagRounds carries a flag from round to round of a loop.
//
//gocuda:kernel
func cdFlagRounds(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	was := false
	n := int32(0)
	for k := 0; k < w; k++ {
		now := in[y*w+k]&1 != 0
		if k != 0 && now != was {
			n++
		}
		if k == w-1 && was {
			n += 100
		}
		if k == x {
			now = !now
		}
		was = now
	}
	if was {
		n = -n
	}
	out[y*w+x] = n
}

// cdFlagFound sets a flag in a loop and leaves it.
//
//gocuda:kernel
func cdFlagFound(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	found, at := false, -1
	for k := 0; k < h; k++ {
		if in[k*w+x]&3 == 1 {
			found = true
			at = k
			break
		}
	}
	none := !found
	if found && at == y {
		out[y*w+x] = 1
	} else if none || at == h-1 {
		out[y*w+x] = 2
	} else {
		out[y*w+x] = int32(at) + 3
	}
}

// cdFlagLate sets flags in some rounds and asks in later ones.
//
//gocuda:kernel
func cdFlagLate(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < w && y < h {
		armed, fired := false, false
		var s int32
		for r := y; r < h; r++ {
			v := in[r*w+x]
			if armed {
				s += v
				fired = true
			}
			if v > 0 && r != h-1 {
				armed = true
			} else if v&1 == 0 {
				armed = false
			}
			if fired && !armed {
				s ^= 3
				fired = false
			}
		}
		if fired {
			s++
		}
		out[y*w+x] = s
	}
}

// cdFlagField has flags in a struct and in an array.
//
//gocuda:kernel
func cdFlagField(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	var s cdSide
	var c [4]bool
	s.mark(x, w)
	c[0] = x == 0
	c[1] = x == w-1
	if y == 0 {
		c[2] = true
	}
	c[3] = c[2] || y == h-1
	q := s
	q.low = false
	v := in[y*w+x]
	for k := range c {
		if c[k] {
			v ^= 1 << k
		}
	}
	if s.low != q.low {
		v += 100
	}
	if s.high || c[3] && !s.low {
		v += 1000
	}
	out[y*w+x] = v
}

type cdSide struct{ low, high bool }

func (s *cdSide) mark(x, w int) {
	if x == 0 {
		s.low = true
	}
	if x == w-1 {
		s.high = true
	}
}

// cdHelpers gets its conditions from functions and methods.
//
//gocuda:kernel
func cdHelpers(t *gocuda.Thread, w, h int, in, out []int32) {
	p := cdBox{int32(w), int32(h)}
	x, y := int32(t.GlobalX()), int32(t.GlobalY())
	if !p.has(x, y) {
		return
	}
	i := y*p.w + x
	v := in[i]
	if p.border(x, y) {
		v = -v
	}
	if !p.border(x+1, y) && cdCorner(x, y, p.w-1, p.h-1) {
		v++
	}
	if cdCorner(x, y, p.w-1, p.h-1) || !p.has(x+2, y-1) {
		v ^= 32
	}
	out[i] = v
}

type cdBox struct{ w, h int32 }

func (b cdBox) has(x, y int32) bool { return uint32(x) < uint32(b.w) && uint32(y) < uint32(b.h) }

func (b cdBox) border(x, y int32) bool {
	on := false
	if x == 0 || y == 0 {
		on = true
	} else if x == b.w-1 {
		on = true
	}
	return on || y == b.h-1
}

func cdCorner(x, y, right, bottom int32) bool {
	if x != 0 && x != right {
		return false
	}
	return y == 0 || y == bottom
}

// cdSwitch has a case an edge.
//
//gocuda:kernel
func cdSwitch(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	i := y*w + x
	v := in[i]
	switch {
	case x == 0 && y == 0:
		v = 1
	case x == 0:
		v += in[i-w]
	case x == w-1 && y != h-1:
		v -= in[i+w]
		fallthrough
	case y == h-1:
		v -= in[i-1]
	default:
		v ^= in[i+1]
	}
	switch x {
	case 0:
		v++
	case w - 1:
		v += 2
	case w:
		v += 4
	case h - 1:
		v += 8
	}
	out[i] = v
}

// cdMix has alternatives with uniform parts.
//
//gocuda:kernel
func cdMix(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < w && y < h {
		i := y*w + x
		v := in[i]
		if w == 1 || x == 0 || v < 0 {
			v = v*3 + 1
		} else {
			v = v/2 - in[i-1]
		}
		if x == w-1 || h < 3 || v&1 == 0 && y == 0 {
			v -= 7
		} else if w > 20 || y == h-1 || v > 1000 {
			v ^= in[i+1]
		} else {
			v += 2
		}
		if !(x != 0 && w > 2) || y != 0 && h&1 == 0 {
			v ^= 1
		} else {
			v ^= 2
		}
		out[i] = v
	}
}

// cdRows has a thread for a column; the rows' counter meets the edges.
//
//gocuda:kernel
func cdRows(t *gocuda.Thread, w, h int, in, out []int32) {
	x := t.GlobalX()
	if x >= w || t.GlobalY() != 0 {
		return
	}
	for y := 0; y < h; y++ {
		i := y*w + x
		v := in[i]
		if y == 0 {
			v++
		}
		if y == h-1 {
			v += 2
		}
		if y != 0 && y != h-1 && x != w-1 {
			v += in[i-w] ^ in[i+w] ^ in[i+1]
		}
		if y == x || x == 0 && y != h-2 {
			v *= 3
		}
		out[i] = v
	}
}

// cdRowsUp goes upwards through the rows, two at a time.
//
//gocuda:kernel
func cdRowsUp(t *gocuda.Thread, w, h int, in, out []int32) {
	x := t.GlobalX()
	if x < w && t.GlobalY() == 0 {
		for y := h - 1; y >= 0; y -= 2 {
			v := in[y*w+x]
			if y != 0 {
				out[(y-1)*w+x] = v
			}
			if y == h-1 || y == 1 {
				v = -v
			}
			if y != h-1 && x != 0 {
				v ^= in[(y+1)*w+x-1]
			}
			out[y*w+x] = v
		}
	}
}

// cdFour has four rows a thread.
//
//gocuda:kernel
func cdFour(t *gocuda.Thread, w, h int, in, out []float32) {
	x, y0 := t.GlobalX(), t.GlobalY()*4
	if x >= w {
		return
	}
	for k := 0; k < 4; k++ {
		y := y0 + k
		if y == h || y > h {
			break
		}
		i := y*w + x
		v := in[i]
		inner := y != 0
		if y == h-1 {
			inner = false
		}
		if inner && x != 0 && x != w-1 {
			v = in[i-w] + in[i+w] + in[i-1] + in[i+1] - 4*v
		} else if k == 3 || k == 0 && !inner {
			v = -v
		}
		out[i] = v
	}
}

// cdThreads compares numbers other than the coordinates.
//
//gocuda:kernel
func cdThreads(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	tx, ty := t.ThreadIdx.X, t.ThreadIdx.Y
	if x < w && y < h {
		v := in[y*w+x]
		if tx == 0 || tx == t.BlockDim.X-1 {
			v ^= 1
		}
		if ty != 0 && ty != t.BlockDim.Y-1 {
			v ^= 2
		}
		if t.BlockIdx.X == 0 || t.BlockIdx.X != t.GridDim.X-1 {
			v ^= 4
		}
		if tx/2 == 0 || tx/2 == w-1 {
			v ^= 8
		}
		if x%w == w-1 || (x+y)%w == 0 {
			v ^= 16
		}
		if tx == w-1 || ty == h-1 || tx == w {
			v ^= 32
		}
		if t.Rank() != 0 && t.Rank() == t.BlockDim.X*t.BlockDim.Y-1 {
			v ^= 64
		}
		if tx == x && ty != y {
			v ^= 128
		}
		if x&3 == 3 || x>>1 != (w-1)>>1 || y*2 == h-1 {
			v ^= 256
		}
		out[y*w+x] = v
	}
}

// cdNested has guards in guards, some of them stronger.
//
//gocuda:kernel
func cdNested(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if y < h {
		if x < w {
			i := y*w + x
			v := in[i]
			if x < w-1 {
				if x == w-2 {
					v += in[i+1]
				}
				if x != w-1 {
					v ^= 1
				}
				if x < w-4 && x != w-5 {
					v ^= in[i+4]
				}
			} else if x != w-1 {
				v = 0
			}
			if x > 0 {
				if x != 1 {
					v ^= in[i-2] & 255
				}
				if x == 0 {
					v = 0
				}
			}
			if x >= 2 && y >= 1 && (x == 2 || y == 1) {
				v += 9
			}
			out[i] = v
		}
	}
}

// cdWeak has a guard that lets three more columns and two more rows through.
//
//gocuda:kernel
func cdWeak(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < w+3 && y <= h+1 {
		i := y*(w+4) + x
		v := in[i]
		if x == w-1 {
			v ^= 1
		}
		if x != w {
			v ^= 2
		}
		if x == w+2 || y == h+1 {
			v ^= 4
		}
		if y != h && y != h-1 {
			v ^= 8
		}
		if x == w+3 || y == h+2 {
			v = 0
		}
		if !(x == w-1 || y == 0) {
			v ^= 16
		}
		out[i] = v
	}
}

// cdUpTo has guards with <=.
//
//gocuda:kernel
func cdUpTo(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := int32(t.GlobalX()), int32(t.GlobalY())
	last, bottom := int32(w), int32(h)
	if x <= last && !(y > bottom) {
		i := y*(last+4) + x
		v := in[i]
		if x == last {
			v = -v
		} else if x == last-1 {
			v ^= 1
		}
		if y != bottom {
			v ^= 2
			if y == bottom-1 && x != last {
				v += in[i+last+4]
			}
		}
		if x != 0 && last != x {
			v ^= 4
		}
		if x == last+1 {
			v = 0
		}
		out[i] = v
	}
}

// cdWrong lets everybody through who is inside on one axis at least, and more.
//
//gocuda:kernel
func cdWrong(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w+4 && y >= h+4 || y > h+3 || x-4 > w-1 {
		return
	}
	v := int32(x ^ y)
	if x != w-1 {
		v += 1000
	}
	if y == h-1 || y == h {
		v += 2000
	}
	if x == w+3 || y != h+3 {
		v = -v
	}
	out[y*(w+4)+x] = v + in[0]
}

// cdEnds has its conditions on an index of one dimension.
//
//gocuda:kernel
func cdEnds(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	if i != 0 && i != n-1 {
		out[i] = in[i-1] ^ in[i+1]
		return
	}
	if i == 0 && i == n-1 {
		out[i] = 1
		return
	}
	if i == 0 {
		out[i] = in[i+1]
	} else {
		out[i] = in[i-1]
	}
}

// cdLen is guarded by the length of a slice.
//
//gocuda:kernel
func cdLen(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if !(i >= len(out)) {
		v := in[i]
		if i != len(in)-1 {
			v -= in[i+1]
		}
		if i+2 != n && i+1 != n {
			v -= in[i+2]
		}
		if i == 1 || i != 0 && v > 0 {
			v ^= in[i-1]
		}
		out[i] = v
	}
}

// cdHalo loads a tile with its halo by the threads at the block's ends.
//
//gocuda:kernel
func cdHalo(t *gocuda.Thread, n int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1100)
	i, tid := t.GlobalX(), t.ThreadIdx.X
	if i < n {
		s[tid+1] = in[i]
		if tid == 0 {
			s[0] = 0
			if i != 0 {
				s[0] = in[i-1]
			}
		}
		if tid == t.BlockDim.X-1 || i == n-1 {
			s[tid+2] = 0
			if i != n-1 {
				s[tid+2] = in[i+1]
			}
		}
	}
	t.SyncThreads()
	if i < n {
		out[i] = s[tid] + 3*s[tid+1] + 5*s[tid+2]
	}
}

// cdKept keeps flags across barriers.
//
//gocuda:kernel
func cdKept(t *gocuda.Thread, n int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	i, tid := t.GlobalX(), t.ThreadIdx.X
	inside := i < n
	first, odd := false, false
	s[tid] = 0
	if inside {
		s[tid] = in[i]
		odd = in[i]&1 != 0
	}
	if tid == 0 {
		first = true
	}
	t.SyncThreads()
	var v int32
	if !first {
		v = s[tid-1]
	}
	t.SyncThreads()
	if odd {
		s[tid] = v
		odd = tid != t.BlockDim.X-1
	}
	t.SyncThreads()
	if odd && !first {
		v += s[tid+1]
	}
	if inside {
		out[i] = v
	}
}

// cdTiles is a plane's tile, whose inner points need nothing from outside.
//
//gocuda:kernel
func cdTiles(t *gocuda.Thread, w, h int, in, out []float32) {
	s := gocuda.Shared[float32](t, 1024)
	x, y := t.GlobalX(), t.GlobalY()
	tx, ty, bw := t.ThreadIdx.X, t.ThreadIdx.Y, t.BlockDim.X
	me := ty*bw + tx
	inside := x < w && y < h
	if inside {
		s[me] = in[y*w+x]
	}
	t.SyncThreads()
	if inside {
		l, r := s[me], s[me]
		if x != 0 {
			if tx == 0 {
				l = in[y*w+x-1]
			} else {
				l = s[me-1]
			}
		}
		if x != w-1 {
			if tx != bw-1 {
				r = s[me+1]
			} else {
				r = in[y*w+x+1]
			}
		}
		u := float32(0)
		if ty != 0 {
			u = s[me-bw]
		} else if y != 0 {
			u = in[(y-1)*w+x]
		}
		out[y*w+x] = l + 2*r + 4*u
	}
}

// cdStride is a grid-stride loop with a counter of 32 bits and its edges.
//
//gocuda:kernel
func cdStride(t *gocuda.Thread, n int, in, out []int32) {
	nu, stride := uint32(n), uint32(t.GridDim.X*t.BlockDim.X)
	for i := uint32(t.GlobalX()); i < nu; i += stride {
		v := in[i]
		if i != 0 {
			v -= in[i-1]
		}
		if i == nu-1 {
			v *= 2
		} else {
			v += in[i+1]
		}
		if v&7 == 3 {
			out[i] = 0
			continue
		}
		for k := uint32(0); k < 3 && k < i; k++ {
			if k == i-1 || i+k != nu-1 {
				v += int32(k) + in[i-k]
			}
		}
		out[i] = v
	}
}

// cdStrideSigned has a flag that a later round reads.
//
//gocuda:kernel
func cdStrideSigned(t *gocuda.Thread, n int, in, out []int32) {
	n32 := int32(n)
	step := int32(t.BlockDim.X) * int32(t.GridDim.X)
	again := false
	for i := int32(t.GlobalX()); i < n32; i += step {
		v := in[i] >> 1
		if again {
			v = -v
		}
		if i == n32-1 || i+step >= n32 {
			v++
		}
		again = false
		if in[i]&1 != 0 && i != 0 {
			again = true
		}
		out[i] = v
	}
}

// cdCounts counts the rounds of loops with counters of 32 bits that may come near their ends. No loop
// has more than 40 rounds.
//
//gocuda:kernel
func cdCounts(t *gocuda.Thread, start, step, end int, out []int32) {
	g := t.GlobalX()
	su, eu := uint32(step), uint32(end)
	si, ei := int32(step), int32(end)
	var a, b int32
	for i := uint32(start) + uint32(g); i < eu; i += su {
		a++
		if i == eu-1 || i == 0 {
			a += 100
		}
		if a > 900 || a%100 == 40 {
			break
		}
	}
	for i := int32(start) + int32(g); i < ei; i += si {
		b++
		if i < 0 {
			b += 1000
		}
		if b%1000 == 40 {
			break
		}
		if i&3 == 1 {
			continue
		}
		for k := i; k <= i+1; k++ {
			if k == ei {
				b += 100_000
			}
			if k == i+1 {
				break
			}
		}
	}
	out[2*g], out[2*g+1] = a, b
}

// cdSums has slices in structs, summed over rows.
//
//gocuda:kernel
func cdSums(t *gocuda.Thread, n, rows int, m cdMatrix) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	s := float32(0)
	for k := 0; k < rows; k++ {
		s += m.in[k*n+i]
		m.more.acc[i] += m.in[k*n+i] * 0.5
		if k == rows-1 {
			m.more.acc[i] -= s
		}
	}
	m.out[i] = s
	for k := range rows {
		m.out[i] += m.at(k, i, n)
	}
}

type cdMatrix struct {
	in, out []float32
	more    struct{ acc []float32 }
}

func (m cdMatrix) at(k, i, n int) float32 { return m.in[k*n+i] }

// cdAhead stores rows that are inputs or outputs of other fields, of another struct too.
//
//gocuda:kernel
func cdAhead(t *gocuda.Thread, n, rows int, a cdMatrix, b cdMatrix) {
	i := t.GlobalX()
	if i < n {
		for k := 0; k < rows-1; k++ {
			a.out[i+k*n] = a.in[i+k*n] + b.in[i+(k+1)*n]
			if k != 0 {
				b.out[i+k*n] -= a.more.acc[i+(k-1)*n]
			}
		}
		edge := false
		for k := range rows {
			if k == rows-1 {
				edge = true
			}
			if !edge {
				b.more.acc[i] += a.out[i+k*n] + a.in[i]
			}
		}
	}
}

// cdLanes moves values along each warp through memory; its ends keep theirs.
//
//gocuda:kernel
func cdLanes(t *gocuda.Thread, n int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	i, tid := t.GlobalX(), t.ThreadIdx.X
	lane := tid % 32
	s[tid] = int32(i)
	if i < n {
		s[tid] = in[i]
	}
	t.SyncWarp(gocuda.FullMask)
	v := s[tid]
	for k := 0; k < 3; k++ {
		if lane != 0 {
			v += s[tid-1]
		}
		if lane == 31 {
			v ^= 5
		}
		t.SyncWarp(gocuda.FullMask)
		if v&1 == 0 || lane == 7 {
			s[tid] = v
		}
		t.SyncWarp(gocuda.FullMask)
	}
	if i < n {
		out[i] = v
	}
}

// cdLaneRows does so in blocks with rows of 32 or whatever.
//
//gocuda:kernel
func cdLaneRows(t *gocuda.Thread, n int, in, out []int32) {
	s := gocuda.Shared[int32](t, 1024)
	tid := t.Rank()
	i := (t.BlockIdx.Y*t.GridDim.X+t.BlockIdx.X)*t.BlockDim.X*t.BlockDim.Y + tid
	s[tid] = in[i]
	t.SyncWarp(gocuda.FullMask)
	v := s[tid^1]
	t.SyncWarp(gocuda.FullMask)
	if tid&31 == 31 {
		s[tid-31] = v
	} else {
		s[tid+1] = v
	}
	t.SyncWarp(gocuda.FullMask)
	out[i] = s[tid] + v*3
}

// cdSpace has three axes.
//
//gocuda:kernel
func cdSpace(t *gocuda.Thread, w, h, d int, in, out []int32) {
	x, y, z := t.GlobalX(), t.GlobalY(), t.GlobalZ()
	if x >= w || y >= h || z >= d {
		return
	}
	i := (z*h+y)*w + x
	v := in[i]
	wall := x == 0 || x == w-1
	if y == 0 || y == h-1 {
		wall = true
	}
	wall = wall || z == 0
	if z == d-1 {
		wall = true
	}
	if wall {
		v = -v
	} else {
		v += in[i-1] + in[i+1] + in[i-w] + in[i+w] + in[i-w*h] + in[i+w*h]
	}
	if x == z && y != z || z != d-1 && x == w-1 {
		v ^= 1
	}
	out[i] = v
}

// cdPlain has coordinates from a number of one dimension.
//
//gocuda:kernel
func cdPlain(t *gocuda.Thread, w, h int, in, out []int32) {
	i := (t.BlockIdx.Y*t.GridDim.X+t.BlockIdx.X)*t.BlockDim.X*t.BlockDim.Y + t.Rank()
	if i >= w*h {
		return
	}
	x, y := i%w, i/w
	v := in[i]
	if x != w-1 && y != h-1 {
		v += in[i+w+1]
	}
	if x == 0 || i == w*h-1 {
		v ^= 1
	}
	if i != 0 && x != 0 {
		v -= in[i-1]
	}
	if x == w || y == h {
		v = 0
	}
	out[i] = v
}

// cdReach stops at walls in all directions, in loops over the radius.
//
//gocuda:kernel
func cdReach(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	i := y*w + x
	var s int32
	for d := 1; d <= 3; d++ {
		if x-d == -1 {
			break
		}
		s += in[i-d]
	}
	for d := 1; d <= 3 && x+d != w; d++ {
		s ^= in[i+d]
	}
	blocked := false
	for d := 1; d <= 2; d++ {
		if y+d == h || in[i]&3 == 0 {
			blocked = true
		}
		if !blocked {
			s += in[i+d*w]
		}
	}
	out[i] = s
}

// cdShrinking has a loop whose limit is the guard's, and a counter that goes on after it.
//
//gocuda:kernel
func cdShrinking(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if y >= h || x >= w {
		return
	}
	k, n := x, int32(0)
	for ; k < w-1; k++ {
		if k == w-1 {
			n = -1000
		}
		if k != w-2 {
			n++
		}
	}
	if k == w-1 {
		n += 100
	}
	if k != w {
		n += 200
	}
	for k > 0 {
		k--
		if k == 0 || k == y {
			n += 1000
		}
		if k == w-1 {
			n = 7
		}
	}
	if k == 0 {
		n ^= in[y*w+x]
	}
	out[y*w+x] = n
}

// cdEdgeOf has flags for the arms of ifs in ifs.
//
//gocuda:kernel
func cdEdgeOf(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	v := in[y*w+x]
	var low, high, mid bool
	if v > 0 {
		if x == 0 {
			low = true
		} else if x == w-1 {
			high = true
		} else {
			mid = v&1 == 0
		}
	} else {
		low = y == 0
		if low && x != 0 {
			mid = true
			low = false
		}
	}
	if low {
		v = v<<1 ^ 1
	}
	if high || mid && y != h-1 {
		v = v<<1 ^ 2
	} else if mid {
		v = v<<1 ^ 4
	}
	if !low && !mid && !high {
		v = -v
	}
	out[y*w+x] = v
}

// cdBools returns flags of helpers that loop.
//
//gocuda:kernel
func cdBools(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	up, ok := cdRising(in, i, n)
	down := !up
	if i == n-1 {
		down = false
	}
	v := in[i]
	if up && ok {
		v = 1
	} else if down || !ok {
		v ^= 2
	}
	out[i] = v
}

func cdRising(in []int32, i, n int) (up, ok bool) {
	up = true
	for k := i; k < i+3; k++ {
		if k == n-1 || k >= n {
			return up, false
		}
		if in[k+1] <= in[k] {
			up = false
		}
	}
	return up, up || i != 0
}

// cdFailLast fails in the last column, at one place.
//
//gocuda:kernel
func cdFailLast(t *gocuda.Thread, w, h, who int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	i := y*w + x
	if x != w-1 || y != who {
		out[i] = in[i]
	} else {
		out[i] = in[i+w*h]
	}
}

// cdFailFirst fails in the first column or the first row, at one place.
//
//gocuda:kernel
func cdFailFirst(t *gocuda.Thread, w, h, who int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < w && y < h {
		i := y*w + x
		edge := false
		if x == 0 {
			edge = true
		}
		if y != who {
			edge = false
		}
		v := in[i]
		if edge {
			v = in[i-w*h]
		}
		out[i] = v
	}
}

// cdFailInside takes the corner for the inside.
//
//gocuda:kernel
func cdFailInside(t *gocuda.Thread, w, h, who int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	i := y*w + x
	if (x == 0 || x == w-1 || y == 0) && i != who || y == h-1 && x != w-1 {
		out[i] = in[i]
	} else {
		out[i] = in[i-1] + in[i+1]
	}
}

// cdFailStore stores beyond the end in the arm for the last row.
//
//gocuda:kernel
func cdFailStore(t *gocuda.Thread, w, h, who int, in, out []int32) {
	x, y := int32(t.GlobalX()), int32(t.GlobalY())
	if x >= int32(w) || y >= int32(h) {
		return
	}
	i := int(y)*w + int(x)
	v := in[i]
	if y == int32(h)-1 {
		if x == int32(who) {
			i += w
		}
		v = 3
	} else if x == int32(w)-1 {
		v = in[i+1]
	}
	out[i] = v
}

// cdFailField fails in a field.
//
//gocuda:kernel
func cdFailField(t *gocuda.Thread, w, h, who int, p cdPair) {
	x, y := t.GlobalX(), t.GlobalY()
	if x < w && y < h {
		i := y*w + x
		for k := 0; k < 3; k++ {
			if k == 2 && i == who {
				p.out[i] += p.in[i+k*w*h]
			} else {
				p.out[i] += p.in[i]
			}
		}
	}
}

type cdPair struct{ in, out []int32 }

var cdSizes = [][2]int{{0, 0}, {1, 1}, {2, 1}, {1, 3}, {2, 2}, {3, 2}, {3, 3}, {5, 4}, {0, 3}, {17, 3}, {33, 5}, {40, 17}, {67, 3}, {1, 40}}

// cdCover returns blocks of three shapes that cover a plane, and four columns and rows more.
func cdCover(w, h int) (cfgs []grid.Config) {
	for k, b := range [][2]int{{16, 2}, {32, 1}, {7, 3}, {64, 4}, {33, 5}, {5, 11}} {
		if (w+h+k)%2 != 0 {
			continue
		}
		cfgs = append(cfgs, grid.Config{Grid: grid.Dim3{X: (w + 3 + b[0]) / b[0], Y: (h + 3 + b[1]) / b[1]}, Block: grid.Dim3{X: b[0], Y: b[1]}})
	}
	return cfgs
}

// cdPlanes are cases of a kernel for planes of all sizes with a padding at the right and below.
func cdPlanes[A any](name string, pad int, source func(t *gocuda.Thread, w, h int, in, out []A), compiled func(w, h int, in, out []A) gocuda.Kernel,
	want func(w, h int, in, out []A)) (cases []Case) {
	for _, s := range cdSizes {
		w, h := s[0], s[1]
		n := (w + pad) * (h + pad)
		var serial func(grid.Config) []any
		if want != nil {
			serial = func(grid.Config) []any {
				out := marked[A](n)
				want(w, h, data[A](n), out)
				return []any{out}
			}
		}
		cases = append(cases, made(fmt.Sprintf("%s %d by %d", name, w, h), cdCover(w, h), func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := data[A](n), marked[A](n)
			return func(t *gocuda.Thread) { source(t, w, h, in, out) }, compiled(w, h, in, out), []any{out}
		}, serial))
	}
	return cases
}

// cdEach is what every point has.
func cdEach[A any](f func(x, y, w, h int, at func(x, y int) A) A) func(w, h int, in, out []A) {
	return func(w, h int, in, out []A) {
		for i := range out {
			out[i] = f(i%w, i/w, w, h, func(x, y int) A { return in[y*w+x] })
		}
	}
}

// cdLines are cases of a kernel for lines of all lengths.
func cdLines[A any](name string, cfgs []grid.Config, source func(t *gocuda.Thread, n int, in, out []A), compiled func(n int, in, out []A) gocuda.Kernel,
	want func(cfg grid.Config, n int, in, out []A)) (cases []Case) {
	for _, less := range []int{0, 1, 2, 5, 31, 1 << 20} {
		size := func(cfg grid.Config) int {
			n := cfg.Blocks() * cfg.Threads()
			if less > 31 {
				return min(n, 3)
			}
			return max(n-less, 0)
		}
		var serial func(grid.Config) []any
		if want != nil {
			serial = func(cfg grid.Config) []any {
				out := marked[A](size(cfg))
				want(cfg, size(cfg), data[A](size(cfg)), out)
				return []any{out}
			}
		}
		cases = append(cases, made(fmt.Sprintf("%s less %d", name, less), cfgs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			n := size(cfg)
			in, out := data[A](n), marked[A](n)
			return func(t *gocuda.Thread) { source(t, n, in, out) }, compiled(n, in, out), []any{out}
		}, serial))
	}
	return cases
}

func cdIf(v bool, yes, no int32) int32 {
	if v {
		return yes
	}
	return no
}

// Conditions with terms that are opposites of one another.
//
//gocuda:kernel
func cdOpposites(t *gocuda.Thread, w, h int, in, out []int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	v := in[y*w+x]
	if x == 0 || !(x != 0 && y != 0) {
		v *= 3
	}
	if x < 4 || !(x >= 4 && y > 0) {
		v += 5
	}
	if x != 0 || !(x == 3 && y == 1) {
		v ^= 9
	}
	if x != 0 && !(x == 0 || v > 9) {
		v -= 7
	} else if !(x == 1 && y == 2) || !(x == 3 && y == 4) {
		v <<= 1
	}
	for k := 0; k < 6 && !(k >= 6 || v > 100); k++ {
		v += int32(k)
	}
	out[y*w+x] = v
}

// What decides on a store out of range has been changed by then.
//
//gocuda:kernel
func cdFailChanged(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	was := out[i]
	out[i] += in[i]
	if was != 0 || unlucky(t, who) {
		out[i+5*who+5] = 1
	}
}

func conditionCases() (cases []Case) {
	add := func(more []Case) { cases = append(cases, more...) }
	type i32 = func(x, y int) int32
	inner := func(x, y, w, h int) bool { return x > 0 && x < w-1 && y > 0 && y < h-1 }
	laplace := cdEach(func(x, y, w, h int, at i32) int32 {
		if inner(x, y, w, h) {
			return at(x-1, y) + at(x+1, y) - at(x, y-1) - at(x, y+1)
		}
		return at(x, y)
	})
	add(cdPlanes("cdFrame", 0, cdFrame, cdFrameKernel, laplace))
	add(cdPlanes("cdOpposites", 0, cdOpposites, cdOppositesKernel, nil))
	add(cdPlanes("cdInside", 0, cdInside, cdInsideKernel, laplace))
	add(cdPlanes("cdSides", 0, cdSides, cdSidesKernel, cdEach(func(x, y, w, h int, at func(x, y int) float32) float32 {
		var s float32
		if x >= 1 {
			s += at(x-1, y)
		}
		if x < w-1 {
			s += at(x+1, y) * 2
		}
		if y >= 1 {
			s += at(x, y-1) * 3
		}
		if y < h-1 {
			s += at(x, y+1) * 4
		}
		if x >= 1 && y >= 1 && x < w-1 {
			s -= at(x-1, y-1) + at(x+1, y-1)
		}
		return s
	})))
	add(cdPlanes("cdUnsigned", 0, cdUnsigned, cdUnsignedKernel, cdEach(func(x, y, w, h int, at i32) int32 {
		v := at(x, y)
		if x > 0 {
			v += 3 * at(x-1, y)
		}
		if x > 0 && x < w-1 {
			v ^= 64
		}
		if x > w-3 {
			v ^= cdIf(x == w-1 || x == w-2, 128, 0)
		}
		if y > h-2 {
			v ^= 256
		}
		return v + cdIf(x > w-2 && y < h-1, 1, 0)
	})))
	add(cdPlanes("cdWalls", 0, cdWalls, cdWallsKernel, cdEach(func(x, y, w, h int, at i32) int32 {
		v := at(x, y) ^ 1
		v ^= cdIf(x > w-2, 4, 0) ^ cdIf(x < w-2, 8, 0) ^ cdIf(y < h-1, 16, 0) ^ cdIf(x > w-2, 32, 0)
		return v ^ cdIf(y < 1, 64, 0)
	})))
	add(cdPlanes("cdDiagonals", 0, cdDiagonals, cdDiagonalsKernel, nil))
	add(cdPlanes("cdEither", 0, cdEither, cdEitherKernel, cdEach(func(x, y, w, h int, at i32) int32 {
		return at(x, y) ^ (5 + cdIf(x < w-1, 1, 0) + cdIf(y > h-2, 2, 0))
	})))
	add(cdPlanes("cdMoved", 0, cdMoved, cdMovedKernel, cdEach(func(x, y, w, h int, at i32) int32 {
		v := at(x, y)
		v ^= cdIf(x+3 == w || x < 1, 1, 0) ^ cdIf(x+3 > w || x+3 < w, 2, 0) ^ cdIf(x+6 == w, 4, 0)
		v ^= cdIf(x+5-w != 0 && x+4-w != 0, 8, 0)
		v ^= cdIf(x == 3 || x+1 != w, 16, 0) ^ cdIf(x > 3 || x == 1 || x == 2, 32, 0)
		return v ^ cdIf(y < 1, 64, 0) ^ cdIf(y > 0 && y < h-1, 128, 0)
	})))
	add(cdPlanes("cdShadow", 0, cdShadow, cdShadowKernel, cdEach(func(x, y, w, h int, at i32) int32 {
		v := at(x, y) ^ cdIf(x+3 == w, 1, 0) ^ cdIf(x+2 != w, 2, 0)
		if x == 1 {
			v ^= 4
		} else if x > 0 {
			v ^= 8
		}
		return v ^ cdIf(y+1 == w, 16, 0)
	})))
	add(cdPlanes("cdWrap", 0, cdWrap, cdWrapKernel, cdEach(func(x, y, w, h int, at i32) int32 {
		return at((x+w-1)%w, y) + 3*at((x+1)%w, y) + 5*at(x, (y+h-1)%h) + 7*at(x, (y+1)%h)
	})))
	add(cdPlanes("cdMirror", 0, cdMirror, cdMirrorKernel, cdEach(func(x, y, w, h int, at func(x, y int) float32) float32 {
		var s float32
		for d := -3; d <= 3; d++ {
			k := ((x+d)%(2*w) + 2*w) % (2 * w)
			s += at(min(k, 2*w-1-k), y) * float32(d+4)
		}
		return s
	})))
	add(cdPlanes("cdClamp", 0, cdClamp, cdClampKernel, cdEach(func(x, y, w, h int, at func(x, y int) uint16) (s uint16) {
		for d := -2; d <= 2; d++ {
			s += at(max(min(x+d, w-1), 0), y) << (d + 2)
		}
		return s
	})))
	add(cdPlanes("cdFlag", 0, cdFlag, cdFlagKernel, cdEach(func(x, y, w, h int, at i32) int32 {
		if inner(x, y, w, h) {
			return at(x-1, y) + at(x+1, y) + at(x, y-1) + at(x, y+1)
		}
		return -at(x, y)
	})))
	add(cdPlanes("cdFlagBack", 0, cdFlagBack, cdFlagBackKernel, cdEach(func(x, y, w, h int, at i32) int32 {
		ok := x > 0 || y < 1
		if x > w-2 {
			ok = !ok
		}
		switch {
		case !ok:
			return at(x, y) * 2
		case y < h-1:
			return at(x, y) + 1
		}
		return 0
	})))
	add(cdPlanes("cdFlagOld", 0, cdFlagOld, cdFlagOldKernel, cdEach(func(x, y, w, h int, at i32) int32 {
		was := at(x, y)
		odd, last, first := was%2 != 0, x > w-2, x < 1
		v := was + 3
		v ^= cdIf(odd, 256, 0) ^ cdIf(last, 512, 0) ^ cdIf(first, 0, 1024)
		less := v < 0
		v = -v + cdIf(less || first && odd, 7, 0)
		return v - cdIf(last == (x-1 == w+1), 1, 0)
	})))
	add(cdPlanes("cdFlagStored", 0, cdFlagStored, cdFlagStoredKernel, cdEach(func(x, y, w, h int, at i32) int32 {
		if v := at(x, y) & 15; v > 7 {
			return v ^ 8 + 100
		}
		return 61
	})))
	add(cdPlanes("cdFlagUnset", 0, cdFlagUnset, cdFlagUnsetKernel, cdEach(func(x, y, w, h int, at i32) int32 {
		v := at(x, y)
		switch {
		case x > w-2 && y > h-2:
			return v * 3
		case x > w-2:
			return v * 5
		case y > h-2:
			return (v + 1) * 5
		}
		return v + 1
	})))
	add(cdPlanes("cdFlagAnd", 0, cdFlagAnd, cdFlagAndKernel, nil))
	add(cdPlanes("cdFlagRounds", 0, cdFlagRounds, cdFlagRoundsKernel, nil))
	add(cdPlanes("cdFlagFound", 0, cdFlagFound, cdFlagFoundKernel, cdEach(func(x, y, w, h int, at i32) int32 {
		k := 0
		for k < h && at(x, k)&3 != 1 {
			k++
		}
		switch {
		case k == y:
			return 1
		case k > h-2:
			return 2
		}
		return int32(k) + 3
	})))
	add(cdPlanes("cdFlagLate", 0, cdFlagLate, cdFlagLateKernel, nil))
	add(cdPlanes("cdFlagField", 0, cdFlagField, cdFlagFieldKernel, cdEach(func(x, y, w, h int, at i32) int32 {
		v := at(x, y) ^ cdIf(x < 1, 1, 0) ^ cdIf(x > w-2, 2, 0) ^ cdIf(y < 1, 4, 0) ^ cdIf(y < 1 || y > h-2, 8, 0)
		return v + cdIf(x < 1, 100, 0) + cdIf(x > w-2 || (y < 1 || y > h-2) && x > 0, 1000, 0)
	})))
	add(cdPlanes("cdHelpers", 0, cdHelpers, cdHelpersKernel, nil))
	add(cdPlanes("cdSwitch", 0, cdSwitch, cdSwitchKernel, cdEach(func(x, y, w, h int, at i32) int32 {
		v := at(x, y)
		switch {
		case x < 1 && y < 1:
			v = 1
		case x < 1:
			v += at(x, y-1)
		case x > w-2 && y < h-1:
			v -= at(x, y+1) + at(x-1, y)
		case y > h-2:
			v -= at(x-1, y)
		default:
			v ^= at(x+1, y)
		}
		if x < 1 {
			return v + 1
		} else if x > w-2 {
			return v + 2
		}
		return v + cdIf(x+1 == h, 8, 0)
	})))
	add(cdPlanes("cdMix", 0, cdMix, cdMixKernel, nil))
	add(cdPlanes("cdRows", 0, cdRows, cdRowsKernel, cdEach(func(x, y, w, h int, at i32) int32 {
		v := at(x, y) + cdIf(y < 1, 1, 0) + cdIf(y > h-2, 2, 0)
		if y > 0 && y < h-1 && x < w-1 {
			v += at(x, y-1) ^ at(x, y+1) ^ at(x+1, y)
		}
		return v * cdIf(x == y || x < 1 && y+2 != h, 3, 1)
	})))
	add(cdPlanes("cdRowsUp", 0, cdRowsUp, cdRowsUpKernel, cdEach(func(x, y, w, h int, at i32) int32 {
		if (h-1-y)%2 != 0 {
			return at(x, y+1)
		}
		v := at(x, y)
		if y > h-2 || y == 1 {
			v = -v
		}
		if y < h-1 && x > 0 {
			v ^= at(x-1, y+1)
		}
		return v
	})))
	add(cdPlanes("cdFour", 0, cdFour, cdFourKernel, cdEach(func(x, y, w, h int, at func(x, y int) float32) float32 {
		if inner(x, y, w, h) {
			return at(x, y-1) + at(x, y+1) + at(x-1, y) + at(x+1, y) - 4*at(x, y)
		}
		if y%4 == 3 || y%4 == 0 && (y < 1 || y > h-2) {
			return -at(x, y)
		}
		return at(x, y)
	})))
	add(cdPlanes("cdThreads", 0, cdThreads, cdThreadsKernel, nil))
	add(cdPlanes("cdNested", 0, cdNested, cdNestedKernel, nil))
	padded := func(columns, rows int, f func(x, y, w, h int, in []int32) int32) func(w, h int, in, out []int32) {
		return func(w, h int, in, out []int32) {
			for y := range h + rows {
				for x := range w + columns {
					out[y*(w+4)+x] = f(x, y, w, h, in)
				}
			}
		}
	}
	add(cdPlanes("cdWeak", 4, cdWeak, cdWeakKernel, padded(3, 2, func(x, y, w, h int, in []int32) int32 {
		v := in[y*(w+4)+x] ^ cdIf(x+1 == w, 1, 0) ^ cdIf(x < w || x > w, 2, 0) ^ cdIf(x > w+1 || y > h, 4, 0)
		return v ^ cdIf(y > h || y < h-1, 8, 0) ^ cdIf(x+1 != w && y > 0, 16, 0)
	})))
	add(cdPlanes("cdUpTo", 4, cdUpTo, cdUpToKernel, padded(1, 1, func(x, y, w, h int, in []int32) int32 {
		v := in[y*(w+4)+x]
		if x > w-1 {
			v = -v
		} else if x > w-2 {
			v ^= 1
		}
		if y < h {
			v ^= 2
			if y > h-2 && x < w {
				v += in[(y+1)*(w+4)+x]
			}
		}
		return v ^ cdIf(x > 0 && x < w, 4, 0)
	})))
	add(cdPlanes("cdWrong", 4, cdWrong, cdWrongKernel, padded(4, 4, func(x, y, w, h int, in []int32) int32 {
		v := int32(x^y) + cdIf(x+1 != w, 1000, 0) + cdIf(y+1 == h || y == h, 2000, 0)
		if x > w+2 || y < h+3 {
			v = -v
		}
		return v + in[0]
	})))
	add(cdPlanes("cdTiles", 0, cdTiles, cdTilesKernel, cdEach(func(x, y, w, h int, at func(x, y int) float32) float32 {
		u := float32(0)
		if y > 0 {
			u = at(x, y-1)
		}
		return at(max(x-1, 0), y) + 2*at(min(x+1, w-1), y) + 4*u
	})))
	add(cdPlanes("cdPlain", 0, cdPlain, cdPlainKernel, cdEach(func(x, y, w, h int, at i32) int32 {
		v := at(x, y)
		if x < w-1 && y < h-1 {
			v += at(x+1, y+1)
		}
		v ^= cdIf(x < 1 || x > w-2 && y > h-2, 1, 0)
		if x > 0 {
			v -= at(x-1, y)
		}
		return v
	})))
	add(cdPlanes("cdReach", 0, cdReach, cdReachKernel, cdEach(func(x, y, w, h int, at i32) (s int32) {
		for d := 1; d <= min(3, x); d++ {
			s += at(x-d, y)
		}
		for d := 1; d <= min(3, w-1-x); d++ {
			s ^= at(x+d, y)
		}
		for d := 1; d <= min(2, h-1-y) && at(x, y)&3 != 0; d++ {
			s += at(x, y+d)
		}
		return s
	})))
	add(cdPlanes("cdShrinking", 0, cdShrinking, cdShrinkingKernel, cdEach(func(x, y, w, h int, at i32) int32 {
		n := int32(max(w-2-x, 0)) + 300
		n += 1000 * cdIf(w > 1, 1, 0)
		n += 1000 * cdIf(y > 0 && y < w-1, 1, 0)
		return n ^ at(x, y)
	})))
	add(cdPlanes("cdEdgeOf", 0, cdEdgeOf, cdEdgeOfKernel, nil))

	add(cdLines("cdEnds", linear, cdEnds, cdEndsKernel, func(_ grid.Config, n int, in, out []int32) {
		for i := range out {
			switch {
			case n == 1:
				out[i] = 1
			case i < 1:
				out[i] = in[1]
			case i > n-2:
				out[i] = in[i-1]
			default:
				out[i] = in[i-1] ^ in[i+1]
			}
		}
	}))
	add(cdLines("cdLen", linear, cdLen, cdLenKernel, nil))
	add(cdLines("cdHalo", linear, cdHalo, cdHaloKernel, func(_ grid.Config, n int, in, out []int32) {
		for i := range out {
			out[i] = 3 * in[i]
			if i > 0 {
				out[i] += in[i-1]
			}
			if i < n-1 {
				out[i] += 5 * in[i+1]
			}
		}
	}))
	add(cdLines("cdKept", linear, cdKept, cdKeptKernel, nil))
	add(cdLines("cdStride", linear, cdStride, cdStrideKernel, func(_ grid.Config, n int, in, out []int32) {
		for i := range out {
			v := in[i]
			if i > 0 {
				v -= in[i-1]
			}
			if i > n-2 {
				v *= 2
			} else {
				v += in[i+1]
			}
			if v&7 == 3 {
				out[i] = 0
				continue
			}
			for k := range min(3, i) {
				if k+1 == i || i+k+1 != n {
					v += int32(k) + in[i-k]
				}
			}
			out[i] = v
		}
	}))
	add(cdLines("cdBools", linear, cdBools, cdBoolsKernel, nil))
	lanes := []grid.Config{line(2, 32), line(1, 64), line(2, 96), line(1, 256)}
	add(cdLines("cdLanes", lanes, cdLanes, cdLanesKernel, func(cfg grid.Config, n int, in, out []int32) {
		for first := 0; first < n; first += 32 {
			var s, v [32]int32
			for k := range s {
				s[k] = int32(first + k)
				if first+k < n {
					s[k] = in[first+k]
				}
			}
			v = s
			for range 3 {
				for k := range v {
					if k > 0 {
						v[k] += s[k-1]
					}
				}
				v[31] ^= 5
				for k := range s {
					if v[k]&1 == 0 || k == 7 {
						s[k] = v[k]
					}
				}
			}
			copy(out[first:], v[:])
		}
	}))
	cases = append(cases, perThread("cdLaneRows", []grid.Config{line(2, 64), line(1, 256),
		{Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 32, Y: 3}}, {Grid: grid.Dim3{X: 2, Y: 2}, Block: grid.Dim3{X: 16, Y: 4}}, {Grid: grid.Dim3{X: 1, Y: 3}, Block: grid.Dim3{X: 64, Y: 2}}, {Grid: grid.Dim3{X: 2}, Block: grid.Dim3{X: 8, Y: 12}}},
		func(t *gocuda.Thread, in, out []int32) { cdLaneRows(t, len(in), in, out) },
		func(in, out []int32) gocuda.Kernel { return cdLaneRowsKernel(len(in), in, out) },
		func(_ grid.Config, in, out []int32) {
			for i := range out {
				before := i - 1
				if i%32 == 0 {
					before = i + 31
				}
				out[i] = in[before^1] + in[i^1]*3
			}
		}))
	for _, per := range []int{0, 1, 3, 10} {
		cases = append(cases, made(fmt.Sprint("cdStrideSigned rounds ", per), linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			n := cfg.Threads() * cfg.Blocks() * per * 4 / 5
			in, out := data[int32](n), marked[int32](n)
			return func(t *gocuda.Thread) { cdStrideSigned(t, n, in, out) }, cdStrideSignedKernel(n, in, out), []any{out}
		}, func(cfg grid.Config) []any {
			all := cfg.Threads() * cfg.Blocks()
			n := all * per * 4 / 5
			in, out := data[int32](n), marked[int32](n)
			for i := range out {
				v := in[i] >> 1
				if k := i - all; k >= 0 && in[k]&1 != 0 && k > 0 {
					v = -v
				}
				out[i] = v + cdIf(i > n-2 || i >= n-all, 1, 0)
			}
			return []any{out}
		}))
	}
	const top, up = 1<<31 - 1, 1<<32 - 1
	for _, c := range [][3]int{{0, 1, 10}, {0, 0, 5}, {0, -1, 5}, {0, 64, 0}, {top - 40, 33, top}, {top - 5, 1, top}, {top - 5, 1, top - 1}, {0, 1 << 30, top}, {1 << 31, 1000, up},
		{up - 20, 1, up}, {up - 80, 64, up}, {0, 64, 1<<31 + 100}, {1<<31 - 5, 1, 1<<31 + 5}, {-20, 3, 15}, {5, -3, 0}, {0, up, up}, {-(1 << 31), 1 << 29, top}, {0, 1 << 31, 1 << 31}, {100, 7, -1}} {
		cases = append(cases, made(fmt.Sprint("cdCounts ", c), short, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			out := marked[int32](2 * cfg.Blocks() * cfg.Threads())
			return func(t *gocuda.Thread) { cdCounts(t, c[0], c[1], c[2], out) }, cdCountsKernel(c[0], c[1], c[2], out), []any{out}
		}, nil))
	}
	type ways struct{ in, out, acc int } // which part of the buffer, from which row on
	for k, s := range []ways{{0, 8, 16}, {0, 0, 8}, {1, 0, 8}, {0, 1, 8}, {0, 8, 0}, {0, 8, 3}, {0, 8, 8}, {0, 9, 8}, {0, 0, 0}} {
		arguments := func(cfg grid.Config) (int, []float32, cdMatrix) {
			n := cfg.Blocks()*cfg.Threads() - k
			n = max(n, 0)
			b := data[float32](24 * n)
			m := cdMatrix{in: b[s.in*n : (s.in+6)*n], out: b[s.out*n : (s.out+6)*n]}
			m.more.acc = b[s.acc*n : (s.acc+6)*n]
			return n, b, m
		}
		for _, rows := range []int{0, 1, 4, 6} {
			cases = append(cases, made(fmt.Sprint("cdSums ", s, " rows ", rows), linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				n, b, m := arguments(cfg)
				return func(t *gocuda.Thread) { cdSums(t, n, rows, m) }, cdSumsKernel(n, rows, m), []any{b}
			}, func(cfg grid.Config) []any {
				n, b, m := arguments(cfg)
				for i := range n {
					var sum float32
					for k := range rows {
						sum += m.in[k*n+i]
						half := m.in[k*n+i] * 0.5
						m.more.acc[i] += half
						if k > rows-2 {
							m.more.acc[i] -= sum
						}
					}
					m.out[i] = sum
					for k := range rows {
						m.out[i] += m.in[k*n+i]
					}
				}
				return []any{b}
			}), made(fmt.Sprint("cdAhead ", s, " rows ", rows), linear, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				n, b, m := arguments(cfg)
				o := cdMatrix{in: m.out, out: m.more.acc}
				o.more.acc = m.in
				if k%3 == 0 {
					o.more.acc = b[18*n:]
				}
				return func(t *gocuda.Thread) { cdAhead(t, n, rows, m, o) }, cdAheadKernel(n, rows, m, o), []any{b}
			}, nil))
		}
	}
	for _, s := range [][3]int{{0, 2, 2}, {1, 1, 1}, {2, 3, 1}, {3, 2, 3}, {5, 4, 3}, {19, 5, 4}, {33, 3, 3}} {
		w, h, d := s[0], s[1], s[2]
		var cfgs []grid.Config
		for _, b := range []grid.Dim3{{X: 8, Y: 4, Z: 2}, {X: 3, Y: 5, Z: 7}, {X: 32, Y: 2, Z: 1}, {X: 1, Y: 1, Z: 9}} {
			cfgs = append(cfgs, grid.Config{Grid: grid.Dim3{X: w/b.X + 1, Y: h/b.Y + 1, Z: d/b.Z + 1}, Block: b})
		}
		cases = append(cases, made(fmt.Sprint("cdSpace ", s), cfgs, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := data[int32](w*h*d), marked[int32](w*h*d)
			return func(t *gocuda.Thread) { cdSpace(t, w, h, d, in, out) }, cdSpaceKernel(w, h, d, in, out), []any{out}
		}, func(grid.Config) []any {
			in, out := data[int32](w*h*d), marked[int32](w*h*d)
			for i := range out {
				x, y, z := i%w, i/w%h, i/(w*h)
				v := -in[i]
				if inner(x, y, w, h) && z > 0 && z < d-1 {
					v = in[i] + in[i-1] + in[i+1] + in[i-w] + in[i+w] + in[i-w*h] + in[i+w*h]
				}
				out[i] = v ^ cdIf(x == z && (y < z || y > z) || z < d-1 && x > w-2, 1, 0)
			}
			return []any{out}
		}))
	}
	return cases
}

func conditionFailures() []Failure {
	fails := func(name string, w, h, who int, of grid.Dim3, x, y int, text string,
		source func(t *gocuda.Thread, w, h, who int, in, out []int32), compiled func(w, h, who int, in, out []int32) gocuda.Kernel) Failure {
		return Failure{
			Name: name, Config: grid.Config{Grid: grid.Dim3{X: w/of.X + 1, Y: h/of.Y + 1}, Block: of},
			Block: grid.Dim3{X: x / of.X, Y: y / of.Y}, Thread: grid.Dim3{X: x % of.X, Y: y % of.Y}, Text: text,
			Make: func(grid.Config) Instance {
				in, out := data[int32](w*h), marked[int32](w*h)
				return Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { source(t, w, h, who, in, out) }),
					Compiled: compiled(w, h, who, in, out),
					Outputs:  []any{out},
				}
			},
		}
	}
	field := func(t *gocuda.Thread, w, h, who int, in, out []int32) { cdFailField(t, w, h, who, cdPair{in, out}) }
	fieldKernel := func(w, h, who int, in, out []int32) gocuda.Kernel {
		return cdFailFieldKernel(w, h, who, cdPair{in, out})
	}
	all := []Failure{failure("cdFailChanged", 100, 33, cdFailChanged, cdFailChangedKernel, "index out of range [303] with length 300")}
	for k, of := range []grid.Dim3{{X: 16, Y: 4}, {X: 32, Y: 2}, {X: 7, Y: 5}, {X: 40, Y: 20}} {
		for _, s := range [][2]int{{33, 17}, {3, 3}, {20, 6}} {
			w, h := s[0], s[1]
			row := h/2 + k%2
			n := w * h
			name := func(kernel string) string { return fmt.Sprintf("%s %d by %d in %d by %d", kernel, w, h, of.X, of.Y) }
			beyond := func(i int) string { return fmt.Sprintf("index out of range [%d] with length %d", i, n) }
			all = append(all,
				fails(name("cdFailLast"), w, h, row, of, w-1, row, beyond(row*w+w-1+n), cdFailLast, cdFailLastKernel),
				fails(name("cdFailFirst"), w, h, row, of, 0, row, fmt.Sprintf("index out of range [%d]", row*w-n), cdFailFirst, cdFailFirstKernel),
				fails(name("cdFailInside"), w, h, n-1, of, w-1, h-1, beyond(n), cdFailInside, cdFailInsideKernel),
				fails(name("cdFailStore"), w, h, w-1, of, w-1, h-1, beyond(n-1+w), cdFailStore, cdFailStoreKernel),
				fails(name("cdFailField"), w, h, n-w, of, 0, h-1, beyond(n-w+2*n), field, fieldKernel),
			)
		}
	}
	return all
}
