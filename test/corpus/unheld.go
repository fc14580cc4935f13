//go:build compiled

package corpus

import (
	"math"
	"runtime"
)

// unheld is what a conversion to int32 gives for a float that no int32 is near: the least one by
// CVTTSS2SI of amd64, the nearest one and 0 for NaN by FCVTZS of arm64.
func unheld(y float32) int32 {
	switch {
	case runtime.GOARCH != "arm64" || y < 0:
		return math.MinInt32
	case y > 0:
		return math.MaxInt32
	}
	return 0
}
