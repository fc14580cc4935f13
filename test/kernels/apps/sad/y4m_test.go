package sad_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/apps/sad"
)

// film makes a film of frames of w by h pixels whose luma counts up, with so many bytes of chroma each.
func film(head string, w, h, chroma, frames int) string {
	var b strings.Builder
	b.WriteString(head)
	for k := range frames {
		b.WriteString("FRAME\n")
		for i := range w * h {
			b.WriteByte(byte(10*k + i))
		}
		b.WriteString(strings.Repeat("F", chroma)) // which could be taken for the next frame
	}
	return b.String()
}

func TestReadFilm(t *testing.T) {
	for _, c := range []struct {
		kind         string
		w, h, chroma int
	}{
		{"", 6, 4, 12}, {" C420", 5, 3, 12}, {" C420jpeg", 4, 4, 8}, {" C420mpeg2 XYSCSS=420MPEG2", 4, 2, 4}, {" C420paldv", 2, 2, 2},
		{" Cmono", 5, 3, 0}, {" C422", 5, 3, 18}, {" C444", 5, 3, 30}, {" C411", 5, 3, 12},
	} {
		text := film(fmt.Sprintf("YUV4MPEG2 W%d H%d F30000:1001 Ip A0:0%s\n", c.w, c.h, c.kind), c.w, c.h, c.chroma, 3)
		text = strings.Replace(text, "FRAME\n", "FRAME Ip XA\n", 1)
		r, err := sad.NewReader(iotest.HalfReader(strings.NewReader(text)), "f")
		require.NoError(t, err, c.kind)
		assert.Equal(t, [2]int{c.w, c.h}, [2]int{r.Width, r.Height})
		luma := make([]uint8, c.w*c.h)
		for k := range 3 {
			require.NoError(t, r.Next(luma), "%s, frame %d", c.kind, k)
			for i, v := range luma {
				require.Equal(t, byte(10*k+i), v)
			}
		}
		assert.Equal(t, io.EOF, r.Next(luma), c.kind)
		assert.Equal(t, io.EOF, r.Next(luma), "again")
	}
}

func TestFilmErrors(t *testing.T) {
	good := film("YUV4MPEG2 W2 H2 Cmono\n", 2, 2, 0, 2)
	for text, says := range map[string]string{
		"":                              "f:1:1: ",
		"RIFF\n":                        "f:1:1: ",
		"YUV4MPEG3 W2 H2\n":             "f:1:1: ",
		"YUV4MPEG2 W2 H2":               "f:1:1: ",
		"YUV4MPEG2 W2\n":                "f:1:13: ",
		"YUV4MPEG2 W2  H2\n":            "f:1:14: ",
		"YUV4MPEG2 W2 Hx\n":             `f:1:14: `,
		"YUV4MPEG2 W0 H2\n":             `f:1:11: `,
		"YUV4MPEG2 W-1 H2\n":            `f:1:11: `,
		"YUV4MPEG2 W2 H2 C999\n":        "f:1:17: ",
		"YUV4MPEG2 W2 H2 Q\n":           "f:1:17: ",
		"YUV4MPEG2 W2 H99999999999\n":   "f:1:14: ",
		"YUV4MPEG2 W2 H40000\n":         "f:1:14: ",
		"YUV4MPEG2 W2 H2 C420p10\n":     "f:1:17: ",
		"YUV4MPEG2 W2 H2 Cmono16\n":     "f:1:17: ",
		"YUV4MPEG2 W2 H2 C444alpha\n":   "f:1:17: ",
		good[:len(good)-1]:              "f: frame 2: byte 41: ",
		good[:23]:                       "f: frame 1: byte 23: ",
		good + "FRAMES\n1234":           "f: frame 3: byte 42: ",
		good + strings.Repeat("x", 9e3): "f: frame 3: byte 4138: ",
	} {
		r, err := sad.NewReader(strings.NewReader(text), "f")
		for err == nil {
			err = r.Next(make([]uint8, r.Width*r.Height))
		}
		assert.ErrorContains(t, err, says, "%.60q", text)
		want := gocuda.ErrInvalidValue
		if strings.Contains(text, "C420p") || strings.Contains(text, "mono16") || strings.Contains(text, "alpha") || strings.Contains(text, "40000") {
			want = gocuda.ErrNotSupported
		}
		assert.ErrorIs(t, err, want, "%.60q", text)
	}
	_, err := sad.NewReader(iotest.ErrReader(iotest.ErrTimeout), "f")
	assert.ErrorIs(t, err, iotest.ErrTimeout)
	r, err := sad.NewReader(strings.NewReader(good), "f")
	require.NoError(t, err)
	assert.ErrorIs(t, r.Next(make([]uint8, 5)), gocuda.ErrInvalidValue)
}

func FuzzReader(f *testing.F) {
	f.Add([]byte(film("YUV4MPEG2 W3 H2 C420\n", 3, 2, 4, 2)))
	f.Add([]byte("YUV4MPEG2 W32768 H32768 C444\nFRAME\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := sad.NewReader(bytes.NewReader(text), "f")
		if err != nil || r.Width*r.Height > 1<<16 {
			return
		}
		luma := make([]uint8, r.Width*r.Height)
		for err == nil {
			err = r.Next(luma)
		}
		assert.Error(t, err)
	})
}
