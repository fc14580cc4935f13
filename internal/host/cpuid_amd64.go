package host

import (
	"encoding/binary"
	"strings"
)

// cpuid executes the instruction of that name. The leaves are described in Intel's Software
// Developer's Manual, volume 2, and AMD's Architecture Programmer's Manual, volume 3, appendix E.
func cpuid(leaf, sub uint32) (a, b, c, d uint32)

// xgetbv returns the low half of XCR0, the register state that the operating system saves.
func xgetbv() (lo uint32)

func fromProcessor(i *Info) {
	maxLeaf, _, _, _ := cpuid(0, 0)
	maxExt, _, _, _ := cpuid(0x80000000, 0)
	if maxExt >= 0x80000004 {
		var name []byte
		for leaf := uint32(0x80000002); leaf <= 0x80000004; leaf++ {
			a, b, c, d := cpuid(leaf, 0)
			for _, r := range []uint32{a, b, c, d} {
				name = binary.LittleEndian.AppendUint32(name, r)
			}
		}
		i.Name = strings.TrimSpace(strings.TrimRight(string(name), "\x00"))
	}

	// Deterministic cache parameters: leaf 4 on Intel, the same layout in 0x8000001d on AMD.
	leaf := uint32(4)
	if a, _, _, _ := cpuid(4, 0); maxLeaf < 4 || a&0x1f == 0 {
		leaf = 0x8000001d
		if maxExt < leaf {
			leaf = 0
		}
	}
	for sub := uint32(0); leaf != 0 && sub < 16; sub++ {
		a, b, c, _ := cpuid(leaf, sub)
		kind, level := a&0x1f, a>>5&7
		if kind == 0 {
			break
		}
		line, parts, ways, sets := b&0xfff+1, b>>12&0x3ff+1, b>>22+1, c+1
		size := int(line) * int(parts) * int(ways) * int(sets)
		const data, unified = 1, 3
		switch {
		case level == 1 && kind == data:
			i.L1D, i.CacheLine = size, int(line)
		case level == 2 && kind == unified:
			i.L2 = size
		case level == 3 && kind == unified:
			i.L3 = size
		}
	}

	has := func(word uint32, bit uint, name string) {
		if word>>bit&1 != 0 {
			i.Features = append(i.Features, name)
		}
	}
	_, _, c1, d1 := cpuid(1, 0)
	has(d1, 26, "SSE2")
	has(c1, 19, "SSE4.1")
	has(c1, 20, "SSE4.2")
	if c1>>27&1 == 0 || maxLeaf < 7 { // OSXSAVE: without it the system saves no wide registers
		return
	}
	xcr0 := xgetbv()
	const ymm, zmm = 0x6, 0xe6
	_, b7, c7, d7 := cpuid(7, 0)
	if xcr0&ymm == ymm {
		has(c1, 28, "AVX")
		has(b7, 5, "AVX2")
		has(c1, 12, "FMA3")
		has(c1, 29, "F16C")
	}
	if xcr0&zmm == zmm {
		has(b7, 16, "AVX512F")
		has(b7, 30, "AVX512BW")
		has(b7, 28, "AVX512CD")
		has(b7, 17, "AVX512DQ")
		has(b7, 31, "AVX512VL")
		has(c7, 11, "AVX512VNNI")
		has(d7, 23, "AVX512FP16")
	}
}
