package rc5

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/bits"

	"github.com/gocuda/gocuda/device"
	"github.com/gocuda/gocuda/grid"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/internal/check"
)

// RC5-32/12/9, as the kernels and the search have it.
const (
	searchRounds = 12
	keyWords     = 2*searchRounds + 2 // of the expanded key
	launchKeys   = 1 << 22            // of a launch at most: so that it ends soon when it is to, on a grid that every device has
)

// What a kernel has of a contest: the last four bytes of the first key as a number; the others as
// words of the key, with zeros where the number goes; and the block and what it becomes.
const (
	lowNumber = iota
	keyFirst
	keySecond
	plainFirst
	plainSecond
	cipherFirst
	cipherSecond
	contestWords
)

// A Key is one of RC5-72, the highest byte first.
type Key [9]byte

// ParseKey reads a key from 18 hexadecimal digits.
func ParseKey(s string) (Key, error) {
	var k Key
	if len(s) != 2*len(k) {
		return k, check.Invalid("RC5", "a key of %d digits; want %d hexadecimal ones", len(s), 2*len(k))
	}
	if _, err := hex.Decode(k[:], []byte(s)); err != nil {
		return Key{}, check.Invalid("RC5", "key %q: %v", s, err)
	}
	return k, nil
}

// String returns the hexadecimal digits.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// Plus returns the key n after k. After the last key comes the first.
func (k Key) Plus(n uint64) Key {
	low, carry := bits.Add64(binary.BigEndian.Uint64(k[1:]), n, 0)
	binary.BigEndian.PutUint64(k[1:], low)
	k[0] += byte(carry)
	return k
}

// A Known is a block of plain text and what became of it.
type Known struct {
	IV     [BlockSize]byte // the block of cipher text before it in CBC mode, or the initial vector
	Plain  [BlockSize]byte
	Cipher [BlockSize]byte
}

// words returns what is encrypted and what it becomes, as words.
func (k Known) words() (a, b, cipherA, cipherB uint32) {
	word := func(p []byte) uint32 { return binary.LittleEndian.Uint32(p) }
	return word(k.Plain[:]) ^ word(k.IV[:]), word(k.Plain[4:]) ^ word(k.IV[4:]), word(k.Cipher[:]), word(k.Cipher[4:])
}

// Method is where a thread has its expanded key.
type Method int

const (
	// Shared is in shared memory. It is the fastest here.
	Shared Method = iota
	// Registers is in registers.
	Registers
)

// String names the method.
func (m Method) String() string {
	switch m {
	case Shared:
		return "shared"
	case Registers:
		return "registers"
	}
	return fmt.Sprintf("Method(%d)", int(m))
}

// Search looks for a key of RC5-32/12/9 that encrypts the known block, among n keys from first on,
// and returns the smallest, and whether there is one. By chance one of 2^64 wrong keys is right
// too: to be sure, decrypt more with it. It is an error if there are not so many keys.
//
// Keys are tried in launches of about four million, and none is launched after the key has been
// found or the context has ended. Search reads results back, so it can't be queued.
func Search(ctx context.Context, on kernels.Launcher, method Method, first Key, n uint64, known Known) (Key, bool, error) {
	const what = "RC5 search"
	if method != Shared && method != Registers {
		return Key{}, false, check.Invalid(what, "method %v", method)
	}
	if n > 0 {
		if last := first.Plus(n - 1); last[0] < first[0] || last[0] == first[0] && string(last[:]) < string(first[:]) {
			return Key{}, false, check.Invalid(what, "%d keys from %v on are more than there are", n, first)
		}
	}
	if err := kernels.Waits(what, on); err != nil {
		return Key{}, false, err
	}
	start, found := make([]uint32, keyWords), []uint32{math.MaxUint32}
	for i := range start {
		start[i] = magicP + uint32(i)*magicQ
	}
	contest := make([]uint32, contestWords)
	contest[plainFirst], contest[plainSecond], contest[cipherFirst], contest[cipherSecond] = known.words()
	for n > 0 {
		if err := context.Cause(ctx); err != nil {
			return Key{}, false, fmt.Errorf("kernels: %s: stopped before key %v: %w", what, first, err)
		}
		// The last four bytes must not overflow in a launch.
		low := binary.BigEndian.Uint32(first[5:])
		some := int(min(n, launchKeys, 1<<32-uint64(low)))
		contest[lowNumber], contest[keyFirst], contest[keySecond] = low, binary.LittleEndian.Uint32(first[:]), uint32(first[4])
		k, threads := sharedKernel(some, contest, start, found), sharedThreads
		if method == Registers {
			k, threads = registersKernel(some, contest, found), registerThreads
		}
		if err := on.Launch(ctx, grid.Linear(some, threads), k); err != nil {
			return Key{}, false, err
		}
		if found[0] != math.MaxUint32 {
			return first.Plus(uint64(found[0])), true, nil
		}
		first, n = first.Plus(uint64(some)), n-uint64(some)
	}
	return Key{}, false, nil
}

// mix is a step of the expansion: s of the expanded key and l of the key become what they are next.
// a and b are what the step before made of its own. A rotation by a number of 32 bits is a funnel
// shift of a word with itself, as in CUDA. The GeForce 8800 has none and needs four instructions
// for it, which the paper names as what limits it.
func mix(s, l, a, b uint32) (uint32, uint32) {
	a = bits.RotateLeft32(s+a+b, 3)
	l += a + b
	return a, device.FunnelshiftL(l, l, a+b)
}

// half is half a round of the encryption.
func half(a, b, s uint32) uint32 { return device.FunnelshiftL(a^b, a^b, b) + s }
