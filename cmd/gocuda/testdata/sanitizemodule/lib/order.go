package lib

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
)

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

type cell struct{ v *int32 }

// Panics has assignments that panic in two places, or after a call, and says which panic came first and what the calls have done.
func Panics(t *gocuda.Thread, a []int32) (texts []string) {
	try := func(f func()) {
		defer func() { texts = append(texts, fmt.Sprint(recover())) }()
		f()
	}
	n, calls := len(a), 0
	var none *int32
	var nothing cell
	call := func() int32 { calls++; return 7 }
	try(func() { a[n] = a[n+1] })
	try(func() { a[n+1] = a[n] / a[0] })
	try(func() { a[n] = call() })
	try(func() { a[int(call())+n] = a[n+1] })
	try(func() { *none = a[n+2] })
	try(func() { *nothing.v = a[n+3] })
	try(func() { a[n] += a[n+4] })
	try(func() { a[0] = a[1] / (a[1] - a[1]) })
	return append(texts, fmt.Sprint(calls))
}
