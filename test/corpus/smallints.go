//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Integers of 8 and 16 bits in arithmetic of their own width and of int and int32, whose results often need
// no more bits than the elements have, and sometimes one more.

// Sums and products wrap around.
//
//gocuda:kernel
func siWrapBytes(t *gocuda.Thread, in, out []uint8) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = (in[i]*3 + 7 - in[len(in)-1-i]) * in[i]
	}
}

//gocuda:kernel
func siWrapSigned(t *gocuda.Thread, in, out []int8) {
	if i := t.GlobalX(); i < len(out) {
		v, w := in[i], in[len(in)-1-i]
		out[i] = v*v - w<<1 + 100
		if v+w < v {
			out[i]++
		}
	}
}

//gocuda:kernel
func siWrapWords(t *gocuda.Thread, in, out []uint16) {
	if i := t.GlobalX(); i < len(out) {
		v, w := in[i], in[len(in)-1-i]
		out[i] = max(v+w, v) ^ (v-w)>>3
	}
}

//gocuda:kernel
func siWrapShorts(t *gocuda.Thread, in, out []int16) {
	if i := t.GlobalX(); i < len(out) {
		v, w := in[i], in[len(in)-1-i]
		out[i] = (v-w)>>2 + -w*5
	}
}

// An average and a difference that need nine bits.
//
//gocuda:kernel
func siAverage(t *gocuda.Thread, in, out []uint8) {
	if i := t.GlobalX(); i < len(out) {
		v, w := int(in[i]), int(in[len(in)-1-i])
		out[i] = uint8((v+w+1)/2) - uint8((v-w)>>1)
	}
}

// The square of a difference needs 17 bits.
//
//gocuda:kernel
func siSquare(t *gocuda.Thread, in, out []uint8) {
	if i := t.GlobalX(); i < len(out) {
		d := int32(in[i]) - int32(in[len(in)-1-i])
		out[i] = uint8(d * d >> 9)
		if d*d > 32767 {
			out[i] |= 128
		}
	}
}

// Saturated sums of all four types.
//
//gocuda:kernel types=int8,uint8,int16,uint16
func siSaturated[T int8 | uint8 | int16 | uint16](t *gocuda.Thread, lo, hi int32, in, out []T) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = T(min(max(int32(in[i])+int32(in[len(in)-1-i]), lo), hi))
	}
}

//gocuda:kernel
func siSaturatedInt8(t *gocuda.Thread, in, out, less, more []int8) {
	if i := t.GlobalX(); i < len(in) {
		s := int32(in[i]) + int32(in[len(in)-1-i])
		out[i] = int8(min(max(s, -128), 127))
		less[i] = int8(min(max(s, -127), 127))
		more[i] = int8(min(max(s, -129), 128))
	}
}

//gocuda:kernel
func siSaturatedUint8(t *gocuda.Thread, in, out, less, more []uint8) {
	if i := t.GlobalX(); i < len(in) {
		v, w := int32(in[i]), int32(in[len(in)-1-i])
		out[i] = uint8(min(max(v+w, 0), 255))
		less[i] = uint8(min(max(v-w, 1), 254))
		more[i] = uint8(min(max(v-w, -1), 256))
	}
}

//gocuda:kernel
func siSaturatedInt16(t *gocuda.Thread, in, out, less, more []int16) {
	if i := t.GlobalX(); i < len(in) {
		v, w := int32(in[i]), int32(in[len(in)-1-i])
		out[i] = int16(max(min(v+w, 32767), -32768))
		less[i] = int16(min(max(v-w, -32767), 32766))
		more[i] = int16(min(max(v-w, -32769), 32768))
	}
}

//gocuda:kernel
func siSaturatedUint16(t *gocuda.Thread, in, out, less, more []uint16) {
	if i := t.GlobalX(); i < len(in) {
		v, w := int32(in[i]), int32(in[len(in)-1-i])
		out[i] = uint16(min(v+w, 65535))
		less[i] = uint16(max(v-w, 0))
		more[i] = uint16(min(max(v-w, -1), 65536))
	}
}

// One limit, and the other one by a comparison.
//
//gocuda:kernel
func siOneSided(t *gocuda.Thread, in, out, below, above []uint8) {
	if i := t.GlobalX(); i < len(in) {
		v, w := int(in[i]), int(in[len(in)-1-i])
		below[i] = uint8(max(v-w, 0))
		above[i] = uint8(min(v+w, 255))
		s := v + 2*w - 100
		if s < 0 {
			s = 0
		} else if s > 255 {
			s = 255
		}
		out[i] = uint8(s)
	}
}

// All comparisons, signed and unsigned, and of numbers that don't fit into a byte.
//
//gocuda:kernel
func siCompare(t *gocuda.Thread, in, out []uint8) {
	i := t.GlobalX()
	if i >= len(out) {
		return
	}
	v, w, r := in[i], in[len(in)-1-i], uint8(0)
	if v < w {
		r |= 1
	}
	if int8(v) < int8(w) {
		r |= 2
	}
	if v >= 128 {
		r |= 4
	}
	if int8(v) <= -128 {
		r |= 8
	}
	if int(v)+int(w) > 255 {
		r |= 16
	}
	if int(v)-int(w) == -1 || int(v) == int(w) {
		r |= 32
	}
	if int32(v)*2 != int32(v<<1) {
		r |= 64
	}
	if int(int8(v))-int(int8(w)) > 127 {
		r |= 128
	}
	out[i] = r
}

// The median of three, and extremes of unlike signs.
//
//gocuda:kernel
func siMedian(t *gocuda.Thread, in, out []int16) {
	if i := t.GlobalX(); i < len(out) {
		a, b, c := in[i], in[len(in)-1-i], in[max(i-1, 0)]
		m := max(min(a, b), min(max(a, b), c))
		if uint16(a) > uint16(b) {
			m ^= int16(min(uint16(a), uint16(c)))
		}
		out[i] = m
	}
}

// Shifts by constants. A shift to the right of a sum needs the bits above.
//
//gocuda:kernel
func siShifts(t *gocuda.Thread, in, out []uint8) {
	if i := t.GlobalX(); i < len(out) {
		v, w := in[i], in[len(in)-1-i]
		a := uint8(int8(v)>>1) ^ v<<5 ^ w>>7
		b := uint8((int(v)+int(w))>>1) + uint8(int(int8(v))>>3) + uint8((int(v)<<2)>>3)
		out[i] = a - b + uint8(int32(v)<<24>>27) + v>>7 + uint8(int8(w)>>7)
	}
}

//gocuda:kernel
func siShiftsOfWords(t *gocuda.Thread, in []uint16, out []int16) {
	if i := t.GlobalX(); i < len(out) {
		v, w := in[i], in[len(in)-1-i]
		out[i] = int16(v)>>1 + int16(int8(w))<<3 - int16(int8(v>>8))>>2 ^ int16((uint32(v)+uint32(w))>>1)
	}
}

// Shifts by variables, of more than all bits too.
//
//gocuda:kernel
func siShiftBy(t *gocuda.Thread, in, out []uint8, by uint8) {
	if i := t.GlobalX(); i < len(out) {
		v, w := in[i], in[len(in)-1-i]
		out[i] = v<<(w&7) ^ v>>(w&15) ^ uint8(int8(v)>>(w&31)) + v<<by + uint8(int8(w)>>by)
	}
}

// Division by constants of all kinds.
//
//gocuda:kernel
func siDivide(t *gocuda.Thread, in, out []int8) {
	if i := t.GlobalX(); i < len(out) {
		v := in[i]
		out[i] = v/3 ^ v%-3 + v/1 - v/-1 + v/8 + v%8 ^ v/127 + v/-128 + v%100 - v/2
	}
}

//gocuda:kernel
func siDivideUnsigned(t *gocuda.Thread, in, out []uint8) {
	if i := t.GlobalX(); i < len(out) {
		v := in[i]
		out[i] = v/3 ^ v%7 + v/1 + v/16 - v%16 ^ v/255 + v/128 + v%254*3
	}
}

//gocuda:kernel
func siDivideWords(t *gocuda.Thread, in []uint16, out []int16) {
	if i := t.GlobalX(); i < len(out) {
		v := in[i]
		out[i] = int16(v/10) ^ int16(v)/-7 + int16(v%1000) - int16(v)%256 + int16(v/65535) + int16(v)/-32768
	}
}

// Divisors larger than the numbers, and of sums.
//
//gocuda:kernel
func siDivideWide(t *gocuda.Thread, in, out []uint8) {
	if i := t.GlobalX(); i < len(out) {
		v, w := int32(in[i]), int32(in[len(in)-1-i])
		out[i] = uint8((v+w)/3) + uint8((v-w)/-5) ^ uint8((v-w)%7) + uint8(v/300) + uint8(v%1000000) + uint8((v-w)/256) ^ uint8((v-w)%-128)
	}
}

// Division by variables. The smallest number by -1 wraps around.
//
//gocuda:kernel
func siDivideBy(t *gocuda.Thread, in, out []int8) {
	i := t.GlobalX()
	if i >= len(out) {
		return
	}
	v, w := in[i], in[len(in)-1-i]
	if w == 0 {
		out[i] = -v
		return
	}
	out[i] = v/w ^ v%w
}

//gocuda:kernel
func siProducts(t *gocuda.Thread, in []uint8, out []int16) {
	if i := t.GlobalX(); i < len(out) {
		v, w := in[i], in[len(in)-1-i]
		out[i] = int16(v)*int16(int8(w)) + int16(uint16(v)*uint16(w)>>8) - int16(int8(v))*int16(int8(w))
	}
}

// The upper halves of products.
//
//gocuda:kernel
func siUpperHalves(t *gocuda.Thread, in, out []int16) {
	if i := t.GlobalX(); i < len(out) {
		v, w := int32(in[i]), int32(in[len(in)-1-i])
		out[i] = int16(v*w>>16) + int16((v*w+1<<14)>>15)
	}
}

//gocuda:kernel
func siUpperUnsigned(t *gocuda.Thread, in, out []uint16) {
	if i := t.GlobalX(); i < len(out) {
		v, w := in[i], in[len(in)-1-i]
		out[i] = uint16(uint32(v)*uint32(w)>>16) + v/10 + w%1000
	}
}

// Distances: that of -128 from 0 is 128 as an int, and -128 as an int8.
//
//gocuda:kernel
func siDistances(t *gocuda.Thread, in []int8, out []uint8) {
	i := t.GlobalX()
	if i >= len(out) {
		return
	}
	v, w := in[i], in[len(in)-1-i]
	d := int(v) - int(w)
	if d < 0 {
		d = -d
	}
	if v < 0 {
		v = -v
	}
	out[i] = uint8(d) ^ uint8(v)
	if v < 0 {
		out[i]++
	}
}

// Parameters in and out of the range of the elements.
//
//gocuda:kernel
func siThreshold(t *gocuda.Thread, p int, in, out []uint8) {
	i := t.GlobalX()
	if i >= len(out) {
		return
	}
	v := int(in[i])
	switch {
	case v > p:
		out[i] = 255
	case v+1 == p || v-6 == p:
		out[i] = 7
	default:
		out[i] = uint8(min(v, p)) + uint8(max(v-p, -p)>>1)
	}
}

//gocuda:kernel
func siThresholdSigned(t *gocuda.Thread, p int32, in []int8, out []int16) {
	i := t.GlobalX()
	if i >= len(out) {
		return
	}
	v := int32(in[i])
	if v*2 <= p && v != p {
		out[i] = int16(v - p)
	} else {
		out[i] = int16(min(max(v+p, -32768), 32767))
	}
}

//gocuda:kernel
func siParameters(t *gocuda.Thread, p uint8, q int8, in, out []uint8) {
	if i := t.GlobalX(); i < len(out) {
		v := in[i]
		if v < p && int8(v) > q {
			v -= p * uint8(q)
		}
		out[i] = uint8(max(int(v)-int(p), int(q))) ^ uint8(min(int16(v)+int16(p), 255))
	}
}

// Sums of so many elements as a parameter says.
//
//gocuda:kernel
func siSum(t *gocuda.Thread, count int, in, out []uint8) {
	i := t.GlobalX()
	if i >= len(out) {
		return
	}
	sum := 0
	for k := range count {
		sum += int(in[i+k])
	}
	out[i] = uint8(sum >> 8)
	if sum > 70000 {
		out[i] = 255
	}
}

//gocuda:kernel
func siSumSigned(t *gocuda.Thread, count int, in []int8, out []int16) {
	i := t.GlobalX()
	if i >= len(out) {
		return
	}
	sum, wrapped := 0, int8(0)
	for k := 0; k < count; k++ {
		sum += int(in[i+k])
		wrapped += in[i+k]
	}
	out[i] = int16(sum/3) ^ int16(wrapped)
}

// A count that overflows a byte, and one that does so on purpose.
//
//gocuda:kernel
func siCount(t *gocuda.Thread, count int, key int32, in []uint8, out []uint16) {
	i := t.GlobalX()
	if i >= len(out) {
		return
	}
	n, wrapped := 0, uint8(0)
	for k := range count {
		if int32(in[i+k]) < key {
			n++
			wrapped++
		}
	}
	out[i] = uint16(n)<<1 + uint16(wrapped)
}

// The sum of absolute differences of 16 bytes.
//
//gocuda:kernel
func siDifferences(t *gocuda.Thread, in []uint8, out []uint16) {
	i := t.GlobalX()
	if i >= len(out) {
		return
	}
	sum := 0
	for k := range 16 {
		d := int(in[3*i+k]) - int(in[i+k])
		if d < 0 {
			d = -d
		}
		sum += d
	}
	out[i] = uint16(sum)
}

// Three bytes to one, and one to three.
//
//gocuda:kernel
func siGrey(t *gocuda.Thread, in, out []uint8) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = uint8((77*int(in[3*i]) + 150*int(in[3*i+1]) + 29*int(in[3*i+2]) + 128) >> 8)
	}
}

//gocuda:kernel
func siSpread(t *gocuda.Thread, in, out []uint8) {
	if i := t.GlobalX(); 3*i+2 < len(out) {
		v := int(in[i])
		out[3*i] = uint8(min(2*v, 255))
		out[3*i+1] = uint8(v * 3 >> 2)
		out[3*i+2] = 255 - in[i]
	}
}

//gocuda:kernel
func siPairs(t *gocuda.Thread, in, out []int16) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = int16((int32(in[2*i]) + int32(in[2*i+1])) >> 1)
	}
}

// Four bytes, one of which stays as it is, in reverse.
//
//gocuda:kernel
func siQuads(t *gocuda.Thread, n int, in, out []uint8) {
	if i := t.GlobalX(); i < n {
		r := n - 1 - i
		alpha := int(in[4*i+3])
		out[4*r] = uint8(int(in[4*i]) * alpha / 255)
		out[4*r+1] = uint8(int(in[4*i+1]) * alpha >> 8)
		out[4*r+3] = uint8(alpha)
	}
}

// Branches by data, and an early return.
//
//gocuda:kernel
func siBranches(t *gocuda.Thread, in []int8, out []uint8) {
	i := t.GlobalX()
	if i >= len(out) {
		return
	}
	v, w := in[i], in[len(in)-1-i]
	if v == w {
		return
	}
	r := uint8(v) >> 1
	if v > 0 {
		if w > v {
			r = uint8(int(v)*int(w)) + 1
		} else if w < -v {
			r += uint8(w / 2)
			if r > 200 {
				out[i] += r
				return
			}
		}
		r ^= 0x55
	} else if int(v)+int(w) < -128 {
		r = 9
	}
	out[i] = r
}

// Nested branches without one.
//
//gocuda:kernel
func siNested(t *gocuda.Thread, in, out []uint8) {
	if i := t.GlobalX(); i < len(out) {
		v, w := in[i], in[len(in)-1-i]
		if v >= 100 {
			if w < v {
				if int(v)+int(w) > 255 {
					v += w
				} else {
					v -= w
				}
			} else {
				v *= 2
			}
		} else if w > 9 && w < 250 || v == 5 {
			v = uint8((int(v) + int(w)) / 2)
		} else {
			v = ^v
		}
		out[i] = v
	}
}

// Bools from bools and numbers.
//
//gocuda:kernel
func siBools(t *gocuda.Thread, p int, in []uint8, a, out []bool) {
	if i := t.GlobalX(); i < len(out) {
		q := int(in[i])*2 > p
		if a[i] != (in[len(in)-1-i] > 99) {
			q = !q || a[len(a)-1-i]
		}
		out[i] = q && in[i] != 3 || a[i] && i%5 == 2
	}
}

//gocuda:kernel
func siFromBools(t *gocuda.Thread, in []bool, out []int16) {
	i := t.GlobalX()
	if i >= len(out) {
		return
	}
	n := int16(i)
	for k := range 9 {
		if in[min(i+k, len(in)-1)] {
			n += 1 << k
		}
	}
	out[i] = n
}

// Numbers of threads beside bytes, which are larger than these.
//
//gocuda:kernel
func siRamp(t *gocuda.Thread, in, out []uint8) {
	if i := t.GlobalX(); i < len(out) {
		out[i] = in[i] + uint8(i) + uint8(i>>3) ^ uint8(i%10)
		if int(in[i]) < i && i&int(in[i]) != 0 {
			out[i] += uint8(i / 7)
		}
	}
}

// A grid-stride loop.
//
//gocuda:kernel
func siStrides(t *gocuda.Thread, in, out []int8) {
	for i := t.GlobalX(); i < len(out); i += t.GridDim.X * t.BlockDim.X {
		out[i] = int8((int(in[i])*5 - int(in[len(in)-1-i])) >> 3)
	}
}

// Rows of an image, one for each block.
//
//gocuda:kernel
func siRows(t *gocuda.Thread, w, h int, in, out []uint8) {
	for y := t.BlockIdx.X; y < h; y += t.GridDim.X {
		for x := t.ThreadIdx.X; x < w; x += t.BlockDim.X {
			i := y*w + x
			left, right := in[max(i-1, y*w)], in[min(i+1, y*w+w-1)]
			out[i] = uint8((int(left) + 2*int(in[i]) + int(right) + 2) >> 2)
		}
	}
}

// Edges of an image stay as they are.
//
//gocuda:kernel
func siEdges(t *gocuda.Thread, w, h int, in, out []uint8) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	i := y*w + x
	if x == 0 || y == 0 || x == w-1 || y == h-1 {
		out[i] = in[i]
		return
	}
	gx := int(in[i-w+1]) + 2*int(in[i+1]) + int(in[i+w+1]) - int(in[i-w-1]) - 2*int(in[i-1]) - int(in[i+w-1])
	gy := int(in[i+w-1]) + 2*int(in[i+w]) + int(in[i+w+1]) - int(in[i-w-1]) - 2*int(in[i-w]) - int(in[i-w+1])
	out[i] = uint8(min(max(gx, -gx)+max(gy, -gy), 255))
}

//gocuda:kernel
func siInside(t *gocuda.Thread, w, h int, in, out []uint8) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	i := y*w + x
	v := in[i] / 2
	if x > 0 && x < w-1 && y > 0 && y < h-1 {
		v = max(in[i-1], in[i+1], in[i-w], in[i+w])
		if in[i] > v {
			v = uint8((int(in[i]) + int(v)) / 2)
		}
	}
	out[i] = v
}

// The first and the last element.
//
//gocuda:kernel
func siEnds(t *gocuda.Thread, in, out []uint16) {
	i := t.GlobalX()
	if i >= len(out) {
		return
	}
	if i == 0 || i == len(out)-1 {
		out[i] = in[i] >> 1
		return
	}
	out[i] = uint16((uint32(in[i-1]) + uint32(in[i+1])) / 2)
}

// Shared bytes, and variables that live across barriers.
//
//gocuda:kernel
func siShared(t *gocuda.Thread, in, out []uint8) {
	s := gocuda.Shared[uint8](t, 1024)
	tid, m := t.ThreadIdx.X, t.BlockDim.X
	at := min(t.GlobalX(), len(out)-1)
	v, sum, odd := in[at], int16(0), false
	s[tid] = v
	t.SyncThreads()
	for k := range 3 {
		w := s[(tid+k)%m]
		sum += int16(w) - int16(v)
		odd = odd != (w&1 == 1)
		v = uint8((int(v) + int(s[m-1-tid])) / 2)
		t.SyncThreads()
		s[tid] = v ^ w
		t.SyncThreads()
	}
	if t.GlobalX() < len(out) {
		if odd {
			sum = -sum
		}
		out[at] = v + uint8(sum>>2)
	}
}

// The maximum of a block by a tree.
//
//gocuda:kernel
func siTree(t *gocuda.Thread, in, out []int8) {
	s := gocuda.Shared[int8](t, 1024)
	tid := t.ThreadIdx.X
	s[tid] = -128
	if t.GlobalX() < len(in) {
		s[tid] = in[t.GlobalX()]
	}
	t.SyncThreads()
	for k := 512; k > 0; k /= 2 {
		if tid < k && tid+k < t.BlockDim.X {
			s[tid] = max(s[tid], s[tid+k])
		}
		t.SyncThreads()
	}
	if t.GlobalX() < len(out) {
		out[t.GlobalX()] = s[0] - s[tid]
	}
}

// A load beyond the end, of one thread.
//
//gocuda:kernel
func siFailLoad(t *gocuda.Thread, who int, in, out []uint8) {
	i := t.GlobalX()
	at := i
	if unlucky(t, who) {
		at = len(in) + 2
	}
	out[i] = uint8((int(in[at]) + 1) / 2)
}

// The condition is in the data: one byte is 200.
//
//gocuda:kernel
func siFailStore(t *gocuda.Thread, who int, in, out []uint8) {
	i := t.GlobalX()
	if in[i] == 200 {
		out[i+len(out)] = 1
	}
	out[i] = in[i] + 1
}

// One divisor is 0.
//
//gocuda:kernel
func siFailDivide(t *gocuda.Thread, who int, in, out []uint8) {
	i := t.GlobalX()
	out[i] = 255 / (in[i] - 200)
}

//gocuda:kernel
func siFailRemainder(t *gocuda.Thread, who int, in, out []uint8) {
	i := t.GlobalX()
	v := int16(int8(in[i])) + 56
	if v < 9 {
		out[i] = uint8(1000 % v)
	}
}

// A table that only one byte is too large for.
//
//gocuda:kernel
func siFailTable(t *gocuda.Thread, who int, in, out []uint8) {
	i := t.GlobalX()
	out[i] = in[:200][in[i]] + 1
}

// siFailure is a kernel that fails in thread who of block 1: its byte is 200, and no other one is as large.
func siFailure(name string, threads, who int, source func(t *gocuda.Thread, who int, in, out []uint8),
	compiled func(who int, in, out []uint8) gocuda.Kernel, text string) Failure {
	return Failure{
		Name: name, Config: line(3, threads), Block: grid.Dim3{X: 1}, Thread: grid.Dim3{X: who}, Text: text,
		Make: func(cfg grid.Config) Instance {
			n := cfg.Blocks() * cfg.Threads()
			in, out := make([]uint8, n), make([]uint8, n)
			for i := range in {
				in[i] = uint8(i % 199)
			}
			in[threads+who] = 200
			return Instance{
				Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { source(t, who, in, out) }),
				Compiled: compiled(who, in, out),
				Outputs:  []any{out},
			}
		},
	}
}

func siFailures() []Failure {
	return []Failure{
		siFailure("siFailLoad", 100, 33, siFailLoad, siFailLoadKernel, "index out of range [302] with length 300"),
		siFailure("siFailLoad-last", 256, 255, siFailLoad, siFailLoadKernel, "index out of range [770] with length 768"),
		siFailure("siFailStore", 130, 67, siFailStore, siFailStoreKernel, "index out of range [587] with length 390"),
		siFailure("siFailStore-first", 64, 0, siFailStore, siFailStoreKernel, "index out of range [256] with length 192"),
		siFailure("siFailDivide", 100, 99, siFailDivide, siFailDivideKernel, "integer divide by zero"),
		siFailure("siFailDivide-1024", 1024, 513, siFailDivide, siFailDivideKernel, "integer divide by zero"),
		siFailure("siFailRemainder", 128, 31, siFailRemainder, siFailRemainderKernel, "integer divide by zero"),
		siFailure("siFailTable", 100, 64, siFailTable, siFailTableKernel, "index out of range [200] with length 200"),
	}
}

// siLines have blocks of all sizes, and siFew some of them.
var (
	siLines = []grid.Config{line(5, 1), line(3, 7), line(3, 16), line(2, 33), line(3, 64), line(2, 100), line(2, 130), line(2, 257), line(1, 1024)}
	siFew   = []grid.Config{line(3, 1), line(2, 33), line(3, 64), line(2, 257)}
)

// siLength is the number of elements: less than there are threads, and mostly odd.
func siLength(cfg grid.Config) int {
	n := cfg.Blocks() * cfg.Threads()
	return n - n/7
}

// siOf is a case with n elements in and out. want returns what element i is, of which was is there before.
func siOf[A, B any](name string, source func(t *gocuda.Thread, in []A, out []B), compiled func(in []A, out []B) gocuda.Kernel,
	want func(in []A, i int, was B) B) Case {
	return siLonger(name, siLines, 1, 0, source, compiled, want)
}

// siLonger is siOf with inputs of times*n+more elements.
func siLonger[A, B any](name string, cfgs []grid.Config, times, more int, source func(t *gocuda.Thread, in []A, out []B), compiled func(in []A, out []B) gocuda.Kernel,
	want func(in []A, i int, was B) B) Case {
	return made(name, cfgs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := siLength(cfg)
		in, out := data[A](times*n+more), marked[B](n)
		return func(t *gocuda.Thread) { source(t, in, out) }, compiled(in, out), []any{out}
	}, func(cfg grid.Config) []any {
		n := siLength(cfg)
		in, out := data[A](times*n+more), marked[B](n)
		for i := range out {
			out[i] = want(in, i, out[i])
		}
		return []any{out}
	})
}

// siThree is a case with three outputs.
func siThree[T any](name string, source func(t *gocuda.Thread, in, a, b, c []T), compiled func(in, a, b, c []T) gocuda.Kernel, want func(v, w T) (a, b, c T)) Case {
	return made(name, siLines, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := siLength(cfg)
		in, a, b, c := data[T](n), marked[T](n), marked[T](n), marked[T](n)
		return func(t *gocuda.Thread) { source(t, in, a, b, c) }, compiled(in, a, b, c), []any{a, b, c}
	}, func(cfg grid.Config) []any {
		n := siLength(cfg)
		in, a, b, c := data[T](n), marked[T](n), marked[T](n), marked[T](n)
		for i := range in {
			a[i], b[i], c[i] = want(in[i], in[n-1-i])
		}
		return []any{a, b, c}
	})
}

// siClamp is what a sum is in a kernel that saturates, computed by comparisons of 64 bits.
func siClamp(v, lo, hi int64) int64 {
	if v < lo {
		return lo
	}
	if v > hi {
		return hi
	}
	return v
}

// siLimits are cases of siSaturated with limits that are parameters: those of its types and others.
func siLimits[T int8 | uint8 | int16 | uint16](source func(t *gocuda.Thread, lo, hi int32, in, out []T), compiled func(lo, hi int32, in, out []T) gocuda.Kernel) (cases []Case) {
	for _, l := range [][2]int32{{-128, 127}, {0, 255}, {-32768, 32767}, {0, 65535}, {-129, 127}, {1, 254}, {-100, 300}, {-1 << 31, 1<<31 - 1}, {5, -5}} {
		cases = append(cases, made(fmt.Sprintf("siSaturated %T from %d to %d", *new(T), l[0], l[1]), siFew, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			n := siLength(cfg)
			in, out := data[T](n), marked[T](n)
			return func(t *gocuda.Thread) { source(t, l[0], l[1], in, out) }, compiled(l[0], l[1], in, out), []any{out}
		}, func(cfg grid.Config) []any {
			n := siLength(cfg)
			in, out := data[T](n), marked[T](n)
			for i := range out {
				out[i] = T(min(int64(max(int64(in[i])+int64(in[n-1-i]), int64(l[0]))), int64(l[1])))
			}
			return []any{out}
		}))
	}
	return cases
}

// siPlanes are images with rows of all lengths. want returns what element i is.
func siPlanes(name string, rows bool, source func(t *gocuda.Thread, w, h int, in, out []uint8), compiled func(w, h int, in, out []uint8) gocuda.Kernel,
	want func(in []uint8, w, h, x, y int) int) (cases []Case) {
	for _, w := range []int{1, 2, 7, 16, 33, 64, 100, 130, 257} {
		h := 1 + w%6
		cfgs := []grid.Config{{Grid: grid.Dim3{X: (w + 15) / 16, Y: (h + 3) / 4}, Block: grid.Dim3{X: 16, Y: 4}}, {Grid: grid.Dim3{X: (w + 99) / 100, Y: h}, Block: grid.Dim3{X: 100}}}
		if rows {
			cfgs = []grid.Config{line(2, 64), line(3, 33), line(7, 257)}
		}
		cases = append(cases, made(fmt.Sprint(name, " with rows of ", w), cfgs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := data[uint8](w*h), marked[uint8](w*h)
			return func(t *gocuda.Thread) { source(t, w, h, in, out) }, compiled(w, h, in, out), []any{out}
		}, func(cfg grid.Config) []any {
			in, out := data[uint8](w*h), marked[uint8](w*h)
			for i := range out {
				out[i] = uint8(want(in, w, h, i%w, i/w))
			}
			return []any{out}
		}))
	}
	return cases
}

// The last round of a strided loop, whose vectors have threads beyond the end.
//
//gocuda:kernel
func siRounds(t *gocuda.Thread, n, rounds int, in, out []byte) {
	for x := t.GlobalX(); x < n; x += t.GridDim.X * t.BlockDim.X {
		v := in[x]
		for range rounds {
			v += in[x]
		}
		out[x] = v
	}
}

func siCases() (cases []Case) {
	add := func(more ...Case) { cases = append(cases, more...) }
	add(
		siOf("siWrapBytes", siWrapBytes, siWrapBytesKernel, func(in []uint8, i int, _ uint8) uint8 {
			v, w := int(in[i]), int(in[len(in)-1-i])
			return uint8((v*3 + 7 - w) * v & 255)
		}),
		siOf("siWrapSigned", siWrapSigned, siWrapSignedKernel, func(in []int8, i int, _ int8) int8 {
			v, w := int(in[i]), int(in[len(in)-1-i])
			r := v*v - 2*w + 100
			if (v+w)<<56>>56 < v {
				r++
			}
			return int8(r)
		}),
		siOf("siWrapWords", siWrapWords, siWrapWordsKernel, func(in []uint16, i int, _ uint16) uint16 {
			v, w := int(in[i]), int(in[len(in)-1-i])
			return uint16(max((v+w)%65536, v) ^ (v-w+65536)%65536/8)
		}),
		siOf("siWrapShorts", siWrapShorts, siWrapShortsKernel, func(in []int16, i int, _ int16) int16 {
			v, w := int64(in[i]), int64(in[len(in)-1-i])
			return int16((v-w)<<48>>50 - 5*w)
		}),
		siOf("siAverage", siAverage, siAverageKernel, func(in []uint8, i int, _ uint8) uint8 {
			v, w := int64(in[i]), int64(in[len(in)-1-i])
			return uint8((v+w+1)>>1 - (v-w)>>1)
		}),
		siOf("siSquare", siSquare, siSquareKernel, func(in []uint8, i int, _ uint8) uint8 {
			d := int64(in[i]) - int64(in[len(in)-1-i])
			if d *= d; d >= 32768 {
				return uint8(d/512) | 128
			}
			return uint8(d / 512)
		}),
		siThree("siSaturatedInt8", siSaturatedInt8, siSaturatedInt8Kernel, func(v, w int8) (a, b, c int8) {
			s := int64(v) + int64(w)
			return int8(siClamp(s, -128, 127)), int8(siClamp(s, -127, 127)), int8(siClamp(s, -129, 128))
		}),
		siThree("siSaturatedUint8", siSaturatedUint8, siSaturatedUint8Kernel, func(v, w uint8) (a, b, c uint8) {
			s, d := int64(v)+int64(w), int64(v)-int64(w)
			return uint8(siClamp(s, 0, 255)), uint8(siClamp(d, 1, 254)), uint8(siClamp(d, -1, 256))
		}),
		siThree("siSaturatedInt16", siSaturatedInt16, siSaturatedInt16Kernel, func(v, w int16) (a, b, c int16) {
			s, d := int64(v)+int64(w), int64(v)-int64(w)
			return int16(siClamp(s, -32768, 32767)), int16(siClamp(d, -32767, 32766)), int16(siClamp(d, -32769, 32768))
		}),
		siThree("siSaturatedUint16", siSaturatedUint16, siSaturatedUint16Kernel, func(v, w uint16) (a, b, c uint16) {
			s, d := int64(v)+int64(w), int64(v)-int64(w)
			return uint16(siClamp(s, 0, 65535)), uint16(siClamp(d, 0, 65535)), uint16(siClamp(d, -1, 65536))
		}),
		siThree("siOneSided", siOneSided, siOneSidedKernel, func(v, w uint8) (a, b, c uint8) {
			x, y := int64(v), int64(w)
			return uint8(siClamp(x+2*y-100, 0, 255)), uint8(siClamp(x-y, 0, 255)), uint8(siClamp(x+y, 0, 255))
		}),
		siOf("siCompare", siCompare, siCompareKernel, func(in []uint8, i int, _ uint8) uint8 {
			v, w, r := int(in[i]), int(in[len(in)-1-i]), 0
			signed := func(x int) int { return (x+128)%256 - 128 }
			for bit, holds := range []bool{
				v-w < 0, signed(v)-signed(w) < 0, v > 127, v == 128, v+w >= 256, w-v == 1 || v == w, v > 127, signed(v)-signed(w) >= 128,
			} {
				if holds {
					r += 1 << bit
				}
			}
			return uint8(r)
		}),
		siOf("siMedian", siMedian, siMedianKernel, func(in []int16, i int, _ int16) int16 {
			a, b, c := in[i], in[len(in)-1-i], in[max(i-1, 0)]
			m := a + b + c - max(a, b, c) - min(a, b, c)
			if int(a)&65535 > int(b)&65535 {
				m ^= int16(min(int(a)&65535, int(c)&65535))
			}
			return m
		}),
		siOf("siShifts", siShifts, siShiftsKernel, func(in []uint8, i int, _ uint8) uint8 {
			v, w := int64(in[i]), int64(in[len(in)-1-i])
			sv, sw := v<<56>>56, w<<56>>56
			a := sv>>1&255 ^ v*32&255 ^ w/128
			return uint8(a - ((v+w)/2 + sv>>3 + v/2) + sv>>3 + v/128 + sw>>8)
		}),
		siOf("siShiftsOfWords", siShiftsOfWords, siShiftsOfWordsKernel, func(in []uint16, i int, _ int16) int16 {
			v, w := int64(in[i]), int64(in[len(in)-1-i])
			return int16(v<<48>>49 + w<<56>>53 - v>>8<<56>>58 ^ (v+w)/2)
		}),
		siOf("siDivide", siDivide, siDivideKernel, func(in []int8, i int, _ int8) int8 {
			v := int64(in[i])
			return int8(v/3 ^ v%3 + v + v + v/8 + v%8 ^ v/127 + v/-128 + v%100 - v/2)
		}),
		siOf("siDivideUnsigned", siDivideUnsigned, siDivideUnsignedKernel, func(in []uint8, i int, _ uint8) uint8 {
			v := int64(in[i])
			return uint8(v/3 ^ v%7 + v + v/16 - v&15 ^ v/255 + v/128 + v%254*3)
		}),
		siOf("siDivideWords", siDivideWords, siDivideWordsKernel, func(in []uint16, i int, _ int16) int16 {
			v, s := int64(in[i]), int64(int16(in[i]))
			return int16(v/10 ^ s/-7 + v%1000 - s%256 + v/65535 + s/-32768)
		}),
		siOf("siDivideWide", siDivideWide, siDivideWideKernel, func(in []uint8, i int, _ uint8) uint8 {
			v, w := int64(in[i]), int64(in[len(in)-1-i])
			return uint8((v+w)/3 + (v-w)/-5 ^ (v-w)%7 + v + (v-w)/256 ^ (v-w)%128)
		}),
		siOf("siDivideBy", siDivideBy, siDivideByKernel, func(in []int8, i int, _ int8) int8 {
			v, w := int64(in[i]), int64(in[len(in)-1-i])
			if w == 0 {
				return int8(-v)
			}
			return int8(v/w ^ v%w)
		}),
		siOf("siProducts", siProducts, siProductsKernel, func(in []uint8, i int, _ int16) int16 {
			v, w := int64(in[i]), int64(in[len(in)-1-i])
			return int16(v*(w<<56>>56) + v*w/256 - (v<<56>>56)*(w<<56>>56))
		}),
		siOf("siUpperHalves", siUpperHalves, siUpperHalvesKernel, func(in []int16, i int, _ int16) int16 {
			p := int64(in[i]) * int64(in[len(in)-1-i])
			return int16(p>>16 + (p+1<<14)<<32>>47)
		}),
		siOf("siUpperUnsigned", siUpperUnsigned, siUpperUnsignedKernel, func(in []uint16, i int, _ uint16) uint16 {
			v, w := int64(in[i]), int64(in[len(in)-1-i])
			return uint16(v*w/65536 + v/10 + w%1000)
		}),
		siOf("siDistances", siDistances, siDistancesKernel, func(in []int8, i int, _ uint8) uint8 {
			v, w := int64(in[i]), int64(in[len(in)-1-i])
			r := max(v-w, w-v) ^ max(v, -v)
			if v == -128 {
				r++
			}
			return uint8(r)
		}),
		siLonger("siDifferences", siLines, 3, 16, siDifferences, siDifferencesKernel, func(in []uint8, i int, _ uint16) uint16 {
			sum := 0
			for k := range 16 {
				v, w := int(in[3*i+k]), int(in[i+k])
				sum += max(v, w) - min(v, w)
			}
			return uint16(sum)
		}),
		siLonger("siGrey", siLines, 3, 0, siGrey, siGreyKernel, func(in []uint8, i int, _ uint8) uint8 {
			return uint8((77*uint64(in[3*i]) + 150*uint64(in[3*i+1]) + 29*uint64(in[3*i+2]) + 128) / 256)
		}),
		siLonger("siPairs", siLines, 2, 0, siPairs, siPairsKernel, func(in []int16, i int, _ int16) int16 {
			return int16((int64(in[2*i]) + int64(in[2*i+1])) >> 1)
		}),
		siOf("siBranches", siBranches, siBranchesKernel, func(in []int8, i int, was uint8) uint8 {
			v, w := int(in[i]), int(in[len(in)-1-i])
			half := v & 255 / 2
			minus := -v
			switch {
			case v == w:
				return was
			case v > 0 && w > v:
				return uint8(v*w+1) ^ 0x55
			case v > 0 && w < minus:
				if r := (half + w/2) & 255; r > 200 {
					return was + uint8(r)
				} else {
					return uint8(r) ^ 0x55
				}
			case v > 0:
				return uint8(half) ^ 0x55
			case v+w <= -129:
				return 9
			}
			return uint8(half)
		}),
		siOf("siFromBools", siFromBools, siFromBoolsKernel, func(in []bool, i int, _ int16) int16 {
			n := i
			for k := range 9 {
				if at := i + k; at < len(in) && in[at] || at >= len(in) && in[len(in)-1] {
					n += 1 << k
				}
			}
			return int16(n)
		}),
		siOf("siRamp", siRamp, siRampKernel, func(in []uint8, i int, _ uint8) uint8 {
			v := int(in[i])
			r := (v + i + i/8) ^ i%10
			if v < i && i&v > 0 {
				r += i / 7
			}
			return uint8(r)
		}),
		siOf("siStrides", siStrides, siStridesKernel, func(in []int8, i int, _ int8) int8 {
			return int8((int64(in[i])*5 - int64(in[len(in)-1-i])) >> 3)
		}),
		siOf("siEnds", siEnds, siEndsKernel, func(in []uint16, i int, _ uint16) uint16 {
			if i == 0 || i == len(in)-1 {
				return in[i] / 2
			}
			return uint16((int(in[i-1]) + int(in[i+1])) >> 1)
		}),
		siOf("siNested", siNested, siNestedKernel, func(in []uint8, i int, _ uint8) uint8 {
			v, w := int(in[i]), int(in[len(in)-1-i])
			switch {
			case v >= 100 && w < v && v+w <= 255:
				return uint8(v - w)
			case v >= 100 && w < v:
				return uint8(v + w)
			case v >= 100:
				return uint8(v * 2)
			case w > 9 && w < 250 || v == 5:
				return uint8((v + w) >> 1)
			}
			return uint8(v ^ 255)
		}),
	)
	// Those without a serial computation.
	add(made("siShared", siLines, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[uint8](siLength(cfg)), marked[uint8](siLength(cfg))
		return func(t *gocuda.Thread) { siShared(t, in, out) }, siSharedKernel(in, out), []any{out}
	}, nil), made("siTree", siLines, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[int8](siLength(cfg)), marked[int8](siLength(cfg))
		return func(t *gocuda.Thread) { siTree(t, in, out) }, siTreeKernel(in, out), []any{out}
	}, nil))
	// The distance of the maximum from itself.
	add(made("siTree of one block", []grid.Config{line(1, 7), line(1, 100), line(1, 1000)}, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		in, out := data[int8](cfg.Threads()), marked[int8](1)
		return func(t *gocuda.Thread) { siTree(t, in, out) }, siTreeKernel(in, out), []any{out}
	}, func(cfg grid.Config) []any { return []any{make([]int8, 1)} }))
	for _, by := range []uint8{0, 3, 7, 8, 9, 31, 32, 255} {
		add(siOf(fmt.Sprint("siShiftBy of ", by), func(t *gocuda.Thread, in, out []uint8) { siShiftBy(t, in, out, by) },
			func(in, out []uint8) gocuda.Kernel { return siShiftByKernel(in, out, by) }, func(in []uint8, i int, _ uint8) uint8 {
				v, w := uint64(in[i]), uint64(in[len(in)-1-i])
				return uint8(v<<(w%8)&255 ^ v>>(w%16) ^ uint64(int64(v)<<56>>56>>(w%32))&255 + v<<by&255 + uint64(int64(w)<<56>>56>>by)&255)
			}))
	}
	for _, p := range []int64{-1 << 40, -1000000, -129, -5, -1, 0, 1, 100, 127, 128, 254, 255, 256, 300, 32768, 65536, 1000000, 1 << 40} {
		p := int(p) // which is another number where int has 32 bits
		add(siOf(fmt.Sprint("siThreshold by ", p), func(t *gocuda.Thread, in, out []uint8) { siThreshold(t, p, in, out) },
			func(in, out []uint8) gocuda.Kernel { return siThresholdKernel(p, in, out) }, func(in []uint8, i int, _ uint8) uint8 {
				v := int(in[i])
				if p < v {
					return 255
				}
				if v == p-1 || v == p+6 {
					return 7
				}
				return uint8(v) + uint8((v-p)>>1) // p is not smaller than v, and v-p not smaller than -p
			}))
	}
	for _, p := range []int32{-1 << 31, -1000000, -32768, -200, -128, -5, 0, 127, 128, 300, 65535, 1<<31 - 200} {
		add(siOf(fmt.Sprint("siThresholdSigned by ", p), func(t *gocuda.Thread, in []int8, out []int16) { siThresholdSigned(t, p, in, out) },
			func(in []int8, out []int16) gocuda.Kernel { return siThresholdSignedKernel(p, in, out) }, func(in []int8, i int, _ int16) int16 {
				v, q := int64(in[i]), int64(p)
				if v+v <= q && v != q {
					return int16(v - q)
				}
				return int16(siClamp((v+q)<<32>>32, -32768, 32767))
			}))
	}
	for _, p := range [][2]int{{0, 0}, {255, -128}, {128, 127}, {5, -1}, {200, 100}} {
		a, b := uint8(p[0]), int8(p[1])
		add(siOf(fmt.Sprint("siParameters of ", a, " and ", b), func(t *gocuda.Thread, in, out []uint8) { siParameters(t, a, b, in, out) },
			func(in, out []uint8) gocuda.Kernel { return siParametersKernel(a, b, in, out) }, func(in []uint8, i int, _ uint8) uint8 {
				v := int64(in[i])
				if v < int64(p[0]) && v<<56>>56 > int64(p[1]) {
					v = (v - int64(p[0]*p[1])) & 255
				}
				return uint8(max(v-int64(p[0]), int64(p[1])) ^ min(v+int64(p[0]), 255))
			}))
	}
	for _, count := range []int{0, 1, 2, 9, 100, 129, 256, 258, 300, 700} {
		add(siLonger(fmt.Sprint("siSum of ", count), siFew, 1, count, func(t *gocuda.Thread, in, out []uint8) { siSum(t, count, in, out) },
			func(in, out []uint8) gocuda.Kernel { return siSumKernel(count, in, out) }, func(in []uint8, i int, _ uint8) uint8 {
				sum := uint64(0)
				for _, v := range in[i : i+count] {
					sum += uint64(v)
				}
				if sum > 70000 {
					return 255
				}
				return uint8(sum / 256)
			}))
		add(siLonger(fmt.Sprint("siSumSigned of ", count), siFew, 1, count, func(t *gocuda.Thread, in []int8, out []int16) { siSumSigned(t, count, in, out) },
			func(in []int8, out []int16) gocuda.Kernel { return siSumSignedKernel(count, in, out) }, func(in []int8, i int, _ int16) int16 {
				sum := int64(0)
				for _, v := range in[i : i+count] {
					sum += int64(v)
				}
				return int16(sum/3 ^ sum<<56>>56)
			}))
		for _, key := range []int32{-5, 50, 256, 1000000} {
			add(siLonger(fmt.Sprint("siCount of ", count, " below ", key), siFew, 1, count, func(t *gocuda.Thread, in []uint8, out []uint16) { siCount(t, count, key, in, out) },
				func(in []uint8, out []uint16) gocuda.Kernel { return siCountKernel(count, key, in, out) }, func(in []uint8, i int, _ uint16) uint16 {
					n := 0
					for _, v := range in[i : i+count] {
						if int64(v) < int64(key) {
							n++
						}
					}
					return uint16(2*n + n%256)
				}))
		}
	}
	// Sums that are as large as they can be.
	for _, count := range []int{128, 129, 256, 257, 258, 600} {
		for _, v := range []uint8{255, 128, 127} {
			add(made(fmt.Sprint("siSum of ", count, " times ", v), siFew, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				n := siLength(cfg)
				in, out := make([]uint8, n+count), make([]uint8, n)
				for i := range in {
					in[i] = v
				}
				return func(t *gocuda.Thread) { siSum(t, count, in, out) }, siSumKernel(count, in, out), []any{out}
			}, func(cfg grid.Config) []any {
				out, sum := make([]uint8, siLength(cfg)), count*int(v)
				for i := range out {
					out[i] = uint8(sum / 256)
					if sum > 70000 {
						out[i] = 255
					}
				}
				return []any{out}
			}))
			add(made(fmt.Sprint("siSumSigned of ", count, " times ", int8(v)), siFew, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
				n := siLength(cfg)
				in, out := make([]int8, n+count), make([]int16, n)
				for i := range in {
					in[i] = int8(v)
				}
				return func(t *gocuda.Thread) { siSumSigned(t, count, in, out) }, siSumSignedKernel(count, in, out), []any{out}
			}, func(cfg grid.Config) []any {
				out, sum := make([]int16, siLength(cfg)), int64(count)*int64(int8(v))
				for i := range out {
					out[i] = int16(sum/3 ^ sum<<56>>56)
				}
				return []any{out}
			}))
		}
	}
	add(made("siSpread", siLines, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := siLength(cfg)
		in, out := data[uint8](n), marked[uint8](3*n+1)
		return func(t *gocuda.Thread) { siSpread(t, in, out) }, siSpreadKernel(in, out), []any{out}
	}, func(cfg grid.Config) []any {
		n := siLength(cfg)
		out := marked[uint8](3*n + 1)
		for i, v := range data[uint8](n) {
			out[3*i], out[3*i+1], out[3*i+2] = uint8(siClamp(2*int64(v), 0, 255)), uint8(3*int64(v)/4), ^v
		}
		return []any{out}
	}), made("siQuads", siLines, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := siLength(cfg)
		in, out := data[uint8](4*n), marked[uint8](4*n)
		return func(t *gocuda.Thread) { siQuads(t, n, in, out) }, siQuadsKernel(n, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		n := siLength(cfg)
		in, out := data[uint8](4*n), marked[uint8](4*n)
		for i := range n {
			from, to := in[4*i:], out[4*(n-1-i):]
			alpha := uint64(from[3])
			to[0], to[1], to[3] = uint8(uint64(from[0])*alpha/255), uint8(uint64(from[1])*alpha/256), from[3]
		}
		return []any{out}
	}))
	for _, p := range []int{-5, 0, 100, 255, 510, 1000000} {
		add(made(fmt.Sprint("siBools by ", p), siFew, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			n := siLength(cfg)
			in, a, out := data[uint8](n), data[bool](n), make([]bool, n)
			return func(t *gocuda.Thread) { siBools(t, p, in, a, out) }, siBoolsKernel(p, in, a, out), []any{out}
		}, func(cfg grid.Config) []any {
			n := siLength(cfg)
			in, a, out := data[uint8](n), data[bool](n), make([]bool, n)
			for i := range out {
				q := 2*int64(in[i]) > int64(p)
				if other := in[n-1-i] > 99; a[i] && !other || !a[i] && other {
					q = a[n-1-i] || !q
				}
				out[i] = in[i] != 3 && q || i%5 == 2 && a[i]
			}
			return []any{out}
		}))
	}
	add(siPlanes("siRows", true, siRows, siRowsKernel, func(in []uint8, w, h, x, y int) int {
		row := in[y*w : (y+1)*w]
		return (int(row[max(x-1, 0)]) + 2*int(row[x]) + int(row[min(x+1, w-1)]) + 2) / 4
	})...)
	add(siPlanes("siEdges", false, siEdges, siEdgesKernel, func(in []uint8, w, h, x, y int) int {
		at := func(x, y int) int { return int(in[y*w+x]) }
		if x < 1 || y < 1 || x > w-2 || y > h-2 {
			return at(x, y)
		}
		gx, gy := 0, 0
		for k, f := range []int{1, 2, 1} {
			gx += f * (at(x+1, y-1+k) - at(x-1, y-1+k))
			gy += f * (at(x-1+k, y+1) - at(x-1+k, y-1))
		}
		return int(siClamp(int64(max(gx, -gx)+max(gy, -gy)), 0, 255))
	})...)
	add(siPlanes("siInside", false, siInside, siInsideKernel, func(in []uint8, w, h, x, y int) int {
		at := func(x, y int) int { return int(in[y*w+x]) }
		if x < 1 || y < 1 || x > w-2 || y > h-2 {
			return at(x, y) >> 1
		}
		v := max(at(x-1, y), at(x+1, y), at(x, y-1), at(x, y+1))
		if at(x, y) > v {
			v = (at(x, y) + v) >> 1
		}
		return v
	})...)
	add(siLimits(siSaturated[int8], siSaturatedKernel[int8])...)
	add(siLimits(siSaturated[uint8], siSaturatedKernel[uint8])...)
	add(siLimits(siSaturated[int16], siSaturatedKernel[int16])...)
	add(siLimits(siSaturated[uint16], siSaturatedKernel[uint16])...)
	return cases
}
