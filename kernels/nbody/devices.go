package nbody

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// Several devices (The CUDA Handbook, 9.5.2, 9.6 and 14.6). All pairs are easily shared: each
// device computes the accelerations of a part of the bodies, for which it needs the places of all
// of them. The Handbook has a thread of the host for each device, which feeds it and waits for it;
// here that is a goroutine. What CUDA programs do besides, copying the places to each device and
// the accelerations back, falls away, as all devices see the same memory.

// AccelerationsOn is [Accelerations] on several devices, which may be of different kinds, and the
// same more than once. Each has the same share of the bodies. When one fails the others are
// stopped. The error joins those of the devices that failed by themselves, each with its number in
// the list; when AccelerationsOn returns, all have ended.
//
// It waits for the devices, so none can be a stream.
func AccelerationsOn[T kernels.Float](ctx context.Context, devices []kernels.Launcher, method Method, eps T, bodies []Body[T], acc []kernels.Vec3[T]) error {
	if err := devicesValid(devices); err != nil {
		return err
	}
	if err := valid(method, eps, bodies, acc); err != nil {
		return err
	}
	return each(ctx, devices, len(bodies), func(ctx context.Context, on kernels.Launcher, from, to int) error {
		return accelerations(ctx, on, method, eps, bodies[from:to], bodies, acc[from:to])
	})
}

// LeapfrogOn is [Leapfrog] on several devices, with errors as in [AccelerationsOn].
func LeapfrogOn[T kernels.Float](ctx context.Context, devices []kernels.Launcher, method Method, steps int, dt, eps T, bodies []Body[T], vel, acc []kernels.Vec3[T]) error {
	if err := devicesValid(devices); err != nil {
		return err
	}
	return leapfrog(ctx, devices, method, steps, dt, eps, bodies, vel, acc)
}

func devicesValid(devices []kernels.Launcher) error {
	if len(devices) == 0 {
		return check.Invalid("n-body", "no device")
	}
	for i, on := range devices {
		if on == nil {
			return check.Invalid("n-body", "device %d is nil", i)
		}
		if err := kernels.Waits("n-body on several devices", on); err != nil {
			return err
		}
	}
	return nil
}

// each calls f for each device with its part of n bodies, all at the same time, and waits for all
// of them. With one device alone it just calls f, so that a stream can queue what f launches.
func each(ctx context.Context, devices []kernels.Launcher, n int, f func(ctx context.Context, on kernels.Launcher, from, to int) error) error {
	k := len(devices)
	if k == 1 {
		return f(ctx, devices[0], 0, n)
	}
	group, ctx := errgroup.WithContext(ctx)
	errs := make([]error, k)
	for i, on := range devices {
		group.Go(func() error {
			// The first n%k devices have one body more than the others.
			from, to := n/k*i+min(i, n%k), n/k*(i+1)+min(i+1, n%k)
			err := f(ctx, on, from, to)
			if err != nil {
				errs[i] = fmt.Errorf("device %d: %w", i, err)
			}
			return errs[i] // which stops the others
		})
	}
	first := group.Wait()
	for i, err := range errs {
		if err != first && errors.Is(err, first) {
			errs[i] = nil // it only stopped
		}
	}
	return errors.Join(errs...)
}
