package device

// Comparisons of pairs of halves. CUDA has each in three forms: Heq2 returns 1.0 where the
// comparison holds and 0.0 where not, Heq2Mask 0xffff and 0 in the halves of a word, X below, and
// Hbeq2 whether it holds for both. In ordered comparisons NaN makes it false, in unordered ones,
// with a u, true.

// truth2 returns 1.0 for true and 0.0 for false.
func truth2(x, y bool) Half2 {
	var h Half2
	if x {
		h.X = HalfOne
	}
	if y {
		h.Y = HalfOne
	}
	return h
}

// mask2 returns 16 ones for true: the low ones for x.
func mask2(x, y bool) uint32 {
	m := uint32(0)
	if x {
		m |= 0xffff
	}
	if y {
		m |= 0xffff << 16
	}
	return m
}

// Hisnan2 returns 1.0 where a is NaN and 0.0 where not: CUDA's __hisnan2.
func Hisnan2(a Half2) Half2 {
	return truth2(Hisnan(a.X), Hisnan(a.Y))
}

// Heq2 returns 1.0 where a == b: CUDA's __heq2.
func Heq2(a, b Half2) Half2 {
	return truth2(Heq(a.X, b.X), Heq(a.Y, b.Y))
}

// Heq2Mask returns ones where a == b: CUDA's __heq2_mask.
func Heq2Mask(a, b Half2) uint32 {
	return mask2(Heq(a.X, b.X), Heq(a.Y, b.Y))
}

// Hbeq2 reports whether a == b, in both halves: CUDA's __hbeq2.
func Hbeq2(a, b Half2) bool {
	return Heq(a.X, b.X) && Heq(a.Y, b.Y)
}

// Hne2 returns 1.0 where a != b and neither is NaN: CUDA's __hne2.
func Hne2(a, b Half2) Half2 {
	return truth2(Hne(a.X, b.X), Hne(a.Y, b.Y))
}

// Hne2Mask returns ones where a != b and neither is NaN: CUDA's __hne2_mask.
func Hne2Mask(a, b Half2) uint32 {
	return mask2(Hne(a.X, b.X), Hne(a.Y, b.Y))
}

// Hbne2 reports whether a != b and neither is NaN, in both halves: CUDA's __hbne2.
func Hbne2(a, b Half2) bool {
	return Hne(a.X, b.X) && Hne(a.Y, b.Y)
}

// Hlt2 returns 1.0 where a < b: CUDA's __hlt2.
func Hlt2(a, b Half2) Half2 {
	return truth2(Hlt(a.X, b.X), Hlt(a.Y, b.Y))
}

// Hlt2Mask returns ones where a < b: CUDA's __hlt2_mask.
func Hlt2Mask(a, b Half2) uint32 {
	return mask2(Hlt(a.X, b.X), Hlt(a.Y, b.Y))
}

// Hblt2 reports whether a < b, in both halves: CUDA's __hblt2.
func Hblt2(a, b Half2) bool {
	return Hlt(a.X, b.X) && Hlt(a.Y, b.Y)
}

// Hle2 returns 1.0 where a <= b: CUDA's __hle2.
func Hle2(a, b Half2) Half2 {
	return truth2(Hle(a.X, b.X), Hle(a.Y, b.Y))
}

// Hle2Mask returns ones where a <= b: CUDA's __hle2_mask.
func Hle2Mask(a, b Half2) uint32 {
	return mask2(Hle(a.X, b.X), Hle(a.Y, b.Y))
}

// Hble2 reports whether a <= b, in both halves: CUDA's __hble2.
func Hble2(a, b Half2) bool {
	return Hle(a.X, b.X) && Hle(a.Y, b.Y)
}

// Hgt2 returns 1.0 where a > b: CUDA's __hgt2.
func Hgt2(a, b Half2) Half2 {
	return truth2(Hgt(a.X, b.X), Hgt(a.Y, b.Y))
}

// Hgt2Mask returns ones where a > b: CUDA's __hgt2_mask.
func Hgt2Mask(a, b Half2) uint32 {
	return mask2(Hgt(a.X, b.X), Hgt(a.Y, b.Y))
}

// Hbgt2 reports whether a > b, in both halves: CUDA's __hbgt2.
func Hbgt2(a, b Half2) bool {
	return Hgt(a.X, b.X) && Hgt(a.Y, b.Y)
}

// Hge2 returns 1.0 where a >= b: CUDA's __hge2.
func Hge2(a, b Half2) Half2 {
	return truth2(Hge(a.X, b.X), Hge(a.Y, b.Y))
}

// Hge2Mask returns ones where a >= b: CUDA's __hge2_mask.
func Hge2Mask(a, b Half2) uint32 {
	return mask2(Hge(a.X, b.X), Hge(a.Y, b.Y))
}

// Hbge2 reports whether a >= b, in both halves: CUDA's __hbge2.
func Hbge2(a, b Half2) bool {
	return Hge(a.X, b.X) && Hge(a.Y, b.Y)
}

// Hequ2 returns 1.0 where a == b, or one is NaN: CUDA's __hequ2.
func Hequ2(a, b Half2) Half2 {
	return truth2(Hequ(a.X, b.X), Hequ(a.Y, b.Y))
}

// Hequ2Mask returns ones where a == b, or one is NaN: CUDA's __hequ2_mask.
func Hequ2Mask(a, b Half2) uint32 {
	return mask2(Hequ(a.X, b.X), Hequ(a.Y, b.Y))
}

// Hbequ2 reports whether a == b, or one is NaN, in both halves: CUDA's __hbequ2.
func Hbequ2(a, b Half2) bool {
	return Hequ(a.X, b.X) && Hequ(a.Y, b.Y)
}

// Hneu2 returns 1.0 where a != b, or one is NaN: CUDA's __hneu2.
func Hneu2(a, b Half2) Half2 {
	return truth2(Hneu(a.X, b.X), Hneu(a.Y, b.Y))
}

// Hneu2Mask returns ones where a != b, or one is NaN: CUDA's __hneu2_mask.
func Hneu2Mask(a, b Half2) uint32 {
	return mask2(Hneu(a.X, b.X), Hneu(a.Y, b.Y))
}

// Hbneu2 reports whether a != b, or one is NaN, in both halves: CUDA's __hbneu2.
func Hbneu2(a, b Half2) bool {
	return Hneu(a.X, b.X) && Hneu(a.Y, b.Y)
}

// Hltu2 returns 1.0 where a < b, or one is NaN: CUDA's __hltu2.
func Hltu2(a, b Half2) Half2 {
	return truth2(Hltu(a.X, b.X), Hltu(a.Y, b.Y))
}

// Hltu2Mask returns ones where a < b, or one is NaN: CUDA's __hltu2_mask.
func Hltu2Mask(a, b Half2) uint32 {
	return mask2(Hltu(a.X, b.X), Hltu(a.Y, b.Y))
}

// Hbltu2 reports whether a < b, or one is NaN, in both halves: CUDA's __hbltu2.
func Hbltu2(a, b Half2) bool {
	return Hltu(a.X, b.X) && Hltu(a.Y, b.Y)
}

// Hleu2 returns 1.0 where a <= b, or one is NaN: CUDA's __hleu2.
func Hleu2(a, b Half2) Half2 {
	return truth2(Hleu(a.X, b.X), Hleu(a.Y, b.Y))
}

// Hleu2Mask returns ones where a <= b, or one is NaN: CUDA's __hleu2_mask.
func Hleu2Mask(a, b Half2) uint32 {
	return mask2(Hleu(a.X, b.X), Hleu(a.Y, b.Y))
}

// Hbleu2 reports whether a <= b, or one is NaN, in both halves: CUDA's __hbleu2.
func Hbleu2(a, b Half2) bool {
	return Hleu(a.X, b.X) && Hleu(a.Y, b.Y)
}

// Hgtu2 returns 1.0 where a > b, or one is NaN: CUDA's __hgtu2.
func Hgtu2(a, b Half2) Half2 {
	return truth2(Hgtu(a.X, b.X), Hgtu(a.Y, b.Y))
}

// Hgtu2Mask returns ones where a > b, or one is NaN: CUDA's __hgtu2_mask.
func Hgtu2Mask(a, b Half2) uint32 {
	return mask2(Hgtu(a.X, b.X), Hgtu(a.Y, b.Y))
}

// Hbgtu2 reports whether a > b, or one is NaN, in both halves: CUDA's __hbgtu2.
func Hbgtu2(a, b Half2) bool {
	return Hgtu(a.X, b.X) && Hgtu(a.Y, b.Y)
}

// Hgeu2 returns 1.0 where a >= b, or one is NaN: CUDA's __hgeu2.
func Hgeu2(a, b Half2) Half2 {
	return truth2(Hgeu(a.X, b.X), Hgeu(a.Y, b.Y))
}

// Hgeu2Mask returns ones where a >= b, or one is NaN: CUDA's __hgeu2_mask.
func Hgeu2Mask(a, b Half2) uint32 {
	return mask2(Hgeu(a.X, b.X), Hgeu(a.Y, b.Y))
}

// Hbgeu2 reports whether a >= b, or one is NaN, in both halves: CUDA's __hbgeu2.
func Hbgeu2(a, b Half2) bool {
	return Hgeu(a.X, b.X) && Hgeu(a.Y, b.Y)
}
