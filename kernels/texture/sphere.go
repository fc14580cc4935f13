package texture

import "math"

// What stands before the pixel shader in the graphics pipeline: a rasterizer for one body, a sphere.

// Sphere returns the fragments of a sphere and of the background behind it, in a picture of w by h
// pixels. The eye looks along the axis of the sphere, from four radii away; turn is by how many
// radians the texture is turned about the upright axis, and light the direction to a light far
// away. A fragment of the background looks straight ahead: it is to be shaded with shiny = 1.
func Sphere(w, h int, turn float64, light [3]float64) (sphere, background []Fragment) {
	const distance, scale = 4, 1.25 // radii; the sphere fills most of the lesser side
	norm := math.Sqrt(light[0]*light[0] + light[1]*light[1] + light[2]*light[2])
	half := float64(min(w, h)) / 2
	for p := range w * h {
		x := (float64(p%w) + 0.5 - float64(w)/2) / half * scale / distance
		y := (float64(h)/2 - float64(p/w) - 0.5) / half * scale / distance
		l := math.Sqrt(x*x + y*y + 1)
		d := [3]float64{x / l, y / l, -1 / l}
		// The ray (0, 0, distance) + s d meets the sphere where s² + 2 s distance d.z + distance² -
		// 1 = 0.
		b := distance * d[2]
		root := b*b - (distance*distance - 1)
		if root < 0 {
			background = append(background, Fragment{Pixel: int32(p), X: float32(d[0]), Y: float32(d[1]), Z: float32(d[2])})
			continue
		}
		s := -b - math.Sqrt(root)
		n := [3]float64{s * d[0], s * d[1], distance + s*d[2]} // of length 1
		dn := d[0]*n[0] + d[1]*n[1] + d[2]*n[2]
		f := Fragment{
			Pixel: int32(p),
			U:     float32(0.5 + (math.Atan2(n[0], n[2])-turn)/(2*math.Pi)),
			V:     float32(math.Acos(min(max(n[1], -1), 1)) / math.Pi),
			X:     float32(d[0] - 2*dn*n[0]), Y: float32(d[1] - 2*dn*n[1]), Z: float32(d[2] - 2*dn*n[2]),
			Light: ambient,
		}
		if norm > 0 {
			falls := (n[0]*light[0] + n[1]*light[1] + n[2]*light[2]) / norm // Lambert's law
			f.Light += float32((1 - ambient) * max(falls, 0))
		}
		sphere = append(sphere, f)
	}
	return sphere, background
}

const ambient = 0.3 // the light in the shade
