package mem

import (
	"fmt"
	"math"
)

// CUDA arrays: memory that textures and surfaces read. CUDA hides the layout of an array in memory;
// programs copy to and from it, and kernels reach it through a texture or a surface only. The same
// holds in gocuda: an [Array] has no Data.

// A shape is what a texture function expects its resource to be.
type shape uint8

const (
	shape1D shape = iota
	shape2D
	shape3D
	shape1DLayered
	shape2DLayered
	shapeCubemap
	shapeCubemapLayered
	shapeLinear // linear memory, for Tex1Dfetch
)

func (s shape) String() string {
	return [...]string{"1-D", "2-D", "3-D", "1-D layered", "2-D layered", "cubemap", "cubemap layered", "linear"}[s]
}

// ArrayFlags say what an array is and what it may be used for: the flags of cudaMalloc3DArray.
type ArrayFlags uint8

const (
	ArrayLayered          ArrayFlags = 1 << iota // Depth is a number of layers, which filtering doesn't mix
	ArraySurfaceLoadStore                        // surfaces may be made of it
	ArrayCubemap                                 // six faces; with ArrayLayered, Depth faces
	ArrayTextureGather                           // Tex2Dgather may read it
)

// ArrayDesc is the size and kind of an array: the cudaExtent and the flags of cudaMalloc3DArray.
// Sizes are in texels.
//
//	                 Width  Height  Depth   Flags
//	1-D              w      0       0
//	2-D              w      h       0
//	3-D              w      h       d
//	1-D layered      w      0       layers  ArrayLayered
//	2-D layered      w      h       layers  ArrayLayered
//	cubemap          w      w       6       ArrayCubemap
//	cubemap layered  w      w       6*n     ArrayCubemap | ArrayLayered
//
// The faces of a cubemap are in CUDA's order: +x, -x, +y, -y, +z, -z.
type ArrayDesc struct {
	Width, Height, Depth int
	Flags                ArrayFlags
}

// shape returns what d describes, or what is wrong with it, whatever the device's limits are.
func (d ArrayDesc) shape() (shape, error) {
	bad := func(what string) (shape, error) {
		return 0, fmt.Errorf("mem: %w: array of %d by %d by %d: %s", ErrInvalidValue, d.Width, d.Height, d.Depth, what)
	}
	if d.Flags&^(ArrayLayered|ArraySurfaceLoadStore|ArrayCubemap|ArrayTextureGather) != 0 {
		return bad(fmt.Sprintf("unknown flags %#x", uint8(d.Flags)))
	}
	if d.Width < 1 || d.Height < 0 || d.Depth < 0 {
		return bad("the width must be positive, the rest not negative")
	}
	var s shape
	switch layered := d.Flags&ArrayLayered != 0; {
	case d.Flags&ArrayCubemap != 0:
		if d.Height != d.Width {
			return bad("a cubemap has square faces")
		}
		if !layered && d.Depth != 6 || d.Depth == 0 || d.Depth%6 != 0 {
			return bad("a cubemap has six faces, and six a layer")
		}
		s = shapeCubemap
		if layered {
			s = shapeCubemapLayered
		}
	case layered:
		if d.Depth == 0 {
			return bad("no layers")
		}
		s = shape2DLayered
		if d.Height == 0 {
			s = shape1DLayered
		}
	case d.Depth > 0:
		if d.Height == 0 {
			return bad("depth without height")
		}
		s = shape3D
	case d.Height > 0:
		s = shape2D
	default:
		s = shape1D
	}
	if d.Flags&ArrayTextureGather != 0 && s != shape2D {
		return bad("only 2-D arrays can be gathered from")
	}
	return s, nil
}

// An Array is a CUDA array of texels of type T on a device, or a level of a [MipmappedArray].
// [ChannelDescOf] says which types can be texels. Make a [Texture] or a [Surface] of it for
// kernels, and fill it with [CopyToArray] or [CopyArray]. The zero value and nil are no array.
type Array[T any] struct {
	buf     *Buffer[T]
	desc    ArrayDesc
	channel ChannelDesc
	shape   shape
	w, h, d int // 1 where desc has 0
}

// AllocArray allocates an array on dev, CUDA's cudaMallocArray and cudaMalloc3DArray. Its contents
// are undefined, as those of [Alloc]. Sizes beyond the limits of the device, [Space.TextureLimits],
// are an error.
func AllocArray[T any](dev Device, desc ArrayDesc) (*Array[T], error) {
	a, err := describe[T](dev, desc)
	if err != nil {
		return nil, err
	}
	n := int64(a.w) * int64(a.h) * int64(a.d) // below 2^45 by the limits
	if n > math.MaxInt {
		return nil, fmt.Errorf("mem: %w: %d texels", ErrInvalidValue, n)
	}
	if a.buf, err = Alloc[T](dev, int(n)); err != nil {
		return nil, err
	}
	return a, nil
}

// describe returns an array without memory.
func describe[T any](dev Device, desc ArrayDesc) (*Array[T], error) {
	if dev == nil || dev.Memory() == nil {
		return nil, errNoDevice
	}
	channel, err := ChannelDescOf[T]()
	if err != nil {
		return nil, err
	}
	s, err := desc.shape()
	if err != nil {
		return nil, err
	}
	a := &Array[T]{desc: desc, channel: channel, shape: s, w: desc.Width, h: max(desc.Height, 1), d: max(desc.Depth, 1)}
	limits := dev.Memory().TextureLimits()
	if err := within(limits.texture(s), "texture", s, a.w, a.h, a.d); err != nil {
		return nil, err
	}
	if desc.Flags&ArrayTextureGather != 0 {
		g := limits.MaxTexture2DGather
		if err := within([3]int{g[0], g[1], 1}, "texture for gathering", s, a.w, a.h, a.d); err != nil {
			return nil, err
		}
	}
	if desc.Flags&ArraySurfaceLoadStore != 0 {
		if err := within(limits.surface(s), "surface", s, a.w, a.h, a.d); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// check returns what is wrong with a as an operand.
func (a *Array[T]) check() error {
	if a == nil || a.buf == nil {
		return fmt.Errorf("mem: %w: no array", ErrInvalidValue)
	}
	return a.buf.check()
}

// Desc returns the size and the flags of the array, CUDA's cudaArrayGetInfo.
func (a *Array[T]) Desc() ArrayDesc {
	if a == nil {
		return ArrayDesc{}
	}
	return a.desc
}

// Channel returns the format of the texels, CUDA's cudaGetChannelDesc.
func (a *Array[T]) Channel() ChannelDesc {
	if a == nil {
		return ChannelDesc{}
	}
	return a.channel
}

// Free gives the memory back, CUDA's cudaFreeArray. A kernel that uses a texture or a surface of
// the array afterwards fails with [ErrFreed]. Freeing twice returns ErrFreed; a level of a
// mipmapped array can't be freed.
func (a *Array[T]) Free() error {
	if a == nil || a.buf == nil {
		return a.check()
	}
	return a.buf.Free()
}
