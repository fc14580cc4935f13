package texture

// cubeFaces are the axes of the faces of a cube: the one through its middle, and those of its
// coordinates.
var cubeFaces = [6][3][3]float64{
	{{1, 0, 0}, {0, 0, -1}, {0, -1, 0}},
	{{-1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
	{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},
	{{0, -1, 0}, {1, 0, 0}, {0, 0, -1}},
	{{0, 0, 1}, {1, 0, 0}, {0, -1, 0}},
	{{0, 0, -1}, {-1, 0, 0}, {0, -1, 0}},
}

// CubeDirection returns the direction from the middle of a cube to texel (i, j) of a face of side
// by side texels.
func CubeDirection(face, i, j, side int) (x, y, z float64) {
	s, t := (2*float64(i)+1)/float64(side)-1, (2*float64(j)+1)/float64(side)-1
	f := cubeFaces[face]
	at := func(k int) float64 { return f[0][k] + s*f[1][k] + t*f[2][k] }
	return at(0), at(1), at(2)
}
