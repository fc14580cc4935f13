package serial

// PNSSimulate runs nets of 2n rows and n columns for so many steps each, one after the other: the
// reference of [pns.Simulate].
func PNSSimulate(n, steps, runs int, seeds []uint32, variance []float64, most []int32) {
	places := 2 * n * n
	net, around := make([]int32, places), neighbours(n)
	for g, s := range seeds {
		random := newTwister(s)
		for run := range runs {
			for q := range net {
				net[q] = 1
			}
			for left := steps; left > 0; {
				p := int(float32(random.draw()) / (1 << 32) * float32(places))
				if p == places {
					continue
				}
				if a := around[p]; net[a.above] > 0 && net[p] > 0 {
					net[a.above]--
					net[p]--
					net[a.below]++
					net[a.right]++
					left--
				}
			}
			var sum int64
			var top int32
			for _, c := range net {
				sum += int64(c-1) * int64(c-1)
				top = max(top, c)
			}
			variance[g*runs+run], most[g*runs+run] = float64(sum)/float64(places), top
		}
	}
}

// A place's transition takes tokens from the place and from the place above, and gives tokens to the
// places below and to the right.
type place struct{ above, below, right int32 }

// neighbours returns what is around all places of a net with n columns. Rows and columns are
// cyclic. Above and below a place of column c is column c in even rows, and column c+1 in odd rows.
func neighbours(n int) []place {
	var all []place
	for row := range 2 * n {
		above, below := (row+2*n-1)%(2*n)*n, (row+1)%(2*n)*n
		for c := range n {
			right, column := (c+1)%n, c
			if row%2 == 1 {
				column = right
			}
			all = append(all, place{int32(above + column), int32(below + column), int32(row*n + right)})
		}
	}
	return all
}
