//go:build !amd64 && !arm64

package gocuda

import "runtime"

// self returns the number that the calling goroutine has in the text of its stack: "goroutine 18
// [running]:".
func self() uintptr {
	var text [32]byte
	n := uintptr(0)
	for _, c := range text[len("goroutine "):runtime.Stack(text[:], false)] {
		if c < '0' || c > '9' {
			break
		}
		n = n*10 + uintptr(c-'0')
	}
	return n
}

// onStack implements observe.OnStack: here it can't tell.
func onStack(uintptr) bool { return false }
