package tasks

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/mem"
)

// bound leaves the test so many bytes of memory, beside what it has.
func bound(t *testing.T, bytes int64) {
	t.Helper()
	runtime.GC()
	debug.FreeOSMemory()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	old := debug.SetMemoryLimit(int64(s.Sys-s.HeapReleased) + bytes)
	t.Cleanup(func() { debug.SetMemoryLimit(old) })
}

// What tasks say of the memory that they take is true, and not exaggerated.
func TestMemoryOfTasks(t *testing.T) {
	if raceEnabled {
		t.Skip("allocations differ under the race detector")
	}
	for _, task := range All() {
		size := []int{1 << 16}
		switch {
		case task.Name == "solve":
			size = []int{250, 250}
		case task.Name == "paths" || task.Name == "align":
			size = []int{300}
		case task.Name == "nbody":
			size = []int{1000}
		case task.Name == "rpes":
			size = []int{30}
		case task.Name == "kmeans":
			size = []int{8000}
		case strings.Count(task.Sizes, "x") == 2:
			size = []int{30, 30, 30}
		case task.Name == "tpacf":
			size = []int{3000}
		case strings.Contains(task.Sizes, "x"):
			size = []int{256, 256}
		}
		elements := math.Pow(float64(size[0]), float64(len(size)))
		if task.Name == "paths" || task.Name == "align" {
			elements *= elements
		}
		if task.Name == "rpes" {
			elements = math.Pow(elements, 4) / 8
		}
		o := Options{On: gocuda.Default(), Size: size, Seed: 1, Verify: true}
		if task.Gives&Values != 0 {
			o.Out = filepath.Join(t.TempDir(), "out.csv")
		}
		if task.Gives&Picture != 0 {
			o.PNG = filepath.Join(t.TempDir(), "out.png")
		}
		job := setup(t, &task, quick[task.Name]...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		require.NoError(t, Run(t.Context(), &task, job, o, io.Discard), task.Name)
		runtime.ReadMemStats(&after)
		took, said := float64(after.TotalAlloc-before.TotalAlloc), elements*float64(task.Bytes+task.More)
		beside := 6.0 * (1 << 20) // launches, the picture's compression
		if task.Name == "histogram" || task.Name == "kmeans" || task.Name == "tpacf" {
			beside *= 5 // the drawing of a chart
		}
		assert.LessOrEqual(t, took, said+beside, task.Name)
		assert.LessOrEqual(t, said, 3*took, task.Name)
	}
}

// Sizes that don't fit the memory are errors, before anything is taken.
func TestSizesThatDoNotFit(t *testing.T) {
	bound(t, 200<<20)
	for _, task := range All() {
		size := []int{1 << 29}
		switch {
		case task.Bytes == 0:
			continue // it needs none
		case strings.Count(task.Sizes, "x") == 2:
			size = []int{1 << 10, 1 << 10, 1 << 9}
		case strings.Contains(task.Sizes, "x"):
			size = []int{1 << 15, 1 << 14}
		case task.Name == "paths":
			size = []int{1 << 15}
		case task.Name == "align":
			size = []int{1 << 16}
		}
		err := Run(t.Context(), &task, setup(t, &task), Options{On: gocuda.Default(), Size: size, Seed: 1}, io.Discard)
		assert.ErrorIs(t, err, mem.ErrOutOfMemory, task.Name)
	}
	matmul, err := Find("matmul")
	require.NoError(t, err)
	err = Run(t.Context(), matmul, setup(t, matmul, "-columns", "100000000"), Options{On: gocuda.Default(), Size: []int{2, 3}}, io.Discard)
	assert.ErrorIs(t, err, mem.ErrOutOfMemory)
	assert.ErrorContains(t, err, "-columns")
}

// So are sizes that the head of a file claims, and files of such a size.
func TestFilesThatDoNotFit(t *testing.T) {
	bound(t, 200<<20)
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
		return name
	}
	long := func(name string) string { // all zeros, and takes no room on the disk
		name = file(name, "")
		require.NoError(t, os.Truncate(name, 1<<34))
		return name
	}
	market := func(name, sizes string) string {
		return file(name, "%%MatrixMarket matrix coordinate real general\n"+sizes+" 1\n1 1 1\n")
	}
	array := file("array.mtx", "%%MatrixMarket matrix array real general\n30000 30000\n1\n")
	rows, cols, square := market("rows.mtx", "2147483647 1"), market("cols.mtx", "1 2147483647"), market("square.mtx", "30000 30000")
	for _, c := range []struct{ task, file string }{
		{"spmv", rows}, {"spmv", cols}, {"cg", rows}, {"cg", cols}, {"transpose", square}, {"transpose", array}, {"solve", square},
		{"matmul", array}, {"paths", square}, {"kmeans", array},
		{"saxpy", long("long.raw")}, {"sort", long("long.csv")}, {"histogram", long("any")}, {"align", long("letters")},
		{"spmv", long("long.mtx")}, {"blur", hugePicture(t, file)},
	} {
		task, err := Find(c.task)
		require.NoError(t, err)
		err = Run(t.Context(), task, setup(t, task), Options{On: gocuda.Default(), In: c.file, Seed: 1}, io.Discard)
		assert.ErrorIs(t, err, mem.ErrOutOfMemory, "%s %s: %v", c.task, filepath.Base(c.file), err)
		assert.ErrorContains(t, err, filepath.Base(c.file))
	}
}

// hugePicture is a PNG of a few bytes that claims 16384 by 8192 pixels.
func hugePicture(t *testing.T, file func(name, text string) string) string {
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewRGBA(image.Rect(0, 0, 1, 1))))
	head := b.Bytes()[12:29] // IHDR, width, height, kind
	binary.BigEndian.PutUint32(head[4:], 16384)
	binary.BigEndian.PutUint32(head[8:], 8192)
	binary.BigEndian.PutUint32(b.Bytes()[29:], crc32.ChecksumIEEE(head))
	return file("huge.png", b.String())
}

// Input without an end is an error when it has become too much.
func TestInputWithoutEnd(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip(err)
	}
	bound(t, 200<<20)
	for name, ext := range map[string]string{"saxpy": ".raw", "add": ".csv", "histogram": "", "align": "", "cg": ".mtx"} {
		link := filepath.Join(t.TempDir(), "zero"+ext)
		if err := os.Symlink("/dev/zero", link); err != nil {
			t.Skip(err)
		}
		task, err := Find(name)
		require.NoError(t, err)
		err = Run(t.Context(), task, setup(t, task), Options{On: gocuda.Default(), In: link}, io.Discard)
		if name != "cg" { // the longest line of which is bounded
			assert.ErrorIs(t, err, mem.ErrOutOfMemory, name)
		}
		assert.ErrorContains(t, err, fmt.Sprint("zero", ext))
	}
}
