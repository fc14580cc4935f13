package gocuda

import "fmt"

// A device with the limits of a GPU refuses operations that the GPU does not have. The compute
// capabilities are those of table 8.1 of The CUDA Handbook and of the CUDA C++ Programming Guide's
// table "Feature Support per Compute Capability"; those of barriers with numbers are from the PTX
// manual (bar).

// since has the first compute capability with each operation of threads. Operations that are not
// listed are on all devices.
var since = map[op]Capability{
	opAll: {1, 2}, opAny: {1, 2},
	opBallot: {2, 0}, opSyncThreadsCount: {2, 0}, opSyncThreadsAnd: {2, 0}, opSyncThreadsOr: {2, 0},
	opBarSync: {2, 0}, opBarRedCount: {2, 0}, opBarRedAnd: {2, 0}, opBarRedOr: {2, 0},
	opShfl: {3, 0}, opShflUp: {3, 0}, opShflDown: {3, 0}, opShflXor: {3, 0},
	opMatchAny: {7, 0}, opMatchAll: {7, 0}, opNanosleep: {7, 0}, opBarrierWait: {7, 0}, opBarrierTry: {7, 0},
	opReduceAdd: {8, 0}, opReduceMin: {8, 0}, opReduceMax: {8, 0}, opReduceMinU: {8, 0}, opReduceMaxU: {8, 0},
	opReduceAnd: {8, 0}, opReduceOr: {8, 0}, opReduceXor: {8, 0},
	opPrint: {2, 0}, opAssert: {2, 0}, opMalloc: {2, 0}, opSpace: {2, 0},
}

// lacking returns the operations that devices of capability c don't have, a bit for each.
func lacking(c Capability) (ops uint64) {
	for o, first := range since {
		if c.before(first) {
			ops |= 1 << o
		}
	}
	return ops
}

func (c Capability) before(other Capability) bool {
	return c.Major < other.Major || c.Major == other.Major && c.Minor < other.Minor
}

// require panics if the device has no operation of this kind.
func (b *Block) require(kind op) {
	if b.lacks>>kind&1 == 0 {
		return
	}
	p := &b.launch.dev.props
	panic(fmt.Errorf("%w: %v is there since compute capability %v, %s has %d.%d", ErrNotSupported, kind, since[kind], p.Name, p.Major, p.Minor))
}

// votes are the barriers with votes, which compiled kernels count by themselves.
const votes = 1<<opSyncThreadsCount | 1<<opSyncThreadsAnd | 1<<opSyncThreadsOr
