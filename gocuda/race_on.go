//go:build race

package gocuda

import (
	"runtime"
	"unsafe"
)

// The runtime tells the race detector by hand which threads of a kernel are ordered, and hides its
// own locks from it. Otherwise the lock that every thread takes in Shared or on its way into a
// barrier would order threads that CUDA does not order, and a missing barrier would go unreported.
//
// The rules, which TestRaceDetector holds us to:
//   - what touches the state of a running block does so between raceDisable and raceEnable, under the
//     executor's lock, in functions marked go:norace;
//   - nothing is formatted there: package fmt reuses buffers under locks of its own, which would be hidden
//     too, and would be reported. What is wrong is returned as a func that makes the error later;
//   - a raceCell stands for one meeting: a barrier, a warp operation, the end of a phase. Who arrives
//     releases it, who goes on acquires it. A cell is used for one meeting only: a slow leaver of
//     the last meeting must not pick up what belongs to the next.

const raceEnabled = true

type raceCell struct{ _ byte }

func newRaceCell() *raceCell { return new(raceCell) }

func (c *raceCell) acquire() { runtime.RaceAcquire(unsafe.Pointer(c)) }
func (c *raceCell) release() { runtime.RaceReleaseMerge(unsafe.Pointer(c)) }

func raceDisable() { runtime.RaceDisable() }
func raceEnable()  { runtime.RaceEnable() }
