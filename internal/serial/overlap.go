package serial

// Overlap sets out[i] to the number that so many rounds of a generator make of in[i]: the reference
// of [streaming.Overlap].
func Overlap(rounds int, out, in []uint32) {
	for i, v := range in {
		for range rounds {
			v = v*1664525 + 1013904223 // the generator of Press et al., Numerical Recipes, 7.1
		}
		out[i] = v
	}
}
