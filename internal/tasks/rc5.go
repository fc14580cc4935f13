package tasks

import (
	"crypto/cipher"
	"encoding/hex"
	"flag"
	"fmt"

	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels/apps/rc5"
)

var rc5Task = Task{"rc5", "the key of a text in RC5-72, among many", "", "2^20", 0, findKey, 0, 0}

func findKey(fs *flag.FlagSet) Job {
	from := fs.String("from", "c90c0353c0d0000000", "the first `key` to try, 18 hexadecimal digits; -size says how many are tried")
	iv := fs.String("iv", "07ce591f86149a41", "the initial vector, 16 hexadecimal `digits`")
	plain := fs.String("plain", "54686520756e6b6e", "the first block of the text, 16 hexadecimal `digits`; those of \"The unkn\" are the default")
	secret := fs.String("cipher", "", "the first block of the cipher text or all of it, hexadecimal `digits` (default what a key by chance makes, one of those that are tried)")
	method := choose(fs, "method", "where a thread has its expanded key", rc5.Shared, rc5.Registers)
	return func(e *Env) (*Result, error) {
		s, err := e.size(1 << 20)
		if err != nil {
			return nil, err
		}
		n := uint64(s[0])
		first, err := rc5.ParseKey(*from)
		if err != nil {
			return nil, fmt.Errorf("-from: %w", err)
		}
		var known rc5.Known
		for _, f := range []struct {
			name, digits string
			to           []byte
		}{{"-iv", *iv, known.IV[:]}, {"-plain", *plain, known.Plain[:]}} {
			b, err := hex.DecodeString(f.digits)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.name, err)
			}
			if len(b) != len(f.to) {
				return nil, fmt.Errorf("%s: %d digits, want %d", f.name, len(f.digits), 2*len(f.to))
			}
			copy(f.to, b)
		}
		text, err := hex.DecodeString(*secret)
		if err != nil {
			return nil, fmt.Errorf("-cipher: %w", err)
		}
		if len(text)%rc5.BlockSize != 0 {
			return nil, fmt.Errorf("-cipher: %d digits, want a multiple of %d", len(*secret), 2*rc5.BlockSize)
		}
		if len(text) == 0 {
			if n == 0 {
				return nil, fmt.Errorf("-size 0: there is no key to hide")
			}
			hidden := first.Plus(e.random().Uint64N(n))
			c, err := rc5.New(12, hidden[:])
			if err != nil {
				return nil, err
			}
			text = make([]byte, rc5.BlockSize)
			cipher.NewCBCEncrypter(c, known.IV[:]).CryptBlocks(text, known.Plain[:])
		}
		copy(known.Cipher[:], text)
		var key rc5.Key
		var found bool
		err = e.timed(func() error {
			key, found, err = rc5.Search(e.Ctx, e.On, method.is, first, n, known)
			return err
		})
		if err != nil {
			return nil, err
		}
		r := &Result{Verify: func() error {
			want, ok := serial.RC5Search(first, n, known)
			if found != ok || found && key != want {
				return fmt.Errorf("key %v, found: %v; want %v, found: %v", key, found, want, ok)
			}
			return nil
		}}
		r.printf("keys      %d from %v on", n, first)
		r.printf("block     %x, IV %x, becomes %x", known.Plain, known.IV, known.Cipher)
		if !found {
			r.printf("key       none of them")
			return r, nil
		}
		r.printf("key       %v", key)
		if len(text) > rc5.BlockSize {
			c, err := rc5.New(12, key[:])
			if err != nil {
				return nil, err
			}
			all := make([]byte, len(text))
			cipher.NewCBCDecrypter(c, known.IV[:]).CryptBlocks(all, text)
			r.printf("text      %q", all)
		}
		return r, nil
	}
}
