package nbody

import (
	"context"
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
	"github.com/gocuda/gocuda/kernels/internal/chunk"
	"github.com/gocuda/gocuda/mem"
)

// A Method is a way to meet all other bodies. All give the same accelerations, up to rounding.
type Method int

// The methods, in the order of the texts.
const (
	Global   Method = iota // one thread a body, from global memory
	Tiled                  // through tiles in shared memory
	Several                // through tiles, with four threads a body
	Constant               // through chunks that fit constant memory, a launch for each
	Shuffle                // through tiles in the registers of a warp
	Blocks                 // through tiles, by a block kernel written for processors
)

// String names the method.
func (m Method) String() string {
	switch m {
	case Global:
		return "global"
	case Tiled:
		return "tiled"
	case Several:
		return "several"
	case Constant:
		return "constant"
	case Shuffle:
		return "shuffle"
	case Blocks:
		return "blocks"
	}
	return fmt.Sprintf("Method(%d)", int(m))
}

// Accelerations sets acc[i] to the acceleration of bodies[i] by all others. eps is the softening
// length, 0 or more.
func Accelerations[T kernels.Float](ctx context.Context, on kernels.Launcher, method Method, eps T, bodies []Body[T], acc []kernels.Vec3[T]) error {
	if err := valid(method, eps, bodies, acc); err != nil {
		return err
	}
	return accelerations(ctx, on, method, eps, bodies, bodies, acc)
}

// valid returns an error unless the arguments of Accelerations make sense.
func valid[T kernels.Float](method Method, eps T, bodies []Body[T], acc []kernels.Vec3[T]) error {
	if method < Global || method > Blocks {
		return check.Invalid("n-body", "%v", method)
	}
	if !(eps >= 0) {
		return check.Invalid("n-body", "softening %v", eps)
	}
	return check.Lengths("n-body, accelerations", len(bodies), len(acc))
}

// maxGrid is the number of blocks that every device can launch along x. More bodies are several
// launches.
const maxGrid = 65535

// accelerations sets acc to the accelerations of own by bodies.
func accelerations[T kernels.Float](ctx context.Context, on kernels.Launcher, method Method, eps T, own, bodies []Body[T], acc []kernels.Vec3[T]) error {
	eps2, width := eps*eps, tileThreads
	if method == Several {
		width = severalBodies
	}
	for len(own) > 0 {
		n := min(len(own), maxGrid*width)
		cfg, me, a := grid.Linear(n, width), own[:n], acc[:n]
		var err error
		switch method {
		case Global:
			err = on.Launch(ctx, cfg, globalKernel(eps2, me, bodies, a))
		case Tiled:
			err = on.Launch(ctx, cfg, tiledKernel(eps2, me, bodies, a))
		case Several:
			cfg.Block.Y = severalThreads
			err = on.Launch(ctx, cfg, severalKernel(eps2, me, bodies, a))
		case Constant:
			err = chunk.New[Body[T]](on).Each(bodies, func(first bool, part mem.ReadOnly[Body[T]]) error {
				return on.Launch(ctx, cfg, constantKernel(first, eps2, me, part, a))
			})
		case Shuffle:
			err = on.Launch(ctx, cfg, shuffledKernel(eps2, me, bodies, a))
		case Blocks:
			err = on.Launch(ctx, cfg, gocuda.BlockFunc(func(b *gocuda.Block) { accelerateBlock(b, eps2, me, bodies, a) }))
		}
		if err != nil {
			return err
		}
		own, acc = own[n:], acc[n:]
	}
	return nil
}
