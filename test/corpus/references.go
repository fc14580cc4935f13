//go:build compiled

package corpus

import (
	"fmt"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/grid"
)

// Parameters that refer to data in other ways than slices of numbers do: pointers to structs, slices
// of slices, and pointers to elements that are compared or added to.

// An rfSystem is a chain of springs.
type rfSystem struct {
	X, V []float32
	Step float32
	Ends struct{ Left, Right float32 }
	Many int
}

func (s *rfSystem) force(i int) float32 {
	left, right := s.Ends.Left, s.Ends.Right
	if i > 0 {
		left = s.X[i-1]
	}
	if i < s.Many-1 {
		right = s.X[i+1]
	}
	return left + right - 2*s.X[i]
}

//gocuda:kernel
func rfChain(t *gocuda.Thread, s *rfSystem, out []float32) {
	i := t.GlobalX()
	if i >= s.Many {
		return
	}
	out[i] = s.X[i] + s.Step*(s.V[i]+s.Step*s.force(i))
}

func rfChainSerial(s *rfSystem, out []float32) {
	for i := range s.Many {
		out[i] = s.X[i] + float32(s.Step*(s.V[i]+float32(s.Step*s.force(i))))
	}
}

// A copy of the struct; another pointer to the same type, through which a thread stores.
//
//gocuda:kernel
func rfStored(t *gocuda.Thread, s, last *rfSystem, out []float32) {
	of, i := *s, t.GlobalX()
	if i < of.Many {
		out[i] = of.X[i] * s.Step
		of.Many++
	}
	if i == 3 {
		last.Ends.Left = float32(of.Many)
	}
}

// Rows of different lengths, and rows that are missing.
//
//gocuda:kernel
func rfRows(t *gocuda.Thread, rows [][]int32, out [][]int32) {
	x, y := t.GlobalX(), t.GlobalY()
	if y < len(rows) && x < len(rows[y]) {
		v := 3 * rows[y][x]
		if y > 0 && x < len(rows[y-1]) {
			v += rows[y-1][x]
		}
		if y+1 < len(rows) {
			below := rows[y+1]
			if x > 0 && x <= len(below) {
				v -= below[x-1]
			}
		}
		out[y][x] = v
	}
}

func rfRowsSerial(rows, out [][]int32) {
	for y, row := range rows {
		for x, v := range row {
			v *= 3
			if y > 0 && x < len(rows[y-1]) {
				v += rows[y-1][x]
			}
			if y+1 < len(rows) && x > 0 && x <= len(rows[y+1]) {
				v -= rows[y+1][x-1]
			}
			out[y][x] = v
		}
	}
}

// Rows are read and stored in place, one by one, with their sum in the first element of out.
//
//gocuda:kernel
func rfDown(t *gocuda.Thread, rows [][]int32, out [][]int32) {
	x := t.GlobalX()
	if t.GlobalY() != 0 {
		return
	}
	for y := 1; y < len(rows); y++ {
		row, above := rows[y], rows[y-1]
		if x < len(row) && x < len(above) {
			row[x] += above[x]
			out[y][x] = row[x]
		}
	}
}

// An rfBody has a place and a mass.
type rfBody struct{ At, Mass int32 }

// Pointers to elements of one slice, and of a slice of that.
//
//gocuda:kernel
func rfPairs(t *gocuda.Thread, bodies []rfBody, out []int32) {
	if t.GlobalY() != 0 || t.GlobalX() == 0 || t.GlobalX() >= len(bodies) {
		return
	}
	i := t.GlobalX()
	me, sum := &bodies[i], &out[i]
	*sum = 1
	rest := bodies[1:]
	for j := range bodies {
		other := &bodies[j]
		if other != me {
			*sum += (other.At - me.At) * other.Mass
		}
		if other.Mass&1 != 0 && &rest[i-1] != other {
			*sum -= int32(j)
		}
	}
}

// Only elements of one slice are compared.
//
//gocuda:kernel
func rfOthers(t *gocuda.Thread, bodies []rfBody, out []int32) {
	if t.GlobalY() != 0 || t.GlobalX() >= len(bodies) {
		return
	}
	me, sum := &bodies[t.GlobalX()], &out[t.GlobalX()]
	*sum = 1
	for j := range bodies {
		if other := &bodies[j]; other != me {
			*sum += (other.At - me.At) * other.Mass
			if other.Mass&1 != 0 {
				*sum -= int32(j)
			}
		} else if me == other {
			*sum += int32(j)
		}
	}
}

func rfOthersSerial(bodies []rfBody, out []int32) {
	for i := range bodies {
		out[i] = 1 + int32(i)
		for j, b := range bodies {
			if i != j {
				out[i] += (b.At - bodies[i].At) * b.Mass
				if b.Mass&1 != 0 {
					out[i] -= int32(j)
				}
			}
		}
	}
}

func rfPairsSerial(bodies []rfBody, out []int32) {
	for i := 1; i < len(bodies); i++ {
		out[i] = 1
		for j, b := range bodies {
			if i != j {
				out[i] += (b.At - bodies[i].At) * b.Mass
				if b.Mass&1 != 0 {
					out[i] -= int32(j)
				}
			}
		}
	}
}

// The element that a thread adds to is another one from round to round, and sometimes none.
//
//gocuda:kernel
func rfSums(t *gocuda.Thread, bodies []rfBody, out []int32) {
	i := t.GlobalX()
	if i == 0 || i >= len(out) || t.GlobalY() != 0 {
		return
	}
	if bodies[i].Mass > 2 {
		out[i] = 5
		for j := range 7 {
			if bodies[(i+j)%len(bodies)].At&3 != 0 {
				out[i] = 2*out[i] + int32(j)
			}
		}
	} else {
		for j := range 5 {
			if bodies[i].At == int32(j) {
				out[i] += 9
			}
		}
	}
}

// A table behind a pointer, of which threads change columns of their own.
//
//gocuda:kernel
func rfTable(t *gocuda.Thread, bodies []rfBody, table *[3][64]int32, out []int32) {
	x, i := t.ThreadIdx.X, t.GlobalX()
	if t.BlockIdx.X == 0 {
		table[1][x] = table[0][x] + 3*table[2][63-x]
	}
	if i < len(bodies) {
		row := &table[2]
		out[i] = table[0][x] + row[bodies[i].At&63] + int32(len(table))
	}
}

func rfTableSerial(bodies []rfBody, table *[3][64]int32, out []int32) {
	for x := range 64 {
		table[1][x] = table[0][x] + 3*table[2][63-x]
	}
	for i, b := range bodies {
		out[i] = table[0][i%64] + table[2][b.At&63] + 3
	}
}

// Digits of constant strings, of which a thread's number says how many there are.
//
//gocuda:kernel
func rfDigits(t *gocuda.Thread, bodies []rfBody, out []byte) {
	const digits = "0123456789abcdef"
	i := t.GlobalX()
	if i >= len(bodies) {
		return
	}
	v, n := uint32(bodies[i].At*bodies[i].Mass), 1
	for k := range 3 {
		if v>>(4*(k+1)) != 0 {
			n++
		}
	}
	out[4*i] = digits[v&15]
	for k := 1; k < 4; k++ {
		c := "-+ "[i%3]
		if k < n {
			c = digits[v>>(4*k)&15]
		}
		out[4*i+k] = c
	}
	if v&7 == uint32(n) {
		out[4*i] = "xyz"[n-1&1]
	}
}

func rfDigitsSerial(bodies []rfBody, out []byte) {
	for i, b := range bodies {
		text := []byte(fmt.Sprintf("%x", b.At*b.Mass))
		for k := range 4 {
			out[4*i+k] = "-+ "[i%3]
			if at := len(text) - 1 - k; at >= 0 {
				out[4*i+k] = text[at]
			}
		}
		if n := min(4, len(text)); int(b.At*b.Mass)&7 == n {
			out[4*i] = "xyz"[(n-1)&1]
		}
	}
}

// failNoTable has no array, which only the unlucky thread uses.
//
//gocuda:kernel
func failNoTable(t *gocuda.Thread, who int, table *[4]int32, in, out []int32) {
	i := t.GlobalX()
	out[i] = in[i] + 1
	if unlucky(t, who) {
		out[i] += table[in[i]&3]
	}
}

// failDigit has an index that is too large for a string.
//
//gocuda:kernel
func failDigit(t *gocuda.Thread, who int, in, out []int32) {
	i := t.GlobalX()
	at := in[i] & 3
	if unlucky(t, who) {
		at = 7
	}
	out[i] = int32("abcd"[at])
}

// failNil has no struct, which only the unlucky thread uses.
//
//gocuda:kernel
func failNil(t *gocuda.Thread, who int, s *rfSystem, in, out []int32) {
	i := t.GlobalX()
	out[i] = in[i] + 1
	if unlucky(t, who) {
		out[i] += int32(s.Many)
	}
}

// failShortRow has rows of which the second one is too short.
//
//gocuda:kernel
func failShortRow(t *gocuda.Thread, rows [][]int32, out []int32) {
	out[t.GlobalX()] = rows[t.BlockIdx.X][t.ThreadIdx.X] * 2
}

// failNoRow has only one row, which its threads look for behind the store.
//
//gocuda:kernel
func failNoRow(t *gocuda.Thread, who int, rows [][]int32, out []int32) {
	out[t.GlobalX()] = 7
	if row := rows[t.BlockIdx.X&^1]; !unlucky(t, who) {
		out[t.GlobalX()] += row[0]
	} else {
		out[0] = rows[t.BlockIdx.X][0]
	}
}

func referenceFailures() []Failure {
	rows := func(in []int32, lengths ...int) (out [][]int32) {
		for _, n := range lengths {
			out = append(out, in[:n])
		}
		return out
	}
	return []Failure{
		failure("failNil", 64, 37,
			func(t *gocuda.Thread, who int, in, out []int32) { failNil(t, who, nil, in, out) },
			func(who int, in, out []int32) gocuda.Kernel { return failNilKernel(who, nil, in, out) }, "nil pointer dereference"),
		failure("failNoTable", 64, 37,
			func(t *gocuda.Thread, who int, in, out []int32) { failNoTable(t, who, nil, in, out) },
			func(who int, in, out []int32) gocuda.Kernel { return failNoTableKernel(who, nil, in, out) }, "nil pointer dereference"),
		failure("failDigit", 64, 37, failDigit, failDigitKernel, "index out of range [7] with length 4"),
		failure("failShortRow", 64, 41,
			func(t *gocuda.Thread, who int, in, out []int32) { failShortRow(t, rows(in, 64, who, 64), out) },
			func(who int, in, out []int32) gocuda.Kernel { return failShortRowKernel(rows(in, 64, who, 64), out) }, "index out of range [41] with length 41"),
		failure("failNoRow", 64, 41,
			func(t *gocuda.Thread, who int, in, out []int32) {
				failNoRow(t, who, [][]int32{in[:1], nil, in[1:2]}, out)
			},
			func(who int, in, out []int32) gocuda.Kernel {
				return failNoRowKernel(who, [][]int32{in[:1], nil, in[1:2]}, out)
			}, "index out of range [0] with length 0"),
	}
}

func referenceCases() (cases []Case) {
	numbers := func(n int) []int32 {
		s := make([]int32, n)
		for i := range s {
			s[i] = int32(uint32(i+1) * 2654435761 >> 24)
		}
		return s
	}
	for _, n := range []int{1, 5, 64, 300} {
		cfg := grid.Config{Grid: grid.Dim3{X: (n + 63) / 64}, Block: grid.Dim3{X: 64}}
		add := func(name string, of func() Instance) {
			cases = append(cases, Case{Name: fmt.Sprintf("%s of %d", name, n), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance { return of() }})
		}
		chain := func() *rfSystem {
			s := &rfSystem{X: make([]float32, n), V: make([]float32, n), Step: 0.5, Many: n}
			for i, v := range numbers(n) {
				s.X[i], s.V[i] = float32(v), float32(i)
			}
			s.Ends.Right = 3
			return s
		}
		add("rfChain", func() Instance {
			s, out := chain(), make([]float32, n)
			return Instance{
				Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { rfChain(t, s, out) }),
				Compiled: rfChainKernel(s, out),
				Outputs:  []any{out},
				Want: func() []any {
					out := make([]float32, n)
					rfChainSerial(s, out)
					return []any{out}
				},
			}
		})
		add("rfStored", func() Instance {
			s, last, out := chain(), new(rfSystem), make([]float32, n)
			return Instance{
				Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { rfStored(t, s, last, out) }),
				Compiled: rfStoredKernel(s, last, out),
				Outputs:  []any{out},
			}
		})
		bodies := func() []rfBody {
			b := make([]rfBody, n)
			for i, v := range numbers(n) {
				b[i] = rfBody{v & 31, v >> 5}
			}
			return b
		}
		add("rfTable", func() Instance {
			table, out := new([3][64]int32), make([]int32, n)
			for r := range table {
				copy(table[r][:], numbers(64 * (r + 1))[64*r:])
			}
			before := *table
			return Instance{
				Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { rfTable(t, bodies(), table, out) }),
				Compiled: rfTableKernel(bodies(), table, out),
				Outputs:  []any{out, table[0][:], table[1][:], table[2][:]},
				Want: func() []any {
					table, out := before, make([]int32, n)
					rfTableSerial(bodies(), &table, out)
					return []any{out, table[0][:], table[1][:], table[2][:]}
				},
			}
		})
		add("rfDigits", func() Instance {
			out := make([]byte, 4*n)
			return Instance{
				Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { rfDigits(t, bodies(), out) }),
				Compiled: rfDigitsKernel(bodies(), out),
				Outputs:  []any{out},
				Want: func() []any {
					out := make([]byte, 4*n)
					rfDigitsSerial(bodies(), out)
					return []any{out}
				},
			}
		})
		for _, k := range []struct {
			name     string
			source   func(t *gocuda.Thread, bodies []rfBody, out []int32)
			compiled func(bodies []rfBody, out []int32) gocuda.Kernel
			serial   func(bodies []rfBody, out []int32)
		}{{"rfPairs", rfPairs, rfPairsKernel, rfPairsSerial}, {"rfOthers", rfOthers, rfOthersKernel, rfOthersSerial}, {"rfSums", rfSums, rfSumsKernel, nil}} {
			add(k.name, func() Instance {
				b, out := bodies(), numbers(n)
				made := Instance{
					Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, b, out) }),
					Compiled: k.compiled(b, out),
					Outputs:  []any{out},
				}
				if k.serial != nil {
					made.Want = func() []any {
						out := numbers(n)
						k.serial(b, out)
						return []any{out}
					}
				}
				return made
			})
		}
	}
	for _, k := range []struct {
		name     string
		source   func(t *gocuda.Thread, rows, out [][]int32)
		compiled func(rows, out [][]int32) gocuda.Kernel
		serial   func(rows, out [][]int32)
	}{{"rfRows", rfRows, rfRowsKernel, rfRowsSerial}, {"rfDown", rfDown, rfDownKernel, nil}} {
		for _, lengths := range [][]int{{5}, {40, 40, 40, 40}, {33, 0, 70, 1, 70, 69, 71}, {130, 7, 130, 200}} {
			for _, same := range []bool{false, true} {
				if same && k.name == "rfRows" {
					continue // threads would store what others load
				}
				cfg := grid.Config{Grid: grid.Dim3{X: 25, Y: 2}, Block: grid.Dim3{X: 8, Y: 4}}
				cases = append(cases, Case{Name: fmt.Sprintf("%s of %v in place %v", k.name, lengths, same), Configs: []grid.Config{cfg}, Make: func(grid.Config) Instance {
					rows, out := make([][]int32, len(lengths)), make([][]int32, len(lengths))
					var all []any
					for i, n := range lengths {
						rows[i], out[i] = numbers(n), make([]int32, n)
						if same {
							out[i] = rows[i]
						}
						all = append(all, out[i])
					}
					made := Instance{
						Source:   gocuda.ThreadFunc(func(t *gocuda.Thread) { k.source(t, rows, out) }),
						Compiled: k.compiled(rows, out),
						Outputs:  all,
					}
					if k.serial != nil {
						made.Want = func() []any {
							var all []any
							out := make([][]int32, len(lengths))
							for i, n := range lengths {
								out[i] = make([]int32, n)
								all = append(all, out[i])
							}
							k.serial(rows, out)
							return all
						}
					}
					return made
				}})
			}
		}
	}
	return cases
}
