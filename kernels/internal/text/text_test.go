package text_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/internal/text"
)

func TestWords(t *testing.T) {
	r := text.NewReader(strings.NewReader("\n a\tbc  d#e f\r\n#\nx #\r\nlast"), "f")
	var all [][]text.Word
	for r.Next() {
		all = append(all, r.Words('#'))
	}
	require.NoError(t, r.Err())
	assert.Equal(t, [][]text.Word{
		nil,
		{{Text: "a", Column: 2}, {Text: "bc", Column: 4}, {Text: "d", Column: 8}},
		nil,
		{{Text: "x", Column: 1}},
		{{Text: "last", Column: 1}},
	}, all)
	r = text.NewReader(strings.NewReader("a#b\r"), "f")
	require.True(t, r.Next())
	assert.Equal(t, []text.Word{{Text: "a#b", Column: 1}}, r.Words(0))
}

func TestNumbers(t *testing.T) {
	r := text.NewReader(strings.NewReader("\nline"), "f")
	require.True(t, r.Next())
	require.True(t, r.Next())
	v, err := r.Float(text.Word{Text: "-1.5e2"}, "x")
	require.NoError(t, err)
	assert.Equal(t, float32(-150), v)
	n, err := r.Int(text.Word{Text: "7"}, "count", 1, 7)
	require.NoError(t, err)
	assert.Equal(t, 7, n)
	for word, says := range map[string]string{
		"":     "f:2:3: gocuda: invalid value: x is missing",
		"y":    `"y" is no number, for x`,
		"1e39": "x 1e39 is not a float32",
		"nan":  "x nan is not a float32",
		"-Inf": "x -Inf is not a float32",
	} {
		_, err := r.Float(text.Word{Text: word, Column: 3}, "x")
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue)
		assert.ErrorContains(t, err, strings.TrimPrefix(says, "f:2:3: gocuda: invalid value: "))
		assert.ErrorContains(t, err, "f:2:3: ")
	}
	for _, word := range []string{"", "0", "8", "1.0", "99999999999999999999"} {
		_, err := r.Int(text.Word{Text: word, Column: 5}, "count", 1, 7)
		assert.ErrorContains(t, err, "f:2:5: ")
		assert.ErrorContains(t, err, "is no count from 1 to 7")
	}
}

func TestWhatCannotBeRead(t *testing.T) {
	r := text.NewReader(strings.NewReader("a\n"+strings.Repeat("x", 1<<21)), "f")
	for r.Next() {
	}
	assert.ErrorIs(t, r.Err(), gocuda.ErrInvalidValue)
	assert.ErrorContains(t, r.Err(), "f:2:1: ")
	broken := errors.New("broken")
	r = text.NewReader(io.MultiReader(strings.NewReader("a\nb\n"), iotest.ErrReader(broken)), "f")
	for r.Next() {
	}
	assert.ErrorIs(t, r.Err(), broken)
	assert.ErrorContains(t, r.Err(), "f:3:1: ")
}
