//go:build goexperiment.simd && amd64
package vec
import ("testing";"math";"github.com/gocuda/gocuda/vec/internal/high";"math/big")
func TestZZ(t *testing.T) {
	x := 91.106186954104
	x = 58*math.Pi/2
	r, rl, q := reduceF64x4(SplatF64x4(x))
	n := math.Round(x*2/math.Pi)
	exact := high.Sub(high.Float(x), high.Mul(high.Float(n), high.Scale(high.Pi(),-1)))
	e, _ := exact.Float64()
	d, _ := high.Sub(high.Sub(exact, high.Float(LaneF64x4(r,0))), high.Float(LaneF64x4(rl,0))).Float64()
	t.Log(x, n, e, LaneF64x4(r,0), LaneF64x4(rl,0), LaneU64x4(q,0)&7, d)
	s,_ := high.SinCos(high.Float(x)); sf,_ := s.Float64()
	t.Log(sf, math.Sin(x), LaneF64x4(SinF64x4(SplatF64x4(x)),0))
	sum := 0.0
	worst := 0.0
	for a := 0.0; a < 27.3; a += 0.01 {
		tt := (a-3.5)/(a+3.5)
		sum = 0
		p := 0.0
		pe := high.Int(0)
		for k := len(erfc64)-1; k>=0; k-- { sum = sum*math.Abs(tt)+math.Abs(erfc64[k][0]); p = math.FMA(p,tt,erfc64[k][0]); pe = high.Add(high.Mul(pe, high.Float(tt)), high.Float(erfc64[k][0]))}
		f := erfcxK(tt)
		e, _ := high.Quo(high.Sub(high.Float(p), pe), f).Float64()
		e2, _ := high.Quo(high.Sub(pe, f), f).Float64()
		if w := sum/p; w > worst { worst = w; t.Log(a, tt, w) }
		if int(a*100)%100==0 { t.Log(a, e*0x1p53, e2*0x1p53) }
	}
	for k := range erfc64 { t.Log(erfc64[k][0]) }
}
func erfcxK(t float64) *big.Float {
	x := high.Quo(high.Mul(high.Float(3.5), high.Add(high.Int(1), high.Float(t))), high.Sub(high.Int(1), high.Float(t)))
	return high.Mul(high.Add(x, high.Float(3.5)), high.Erfcx(x))
}
