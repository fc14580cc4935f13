package bench

import (
	"errors"
	"fmt"
	"html"
	"io"
	"math"
	"math/bits"
	"strings"
)

// The chart of `gocuda bench -plot`: a bar for each figure, as long as the logarithm of its ratio to openmp.
// Twice as fast goes as far to the right as half as fast goes to the left, so a bar shows by its side who
// is faster and by its length by how much. It is SVG, written by hand: rectangles, lines and text.

const (
	plotLeft  = 130 // where the scale begins; executors stand left of it
	plotRight = 680 // where it ends; figures stand right of it
	plotWidth = 820
	plotTop   = 78 // the heading and the labels of the scale
	plotRow   = 18 // height of a bar with its gap
	plotTitle = 30 // height of the title of a group
)

// plotColors are told apart by people who see few colours too (the palette of Okabe and Ito, 2008).
var plotColors = map[string]string{
	Serial: "#999999", Goroutines: "#56b4e9", Thread: "#cc79a7", Block: "#e69f00",
	Go: "#0072b2", SIMD: "#009e73", OpenMP: "#000000", OpenCL: "#d55e00",
}

// A plotBar is a figure and its ratio to that of the base.
type plotBar struct {
	result Result
	ratio  float64
}

// A plotGroup is the figures of a workload of one size.
type plotGroup struct {
	title string
	bars  []plotBar
}

// Plot writes results as a bar chart in SVG: on a logarithmic scale, the ratio of each figure to that of
// openmp, or of serial if there is no openmp, for the same workload and size. Right of 1 is faster.
// Workloads with neither are not in the chart; it is an error if there is none left.
func Plot(w io.Writer, results []Result) error {
	groups, base := plotGroups(results)
	if len(groups) == 0 {
		return errors.New("there is no figure of openmp or serial that a chart could compare with")
	}
	low, high := plotRange(groups)
	// x is where a ratio is on the scale.
	x := func(ratio float64) float64 {
		return plotLeft + (plotRight-plotLeft)*(math.Log10(ratio)-low)/(high-low)
	}
	height := plotTop + 30
	for _, g := range groups {
		height += plotTitle + plotRow*len(g.bars)
	}
	bottom := height - 26

	var s strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&s, format+"\n", args...) }
	text := func(x float64, y int, anchor, more, t string) {
		p(`<text x="%.1f" y="%d" text-anchor="%s"%s>%s</text>`, x, y, anchor, more, html.EscapeString(t))
	}
	p(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" fill="#222">`,
		plotWidth, height, plotWidth, height)
	p(`<rect width="%d" height="%d" fill="white"/>`, plotWidth, height)
	text(12, 24, "start", ` font-size="16" font-weight="bold"`, "Speed compared with "+base)
	text(12, 44, "start", "", "logarithmic scale; right of 1 is faster than "+base+", left of it slower")

	for _, tick := range plotTicks(low, high) {
		color, width := "#dddddd", 1
		if tick == 1 {
			color, width = "#222222", 2
		}
		p(`<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="%s" stroke-width="%d"/>`, x(tick), plotTop-8, x(tick), bottom, color, width)
		text(x(tick), plotTop-14, "middle", "", fmt.Sprintf("%g", tick))
		text(x(tick), bottom+16, "middle", "", fmt.Sprintf("%g", tick))
	}

	y := plotTop
	for _, g := range groups {
		y += plotTitle
		text(12, y-8, "start", ` font-weight="bold"`, g.title)
		for _, b := range g.bars {
			r := b.result
			from, to := min(x(1), x(b.ratio)), max(x(1), x(b.ratio))
			text(plotLeft-10, y+12, "end", "", r.Executor)
			p(`<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"><title>%s</title></rect>`,
				from, y+2, max(1, to-from), plotRow-4, plotColors[r.Executor],
				html.EscapeString(fmt.Sprintf("%s on %s: %s %s", g.title, r.Executor, digits(r.Value), r.Unit)))
			// The ratio stands at the end of the bar, or at its beginning where the end is at the edge.
			label, at, anchor := fmt.Sprintf("%.3g", b.ratio), x(b.ratio)+4, "start"
			if b.ratio < 1 {
				at, anchor = x(b.ratio)-4, "end"
				if at < plotLeft+36 {
					at, anchor = x(1)+4, "start"
				}
			} else if at > plotRight-36 {
				at, anchor = x(1)-4, "end"
			}
			text(at, y+13, anchor, "", label)
			text(plotWidth-12, y+13, "end", "", digits(r.Value)+" "+r.Unit)
			y += plotRow
		}
	}
	p(`</svg>`)
	_, err := io.WriteString(w, s.String())
	return err
}

// plotGroups puts the figures of a workload and size together and compares them with the base.
func plotGroups(results []Result) (groups []plotGroup, base string) {
	ratio := ratios(results)
	base = Serial
	for _, r := range results {
		if r.Executor == OpenMP {
			base = OpenMP
		}
	}
	index := map[string]int{}
	for _, r := range results {
		to := base
		x, ok := ratio(r, base)
		if !ok {
			to = Serial
			x, ok = ratio(r, Serial)
		}
		if !ok {
			continue
		}
		name := title(r.Workload, r.Size)
		if r.Size >= 1<<16 && bits.OnesCount(uint(r.Size)) == 1 {
			name = fmt.Sprintf("%s 2^%d", r.Workload, bits.TrailingZeros(uint(r.Size)))
		}
		if to != base {
			name += ", compared with serial"
		}
		i, ok := index[name]
		if !ok {
			i = len(groups)
			index[name] = i
			groups = append(groups, plotGroup{title: name})
		}
		groups[i].bars = append(groups[i].bars, plotBar{r, x})
	}
	return groups, base
}

// plotRange returns the decimal logarithms of the ends of the scale. It has 1 in it, all ratios, and half a
// decade at least on either side.
func plotRange(groups []plotGroup) (low, high float64) {
	low, high = -0.5, 0.5
	for _, g := range groups {
		for _, b := range g.bars {
			low, high = min(low, math.Log10(b.ratio)), max(high, math.Log10(b.ratio))
		}
	}
	return low, high
}

// plotTicks returns the powers of ten on the scale, and twice and five times these if there is room.
func plotTicks(low, high float64) []float64 {
	var ticks []float64
	for e := math.Floor(low); e <= high; e++ {
		for _, m := range []float64{1, 2, 5} {
			if m > 1 && high-low > 4 {
				break
			}
			// 1/10^-e is exact where 10^e is not, and prints without a tail of digits.
			tick := m * math.Pow10(int(e))
			if e < 0 {
				tick = m / math.Pow10(int(-e))
			}
			if l := math.Log10(tick); l >= low-1e-9 && l <= high+1e-9 {
				ticks = append(ticks, tick)
			}
		}
	}
	return ticks
}
