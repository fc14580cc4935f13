package randkernel

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestLanguageKernelsShowWrongInput runs language kernels beside forms of them that get another
// input: what they compute has to be in what they write.
func TestLanguageKernelsShowWrongInput(t *testing.T) {
	if testing.Short() {
		t.Skip("in short mode")
	}
	var ks []*kernel
	for i := range 12 {
		ks = append(ks, newLanguage(rand.New(rand.NewPCG(3, uint64(i))), fmt.Sprint("k", i)))
	}
	r := runProgram(t, ks, func(ks []*kernel) []byte {
		return bytes.ReplaceAll(standIn(ks), []byte("(t, p0, p1, in0,"), []byte("(t, p0, p1, append([]int32{9}, in0...),"))
	})
	assert.Equal(t, "disagree", r.what)
	assert.Greater(t, len(r.bad), 9, r.output)
}

// TestLanguageKernelsHideNames looks for what the family is for: names of Go and of generated code
// as variables.
func TestLanguageKernelsHideNames(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		var one bytes.Buffer
		newLanguage(rand.New(rand.NewPCG(4, uint64(i))), fmt.Sprint("k", i)).print(&one)
		b.Write(one.Bytes())
	}
	for _, name := range []string{"int", "len", "true", "nil", "b", "p", "hi", "row", "tx", "m", "many", "dimX", "größe", "変数"} {
		declared := regexp.MustCompile(`(?m)(^|[^\pL\pN_])` + name + `( :=|,.* :=| \*?\[?\]?\w+[,)])`)
		assert.True(t, declared.MatchString(b.String()), name)
	}
}
