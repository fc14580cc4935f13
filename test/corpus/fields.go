//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Structs with many fields, of which a thread uses several.

type flBody struct{ X, Y, Z, VX, VY, VZ, Mass, Charge int32 }

type flNode struct {
	Left, Right, Parent, Depth, Weight int32
}

type flState struct{ Position, Speed, Force, Mass, Drag float64 }

type flCell struct {
	Flows [9]float32
	Kind  int32
}

// Fields are stored before others are loaded.
//
//gocuda:kernel
func flStep(t *gocuda.Thread, b []flBody, out []int32) {
	if i := t.GlobalX(); i < len(b) {
		b[i].VY -= 10
		b[i].X += b[i].VX
		b[i].Y += b[i].VY
		b[i].Z += b[i].VZ
		out[i] = b[i].X*b[i].Mass + b[i].Y*b[i].Charge
	}
}

func flStepSerial(b []flBody, out []int32) {
	for i := range b {
		p := &b[i]
		p.VY -= 10
		p.X += p.VX
		p.Y += p.VY
		p.Z += p.VZ
		out[i] = p.X*p.Mass + p.Y*p.Charge
	}
}

// The last fields, and the first ones, are fewer than 16 bytes.
//
//gocuda:kernel
func flEnds(t *gocuda.Thread, n []flNode, out []int32) {
	if i := t.GlobalX(); i < len(n) {
		out[i] = n[i].Depth*3 - n[i].Weight
	}
}

//gocuda:kernel
func flStarts(t *gocuda.Thread, n []flNode, out []int32) {
	if i := t.GlobalX(); i < len(n) {
		v := n[i].Left - n[i].Right*5 + n[i].Parent
		if v > 0 {
			v += n[i].Left * n[i].Weight
		}
		out[i] = v
	}
}

// Another slice lies between, which may be the same one.
//
//gocuda:kernel
func flNext(t *gocuda.Thread, n []flNode, out []int32) {
	if i := t.GlobalX(); i+1 < len(n) {
		out[i] = n[i].Left + n[i+1].Left + n[i].Weight
		out[i] -= n[i+1].Weight * n[i].Parent
	}
}

//gocuda:kernel
func flStates(t *gocuda.Thread, s []flState, out []float64) {
	if i := t.GlobalX(); i < len(s) {
		s[i].Speed += (s[i].Force - s[i].Drag*s[i].Speed) / s[i].Mass * 0.25
		s[i].Position += s[i].Speed * 0.25
		out[i] = s[i].Mass * s[i].Position
	}
}

// An array in each struct, and an integer beside it.
//
//gocuda:kernel
func flCells(t *gocuda.Thread, c []flCell, out []float32) {
	i := t.GlobalX()
	if i >= len(c) {
		return
	}
	sum := float32(0)
	for k := range c[i].Flows {
		sum += c[i].Flows[k] * float32(k-4)
	}
	if c[i].Kind&1 > 0 {
		sum = -sum
	}
	out[i] = sum
}

// flCase is a case with n structs and as many results.
func flCase[S, R any](name string, n int, source func(t *gocuda.Thread, s []S, out []R), compiled func(s []S, out []R) gocuda.Kernel, serial func(s []S, out []R)) Case {
	cfg := grid.Config{Grid: grid.Dim3{X: (n + 63) / 64}, Block: grid.Dim3{X: 64}}
	return Case{Name: fmt.Sprintf("%s of %d", name, n), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
		s, out := data[S](n), make([]R, n)
		made := Instance{
			Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { source(t, s, out) }),
			Compiled: compiled(s, out),
			Outputs:  []any{s, out},
		}
		if serial != nil {
			made.Want = func() []any {
				s, out := data[S](n), make([]R, n)
				serial(s, out)
				return []any{s, out}
			}
		}
		return made
	}}
}

func flCases() (cases []Case) {
	for _, n := range []int{1, 16, 33, 130} {
		cases = append(cases,
			flCase("flStep", n, flStep, flStepKernel, flStepSerial),
			flCase("flEnds", n, flEnds, flEndsKernel, nil),
			flCase("flStarts", n, flStarts, flStartsKernel, nil),
			flCase("flNext", n, flNext, flNextKernel, nil),
			flCase("flStates", n, flStates, flStatesKernel, nil),
			flCase("flCells", n, flCells, flCellsKernel, nil))
	}
	return cases
}
