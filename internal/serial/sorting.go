package serial

import (
	"cmp"
	"math"
	"reflect"
	"slices"

	"github.com/gocuda/gocuda/kernels/sorting"
)

// RadixSort sorts keys with the standard library's sort: the reference of [sorting.Radix].
func RadixSort[K sorting.Key](order sorting.Order, keys []K) {
	slices.SortFunc(keys, comparison[K](order))
}

// RadixSortPairs sorts keys and, with them, values, by the standard library's stable sort: the
// reference of [sorting.RadixPairs].
func RadixSortPairs[K, V sorting.Key](order sorting.Order, keys []K, values []V) {
	index := make([]uint32, len(keys))
	Argsort(order, index, keys)
	keys2, values2 := slices.Clone(keys), slices.Clone(values)
	for i, from := range index {
		keys[i], values[i] = keys2[from], values2[from]
	}
}

// Argsort sets index to the places of the keys in their order, by the standard library's stable sort:
// the reference of [sorting.Argsort].
func Argsort[K sorting.Key](order sorting.Order, index []uint32, keys []K) {
	for i := range index {
		index[i] = uint32(i)
	}
	compare := comparison[K](order)
	slices.SortStableFunc(index, func(a, b uint32) int { return compare(keys[a], keys[b]) })
}

// BitonicSort sorts keys by the network of [sorting.Bitonic], one comparison after the other. At level
// size, stretches of size keys become sorted, every other one upwards. The stretch where the keys end
// goes upwards, so that n need not be a power of two.
func BitonicSort[K sorting.Key](order sorting.Order, keys []K) {
	n, compare := len(keys), comparison[K](order)
	for size := 2; size < 2*n; size *= 2 {
		for d := size / 2; d > 0; d /= 2 {
			for low := 0; low+d < n; low++ {
				if low&d == 0 && compare(keys[low], keys[low+d]) > 0 != ((low^(n-1))&size != 0) {
					keys[low], keys[low+d] = keys[low+d], keys[low]
				}
			}
		}
	}
}

// SortBlock sorts values by a partition for each bit, from the lowest bit up: the reference of
// [sorting.SortBlock].
func SortBlock(values []uint32) {
	ones := make([]uint32, 0, len(values))
	for bit := range 32 {
		ones = ones[:0]
		at := 0
		for _, v := range values {
			if v>>bit&1 == 1 {
				ones = append(ones, v)
			} else {
				values[at] = v
				at++
			}
		}
		copy(values[at:], ones)
	}
}

// SplitSort sorts keys and, with them, values, by a split for each bit, from the lowest bit up: the
// reference of [sorting.SplitSort].
func SplitSort(keys, values []uint32) {
	keys2, values2 := make([]uint32, len(keys)), make([]uint32, len(keys))
	for bit := range 32 {
		at := 0
		for want := range uint32(2) {
			for i, key := range keys {
				if key>>bit&1 == want {
					keys2[at], values2[at] = key, values[i]
					at++
				}
			}
		}
		keys, values, keys2, values2 = keys2, values2, keys, values
	}
}

// comparison returns the order of keys. Floating-point numbers have the total order of IEEE 754: -0
// is less than 0, and NaNs are beyond the infinities, by their signs and payloads.
func comparison[K sorting.Key](order sorting.Order) func(a, b K) int {
	compare := cmp.Compare[K]
	switch reflect.TypeFor[K]().Kind() {
	case reflect.Float32:
		total := func(k K) int32 {
			bits := int32(math.Float32bits(float32(k)))
			return bits ^ bits>>31&math.MaxInt32
		}
		compare = func(a, b K) int { return cmp.Compare(total(a), total(b)) }
	case reflect.Float64:
		total := func(k K) int64 {
			bits := int64(math.Float64bits(float64(k)))
			return bits ^ bits>>63&math.MaxInt64
		}
		compare = func(a, b K) int { return cmp.Compare(total(a), total(b)) }
	}
	if order == sorting.Descending {
		return func(a, b K) int { return compare(b, a) }
	}
	return compare
}
