package sparse_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/floats"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/kerneltest"
	"github.com/gocuda/gocuda/kernels/sparse"
)

func wide(v []float32) []float64 {
	w := make([]float64, len(v))
	for i, e := range v {
		w[i] = float64(e)
	}
	return w
}

func TestDotAgainstGonum(t *testing.T) {
	sizes := append(kerneltest.Around(256), 8191, 8192, 8193, 50021)
	for _, dev := range kerneltest.Devices(t) {
		for _, n := range dev.Sizes(sizes, 9) {
			x, y := kerneltest.Uniform[float32](n), kerneltest.Uniform[float32](n + 1)[:n]
			want, size := 0.0, 0.0
			if n > 0 {
				want = floats.Dot(wide(x), wide(y)) // products of float32 are exact in float64, sums nearly
				for i := range x {
					size += math.Abs(float64(x[i]) * float64(y[i]))
				}
			}
			got, err := sparse.Dot(t.Context(), dev, x, y)
			if err != nil {
				t.Fatal(err)
			}
			// The bound of the comment of Dot.
			if e := math.Abs(got - want); !(e <= 42*0x1p-24*size) {
				t.Errorf("%s, n=%d: %v, want %v", dev.Name, n, got, want)
			}
			// n roundings in float64 of each.
			if e := math.Abs(sparse.DotSerial(x, y) - want); !(e <= 2*float64(n)*0x1p-53*size) {
				t.Errorf("serial, n=%d: off by %g", n, e)
			}
		}
	}
}

func TestAXPYAgainstBLAS(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		for _, n := range dev.Sizes(kerneltest.Around(256), 9) {
			const a = -1.25
			x, y := kerneltest.Uniform[float32](n), kerneltest.Uniform[float32](n + 1)[:n]
			want, axpy, xpay := append([]float32{}, y...), append([]float32{}, y...), append([]float32{}, y...)
			axpySerial, xpaySerial := append([]float32{}, y...), append([]float32{}, y...)
			if n > 0 {
				blas32.Axpy(a, blas32.Vector{N: n, Data: x, Inc: 1}, blas32.Vector{N: n, Data: want, Inc: 1})
			}
			if err := sparse.AXPY(t.Context(), dev, a, x, axpy); err != nil {
				t.Fatal(err)
			}
			if err := sparse.XPAY(t.Context(), dev, a, x, xpay); err != nil {
				t.Fatal(err)
			}
			sparse.AXPYSerial(a, x, axpySerial)
			sparse.XPAYSerial(a, x, xpaySerial)
			for i := range want {
				// |a x| and the result are below 4: two roundings of at most 2^-23, for each of the two sides.
				if !(math.Abs(float64(axpy[i]-want[i])) <= 4*0x1p-23) || !(math.Abs(float64(axpySerial[i]-want[i])) <= 4*0x1p-23) {
					t.Fatalf("%s, n=%d: axpy[%d] = %v, serial %v, want %v", dev.Name, n, i, axpy[i], axpySerial[i], want[i])
				}
				w := float64(x[i]) + a*float64(y[i])
				if !(math.Abs(float64(xpay[i])-w) <= 2*0x1p-23) || !(math.Abs(float64(xpaySerial[i])-w) <= 2*0x1p-23) {
					t.Fatalf("%s, n=%d: xpay[%d] = %v, serial %v, want %v", dev.Name, n, i, xpay[i], xpaySerial[i], w)
				}
			}
		}
	}
}

// More elements than one launch of the largest grid of the first generation has threads.
func TestAXPYOfManyElements(t *testing.T) {
	if testing.Short() || kerneltest.Devices(t)[0].Slow {
		t.Skip("long")
	}
	dev, err := gocuda.NewDevice(gocuda.WithGeneration(gocuda.G80))
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	x, y := make([]float32, 65535*256+3), make([]float32, 65535*256+3)
	for i := range x {
		x[i] = float32(i % 1024)
	}
	if err := sparse.AXPY(t.Context(), dev, 2, x, y); err != nil {
		t.Fatal(err)
	}
	for i := range y {
		if y[i] != 2*x[i] {
			t.Fatalf("y[%d] = %v, want %v", i, y[i], 2*x[i])
		}
	}
}

func TestVectorsOnAStream(t *testing.T) {
	s := gocuda.Default().NewStream()
	defer s.Close()
	on, x, y := kernels.OnStream(s), []float32{1, 2, 3}, []float32{10, 20, 30}
	for _, err := range []error{
		sparse.AXPY(t.Context(), on, 2, x, y), // 12 24 36
		sparse.XPAY(t.Context(), on, 2, x, y),
		s.Synchronize(t.Context()),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if y[0] != 25 || y[1] != 50 || y[2] != 75 {
		t.Error(y)
	}
	if _, err := sparse.Dot(t.Context(), on, x, y); !errors.Is(err, gocuda.ErrNotSupported) {
		t.Error(err)
	}
}

func TestVectorsRefuseDifferentLengths(t *testing.T) {
	ctx, dev, v := t.Context(), gocuda.Default(), make([]float32, 4)
	_, err := sparse.Dot(ctx, dev, v, v[:3])
	for _, err := range []error{err, sparse.AXPY(ctx, dev, 1, v, v[:3]), sparse.XPAY(ctx, dev, 1, nil, v)} {
		if !errors.Is(err, gocuda.ErrInvalidValue) {
			t.Error(err)
		}
	}
}

func ExampleDot() {
	d, err := sparse.Dot(context.Background(), gocuda.Default(), []float32{1, 2, 3}, []float32{4, 5, 6})
	fmt.Println(d, err)
	// Output: 32 <nil>
}

func ExampleAXPY() {
	y := []float32{1, 1, 1}
	err := sparse.AXPY(context.Background(), gocuda.Default(), 10, []float32{1, 2, 3}, y)
	fmt.Println(y, err)
	// Output: [11 21 31] <nil>
}

func ExampleXPAY() {
	y := []float32{1, 1, 1}
	err := sparse.XPAY(context.Background(), gocuda.Default(), 10, []float32{1, 2, 3}, y)
	fmt.Println(y, err)
	// Output: [11 12 13] <nil>
}
