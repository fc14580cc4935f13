package tasks

// The applications of Ryoo et al., each in a file of its own.

func appTasks() []Task {
	const takesScan = "samples and voxels in text, see package kernels/apps/mri; Shepp and Logan's phantom on spokes without a file"
	return []Task{
		{"cp", "the electric potential of atoms on a plane", "a PQR or PDB file; atoms by chance without a file", "512x512", Values | Picture, coulomb, 4, 16},
		{"mriq", "how a scanner blurs a point: MRI-Q of non-Cartesian image reconstruction", takesScan, "128x128", Values | Picture, mriQ, 28, 17},
		{"mrifhd", "an image from samples in k-space: MRI-FHD of non-Cartesian image reconstruction", takesScan, "128x128", Values | Picture, mriFHD, 28, 17},
	}
}
