package mem

import "fmt"

// How large textures and surfaces may be. A GPU has these limits in its texture units; programs
// that are to run on one should not find out there. The numbers are those of the table "Technical
// Specifications per Compute Capability" of the CUDA C++ Programming Guide.

// TextureLimits are the largest sizes of textures and surfaces on a device, in texels; of a layered
// one the last number is layers (of a cubemap faces, six a cube). Zero means that the device has no
// such thing. The names are those of cudaDeviceProp.
type TextureLimits struct {
	MaxTexture1D             int
	MaxTexture1DLinear       int // of linear memory, for Tex1Dfetch
	MaxTexture1DLayered      [2]int
	MaxTexture2D             [2]int
	MaxTexture2DLinear       [2]int // of pitched memory
	MaxTexture2DGather       [2]int
	MaxTexture2DLayered      [3]int
	MaxTexture3D             [3]int
	MaxTextureCubemap        int
	MaxTextureCubemapLayered [2]int
	MaxSurface1D             int
	MaxSurface1DLayered      [2]int
	MaxSurface2D             [2]int
	MaxSurface2DLayered      [3]int
	MaxSurface3D             [3]int
	MaxSurfaceCubemap        int
	MaxSurfaceCubemapLayered [2]int
}

// TextureLimitsOf returns the limits of GPUs with the compute capability major.minor; those of the
// newest for 0.0.
func TextureLimitsOf(major, minor int) TextureLimits {
	var l TextureLimits
	switch {
	case major == 1:
		return TextureLimits{
			MaxTexture1D:        8192,
			MaxTexture1DLinear:  1 << 27,
			MaxTexture1DLayered: [2]int{8192, 512},
			MaxTexture2D:        [2]int{65536, 32768},
			MaxTexture2DLinear:  [2]int{65000, 65000},
			MaxTexture2DLayered: [3]int{8192, 8192, 512},
			MaxTexture3D:        [3]int{2048, 2048, 2048},
		}
	case major == 0 || major >= 6:
		l = TextureLimits{
			MaxTexture1D:             131072,
			MaxTexture1DLinear:       1 << 28,
			MaxTexture1DLayered:      [2]int{32768, 2048},
			MaxTexture2D:             [2]int{131072, 65536},
			MaxTexture2DLinear:       [2]int{131072, 65000},
			MaxTexture2DGather:       [2]int{32768, 32768},
			MaxTexture2DLayered:      [3]int{32768, 32768, 2048},
			MaxTexture3D:             [3]int{16384, 16384, 16384},
			MaxTextureCubemap:        32768,
			MaxTextureCubemapLayered: [2]int{32768, 2046},
			MaxSurface1D:             32768,
			MaxSurface1DLayered:      [2]int{32768, 2048},
			MaxSurface2D:             [2]int{131072, 65536},
			MaxSurface2DLayered:      [3]int{32768, 32768, 2048},
			MaxSurface3D:             [3]int{16384, 16384, 16384},
			MaxSurfaceCubemap:        32768,
			MaxSurfaceCubemapLayered: [2]int{32768, 2046},
		}
		if major == 6 && minor < 2 || major == 7 && minor == 0 {
			l.MaxTexture1DLinear = 1 << 27
		}
		return l
	}
	l = TextureLimits{ // 2.x to 5.x
		MaxTexture1D:             65536,
		MaxTexture1DLinear:       1 << 27,
		MaxTexture1DLayered:      [2]int{16384, 2048},
		MaxTexture2D:             [2]int{65536, 65536},
		MaxTexture2DLinear:       [2]int{65000, 65000},
		MaxTexture2DGather:       [2]int{16384, 16384},
		MaxTexture2DLayered:      [3]int{16384, 16384, 2048},
		MaxTexture3D:             [3]int{4096, 4096, 4096},
		MaxTextureCubemap:        16384,
		MaxTextureCubemapLayered: [2]int{16384, 2046},
		MaxSurface1D:             65536,
		MaxSurface1DLayered:      [2]int{65536, 2048},
		MaxSurface2D:             [2]int{65536, 32768},
		MaxSurface2DLayered:      [3]int{65536, 32768, 2048},
		MaxSurface3D:             [3]int{65536, 32768, 2048},
		MaxSurfaceCubemap:        32768,
		MaxSurfaceCubemapLayered: [2]int{32768, 2046},
	}
	if major == 2 {
		l.MaxTexture2D = [2]int{65536, 65535}
		l.MaxTexture3D = [3]int{2048, 2048, 2048}
	}
	if major == 5 {
		l.MaxSurface1D = 16384
		l.MaxSurface1DLayered = [2]int{16384, 2048}
		l.MaxSurface2D = [2]int{16384, 65536}
		l.MaxSurface2DLayered = [3]int{16384, 16384, 2048}
		l.MaxSurface3D = [3]int{4096, 4096, 4096}
		l.MaxSurfaceCubemap = 16384
		l.MaxSurfaceCubemapLayered = [2]int{16384, 2046}
		if minor == 3 {
			l.MaxTexture1DLinear = 1 << 28
			l.MaxTexture2DLinear = [2]int{65536, 65536}
		}
	}
	return l
}

// capability returns what SetCapability has set, or zeros.
func (s *Space) capability() (major, minor int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.major, s.minor
}

// SetCapability gives the space the texture limits of a compute capability. A new one has those of
// the newest.
func (s *Space) SetCapability(major, minor int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.major, s.minor = major, minor
}

// TextureLimits returns the limits on textures and surfaces in this memory; without any, those of
// the newest devices.
func (s *Space) TextureLimits() TextureLimits {
	if s == nil {
		return TextureLimitsOf(0, 0)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return TextureLimitsOf(s.major, s.minor)
}

// texture returns the limits for textures of a shape as width, height and depth, where depth is
// layers, and faces for cubemaps. 1 stands for a dimension that the shape does not have.
func (l *TextureLimits) texture(s shape) [3]int {
	switch s {
	case shape1D:
		return [3]int{l.MaxTexture1D, 1, 1}
	case shape1DLayered:
		return [3]int{l.MaxTexture1DLayered[0], 1, l.MaxTexture1DLayered[1]}
	case shape2D:
		return [3]int{l.MaxTexture2D[0], l.MaxTexture2D[1], 1}
	case shape2DLayered:
		return l.MaxTexture2DLayered
	case shape3D:
		return l.MaxTexture3D
	case shapeCubemap:
		return [3]int{l.MaxTextureCubemap, l.MaxTextureCubemap, 6}
	case shapeCubemapLayered:
		n := l.MaxTextureCubemapLayered
		return [3]int{n[0], n[0], n[1]}
	}
	return [3]int{}
}

// surface is texture for surfaces.
func (l *TextureLimits) surface(s shape) [3]int {
	switch s {
	case shape1D:
		return [3]int{l.MaxSurface1D, 1, 1}
	case shape1DLayered:
		return [3]int{l.MaxSurface1DLayered[0], 1, l.MaxSurface1DLayered[1]}
	case shape2D:
		return [3]int{l.MaxSurface2D[0], l.MaxSurface2D[1], 1}
	case shape2DLayered:
		return l.MaxSurface2DLayered
	case shape3D:
		return l.MaxSurface3D
	case shapeCubemap:
		return [3]int{l.MaxSurfaceCubemap, l.MaxSurfaceCubemap, 6}
	case shapeCubemapLayered:
		n := l.MaxSurfaceCubemapLayered
		return [3]int{n[0], n[0], n[1]}
	}
	return [3]int{}
}

// within returns what is wrong with a size of width w, height h and depth d; what is "texture" or
// the like.
func within(limit [3]int, what string, s shape, w, h, d int) error {
	switch {
	case limit[0] == 0:
		return fmt.Errorf("mem: %w: a device of this compute capability has no %s %s", ErrInvalidValue, s, what)
	case w > limit[0] || h > limit[1] || d > limit[2]:
		return fmt.Errorf("mem: %w: a %s %s of %d by %d by %d texels; the device's limit is %d by %d by %d",
			ErrInvalidValue, s, what, w, h, d, limit[0], limit[1], limit[2])
	}
	return nil
}
