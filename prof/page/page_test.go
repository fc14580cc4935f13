package page

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/prof"
	"github.com/gocuda/gocuda/prof/memsys"
	"github.com/gocuda/gocuda/sanitize"
)

// transpose is a report of one warp that reads a row and writes a column of 1024 columns, and a
// column of a tile of 32.
func transpose(t *testing.T, gpu string) *prof.Report {
	t.Helper()
	addrs := func(stride int) []int {
		a := make([]int, 32)
		for i := range a {
			a[i] = 4 * stride * i
		}
		return a
	}
	site := func(id, line int, kind, space, text string, stride int) *prof.Site {
		s := &prof.Site{ID: id, File: "k.go", Line: line, Text: text, Kind: kind, Space: space, Requests: 1, Lanes: 32, Bytes: 128, Word: 4}
		q := memsys.Strided(0, stride, 4)
		q.Store = kind == "store"
		for _, g := range []string{"g80", "gt200", "fermi", "fermi", "ampere"} {
			g, err := prof.FindGPU(g)
			require.NoError(t, err)
			m, err := g.Coalesce(q)
			require.NoError(t, err)
			s.Global = append(s.Global, prof.Traffic{Requests: m.Requests, Transactions: len(m.Transactions), Bytes: m.Bytes})
			p, err := g.Bank(q)
			require.NoError(t, err)
			if len(s.Shared) < 4 {
				s.Shared = append(s.Shared, prof.Passes{Passes: p.Passes, Ideal: p.Ideal})
			}
		}
		if space == prof.SpaceShared {
			s.Global = nil
		} else {
			s.Shared = nil
		}
		s.Samples = []prof.Sample{{Active: ^uint32(0), Word: 4, Addr: addrs(stride)}}
		return s
	}
	l := &prof.Launch{
		Kernel: "transpose", Grid: grid.Dim3{X: 1, Y: 1, Z: 1}, Block: grid.Dim3{X: 32, Y: 1, Z: 1}, Count: 1, Blocks: 1, Sampled: 1, Warps: 1, Threads: 32,
		Fresh: 36, Ops: map[string]int{"fadd": 1}, ThreadFlops: map[string]int{"fadd": 32}, ThreadOps: 32,
		Sites: []*prof.Site{
			site(1, 3, "load", "global", "in[i]", 1), site(2, 3, "store", "global", "out[1024*i]", 1024), site(3, 4, "load", "shared", "s[32*i]", 32),
		},
		Steps:   []prof.Step{{File: "k.go", Line: 3, Kind: "branch", Text: "a < b && \"</svg>\" != c", Active: 0xffff, Taken: 0xff}},
		Buffers: []*prof.Buffer{{Name: "in", Unit: 4, Reads: []int{1, 2}, Writes: []int{0, 0}, Blocks: []int{1, 2}}},
	}
	g, err := prof.FindGPU(gpu)
	require.NoError(t, err)
	return (&prof.Report{Kernels: []*prof.Kernel{{Name: "transpose", Launches: []*prof.Launch{l}}}}).On(g)
}

const kernelSource = `package k

func transpose() { out[1024*i] = in[i]
	x = s[32*i] // <b>
}
`

// write writes a page and returns its text and its file.
func write(t *testing.T, r *prof.Report) (text, file string) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "k.go"), []byte(kernelSource), 0o600))
	var b bytes.Buffer
	require.NoError(t, Write(&b, r, nil, dir))
	file = filepath.Join(dir, "t.html")
	require.NoError(t, os.WriteFile(file, b.Bytes(), 0o600))
	return b.String(), file
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

// In the browser the page shows 4 sectors of a coalesced load, 32 of a store by columns, and 32
// passes over the banks.
func TestPageInABrowser(t *testing.T) {
	_, file := write(t, transpose(t, "ampere"))
	dom, log := browse(t, file, "--dump-dom")
	assert.NotContains(t, log, "CONSOLE", "a message in the console")
	captions := regexp.MustCompile(`<figcaption>([^<]*)</figcaption>`).FindAllStringSubmatch(dom, -1)
	require.GreaterOrEqual(t, len(captions), 3)
	assert.Equal(t, "warp 0, round 0: 4 sectors, 128 bytes moved of 128 asked for", captions[0][1])
	assert.Equal(t, "warp 0, round 0: 32 sectors, 1024 bytes moved of 128 asked for", captions[1][1])
	assert.Equal(t, "warp 0, round 0: 32 passes, 1 without conflicts", captions[2][1])
	assert.Contains(t, dom, "The global store of <code>out[1024*i]</code> at k.go:3: 32 sectors a request")

	// A page that logs would be noticed.
	bad := filepath.Join(t.TempDir(), "bad.html")
	require.NoError(t, os.WriteFile(bad, []byte("<script>undefined.x</script>"), 0o600))
	_, log = browse(t, bad, "--dump-dom")
	assert.Contains(t, log, "CONSOLE")
}

// With what the sanitizer has found, the page has the picture of the race beside those of the accesses.
func TestPageWithARace(t *testing.T) {
	place := func(line int, text string) sanitize.Place {
		return sanitize.Place{File: "k.go", Line: line, Col: 2, Text: text}
	}
	race := sanitize.Finding{
		Tool: "race", Kind: "RAW", Severity: sanitize.SeverityError, Kernel: "transpose", Launch: 1, Count: 4, Access: [2]string{"Write", "Read"},
		First: place(3, "out[1024*i]"), Other: place(4, "s[32*i]"), Threads: [2]sanitize.Thread{{}, {Thread: grid.Dim3{X: 1}}}, Where: "byte 4 of shared array 0",
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "k.go"), []byte(kernelSource), 0o600))
	var without, with bytes.Buffer
	require.NoError(t, Write(&without, transpose(t, "ampere"), nil, dir))
	require.NoError(t, Write(&with, transpose(t, "ampere"), &sanitize.Report{Findings: []sanitize.Finding{race}}, dir))
	assert.NotContains(t, without.String(), "findings")
	assert.Contains(t, with.String(), `<figure class="race">`)
	assert.Contains(t, with.String(), "out[1024*i]")
	for _, no := range []string{"<script", "src=", "@import", "url(", "<b>", "ZgotmplZ"} {
		assert.NotContains(t, with.String(), no)
	}
	file := filepath.Join(dir, "t.html")
	require.NoError(t, os.WriteFile(file, with.Bytes(), 0o600))
	dom, log := browse(t, file, "--dump-dom")
	assert.NotContains(t, log, "CONSOLE", "a message in the console")
	assert.Equal(t, 1, strings.Count(dom, `<figure class="race">`))
	assert.Contains(t, dom, "thread (1,0,0) in block (0,0,0)")
	assert.Contains(t, dom, "warp 0, round 0: 32 sectors, 1024 bytes moved of 128 asked for")
}

// The page is bright or dark as the browser is, and has something on it in both.
func TestPageIsLightOrDark(t *testing.T) {
	_, file := write(t, transpose(t, "ampere"))
	shades := map[string]uint32{}
	for scheme, flag := range map[string]string{"dark": "0", "light": "1"} {
		shot := filepath.Join(t.TempDir(), "shot.png")
		browse(t, file, "--screenshot="+shot, "--window-size=1200,1600", "--blink-settings=preferredColorScheme="+flag)
		f, err := os.Open(shot)
		require.NoError(t, err)
		picture, err := png.Decode(f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		shades[scheme], _, _, _ = picture.At(2, 2).RGBA()
		assert.Greater(t, colours(picture), 20, scheme)
	}
	assert.Less(t, shades["dark"], uint32(0x4000))
	assert.Greater(t, shades["light"], uint32(0xf000))
}

func colours(p image.Image) int {
	seen := map[any]bool{}
	for y := range p.Bounds().Dy() {
		for x := range p.Bounds().Dx() {
			seen[p.At(x, y)] = true
		}
	}
	return len(seen)
}

// Nothing of the page comes from elsewhere, and what the source says stays text.
func TestPageIsSelfContained(t *testing.T) {
	text, _ := write(t, transpose(t, "ampere"))
	for _, no := range []string{"<script", "src=", "@import", "url(", "<b>", "ZgotmplZ"} {
		assert.NotContains(t, text, no)
	}
	text = strings.ReplaceAll(text, `"http://www.w3.org/2000/svg"`, "") // names of formats
	text = strings.ReplaceAll(text, `"http://www.w3.org/1999/xlink"`, "")
	assert.NotContains(t, text, "http://")
	assert.NotContains(t, text, "https://")
	assert.Contains(t, text, "x = s[32*i] // &lt;b&gt;")
	assert.Equal(t, strings.Count(text, "<svg"), strings.Count(text, "</svg>"))
}

// The rows of an access map are the transactions of the rule of the GPU, and each lane is in one.
func TestRowsAreTransactions(t *testing.T) {
	for _, name := range []string{"g80", "gt200", "fermi", "kepler", "volta", "hopper"} {
		g, err := prof.FindGPU(name)
		require.NoError(t, err)
		for _, size := range []int{1, 2, 4, 8, 16} {
			for _, stride := range []int{0, 1, 2, 8, 33, -1} {
				for _, active := range []uint32{^uint32(0), 1, 0xff00ff, 0x80000001} {
					for _, store := range []bool{false, true} {
						q := memsys.Strided(1<<20, stride, size)
						q.Active, q.Store = active, store
						want, err := g.Coalesce(q)
						require.NoError(t, err)
						rows, err := rowsOf(g, q)
						require.NoError(t, err)
						assert.Len(t, rows, len(want.Transactions))
						bytes, all, twice := 0, uint32(0), uint32(0)
						for _, r := range rows {
							bytes += r.Size
							twice |= all & r.lanes
							all |= r.lanes
						}
						assert.Equal(t, want.Bytes, bytes)
						assert.Equal(t, active, all, "%s, %d bytes, stride %d", name, size, stride)
						assert.Zero(t, twice, "%s, %d bytes, stride %d", name, size, stride)
					}
				}
			}
		}
	}
}

// Without the source, the lines are those of the expressions.
func TestPageWithoutSource(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, Write(&b, transpose(t, "8.6"), nil, t.TempDir()))
	assert.Contains(t, b.String(), "the source can&#39;t be read")
	assert.Contains(t, b.String(), `<td class="code">in[i]; out[1024*i]</td>`)
	assert.Contains(t, b.String(), "There is no roofline for a compute capability alone")
}

// The kernel has 32 additions and moves 36 sectors: 1/36 operations a byte, which 1555 GB/s feed
// with 43 GFLOPS.
func TestRoofline(t *testing.T) {
	r := transpose(t, "ampere")
	chart, words, err := roofline(r.GPU, r.Kernels[0].Launches[0])
	require.NoError(t, err)
	assert.Contains(t, words, "0.03 operations a byte of device memory: at most 43.19 of 19500 GFLOPS, bound by memory")
	assert.Contains(t, string(chart), "var(--mark)")
	assert.NotContains(t, string(chart), "#", "a colour that is not of the page")
}
