package compiler

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Vector code is generated for the types of the constraint if they are few, otherwise for the usual
// ones, or for those of the option. With several type parameters it is generated for all
// combinations, or, if they are too many, for the same type in all places.
func TestInstances(t *testing.T) {
	const usual = "float32 float64 int int32 uint32"
	for _, c := range []struct{ name, options, params, want string }{
		{"not generic", "", "", ""},
		{"all numbers", "", "T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64", usual},
		{"anything", "", "T any", usual},
		{"one", "", "T ~int8", "int8"},
		{"few", "", "T int8 | uint16 | ~int64", "int64 int8 uint16"},
		{"no numbers", "", "T string | []int", ""},
		{"option", "types=byte,rune,uint", "T any", "int32 uint uint8"},
		{"option with fastmath", "fastmath types=float32", "T any", "float32"},
		{"two", "", "K int8 | int16, V float32 | float64", "int16,float32 int16,float64 int8,float32 int8,float64"},
		{"two of a kind", "", "K, V any", "float32,float32 float64,float64 int,int int32,int32 uint32,uint32"},
		{"two with an option", "types=uint64,float32", "K uint32 | uint64, V any", "uint64,float32 uint64,uint64"},
		{"three", "", "A, B, C int8 | uint8", "int8,int8,int8 int8,int8,uint8 int8,uint8,int8 int8,uint8,uint8 uint8,int8,int8 uint8,int8,uint8 uint8,uint8,int8 uint8,uint8,uint8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := ""
			for _, n := range regexp.MustCompile(`\b[A-Z]\b`).FindAllString(c.params, -1) {
				args += ", " + strings.ToLower(n) + "in, " + strings.ToLower(n) + "out []" + n
			}
			body := "i := t.GlobalX()\n"
			for _, n := range regexp.MustCompile(`\b[A-Z]\b`).FindAllString(c.params, -1) {
				body += strings.ToLower(n) + "out[i] = " + strings.ToLower(n) + "in[i]\n"
			}
			params := ""
			if c.params != "" {
				params = "[" + c.params + "]"
			}
			k := translatedKernel(t, "//gocuda:kernel "+c.options+"\nfunc run"+params+"(t *gocuda.Thread"+args+") {\n"+body+"_ = i\n}\n")
			var got []string
			for _, m := range k.instances() {
				var list []string
				for tp := range k.TypeParams.TypeParams() {
					list = append(list, m[tp].String())
				}
				got = append(got, strings.Join(list, ","))
			}
			slices.Sort(got)
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("vectors for %q, want %q", s, c.want)
			}
		})
	}
}
