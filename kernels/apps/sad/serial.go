package sad

// SADsSerial is the reference of [SADs].
func SADsSerial(w, h int, cur, ref []uint8, sads []uint16) {
	across, down := Macroblocks(w, h)
	SADsOf(0, across*down, w, h, cur, ref, sads)
}

// SADsOf is SADsSerial for macroblocks from to to-1, whose sums alone it sets in sads.
func SADsOf(from, to, w, h int, cur, ref []uint8, sads []uint16) {
	across, _ := Macroblocks(w, h)
	for m := from; m < to; m++ {
		macroblockSerial(w, h, m%across, m/across, cur, ref, sads[m*BlockCount*Offsets:(m+1)*BlockCount*Offsets])
	}
}

// macroblockSerial computes the sums of macroblock (mx, my).
func macroblockSerial(w, h, mx, my int, cur, ref []uint8, sads []uint16) {
	pixel := func(frame []uint8, x, y int) int { return int(frame[min(max(y, 0), h-1)*w+min(max(x, 0), w-1)]) }
	var a [16 * 16]int
	for i := range a {
		a[i] = pixel(cur, 16*mx+i%16, 16*my+i/16)
	}
	var window [48 * 48]int
	for i := range window {
		window[i] = pixel(ref, 16*mx-Range+i%48, 16*my-Range+i/48)
	}
	for p := range Offsets {
		dx, dy := p%Side, p/Side // from the corner of the window
		for b := range 16 {
			sum := 0
			for y := b / 4 * 4; y < b/4*4+4; y++ {
				for x := b % 4 * 4; x < b%4*4+4; x++ {
					d := a[y*16+x] - window[(y+dy)*48+x+dx]
					sum += max(d, -d)
				}
			}
			sads[b*Offsets+p] = uint16(sum)
		}
		larger(sads, p)
	}
}

// SearchSerial is the reference of [Search].
func SearchSerial(w, h int, cur, ref []uint8, vectors []Vector) {
	across, down := Macroblocks(w, h)
	sads, offsets := make([]uint16, BlockCount*Offsets), order()
	for m := range across * down {
		macroblockSerial(w, h, m%across, m/across, cur, ref, sads)
		for b := range BlockCount {
			least := offsets[0]
			for _, p := range offsets {
				if sads[b*Offsets+p] < sads[b*Offsets+least] {
					least = p
				}
			}
			vectors[m*BlockCount+b] = Vector{int16(least%Side - Range), int16(least/Side - Range), sads[b*Offsets+least]}
		}
	}
}
