package cg

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
)

// MemcpyAsync copies src to dst, each thread of the group a part: CUDA's cg::memcpy_async. When it
// returns, the part of the calling thread is copied, which CUDA permits; after [Wait] the parts of
// the other threads are copied too. dst and src must be the same in all threads. A dst that is
// shorter than src is a [gocuda.ErrInvalidValue].
func MemcpyAsync[T any](g Group, dst, src []T) {
	if len(dst) < len(src) {
		panic(fmt.Errorf("%w: MemcpyAsync of %d elements to %d", gocuda.ErrInvalidValue, len(src), len(dst)))
	}
	for i := g.ThreadRank(); i < len(src); i += g.Size() {
		dst[i] = src[i]
	}
}

// Wait waits for all copies of the group: CUDA's cg::wait.
func Wait(g Group) { g.Sync() }
