// Package texture has the programs by which texts show what a texture unit does: coordinates beyond
// the edge and the weights of filtering (Wilt, The CUDA Handbook, 2013, chapter 10), and a pixel
// shader that mixes the colour of a surface with what it mirrors (Nickolls and Kirk, Graphics and
// Computing GPUs, B.3).
package texture

//go:generate go run ../../cmd/gocuda-gen .
