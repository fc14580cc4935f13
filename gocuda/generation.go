package gocuda

import (
	"fmt"

	"github.com/gocuda/gocuda/grid"
)

// A Generation is a GPU whose limits a device can have.
type Generation int

const (
	Host   Generation = iota // no GPU: the newest limits, and the host's own numbers
	G80                      // compute capability 1.0: GeForce 8800 GTX
	GT200                    // 1.3: GeForce GTX 280
	Fermi                    // 2.0: GeForce GTX 480
	GK104                    // 3.0, Kepler: GeForce GTX 680
	GK110                    // 3.5, Kepler: Tesla K40
	Volta                    // 7.0: Tesla V100
	GA100                    // 8.0, Ampere: A100
	GA102                    // 8.6, Ampere: GeForce RTX 3090
	Hopper                   // 9.0: H100 SXM
)

// Generations returns all of them, the host first.
func Generations() []Generation {
	return []Generation{Host, G80, GT200, Fermi, GK104, GK110, Volta, GA100, GA102, Hopper}
}

func (g Generation) valid() bool { return g >= Host && g <= Hopper }

// String returns the generation's name as it is written in this package.
func (g Generation) String() string {
	if !g.valid() {
		return fmt.Sprintf("Generation(%d)", int(g))
	}
	if g == Host {
		return "Host"
	}
	return gpus[g].generation
}

// A gpu is a row of the table "Technical Specifications per Compute Capability" of the CUDA C++
// Programming Guide (its editions 5.5, 8.0 and 12 cover the rows), and of a board with that GPU.
type gpu struct {
	generation   string
	name         string
	major, minor int
	sms          int // multiprocessors of the board
	cores        int // per multiprocessor
	threadsPerSM int
	blocksPerSM  int
	regsPerSM    int // 32-bit registers
	regsPerBlock int
	sharedPerSM  int // KiB
	shared       int // KiB a block
	sharedOptIn  int // KiB a block
	l2           int // KiB
	clockMHz     int
}

var gpus = [...]gpu{
	G80:    {"G80", "GeForce 8800 GTX", 1, 0, 16, 8, 768, 8, 8 << 10, 8 << 10, 16, 16, 16, 0, 1350},
	GT200:  {"GT200", "GeForce GTX 280", 1, 3, 30, 8, 1024, 8, 16 << 10, 16 << 10, 16, 16, 16, 0, 1296},
	Fermi:  {"Fermi", "GeForce GTX 480", 2, 0, 15, 32, 1536, 8, 32 << 10, 32 << 10, 48, 48, 48, 768, 1401},
	GK104:  {"GK104", "GeForce GTX 680", 3, 0, 8, 192, 2048, 16, 64 << 10, 64 << 10, 48, 48, 48, 512, 1006},
	GK110:  {"GK110", "Tesla K40", 3, 5, 15, 192, 2048, 16, 64 << 10, 64 << 10, 48, 48, 48, 1536, 745},
	Volta:  {"Volta", "Tesla V100", 7, 0, 80, 64, 2048, 32, 64 << 10, 64 << 10, 96, 48, 96, 6144, 1530},
	GA100:  {"GA100", "A100", 8, 0, 108, 64, 2048, 32, 64 << 10, 64 << 10, 164, 48, 163, 40960, 1410},
	GA102:  {"GA102", "GeForce RTX 3090", 8, 6, 82, 128, 1536, 16, 64 << 10, 64 << 10, 100, 48, 99, 6144, 1695},
	Hopper: {"Hopper", "H100", 9, 0, 132, 128, 2048, 32, 64 << 10, 64 << 10, 228, 48, 227, 51200, 1980},
}

// The limits that changed with compute capability, not with the board. Before 2.0 a grid had two
// dimensions and a block 512 threads; before 3.0 the x dimension of a grid was 16 bits.

func (g gpu) maxThreads() int {
	if g.major < 2 {
		return 512
	}
	return 1024
}

func (g gpu) maxThreadsDim() grid.Dim3 {
	return grid.Dim3{X: g.maxThreads(), Y: g.maxThreads(), Z: 64}
}

func (g gpu) maxGrid() grid.Dim3 {
	switch {
	case g.major < 2:
		return grid.Dim3{X: 65535, Y: 65535, Z: 1}
	case g.major < 3:
		return grid.Dim3{X: 65535, Y: 65535, Z: 65535}
	}
	return grid.Dim3{X: 1<<31 - 1, Y: 65535, Z: 65535}
}
