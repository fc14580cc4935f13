package gocuda

import "fmt"

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

// A gpu is a board, from its data sheet, with the multiprocessors of its compute capability.
type gpu struct {
	generation string
	name       string
	multiprocessor
	sms      int // multiprocessors of the board
	cores    int // per multiprocessor
	l2       int // KiB
	clockMHz int
	memory   int // of the board, MiB
	memMHz   int // memory clock; the memory moves two bits per cycle and line of its bus
	bus      int // lines of the memory's bus
}

var gpus = [...]gpu{
	G80:    {"G80", "GeForce 8800 GTX", capability(1, 0), 16, 8, 0, 1350, 768, 900, 384},
	GT200:  {"GT200", "GeForce GTX 280", capability(1, 3), 30, 8, 0, 1296, 1024, 1107, 512},
	Fermi:  {"Fermi", "GeForce GTX 480", capability(2, 0), 15, 32, 768, 1401, 1536, 1848, 384},
	GK104:  {"GK104", "GeForce GTX 680", capability(3, 0), 8, 192, 512, 1006, 2048, 3004, 256},
	GK110:  {"GK110", "Tesla K40", capability(3, 5), 15, 192, 1536, 745, 12 << 10, 3004, 384},
	Volta:  {"Volta", "Tesla V100", capability(7, 0), 80, 64, 6144, 1530, 16 << 10, 877, 4096},
	GA100:  {"GA100", "A100", capability(8, 0), 108, 64, 40960, 1410, 40 << 10, 1215, 5120},
	GA102:  {"GA102", "GeForce RTX 3090", capability(8, 6), 82, 128, 6144, 1695, 24 << 10, 9751, 384},
	Hopper: {"Hopper", "H100", capability(9, 0), 132, 128, 51200, 1980, 80 << 10, 2619, 5120},
}

func capability(major, minor int) multiprocessor {
	m, err := Capability{major, minor}.multiprocessor()
	if err != nil {
		panic(err) // the tables above and of capability.go disagree
	}
	return m
}
