package page

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/sanitize"
)

// raceIn returns a race between the places that comments of the source name: first and other. An
// expression is marked by // first or // other at the end of its line; both marks may be on one
// line.
func raceIn(t *testing.T, src string) sanitize.Finding {
	t.Helper()
	f := sanitize.Finding{
		Tool: "race", Kind: "RAW", Severity: sanitize.SeverityError, Kernel: "k", Launch: 1, Count: 8, Access: [2]string{"Write", "Read"},
		Threads: [2]sanitize.Thread{{Thread: grid.Dim3{X: 3}}, {Thread: grid.Dim3{X: 40}}}, Where: "byte 12 of shared array 0",
	}
	for i, l := range strings.Split(src, "\n") {
		_, marks, _ := strings.Cut(l, "//")
		col := 1 + len(l) - len(strings.TrimLeft(l, "\t"))
		if strings.Contains(marks, "first") {
			f.First = sanitize.Place{File: "k.go", Line: i + 1, Col: col, Text: "s[i]"}
		}
		if strings.Contains(marks, "other") {
			f.Other = sanitize.Place{File: "k.go", Line: i + 1, Col: col, Text: "s[j]"}
		}
	}
	require.NotZero(t, f.First.Line)
	require.NotZero(t, f.Other.Line)
	return f
}

// The barrier goes after the line that ends with a comment "gap". Each source is what a beginner
// writes without it.
func TestPlaceOfTheMissingBarrier(t *testing.T) {
	for name, c := range map[string]struct {
		src   string
		round bool
		words string
	}{
		"reverse": {src: `
	s[i] = in[i] // first, gap
	n := len(s)
	out[i] = s[n-1-i] // other
`},
		"reduction": {round: true, src: `
	for d := 32; d > 0; d /= 2 {
		if i < d {
			s[i] += s[i+d] // first, other
		} // gap
	}
`},
		"second barrier of a tiled product": {round: true, src: `
	for m := range 4 {
		s[i] = in[m*64+i] // first
		t.SyncThreads()
		for k := range 64 {
			sum += s[k] // other
		} // gap
	}
`},
		"first barrier of it": {src: `
	for m := range 4 {
		s[i] = in[m*64+i] // first, gap
		for k := range 64 {
			sum += s[k] // other
		}
		t.SyncThreads()
	}
`},
		"in two statements": {src: `
	if i == 0 {
		s[0] = 1 // first
	} // gap
	for k := range 8 {
		if k > i {
			out[i] += s[0] // other
		}
	}
`},
		"in a branch": {words: "in the branch at line 4: close it", src: `
	if i < n {
		s[i] = 1 // first, gap
		out[i] = s[i^1] // other
	}
`},
		"in a closure": {src: `
	f := func() {
		s[i] = 1 // first, gap
		out[i] = s[i^1] // other
	}
	f()
`},
		"in a switch": {words: "can't separate: split it", src: `
	switch {
	case i < 32:
		s[i] = 1 // first
	default:
		out[i] = s[i-32] // other
	}
`},
		"scan in place": {words: "line 6 reads and writes: read into a variable", src: `
	for d := 1; d < 64; d *= 2 {
		if i >= d {
			s[i] += s[i-d] // first, other
		}
		t.SyncThreads()
	}
`},
		"two functions": {words: "between the two calls", src: `
	s[i] = 1 // first
}

func more(s []int, i int) {
	out[i] = s[i^1] // other
`},
	} {
		t.Run(name, func(t *testing.T) {
			src := "package k\n\nfunc k(t *T) {" + c.src + "}\n"
			want := 0
			for i, l := range strings.Split(src, "\n") {
				if strings.HasSuffix(l, "gap") {
					want = i + 1
				}
			}
			g := gapOf(raceIn(t, src), []byte(src))
			assert.Equal(t, want, g.After, g.Text)
			assert.Equal(t, c.round, g.Round)
			assert.Contains(t, g.Text, c.words)
			assert.Equal(t, "SyncThreads()", g.Call)
		})
	}
}

// What no barrier of a block orders is said.
func TestRacesThatNeedNoBarrier(t *testing.T) {
	src := "package k\n\nfunc k() {\n\ts[i] = 1 // first\n\tx = s[j] // other\n}\n"
	for words, change := range map[string]func(*sanitize.Finding){
		"two blocks":                func(f *sanitize.Finding) { f.Threads[1].Block.X = 1 },
		"host must wait":            func(f *sanitize.Finding) { f.Threads[1] = sanitize.Thread{Host: true} },
		"orders the two launches":   func(f *sanitize.Finding) { f.OtherKernel = "l" },
		"use an atomic operation":   func(f *sanitize.Finding) { f.Other, f.Kind = f.First, "WAW" },
		"A SyncWarp(…) is missing":  func(f *sanitize.Finding) { f.Severity = sanitize.SeverityWarning },
		"between line 4 and line 5": func(f *sanitize.Finding) {},
	} {
		f := raceIn(t, src)
		change(&f)
		assert.Contains(t, gapOf(f, []byte(src)).Text, words)
	}
	f := raceIn(t, src)
	assert.Equal(t, 4, gapOf(f, nil).After, "without the source, the lines are all that is known")
}

const tiled = `package k

func k(t *T) {
	for m := range 4 {
		s[i] = in[m*64+i] // first
		t.SyncThreads()
		sum += s[63-i] // other <b>
	}
}
`

// write writes a page and returns its file.
func write(t *testing.T, r *sanitize.Report) (text, file string) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "k.go"), []byte(tiled), 0o600))
	var b bytes.Buffer
	require.NoError(t, Write(&b, r, dir))
	file = filepath.Join(dir, "r.html")
	require.NoError(t, os.WriteFile(file, b.Bytes(), 0o600))
	return b.String(), file
}

func report(t *testing.T) *sanitize.Report {
	unset := sanitize.Finding{
		Tool: "init", Kind: "__shared__", Severity: sanitize.SeverityError, Kernel: "k", Launch: 1, Count: 3,
		Text: "Uninitialized __shared__ read of size 4 bytes", First: sanitize.Place{File: "k.go", Line: 7, Col: 2, Text: "s[63-i]"},
	}
	return &sanitize.Report{Findings: []sanitize.Finding{raceIn(t, tiled), unset}}
}

// The page has both threads, the cell, both places, and the barrier at the end of the loop: the
// read comes before the write of the next round.
func TestPageOfARace(t *testing.T) {
	text, _ := write(t, report(t))
	assert.Contains(t, text, "<figcaption>byte 12 of shared array 0: read by thread (40,0,0) in block (0,0,0) at k.go:7, "+
		"write by thread (3,0,0) in block (0,0,0) at k.go:5 (next round); SyncThreads() is missing after line 7</figcaption>")
	assert.Contains(t, text, "sum &#43;= s[63-i] // other &lt;b&gt;</td><td class=\"soft\">read</td></tr>\n"+
		`<tr class="missing"><td class="n"></td><td class="code">`+"\t\tSyncThreads()</td>")
	assert.Contains(t, text, "Uninitialized __shared__ read of size 4 bytes at k.go:7")
	for _, no := range []string{"<script", "src=", "@import", "url(", "<b>", "ZgotmplZ"} {
		assert.NotContains(t, text, no)
	}
	text = strings.ReplaceAll(text, `"http://www.w3.org/1999/xhtml"`, "") // the name of a format
	assert.NotContains(t, text, "http:")
	assert.NotContains(t, text, "https:")
	empty, _ := write(t, &sanitize.Report{})
	assert.Contains(t, empty, "Nothing was found.")
}

// A file that can't be read leaves the places.
func TestPageWithoutSource(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, Write(&b, report(t), t.TempDir()))
	assert.Contains(t, b.String(), "A SyncThreads() is missing between line 5 and line 7.")
	assert.NotContains(t, b.String(), `<table class="source">`)
}

// browse opens a page in a browser without a window.
func browse(t *testing.T, file string, flags ...string) (dom, log string) {
	t.Helper()
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			browser = p
		}
	}
	if browser == "" || testing.Short() {
		t.Skip("no chromium to look at the page with")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	args := append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--user-data-dir=" + t.TempDir()}, flags...)
	cmd := exec.CommandContext(ctx, browser, append(args, "file://"+file)...)
	var out, logged bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &logged
	require.NoError(t, cmd.Run(), "%s", &logged)
	return out.String(), logged.String()
}

// In a browser the page loads without messages, shows the picture, and is light or dark as the
// browser is.
func TestPageInABrowser(t *testing.T) {
	_, file := write(t, report(t))
	dom, log := browse(t, file, "--dump-dom")
	assert.NotContains(t, log, "CONSOLE", "a message in the console")
	assert.Equal(t, 1, strings.Count(dom, `<figure class="race">`))
	assert.Contains(t, dom, "SyncThreads() is missing after line 7</div>")
	shades := map[string]uint32{}
	for scheme, flag := range map[string]string{"dark": "0", "light": "1"} {
		shot := filepath.Join(t.TempDir(), "shot.png")
		browse(t, file, "--screenshot="+shot, "--window-size=1000,1100", "--blink-settings=preferredColorScheme="+flag)
		f, err := os.Open(shot)
		require.NoError(t, err)
		picture, err := png.Decode(f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		shades[scheme], _, _, _ = picture.At(2, 2).RGBA()
	}
	assert.Less(t, shades["dark"], uint32(0x4000))
	assert.Greater(t, shades["light"], uint32(0xf000))
}
