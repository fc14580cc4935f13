package gocuda

// The votes, and what they have in common with all warp operations: mask names the lanes that take
// part. Every lane that it names must call the same operation with the same mask, unless it has
// returned; the call waits for them and for nobody else. The caller must be in its mask, or the kernel
// fails with [ErrInvalidMask].

// SyncWarp waits for the lanes in mask and orders their memory accesses, CUDA's __syncwarp.
func (t *Thread) SyncWarp(mask uint32) {
	t.mayWait(opSyncWarp)
	t.meetWarp(opSyncWarp, mask, false, 0, 0, nil)
}

// BallotSync returns the set of lanes in mask whose pred is true, CUDA's __ballot_sync. Lanes that
// have returned are not in it.
func (t *Thread) BallotSync(mask uint32, pred bool) uint32 {
	t.mayWait(opBallot)
	return uint32(t.meetWarp(opBallot, mask, pred, 0, 0, nil).bits)
}

// AllSync reports whether pred is true for all lanes in mask that have not returned, CUDA's
// __all_sync.
func (t *Thread) AllSync(mask uint32, pred bool) bool {
	t.mayWait(opAll)
	return t.meetWarp(opAll, mask, pred, 0, 0, nil).bits != 0
}

// AnySync reports whether pred is true for any lane in mask, CUDA's __any_sync.
func (t *Thread) AnySync(mask uint32, pred bool) bool {
	t.mayWait(opAny)
	return t.meetWarp(opAny, mask, pred, 0, 0, nil).bits != 0
}

// ActiveMask returns the lanes of the warp that are together with the caller at this call, CUDA's
// __activemask. CUDA promises nothing more than that the caller is among them; here they are all
// lanes that come to this place of the program before they wait elsewhere or return, which is what a
// warp in lockstep would give. It is no barrier and orders no memory.
func (t *Thread) ActiveMask() uint32 {
	t.mayWait(opActiveMask)
	return t.activeMask(caller(2))
}

// ActiveMaskFrom is [Thread.ActiveMask] for a function that asks on behalf of its caller: lanes are
// together if they come from the same call of it. skip says how many callers there are in between,
// 0 for the caller of ActiveMaskFrom itself, as in runtime.Caller.
func (t *Thread) ActiveMaskFrom(skip int) uint32 {
	t.mayWait(opActiveMask)
	return t.activeMask(caller(2 + skip))
}
