package device_test

import (
	"fmt"
	"math"

	"github.com/gocuda/gocuda/device"
)

// Interval arithmetic is what the directed modes are for: the exact sum is between the two.
func ExampleFaddRD() {
	low, high := float32(0), float32(0)
	for range 1000 {
		low, high = device.FaddRD(low, 0.1), device.FaddRU(high, 0.1)
	}
	exact := 1000 * float64(float32(0.1))
	fmt.Println(float64(low) < exact, exact < float64(high))
	fmt.Println(math.Signbit(float64(device.FaddRD(1, -1))))
	// Output:
	// true true
	// true
}

func ExampleFloat2IntRN() {
	fmt.Println(device.Float2IntRN(2.5), device.Float2IntRZ(2.5), device.Float2IntRU(2.5), device.Float2IntRD(2.5))
	fmt.Println(device.Float2IntRN(1e10), device.Float2UintRN(-1))
	nan := float32(math.NaN())
	fmt.Printf("%d %#x %#x\n", device.Float2IntRN(nan), device.Double2UintRN(math.NaN()), device.Float2ULLRN(nan))
	// Output:
	// 2 2 3 2
	// 2147483647 0
	// 0 0x80000000 0x8000000000000000
}

func ExampleHalf() {
	a, b := device.Float2Half(0.1), device.Float2Half(2048)
	fmt.Println(device.Half2Float(a))
	fmt.Println(device.Half2Float(device.Hadd(b, device.HalfOne)), device.Half2Float(device.Hmul(b, b)))
	fmt.Printf("%#04x\n", uint16(device.Hmul(b, b)))
	// Output:
	// 0.099975586
	// 2048 +Inf
	// 0x7c00
}

func ExampleHalf2() {
	a, b := device.Floats2Half2RN(1, 2), device.Float2Half2RN(3)
	sum := device.Hadd2(a, b)
	fmt.Println(device.Low2Float(sum), device.High2Float(sum))
	fmt.Printf("%08x\n", device.Hgt2Mask(a, device.Float2Half2RN(1.5)))
	// Output:
	// 4 5
	// ffff0000
}
