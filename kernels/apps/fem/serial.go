package fem

import "github.com/gocuda/gocuda/kernels"

// The reference, in one goroutine, by the formulas: it computes the gradients of all four corners
// anew for each element.

// StressSerial returns the stress in element e, by rows, where nodes are displaced by u.
func StressSerial[T kernels.Float](b *Body, e int, u []T) (s [3][3]T) {
	g, _ := corners[T](b.mesh, e)
	h := gradient(b.mesh, e, g, u)
	l, m := b.Material(e).Lame()
	lambda, mu := T(l), T(m)
	for i := range 3 {
		for k := range 3 {
			s[i][k] = mu * (h[i][k] + h[k][i])
		}
		s[i][i] += lambda * (h[0][0] + h[1][1] + h[2][2])
	}
	return s
}

// corners returns the gradients of all corners' functions, and the volume.
func corners[T kernels.Float](m *Mesh, e int) (g [4][3]T, volume T) {
	three, v := m.shape(e)
	for k := range 3 {
		for c := range 3 {
			g[c][k] = T(three[c][k])
		}
		g[3][k] = T(-three[0][k] - three[1][k] - three[2][k])
	}
	return g, T(v)
}

// gradient returns the gradient of a displacement: h[i][k] is that of coordinate i along k.
func gradient[T kernels.Float](m *Mesh, e int, g [4][3]T, u []T) (h [3][3]T) {
	for c := range 4 {
		node := m.Tets[4*e+c]
		for i := range 3 {
			for k := range 3 {
				h[i][k] += u[3*int(node)+i] * g[c][k]
			}
		}
	}
	return h
}

// ForcesSerial sets f to the forces of all elements on their nodes, which are displaced by u.
func ForcesSerial[T kernels.Float](b *Body, u, f []T) {
	clear(f)
	for e := range b.mesh.Elements() {
		g, volume := corners[T](b.mesh, e)
		s := StressSerial(b, e, u)
		for c := range 4 {
			node := int(b.mesh.Tets[4*e+c])
			for i := range 3 {
				f[3*node+i] -= volume * (s[i][0]*g[c][0] + s[i][1]*g[c][1] + s[i][2]*g[c][2])
			}
		}
	}
}

// StepSerial advances displacements and velocities by a step of dt. f is room for the forces.
func StepSerial[T kernels.Float](b *Body, dt T, u, v, f []T) {
	ForcesSerial(b, u, f)
	for i := range u {
		if b.Inverse[i] != 0 {
			v[i] += dt * (f[i] + T(b.Load[i])) / T(b.mass[i/3])
		}
		u[i] += dt * v[i]
	}
}

// EnergySerial is [Body.Energy] for displacements and velocities of one's own.
func EnergySerial(b *Body, dt float64, u, v []float64) (kinetic, elastic float64) {
	before := make([]float64, len(u))
	for i := range u {
		before[i] = u[i] - dt*v[i]
		kinetic += b.mass[i/3] * v[i] * v[i] / 2
		elastic -= float64(b.Load[i]) * (u[i] + before[i]) / 2
	}
	f := make([]float64, len(u))
	ForcesSerial(b, u, f)
	for i := range f {
		elastic -= before[i] * f[i] / 2
	}
	return kinetic, elastic
}
