//go:build compiled

package corpus

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"time"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Integers that are divided by constants and by what all threads have in common, of 32 and of 64
// bits; and conversions between floats and integers of 64 bits or without a sign.

type dvKernel = func(t *gocuda.Thread, n int, by int64, few uint32, words []uint64, floats []float64, out []int64, wide []uint64, bytes []uint8)

// The sum of the decimal digits of a number, and how many there are.
//
//gocuda:kernel
func dvDigits(t *gocuda.Thread, n int, by int64, few uint32, words []uint64, floats []float64, out []int64, wide []uint64, bytes []uint8) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	sum, count := uint64(0), 0
	for w := words[i]; w > 0; w /= 10 {
		sum += w % 10
		count++
	}
	wide[i], out[i] = sum, int64(count)
}

func dvDigitsSerial(n int, by int64, few uint32, words []uint64, floats []float64, out []int64, wide []uint64, bytes []uint8) {
	for i, w := range words {
		if w == 0 {
			continue
		}
		text := strconv.FormatUint(w, 10)
		out[i] = int64(len(text))
		for _, c := range text {
			wide[i] += uint64(c - '0')
		}
	}
}

// The bucket of a hash, for tables of any length, and of a number that may be negative.
//
//gocuda:kernel
func dvBuckets(t *gocuda.Thread, n int, by int64, few uint32, words []uint64, floats []float64, out []int64, wide []uint64, bytes []uint8) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	h := words[i] * 0xff51afd7ed558ccd
	wide[i] = h%uint64(by) + h/uint64(few)
	v := int64(words[i])
	out[i] = v%by - v/by
	bytes[i] = uint8(uint32(h)%few) ^ uint8(int32(v)/int32(few)) ^ uint8(int32(v)%int32(by))
}

func dvBucketsSerial(n int, by int64, few uint32, words []uint64, floats []float64, out []int64, wide []uint64, bytes []uint8) {
	// parts returns the quotient, towards 0, and the remainder.
	parts := func(a, b *big.Int) (*big.Int, *big.Int) { return new(big.Int).QuoRem(a, b, new(big.Int)) }
	for i, w := range words {
		h := w * 0xff51afd7ed558ccd
		hash := new(big.Int).SetUint64(h)
		_, rest := parts(hash, new(big.Int).SetUint64(uint64(by)))
		whole, _ := parts(hash, big.NewInt(int64(few)))
		wide[i] = rest.Uint64() + whole.Uint64()
		whole, rest = parts(big.NewInt(int64(w)), big.NewInt(by))
		out[i] = int64(rest.Uint64())
		if rest.Sign() < 0 {
			out[i] = -int64(rest.Abs(rest).Uint64())
		}
		quotient := int64(whole.Uint64())
		if whole.Sign() < 0 {
			quotient = -int64(whole.Abs(whole).Uint64())
		}
		out[i] -= quotient
		_, a := parts(big.NewInt(int64(uint32(h))), big.NewInt(int64(few)))
		b, _ := parts(big.NewInt(int64(int32(w))), big.NewInt(int64(int32(few))))
		_, c := parts(big.NewInt(int64(int32(w))), big.NewInt(int64(int32(by))))
		bytes[i] = uint8(a.Int64()) ^ uint8(b.Int64()) ^ uint8(c.Int64())
	}
}

// The day of a calendar, from days since 1970, which may be negative (Hinnant's algorithm).
//
//gocuda:kernel
func dvCalendar(t *gocuda.Thread, n int, by int64, few uint32, words []uint64, floats []float64, out []int64, wide []uint64, bytes []uint8) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	z := int64(words[i]%4000000) - 1500000 + 719468
	era := z / 146097
	if z < 0 {
		era = (z - 146096) / 146097
	}
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day := doy - (153*mp+2)/5 + 1
	month := mp + 3
	if month > 12 {
		month -= 12
	}
	year := yoe + era*400
	if month <= 2 {
		year++
	}
	out[i] = year*10000 + month*100 + day
}

func dvCalendarSerial(n int, by int64, few uint32, words []uint64, floats []float64, out []int64, wide []uint64, bytes []uint8) {
	for i, w := range words {
		day := time.Unix(0, 0).UTC().AddDate(0, 0, int(w%4000000)-1500000)
		out[i] = int64(day.Year())*10000 + int64(day.Month())*100 + int64(day.Day())
	}
}

// Powers modulo a number, by squaring.
//
//gocuda:kernel
func dvPowers(t *gocuda.Thread, n int, by int64, few uint32, words []uint64, floats []float64, out []int64, wide []uint64, bytes []uint8) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	m := uint64(few)
	x, y := words[i]%m, 1%m
	for e := words[n-1-i] & 0xffff; e > 0; e >>= 1 {
		if e&1 == 1 {
			y = y * x % m
		}
		x = x * x % m
	}
	wide[i] = y
}

func dvPowersSerial(n int, by int64, few uint32, words []uint64, floats []float64, out []int64, wide []uint64, bytes []uint8) {
	for i, w := range words {
		e := new(big.Int).SetUint64(words[n-1-i] & 0xffff)
		wide[i] = new(big.Int).Exp(new(big.Int).SetUint64(w), e, big.NewInt(int64(few))).Uint64()
	}
}

// Two pictures blended, and gray values, in numbers of all small types.
//
//gocuda:kernel
func dvBlend(t *gocuda.Thread, n int, by int64, few uint32, words []uint64, floats []float64, out []int64, wide []uint64, bytes []uint8) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	w := words[i]
	a, b, c := uint32(w&255), uint32(w>>8&255), uint32(w>>16&255)
	bytes[i] = uint8((a*c + b*(255-c) + 127) / 255)
	gray := int(uint8(w))*299 + int(uint8(w>>8))*587 + int(uint8(w>>16))*114
	out[i] = int64(gray / 1000)
	s, r, u := int8(w), int16(w>>7), uint16(w>>9)
	wide[i] = uint64(s/3) ^ uint64(r%11)<<8 ^ uint64(u/7)<<16 ^ uint64(r/-5)<<32 ^ uint64(s%4)<<48 ^ uint64(uint32(w)/641)<<20 ^ uint64(int32(w)/-64)
}

// Of floats to unsigned integers and back, to integers of 64 bits, and the smaller and larger ones
// of these.
//
//gocuda:kernel
func dvConvert(t *gocuda.Thread, n int, by int64, few uint32, words []uint64, floats []float64, out []int64, wide []uint64, bytes []uint8) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	f := floats[i]
	w := words[i]
	v := int64(f) ^ int64(float32(f)*3)
	u := uint32(math.Abs(f)) + uint32(float32(math.Abs(f))/2)
	long := int64(w)
	g := float64(w)/3 + float64(float32(w)) + float64(long)*5 - float64(float32(long))
	if w > uint64(by) {
		v += max(long, by)
	} else {
		v -= min(long, v)
	}
	out[i] = v
	wide[i] = math.Float64bits(g) ^ max(w, uint64(u))
	bytes[i] = uint8(u >> 3)
}

func dvConvertSerial(n int, by int64, few uint32, words []uint64, floats []float64, out []int64, wide []uint64, bytes []uint8) {
	for i, w := range words {
		f := floats[i]
		whole := func(f float64) int64 { v, _ := big.NewFloat(f).Int64(); return v }
		nearest := func(i *big.Int) (float64, float64) {
			d, _ := new(big.Float).SetInt(i).Float64()
			s, _ := new(big.Float).SetInt(i).Float32()
			return d, float64(s)
		}
		v := whole(f) ^ whole(float64(float32(f)*3))
		u := uint32(whole(math.Abs(f))) + uint32(whole(float64(float32(math.Abs(f))/2)))
		wd, ws := nearest(new(big.Int).SetUint64(w))
		ld, ls := nearest(big.NewInt(int64(w)))
		third := wd / 3
		sum := third + ws
		five := ld * 5
		sum += five
		sum -= ls
		if w > uint64(by) {
			if long := int64(w); long > by {
				v += long
			} else {
				v += by
			}
		} else if long := int64(w); long < v {
			v -= long
		} else {
			v -= v
		}
		out[i], bytes[i] = v, uint8(u>>3)
		wide[i] = uint64(u)
		if w > uint64(u) {
			wide[i] = w
		}
		wide[i] ^= math.Float64bits(sum)
	}
}

// Neighbours within a distance, in cells of a cube that have few members each: loops in loops,
// which threads leave one by one.
//
//gocuda:kernel
func dvNeighbours(t *gocuda.Thread, n int, by int64, few uint32, words []uint64, floats []float64, out []int64, wide []uint64, bytes []uint8) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	const side = 4
	p := int(words[i] % (side * side * side))
	x, y, z := p%side, p/side%side, p/(side*side)
	sum, close, far := 0.0, int64(0), uint64(0)
	for dz := max(z-1, 0); dz <= min(z+1, side-1); dz++ {
		for dy := max(y-1, 0); dy <= min(y+1, side-1); dy++ {
			for dx := max(x-1, 0); dx <= min(x+1, side-1); dx++ {
				first := (dz*side+dy)*side + dx
				for k := first; k < first+int(bytes[first%n]&3) && k < n; k++ {
					d := floats[k] - floats[i]
					switch {
					case d*d < 10:
						sum += d
						close++
					case d > 0 && k != i:
						far += words[k] & 15
					case k&1 == 0:
						sum -= 1
					}
				}
			}
		}
	}
	out[i] = close + int64(sum*1000)
	wide[i] = far
}

// Floats that have no unsigned integer in some threads: what these become depends on the processor,
// and is the same in both forms.
//
//gocuda:kernel
func dvTooLarge(t *gocuda.Thread, n int, by int64, few uint32, words []uint64, floats []float64, out []int64, wide []uint64, bytes []uint8) {
	i := t.GlobalX()
	if i < n && floats[i] < 1e10 {
		out[i] += int64(uint32(floats[i] * 64))
		wide[i] = uint64(uint32(float32(floats[i])))
	}
}

func dvCases() (cases []Case) {
	for _, k := range []struct {
		name     string
		source   dvKernel
		compiled func(n int, by int64, few uint32, words []uint64, floats []float64, out []int64, wide []uint64, bytes []uint8) gocuda.Kernel
		serial   func(n int, by int64, few uint32, words []uint64, floats []float64, out []int64, wide []uint64, bytes []uint8)
	}{
		{"dvDigits", dvDigits, dvDigitsKernel, dvDigitsSerial},
		{"dvBuckets", dvBuckets, dvBucketsKernel, dvBucketsSerial},
		{"dvCalendar", dvCalendar, dvCalendarKernel, dvCalendarSerial},
		{"dvPowers", dvPowers, dvPowersKernel, dvPowersSerial},
		{"dvBlend", dvBlend, dvBlendKernel, nil},
		{"dvConvert", dvConvert, dvConvertKernel, dvConvertSerial},
		{"dvNeighbours", dvNeighbours, dvNeighboursKernel, nil},
		{"dvTooLarge", dvTooLarge, dvTooLargeKernel, nil},
	} {
		for _, s := range []struct {
			n, block int
			by       int64
			few      uint32
		}{{1000, 128, 1009, 97}, {77, 64, 1, 1}, {300, 256, -12345678901, 1<<32 - 5}, {640, 64, math.MinInt64 + 1<<33 - 9, 1 << 16}, {33, 32, 1 << 32, 3}, {512, 64, -7, 641}} {
			if k.name == "dvBuckets" && int32(s.by) == 0 {
				continue // it divides by that
			}
			cfg := grid.Config{Grid: grid.Dim3{X: (s.n + s.block - 1) / s.block}, Block: grid.Dim3{X: s.block}}
			cases = append(cases, Case{Name: fmt.Sprintf("%s of %d by %d and %d, blocks of %d", k.name, s.n, s.by, s.few, s.block), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
				made := func() ([]uint64, []float64, []int64, []uint64, []uint8) {
					words, floats, bytes := make([]uint64, s.n), make([]float64, s.n), make([]uint8, s.n)
					for i := range words {
						words[i] = uint64(i) * 0x9e3779b97f4a7c15 >> (i * 7 % 64)
						switch i % 9 {
						case 0:
							words[i] = math.MaxUint64 - uint64(i/9)
						case 1:
							words[i] = 1<<63 - 5 + uint64(i/9)
						}
						floats[i] = math.Ldexp(float64(i*i%1001-500)/7, i%24)
						bytes[i] = uint8(i * 37)
					}
					return words, floats, make([]int64, s.n), make([]uint64, s.n), bytes
				}
				words, floats, out, wide, bytes := made()
				instance := Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, s.n, s.by, s.few, words, floats, out, wide, bytes) }),
					Compiled: k.compiled(s.n, s.by, s.few, words, floats, out, wide, bytes),
					Outputs:  []any{out, wide, bytes},
				}
				if k.serial != nil {
					instance.Want = func() []any {
						words, floats, out, wide, bytes := made()
						k.serial(s.n, s.by, s.few, words, floats, out, wide, bytes)
						return []any{out, wide, bytes}
					}
				}
				return instance
			}})
		}
	}
	return cases
}

// One thread divides by what is 0 for all of them.
//
//gocuda:kernel
func failDividesAll(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	v := int64(in[i]) * 3
	if unlucky(t, who) {
		v %= int64(len(in) - len(out))
	}
	out[i] = int32(v / 7)
}
