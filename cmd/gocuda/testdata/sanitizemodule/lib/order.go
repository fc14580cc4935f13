package lib

import "github.com/gocuda/gocuda/gocuda"

func next(i *int) int32 {
	*i++
	return int32(*i)
}

// Order has expressions whose value depends on when Go's compiler reads a variable beside a call that changes it.
func Order(t *gocuda.Thread, a, out []int32) {
	i := 0
	out[0] = a[i] + next(&i)
	p := [][]int32{a, a[1:]}
	j := 0
	out[1] = p[j][i]*100 + next(&j)
	out[j], out[j+2] = a[i]*10, next(&i)
	b := []int{0, 1, 2, 3}
	change := func() int32 { b[1] = 3; return 5 }
	out[4] = a[b[1]] + change()
	out[5] += a[i&3] - next(&i)
}
