// Package bodies is where the bodies of an n-body run come from: the solar system, or a CSV file.
//
// Units are the user's, with one condition: the gravitational constant is 1. With lengths in
// astronomical units and times in years, a mass is then 4π² for every mass of the Sun.
package bodies

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/gocuda/gocuda/kernels"
)

// A System is some bodies: the i-th of each slice belongs to the i-th body.
type System struct {
	Names      []string
	Bodies     []kernels.Body[float64] // places and masses
	Velocities []kernels.Vec3[float64]
}

// Len is the number of bodies.
func (s System) Len() int { return len(s.Bodies) }

func (s *System) add(name string, b kernels.Body[float64], v kernels.Vec3[float64]) {
	s.Names = append(s.Names, name)
	s.Bodies = append(s.Bodies, b)
	s.Velocities = append(s.Velocities, v)
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
