package mem_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/internal/slicetest"
	"github.com/gocuda/gocuda/mem"
)

var totals = mem.NewVariable[int32]("totals", 5, 1, 2)

func TestVariableIsADevicesOwn(t *testing.T) {
	a, b := newDevice(200), newDevice(200)
	assert.Equal(t, 5, totals.Len())
	assert.Equal(t, 20, totals.Size())
	assert.NoError(t, totals.Err())
	onA, err := totals.On(a)
	require.NoError(t, err)
	onA[4] = 9 // as a kernel does
	require.NoError(t, mem.CopyToSymbol(a, totals, []int32{7, 8}, 1))
	again, err := totals.On(a)
	require.NoError(t, err)
	slicetest.Equal(t, []int32{1, 7, 8, 0, 9}, again, "the same memory")
	onB, err := totals.On(b)
	require.NoError(t, err)
	slicetest.Equal(t, []int32{1, 2, 0, 0, 0}, onB, "another device")
	back := make([]int32, 3)
	require.NoError(t, mem.CopyFromSymbol(a, back, totals, 2))
	slicetest.Equal(t, []int32{8, 0, 9}, back, "what the host reads")

	free, total := mem.Info(a)
	assert.Equal(t, int64(128), total-free, "it is memory of the device")
	at, err := totals.Address(a)
	require.NoError(t, err)
	attr, err := mem.AttributesOf(at)
	require.NoError(t, err)
	assert.Equal(t, mem.MemoryTypeDevice, attr.Type)
	assert.False(t, attr.Constant)
	assert.Same(t, a.space, attr.Memory)
	assert.GreaterOrEqual(t, attr.Size, int64(20))
}

func TestVariableMisuse(t *testing.T) {
	dev := newDevice(100)
	_, err := totals.On(dev)
	require.ErrorIs(t, err, mem.ErrOutOfMemory)
	require.ErrorContains(t, err, "totals")
	dev = newDevice(200)
	x := make([]int32, 9)
	for what, err := range map[string]error{
		"negative length": mem.NewVariable[int32]("v", -1).Err(),
		"too many values": mem.NewVariable("v", 1, 2, 3).Err(),
		"Go pointers":     mem.NewVariable[*int]("v", 1).Err(),
		"too long":        mem.CopyToSymbol(dev, totals, x[:6], 0),
		"too long there":  mem.CopyToSymbol(dev, totals, x[:2], 4),
		"negative":        mem.CopyFromSymbol(dev, x[:1], totals, -1),
		"behind the end":  mem.CopyFromSymbol(dev, x[:0], totals, 6),
		"onto itself":     overlapping(t, dev),
	} {
		assert.ErrorIs(t, err, mem.ErrInvalidValue, what)
	}
	var none *mem.Variable[int32]
	for what, err := range map[string]error{
		"nil":       mem.CopyToSymbol(dev, none, x, 0),
		"zero":      mem.CopyFromSymbol(dev, x, new(mem.Variable[int32]), 0),
		"interface": mem.CopyToSymbol(dev, mem.Symbol[int32](nil), x, 0),
	} {
		assert.ErrorIs(t, err, mem.ErrInvalidSymbol, what)
	}
	assert.Zero(t, none.Len())
	assert.Zero(t, mem.NewVariable[int32]("v", -1).Size())
	require.ErrorIs(t, mem.CopyToSymbol(nil, totals, x[:1], 0), mem.ErrInvalidResourceHandle)

	empty := mem.NewVariable[int32]("empty", 0)
	at, err := empty.Address(dev)
	require.NoError(t, err)
	assert.Nil(t, at)
}

func overlapping(t *testing.T, dev *device) error {
	v, err := totals.On(dev)
	require.NoError(t, err)
	return mem.CopyToSymbol(dev, totals, v[1:3], 0)
}
