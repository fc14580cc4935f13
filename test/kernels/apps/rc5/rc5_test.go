package rc5_test

import (
	"context"
	"crypto/cipher"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/rc5"
	"github.com/gocuda/gocuda/test/kernels/internal/kerneltest"
)

var methods = []rc5.Method{rc5.Shared, rc5.Registers}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	require.NoError(t, err)
	return b
}

func block(t testing.TB, s string) [8]byte {
	t.Helper()
	return [8]byte(unhex(t, s))
}

// contest is a pseudo-contest of RSA's for RC5-32/12/9, with a known key each.
var contest = []struct{ key, iv, plain, cipher string }{
	{"c90c0353c0d4e1fe85", "07ce591f86149a41", "54686520756e6b6e", "5a282d562a85b72f"},
	{"deee0c6279bf66f898", "d4c40f8f13e47b5c", "58ea5018e8ae020e", "165d749dabfa96b7"},
}

func known(t testing.TB, i int) rc5.Known {
	c := contest[i]
	return rc5.Known{IV: block(t, c.iv), Plain: block(t, c.plain), Cipher: block(t, c.cipher)}
}

func parse(t testing.TB, s string) rc5.Key {
	t.Helper()
	k, err := rc5.ParseKey(s)
	require.NoError(t, err)
	return k
}

// Vectors of RFC 2040 (Baldwin and Rivest, 1996, section 9), in CBC mode without padding, those of
// the challenge, and the one of no bits with which implementations begin.
func TestVectors(t *testing.T) {
	for _, c := range []struct {
		rounds                 int
		key, iv, plain, cipher string
	}{
		{12, "00", "0102030405060708", "1020304050607080", "b2b3209db6594da4"},
		{16, "00", "0102030405060708", "1020304050607080", "545f7f32a5fc3836"},
		{8, "0102030405", "0000000000000000", "ffffffffffffffff", "7875dbf6738c6478"},
		{8, "0102030405", "7875dbf6738c6478", "0808080808080808", "8f34c3c681c99695"},
		{12, "0102030405", "0000000000000000", "ffffffffffffffff", "97e0787837ed317f"},
		{12, contest[0].key, contest[0].iv, contest[0].plain, contest[0].cipher},
		{12, contest[1].key, contest[1].iv, contest[1].plain, contest[1].cipher},
		{12, "00000000000000000000000000000000", "0000000000000000", "0000000000000000", "21a5dbee154b8f6d"}, // eedba521 6d8f4b15
	} {
		s, err := rc5.New(c.rounds, unhex(t, c.key))
		require.NoError(t, err)
		assert.Equal(t, 8, s.BlockSize())
		plain, iv := unhex(t, c.plain), unhex(t, c.iv)
		got, back := make([]byte, 8), make([]byte, 8)
		cipher.NewCBCEncrypter(s, iv).CryptBlocks(got, plain)
		assert.Equal(t, c.cipher, hex.EncodeToString(got), "%d rounds, key %s", c.rounds, c.key)
		cipher.NewCBCDecrypter(s, iv).CryptBlocks(back, got)
		assert.Equal(t, c.plain, hex.EncodeToString(back), "%d rounds, key %s", c.rounds, c.key)
	}
}

// The message of the challenge with 56 bits, which distributed.net found in 1997.
func TestWholeText(t *testing.T) {
	s, err := rc5.New(12, unhex(t, "532b744cc20999"))
	require.NoError(t, err)
	iv := unhex(t, "7b32f08ae617de8c")
	secret := unhex(t, "82d34ea7b324860bc6d8615ce9f9e479885c98f1d2924c59ee475131013ea8ab"+
		"d6f04dc81997af015eaff83fcd61b3c266897c8209874dfb07f256038dd51b01cae341c28dd7181d")
	text := make([]byte, len(secret))
	cipher.NewCBCDecrypter(s, iv).CryptBlocks(text, secret)
	const message = "The unknown message is: It's time to move to a longer key length."
	require.Greater(t, len(text), len(message))
	assert.Equal(t, message, string(text[:len(message)]))
	for _, pad := range text[len(message):] {
		assert.EqualValues(t, len(text)-len(message), pad, "padding")
	}
}

// textbook is RC5-32/r/b with big integers, step by step as the paper of Rivest has it.
func textbook(rounds int, key, src []byte) []byte {
	two32 := new(big.Int).Lsh(big.NewInt(1), 32)
	add := func(v ...*big.Int) *big.Int {
		sum := new(big.Int)
		for _, x := range v {
			sum.Add(sum, x)
		}
		return sum.Mod(sum, two32)
	}
	turn := func(x, n *big.Int) *big.Int {
		k := uint(new(big.Int).Mod(n, big.NewInt(32)).Uint64())
		y := new(big.Int).Lsh(x, k)
		return new(big.Int).Mod(y.Add(y, new(big.Int).Rsh(x, 32-k)), two32)
	}
	c := max(1, (len(key)+3)/4)
	l := make([]*big.Int, c)
	for i := range l {
		l[i] = new(big.Int)
	}
	for i := len(key) - 1; i >= 0; i-- {
		l[i/4] = add(new(big.Int).Lsh(l[i/4], 8), big.NewInt(int64(key[i])))
	}
	s := []*big.Int{big.NewInt(0xb7e15163)}
	for len(s) < 2*(rounds+1) {
		s = append(s, add(s[len(s)-1], big.NewInt(0x9e3779b9)))
	}
	a, b := new(big.Int), new(big.Int)
	for k, i, j := 0, 0, 0; k < 3*max(len(s), c); k++ {
		a = turn(add(s[i], a, b), big.NewInt(3))
		b = turn(add(l[j], a, b), add(a, b))
		s[i], l[j] = a, b
		i, j = (i+1)%len(s), (j+1)%c
	}
	a = add(big.NewInt(int64(binary.LittleEndian.Uint32(src))), s[0])
	b = add(big.NewInt(int64(binary.LittleEndian.Uint32(src[4:]))), s[1])
	for i := 1; i <= rounds; i++ {
		a = add(turn(new(big.Int).Xor(a, b), b), s[2*i])
		b = add(turn(new(big.Int).Xor(b, a), a), s[2*i+1])
	}
	dst := binary.LittleEndian.AppendUint32(nil, uint32(a.Uint64()))
	return binary.LittleEndian.AppendUint32(dst, uint32(b.Uint64()))
}

func TestAgainstTextbook(t *testing.T) {
	bytes := kerneltest.Uniform[float64](300)
	text := make([]byte, 300)
	for i, v := range bytes {
		text[i] = byte(v * 127)
	}
	for _, rounds := range []int{0, 1, 12, 20, 255} {
		for _, length := range []int{0, 1, 3, 4, 5, 7, 8, 9, 16, 31, 255} {
			key, src := text[:length], text[290:298]
			s, err := rc5.New(rounds, key)
			require.NoError(t, err)
			dst, back := make([]byte, 8), make([]byte, 8)
			s.Encrypt(dst, src)
			assert.Equal(t, textbook(rounds, key, src), dst, "%d rounds, %d bytes", rounds, length)
			s.Decrypt(back, dst)
			assert.Equal(t, src, back, "%d rounds, %d bytes", rounds, length)
		}
	}
}

// The known keys are found wherever they lie in a range, which fits no block, and only if all of
// the block is right.
func TestSearch(t *testing.T) {
	for _, dev := range kerneltest.Devices(t) {
		for _, method := range methods {
			for i, c := range contest {
				key := parse(t, c.key)
				for _, r := range []struct{ before, n uint64 }{
					{0, 1}, {0, 31}, {1, 2}, {32, 33}, {5, 5}, {99, 100}, {256, 257}, {127, 1000}, {1000, 1000},
				} {
					first := minus(key, r.before)
					got, found, err := rc5.Search(t.Context(), dev, method, first, r.n, known(t, i))
					require.NoError(t, err)
					assert.Equal(t, r.before < r.n, found, "%v, %s, %d keys from %v", method, dev.Name, r.n, first)
					if found {
						assert.Equal(t, key, got, "%v, %s, %d keys from %v", method, dev.Name, r.n, first)
					}
				}
				for _, bit := range []int{0, 3, 4, 7} { // either word
					k := known(t, i)
					k.Cipher[bit] ^= 0x80
					_, found, err := rc5.Search(t.Context(), dev, method, minus(key, 20), 41, k)
					require.NoError(t, err)
					assert.False(t, found, "%v, %s: a wrong byte %d", method, dev.Name, bit)
				}
			}
			_, found, err := rc5.Search(t.Context(), dev, method, rc5.Key{}, 0, rc5.Known{})
			assert.NoError(t, err)
			assert.False(t, found, "no keys")
		}
	}
}

// minus returns the key n before k, by arithmetic of its own.
func minus(k rc5.Key, n uint64) rc5.Key {
	v := new(big.Int).Sub(new(big.Int).SetBytes(k[:]), new(big.Int).SetUint64(n))
	var out rc5.Key
	v.FillBytes(out[:])
	return out
}

// A key hidden among 2^20 is found, and no other.
func TestHiddenKey(t *testing.T) {
	if kerneltest.Devices(t)[0].Slow {
		t.Skip("long")
	}
	key := parse(t, contest[0].key)
	for _, before := range []uint64{0, 1<<20 - 1, 777777} {
		first := minus(key, before)
		got, found, err := rc5.Search(t.Context(), gocuda.Default(), rc5.Shared, first, 1<<20, known(t, 0))
		require.NoError(t, err)
		require.True(t, found)
		assert.Equal(t, key, got)
		// The others are wrong, on both sides.
		_, found, err = rc5.Search(t.Context(), gocuda.Default(), rc5.Shared, first, before, known(t, 0))
		require.NoError(t, err)
		assert.False(t, found)
		_, found, err = rc5.Search(t.Context(), gocuda.Default(), rc5.Shared, key.Plus(1), 1<<20-1-before, known(t, 0))
		require.NoError(t, err)
		assert.False(t, found)
	}
}

// Carries go through all bytes: a range across a multiple of 2^32, one across a multiple of 2^64,
// and the last keys.
func TestCarries(t *testing.T) {
	for _, c := range []struct{ first, key string }{
		{"12345678fffffffff8", "123456790000000003"},
		{"00fffffffffffffff8", "010000000000000003"},
		{"fffffffffffffffff0", "ffffffffffffffffff"},
	} {
		key := parse(t, c.key)
		s, err := rc5.New(12, key[:])
		require.NoError(t, err)
		k := rc5.Known{IV: block(t, "0102030405060708"), Plain: block(t, "1122334455667788")}
		cipher.NewCBCEncrypter(s, k.IV[:]).CryptBlocks(k.Cipher[:], k.Plain[:])
		for _, method := range methods {
			got, found, err := rc5.Search(t.Context(), gocuda.Default(), method, parse(t, c.first), 16, k)
			require.NoError(t, err)
			assert.True(t, found, "%s, %v", c.first, method)
			assert.Equal(t, c.key, got.String(), "%v", method)
		}
		got, found := serial.RC5Search(parse(t, c.first), 16, k)
		assert.True(t, found, "%s, serial", c.first)
		assert.Equal(t, c.key, got.String(), "serial")
		_, found = serial.RC5Search(parse(t, c.first), 5, k)
		assert.False(t, found, "%s, serial", c.first)
	}
}

func TestErrors(t *testing.T) {
	ctx, dev := t.Context(), gocuda.Default()
	last := parse(t, "ffffffffffffffffff")
	_, short := rc5.ParseKey("12")
	_, digit := rc5.ParseKey("12345678901234567x")
	_, rounds := rc5.New(-1, nil)
	_, many := rc5.New(256, nil)
	_, long := rc5.New(12, make([]byte, 256))
	_, _, beyond := rc5.Search(ctx, dev, rc5.Shared, last, 2, rc5.Known{})
	_, _, far := rc5.Search(ctx, dev, rc5.Shared, last, 1<<64-1, rc5.Known{})
	_, _, method := rc5.Search(ctx, dev, rc5.Registers+1, last, 1, rc5.Known{})
	for name, err := range map[string]error{
		"a short key": short, "a digit": digit, "rounds": rounds, "many rounds": many, "a long key": long,
		"keys that are none": beyond, "many of them": far, "method": method,
	} {
		assert.ErrorIs(t, err, gocuda.ErrInvalidValue, name)
	}
	s := dev.NewStream()
	defer s.Close()
	_, _, err := rc5.Search(ctx, kernels.OnStream(s), rc5.Shared, rc5.Key{}, 1, rc5.Known{})
	assert.ErrorIs(t, err, gocuda.ErrNotSupported)
	closed, err := gocuda.NewDevice()
	require.NoError(t, err)
	closed.Close()
	_, _, err = rc5.Search(ctx, closed, rc5.Shared, rc5.Key{}, 1, rc5.Known{})
	assert.ErrorIs(t, err, gocuda.ErrInvalidResourceHandle)
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(ctx)
	cancel(cause)
	_, _, err = rc5.Search(ctx, dev, rc5.Shared, rc5.Key{}, 1, rc5.Known{})
	assert.ErrorIs(t, err, cause)
	assert.Equal(t, "shared registers Method(5)", fmt.Sprint(rc5.Shared, rc5.Registers, rc5.Method(5)))
}
