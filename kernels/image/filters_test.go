package image_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/kernels/image"
)

func TestGaussian(t *testing.T) {
	for _, sigma := range []float64{0.3, 1, 2.5, 40, 1e9} {
		for _, radius := range []int{0, 1, 7, 100} {
			f, err := image.Gaussian(radius, sigma)
			if err != nil || len(f) != 2*radius+1 {
				t.Fatal(len(f), err)
			}
			sum := 0.0
			for k, v := range f {
				sum += float64(v)
				d := float64(k-radius) / sigma
				if want := float64(f[radius]) * math.Exp(-d*d/2); !(math.Abs(float64(v)-want) <= 3*ulp*want+1e-45) {
					t.Errorf("radius %d, sigma %v: element %d is %v, want %v", radius, sigma, k, v, want)
				}
			}
			if !(math.Abs(sum-1) <= float64(len(f))*ulp) {
				t.Errorf("radius %d, sigma %v: the sum is %v", radius, sigma, sum)
			}
		}
	}
	// Far narrower than a pixel it is an impulse.
	if f, err := image.Gaussian(1, 5e-324); err != nil || f[0] != 0 || f[1] != 1 || f[2] != 0 {
		t.Error(f, err)
	}
}

func TestBox(t *testing.T) {
	for _, radius := range []int{0, 1, 50} {
		f, err := image.Box(radius)
		if err != nil || len(f) != 2*radius+1 {
			t.Fatal(len(f), err)
		}
		for _, v := range f {
			if v != 1/float32(2*radius+1) {
				t.Errorf("radius %d: %v", radius, v)
			}
		}
	}
}

func TestFiltersRefuseBadArguments(t *testing.T) {
	for _, a := range []struct {
		radius int
		sigma  float64
	}{{-1, 1}, {math.MaxInt, 1}, {1, 0}, {1, -1}, {1, math.NaN()}, {1, math.Inf(1)}} {
		if _, err := image.Gaussian(a.radius, a.sigma); !errors.Is(err, gocuda.ErrInvalidValue) {
			t.Errorf("%v: %v", a, err)
		}
	}
	for _, radius := range []int{-1, math.MaxInt} {
		if _, err := image.Box(radius); !errors.Is(err, gocuda.ErrInvalidValue) {
			t.Errorf("%v: %v", radius, err)
		}
	}
}

func ExampleGaussian() {
	f, err := image.Gaussian(2, 0.8)
	fmt.Printf("%.3f %v\n", f, err)
	// Output: [0.022 0.229 0.499 0.229 0.022] <nil>
}

func ExampleBox() {
	fmt.Println(image.Box(2))
	// Output: [0.2 0.2 0.2 0.2 0.2] <nil>
}
