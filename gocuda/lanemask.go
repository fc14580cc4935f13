package gocuda

import "time"

// Special registers of PTX that are numbers of a lane or of the machine.

// LanemaskEQ returns the mask with the bit of the thread's lane, PTX's %lanemask_eq.
func (t *Thread) LanemaskEQ() uint32 { return 1 << t.LaneID() }

// LanemaskLT returns the mask of the lanes below the thread's, PTX's %lanemask_lt. As in PTX it
// names lanes whether they exist and are active or not.
func (t *Thread) LanemaskLT() uint32 { return 1<<t.LaneID() - 1 }

// LanemaskLE returns the mask of the thread's lane and those below, PTX's %lanemask_le.
func (t *Thread) LanemaskLE() uint32 { return 2<<t.LaneID() - 1 }

// LanemaskGT returns the mask of the lanes above the thread's, PTX's %lanemask_gt.
func (t *Thread) LanemaskGT() uint32 { return ^t.LanemaskLE() }

// LanemaskGE returns the mask of the thread's lane and those above, PTX's %lanemask_ge.
func (t *Thread) LanemaskGE() uint32 { return ^t.LanemaskLT() }

// GlobalTimer returns the nanoseconds since 1 January 1970 UTC, by a clock that all devices and the
// host share: PTX's %globaltimer. It may jump where the host's clock is set; [Thread.Clock] does
// not.
func (t *Thread) GlobalTimer() int64 { return time.Now().UnixNano() }
