//go:build compiled

package corpus

import (
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Arrays that belong to one thread, and are indexed by the counters of loops or by what is in memory.

var laSHA = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}

// SHA-256 of 64 bytes a thread: the message, then the padding.
//
//gocuda:kernel
func laSHA256(t *gocuda.Thread, n int, in, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	h := [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
	var w [64]uint32
	for block := 0; block < 2; block++ {
		for k := 0; k < 16; k++ {
			if block == 0 {
				w[k] = in[16*i+k]
			} else {
				w[k] = 0
			}
		}
		if block == 1 {
			w[0] = 1 << 31
			w[15] = 512
		}
		for k := 16; k < 64; k++ {
			s0 := bits.RotateLeft32(w[k-15], -7) ^ bits.RotateLeft32(w[k-15], -18) ^ w[k-15]>>3
			s1 := bits.RotateLeft32(w[k-2], -17) ^ bits.RotateLeft32(w[k-2], -19) ^ w[k-2]>>10
			w[k] = w[k-16] + s0 + w[k-7] + s1
		}
		s := h
		for k := 0; k < 64; k++ {
			a, e := s[0], s[4]
			t1 := s[7] + (bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)) + (e&s[5] ^ ^e&s[6]) + laSHA[k] + w[k]
			t2 := (bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)) + (a&s[1] ^ a&s[2] ^ s[1]&s[2])
			for j := 7; j > 0; j-- {
				s[j] = s[j-1]
			}
			s[4] += t1
			s[0] = t1 + t2
		}
		for j := range h {
			h[j] += s[j]
		}
	}
	for j, v := range h {
		out[8*i+j] = v
	}
}

func laSHA256Serial(in, out []uint32) {
	var b [64]byte
	for k := range 16 {
		binary.BigEndian.PutUint32(b[4*k:], in[k])
	}
	sum := sha256.Sum256(b[:])
	for k := range 8 {
		out[k] = binary.BigEndian.Uint32(sum[4*k:])
	}
}

var laSines = [64]uint32{
	0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
	0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
	0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
	0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
	0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
	0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
	0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
	0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
}

// SHA-1 of 52 bytes a thread: a message schedule of 80 words, which is longer than registers can hold.
//
//gocuda:kernel
func laSHA1Long(t *gocuda.Thread, n int, in, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var w [80]uint32
	for k := 0; k < 13; k++ {
		w[k] = in[13*i+k]
	}
	w[13] = 1 << 31
	w[15] = 52 * 8
	for k := 16; k < 80; k++ {
		w[k] = bits.RotateLeft32(w[k-3]^w[k-8]^w[k-14]^w[k-16], 1)
	}
	h := [5]uint32{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}
	a, b, c, d, e := h[0], h[1], h[2], h[3], h[4]
	for k := range w {
		var f uint32
		switch {
		case k < 20:
			f = 0x5a827999 + (b&c | ^b&d)
		case k < 40:
			f = 0x6ed9eba1 + (b ^ c ^ d)
		case k < 60:
			f = 0x8f1bbcdc + (b&c | b&d | c&d)
		default:
			f = 0xca62c1d6 + (b ^ c ^ d)
		}
		a, b, c, d, e = bits.RotateLeft32(a, 5)+f+e+w[k], a, bits.RotateLeft32(b, 30), c, d
	}
	out[5*i], out[5*i+1], out[5*i+2], out[5*i+3], out[5*i+4] = h[0]+a, h[1]+b, h[2]+c, h[3]+d, h[4]+e
}

func laSHA1LongSerial(in, out []uint32) {
	var b [52]byte
	for k := range 13 {
		binary.BigEndian.PutUint32(b[4*k:], in[k])
	}
	sum := sha1.Sum(b[:])
	for k := range 5 {
		out[k] = binary.BigEndian.Uint32(sum[4*k:])
	}
}

// Pascal's triangle in an array of arrays, of which a thread reads what it asks for; the rows have the lengths that
// its input says.
//
//gocuda:kernel
func laTriangle(t *gocuda.Thread, n int, in, out []int64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var c [12][12]int64
	rows := 3 + int(uint64(in[i])%9)
	for r := 0; r < rows; r++ {
		c[r][0] = 1
		for k := 1; k <= r; k++ {
			c[r][k] = c[r-1][k-1] + c[r-1][k]
		}
	}
	sum := int64(0)
	for k := rows - 1; k >= 0; k-- {
		sum = sum*7 + c[rows-1][k]
	}
	out[i] = sum
}

func laTriangleSerial(in, out []int64) {
	r := 2 + int64(uint64(in[0])%9)
	for k := r; k >= 0; k-- {
		out[0] = new(big.Int).Binomial(r, k).Int64() + 7*out[0]*min(1, r-k)
	}
}

// The longest increasing subsequence, in arrays of 1000 numbers and, below, of 1025, which are too long for vectors.
//
//gocuda:kernel
func laIncreasing(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var a, b [1000]int32
	for k := 0; k < 20; k++ {
		a[k], b[k] = 1, in[20*i+k]
		for j := 0; j < k; j++ {
			if b[j] < b[k] {
				a[k] = max(a[k], a[j]+1)
			}
		}
		out[i] = max(out[i]*min(1, int32(k)), a[k])
	}
}

//gocuda:kernel
func laTooLong(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var a, b [1025]int32
	for k := 0; k < 20; k++ {
		a[k], b[k] = 1, in[20*i+k]
		for j := 0; j < k; j++ {
			if b[j] < b[k] {
				a[k] = max(a[k], a[j]+1)
			}
		}
		out[i] = max(out[i]*min(1, int32(k)), a[k])
	}
}

func laIncreasingSerial(in, out []int32) {
	var tails []int32 // patience sorting
	for _, v := range in {
		at, _ := slices.BinarySearch(tails, v)
		tails = append(tails[:at], append([]int32{v}, tails[min(at+1, len(tails)):]...)...)
	}
	out[0] = int32(len(tails))
}

// MD5 of 52 bytes a thread, with the padding in the same block. The words of a message are neighbours of
// those of the next message.
//
//gocuda:kernel
func laMD5(t *gocuda.Thread, n int, in, out []uint32) {
	turns := [16]int{7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21}
	i := t.GlobalX()
	if i < n {
		var m [16]uint32
		for k := 0; k < 13; k++ {
			m[k] = in[k*n+i]
		}
		m[13], m[14] = 0x80, 52*8
		a, b, c, d := uint32(0x67452301), uint32(0xefcdab89), uint32(0x98badcfe), uint32(0x10325476)
		for k := 0; k < 64; k++ {
			var f uint32
			var g int
			switch {
			case k < 16:
				f, g = b&c|^b&d, k
			case k < 32:
				f, g = d&b|^d&c, (5*k+1)%16
			case k < 48:
				f, g = b^c^d, (3*k+5)%16
			default:
				f, g = c^(b|^d), 7*k%16
			}
			f += a + laSines[k] + m[g]
			a, d, c = d, c, b
			s := turns[k/16*4+k%4]
			b += f<<s | f>>(32-s)
		}
		out[i], out[n+i], out[2*n+i], out[3*n+i] = a+0x67452301, b+0xefcdab89, c+0x98badcfe, d+0x10325476
	}
}

func laMD5Serial(in, out []uint32) {
	var b [52]byte
	for k := range 13 {
		binary.LittleEndian.PutUint32(b[4*k:], in[k])
	}
	sum := md5.Sum(b[:])
	for k := range 4 {
		out[k] = binary.LittleEndian.Uint32(sum[4*k:])
	}
}

// RC4 with a key of 5 bytes: a table of 256 bytes, of which two are exchanged in each step.
//
//gocuda:kernel
func laRC4(t *gocuda.Thread, n int, in, out []uint8) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var s [256]uint8
	for k := range s {
		s[k] = uint8(k)
	}
	var j uint8
	for k := 0; k < 256; k++ {
		j += s[k] + in[5*i+k%5]
		s[k], s[j] = s[j], s[k]
	}
	x, y := uint8(0), uint8(0)
	for k := 0; k < 11; k++ {
		x++
		y += s[x]
		s[x], s[y] = s[y], s[x]
		out[11*i+k] = s[s[x]+s[y]]
	}
}

func laRC4Serial(in, out []uint8) {
	c, err := rc4.NewCipher(in)
	if err != nil {
		panic(err)
	}
	clear(out)
	c.XORKeyStream(out, out)
}

// The distance of two words, with two rows of the table, the second copied to the first.
//
//gocuda:kernel
func laEdit(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var prev, cur [17]int32
	for j := 0; j <= 16; j++ {
		prev[j] = int32(j)
	}
	for r := 1; r <= 12; r++ {
		cur[0] = int32(r)
		a := in[28*i+r-1] & 3
		for c := 1; c <= 16; c++ {
			cost := int32(1)
			if a == in[28*i+12+c-1]&3 {
				cost = 0
			}
			cur[c] = min(prev[c]+1, cur[c-1]+1, prev[c-1]+cost)
		}
		prev = cur
	}
	out[i] = prev[16]
}

func laEditSerial(in, out []int32) {
	var d [13][17]int32
	for r := range 13 {
		for c := range 17 {
			switch {
			case r == 0:
				d[r][c] = int32(c)
			case c == 0:
				d[r][c] = int32(r)
			case in[r-1]&3 == in[12+c-1]&3:
				d[r][c] = d[r-1][c-1]
			default:
				d[r][c] = 1 + min(d[r-1][c-1], d[r-1][c], d[r][c-1])
			}
		}
	}
	out[0] = d[12][16]
}

// The longest common subsequence, with one row and the number that is left and above; the second word has a
// length of its own.
//
//gocuda:kernel
func laCommon(t *gocuda.Thread, n int, in, out []uint8) {
	if i := t.GlobalX(); i < n {
		var row [33]uint8
		length := int(in[48*i]) % 33
		for r := 0; r < 15; r++ {
			var corner uint8
			for c := 1; c <= length; c++ {
				above := row[c]
				if in[48*i+1+r]%5 == in[48*i+15+c]%5 {
					row[c] = corner + 1
				} else if row[c-1] > above {
					row[c] = row[c-1]
				}
				corner = above
			}
		}
		out[i] = row[length]
	}
}

func laCommonSerial(in, out []uint8) {
	a, b := in[1:16], in[16:16+int(in[0])%33]
	var longest func(a, b []uint8, known map[[2]int]uint8) uint8
	longest = func(a, b []uint8, known map[[2]int]uint8) uint8 {
		if len(a) == 0 || len(b) == 0 {
			return 0
		}
		at := [2]int{len(a), len(b)}
		if v, ok := known[at]; ok {
			return v
		}
		v := max(longest(a[1:], b, known), longest(a, b[1:], known))
		if a[0]%5 == b[0]%5 {
			v = max(v, 1+longest(a[1:], b[1:], known))
		}
		known[at] = v
		return v
	}
	out[0] = longest(a, b, map[[2]int]uint8{})
}

// The knapsack problem: 9 items, capacities up to 63, downwards.
//
//gocuda:kernel
func laKnapsack(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var best [64]int32
	for k := 0; k < 9; k++ {
		weight, value := int(in[k*n+i]&31)+1, in[(k+9)*n+i]&1023
		for c := 63; c >= weight; c-- {
			if v := best[c-weight] + value; v > best[c] {
				best[c] = v
			}
		}
	}
	out[i] = best[63]
	out[n+i] = best[in[i]>>9&63]
}

func laKnapsackSerial(in, out []int32) {
	within := func(limit int) (most int32) {
		for set := range 1 << 9 {
			weight, value := 0, int32(0)
			for k := range 9 {
				if set>>k&1 != 0 {
					weight += int(in[k]&31) + 1
					value += in[k+9] & 1023
				}
			}
			if weight <= limit {
				most = max(most, value)
			}
		}
		return most
	}
	out[0], out[1] = within(63), within(int(in[0]>>9&63))
}

// Polynomials by Horner's rule, with coefficients that are constants and others that are computed.
//
//gocuda:kernel
func laHorner(t *gocuda.Thread, n int, in, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	fixed := [8]float64{1, -0.5, 0.25, 3, 0, 0.125, -2, 7}
	var own [17]float64
	for k := range own {
		own[k] = in[2*i+1] * float64(k-8)
	}
	x := in[2*i] / 128
	a, b := 0.0, own[16]
	for k := 7; k >= 0; k-- {
		a = float64(a*x) + fixed[k]
	}
	for k := len(own) - 2; k >= 0; k-- {
		b *= x
		b += own[k]
	}
	out[i] = a + b
}

func laHornerSerial(in, out []float64) {
	x, a, b := in[0]/128, 0.0, 0.0
	for _, c := range []float64{7, -2, 0.125, 0, 3, 0.25, -0.5, 1} {
		a = float64(a*x) + c
	}
	for k := 8; k >= -8; k-- {
		b = float64(b*x) + in[1]*float64(k)
	}
	out[0] = a + b
}

// Insertion sort.
//
//gocuda:kernel
func laInsertion(t *gocuda.Thread, n int, in, out []int64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var a [17]int64
	for k := 0; k < 17; k++ {
		a[k] = in[17*i+k]
	}
	for k := 1; k < 17; k++ {
		v := a[k]
		j := k - 1
		for j >= 0 && a[j] > v {
			a[j+1] = a[j]
			j--
		}
		a[j+1] = v
	}
	for k := 0; k < 17; k++ {
		out[17*i+k] = a[k]
	}
}

func laInsertionSerial(in, out []int64) {
	copy(out, in)
	slices.Sort(out)
}

// Numbers are inserted in a sorted list of 8 as they come, and the largest fall out: the nearest neighbours.
//
//gocuda:kernel
func laNearest(t *gocuda.Thread, n int, in, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var best [8]float32
	var who [8]int32
	for k := range best {
		best[k] = 1e30
	}
	for k := 0; k < 30; k++ {
		d := (in[k*n+i] - 3) * (in[k*n+i] - 3)
		if d >= best[7] {
			continue
		}
		at := 7
		for ; at > 0 && best[at-1] > d; at-- {
			best[at], who[at] = best[at-1], who[at-1]
		}
		best[at], who[at] = d, int32(k)
	}
	for k := 0; k < 8; k++ {
		out[2*k*n+i], out[(2*k+1)*n+i] = best[k], float32(who[k])
	}
}

func laNearestSerial(in, out []float32) {
	far := func(k int) float32 { d := in[k] - 3; return d * d }
	order := make([]int, 30)
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case far(a) < far(b):
			return -1
		case far(a) > far(b):
			return 1
		}
		return 0
	})
	for k := range 8 {
		out[2*k], out[2*k+1] = far(order[k]), float32(order[k])
	}
}

// A histogram of 16 bins, the fullest of them, and its rank.
//
//gocuda:kernel
func laHistogram(t *gocuda.Thread, n int, in []uint32, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var h [16]int32
	for k := 0; k < 40; k++ {
		h[in[k*n+i]&15]++
	}
	most := 0
	for k := 1; k < 16; k++ {
		if h[k] > h[most] {
			most = k
		}
	}
	for k := 0; k < 16; k++ {
		out[18*i+k] = h[k]
	}
	out[18*i+16] = int32(most)
	h[most] = -1
	second := int32(-1)
	for _, v := range h {
		second = max(second, v)
	}
	out[18*i+17] = second
}

func laHistogramSerial(in []uint32, out []int32) {
	clear(out)
	for _, v := range in {
		out[v%16]++
	}
	sorted := slices.Clone(out[:16])
	slices.Sort(sorted)
	out[16], out[17] = int32(slices.Index(out[:16], sorted[15])), sorted[14]
}

// Bins of bytes, in whose counts a carry is lost, and two of them in a step, which may be the same.
//
//gocuda:kernel
func laBytes(t *gocuda.Thread, n int, in, out []uint8) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var h [8]uint8
	for k := 0; k < 12; k++ {
		a, b := in[12*i+k]&7, in[12*i+k]>>5
		h[a] += 100
		h[b] ^= h[a] >> 1
		h[(a+b)&7]--
	}
	for k := range 8 {
		out[8*i+k] = h[k]
	}
}

func laBytesSerial(in, out []uint8) {
	clear(out)
	for _, v := range in {
		a, b := int(v%8), int(v/32)
		out[a] += 100
		out[b] ^= out[a] / 2
		out[(a+b)%8] += 255
	}
}

// A walk of a tree that is in memory, depth first, with a stack. Each node has its children at 2i+1 and 2i+2,
// and says which of them are there.
//
//gocuda:kernel
func laWalk(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var stack [33]int
	top := 1
	sum, steps := int32(0), int32(0)
	for top > 0 {
		top--
		node := stack[top]
		v := in[63*i+node]
		sum = sum*3 + v
		steps++
		if v&1 != 0 && node < 31 {
			stack[top] = 2*node + 1
			top++
		}
		if v&6 != 0 && node < 31 {
			stack[top] = 2*node + 2
			top++
		}
	}
	out[2*i], out[2*i+1] = sum, steps
}

func laWalkSerial(in, out []int32) {
	out[0], out[1] = 0, 0
	var visit func(node int)
	visit = func(node int) {
		out[0] = out[0]*3 + in[node]
		out[1]++
		if node < 31 && in[node]&6 != 0 {
			visit(2*node + 2)
		}
		if node < 31 && in[node]&1 != 0 {
			visit(2*node + 1)
		}
	}
	visit(0)
}

// A ring of 8 numbers, to which threads add and from which they take as the data say.
//
//gocuda:kernel
func laRing(t *gocuda.Thread, n int, in, out []int64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var ring [8]int64
	head, count := 0, 0
	sum := int64(1)
	for k := 0; k < 50; k++ {
		v := in[(i+k*n)%len(in)]
		if v%3 != 0 && count < 8 {
			ring[(head+count)%8] = v
			count++
		} else if count > 0 {
			sum = sum*31 + ring[head]
			head = (head + 1) % 8
			count--
		}
	}
	for k := 0; k < count; k++ {
		sum ^= ring[(head+k)&7] << k
	}
	out[i] = sum
}

func laRingSerial(in, out []int64) {
	var queue []int64
	sum := int64(1)
	for _, v := range in {
		if v%3 != 0 && len(queue) < 8 {
			queue = append(queue, v)
		} else if len(queue) > 0 {
			sum = sum*31 + queue[0]
			queue = queue[1:]
		}
	}
	for k, v := range queue {
		sum ^= v << k
	}
	out[0] = sum
}

// An array is turned around, in place and into another one, and a part of it that the data choose.
//
//gocuda:kernel
func laReverse(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var a, b [33]int32
	for k := 0; k < 33; k++ {
		a[k] = in[33*i+k]
	}
	for k := 0; k < 33/2; k++ {
		a[k], a[32-k] = a[32-k], a[k]
	}
	for k := range a {
		b[len(b)-1-k] = a[k] - int32(k)
	}
	for lo, hi := int(b[3]&15), 16+int(b[4]&15); lo < hi; lo, hi = lo+1, hi-1 {
		v := b[lo]
		b[lo] = b[hi]
		b[hi] = v
	}
	for k := 32; k >= 0; k-- {
		out[33*i+k] = b[k] ^ a[k]<<7
	}
}

func laReverseSerial(in, out []int32) {
	a := slices.Clone(in)
	slices.Reverse(a)
	b := make([]int32, 33)
	for k := range b {
		b[k] = in[k] - int32(32-k)
	}
	slices.Reverse(b[b[3]&15 : 16+b[4]&15+1])
	for k := range out {
		out[k] = b[k] ^ a[k]<<7
	}
}

// A permutation is made by exchanges, inverted, and its cycles are counted.
//
//gocuda:kernel
func laPermutation(t *gocuda.Thread, n int, in []uint32, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var p, inverse [24]int32
	var seen [24]bool
	for k := range p {
		p[k] = int32(k)
	}
	for k := 23; k > 0; k-- {
		j := in[k*n+i] % uint32(k+1)
		p[k], p[j] = p[j], p[k]
	}
	for k := int32(0); k < 24; k++ {
		inverse[p[k]] = k
	}
	cycles, longest := int32(0), int32(0)
	for k := range 24 {
		if seen[k] {
			continue
		}
		length := int32(0)
		for at := int32(k); !seen[at]; at = p[at] {
			seen[at] = true
			length++
		}
		cycles++
		longest = max(longest, length)
	}
	out[26*i], out[26*i+1] = cycles, longest
	for k := 0; k < 24; k++ {
		out[26*i+2+k] = inverse[k]*32 + p[p[k]]
	}
}

func laPermutationSerial(in []uint32, out []int32) {
	p := make([]int, 24)
	for k := range p {
		p[k] = k
	}
	for k := 23; k > 0; k-- {
		j := int(in[k]) % (k + 1)
		p[k], p[j] = p[j], p[k]
	}
	cycles := map[int]int32{} // by their smallest element
	for k := range p {
		least := k
		for at := p[k]; at != k; at = p[at] {
			least = min(least, at)
		}
		cycles[least]++
		out[2+k] = int32(slices.Index(p, k)*32 + p[p[k]])
	}
	out[0], out[1] = int32(len(cycles)), 0
	for _, length := range cycles {
		out[1] = max(out[1], length)
	}
}

// The LU decomposition of a matrix of 6 by 6 with pivots, and its determinant.
//
//gocuda:kernel
func laLU(t *gocuda.Thread, n int, in, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var m [6][6]float64
	for r := 0; r < 6; r++ {
		for c := 0; c < 6; c++ {
			m[r][c] = in[36*i+6*r+c]
		}
	}
	det := 1.0
	for k := 0; k < 6; k++ {
		pivot := k
		for r := k + 1; r < 6; r++ {
			if max(m[r][k], -m[r][k]) > max(m[pivot][k], -m[pivot][k]) {
				pivot = r
			}
		}
		if pivot != k {
			m[k], m[pivot] = m[pivot], m[k]
			det = -det
		}
		det *= m[k][k]
		for r := k + 1; r < 6; r++ {
			f := m[r][k] / m[k][k]
			m[r][k] = f
			for c := k + 1; c < 6; c++ {
				p := f * m[k][c]
				m[r][c] -= p
			}
		}
	}
	for r := range m {
		for c := range m[r] {
			out[37*i+6*r+c] = m[r][c]
		}
	}
	out[37*i+36] = det
}

func laLUSerial(in, out []float64) {
	rows := make([][]float64, 6)
	for r := range rows {
		rows[r] = slices.Clone(in[6*r : 6*r+6])
	}
	abs := func(x float64) float64 {
		if x < 0 {
			return -x
		}
		return x
	}
	det := 1.0
	for k := range rows {
		rest := rows[k:]
		best := slices.MaxFunc(rest, func(a, b []float64) int { // the first one of the largest
			if abs(a[k]) < abs(b[k]) {
				return -1
			} else if abs(a[k]) > abs(b[k]) {
				return 1
			}
			return 0
		})
		for r := range rest {
			if &rest[r][0] == &best[0] && r > 0 {
				rest[0], rest[r] = rest[r], rest[0]
				det = -det
				break
			}
		}
		det *= best[k]
		for _, row := range rest[1:] {
			row[k] /= best[k]
			for c := k + 1; c < 6; c++ {
				row[c] -= float64(row[k] * best[c])
			}
		}
	}
	copy(out, slices.Concat(rows...))
	out[36] = det
}

// A matrix of 4 by 4 to a power that the data choose, in arrays of 16 that are copied as a whole.
//
//gocuda:kernel
func laPower(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var base, result, product [16]int32
	for k := range 16 {
		base[k] = in[17*i+k]
		if k%5 == 0 {
			result[k] = 1
		}
	}
	for e := uint32(in[17*i+16]) >> 23; e > 0; e >>= 1 {
		if e&1 != 0 {
			laMultiply(&product, &result, &base)
			result = product
		}
		laMultiply(&product, &base, &base)
		base = product
	}
	for k := range result {
		out[16*i+k] = result[k]
	}
}

func laMultiply(to, a, b *[16]int32) {
	for r := 0; r < 4; r++ {
		for c := 0; c < 4; c++ {
			var sum int32
			for k := 0; k < 4; k++ {
				sum += a[4*r+k] * b[4*k+c]
			}
			to[4*r+c] = sum
		}
	}
}

func laPowerSerial(in, out []int32) {
	for k := range out {
		out[k] = 0
		if k%5 == 0 {
			out[k] = 1
		}
	}
	for range uint32(in[16]) >> 23 {
		before := slices.Clone(out)
		for k := range out {
			at := before[k/4*4:]
			out[k] = at[0]*in[k%4] + at[1]*in[4+k%4] + at[2]*in[8+k%4] + at[3]*in[12+k%4]
		}
	}
}

// The determinant of a matrix of 4 by 4 by minors, whose matrices are arrays, too.
//
//gocuda:kernel
func laMinors(t *gocuda.Thread, n int, in, out []int64) {
	i := t.GlobalX()
	if i < n {
		var m [4][4]int64
		for k := 0; k < 16; k++ {
			m[k/4][k%4] = in[k*n+i]
		}
		var det int64
		for skip := 0; skip < 4; skip++ {
			var s [3][3]int64
			for r := 1; r < 4; r++ {
				to := 0
				for c := 0; c < 4; c++ {
					if c == skip {
						continue
					}
					s[r-1][to] = m[r][c]
					to++
				}
			}
			d := int64(0)
			for k := 0; k < 3; k++ {
				d += s[0][k] * (s[1][(k+1)%3]*s[2][(k+2)%3] - s[1][(k+2)%3]*s[2][(k+1)%3])
			}
			if skip%2 == 1 {
				d = -d
			}
			det += m[0][skip] * d
		}
		out[i] = det
	}
}

func laMinorsSerial(in, out []int64) {
	out[0] = 0
	for a := range 4 {
		for b := range 4 {
			for c := range 4 {
				for d := range 4 {
					p := []int{a, b, c, d}
					sign := int64(1)
					for x := range p {
						for y := range x {
							switch {
							case p[y] == p[x]:
								sign = 0
							case p[y] > p[x]:
								sign = -sign
							}
						}
					}
					out[0] += sign * in[a] * in[4+b] * in[8+c] * in[12+d]
				}
			}
		}
	}
}

// Prefix sums, of which ranges that the data choose are subtracted.
//
//gocuda:kernel
func laPrefix(t *gocuda.Thread, n int, in []uint32, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var sums [65]uint32
	for k := 0; k < 64; k++ {
		sums[k+1] = sums[k] + in[k*n+i]
	}
	var all uint32
	for k := 0; k < 10; k++ {
		lo, hi := in[k*n+i]>>8%65, in[k*n+i]>>16%65
		if lo > hi {
			lo, hi = hi, lo
		}
		all = all*5 + sums[hi] - sums[lo]
	}
	out[i] = all
}

func laPrefixSerial(in, out []uint32) {
	out[0] = 0
	for _, v := range in[:10] {
		out[0] *= 5
		a, b := v>>8%65, v>>16%65
		for k := min(a, b); k < max(a, b); k++ {
			out[0] += in[k]
		}
	}
}

// The largest number of each window of 7, with a list of the places that may still be the largest.
//
//gocuda:kernel
func laWindow(t *gocuda.Thread, n int, in, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var deque [200]uint8
	first, last := 0, 0
	for k := 0; k < 60; k++ {
		v := in[60*i+k]
		for last > first && in[60*i+int(deque[last-1])] <= v {
			last--
		}
		deque[last] = uint8(k)
		last++
		if int(deque[first]) <= k-7 {
			first++
		}
		if k >= 6 {
			out[54*i+k-6] = in[60*i+int(deque[first])]
		}
	}
}

func laWindowSerial(in, out []float32) {
	for k := range out {
		out[k] = slices.Max(in[k : k+7])
	}
}

// The median of the 3 by 3 neighbours of a pixel, in blocks with two dimensions.
//
//gocuda:kernel
func laMedian(t *gocuda.Thread, w, h int, in, out []uint8) {
	x, y := t.GlobalX(), t.GlobalY()
	if x >= w || y >= h {
		return
	}
	var v [9]uint8
	k := 0
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			v[k] = in[min(max(y+dy, 0), h-1)*w+min(max(x+dx, 0), w-1)]
			k++
		}
	}
	for a := 0; a <= 4; a++ {
		least := a
		for b := a + 1; b < 9; b++ {
			if v[b] < v[least] {
				least = b
			}
		}
		v[a], v[least] = v[least], v[a]
	}
	out[y*w+x] = v[4]
}

// Numbers that stay in an array across barriers, while the block exchanges others.
//
//gocuda:kernel
func laAcross(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	tid, i, dim := t.ThreadIdx.X, t.GlobalX(), t.BlockDim.X
	var seen [9]int32
	for k := 0; k < 9; k++ {
		s[tid] = in[i] + int32(k)
		t.SyncThreads()
		seen[(k+tid)%9] = s[(tid+k)%dim]
		if k > 4 {
			seen[k] -= s[dim-1-tid]
		}
		t.SyncThreads()
	}
	sum := int32(0)
	for k, v := range seen {
		sum += v * int32(k+1)
	}
	out[i] = sum
}

type laItem struct {
	key  int32
	mass float64
	on   bool
	id   uint8
}

// An array of structs is sorted by one field, by selection.
//
//gocuda:kernel
func laStructs(t *gocuda.Thread, n int, in []int32, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var items [10]laItem
	for k := range items {
		v := in[10*i+k]
		items[k] = laItem{key: v >> 24, mass: float64(v&255) * 0.5, id: uint8(k)}
		items[k].on = v&256 != 0
	}
	for k := 0; k < 10; k++ {
		least := k
		for j := k + 1; j < 10; j++ {
			if items[j].key < items[least].key || items[j].key == items[least].key && items[j].id < items[least].id {
				least = j
			}
		}
		if least != k {
			items[k], items[least] = items[least], items[k]
		}
	}
	sum := 0.0
	for k := 0; k < 10; k++ {
		p := &items[k]
		if p.on {
			p.mass = -p.mass
		}
		sum = sum*0.75 + items[k].mass
		out[11*i+k] = float64(p.id) + float64(items[9-k].key)*100
	}
	out[11*i+10] = sum
}

func laStructsSerial(in []int32, out []float64) {
	order := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	slices.SortStableFunc(order, func(a, b int) int { return int(in[a]>>24) - int(in[b]>>24) })
	out[10] = 0
	for k, id := range order {
		mass := float64(in[id]&255) / 2
		if in[id]&256 != 0 {
			mass = -mass
		}
		out[10] = float64(out[10]*0.75) + mass
		out[k] = float64(id) + float64(in[order[9-k]]>>24)*100
	}
}

// Literals with some of the elements, in loops and branches: those that are not named are zero again.
//
//gocuda:kernel
func laLiterals(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	sum := int32(0)
	for k := 0; k < 6; k++ {
		x := in[i] + int32(k)
		a := [8]int32{1: x, 3: x * 2, 7, 7: -x}
		var fresh [5]int32
		fresh[x&3] += x
		fresh[4]--
		if x&8 != 0 {
			a = [8]int32{2: 5}
			fresh = [...]int32{x, 1, 2, 4: x}
		} else if x&16 != 0 {
			fresh = [5]int32{}
		}
		sum = sum*7 + a[(x+1)&7] + a[k]<<4 + fresh[k%5] + fresh[x>>4&3]
	}
	out[i] = sum
}

func laLiteralsSerial(in, out []int32) {
	out[0] = 0
	for k := range int32(6) {
		x := in[0] + k
		a := map[int32]int32{1: x, 3: 2 * x, 4: 7, 7: -x}
		fresh := map[int32]int32{x & 3: x, 4: -1}
		if x&8 != 0 {
			a, fresh = map[int32]int32{2: 5}, map[int32]int32{0: x, 1: 1, 2: 2, 4: x}
		} else if x&16 != 0 {
			clear(fresh)
		}
		out[0] = out[0]*7 + a[(x+1)&7] + a[k]*16 + fresh[k%5] + fresh[x/16&3]
		if x < 0 && x%16 != 0 { // the quotient was rounded up
			out[0] += fresh[(x/16-1)&3] - fresh[x/16&3]
		}
	}
}

// One array for two purposes, of which the second finds what the first has left at the end of it.
//
//gocuda:kernel
func laReuse(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var a [33]int32
	for k := range 33 {
		a[k] = in[40*i+k] >> 3
	}
	sum := int32(0)
	for k := 32; k > 0; k -= 2 {
		sum += a[k] - a[k-1]
	}
	m := int(in[40*i+33]&31) + 1
	for k := 0; k < m; k++ {
		a[k] = in[40*i+39-k] + a[32-k]
	}
	for k := range a {
		sum = sum*5 ^ a[k]
	}
	out[i] = sum
}

func laReuseSerial(in, out []int32) {
	var first [33]int32
	sum := int32(0)
	for k := range first {
		first[k] = in[k] >> 3
		if k > 0 && k%2 == 0 {
			sum += first[k]
		} else if k > 0 {
			sum -= first[k]
		}
	}
	second := first
	for k := range int(in[33]&31) + 1 {
		v := first[32-k]
		if 32-k < k {
			v = second[32-k]
		}
		second[k] = in[39-k] + v
	}
	for _, v := range second {
		sum = sum*5 ^ v
	}
	out[0] = sum
}

// Whole arrays are exchanged, compared and copied, some of them by one arm only.
//
//gocuda:kernel
func laCopies(t *gocuda.Thread, n int, in, out []int16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var a, b [8]int16
	for k := 0; k < 8; k++ {
		a[k] = in[k*n+i]
		b[7-k] = in[k*n+i] & 3
	}
	old := a
	if a[2] > b[2] {
		a, b = b, a
		a[in[i]&7]++
	} else if a[5] < 0 {
		b = a
	}
	c := b
	c[in[n+i]&7] = 1
	equal := int16(0)
	if b == c {
		equal |= 1
	}
	if a == old {
		equal |= 2
	}
	if a != b {
		equal |= 4
	}
	d := [2][8]int16{a, c}
	for k := 0; k < 8; k++ {
		out[k*n+i] = d[in[k*n+i]>>4&1][k]*3 + b[k] + equal<<12
	}
}

func laCopiesSerial(in, out []int16) {
	var a, b []int16
	for k := range 8 {
		a = append(a, in[k])
		b = append([]int16{in[k] & 3}, b...)
	}
	old := slices.Clone(a)
	switch {
	case a[2] > b[2]:
		a, b = b, a
		a[in[0]&7]++
	case a[5] < 0:
		b = slices.Clone(a)
	}
	c := slices.Clone(b)
	c[in[1]&7] = 1
	var equal int16
	if slices.Equal(b, c) {
		equal += 1 << 12
	}
	if slices.Equal(a, old) {
		equal += 2 << 12
	}
	if !slices.Equal(a, b) {
		equal += 4 << 12
	}
	for k := range 8 {
		v := a[k]
		if in[k]&16 != 0 {
			v = c[k]
		}
		out[k] = v*3 + b[k] + equal
	}
}

// A loop over an array sees the elements as they were before it, one over its address as they are.
//
//gocuda:kernel
func laOver(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var a, b [8]int32
	for k := range a {
		a[k] = in[8*i+k]
		b[k] = a[k]
	}
	for k, v := range a {
		a[(k+1)&7] += v
	}
	for k, v := range &b {
		b[(k+1)&7] += v
	}
	for k := range a {
		out[8*i+k] = a[k] ^ b[k]<<3
	}
}

func laOverSerial(in, out []int32) {
	b := slices.Clone(in)
	for k := range 7 {
		b[k+1] += b[k]
	}
	b[0] += b[7]
	for k := range in {
		out[k] = (in[k] + in[(k+7)%8]) ^ b[k]*8
	}
}

// Pointers to elements, slices of arrays, parts of them that overlap, and what they change in between.
//
//gocuda:kernel
func laPointers(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var a [17]int32
	copy(a[:], in[17*i:17*i+17])
	p := &a[in[17*i]&15]
	*p += 5
	q := &a[in[17*i+1]&15]
	*q = *p*2 + a[3]
	*p ^= *q
	lo := int(in[17*i+2] & 7)
	s := a[lo : lo+9]
	copy(s[1:], s)
	s[8] += int32(len(s)*100 + cap(s))
	for k := range s {
		s[k] += a[k]
	}
	laShift(&a, lo)
	for k, v := range a {
		out[17*i+k] = v
	}
}

func laShift(a *[17]int32, by int) {
	for k := 0; k < by; k++ {
		a[k] = a[k+by] - int32(k)
	}
	if by > 3 {
		return
	}
	a[16] += int32(by)
}

func laPointersSerial(in, out []int32) {
	copy(out, in)
	p, q, lo := in[0]&15, in[1]&15, int(in[2]&7)
	out[p] += 5
	out[q] = out[p]*2 + out[3]
	out[p] ^= out[q]
	for k := lo + 8; k > lo; k-- {
		out[k] = out[k-1]
	}
	out[lo+8] += int32(900 + 17 - lo)
	for k := range 9 {
		out[lo+k] += out[k]
	}
	for k := range lo {
		out[k] = out[k+lo] - int32(k)
	}
	if lo <= 3 {
		out[16] += int32(lo)
	}
}

// The product of two numbers of 256 bits.
//
//gocuda:kernel
func laProduct(t *gocuda.Thread, n int, in, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var a, b [8]uint32
	var p [16]uint32
	for k := 0; k < 8; k++ {
		a[k], b[k] = in[k*n+i], in[(k+8)*n+i]
	}
	for r := 0; r < 8; r++ {
		var carry uint64
		for c := 0; c < 8; c++ {
			v := uint64(a[r])*uint64(b[c]) + uint64(p[r+c]) + carry
			p[r+c] = uint32(v)
			carry = v >> 32
		}
		p[r+8] = uint32(carry)
	}
	for k := 0; k < 16; k++ {
		out[k*n+i] = p[k]
	}
}

func laProductSerial(in, out []uint32) {
	number := func(limbs []uint32) *big.Int {
		v := new(big.Int)
		for k := len(limbs) - 1; k >= 0; k-- {
			v.Lsh(v, 32).Or(v, big.NewInt(int64(limbs[k])))
		}
		return v
	}
	p := number(in[:8])
	p.Mul(p, number(in[8:]))
	for k := range out {
		out[k] = uint32(new(big.Int).Rsh(p, uint(32*k)).Uint64())
	}
}

// Indices of all types of integers, and those whose value changes in the statement.
//
//gocuda:kernel
func laIndices(t *gocuda.Thread, n int, in []uint64, out []int64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var a [16]int64
	v := in[i]
	for k := uint8(0); k < 16; k++ {
		a[k] = int64(v >> k & 255)
	}
	a[int8(v)&15]++
	a[uint16(v>>4)%16] -= 7
	a[(v>>60)&15] ^= 99
	a[int64(v>>1)%16] <<= 2
	a[int32(v>>9)&7+8]--
	k := int(v >> 20 & 7)
	k, a[k] = int(v>>24&7), int64(k)
	a[k], k = int64(k)*3, k+1
	a[k], a[(k+1)&15] = a[(k+1)&15], a[k]-1
	for a[k]&1 != 0 && k < 15 {
		k++
		a[k] += a[k-1]
	}
	j := uint64(k)
	a[a[j]&15] = a[a[a[j]&15]&15] + 1000
	var sum int64
	for k := range int16(16) {
		sum = sum*3 + a[15-k]
	}
	out[i] = sum
}

func laIndicesSerial(in []uint64, out []int64) {
	v := in[0]
	var a []int64
	for k := range 16 {
		a = append(a, int64(uint8(v>>k)))
	}
	a[v%16]++
	a[v/16%16] -= 7
	a[v>>60] ^= 99
	a[v/2%16] *= 4
	a[v>>9%8+8]--
	k, l := v>>20%8, v>>24%8
	a[k] = int64(k)
	a[l] = int64(l) * 3
	k = l + 1
	x, y := a[k], a[k+1]
	a[k], a[k+1] = y, x-1
	for ; k < 15 && a[k]%2 != 0; k++ {
		a[k+1] += a[k]
	}
	at := a[k] & 15
	a[at] = a[a[at]&15] + 1000
	out[0] = 0
	for k := 15; k >= 0; k-- {
		out[0] = out[0]*3 + a[k]
	}
}

// Threads fill as much of an array as they want, leave the loop in the middle, and some return before it
// is used.
//
//gocuda:kernel
func laEarly(t *gocuda.Thread, n int, in, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var a [33]float32
	filled := 0
	for k := 0; k < 33; k++ {
		v := in[33*i+k]
		if v > 95 {
			break
		}
		if v < -98 {
			out[i] = -1
			return
		}
		if v < 0 {
			continue
		}
		a[filled] = v
		filled++
	}
	if filled == 0 {
		return
	}
	sum := a[filled-1]
	for k := 0; k < filled; k++ {
		if a[k] > 90 {
			out[i] = a[k]
			return
		}
		sum = sum*0.5 + a[k]
	}
	out[i] = sum + float32(a[32])
}

func laEarlySerial(in, out []float32) {
	var kept []float32
	for _, v := range in {
		if v > 95 {
			break
		} else if v < -98 {
			out[0] = -1
			return
		} else if !(v < 0) {
			kept = append(kept, v)
		}
	}
	if len(kept) == 0 {
		return
	}
	sum := kept[len(kept)-1]
	for _, v := range kept {
		if v > 90 {
			out[0] = v
			return
		}
		sum = float32(sum*0.5) + v
	}
	if len(kept) == 33 {
		sum += kept[32]
	}
	out[0] = sum
}

// Stores under conditions that only some threads meet, whose index would be out of range in the others.
//
//gocuda:kernel
func laGuarded(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var a [17]uint8
	lost := int32(0)
	for k := 0; k < 25; k++ {
		v := in[k*n+i]
		switch at := v >> 26; {
		case at >= 0 && at < 17:
			a[at] += uint8(v)
		case at < 0 && at > -18:
			if v&1 != 0 {
				a[-at-1]--
			} else if other := a[^at]; other > 100 {
				a[0] = other
				lost++
			}
		default:
			lost += int32(a[(at+64)%17])
		}
	}
	for _, v := range a {
		lost = lost*3 + int32(v)
	}
	out[i] = lost
}

func laGuardedSerial(in, out []int32) {
	count, lost := map[int32]uint8{}, int32(0)
	for _, v := range in {
		at := v >> 26
		if 0 <= at && at <= 16 {
			count[at] += uint8(v)
		} else if -17 <= at && at <= -1 && v&1 != 0 {
			count[-1-at] += 255
		} else if -17 <= at && at <= -1 {
			if count[-1-at] > 100 {
				count[0] = count[-1-at]
				lost++
			}
		} else {
			lost += int32(count[(at+64)%17])
		}
	}
	for k := range int32(17) {
		lost = lost*3 + int32(count[k])
	}
	out[0] = lost
}

// A sieve of 200 bools, with a first number and a distance of each thread's own.
//
//gocuda:kernel
func laSieve(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var composite [200]bool
	start := 2 + int(in[i]&3)
	count, last := int32(0), int32(0)
	for p := start; p < 200; p++ {
		if composite[p] {
			continue
		}
		count++
		last = int32(p)
		for k := p * 2; k < 200; k += p {
			composite[k] = true
		}
	}
	out[2*i] = count
	out[2*i+1] = last
}

func laSieveSerial(in, out []int32) {
	start := 2 + int(in[0]&3)
	out[0] = 0
	for p := start; p < 200; p++ {
		found := false
		for d := start; d < p; d++ {
			found = found || p%d == 0
		}
		if !found {
			out[0]++
			out[1] = int32(p)
		}
	}
}

// The Fourier transform of 16 numbers, whose order is changed first by the bits of the places.
//
//gocuda:kernel
func laFourier(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	const prime = 97 // 8 is a root of unity of order 16
	var a [16]int32
	for k := 0; k < 16; k++ {
		j := bits.Reverse8(uint8(k)) >> 4
		a[j] = in[k*n+i] & 63
	}
	roots := [4]int32{96, 22, 64, 8}
	for stage := 0; stage < 4; stage++ {
		half := 1 << stage
		for first := 0; first < 16; first += 2 * half {
			w := int32(1)
			for k := first; k < first+half; k++ {
				u, v := a[k], a[k+half]*w%prime
				a[k] = (u + v) % prime
				a[k+half] = (u - v + prime) % prime
				w = w * roots[stage] % prime
			}
		}
	}
	for k := 0; k < 16; k++ {
		out[16*i+k] = a[k]
	}
}

func laFourierSerial(in, out []int32) {
	power := 1
	for k := range out {
		sum, w := 0, 1
		for _, v := range in {
			sum += int(v&63) * w
			w = w * power % 97
		}
		out[k] = int32(sum % 97)
		power = power * 8 % 97
	}
}

// A game on a board of 6 by 6 that each thread has of its own, with one byte a cell and a border.
//
//gocuda:kernel
func laLife(t *gocuda.Thread, n int, in, out []uint64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var now, next [8][8]uint8
	for k := 0; k < 36; k++ {
		now[k/6+1][k%6+1] = uint8(in[i] >> k & 1)
	}
	for step := 0; step < 3; step++ {
		for y := 1; y <= 6; y++ {
			for x := 1; x <= 6; x++ {
				var around uint8
				for dy := -1; dy <= 1; dy++ {
					for dx := -1; dx <= 1; dx++ {
						if dx != 0 || dy != 0 {
							around += now[y+dy][x+dx]
						}
					}
				}
				next[y][x] = 0
				if around == 3 || around == 2 && now[y][x] == 1 {
					next[y][x] = 1
				}
			}
		}
		now, next = next, now
	}
	var packed uint64
	for k := 35; k >= 0; k-- {
		packed = packed<<1 | uint64(now[k/6+1][k%6+1])
	}
	out[i] = packed
}

func laLifeSerial(in, out []uint64) {
	alive := in[0] & (1<<36 - 1)
	for range 3 {
		var next uint64
		for at := range 36 {
			around := 0
			for other := range 36 {
				dx, dy := other%6-at%6, other/6-at/6
				if other != at && dx*dx <= 1 && dy*dy <= 1 && alive>>other&1 != 0 {
					around++
				}
			}
			if around == 3 || around == 2 && alive>>at&1 != 0 {
				next |= 1 << at
			}
		}
		alive = next
	}
	out[0] = alive
}

// Bins of four kinds of numbers, all of which the data choose.
//
//gocuda:kernel
func laBins(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var counts [16]int32
	var sums [8]int64
	var least [4]float32
	for k := 0; k < 20; k++ {
		v := in[k*n+i]
		counts[v&15]++
		sums[v>>4&7] += int64(v)
		if f := float32(v >> 8); f < least[v>>7&3] {
			least[v>>7&3] = f
		}
	}
	for k := 0; k < 16; k++ {
		out[k*n+i] = counts[k]*3 + int32(sums[k&7]>>3) ^ int32(least[k>>2])
	}
}

func laBinsSerial(in, out []int32) {
	for k := range out {
		count, sum, least := int32(0), int64(0), float32(0)
		for _, v := range in {
			if int(v&15) == k {
				count++
			}
			if int(v>>4&7) == k%8 {
				sum += int64(v)
			}
			if int(v>>7&3) == k/4 {
				least = min(least, float32(v>>8))
			}
		}
		out[k] = count*3 + int32(sum>>3) ^ int32(least)
	}
}

// Elements that the data choose are exchanged, also with themselves, by some of the threads.
//
//gocuda:kernel
func laExchanges(t *gocuda.Thread, n int, in, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var a [16]uint32
	for k := 0; k < 16; k++ {
		a[k] = uint32(k*k) + in[i]&7
	}
	for k := 0; k < 24; k++ {
		v := in[k*n+i]
		x, y := v>>3&15, v>>9&15
		if v&1 != 0 {
			a[x], a[y] = a[y], a[x]
		} else if v&2 != 0 {
			a[x] = a[y] + a[x]*2
			a[y]--
		} else {
			a[a[x]&15] ^= a[y&7] << 1
		}
	}
	for k := 0; k < 16; k++ {
		out[k*n+i] = a[k]
	}
}

func laExchangesSerial(in, out []uint32) {
	for k := range uint32(16) {
		out[k] = k*k + in[0]%8
	}
	for _, v := range in {
		x, y := &out[v/8%16], &out[v/512%16]
		switch v % 4 {
		case 1, 3:
			old := *x
			*x = *y
			*y = old
		case 2:
			*x = *y + *x*2
			*y--
		case 0:
			out[*x%16] ^= out[v/512%8] * 2
		}
	}
}

// An array that each round of a loop by the size of the grid has of its own, partly filled.
//
//gocuda:kernel
func laRounds(t *gocuda.Thread, n int, in, out []int32) {
	for i := t.GlobalX(); i < n; i += t.GridDim.X * t.BlockDim.X / 4 {
		if t.GlobalX() >= t.GridDim.X*t.BlockDim.X/4 {
			return
		}
		var a [8]int32
		for k := 0; k < 6; k++ {
			a[in[i*6+k]&7] += in[i*6+k] >> 5
		}
		sum := int32(0)
		for k := 0; k < 8; k++ {
			sum = sum*3 + a[k]
		}
		out[i] = sum
	}
}

func laRoundsSerial(in, out []int32) {
	out[0] = 0
	for k := range int32(8) {
		out[0] *= 3
		for _, v := range in {
			if v&7 == k {
				out[0] += v >> 5
			}
		}
	}
}

// A delay line of 8 numbers, with the place of the next one counted on by some threads only.
//
//gocuda:kernel
func laDelay(t *gocuda.Thread, n int, in, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var line [8]float32
	at := 0
	for k := 0; k < 25; k++ {
		v := in[k*n+i]
		old := line[at&7]
		line[at&7] = v + old*0.5
		if v > -20 {
			at++
		} else if v < -80 {
			at += 3
		}
		out[k*n+i] = old - line[(at+5)&7]
	}
}

func laDelaySerial(in, out []float32) {
	line := map[int]float32{}
	at := 0
	for k, v := range in {
		old := line[at]
		line[at] = v + float32(old*0.5)
		if v > -20 {
			at = (at + 1) % 8
		} else if v < -80 {
			at = (at + 3) % 8
		}
		out[k] = old - line[(at+5)%8]
	}
}

// A machine with 8 registers, whose program is data: each thread has its own, and ends where it says.
//
//gocuda:kernel
func laMachine(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var r [8]int32
	r[1], r[2], r[7] = 3, in[i], -1
	for pc := 0; pc < 30; pc++ {
		op := in[pc*n+i]
		if op&0x7c0000 == 0x40000 {
			break
		}
		a, b, c := op>>3&7, op>>6&7, op>>9&7
		switch op >> 12 & 7 {
		case 0:
			r[a] = r[b] + r[c]
		case 1:
			r[a] = r[b] - r[c]
		case 2:
			r[a] = r[b] * r[c]
		case 3:
			r[a]++
		case 4:
			if r[b] > r[c] {
				pc++
			}
		case 5:
			r[a] = op >> 15
		case 6:
			r[a] = r[r[b]&7]
		default:
			r[r[a]&7] ^= r[b]
		}
	}
	for k := 0; k < 8; k++ {
		out[8*i+k] = r[k]
	}
}

func laMachineSerial(in, out []int32) {
	copy(out, []int32{0, 3, in[0], 0, 0, 0, 0, -1})
	for len(in) > 0 {
		op := in[0]
		in = in[1:]
		if op>>18&31 == 1 {
			return
		}
		a, b, c := &out[op>>3&7], out[op>>6&7], out[op>>9&7]
		switch op >> 12 & 7 {
		case 0:
			*a = b + c
		case 1:
			*a = b - c
		case 2:
			*a = b * c
		case 3:
			*a += 1
		case 4:
			if b > c && len(in) > 0 {
				in = in[1:]
			}
		case 5:
			*a = op >> 15
		case 6:
			*a = out[b&7]
		case 7:
			out[*a&7] ^= b
		}
	}
}

// Numbers of 8 and 16 bits in arrays, whose sums wrap around, with indices of 8 bits.
//
//gocuda:kernel
func laSmall(t *gocuda.Thread, n int, in []uint8, out []int16) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var a [8]int8
	var b [32]uint16
	var c [4]bool
	for k := 0; k < 16; k++ {
		v := in[k*n+i]
		a[v&7] += int8(v)
		b[v>>3] += uint16(v) * 200
		c[v>>6] = v&4 != 0
	}
	sum := int16(0)
	for k := 0; k < 32; k++ {
		sum = sum*3 + int16(b[k]) + int16(a[k&7])
		if c[k&3] {
			sum ^= 85
		}
	}
	out[i] = sum
}

func laSmallSerial(in []uint8, out []int16) {
	out[0] = 0
	for k := range uint8(32) {
		var a, b int
		c := false
		for _, v := range in {
			if v%8 == k%8 {
				a += int(v)
			}
			if v/8 == k {
				b += 200 * int(v)
			}
			if v/64 == k%4 {
				c = v&4 != 0
			}
		}
		out[0] = out[0]*3 + int16(b) + int16(int8(a))
		if c {
			out[0] ^= 85
		}
	}
}

// Two arrays of which the data say which is used, a table of constants, and a matrix of 4 by 8.
//
//gocuda:kernel
func laEither(t *gocuda.Thread, n int, in, out []int32) {
	table := [8]int32{5, -3, 100, 7, 7, 0, 1 << 20, -1}
	i := t.GlobalX()
	if i < n {
		var a, b [17]int32
		var m [4][8]int32
		for k := 0; k < 17; k++ {
			v := in[k*n+i]
			if v > 0 {
				a[k] = v
			} else {
				b[16-k] = v
			}
			m[k&3][v&7] += table[v>>3&7]
			m[v>>6&3][k>>1&7]--
		}
		sum := int32(0)
		for k := 0; k < 17; k++ {
			u := a[k]
			if k&1 == 0 {
				u = b[k]
			}
			sum = sum*3 ^ u ^ m[in[k*n+i]&3][k&7]
		}
		out[i] = sum
	}
}

func laEitherSerial(in, out []int32) {
	m := map[int32]int32{}
	for k, v := range in {
		m[int32(k%4*8)+v&7] += []int32{5, -3, 100, 7, 7, 0, 1 << 20, -1}[v>>3&7]
		m[(v>>6&3)*8+int32(k/2%8)]--
	}
	out[0] = 0
	for k, v := range in {
		u := max(v, 0)
		if k%2 == 0 {
			u = min(in[16-k], 0)
		}
		out[0] = out[0]*3 ^ u ^ m[(v&3)*8+int32(k%8)]
	}
}

// An array is kept across barriers under changing guards; some threads change it in a loop of their own
// length.
//
//gocuda:kernel
func laKept(t *gocuda.Thread, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	tid, i, dim := t.ThreadIdx.X, t.GlobalX(), t.BlockDim.X
	var h [8]int32
	s[tid] = in[i]
	t.SyncThreads()
	for d := 1; d < dim; d *= 2 {
		v := s[(tid+d)%dim]
		if tid >= d {
			h[v&7] += v >> 4
		} else {
			h[d&7]++
		}
		t.SyncThreads()
		if tid&d == 0 {
			s[tid] ^= h[s[tid]>>3&7]
		}
		t.SyncThreads()
	}
	m := int(in[i] & 15)
	for k := 0; k < m; k++ {
		h[k&7] += s[(tid+k)%dim]
	}
	t.SyncThreads()
	sum := s[dim-1-tid]
	for k := 0; k < 8; k++ {
		sum = sum*5 + h[k]
	}
	out[i] = sum
}

// A schedule of 80 words as in SHA-1, of which only 16 are kept.
//
//gocuda:kernel
func laSHA1(t *gocuda.Thread, n int, in, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var w [16]uint32
	for k := range w {
		w[k] = in[k*n+i]
	}
	a, b, c, d, e := uint32(0x67452301), uint32(0xefcdab89), uint32(0x98badcfe), uint32(0x10325476), uint32(0xc3d2e1f0)
	for pass := 0; pass < 2; pass++ {
		h := [5]uint32{a, b, c, d, e}
		for k := 0; k < 80; k++ {
			if k >= 16 {
				w[k&15] = bits.RotateLeft32(w[(k+13)&15]^w[(k+8)&15]^w[(k+2)&15]^w[k&15], 1)
			}
			f, add := b^c^d, uint32(0x6ed9eba1)
			if k < 20 {
				f, add = b&c|^b&d, 0x5a827999
			} else if k >= 60 {
				add = 0xca62c1d6
			} else if k >= 40 {
				f, add = b&c|b&d|c&d, 0x8f1bbcdc
			}
			v := bits.RotateLeft32(a, 5) + f + e + add + w[k&15]
			a, b, c, d, e = v, a, bits.RotateLeft32(b, 30), c, d
		}
		a, b, c, d, e = a+h[0], b+h[1], c+h[2], d+h[3], e+h[4]
		w = [16]uint32{0: 1 << 31, 15: 512}
	}
	out[i], out[n+i], out[2*n+i], out[3*n+i], out[4*n+i] = a, b, c, d, e
}

func laSHA1Serial(in, out []uint32) {
	var b [64]byte
	for k := range 16 {
		binary.BigEndian.PutUint32(b[4*k:], in[k])
	}
	sum := sha1.Sum(b[:])
	for k := range 5 {
		out[k] = binary.BigEndian.Uint32(sum[4*k:])
	}
}

// The Viterbi algorithm with 8 states: the best ways are found forwards, and gone backwards.
//
//gocuda:kernel
func laViterbi(t *gocuda.Thread, n int, in, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var cost, next [8]int32
	var from [20][8]uint8
	for s := 1; s < 8; s++ {
		cost[s] = 1000
	}
	for k := 0; k < 20; k++ {
		v := in[k*n+i] & 7
		for s := int32(0); s < 8; s++ {
			p, q := s>>1, s>>1+4
			a, b := cost[p]+(v^s)&3, cost[q]+(v^s*3)&7
			if b < a {
				next[s], from[k][s] = b, uint8(q)
			} else {
				next[s], from[k][s] = a, uint8(p)
			}
		}
		cost = next
	}
	best := int32(0)
	for s := int32(1); s < 8; s++ {
		if cost[s] < cost[best&7] {
			best = s
		}
	}
	for k := 19; k >= 0; k-- {
		out[20*i+k] = best
		best = int32(from[k][best&7])
	}
}

func laViterbiSerial(in, out []int32) {
	type way struct {
		cost int32
		path []int32
	}
	ways := make([]way, 8)
	for s := 1; s < 8; s++ {
		ways[s].cost = 1000
	}
	for _, v := range in {
		var next []way
		for s := range int32(8) {
			p, q := ways[s/2], ways[s/2+4]
			w := way{p.cost + (v&7^s)&3, p.path}
			if c := q.cost + (v&7^s*3)&7; c < w.cost {
				w = way{c, q.path}
			}
			next = append(next, way{w.cost, append(slices.Clone(w.path), s)})
		}
		ways = next
	}
	best := slices.MinFunc(ways, func(a, b way) int { return int(a.cost) - int(b.cost) })
	copy(out, best.path)
}

// Loads and stores of one array by all threads and by each, while a second array moves on by one place a
// round.
//
//gocuda:kernel
func laMoving(t *gocuda.Thread, n int, in, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	var a [8]float64
	var w [33]float64
	for k := 0; k < 40; k++ {
		v := in[k*n+i]
		for j := 32; j > 0; j-- {
			w[j] = w[j-1]
		}
		w[0] = v
		at := int32(v) & 7
		if v > 50 {
			a[at] = v + a[k&7]
		} else if v > 0 {
			a[k&7] -= a[at]
		} else if k > 20 {
			at = (at + 1) & 7
			a[7] = a[at]
		}
		out[k*n+i] = a[at] + w[(k+int(at))&31]*2
	}
}

func laMovingSerial(in, out []float64) {
	a := make([]float64, 8)
	for k, v := range in {
		at := int(v) & 7
		switch {
		case v > 50:
			a[at] = v + a[k%8]
		case v > 0:
			a[k%8] -= a[at]
		case k > 20:
			at = (at + 1) % 8
			a[7] = a[at]
		}
		var w float64
		if back := (k + at) % 32; back <= k {
			w = in[k-back]
		}
		out[k] = a[at] + w*2
	}
}

// laCase is a case of a kernel with so many inputs and outputs a thread, which are rows of a matrix for each
// thread, or columns.
func laCase[A, B any](name string, perIn, perOut int, inRows, outRows bool,
	source func(*gocuda.Thread, int, []A, []B), compiled func(int, []A, []B) gocuda.Kernel, serial func(in []A, out []B)) Case {
	cfgs := []grid.Config{line(3, 33), line(2, 64), line(2, 100), line(1, 256)}
	size := func(cfg grid.Config) int { return cfg.Blocks()*cfg.Threads() - 5 }
	return made(name, cfgs, func(cfg grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
		n := size(cfg)
		in, out := data[A](perIn*n), marked[B](perOut*n)
		return func(t *gocuda.Thread) { source(t, n, in, out) }, compiled(n, in, out), []any{out}
	}, func(cfg grid.Config) []any {
		n := size(cfg)
		in, out := data[A](perIn*n), marked[B](perOut*n)
		at := func(rows bool, i, k, per int) int {
			if rows {
				return i*per + k
			}
			return k*n + i
		}
		for i := range n {
			a, b := make([]A, perIn), make([]B, perOut)
			for k := range a {
				a[k] = in[at(inRows, i, k, perIn)]
			}
			for k := range b {
				b[k] = out[at(outRows, i, k, perOut)]
			}
			serial(a, b)
			for k := range b {
				out[at(outRows, i, k, perOut)] = b[k]
			}
		}
		return []any{out}
	})
}

func localArrayCases() []Case {
	const rows, columns = true, false
	cases := []Case{
		laCase("laSHA256", 16, 8, rows, rows, laSHA256, laSHA256Kernel, laSHA256Serial),
		laCase("laMD5", 13, 4, columns, columns, laMD5, laMD5Kernel, laMD5Serial),
		laCase("laRC4", 5, 11, rows, rows, laRC4, laRC4Kernel, laRC4Serial),
		laCase("laSHA1Long", 13, 5, rows, rows, laSHA1Long, laSHA1LongKernel, laSHA1LongSerial),
		laCase("laTriangle", 1, 1, rows, rows, laTriangle, laTriangleKernel, laTriangleSerial),
		laCase("laIncreasing", 20, 1, rows, rows, laIncreasing, laIncreasingKernel, laIncreasingSerial),
		laCase("laTooLong", 20, 1, rows, rows, laTooLong, laTooLongKernel, laIncreasingSerial),
		laCase("laEdit", 28, 1, rows, rows, laEdit, laEditKernel, laEditSerial),
		laCase("laCommon", 48, 1, rows, rows, laCommon, laCommonKernel, laCommonSerial),
		laCase("laKnapsack", 18, 2, columns, columns, laKnapsack, laKnapsackKernel, laKnapsackSerial),
		laCase("laHorner", 2, 1, rows, rows, laHorner, laHornerKernel, laHornerSerial),
		laCase("laInsertion", 17, 17, rows, rows, laInsertion, laInsertionKernel, laInsertionSerial),
		laCase("laNearest", 30, 16, columns, columns, laNearest, laNearestKernel, laNearestSerial),
		laCase("laHistogram", 40, 18, columns, rows, laHistogram, laHistogramKernel, laHistogramSerial),
		laCase("laBytes", 12, 8, rows, rows, laBytes, laBytesKernel, laBytesSerial),
		laCase("laWalk", 63, 2, rows, rows, laWalk, laWalkKernel, laWalkSerial),
		laCase("laRing", 50, 1, columns, rows, laRing, laRingKernel, laRingSerial),
		laCase("laReverse", 33, 33, rows, rows, laReverse, laReverseKernel, laReverseSerial),
		laCase("laPermutation", 24, 26, columns, rows, laPermutation, laPermutationKernel, laPermutationSerial),
		laCase("laLU", 36, 37, rows, rows, laLU, laLUKernel, laLUSerial),
		laCase("laPower", 17, 16, rows, rows, laPower, laPowerKernel, laPowerSerial),
		laCase("laMinors", 16, 1, columns, rows, laMinors, laMinorsKernel, laMinorsSerial),
		laCase("laPrefix", 64, 1, columns, rows, laPrefix, laPrefixKernel, laPrefixSerial),
		laCase("laWindow", 60, 54, rows, rows, laWindow, laWindowKernel, laWindowSerial),
		laCase("laStructs", 10, 11, rows, rows, laStructs, laStructsKernel, laStructsSerial),
		laCase("laLiterals", 1, 1, rows, rows, laLiterals, laLiteralsKernel, laLiteralsSerial),
		laCase("laReuse", 40, 1, rows, rows, laReuse, laReuseKernel, laReuseSerial),
		laCase("laCopies", 8, 8, columns, columns, laCopies, laCopiesKernel, laCopiesSerial),
		laCase("laOver", 8, 8, rows, rows, laOver, laOverKernel, laOverSerial),
		laCase("laPointers", 17, 17, rows, rows, laPointers, laPointersKernel, laPointersSerial),
		laCase("laProduct", 16, 16, columns, columns, laProduct, laProductKernel, laProductSerial),
		laCase("laIndices", 1, 1, rows, rows, laIndices, laIndicesKernel, laIndicesSerial),
		laCase("laEarly", 33, 1, rows, rows, laEarly, laEarlyKernel, laEarlySerial),
		laCase("laGuarded", 25, 1, columns, rows, laGuarded, laGuardedKernel, laGuardedSerial),
		laCase("laSieve", 1, 2, rows, rows, laSieve, laSieveKernel, laSieveSerial),
		laCase("laFourier", 16, 16, columns, rows, laFourier, laFourierKernel, laFourierSerial),
		laCase("laLife", 1, 1, rows, rows, laLife, laLifeKernel, laLifeSerial),
		laCase("laBins", 20, 16, columns, columns, laBins, laBinsKernel, laBinsSerial),
		laCase("laExchanges", 24, 16, columns, columns, laExchanges, laExchangesKernel, laExchangesSerial),
		laCase("laRounds", 6, 1, rows, rows, laRounds, laRoundsKernel, laRoundsSerial),
		laCase("laDelay", 25, 25, columns, columns, laDelay, laDelayKernel, laDelaySerial),
		laCase("laMachine", 30, 8, columns, rows, laMachine, laMachineKernel, laMachineSerial),
		laCase("laSmall", 16, 1, columns, rows, laSmall, laSmallKernel, laSmallSerial),
		laCase("laEither", 17, 1, columns, rows, laEither, laEitherKernel, laEitherSerial),
		laCase("laSHA1", 16, 5, columns, columns, laSHA1, laSHA1Kernel, laSHA1Serial),
		laCase("laViterbi", 20, 20, columns, rows, laViterbi, laViterbiKernel, laViterbiSerial),
		laCase("laMoving", 40, 40, columns, columns, laMoving, laMovingKernel, laMovingSerial),
	}
	cases = append(cases, perThread("laAcross", []grid.Config{line(3, 33), line(2, 64), line(2, 100), line(1, 256)}, laAcross, laAcrossKernel,
		func(cfg grid.Config, in, out []int32) {
			dim := cfg.Threads()
			for i := range out {
				first, tid := i/dim*dim, i%dim
				var seen [9]int32
				for k := range 9 {
					seen[(k+tid)%9] = in[first+(tid+k)%dim] + int32(k)
					if k > 4 {
						seen[k] -= in[first+dim-1-tid] + int32(k)
					}
				}
				out[i] = 0
				for k, v := range seen {
					out[i] += int32(k+1) * v
				}
			}
		}))
	cases = append(cases, perThread("laKept", []grid.Config{line(3, 33), line(2, 64), line(2, 100), line(1, 256)}, laKept, laKeptKernel,
		func(cfg grid.Config, in, out []int32) {
			dim := cfg.Threads()
			perBlock(cfg, out, func(_, first int, out []int32) {
				s := slices.Clone(in[first : first+dim])
				h := make([][8]int32, dim)
				for d := 1; d < dim; d *= 2 {
					for tid := range s {
						if v := s[(tid+d)%dim]; tid >= d {
							h[tid][v&7] += v >> 4
						} else {
							h[tid][d&7]++
						}
					}
					for tid := range s {
						if tid/d%2 == 0 {
							s[tid] ^= h[tid][s[tid]>>3&7]
						}
					}
				}
				for tid := range s {
					for k := range int(in[first+tid] & 15) {
						h[tid][k%8] += s[(tid+k)%dim]
					}
					out[tid] = s[dim-1-tid]
					for _, v := range h[tid] {
						out[tid] = out[tid]*5 + v
					}
				}
			})
		}))
	for _, s := range [][2]int{{1, 1}, {40, 11}, {33, 17}, {64, 16}} {
		w, h := s[0], s[1]
		var cfgs []grid.Config
		for _, b := range [][2]int{{16, 16}, {8, 8}, {32, 4}, {5, 7}} {
			cfgs = append(cfgs, grid.Rect(w, h, b[0], b[1]))
		}
		cases = append(cases, made(laName("laMedian", w, h), cfgs, func(grid.Config) (func(*gocuda.Thread), gocuda.Kernel, []any) {
			in, out := data[uint8](w*h), marked[uint8](w*h)
			return func(t *gocuda.Thread) { laMedian(t, w, h, in, out) }, laMedianKernel(w, h, in, out), []any{out}
		}, func(grid.Config) []any {
			in, out := data[uint8](w*h), marked[uint8](w*h)
			for i := range out {
				var all []uint8
				for k := range 9 {
					all = append(all, in[min(max(i/w+k/3-1, 0), h-1)*w+min(max(i%w+k%3-1, 0), w-1)])
				}
				slices.Sort(all)
				out[i] = all[4]
			}
			return []any{out}
		}))
	}
	return cases
}

func laName(kernel string, w, h int) string { return fmt.Sprintf("%s %d by %d", kernel, w, h) }

// A histogram in which one thread counts in a bin that is not there.
//
//gocuda:kernel
func laFailCount(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	var h [16]int32
	for k := 0; k < 20; k++ {
		at := in[(i+k)%len(in)] & 15
		if k == 13 && unlucky(t, who) {
			at = 16
		}
		h[at]++
	}
	out[i] = h[3]
}

// One thread fills one element too many.
//
//gocuda:kernel
func laFailFill(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	m := int(in[i]) & 7
	if unlucky(t, who) {
		m = 18
	}
	var a [17]int32
	for k := 0; k < m; k++ {
		a[k] = in[i] + int32(k)
	}
	sum := int32(0)
	for k := range a {
		sum += a[k]
	}
	out[i] = sum
}

// One thread takes from an empty stack, after it has stored.
//
//gocuda:kernel
func laFailEmpty(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	var stack [8]int32
	top := 0
	for k := 0; k < 8; k++ {
		v := in[(i+k)%len(in)]
		if v&1 != 0 {
			stack[top] = v
			top++
		}
	}
	out[i] = int32(top)
	if unlucky(t, who) {
		top = 0
	} else if top == 0 {
		return
	}
	out[i] += stack[top-1]
}

// The element is never used.
//
//gocuda:kernel
func laFailUnused(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	var a, b [33]int32
	at := in[i] & 31
	if unlucky(t, who) {
		at = 33
	}
	a[at] = 7
	b[in[i]&31] = 3
	_ = b[at&15]
	out[i] = b[5]
}

// The element is only loaded, of an array that nothing but zeros are in.
//
//gocuda:kernel
func laFailZeros(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	var a [64]int32
	at := int(in[i] & 63)
	if unlucky(t, who) {
		at = -1 - at
		at |= -2
	}
	out[i] = 1
	out[i] += a[at] + 1
}

// The index is a byte, which the array is too short for, in a helper.
//
//gocuda:kernel
func laFailHelper(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	var a [200]uint8
	at := uint8(in[i] & 127)
	if unlucky(t, who) {
		at = 201
	}
	for k := range uint8(3) {
		laPut(&a, at-k+2, k)
	}
	out[i] = int32(a[40])
}

func laPut(a *[200]uint8, at, v uint8) {
	if v == 1 {
		a[0] = 9
	}
	a[at] += v + 1
}

// The array is kept across a barrier, behind which one thread's index is too large.
//
//gocuda:kernel
func laFailBehind(t *gocuda.Thread, who int, in, out []int32) {
	s := gocuda.Shared[int32](t, 256)
	tid, i := t.ThreadIdx.X, t.GlobalX()
	var a [8]int32
	for k := range a {
		a[k] = in[i] * int32(k)
	}
	s[tid] = in[i] & 7
	if unlucky(t, who) {
		s[tid] = 8
	}
	t.SyncThreads()
	a[tid&7] = 1
	out[i] = a[s[tid]]
}

// Both the index and the divisor are wrong: the one that comes first counts.
//
//gocuda:kernel
func laFailFirst(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	var a, b [8]int32
	for k := range a {
		a[k] = in[i] + int32(k)
		b[k] = 1
	}
	at := in[i] & 7
	if unlucky(t, who) {
		b[2] = 0
		at = 9
	}
	a[1] = a[0] / b[2]
	a[2] = a[at]
	out[i] = a[1] + a[2]
}

// An element of a long array that is not there.
//
//gocuda:kernel
func laFailLong(t *gocuda.Thread, who int, in, out []int32) {
	var a [90]int32
	many := 90
	if unlucky(t, who) {
		many++
	}
	sum := int32(0)
	for k := 0; k < many; k++ {
		a[k] = in[t.GlobalX()] ^ int32(k)
		sum = sum*3 + a[k/2]
	}
	out[t.GlobalX()] = sum
}

// A row of a matrix that is not there.
//
//gocuda:kernel
func laFailRow(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	var m [6][4]int32
	r := int(in[i] % 6)
	for c := 0; c < 4; c++ {
		m[r][c] = in[i] + int32(c)
	}
	if unlucky(t, who) {
		r = 6
	}
	sum := int32(0)
	for c := 3; c >= 0; c-- {
		sum = sum*3 + m[r][c]
	}
	out[i] = sum
}

// A slice of an array, whose end is too far.
//
//gocuda:kernel
func laFailSlice(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	var a [33]int32
	n := int(in[i] & 31)
	a[n] = 5
	if unlucky(t, who) {
		n = 34
	}
	sum := int32(0)
	for _, v := range a[:n] {
		sum += v
	}
	out[i] = sum
}

func localArrayFailures() []Failure {
	return []Failure{
		failure("laFailCount", 100, 33, laFailCount, laFailCountKernel, "index out of range [16] with length 16"),
		failure("laFailCount-first", 64, 0, laFailCount, laFailCountKernel, "index out of range [16] with length 16"),
		failure("laFailFill", 100, 99, laFailFill, laFailFillKernel, "index out of range [17] with length 17"),
		failure("laFailFill-warp", 256, 64, laFailFill, laFailFillKernel, "index out of range [17] with length 17"),
		failure("laFailEmpty", 100, 50, laFailEmpty, laFailEmptyKernel, "index out of range [-1]"),
		failure("laFailUnused", 100, 17, laFailUnused, laFailUnusedKernel, "index out of range [33] with length 33"),
		failure("laFailZeros", 64, 63, laFailZeros, laFailZerosKernel, "index out of range [-"),
		failure("laFailHelper", 100, 66, laFailHelper, laFailHelperKernel, "index out of range [203] with length 200"),
		failure("laFailBehind", 100, 42, laFailBehind, laFailBehindKernel, "index out of range [8] with length 8"),
		failure("laFailFirst", 33, 32, laFailFirst, laFailFirstKernel, "integer divide by zero"),
		failure("laFailRow", 100, 70, laFailRow, laFailRowKernel, "index out of range [6] with length 6"),
		failure("laFailLong", 100, 71, laFailLong, laFailLongKernel, "index out of range [90] with length 90"),
		failure("laFailSlice", 100, 1, laFailSlice, laFailSliceKernel, "slice bounds out of range [:34]"),
	}
}
