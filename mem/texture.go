package mem

import (
	"fmt"
	"reflect"
	"sync/atomic"
	"unsafe"
)

// Texture objects: what they are made of and how they are made. fetch.go has the functions that
// kernels call; address.go and filter.go have the arithmetic, and texel.go turns memory into
// numbers.

// AddressMode says what a coordinate outside the texture reads, cudaTextureAddressMode.
type AddressMode uint8

const (
	AddressWrap   AddressMode = iota // the texture repeats. Needs normalized coordinates, else it is clamp
	AddressClamp                     // the nearest texel
	AddressMirror                    // the texture repeats, every other time reversed. Needs normalized coordinates, else clamp
	AddressBorder                    // BorderColor
)

// FilterMode says how a texture is read between texels, cudaTextureFilterMode.
type FilterMode uint8

const (
	FilterPoint  FilterMode = iota // the texel that the coordinate lies in
	FilterLinear                   // the 2, 4 or 8 texels around it, weighted. Float results only
)

// ReadMode says what a fetch returns, cudaTextureReadMode.
type ReadMode uint8

const (
	ReadElementType     ReadMode = iota // the texel; half precision as float32
	ReadNormalizedFloat                 // 8 and 16 bits as float32 from 0 or -1 to 1. No effect on other texels
)

// TextureDesc says how a texture is read: CUDA's cudaTextureDesc. The zero value is CUDA's: point
// sampling at unnormalized coordinates, clamped.
type TextureDesc struct {
	AddressMode      [3]AddressMode // of x, y and z. Not used for linear memory and layers
	FilterMode       FilterMode
	ReadMode         ReadMode
	SRGB             bool       // x, y and z of unsigned normalized 8 bits are decoded to linear light; w is not
	BorderColor      [4]float32 // for AddressBorder. It must be zero for textures that return integers
	NormalizedCoords bool       // [0, 1) is the texture, whatever its size. Mipmapped arrays need it
	MaxAnisotropy    int        // clamped to 1 to 16, which is how many samples the Grad functions may take

	// For mipmapped arrays. Beware of the zero value of MaxMipmapLevelClamp: only level 0 is read,
	// as in CUDA.
	MipmapFilterMode    FilterMode
	MipmapLevelBias     float32
	MinMipmapLevelClamp float32
	MaxMipmapLevelClamp float32

	// SeamlessCubemap lets linear filtering of a cubemap take texels from the adjacent face.
	// AddressMode then does not count. Without it each face is a texture of its own.
	SeamlessCubemap bool
}

// A TextureResource is what a texture reads: a [*Buffer] (linear memory, for Tex1Dfetch), a
// [Linear], a [*Pitched] or a [Pitch2D] (2-D), an [*Array] or a [*MipmappedArray]. CUDA's
// cudaResourceDesc.
type TextureResource interface {
	resource() (*resource, error)
}

// A resource is the memory of a texture or a surface.
type resource struct {
	shape  shape
	typ    reflect.Type   // of a texel
	images []image        // levels
	use    *atomic.Uint32 // whether it may be used now
	flags  ArrayFlags
	limits TextureLimits
}

// An image is one level of a resource.
type image struct {
	raw     []byte    // all of it
	floats  []float32 // the same, if texels are a float32
	w, h, d int       // d is layers or faces of those that have them
	pitch   int       // texels from row to row
	size    int       // bytes of a texel
}

func newImage[T any](data []T, w, h, d, pitch int) image {
	var z T
	m := image{raw: bytesOf(data), w: w, h: h, d: d, pitch: pitch, size: int(unsafe.Sizeof(z))}
	if reflect.TypeFor[T]().Kind() == reflect.Float32 {
		m.floats = unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(data))), len(data))
	}
	return m
}

// managed is the state of memory that the garbage collector frees: it is always usable.
var managed atomic.Uint32

func (b *Buffer[T]) resource() (*resource, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	r, err := Linear[T]{b.data}.resource()
	if err != nil {
		return nil, err
	}
	r.use, r.limits = &b.owner.use, b.owner.space.TextureLimits()
	return r, nil
}

// Linear is a Go slice as linear memory to make a texture of, as a [Buffer] is:
// cudaResourceTypeLinear of managed memory.
type Linear[T any] struct{ Data []T }

func (l Linear[T]) resource() (*resource, error) {
	n := len(l.Data)
	if n == 0 {
		return nil, fmt.Errorf("mem: %w: a texture of no texels", ErrInvalidValue)
	}
	return &resource{
		shape: shapeLinear, typ: reflect.TypeFor[T](), use: &managed, limits: TextureLimitsOf(0, 0),
		images: []image{newImage(l.Data, n, 1, 1, n)},
	}, nil
}

// Pitch2D is pitched memory to make a 2-D texture of: cudaResourceTypePitch2D. Row y begins at
// element y*Pitch of Buffer, or of Data, which stands for managed memory; one of them must be set.
// As on devices of all generations, rows begin a multiple of 32 bytes apart
// (cudaDeviceProp::texturePitchAlignment), unless there is one row only.
type Pitch2D[T any] struct {
	Buffer        *Buffer[T]
	Data          []T
	Width, Height int // texels
	Pitch         int // elements, not bytes; 0 is Width
}

const texturePitchAlignment = 32 // bytes

func (p Pitch2D[T]) resource() (*resource, error) {
	if (p.Buffer == nil) == (p.Data == nil) {
		return nil, fmt.Errorf("mem: %w: pitched memory needs a buffer or data, and not both", ErrInvalidValue)
	}
	r := &resource{shape: shape2D, typ: reflect.TypeFor[T](), use: &managed, limits: TextureLimitsOf(0, 0)}
	data := p.Data
	if p.Buffer != nil {
		if err := p.Buffer.check(); err != nil {
			return nil, err
		}
		data, r.use, r.limits = p.Buffer.data, &p.Buffer.owner.use, p.Buffer.owner.space.TextureLimits()
	}
	if p.Pitch == 0 {
		p.Pitch = p.Width
	}
	var z T
	n := int64(len(data))
	switch {
	case p.Width < 1 || p.Height < 1 || p.Pitch < p.Width:
		return nil, fmt.Errorf("mem: %w: %d by %d texels with a pitch of %d", ErrInvalidValue, p.Width, p.Height, p.Pitch)
	case int64(p.Height-1) > n/int64(p.Pitch) || int64(p.Height-1)*int64(p.Pitch)+int64(p.Width) > n:
		return nil, fmt.Errorf("mem: %w: %d by %d texels with a pitch of %d in %d elements",
			ErrInvalidValue, p.Width, p.Height, p.Pitch, n)
	case p.Height > 1 && int64(p.Pitch)*int64(unsafe.Sizeof(z))%texturePitchAlignment != 0:
		return nil, fmt.Errorf("mem: %w: a pitch of %d elements is no multiple of %d bytes",
			ErrInvalidValue, p.Pitch, texturePitchAlignment)
	}
	if err := within([3]int{r.limits.MaxTexture2DLinear[0], r.limits.MaxTexture2DLinear[1], 1},
		"texture of pitched memory", shape2D, p.Width, p.Height, 1); err != nil {
		return nil, err
	}
	r.images = []image{newImage(data, p.Width, p.Height, 1, p.Pitch)}
	return r, nil
}

// A Pitched of several slices is no texture, as in CUDA: texture units read volumes from arrays.
func (p *Pitched[T]) resource() (*resource, error) {
	if err := p.inner().check(); err != nil {
		return nil, err
	}
	if p.depth != 1 {
		return nil, fmt.Errorf("mem: %w: a texture of pitched memory of %d slices; it reads one", ErrInvalidValue, p.depth)
	}
	return Pitch2D[T]{Buffer: p.buffer, Width: p.width, Height: p.height, Pitch: p.stride}.resource()
}

func (a *Array[T]) resource() (*resource, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	return &resource{
		shape: a.shape, typ: reflect.TypeFor[T](), flags: a.desc.Flags,
		use: &a.buf.owner.use, limits: a.buf.owner.space.TextureLimits(),
		images: []image{newImage(a.buf.data, a.w, a.h, a.d, a.w)},
	}, nil
}

func (m *MipmappedArray[T]) resource() (*resource, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	r, err := m.levels[0].resource()
	if err != nil {
		return nil, err
	}
	for _, a := range m.levels[1:] {
		r.images = append(r.images, newImage(a.buf.data, a.w, a.h, a.d, a.w))
	}
	return r, nil
}

// A Texture is memory that kernels read through addressing and filtering: CUDA's
// cudaTextureObject_t. R is what a fetch returns, as in tex2D<R>:
//
//   - the texel's type, or one of the same layout, if texels are float32, or integers in [ReadElementType];
//   - float32, or an array or struct of 2 or 4 float32, if texels are half precision, or integers of 8 or 16 bits in
//     [ReadNormalizedFloat].
//
// Kernels capture the pointer and call [Tex2D] and its like. Textures see what is written to their
// memory; in CUDA that is undefined within a launch. A texture may be used by any number of
// launches at the same time.
type Texture[R any] struct {
	sampler
	desc TextureDesc // as it was given
}

// A sampler is a texture without the type of its results.
type sampler struct {
	shape     shape
	dims      int    // coordinates that filtering goes along
	ends      [3]int // how many texels it takes along each: 2 or 1
	plain     bool   // results are texels as they lie in memory
	linear    bool
	quick     bool // 2-D, texels are a float32, and there is one level
	clamps    bool // x and y are clamped
	format    format
	channels  int
	returns   ChannelDesc
	scale     bool // coordinates are normalized
	modes     [3]AddressMode
	seamless  bool
	border    [4]float64
	rawBorder [4]float32    // border as a texel
	color     *[256]float32 // what 8 bits are in the first three channels
	alpha     *[256]float32 // and in the fourth

	images    []image
	mipLinear bool
	bias      float64
	minLevel  float64
	maxLevel  float64
	aniso     int
	gather    bool

	use       *atomic.Uint32 // whether the memory may be used now
	destroyed atomic.Bool
}

// NewTexture makes a texture of a resource, CUDA's cudaCreateTextureObject. What cannot be is
// [ErrInvalidValue]: linear filtering of integers, a mipmapped array without normalized
// coordinates, SRGB of anything but normalized unsigned 8 bits, a result type that does not fit the
// texels, an infinite or NaN level bound.
func NewTexture[R any](res TextureResource, desc TextureDesc) (*Texture[R], error) {
	if res == nil {
		return nil, fmt.Errorf("mem: %w: a texture of nothing", ErrInvalidValue)
	}
	r, err := res.resource()
	if err != nil {
		return nil, err
	}
	t := &Texture[R]{desc: desc}
	if err := t.init(r, desc, reflect.TypeFor[R]()); err != nil {
		return nil, err
	}
	return t, nil
}

func (s *sampler) init(r *resource, desc TextureDesc, result reflect.Type) error {
	texel, err := channelOf(r.typ)
	if err != nil {
		return err
	}
	if r.shape == shapeLinear {
		limit := [3]int{r.limits.MaxTexture1DLinear, 1, 1}
		if err := within(limit, "texture", shapeLinear, r.images[0].w, 1, 1); err != nil {
			return err
		}
	}
	for _, m := range desc.AddressMode {
		if m > AddressBorder {
			return fmt.Errorf("mem: %w: address mode %d", ErrInvalidValue, m)
		}
	}
	if desc.FilterMode > FilterLinear || desc.MipmapFilterMode > FilterLinear {
		return fmt.Errorf("mem: %w: filter mode %d, of mipmaps %d", ErrInvalidValue, desc.FilterMode, desc.MipmapFilterMode)
	}
	if desc.ReadMode > ReadNormalizedFloat {
		return fmt.Errorf("mem: %w: read mode %d", ErrInvalidValue, desc.ReadMode)
	}
	normalized := desc.ReadMode == ReadNormalizedFloat && texel.Kind != ChannelFloat && texel.Bits < 32
	s.format = formatOf(texel, normalized, desc.SRGB)
	if desc.SRGB {
		if s.format != formatSRGB8 {
			return fmt.Errorf("mem: %w: sRGB of %v; it needs unsigned 8 bits read as normalized floats", ErrInvalidValue, texel)
		}
	}
	switch s.format {
	case formatUnorm8:
		s.color, s.alpha = unormTable(), unormTable()
	case formatSnorm8:
		s.color, s.alpha = snormTable(), snormTable()
	case formatSRGB8:
		s.color, s.alpha = srgbTable(), unormTable()
	}
	isFloat := s.format != formatInteger
	want := texel
	if isFloat {
		want.Kind, want.Bits = ChannelFloat, 32
	}
	if got, err := channelOf(result); err != nil {
		return fmt.Errorf("result: %w", err)
	} else if got != want {
		return fmt.Errorf("mem: %w: results of type %v for texels of %v, want %v", ErrInvalidValue, result, texel, want)
	}
	if !isFloat && r.shape != shapeLinear && (desc.FilterMode == FilterLinear || desc.MipmapFilterMode == FilterLinear) {
		return fmt.Errorf("mem: %w: linear filtering of integers", ErrInvalidValue)
	}
	if !isFloat && desc.BorderColor != [4]float32{} {
		return fmt.Errorf("mem: %w: a border color, which is float, for integers", ErrInvalidValue)
	}
	if desc.SeamlessCubemap && r.shape != shapeCubemap && r.shape != shapeCubemapLayered {
		return fmt.Errorf("mem: %w: seamless filtering of a %v texture", ErrInvalidValue, r.shape)
	}
	if desc.MaxAnisotropy < 0 {
		return fmt.Errorf("mem: %w: anisotropy %d", ErrInvalidValue, desc.MaxAnisotropy)
	}
	for _, v := range [...]float32{desc.MipmapLevelBias, desc.MinMipmapLevelClamp, desc.MaxMipmapLevelClamp} {
		if v-v != 0 {
			return fmt.Errorf("mem: %w: a mipmap level of %v", ErrInvalidValue, v)
		}
	}
	if desc.MinMipmapLevelClamp > desc.MaxMipmapLevelClamp {
		return fmt.Errorf("mem: %w: mipmap levels from %v to %v",
			ErrInvalidValue, desc.MinMipmapLevelClamp, desc.MaxMipmapLevelClamp)
	}
	if len(r.images) > 1 && !desc.NormalizedCoords {
		return fmt.Errorf("mem: %w: a mipmapped array needs normalized coordinates", ErrInvalidValue)
	}

	s.shape, s.dims = r.shape, 2
	switch r.shape {
	case shape1D, shape1DLayered:
		s.dims = 1
	case shape3D:
		s.dims = 3
	}
	for i := range s.ends {
		s.ends[i] = 1
		if i < s.dims {
			s.ends[i] = 2
		}
	}
	s.plain = s.format == formatInteger || s.format == formatFloat32
	s.linear = desc.FilterMode == FilterLinear && r.shape != shapeLinear
	s.channels, s.returns = texel.Channels, want
	s.scale = desc.NormalizedCoords
	s.modes = desc.AddressMode
	for i, m := range s.modes {
		if !s.scale && (m == AddressWrap || m == AddressMirror) {
			s.modes[i] = AddressClamp
		}
	}
	if s.cube() {
		// The coordinates on a face are always normalized.
		s.scale, s.modes, s.seamless = true, desc.AddressMode, desc.SeamlessCubemap
		if s.seamless {
			s.modes = [3]AddressMode{AddressClamp, AddressClamp, AddressClamp}
		}
	}
	for i, v := range desc.BorderColor {
		s.border[i] = float64(v)
	}
	if s.format == formatFloat32 {
		s.rawBorder = desc.BorderColor
	}
	s.images = r.images
	s.mipLinear = desc.MipmapFilterMode == FilterLinear && len(r.images) > 1
	s.bias = float64(desc.MipmapLevelBias)
	s.minLevel, s.maxLevel = float64(desc.MinMipmapLevelClamp), float64(desc.MaxMipmapLevelClamp)
	s.aniso = min(max(desc.MaxAnisotropy, 1), 16)
	s.gather = r.flags&ArrayTextureGather != 0
	s.use = r.use
	s.quick = r.shape == shape2D && len(r.images) == 1 && r.images[0].floats != nil
	s.clamps = s.modes[0] == AddressClamp && s.modes[1] == AddressClamp
	return nil
}

// Desc returns the description that the texture was made with, CUDA's cudaGetTextureObjectTextureDesc.
func (t *Texture[R]) Desc() TextureDesc {
	if t == nil {
		return TextureDesc{}
	}
	return t.desc
}

// Destroy ends the texture, CUDA's cudaDestroyTextureObject. Its memory stays. A fetch from a
// destroyed texture fails with [ErrFreed], as does a second Destroy.
func (t *Texture[R]) Destroy() error {
	switch {
	case t == nil || t.images == nil:
		return fmt.Errorf("mem: %w: no texture", ErrInvalidValue)
	case t.destroyed.Swap(true):
		return fmt.Errorf("texture: %w", ErrFreed)
	}
	return nil
}
