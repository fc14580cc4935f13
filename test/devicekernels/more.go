//go:build compiled

package devicekernels

import (
	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
)

// What takes type arguments, modifiers, four operands or structs.

//gocuda:kernel
func generic32(t *gocuda.Thread, n int, a, b, c []uint32, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	s := int32(x)
	out[i] = device.Max(x, y)
	out[n+i] = uint32(device.Max(s, int32(y)))
	out[2*n+i] = device.Min(x, y)
	out[3*n+i] = uint32(device.Min(s, int32(y)))
	out[4*n+i] = device.PtxCnot(x)
	out[5*n+i] = device.PtxDiv(x, y)
	out[6*n+i] = uint32(device.PtxDiv(s, int32(y)))
	out[7*n+i] = device.PtxRem(x, y)
	out[8*n+i] = uint32(device.PtxRem(s, int32(y)))
	out[9*n+i] = uint32(device.PtxAbs(s))
	out[10*n+i] = uint32(device.PtxNeg(s))
	out[11*n+i] = device.PtxSad(x, y, z)
	out[12*n+i] = uint32(device.PtxSad(s, int32(y), int32(z)))
	out[13*n+i] = device.PtxBfe(x, y, z)
	out[14*n+i] = uint32(device.PtxBfe(s, y, z))
	out[15*n+i] = device.PtxBfi(x, y, z%40, z>>8%40)
	out[16*n+i] = device.PtxBfind(x)
	out[17*n+i] = device.PtxBfind(s)
	out[18*n+i] = device.PtxSzextClamp(x, y)
	out[19*n+i] = uint32(device.PtxSzextClamp(s, y))
	out[20*n+i] = device.PtxSzextWrap(x, y)
	out[21*n+i] = uint32(device.PtxSzextWrap(s, y))
	out[22*n+i] = device.PtxMul24Hi(x, y)
	out[23*n+i] = uint32(device.PtxMul24Hi(s, int32(y)))
	out[24*n+i] = device.PtxLop3(x, y, z, 0xe8)
	out[25*n+i] = device.PtxLop3(x, y, z, 0x96)
	out[26*n+i] = device.PtxLop3(x, y, z, uint8(x))
}

//gocuda:kernel
func genericDots(t *gocuda.Thread, n int, a, b, c []uint32, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	s, u, v := int32(x), int32(y), int32(z)
	out[i] = device.Dp4a(x, y, z)
	out[n+i] = uint32(device.Dp4a(s, u, v))
	out[2*n+i] = uint32(device.Dp4a(s, y, v))
	out[3*n+i] = device.Dp2aLo(x, y, z)
	out[4*n+i] = uint32(device.Dp2aLo(s, u, v))
	out[5*n+i] = device.Dp2aHi(x, y, z)
	out[6*n+i] = uint32(device.Dp2aHi(x, u, v))
}

//gocuda:kernel
func generic64(t *gocuda.Thread, n int, a, b, c []uint64, out []uint64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	s := int64(x)
	out[i] = device.Max(x, y)
	out[n+i] = uint64(device.Max(s, int64(y)))
	out[2*n+i] = device.Min(x, y)
	out[3*n+i] = uint64(device.Min(s, int64(y)))
	out[4*n+i] = device.PtxCnot(x)
	out[5*n+i] = device.PtxDiv(x, y)
	out[6*n+i] = uint64(device.PtxDiv(s, int64(y)))
	out[7*n+i] = device.PtxRem(x, y)
	out[8*n+i] = uint64(device.PtxRem(s, int64(y)))
	out[9*n+i] = uint64(device.PtxAbs(s))
	out[10*n+i] = uint64(device.PtxNeg(s))
	out[11*n+i] = device.PtxSad(x, y, z)
	out[12*n+i] = uint64(device.PtxSad(s, int64(y), int64(z)))
	out[13*n+i] = device.PtxBfe(x, uint32(y), uint32(z))
	out[14*n+i] = uint64(device.PtxBfe(s, uint32(y), uint32(z)))
	out[15*n+i] = device.PtxBfi(x, y, uint32(z%70), uint32(z>>8%70))
	out[16*n+i] = uint64(device.PtxBfind(x))
	out[17*n+i] = uint64(device.PtxBfind(s))
}

//gocuda:kernel
func compared(t *gocuda.Thread, n int, a, b []float32, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.PtxSet[uint32](device.CmpLt, x, y)
	out[n+i] = uint32(device.PtxSet[int32](device.CmpGeu, x, y))
	out[2*n+i] = device.FloatAsUint(device.PtxSet[float32](device.CmpNan, x, y))
	out[3*n+i] = device.PtxSetBool[uint32](device.PtxSetp(device.CmpNe, x, y))
	out[4*n+i] = device.FloatAsUint(device.PtxSelp(x, y, device.PtxSetp(device.CmpNum, x, y)))
	out[5*n+i] = device.FloatAsUint(device.PtxSlct(x, y, x))
	out[6*n+i] = device.PtxSlct(uint32(7), uint32(9), int32(device.FloatAsInt(y)))
	out[7*n+i] = device.PtxSet[uint32](device.CmpLeu, device.FloatAsInt(x), device.FloatAsInt(y))
	out[8*n+i] = device.PtxSet[uint32](device.CmpHi, device.FloatAsUint(x), device.FloatAsUint(y))
}

//gocuda:kernel
func norms32(t *gocuda.Thread, n int, a, b []float32, out []float32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y := a[i], b[i]
	out[i] = device.Norm4df(x, y, y, x)
	out[n+i] = device.Rnorm4df(x, y, y, x)
}

//gocuda:kernel
func philoxWords(t *gocuda.Thread, n int, a, b, c []uint32, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i], out[n+i], out[2*n+i], out[3*n+i] = device.Philox4x32(x, y, z, x^y, y^z, x^z)
}

//gocuda:kernel
func philoxUniform(t *gocuda.Thread, n int, a, b []uint64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	s := device.NewPhilox(a[i], b[i], uint64(i))
	out[i] = float64(s.Uint32())
	out[n+i] = float64(s.Uniform())
	out[2*n+i] = s.UniformDouble()
	u := s.Uniform4()
	out[3*n+i] = float64(u.X)
	out[4*n+i] = float64(u.W)
	s.Skipahead(a[i])
	out[5*n+i] = float64(s.Uint64())
	s.SkipaheadSequence(b[i])
	v := s.Uint4()
	out[6*n+i] = float64(v.Z)
}

//gocuda:kernel
func philoxNormal(t *gocuda.Thread, n int, a, b []uint64, out []float64) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	s := device.NewPhilox(a[i], b[i], 0)
	out[i] = float64(s.Normal())
	out[n+i] = s.NormalDouble()
	out[2*n+i] = float64(s.LogNormal(1, 0.5))
	out[3*n+i] = float64(s.Poisson(3.5))
}

//gocuda:kernel
func scalarVideo(t *gocuda.Thread, n int, a, b, c []uint32, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = device.PtxVadd(device.Video{}, x, y, z)
	out[n+i] = device.PtxVsub(device.Video{D: device.VideoS32, A: device.VideoS32, Sat: true}, x, y, z)
	out[2*n+i] = device.PtxVabsdiff(device.Video{ASel: device.VideoB1, BSel: device.VideoH0, Then: device.VideoAdd}, x, y, z)
	out[3*n+i] = device.PtxVmin(device.Video{D: device.VideoS32, A: device.VideoS32, B: device.VideoS32, ASel: device.VideoB3, Then: device.VideoMin}, x, y, z)
	out[4*n+i] = device.PtxVmax(device.Video{B: device.VideoS32, Sat: true, Then: device.VideoMergeH1}, x, y, z)
	out[5*n+i] = device.PtxVset(device.Video{A: device.VideoS32, Then: device.VideoMax}, device.CmpLe, x, y, z)
	out[6*n+i] = device.PtxVshl(device.Video{D: device.VideoS32, A: device.VideoS32, Sat: true}, 0, x, y, z)
	out[7*n+i] = device.PtxVshr(device.Video{D: device.VideoS32, A: device.VideoS32, Then: device.VideoMergeB2}, 1, x, y, z)
	out[8*n+i] = device.PtxVmad(device.VideoMad{A: device.VideoS32, Shift: device.VideoShr7, Sat: true}, x, y, z)
	out[9*n+i] = device.PtxVmad(device.VideoMad{PlusOne: true, Shift: device.VideoShr15}, x, y, z)
}

//gocuda:kernel
func vectorVideo(t *gocuda.Thread, n int, a, b, c []uint32, out []uint32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = device.PtxVadd2(device.VideoSimd{D: device.VideoS32, A: device.VideoS32, Mode: device.VideoSat}, x, y, z)
	out[n+i] = device.PtxVmin2(device.VideoSimd{ASel: device.VideoParts(0x12), Mask: 2}, x, y, z)
	out[2*n+i] = device.PtxVset2(device.VideoSimd{}, device.CmpGt, x, y, z)
	out[3*n+i] = device.PtxVavrg4(device.VideoSimd{BSel: device.VideoParts(0x7351)}, x, y, z)
	out[4*n+i] = device.PtxVabsdiff4(device.VideoSimd{Mode: device.VideoAccumulate}, x, y, z)
}

//gocuda:kernel
func vectorsFloat4(t *gocuda.Thread, n int, a, b, c []device.Float4, out []device.Float4) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = x.Add(y).Mul(z)
	out[n+i] = x.Sub(y).Div(z)
	out[2*n+i] = x.Lerp(y, z.X)
	out[3*n+i] = x.Clamp(y, z).Floor()
	out[4*n+i] = device.MakeFloat4(x.Length(), x.Dot(y), y.Neg().Z, z.Abs().W)
}

//gocuda:kernel
func vectorsFloat3(t *gocuda.Thread, n int, a, b, c []device.Float3, out []device.Float3) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = x.Cross(y).Add(z)
	out[n+i] = x.Sub(y).Normalize()
	out[2*n+i] = device.MakeFloat3(x.Dot(y), x.Length(), device.MakeFloat2(x.X, y.Y).Dot(device.MakeFloat2(z.Z, y.X)))
	out[3*n+i] = x.Reflect(y).Lerp(z, x.X)
}

//gocuda:kernel
func vectorsDouble2(t *gocuda.Thread, n int, a, b, c []device.Double2, out []device.Double2) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = x.Add(y).Mul(z)
	out[n+i] = x.Sub(y).Div(z)
	out[2*n+i] = device.MakeDouble2(x.Dot(y), x.Length())
	out[3*n+i] = x.Clamp(y, z).Floor().Abs()
}

//gocuda:kernel
func vectorsInt4(t *gocuda.Thread, n int, a, b, c []device.Int4, out []device.Int4) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	out[i] = x.Add(y).Mul(z)
	out[n+i] = x.Sub(y).Neg()
	out[2*n+i] = x.Clamp(y, z).Abs()
	out[3*n+i] = device.MakeInt4(x.Dot(y), 3, 2, 1).Scale(z.W)
}

//gocuda:kernel
func vectorsNarrow(t *gocuda.Thread, n int, a []device.Uchar4, b []device.Short2, c []device.Ulonglong2, out []int32) {
	i := t.GlobalX()
	if i >= n {
		return
	}
	x, y, z := a[i], b[i], c[i]
	p := x.Add(device.MakeUchar4(x.Y, x.Z, x.W, x.X)).Mul(x).Max(x)
	q := y.Sub(device.MakeShort2(y.Y, y.X)).Neg()
	r := z.Mul(z).Min(device.MakeUlonglong2(z.Y, z.X))
	out[i] = x.Dot(p)
	out[n+i] = y.Dot(q)
	out[2*n+i] = int32(r.X>>32) ^ int32(r.Y)
	out[3*n+i] = int32(q.Abs().X) + int32(p.Scale(3).W)
}

var moreCases = []Case{
	ternary("generic32", 27, generic32, generic32Kernel),
	ternary("genericDots", 7, genericDots, genericDotsKernel),
	ternary("generic64", 18, generic64, generic64Kernel),
	binary("compared", 9, compared, comparedKernel),
	binary("norms32", 2, norms32, norms32Kernel),
	ternary("philoxWords", 4, philoxWords, philoxWordsKernel),
	binary("philoxUniform", 7, philoxUniform, philoxUniformKernel),
	binary("philoxNormal", 4, philoxNormal, philoxNormalKernel),
	ternary("scalarVideo", 10, scalarVideo, scalarVideoKernel),
	ternary("vectorVideo", 5, vectorVideo, vectorVideoKernel),
	ternary("vectorsFloat4", 5, vectorsFloat4, vectorsFloat4Kernel),
	ternary("vectorsFloat3", 4, vectorsFloat3, vectorsFloat3Kernel),
	ternary("vectorsDouble2", 4, vectorsDouble2, vectorsDouble2Kernel),
	ternary("vectorsInt4", 4, vectorsInt4, vectorsInt4Kernel),
	ternary("vectorsNarrow", 4, vectorsNarrow, vectorsNarrowKernel),
}
