//go:build compiled

package corpus

import (
	"fmt"
	"math/bits"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Shifts by what differs between threads: bits of a map, lanes below one, fields of packed words.
// Some are by more than a number has bits.

// The bits of words, one a thread: the quotient is the word, the remainder the bit.
//
//gocuda:kernel
func shMap(t *gocuda.Thread, n, most int, words []uint32, by []int32, out []int32, wide []uint32, bytes []uint8) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	out[i] = int32(words[i/32] >> (i % 32) & 1)
	wide[i] = 1 << (i % 32)
	bytes[i] = bytes[i]>>(7-i%8)&1 + uint8(by[i])<<(i&3)
}

// The place of each number that is chosen among those of its warp, by the lanes below its own.
//
//gocuda:kernel
func shPlaces(t *gocuda.Thread, n, most int, words []uint32, by []int32, out []int32, wide []uint32, bytes []uint8) {
	i := t.GlobalX()
	chosen := i < n && by[min(i, n-1)]%3 == 0
	mask := t.BallotSync(gocuda.FullMask, chosen)
	lane := t.LaneID()
	below := mask & (1<<lane - 1)
	if i < n {
		out[i] = int32(bits.OnesCount32(below))
		wide[i] = mask >> lane
		bytes[i] = 0
		if chosen {
			bytes[i] = uint8(below>>(lane/2)) + 1
		}
	}
}

// Counts with a sign, and of 64 bits, that are known only when they are loaded; and numbers with a
// sign, which keep it.
//
//gocuda:kernel
func shLoaded(t *gocuda.Thread, n, most int, words []uint32, by []int32, out []int32, wide []uint32, bytes []uint8) {
	i := int32(t.GlobalX())
	if int(i) >= n {
		return
	}
	w := words[i]
	out[i] = int32(w)>>by[i] + int32(w)<<(by[i]&31)
	k := int(by[i])
	wide[i] = w<<k | w>>(32-min(k, 32))
	if by[i] > 3 {
		wide[i] ^= 7 << (by[i] - 3)
	}
}

// Fields of four bits and of eight, in the rounds of a loop, and a number that is the same for all
// threads.
//
//gocuda:kernel
func shFields(t *gocuda.Thread, n, most int, words []uint32, by []int32, out []int32, wide []uint32, bytes []uint8) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	sum, w := uint32(0), words[i]
	for k := i % 4; k < 8; k++ {
		sum = sum*5 + w>>(4*k)&15
	}
	for k := int32(0); k < by[i]; k++ {
		sum ^= w << k
	}
	wide[i] = sum
	out[i] = int32(w)>>most | 1<<most
}

// Numbers of 64 bits, with and without a sign: by what all threads have in common, by the place, by
// what is loaded, by more than there are bits.
//
//gocuda:kernel
func shLong(t *gocuda.Thread, n, most int, words []uint32, by []int32, out []int32, wide []uint32, bytes []uint8) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	all := uint(most)
	long := int64(int32(words[i])) * 0x12345
	left := uint64(words[i]) << (by[i] & 63)
	sum := long>>all ^ int64(left>>uint(i%70)) ^ int64(words[i])<<all
	sum += long>>(uint(by[i])+1) ^ long>>words[n-1-i]
	out[i] = int32(sum>>7) ^ int32(sum>>40)
	wide[i] = uint32(left>>all) + uint32(left>>bytes[i])
}

// Counts without a sign that are computed from integers with one; those that are negative shift
// everything away.
//
//gocuda:kernel
func shUnsigned(t *gocuda.Thread, n, most int, words []uint32, by []int32, out []int32, wide []uint32, bytes []uint8) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	exp := by[i]
	if i%5 == 0 && most > 35 {
		exp = -exp
	}
	out[i] = int32(words[i]) >> (uint(exp) + 3)
	wide[i] = words[i]<<(uint32(exp)+1) | words[i]>>uint(i&31)
	bytes[i] = uint8(words[i]) >> (uint64(exp) + 2)
}

// Counts of 8 and 16 bits with a sign, which a conversion has cut off.
//
//gocuda:kernel
func shSmall(t *gocuda.Thread, n, most int, words []uint32, by []int32, out []int32, wide []uint32, bytes []uint8) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	short := int8(words[i]>>3) & 63
	out[i] = int32(words[i]) >> short
	wide[i] = words[i]<<(int16(words[i])&31) ^ words[i]>>uint(int8(by[i]*3)&127)
}

// Counts of 64 bits that each thread computes, with and without a sign, small and far beyond all bits.
//
//gocuda:kernel
func shPacked(t *gocuda.Thread, n, most int, words []uint32, by []int32, out []int32, wide []uint32, bytes []uint8) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	long := uint64(words[i]) * 0x9e3779b97f4a7c15
	count := long >> 58
	far := long ^ uint64(by[i])<<40
	signed := int64(long>>1) % 67
	top := uint64(1) << (count - 1)
	sum := long>>count ^ long<<far ^ top ^ uint64(int64(long)>>far) ^ uint64(int64(long)>>signed) ^ long<<signed
	out[i] = int32(words[i])>>count ^ int32(words[i])<<signed ^ int32(words[i])>>far
	wide[i] = words[i]>>count ^ words[i]<<count ^ words[i]>>signed ^ uint32(sum) ^ uint32(sum>>32)
	bytes[i] = uint8(words[i]) >> count
}

func shCases() (cases []Case) {
	type kernel = func(t *gocuda.Thread, n, most int, words []uint32, by []int32, out []int32, wide []uint32, bytes []uint8)
	type maker = func(n, most int, words []uint32, by []int32, out []int32, wide []uint32, bytes []uint8) gocuda.Kernel
	for _, k := range []struct {
		name     string
		source   kernel
		compiled maker
	}{{"shMap", shMap, shMapKernel}, {"shPlaces", shPlaces, shPlacesKernel}, {"shLoaded", shLoaded, shLoadedKernel}, {"shFields", shFields, shFieldsKernel}, {"shLong", shLong, shLongKernel}, {"shUnsigned", shUnsigned, shUnsignedKernel}, {"shSmall", shSmall, shSmallKernel}, {"shPacked", shPacked, shPackedKernel}} {
		for _, s := range []struct{ n, block, most int }{{1000, 128, 31}, {77, 64, 32}, {512, 256, 40}, {300, 64, 1 << 20}, {64, 32, 3}} {
			cfg := grid.Config{Grid: grid.Dim3{X: (s.n + s.block - 1) / s.block}, Block: grid.Dim3{X: s.block}}
			cases = append(cases, Case{Name: fmt.Sprintf("%s of %d, blocks of %d, %d", k.name, s.n, s.block, s.most), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
				words, by := make([]uint32, s.n), make([]int32, s.n)
				out, wide, bytes := make([]int32, s.n), make([]uint32, s.n), make([]uint8, s.n)
				for i := range words {
					words[i] = uint32(i+1) * 2654435761
					by[i] = int32(i * i % (min(s.most, 1000) + 1))
					bytes[i] = uint8(i * 37)
				}
				return Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, s.n, s.most, words, by, out, wide, bytes) }),
					Compiled: k.compiled(s.n, s.most, words, by, out, wide, bytes),
					Outputs:  []any{out, wide, bytes},
				}
			}})
		}
	}
	return cases
}

// A count that is negative in one thread, of numbers that are stored before and behind it.
//
//gocuda:kernel
func failShiftBy(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	by := in[i] & 15
	if unlucky(t, who) {
		by = -by - 1
	}
	out[i] = in[i] + 1
	out[i] += in[i] << by
}

// The same for a count of 64 bits that is computed from memory.
//
//gocuda:kernel
func failShiftLong(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	by := int64(in[i]) * 0x12345 & 31
	if unlucky(t, who) {
		by -= 1 << 40
	}
	out[i] = in[i] + 1
	out[i] += in[i] << by
}

// An int that is the place of the thread in a row, less what makes it negative.
//
//gocuda:kernel
func failShiftPlace(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	by := t.ThreadIdx.X%8 + 1
	if t.BlockIdx.X == 1 {
		by = t.ThreadIdx.X%8 - who%8 - 1
		if by < -1 {
			by = 0
		}
	}
	out[i] = in[i] >> by
}
