package mem_test

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	cuda "github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/mem"
)

// Pitched memory as a texture is the array with the same rows.
func TestTextureOfPitchedMemory(t *testing.T) {
	dev := newDevice(1 << 20)
	const w, h = 21, 9
	texels := make([]float32, w*h)
	for i := range texels {
		texels[i] = rand.Float32()
	}
	a := array(t, dev, mem.ArrayDesc{Width: w, Height: h}, texels)
	p, err := mem.AllocPitch[float32](dev, w, h)
	require.NoError(t, err)
	all, err := p.Buffer()
	require.NoError(t, err)
	require.NoError(t, mem.Memset(all, 0xff)) // NaN between the rows
	require.NoError(t, mem.Copy2D(p.Rows(), mem.HostRows(texels, w, h), w, h))
	for _, mode := range []mem.AddressMode{mem.AddressWrap, mem.AddressClamp, mem.AddressMirror, mem.AddressBorder} {
		for _, filter := range []mem.FilterMode{mem.FilterPoint, mem.FilterLinear} {
			desc := mem.TextureDesc{AddressMode: [3]mem.AddressMode{mode, mode}, FilterMode: filter, NormalizedCoords: true,
				BorderColor: [4]float32{2}}
			of, want := texture[float32](t, p, desc), texture[float32](t, a, desc)
			for range 500 {
				x, y := 4*rand.Float32()-2, 4*rand.Float32()-2
				require.Equal(t, mem.Tex2D(want, x, y), mem.Tex2D(of, x, y), "%v, %v at (%v, %v)", mode, filter, x, y)
			}
		}
	}
	volume, err := mem.Alloc3D[float32](dev, 4, 4, 2)
	require.NoError(t, err)
	none, err := mem.AllocPitch[float32](dev, 4, 0)
	require.NoError(t, err)
	for what, p := range map[string]*mem.Pitched[float32]{"slices": volume, "no rows": none, "nil": nil, "zero": {}} {
		_, err := mem.NewTexture[float32](p, mem.TextureDesc{})
		assert.ErrorIs(t, err, mem.ErrInvalidValue, what)
	}
	tex := texture[float32](t, p, mem.TextureDesc{})
	require.NoError(t, p.Free())
	_, err = mem.NewTexture[float32](p, mem.TextureDesc{})
	assert.ErrorIs(t, err, mem.ErrFreed, "freed")
	wantPanic(t, "fetch from freed memory", mem.ErrFreed, func() { mem.Tex2D(tex, 0, 0) })
}

func wantPanic(t *testing.T, what string, want error, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		err, _ := recover().(error)
		assert.ErrorIs(t, err, want, what)
	}()
	f()
}

// Boxes go between arrays, pitched memory and rows of anything, to the element.
func TestCopyArrayWithRows(t *testing.T) {
	dev := newDevice(1 << 20)
	const w, h, d = 7, 5, 3
	for range 300 {
		box := mem.Extent{Width: 1 + rand.IntN(w), Height: 1 + rand.IntN(h), Depth: 1 + rand.IntN(d)}
		from := [3]int{rand.IntN(w - box.Width + 1), rand.IntN(h - box.Height + 1), rand.IntN(d - box.Depth + 1)}
		to := [3]int{rand.IntN(w - box.Width + 1), rand.IntN(h - box.Height + 1), rand.IntN(d - box.Depth + 1)}
		texels := make([]uint16, w*h*d)
		for i := range texels {
			texels[i] = uint16(rand.Uint32())
		}
		a := array(t, dev, mem.ArrayDesc{Width: w, Height: h, Depth: d}, texels)
		p, err := mem.Alloc3D[uint16](dev, w, h, d)
		require.NoError(t, err)
		require.NoError(t, mem.Memset3D(p.Rows(), 0, w, h, d))
		there := mem.ArrayPlace[uint16]{Memory: p.Rows().At(to[0], 0, 0), Y: to[1], Z: to[2]} // by either means
		require.NoError(t, mem.CopyArray(mem.ArrayCopy[uint16]{Dst: there,
			Src: mem.ArrayPlace[uint16]{Array: a, X: from[0], Y: from[1], Z: from[2]}, Extent: box}))
		want := make([]uint16, w*h*d)
		for z := range box.Depth {
			for y := range box.Height {
				for x := range box.Width {
					want[((to[2]+z)*h+to[1]+y)*w+to[0]+x] = texels[((from[2]+z)*h+from[1]+y)*w+from[0]+x]
				}
			}
		}
		got := make([]uint16, w*h*d)
		require.NoError(t, mem.Copy3D(mem.HostRows(got, w, h), p.Rows(), w, h, d))
		require.True(t, slicetest.Equal(t, want, got, "%v from %v to %v", box, from, to))
		// And back, into an array of zeros.
		require.NoError(t, mem.CopyToArray(a, make([]uint16, w*h*d)))
		require.NoError(t, mem.CopyArray(mem.ArrayCopy[uint16]{Dst: mem.ArrayPlace[uint16]{Array: a, X: to[0], Y: to[1], Z: to[2]},
			Src: there, Extent: box}))
		require.NoError(t, mem.CopyFromArray(got, a))
		require.True(t, slicetest.Equal(t, want, got, "back: %v from %v to %v", box, from, to))
		require.NoError(t, a.Free())
		require.NoError(t, p.Free())
	}
	a := array(t, dev, mem.ArrayDesc{Width: w, Height: h}, make([]uint16, w*h))
	p, err := mem.AllocPitch[uint16](dev, w, h)
	require.NoError(t, err)
	var nobody *mem.Pitched[uint16]
	type place = mem.ArrayPlace[uint16]
	for what, c := range map[string]struct {
		src  place
		want error
	}{
		"a pitch of its own":  {place{Memory: p.Rows(), Pitch: 8}, mem.ErrInvalidValue},
		"below the last row":  {place{Memory: p.Rows(), Y: h - 1}, mem.ErrInvalidValue},
		"behind the elements": {place{Memory: mem.HostRows(make([]uint16, 3), 2, 2)}, mem.ErrInvalidValue},
		"wider than the rows": {place{Memory: mem.HostRows(make([]uint16, 9), 1, 9)}, mem.ErrInvalidPitch},
		"nil":                 {place{Memory: nobody.Rows()}, mem.ErrInvalidValue},
		"and a buffer":        {place{Memory: p.Rows(), Host: make([]uint16, 9)}, mem.ErrInvalidValue},
	} {
		assert.ErrorIs(t, mem.CopyArray(mem.ArrayCopy[uint16]{Dst: place{Array: a}, Src: c.src,
			Extent: mem.Extent{Width: 2, Height: 2}}), c.want, what)
	}
}

// Textures and array copies of memory from a pool keep to the order of streams, as copies of
// buffers do.
func TestArraysAndPools(t *testing.T) {
	dev := newDevice(1 << 20)
	s := &stream{device: dev}
	b, err := mem.AllocAsync[float32](s, 4)
	require.NoError(t, err)
	a := array(t, dev, mem.ArrayDesc{Width: 4}, []float32{1, 2, 3, 4})
	out := mem.ArrayCopy[float32]{Dst: mem.ArrayPlace[float32]{Buffer: b}, Src: mem.ArrayPlace[float32]{Array: a},
		Extent: mem.Extent{Width: 4}}
	assert.ErrorIs(t, mem.CopyArray(out), mem.ErrNotReady, "copy before the allocation")
	tex := texture[float32](t, b, mem.TextureDesc{})
	wantPanic(t, "fetch before the allocation", mem.ErrNotReady, func() { mem.Tex1Dfetch(tex, 0) })
	require.NoError(t, mem.CopyArrayAsync(s, out))
	s.run(t)
	assert.Equal(t, float32(4), mem.Tex1Dfetch(tex, 3))
	// What is queued before the free sees the memory, also if the free was called by then.
	var got float32
	require.NoError(t, mem.CopyArrayAsync(s, out))
	require.NoError(t, s.Enqueue(func() error { got = mem.Tex1Dfetch(tex, 2); return nil }))
	require.NoError(t, mem.FreeAsync(s, b))
	assert.ErrorIs(t, mem.CopyArrayAsync(s, out), mem.ErrFreed, "copy after the call of FreeAsync")
	_, err = mem.NewTexture[float32](b, mem.TextureDesc{})
	assert.ErrorIs(t, err, mem.ErrFreed, "texture after the call of FreeAsync")
	s.run(t)
	assert.Equal(t, float32(3), got, "queued before the free")
	wantPanic(t, "fetch after the free", mem.ErrFreed, func() { mem.Tex1Dfetch(tex, 0) })

	// A copy on a stream that did not wait.
	c, err := mem.AllocAsync[float32](s, 4)
	require.NoError(t, err)
	other := &stream{device: dev}
	out.Dst.Buffer = c
	require.NoError(t, mem.CopyArrayAsync(other, out))
	assert.ErrorIs(t, other.queue[0](), mem.ErrNotReady, "another stream, early")
	s.run(t)
	require.NoError(t, other.queue[0]())
	tex = texture[float32](t, c, mem.TextureDesc{})
	require.NoError(t, c.Free())
	wantPanic(t, "fetch after Free", mem.ErrFreed, func() { mem.Tex1Dfetch(tex, 0) })
}

// Page-locked memory that was unregistered is no texture any more.
func TestTextureOfMappedMemory(t *testing.T) {
	dev := newDevice(1 << 20)
	host := []int32{5, 6, 7}
	require.NoError(t, mem.HostRegister(host, mem.HostMapped))
	b, err := mem.MapHost(dev, host)
	require.NoError(t, err)
	tex := texture[int32](t, b, mem.TextureDesc{})
	assert.Equal(t, int32(6), mem.Tex1Dfetch(tex, 1))
	require.NoError(t, mem.HostUnregister(host))
	wantPanic(t, "after HostUnregister", mem.ErrFreed, func() { mem.Tex1Dfetch(tex, 0) })
}

// Arrays are in the memory of a device: others need peer access, for managed and page-locked memory
// nobody does.
func TestArrayCopiesAmongDevices(t *testing.T) {
	dev, peer := newDevice(1<<20), newDevice(1<<20)
	s, other := &stream{device: dev}, &stream{device: peer}
	a := array(t, dev, mem.ArrayDesc{Width: 2}, []int32{1, 2})
	far := filled(t, peer, int32(0), 0)
	managed, err := mem.AllocManaged[int32](peer, 2, mem.MemAttachGlobal)
	require.NoError(t, err)
	to := func(b *mem.Buffer[int32]) mem.ArrayCopy[int32] {
		return mem.ArrayCopy[int32]{Dst: mem.ArrayPlace[int32]{Buffer: b}, Src: mem.ArrayPlace[int32]{Array: a},
			Extent: mem.Extent{Width: 2}}
	}
	assert.ErrorIs(t, mem.CopyArray(to(far)), mem.ErrForeign, "no peers")
	require.NoError(t, mem.CopyArray(to(managed)))
	require.NoError(t, mem.CopyArrayAsync(s, to(managed)))
	require.NoError(t, mem.EnablePeerAccess(dev, peer))
	require.NoError(t, mem.CopyArray(to(far)))
	require.NoError(t, mem.CopyArrayAsync(s, to(far)))
	assert.ErrorIs(t, mem.CopyArrayAsync(other, to(far)), mem.ErrForeign, "the other's stream")
	s.run(t)
	slicetest.Equal(t, []int32{1, 2}, far.Data())
	slicetest.Equal(t, []int32{1, 2}, managed.Data())
}

// The vector types of package device are texels, and what fetches return.
func TestDeviceTypesAreTexels(t *testing.T) {
	for name, got := range map[string]struct {
		desc mem.ChannelDesc
		err  error
	}{
		"float1":  descOf[cuda.Float1](),
		"float2":  descOf[cuda.Float2](),
		"float4":  descOf[cuda.Float4](),
		"char4":   descOf[cuda.Char4](),
		"uchar1":  descOf[cuda.Uchar1](),
		"uchar2":  descOf[cuda.Uchar2](),
		"uchar4":  descOf[cuda.Uchar4](),
		"short2":  descOf[cuda.Short2](),
		"ushort4": descOf[cuda.Ushort4](),
		"int1":    descOf[cuda.Int1](),
		"int4":    descOf[cuda.Int4](),
		"uint2":   descOf[cuda.Uint2](),
		"half":    descOf[cuda.Half](),
		"half2":   descOf[cuda.Half2](),
	} {
		want := map[string]mem.ChannelDesc{
			"float1": {Kind: mem.ChannelFloat, Bits: 32, Channels: 1}, "float2": {Kind: mem.ChannelFloat, Bits: 32, Channels: 2},
			"float4": {Kind: mem.ChannelFloat, Bits: 32, Channels: 4},
			"char4":  {Kind: mem.ChannelSigned, Bits: 8, Channels: 4}, "uchar1": {Kind: mem.ChannelUnsigned, Bits: 8, Channels: 1},
			"uchar2": {Kind: mem.ChannelUnsigned, Bits: 8, Channels: 2}, "uchar4": {Kind: mem.ChannelUnsigned, Bits: 8, Channels: 4},
			"short2": {Kind: mem.ChannelSigned, Bits: 16, Channels: 2}, "ushort4": {Kind: mem.ChannelUnsigned, Bits: 16, Channels: 4},
			"int1": {Kind: mem.ChannelSigned, Bits: 32, Channels: 1}, "int4": {Kind: mem.ChannelSigned, Bits: 32, Channels: 4},
			"uint2": {Kind: mem.ChannelUnsigned, Bits: 32, Channels: 2},
			"half":  {Kind: mem.ChannelFloat, Bits: 16, Channels: 1}, "half2": {Kind: mem.ChannelFloat, Bits: 16, Channels: 2},
		}[name]
		assert.NoError(t, got.err, name)
		assert.Equal(t, want, got.desc, name)
	}
	for what, err := range map[string]error{
		"float3": descOf[cuda.Float3]().err, "double1": descOf[cuda.Double1]().err, "longlong2": descOf[cuda.Longlong2]().err,
	} {
		assert.ErrorIs(t, err, mem.ErrInvalidValue, what)
	}

	dev := newDevice(1 << 20)
	colors := array(t, dev, mem.ArrayDesc{Width: 2}, []cuda.Uchar4{{X: 255, Y: 0, Z: 51, W: 255}, {X: 0, Y: 255, Z: 51, W: 255}})
	linear := mem.TextureDesc{FilterMode: mem.FilterLinear, ReadMode: mem.ReadNormalizedFloat}
	assert.Equal(t, cuda.MakeFloat4(0.5, 0.5, 51/255.0, 1), mem.Tex1D(texture[cuda.Float4](t, colors, linear), 1), "uchar4 as normalized floats")
	assert.Equal(t, cuda.MakeUchar4(0, 255, 51, 255), mem.Tex1D(texture[cuda.Uchar4](t, colors, mem.TextureDesc{}), 1.5), "uchar4")
	halves := array(t, dev, mem.ArrayDesc{Width: 3}, []cuda.Half{cuda.Float2Half(-2), cuda.Float2Half(1), cuda.HalfInf})
	half := texture[float32](t, halves, mem.TextureDesc{FilterMode: mem.FilterLinear})
	assert.Equal(t, float32(-0.5), mem.Tex1D(half, 1), "between -2 and 1 in half precision")
	pairs := array(t, dev, mem.ArrayDesc{Width: 1}, []cuda.Half2{cuda.MakeHalf2(cuda.Float2Half(3), cuda.Float2Half(-4))})
	assert.Equal(t, cuda.MakeFloat2(3, -4), mem.Tex1D(texture[cuda.Float2](t, pairs, mem.TextureDesc{}), 0), "half2")
	surf := surface[cuda.Int4](t, array[cuda.Int4](t, dev, mem.ArrayDesc{Width: 2, Height: 2, Flags: mem.ArraySurfaceLoadStore}, nil))
	mem.Surf2Dwrite(cuda.MakeInt4(1, 2, 3, 4), surf, 16, 1, mem.BoundaryTrap)
	assert.Equal(t, cuda.MakeInt4(1, 2, 3, 4), mem.Surf2Dread(surf, 16, 1, mem.BoundaryTrap), "surface of int4")
}

func descOf[T any]() (d struct {
	desc mem.ChannelDesc
	err  error
}) {
	d.desc, d.err = mem.ChannelDescOf[T]()
	return d
}

var coefficients = mem.NewConstant[float32]("coefficients", 3, 0.25, 0.5, 0.25)

// Constant memory, textures of arrays and of pitched memory, and surfaces in one kernel, whatever
// runs it.
func TestSpacesTogetherInKernels(t *testing.T) {
	for name, opts := range map[string][]gocuda.Option{
		"coroutines": {gocuda.WithExecutor(gocuda.ExecutorCoroutine)},
		"goroutines": {gocuda.WithExecutor(gocuda.ExecutorGoroutine)},
		"checked":    {gocuda.WithChecked(true)},
		"one worker": {gocuda.WithWorkers(1)},
		"many":       {gocuda.WithWorkers(4)},
	} {
		t.Run(name, func(t *testing.T) {
			dev := kernelDevice(t, opts...)
			const w, h = 37, 11
			texels := make([]float32, w*h)
			for i := range texels {
				texels[i] = float32(i * i % 101)
			}
			p, err := mem.AllocPitch[float32](dev, w, h)
			require.NoError(t, err)
			require.NoError(t, mem.Copy2D(p.Rows(), mem.HostRows(texels, w, h), w, h))
			border := mem.TextureDesc{AddressMode: [3]mem.AddressMode{mem.AddressBorder, mem.AddressBorder}}
			out := array[float32](t, dev, mem.ArrayDesc{Width: w, Height: h, Flags: mem.ArraySurfaceLoadStore}, nil)
			sums := array[float32](t, dev, mem.ArrayDesc{Width: w, Height: h, Flags: mem.ArraySurfaceLoadStore}, nil)
			tex, surf := texture[float32](t, p, border), surface[float32](t, out)
			tex2, surf2 := texture[float32](t, out, border), surface[float32](t, sums)
			c, err := coefficients.On(dev)
			require.NoError(t, err)
			s := dev.NewStream()
			cfg := grid.Config{Grid: grid.Dim3{X: 3, Y: 2}, Block: grid.Dim3{X: 16, Y: 8}}
			// A separable filter: rows, then columns of what that gave.
			require.NoError(t, s.LaunchFunc(cfg, func(t *gocuda.Thread) {
				x, y := t.GlobalX(), t.GlobalY()
				t.SyncThreads()
				sum := float32(0)
				for k := range c.Len() {
					sum += c.At(k) * mem.Tex2D(tex, float32(x+k)-0.5, float32(y)+0.5)
				}
				mem.Surf2Dwrite(sum, surf, 4*x, y, mem.BoundaryZero)
			}))
			require.NoError(t, s.LaunchFunc(cfg, func(t *gocuda.Thread) {
				x, y := t.GlobalX(), t.GlobalY()
				sum := float32(0)
				for k := range c.Len() {
					sum += c.At(k) * mem.Tex2D(tex2, float32(x)+0.5, float32(y+k)-0.5)
				}
				mem.Surf2Dwrite(sum, surf2, 4*x, y, mem.BoundaryZero)
			}))
			got := make([]float32, w*h)
			require.NoError(t, mem.CopyFromArrayAsync(s, got, sums))
			require.NoError(t, s.Synchronize(t.Context()))
			at := func(x, y int) float32 {
				if x < 0 || x >= w || y < 0 || y >= h {
					return 0
				}
				return texels[y*w+x]
			}
			slicetest.Each(t, func(k int) float32 {
				want := float32(0) // all of it is exact
				for j := range 3 {
					for i := range 3 {
						want += float32((1+i&1)*(1+j&1)) / 16 * at(k%w+i-1, k/w+j-1)
					}
				}
				return want
			}, got)
		})
	}
}

// A stream that refuses a free, as a closed one does, leaves the memory as it is; one that drops it
// has freed it.
func TestTexturesAndFreesThatDoNotTakePlace(t *testing.T) {
	dev := newDevice(1 << 20)
	s := &stream{device: dev}
	b, err := mem.AllocAsync[int32](s, 4)
	require.NoError(t, err)
	s.run(t)
	require.NoError(t, mem.CopyToDevice(b, []int32{1, 2, 3, 4}))
	tex := texture[int32](t, b, mem.TextureDesc{})
	s.refuse = errors.ErrUnsupported
	assert.ErrorIs(t, mem.FreeAsync(s, b), errors.ErrUnsupported, "refused")
	s.refuse = nil
	for range 10 {
		runtime.GC()
		require.Equal(t, int32(3), mem.Tex1Dfetch(tex, 2))
	}
	require.NoError(t, mem.FreeAsync(s, b))
	s.queue = nil // as a stream that has failed
	gone := func() (err error) {
		defer func() { err, _ = recover().(error) }()
		mem.Tex1Dfetch(tex, 2)
		return nil
	}
	for deadline := time.Now().Add(10 * time.Second); gone() == nil && time.Now().Before(deadline); {
		runtime.GC()
	}
	assert.ErrorIs(t, gone(), mem.ErrFreed, "dropped")
}
