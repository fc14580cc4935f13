package learn

import (
	"io"
	"unicode/utf8"
)

// A Key is a key of the watch mode: a rune, or one of the names below.
type Key rune

// Keys that are no letters.
const (
	KeyEnter     Key = '\r'
	KeyEscape    Key = 0x1b
	KeyInterrupt Key = 0x03 // Ctrl-C, where the terminal sends it as a byte
	KeyUp        Key = -1 - iota
	KeyDown
	KeyOther // an escape sequence that means nothing here
)

// ReadKeys reads keys from a terminal, or commands from a file, until the end, and closes the channel.
func ReadKeys(r io.Reader, keys chan<- Key) {
	defer close(keys)
	buf := make([]byte, 64)
	for {
		n, err := r.Read(buf)
		for rest := buf[:n]; len(rest) > 0; {
			var k Key
			k, rest = nextKey(rest)
			keys <- k
		}
		if err != nil {
			return
		}
	}
}

// nextKey takes a key from the front of b. A terminal sends the bytes of one key together.
func nextKey(b []byte) (Key, []byte) {
	if b[0] == '\n' {
		return KeyEnter, b[1:]
	}
	if b[0] != byte(KeyEscape) || len(b) == 1 {
		r, n := utf8.DecodeRune(b)
		return Key(r), b[n:]
	}
	if b[1] != '[' && b[1] != 'O' {
		return KeyEscape, b[1:]
	}
	end := 2
	for end < len(b) && (b[end] < 0x40 || b[end] > 0x7e) {
		end++
	}
	if end == len(b) {
		return KeyOther, nil
	}
	switch rest := b[end+1:]; b[end] {
	case 'A':
		return KeyUp, rest
	case 'B':
		return KeyDown, rest
	default:
		return KeyOther, rest
	}
}
