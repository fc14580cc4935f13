package gocuda

import (
	"math/bits"
	"unsafe"
)

// What all rows of threads of a block do at once, in plain Go. It is for code that `gocuda gen` writes, behind checks that
// all elements exist and that an int has 64 bits (see HasWideInts).

// CopyRows copies rows of n elements each: row r from src[from+r*(next-from)] on to dst[first+r*(second-first)] and those behind it, in no
// particular order. An element has no pointers.
//
//go:noinline
func CopyRows[T any](dst []T, first, second int, src []T, from, next, rows, n int) {
	bytes := n * int(unsafe.Sizeof(*new(T)))
	to, in := unsafe.Pointer(At(dst, first)), unsafe.Pointer(At(src, from))
	toRow, inRow := (second-first)*int(unsafe.Sizeof(*new(T))), (next-from)*int(unsafe.Sizeof(*new(T)))
	if bytes == 64 {
		// What this takes is the time that memory needs, so it counts how many lines are asked for at once: it is fewer
		// instructions without a call.
		for r := range rows {
			line := *(*[64]byte)(unsafe.Add(in, r*inRow))
			*(*[64]byte)(unsafe.Add(to, r*toRow)) = line
		}
		return
	}
	for r := range rows {
		copy(unsafe.Slice((*byte)(unsafe.Add(to, r*toRow)), bytes), unsafe.Slice((*byte)(unsafe.Add(in, r*inRow)), bytes))
	}
}

// AddProducts adds to the sums of rows of threads, of which row r has those from sums[r*threads] on: in each of n rounds a number that
// the row has in common times one that the threads at its place in all rows have in common. The number of row r in
// round i is a[first+r*(second-first)+i*aStep], that of thread x is b[from+i*bStep+x].
//
// Where elements of b in neighbouring rounds are far apart, those of a few rounds are copied to where they are
// neighbours, and used for all rows before those of the next: each is read from far away once and not for each row.
func AddProducts[T ~float32 | ~float64](sums, a []T, first, second, aStep int, b []T, from, bStep, rows, threads, n int) {
	s, in, line := At(sums, 0), At(a, first), At(b, from)
	switch {
	case bStep == productThreads:
		for r := range rows {
			addRounds(behind(s, r*threads), behind(in, r*(second-first)), aStep, line, threads, n)
		}
	case rows < fewRows || 0 <= bStep && bStep <= nearStep:
		for r := range rows {
			addProducts(behind(s, r*threads), behind(in, r*(second-first)), aStep, line, bStep, threads, n)
		}
	default:
		addFarProducts(s, in, second-first, aStep, line, bStep, rows, threads, n)
	}
}

const (
	productRounds  = 32 // at a time
	productThreads = 16 // of a row, whose elements of b are copied to where they are neighbours
	fewRows        = 4  // for which a copy does not pay
	nearStep       = 64 // and this for how far rounds are apart
)

// addFarProducts is AddProducts with copies. A row of a is aRow elements behind the one before.
func addFarProducts[T ~float32 | ~float64](sums, a *T, aRow, aStep int, b *T, bStep, rows, threads, n int) {
	var near [productRounds * productThreads]T
	for x := 0; x < threads; x += productThreads {
		threads0 := min(threads-x, productThreads)
		for i := 0; i < n; i += productRounds {
			rounds := min(n-i, productRounds)
			for k := range rounds {
				copy(near[k*productThreads:][:threads0], unsafe.Slice(behind(b, x+(i+k)*bStep), threads0))
			}
			for r := range rows {
				addRounds(behind(sums, r*threads+x), behind(a, r*aRow+i*aStep), aStep, &near[0], threads0, rounds)
			}
		}
	}
}

// behind returns the address k elements behind p.
func behind[T any](p *T, k int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), k*int(unsafe.Sizeof(*p))))
}

// addRounds does n rounds of up to sixteen threads of a row, where the elements of b are productThreads apart in neighbouring
// rounds. Sixteen rounds of eight threads have no loop in them: what only a later iteration of a loop needs, the sums, Go
// computes at the end of an iteration, behind all products, for which it has no registers.
func addRounds[T ~float32 | ~float64](sums, a *T, aStep int, b *T, threads, n int) {
	const next = productThreads
	i := 0
	for ; aStep == 1 && threads%8 == 0 && i+16 <= n; i += 16 {
		a16 := (*[16]T)(unsafe.Pointer(behind(a, i)))
		for x := 0; x < threads; x += 8 {
			s, b := (*[8]T)(unsafe.Pointer(behind(sums, x))), (*[16 * next]T)(unsafe.Pointer(behind(b, x+i*next)))
			s0, s1, s2, s3, s4, s5, s6, s7 := s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]
			s0, s1, s2, s3, s4, s5, s6, s7 = addRound(s0, s1, s2, s3, s4, s5, s6, s7, &a16[0], (*[8]T)(b[:]))
			s0, s1, s2, s3, s4, s5, s6, s7 = addRound(s0, s1, s2, s3, s4, s5, s6, s7, &a16[1], (*[8]T)(b[next:]))
			s0, s1, s2, s3, s4, s5, s6, s7 = addRound(s0, s1, s2, s3, s4, s5, s6, s7, &a16[2], (*[8]T)(b[2*next:]))
			s0, s1, s2, s3, s4, s5, s6, s7 = addRound(s0, s1, s2, s3, s4, s5, s6, s7, &a16[3], (*[8]T)(b[3*next:]))
			s0, s1, s2, s3, s4, s5, s6, s7 = addRound(s0, s1, s2, s3, s4, s5, s6, s7, &a16[4], (*[8]T)(b[4*next:]))
			s0, s1, s2, s3, s4, s5, s6, s7 = addRound(s0, s1, s2, s3, s4, s5, s6, s7, &a16[5], (*[8]T)(b[5*next:]))
			s0, s1, s2, s3, s4, s5, s6, s7 = addRound(s0, s1, s2, s3, s4, s5, s6, s7, &a16[6], (*[8]T)(b[6*next:]))
			s0, s1, s2, s3, s4, s5, s6, s7 = addRound(s0, s1, s2, s3, s4, s5, s6, s7, &a16[7], (*[8]T)(b[7*next:]))
			s0, s1, s2, s3, s4, s5, s6, s7 = addRound(s0, s1, s2, s3, s4, s5, s6, s7, &a16[8], (*[8]T)(b[8*next:]))
			s0, s1, s2, s3, s4, s5, s6, s7 = addRound(s0, s1, s2, s3, s4, s5, s6, s7, &a16[9], (*[8]T)(b[9*next:]))
			s0, s1, s2, s3, s4, s5, s6, s7 = addRound(s0, s1, s2, s3, s4, s5, s6, s7, &a16[10], (*[8]T)(b[10*next:]))
			s0, s1, s2, s3, s4, s5, s6, s7 = addRound(s0, s1, s2, s3, s4, s5, s6, s7, &a16[11], (*[8]T)(b[11*next:]))
			s0, s1, s2, s3, s4, s5, s6, s7 = addRound(s0, s1, s2, s3, s4, s5, s6, s7, &a16[12], (*[8]T)(b[12*next:]))
			s0, s1, s2, s3, s4, s5, s6, s7 = addRound(s0, s1, s2, s3, s4, s5, s6, s7, &a16[13], (*[8]T)(b[13*next:]))
			s0, s1, s2, s3, s4, s5, s6, s7 = addRound(s0, s1, s2, s3, s4, s5, s6, s7, &a16[14], (*[8]T)(b[14*next:]))
			s0, s1, s2, s3, s4, s5, s6, s7 = addRound(s0, s1, s2, s3, s4, s5, s6, s7, &a16[15], (*[8]T)(b[15*next:]))
			s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7] = s0, s1, s2, s3, s4, s5, s6, s7
		}
	}
	if i < n {
		addProducts(sums, behind(a, i*aStep), aStep, behind(b, i*next), next, threads, n-i)
	}
}

// addProducts does n rounds of a row, four at a time for four threads: of four rounds, three have each sum behind its product.
func addProducts[T ~float32 | ~float64](sums, a *T, aStep int, b *T, bStep, threads, n int) {
	x := 0
	for ; x+4 <= threads; x += 4 {
		s, i, at, from := (*[4]T)(unsafe.Pointer(behind(sums, x))), 0, 0, x
		s0, s1, s2, s3 := s[0], s[1], s[2], s[3]
		for ; i+4 <= n; i += 4 {
			s0, s1, s2, s3 = addHalfRound(s0, s1, s2, s3, a, at, b, from)
			s0, s1, s2, s3 = addHalfRound(s0, s1, s2, s3, a, at+aStep, b, from+bStep)
			s0, s1, s2, s3 = addHalfRound(s0, s1, s2, s3, a, at+2*aStep, b, from+2*bStep)
			s0, s1, s2, s3 = addHalfRound(s0, s1, s2, s3, a, at+3*aStep, b, from+3*bStep)
			at, from = at+4*aStep, from+4*bStep
		}
		for ; i < n; i++ {
			s0, s1, s2, s3 = addHalfRound(s0, s1, s2, s3, a, at, b, from)
			at, from = at+aStep, from+bStep
		}
		s[0], s[1], s[2], s[3] = s0, s1, s2, s3
	}
	for ; x < threads; x++ {
		s := *behind(sums, x)
		for i := range n {
			s += T(*behind(a, i*aStep) * *behind(b, x+i*bStep))
		}
		*behind(sums, x) = s
	}
}

// addHalfRound adds one round of four threads.
func addHalfRound[T ~float32 | ~float64](s0, s1, s2, s3 T, a *T, i int, b *T, k int) (T, T, T, T) {
	v, l := *behind(a, i), (*[4]T)(unsafe.Pointer(behind(b, k)))
	return s0 + T(v*l[0]), s1 + T(v*l[1]), s2 + T(v*l[2]), s3 + T(v*l[3])
}

// addRound adds one round of eight threads. The conversions keep Go from fusing the operations.
func addRound[T ~float32 | ~float64](s0, s1, s2, s3, s4, s5, s6, s7 T, a *T, b *[8]T) (T, T, T, T, T, T, T, T) {
	v := *a
	return s0 + T(v*b[0]), s1 + T(v*b[1]), s2 + T(v*b[2]), s3 + T(v*b[3]), s4 + T(v*b[4]), s5 + T(v*b[5]), s6 + T(v*b[6]), s7 + T(v*b[7])
}

// HasWideInts tells whether an int has 64 bits, as what is shown about the elements of a row takes for granted.
const HasWideInts = bits.UintSize == 64
