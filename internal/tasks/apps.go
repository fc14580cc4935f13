package tasks

// The applications of Ryoo et al., each in a file of its own.

func appTasks() []Task {
	const takesScan = "samples and voxels in text, see package kernels/apps/mri; Shepp and Logan's phantom on spokes without a file"
	return []Task{
		{"cp", "the electric potential of atoms on a plane", "a PQR or PDB file; atoms by chance without a file", "512x512", Values | Picture, coulomb, 4, 16},
		{"mriq", "how a scanner blurs a point: MRI-Q of non-Cartesian image reconstruction", takesScan, "128x128", Values | Picture, mriQ, 28, 17},
		{"mrifhd", "an image from samples in k-space: MRI-FHD of non-Cartesian image reconstruction", takesScan, "128x128", Values | Picture, mriFHD, 28, 17},
		{"lbm", "the flow in a box, by the lattice Boltzmann method", "a geometry in text, as package lbm describes; a cavity with a moving lid without a file", "64x64x64", Values | Picture, lbmTask, 300, 330},
		tpacfTask,
		rc5Task,
		sadTask,
		pnsTask,
		{"fem", "the motion of an elastic body, by finite elements", "a mesh of tetrahedra by Gmsh, in its text format of version 2; a beam without a file", "32x8x8", Values | Picture, femTask, 1500, 1250},
		rpesTask,
	}
}
