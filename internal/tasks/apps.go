package tasks

// The applications of Ryoo et al., each in a file of its own.

func appTasks() []Task {
	return []Task{
		{"lbm", "the flow in a box, by the lattice Boltzmann method", "a geometry in text, as package lbm describes; a cavity with a moving lid without a file", "64x64x64", Values | Picture, lbmTask, 300, 330},
		{"fem", "the motion of an elastic body, by finite elements", "a mesh of tetrahedra by Gmsh, in its text format of version 2; a beam without a file", "32x8x8", Values | Picture, femTask, 1500, 1250},
	}
}
