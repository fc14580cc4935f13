package tasks

// The applications of Ryoo et al., each in a file of its own.

func appTasks() []Task {
	return []Task{
		{"lbm", "the flow in a box, by the lattice Boltzmann method", "a geometry in text, as package lbm describes; a cavity with a moving lid without a file", "64x64x64", Values | Picture, lbmTask, 300, 330},
	}
}
