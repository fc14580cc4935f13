package compiler

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Variables are demoted if all that is read of them has 32 bits.
func TestDemotion(t *testing.T) {
	for _, c := range []struct{ options, body, name, want string }{
		{"", "v := math.Sin(a); out[0] = float32(v) * float32(v)", "v", "float32"},
		{"", "v := math.Sin(a); out[0] = float32(v) * float32(a)", "a", "float64"}, // a parameter
		{"", "v := math.Sin(a); out[0] = float32(v * v)", "v", "float64"},
		{"", "v := 0.0; for i := range out { v = math.Sqrt(a); out[i] = float32(v) }; out[1] = float32(v)", "v", "float32"},
		{"", "v := 0.0; for i := range out { v += math.Sqrt(a); out[i] = float32(v) }", "v", "float64"},
		{"", "v := a; p := &v; use(p); out[0] = float32(v)", "v", "float64"},
		{"", "v, e := math.Frexp(a); out[e] = float32(v)", "got", "float64"},
		{"", "v := float64(out[0]); out[1] = float32(math.Sin(v))", "v", "float64"},
		{" fastmath", "v := float64(out[0]); out[1] = float32(math.Sin(v))", "v", "float32"},
		{" fastmath", "v := float64(out[0]); out[1] = float32(math.Sin(v) + v)", "v", "float64"},
	} {
		k := translatedKernel(t, "//gocuda:kernel"+c.options+"\nfunc k(t *gocuda.Thread, a float64, out []float32) {\n"+c.body+"\n}\n\n//go:noinline\nfunc use(p *float64) {}\n")
		v := k.Params[0]
		if c.name != "a" {
			for _, w := range k.Vars {
				if v == k.Params[0] && strings.HasPrefix(w.Name, c.name) {
					v = w
				}
			}
		}
		assert.Equal(t, c.want, v.Type.String(), c.body)
	}
}

// Products are split if all that is read of them are their halves.
func TestSplitProducts(t *testing.T) {
	for body, split := range map[string]bool{
		"p := uint64(a) * uint64(b); out[0], out[1] = uint32(p>>32), uint32(p)":             true,
		"p := uint64(a) * 0xCD9E8D57; out[0], out[1] = uint32(p>>32), uint32(p)":            true,
		"out[0] = uint32(uint64(a) * uint64(b) >> 32)":                                      true,
		"p := uint64(a) * (1<<32 + 1); out[0] = uint32(p>>32)":                              false,
		"p := uint64(a) * uint64(b); out[0] = uint32(p>>31)":                                false,
		"p := uint64(a) * uint64(b); out[0], out[1] = uint32(p>>32), uint32(p%7)":           false,
		"p := uint64(a) * uint64(b); p += 3; out[0] = uint32(p>>32)":                        false,
		"p := uint64(a) * uint64(len(out)); out[0] = uint32(p>>32)":                         false,
		"p := int64(int32(a)) * int64(int32(b)); out[0], out[1] = uint32(p>>32), uint32(p)": false,
	} {
		k := translatedKernel(t, "//gocuda:kernel\nfunc k(t *gocuda.Thread, a, b uint32, out []uint32) {\n"+body+"\n}\n")
		assert.Equal(t, split, k.worked["demote"], body)
	}
}
