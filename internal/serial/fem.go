package serial

import (
	"math"

	"github.com/gocuda/gocuda/kernels/apps/fem"
)

// FEMStress returns the stress in element e, by rows, where nodes are displaced by u. Its unit is that
// of Young's modulus.
func FEMStress(b *fem.Body, e int, u []float64) (s [3][3]float64) {
	m := b.Mesh()
	g, _ := femShape(m, e)
	var h [3][3]float64 // h[i][k] is the gradient of coordinate i of the displacement along k
	for c := range 4 {
		node := int(m.Tets[4*e+c])
		for i := range 3 {
			for k := range 3 {
				h[i][k] += u[3*node+i] * g[c][k]
			}
		}
	}
	lambda, mu := b.Material(e).Lame()
	for i := range 3 {
		for k := range 3 {
			s[i][k] = mu * (h[i][k] + h[k][i])
		}
		s[i][i] += lambda * (h[0][0] + h[1][1] + h[2][2])
	}
	return s
}

// FEMForces sets f to the forces of all elements on their nodes, which are displaced by u: the
// reference of [fem.Body.Forces]. It goes by the formulas, and computes the gradients of all four
// corners anew for each element.
func FEMForces(b *fem.Body, u, f []float64) {
	clear(f)
	m := b.Mesh()
	for e := range m.Elements() {
		g, volume := femShape(m, e)
		s := FEMStress(b, e, u)
		for c := range 4 {
			node := int(m.Tets[4*e+c])
			for i := range 3 {
				f[3*node+i] -= volume * (s[i][0]*g[c][0] + s[i][1]*g[c][1] + s[i][2]*g[c][2])
			}
		}
	}
}

// FEMStep advances displacements and velocities by a step of dt: the reference of [fem.Body.Step]. f
// is room for the forces.
func FEMStep(b *fem.Body, dt float64, u, v, f []float64) {
	FEMForces(b, u, f)
	for i := range u {
		if b.Inverse[i] != 0 {
			v[i] += dt * (f[i] + float64(b.Load[i])) / b.Mass(i/3)
		}
		u[i] += dt * v[i]
	}
}

// FEMEnergy returns the energy after a step of dt, kinetic, and elastic with that of the load, from
// the forces: the reference of [fem.Body.Energy].
func FEMEnergy(b *fem.Body, dt float64, u, v []float64) (kinetic, elastic float64) {
	before := make([]float64, len(u))
	for i := range u {
		before[i] = u[i] - dt*v[i]
		kinetic += b.Mass(i/3) * v[i] * v[i] / 2
		elastic -= float64(b.Load[i]) * (u[i] + before[i]) / 2
	}
	f := make([]float64, len(u))
	FEMForces(b, u, f)
	for i := range f {
		elastic -= before[i] * f[i] / 2
	}
	return kinetic, elastic
}

// femShape returns the gradients of the functions of an element's corners, which are 1 at their corner
// and 0 at the others, and the element's volume.
func femShape(m *fem.Mesh, e int) (g [4][3]float64, volume float64) {
	var edge [3][3]float64 // from the last corner to the others
	for c := range edge {
		for k := range 3 {
			edge[c][k] = m.Points[3*m.Tets[4*e+c]+int32(k)] - m.Points[3*m.Tets[4*e+3]+int32(k)]
		}
	}
	cross := func(a, b [3]float64) [3]float64 {
		return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
	}
	across := cross(edge[1], edge[2])
	det := across[0]*edge[0][0] + across[1]*edge[0][1] + across[2]*edge[0][2]
	for c := range 3 {
		across := cross(edge[(c+1)%3], edge[(c+2)%3])
		for k := range 3 {
			g[c][k] = across[k] / det
		}
	}
	for k := range 3 {
		g[3][k] = -g[0][k] - g[1][k] - g[2][k] // the functions add up to 1
	}
	return g, math.Abs(det) / 6
}
