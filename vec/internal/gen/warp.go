package main

// warps has what shuffles of a warp are made of, whose 32 lanes are in two vectors of 16 or in four of 8.
func warps() *file {
	f := newFile("// Shuffles of a warp of 32 lanes in two vectors of 16, or in four of 8.", "simd/archsimd")
	for _, v := range types {
		switch {
		case v.bits == 32 && v.n == 16:
			f.emit(v, `
// Warp$T returns in lane k what lane from[k] of a warp has, modulo 32. The lanes of the warp are in a and b.
func Warp$T(a, b $T, from $X) $T { return a.ConcatPermute(b, from) }
`, "$X", vec('U', v.bits, v.n).name)
		case v.bits == 32 && v.n == 8:
			f.emit(v, `
// Warp$T returns in lane k what lane from[k] of a warp has, modulo 32. The lanes of the warp are in a to d.
func Warp$T(a, b, c, d $T, from $X) $T {
	var zero archsimd.Int32x8
	odd := zero.Greater(from.ShiftAllLeft(28).AsInt32x8()) // by the bit 8
	low := b.Permute(from).Merge(a.Permute(from), odd)
	high := d.Permute(from).Merge(c.Permute(from), odd)
	return high.Merge(low, zero.Greater(from.ShiftAllLeft(27).AsInt32x8()))
}
`, "$X", vec('U', v.bits, v.n).name)
		case v.bits == 64 && v.n == 8:
			f.emit(v, `
// Warp$T returns in lane k what lane from[k] of a warp has, modulo 32. The lanes of the warp are in a to d.
func Warp$T(a, b, c, d $T, from $X) $T {
	low, high := a.ConcatPermute(b, from), c.ConcatPermute(d, from)
	return high.Merge(low, from.And(archsimd.BroadcastUint64x8(16)).Equal(archsimd.BroadcastUint64x8(16)))
}
`, "$X", vec('U', v.bits, v.n).name)
		default:
			continue
		}
		if v.kind != 'U' {
			continue
		}
		f.emit(v, `
// Source$T returns the lanes of a warp from which the lanes of a part, $N from $N*part on, read in a shuffle by b,
// of which 5 bits count, in groups of width lanes, a power of two up to 32.
func Source$T(kind Shuffle, b, width, part int) $T {
	lane := Iota$T($E($N*part), 1)
	by, last := $E(b&31), $E(width-1)
	within := lane.And(Splat$T(last))
	switch kind {
	case ByIdx:
		return lane.Sub(within).Or(Splat$T(by & last))
	case ByUp:
		return Select$T(Ge$T(within, Splat$T(by)), lane.Sub(Splat$T(by)), lane)
	case ByDown:
		return Select$T(Le$T(within.Add(Splat$T(by)), Splat$T(last)), lane.Add(Splat$T(by)), lane)
	}
	other := lane.Xor(Splat$T(by))
	return Select$T(Le$T(other, lane.Or(Splat$T(last))), other, lane)
}

// SourceOf$T is Source$T for a shuffle by idx in which each lane has a b of its own.
func SourceOf$T(b $T, width, part int) $T {
	lane := Iota$T($E($N*part), 1)
	last := Splat$T($E(width-1))
	return lane.Sub(lane.And(last)).Or(b.And(last))
}
`)
	}
	return f
}
