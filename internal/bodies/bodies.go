// Package bodies is where the bodies of an n-body run come from: the solar system, or a CSV file.
//
// Units are the user's, with one condition: the gravitational constant is 1. With lengths in
// astronomical units and times in years, a mass is then 4π² for every mass of the Sun.
package bodies

import (
	"bufio"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/nbody"
)

// A System is some bodies: the i-th of each slice belongs to the i-th body.
type System struct {
	Names      []string
	Bodies     []nbody.Body[float64] // places and masses
	Velocities []kernels.Vec3[float64]
}

// Len is the number of bodies.
func (s System) Len() int { return len(s.Bodies) }

func (s *System) add(name string, b nbody.Body[float64], v kernels.Vec3[float64]) {
	s.Names = append(s.Names, name)
	s.Bodies = append(s.Bodies, b)
	s.Velocities = append(s.Velocities, v)
}

// LongestPeriod returns the longest time that a body takes around the heaviest one, by the ellipse
// that it is on: with the semi-major axis a of 1/a = 2/r - v²/GM (the vis-viva equation) it is 2π
// √(a³/GM), by Kepler's third law. It is not ok if no body is ten times as heavy as each other one,
// or if none is bound to it.
func (s System) LongestPeriod() (period float64, ok bool) {
	heaviest := 0
	for i, b := range s.Bodies {
		if b.Mass > s.Bodies[heaviest].Mass {
			heaviest = i
		}
	}
	for i, b := range s.Bodies {
		if i == heaviest {
			continue
		}
		center := s.Bodies[heaviest]
		if b.Mass*10 > center.Mass {
			return 0, false
		}
		v, w := s.Velocities[i], s.Velocities[heaviest]
		r := math.Hypot(math.Hypot(b.X-center.X, b.Y-center.Y), b.Z-center.Z)
		speed := math.Hypot(math.Hypot(v.X-w.X, v.Y-w.Y), v.Z-w.Z)
		mu := b.Mass + center.Mass
		if inverse := 2/r - speed*speed/mu; inverse > 0 {
			if t := 2 * math.Pi / math.Sqrt(mu*inverse*inverse*inverse); t > period && !math.IsInf(t, 0) {
				period, ok = t, true
			}
		}
	}
	return period, ok
}

// WriteCSV writes s in the form that [ReadCSV] reads, with a header line. Every number is the shortest
// that reads back as the same float64.
func (s System) WriteCSV(w io.Writer) error {
	out := bufio.NewWriter(w)
	out.WriteString(strings.Join(columns[:], ","))
	out.WriteByte('\n')
	var line []byte
	for i, b := range s.Bodies {
		v := s.Velocities[i]
		line = append(line[:0], quoted(s.Names[i])...)
		for _, x := range [...]float64{b.X, b.Y, b.Z, v.X, v.Y, v.Z, b.Mass} {
			line = append(line, ',')
			line = strconv.AppendFloat(line, x, 'g', -1, 64)
		}
		out.Write(append(line, '\n'))
	}
	return out.Flush() // a bufio.Writer keeps its first error
}

// quoted puts a name in quotes where it needs them. A csv.Writer would leave a leading # bare, which
// reads back as a comment.
func quoted(name string) string {
	if !strings.ContainsAny(name, "#,\"\r\n") {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}
