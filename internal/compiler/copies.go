package compiler

// Copies: a whole block whose threads do nothing but copy rows, as where a tile is loaded, is a call for each
// array that is filled. What such a loop waits for is memory, so it counts how many loads are under way at once: the
// processor looks some hundreds of instructions ahead, and of the loop that Go makes eleven are for one load. A transpose in
// tiles of 32 by 32 does a fifth more so.

// A rowCopy goes from one slice to another; start and from are the indices of its first elements.
type rowCopy struct{ dst, start, src, from string }

// intoShared reports whether all copies go from global to shared memory, so that none reads what another one writes.
func (b *body) intoShared(list []rowCopy) bool {
	renamed := map[*Var]bool{} // what stands for something else at times
	walk(b.k.Body, func(s Stmt) {
		if a, ok := s.(*Assign); ok {
			for _, l := range a.L {
				if r, ok := l.(*VarRef); ok {
					renamed[r.V] = true
				}
			}
		}
	})
	dst, src := map[string]bool{}, map[string]bool{}
	for _, v := range b.k.Vars {
		dst[b.name(v)] = b.k.allocated()[v] && !renamed[v]
		src[b.name(v)] = v.Param && !renamed[v]
	}
	for _, c := range list {
		if !dst[c.dst] || !src[c.src] {
			return false
		}
	}
	return true
}
