package bench

import (
	"encoding/binary"
	"fmt"
	"sync/atomic"

	"github.com/gocuda/gocuda/gocuda"
	"github.com/gocuda/gocuda/internal/serial"
	"github.com/gocuda/gocuda/kernels"
	"github.com/gocuda/gocuda/kernels/apps/rc5"
)

// The workload rc5: n keys of RC5-72, the last of which is the right one.

func setupRC5(e env, n int) *problem {
	if uint64(n) > 1<<32 {
		return &problem{err: fmt.Errorf("%w: %d keys; the program in C counts them in 32 bits", gocuda.ErrNotSupported, n)}
	}
	first := rc5.Key{0xc9, 0x0c, 0x03, 0x53, 0xc0}
	key := first.Plus(uint64(n - 1))
	c, err := rc5.New(12, key[:])
	if err != nil {
		return &problem{err: err}
	}
	known := rc5.Known{Plain: [8]byte([]byte("The unkn"))}
	c.Encrypt(known.Cipher[:], known.Plain[:])
	word := func(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
	at := make([]uint32, 1) // the place of the key, from 1
	place := func(k rc5.Key, found bool) {
		at[0] = 0
		if found {
			at[0] = binary.BigEndian.Uint32(k[5:]) + 1
		}
	}
	return &problem{
		run: map[string]func() error{
			Serial:     func() error { place(serial.RC5Search(first, uint64(n), known)); return nil },
			Goroutines: func() error { place(rc5Goroutines(e.workers, first, n, known)); return nil },
		},
		kernel: func(on kernels.Launcher) error {
			k, found, err := rc5.Search(e.ctx, on, rc5.Shared, first, uint64(n), known)
			place(k, found)
			return err
		},
		port: func(on kernels.Launcher) error {
			_, _, err := rc5.Search(e.ctx, on, rc5.Registers, first, uint64(n), known)
			return err
		},
		native: &exchange{
			in: arrays(of([]uint32{
				word(first[:]), uint32(first[4]), word(known.Plain[:]), word(known.Plain[4:]), word(known.Cipher[:]), word(known.Cipher[4:]),
			})),
			out: arrays(of(at)),
		},
		amount: everywhere(1e-6 * float64(n)),
		wipe:   wiping(at),
		check: func() error {
			if at[0] != uint32(n) {
				return fmt.Errorf("the key is number %d, the reference is %d", at[0], n)
			}
			return nil
		},
	}
}

// rc5Goroutines gives each goroutine a part of the keys. The smallest right key is the result.
func rc5Goroutines(p int, first rc5.Key, n int, known rc5.Known) (rc5.Key, bool) {
	var best atomic.Int64
	best.Store(int64(n))
	split(p, n, func(_, from, to int) {
		k, found := serial.RC5Search(first.Plus(uint64(from)), uint64(to-from), known)
		if !found {
			return
		}
		at := int64(binary.BigEndian.Uint32(k[5:]))
		for old := best.Load(); at < old && !best.CompareAndSwap(old, at); old = best.Load() {
		}
	})
	at := best.Load()
	return first.Plus(uint64(at)), at < int64(n)
}
