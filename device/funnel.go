package device

// Funnel shifts: a window of 32 bits over the 64 bits hi:lo. With hi and lo the same word they
// rotate; along an array they shift numbers of any length. PTX calls them shf. In Go a shift by 32
// leaves nothing, so no case is special.

// FunnelshiftL returns the high word of hi:lo << (shift mod 32). CUDA's __funnelshift_l,
// which has lo first as well.
func FunnelshiftL(lo, hi, shift uint32) uint32 {
	n := shift & 31
	return hi<<n | lo>>(32-n)
}

// FunnelshiftLC returns the high word of hi:lo << min(shift, 32): lo from 32 on. CUDA's
// __funnelshift_lc.
func FunnelshiftLC(lo, hi, shift uint32) uint32 {
	n := min(shift, 32)
	return hi<<n | lo>>(32-n)
}

// FunnelshiftR returns the low word of hi:lo >> (shift mod 32). CUDA's __funnelshift_r.
func FunnelshiftR(lo, hi, shift uint32) uint32 {
	n := shift & 31
	return lo>>n | hi<<(32-n)
}

// FunnelshiftRC returns the low word of hi:lo >> min(shift, 32): hi from 32 on. CUDA's
// __funnelshift_rc.
func FunnelshiftRC(lo, hi, shift uint32) uint32 {
	n := min(shift, 32)
	return lo>>n | hi<<(32-n)
}
