// Package structs is structs that become their fields, and helpers that become part of the kernel.
package structs

import "github.com/gocuda/gocuda/gocuda"

type point struct{ X, Y float32 }

func (p point) plus(q point) point { return point{p.X + q.X, p.Y + q.Y} }

func (p *point) scale(k float32) {
	p.X *= k
	p.Y *= k
}

// place returns the thread's element, and whether there is one.
func place(t *gocuda.Thread, n int) (i int, ok bool) {
	i = t.GlobalX()
	if i >= n {
		return 0, false
	}
	return i, true
}

//gocuda:kernel
func move(t *gocuda.Thread, at, speed []point, dt float32) {
	i, ok := place(t, len(at))
	if !ok {
		return
	}
	v := speed[i]
	v.scale(dt)
	at[i] = at[i].plus(v)
}
