package mem

import "sync/atomic"

// Calls that return when their work is done: copies, memsets and Free. On most devices they wait
// for no stream. A device with CUDA's legacy default stream gives them a turn among the work of its
// streams.

// A turn is a device's way to put a call in order with the work of its streams.
type turn struct {
	number uint64 // of the device; a call that waits for two takes them in this order, so that no two calls wait for each other
	begin  func() (end func(), err error)
}

var turns atomic.Uint64

// SetTurn gives a turn to copies, memsets and Free without a stream that use memory of the device:
// they call begin first, and end when they are done. They return the error of begin; Free ignores
// it. Package gocuda calls SetTurn before a device is used.
func (s *Space) SetTurn(begin func() (end func(), err error)) {
	s.turn = &turn{turns.Add(1), begin}
}

func noTurn() {}

// homeOf returns the memory of the device that a is of, nil if there is none.
func homeOf(a *allocation) *Space {
	if a == nil {
		return nil
	}
	return a.home()
}

// inTurn waits for the turn of a call that uses memory of up to two devices. a or b is nil for
// memory of no device.
func inTurn(a, b *Space) (end func(), err error) {
	var first, second *turn
	if a != nil {
		first = a.turn
	}
	if b != nil && b != a {
		second = b.turn
	}
	if first == nil || second != nil && second.number < first.number {
		first, second = second, first
	}
	if first == nil {
		return noTurn, nil
	}
	endFirst, err := first.begin()
	if err != nil || second == nil {
		return endFirst, err
	}
	endSecond, err := second.begin()
	if err != nil {
		endFirst()
		return nil, err
	}
	return func() {
		endSecond()
		endFirst()
	}, nil
}

// turnOf is [inTurn] for the devices that two buffers are of.
func turnOf[T any](dst, src *Buffer[T]) (end func(), err error) {
	return inTurn(dst.space(), src.space())
}

// space returns the memory of the device that b is of, nil if it is of none.
func (b *Buffer[T]) space() *Space {
	if b == nil {
		return nil
	}
	return homeOf(b.owner)
}
