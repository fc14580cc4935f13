package rt_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gocuda/gocuda/gocuda/rt"
)

func TestSmall(t *testing.T) {
	for _, bits := range []uint{18, 28, 40} {
		limit := new(big.Int).Lsh(big.NewInt(1), bits)
		for _, n := range []int{0, 1, -1, 1 << 18, -1 << 18, 1<<18 - 1, -1<<18 - 1, 1 << 28, -1 << 28, 1<<28 - 1, math.MaxInt, math.MinInt, math.MaxInt32} {
			x := big.NewInt(int64(n))
			want := x.Cmp(limit) < 0 && x.Cmp(new(big.Int).Neg(limit)) >= 0
			assert.Equal(t, want, rt.Small(n, bits), "%d, %d bits", n, bits)
		}
	}
}

// Slices are apart if no element of the one is an element of the other.
func TestApart(t *testing.T) {
	all := make([]int32, 12)
	for a := range all {
		for b := range all {
			x, y := all[a:min(a+3, 12)], all[b:min(b+4, 12)]
			common := a < b+len(y) && b < a+len(x)
			assert.Equal(t, !common, rt.Apart(x, y), "%d and %d", a, b)
		}
	}
	assert.True(t, rt.Apart(all, make([]float64, 3)))
	assert.True(t, rt.Apart(all, []float64(nil)))
	assert.True(t, rt.Apart[int32, int32](nil, nil))
}

// What is said of the machine is a width for which there are forms.
func TestVectorBytes(t *testing.T) {
	may := map[string][]int{"amd64": {0, 32, 64}, "arm64": {0, 16}}[runtime.GOARCH] // elsewhere kernels are plain Go
	assert.Contains(t, append(may, 0), rt.VectorBytes())
	assert.Equal(t, 1, rt.Bit(true))
	assert.Equal(t, 0, rt.Bit(false))
}

// Calls take whole vectors, and no more of them than are done in some milliseconds.
func TestStrip(t *testing.T) {
	for work := 1.0; work <= rt.MostWork; work *= 3 {
		n := rt.Strip(work)
		assert.Zero(t, n%64)
		assert.GreaterOrEqual(t, n, 64)
		assert.True(t, n == 64 || float64(n)*work <= 1<<23, "%d threads of %g rounds", n, work)
	}
}

// What is left of a box is in it, and lacks only threads that it may be without.
func TestTrim(t *testing.T) {
	inside := func(w [4]int, x, y int) bool { return w[0] <= x && x < w[1] && w[2] <= y && y < w[3] }
	kept, lost := 0, 0
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		box := [4]int{r.IntN(4), 0, r.IntN(4), 0}
		box[1], box[3] = box[0]+r.IntN(6)-1, box[2]+r.IntN(6)-1
		without := make([][4]int, r.IntN(4))
		for i := range without {
			x, y := r.IntN(9)-1, r.IntN(9)-1
			without[i] = [4]int{x, x + r.IntN(5), y, y + r.IntN(5)}
			if r.IntN(2) == 0 { // a side of the box, whole
				without[i][2], without[i][3] = -1, 20
			}
		}
		got := rt.Trim(box[0], box[1], box[2], box[3], without...)
		for y := got[2]; y <= got[3]; y++ {
			for x := got[0]; x <= got[1]; x++ {
				assert.True(t, box[0] <= x && x <= box[1] && box[2] <= y && y <= box[3], "%v of %v", got, box)
			}
		}
		outside := func(x, y int) bool {
			for _, w := range without {
				if inside(w, x, y) {
					return true
				}
			}
			return false
		}
		for y := box[2]; y <= box[3]; y++ {
			for x := box[0]; x <= box[1]; x++ {
				if got[0] <= x && x <= got[1] && got[2] <= y && y <= got[3] {
					kept++
				} else {
					lost++
					assert.True(t, outside(x, y), "%v of %v without %v has lost %d, %d", got, box, without, x, y)
				}
			}
		}
	}
	assert.Greater(t, kept, 1000)
	assert.Greater(t, lost, 1000, "nothing is ever trimmed")
}

// Sums are added to what the slice has; without sums it stays as it is.
func TestAddTo(t *testing.T) {
	to := []int32{5, 0, -3}
	rt.AddTo(to, []int32{1, 0, 4})
	rt.AddTo(to, nil)
	assert.Equal(t, []int32{6, 0, 1}, to)
	assert.True(t, rt.Private(256, 1024, 1024))
	for _, no := range [][3]int{{256, 1024, 1023}, {1025, 1024, 1 << 20}, {0, 1024, 1 << 20}} {
		assert.False(t, rt.Private(no[0], no[1], no[2]), no)
	}
}

// Of the threads that a guard lets pass, all that are left fulfil a condition; and all threads are left if all
// that pass do.
func TestWithinGuards(t *testing.T) {
	const n = 6
	for from := -1; from <= n+1; from++ {
		for to := -1; to <= n+1; to++ {
			for first := -1; first <= n+1; first++ {
				for end := -1; end <= n+1; end++ {
					holds := func(x int) bool { return from <= x && x < to }
					all, none, some := true, true, false
					for x := max(0, first); x < min(n, end); x++ {
						all, none, some = all && holds(x), none && !holds(x), true
					}
					left := rt.Inside(max(0, rt.After(from, first)), min(n, rt.Before(to, end)))
					without := rt.Inside(0, n, rt.Between(from, to, first, end))
					for x := max(0, first); x < min(n, end); x++ {
						if left[0] <= x && x < left[1] {
							assert.True(t, holds(x), "thread %d is not in [%d, %d)", x, from, to)
						}
						if without[0] <= x && x < without[1] {
							assert.False(t, holds(x), "thread %d is in [%d, %d)", x, from, to)
						}
					}
					if all && some {
						assert.Equal(t, [2]int{0, n}, left)
					}
					if none && some {
						assert.Equal(t, [2]int{0, n}, without)
					}
				}
			}
		}
	}
}
