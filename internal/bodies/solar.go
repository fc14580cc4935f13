package bodies

import (
	"math"

	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/nbody"
)

const (
	// solarMass is the mass of the Sun where lengths are astronomical units, times years, and the
	// gravitational constant 1: a circular orbit of radius 1 then takes 1.
	solarMass = 4 * math.Pi * math.Pi
	// daysPerYear is the benchmark's year. The table below has velocities per day.
	daysPerYear = 365.24
)

// planets is the table of the n-body benchmark in the Computer Language Benchmarks Game
// (https://benchmarksgame-team.pages.debian.net/benchmarksgame/description/nbody.html): places in
// astronomical units, velocities in astronomical units a day, masses in masses of the Sun.
var planets = [...]struct {
	name                      string
	x, y, z, vx, vy, vz, mass float64
}{
	{
		"Jupiter",
		4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01,
		1.66007664274403694e-03, 7.69901118419740425e-03, -6.90460016972063023e-05,
		9.54791938424326609e-04,
	},
	{
		"Saturn",
		8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01,
		-2.76742510726862411e-03, 4.99852801234917238e-03, 2.30417297573763929e-05,
		2.85885980666130812e-04,
	},
	{
		"Uranus",
		1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01,
		2.96460137564761618e-03, 2.37847173959480950e-03, -2.96589568540237556e-05,
		4.36624404335156298e-05,
	},
	{
		"Neptune",
		1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01,
		2.68067772490389322e-03, 1.62824170038242295e-03, -9.51592254519715870e-05,
		5.15138902046611451e-05,
	},
}

// Solar returns the Sun and the four giant planets, as the n-body benchmark publishes them. Lengths are
// astronomical units, velocities astronomical units a year, and masses such that the gravitational
// constant is 1. The Sun starts at the origin, with the velocity that makes the total momentum zero.
func Solar() System {
	var s System
	var sun kernels.Vec3[float64]
	s.add("Sun", nbody.Body[float64]{Mass: solarMass}, sun)
	for _, p := range planets {
		v := kernels.Vec3[float64]{X: p.vx * daysPerYear, Y: p.vy * daysPerYear, Z: p.vz * daysPerYear}
		s.add(p.name, nbody.Body[float64]{X: p.x, Y: p.y, Z: p.z, Mass: p.mass * solarMass}, v)
		sun.X -= v.X * p.mass
		sun.Y -= v.Y * p.mass
		sun.Z -= v.Z * p.mass
	}
	s.Velocities[0] = sun
	return s
}
