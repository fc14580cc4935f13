package mem

import (
	"fmt"
	"reflect"
)

// What the texels of arrays and textures are made of. CUDA describes it with a
// cudaChannelFormatDesc; here it is found out from the Go type of a texel, so that an array of
// [4]uint8 has four channels of 8 bits.

// ChannelKind is how the bits of a channel are read, CUDA's cudaChannelFormatKind.
type ChannelKind uint8

const (
	ChannelSigned   ChannelKind = iota // two's complement, of 8, 16 or 32 bits
	ChannelUnsigned                    // of 8, 16 or 32 bits
	ChannelFloat                       // IEEE 754, of 16 or 32 bits
)

// String names the kind.
func (k ChannelKind) String() string {
	switch k {
	case ChannelSigned:
		return "signed"
	case ChannelUnsigned:
		return "unsigned"
	case ChannelFloat:
		return "float"
	}
	return fmt.Sprintf("ChannelKind(%d)", uint8(k))
}

// ChannelDesc is the format of a texel, CUDA's cudaChannelFormatDesc.
type ChannelDesc struct {
	Kind     ChannelKind
	Bits     int // of a channel: 8, 16 or 32
	Channels int // 1, 2 or 4
}

// String returns the format as in "4 channels of unsigned 8 bits".
func (c ChannelDesc) String() string {
	s := "s"
	if c.Channels == 1 {
		s = ""
	}
	return fmt.Sprintf("%d channel%s of %v %d bits", c.Channels, s, c.Kind, c.Bits)
}

// size is the number of bytes of a texel.
func (c ChannelDesc) size() int { return c.Bits / 8 * c.Channels }

// ChannelDescOf returns the format of texels of type T, CUDA's cudaCreateChannelDesc<T>(). T is a
// number of 8, 16 or 32 bits but not a uint or an int, an array of 1, 2 or 4 such, or a struct
// whose 1, 2 or 4 fields are such numbers of the same type. A number of 16 bits whose type is named
// Half is half precision.
func ChannelDescOf[T any]() (ChannelDesc, error) { return channelOf(reflect.TypeFor[T]()) }

func channelOf(t reflect.Type) (ChannelDesc, error) {
	bad := fmt.Errorf("mem: %w: %v is no texel: it takes 1, 2 or 4 numbers of 8, 16 or 32 bits", ErrInvalidValue, t)
	elem, n := t, 1
	switch t.Kind() {
	case reflect.Array:
		elem, n = t.Elem(), t.Len()
	case reflect.Struct:
		n = t.NumField()
		if n == 0 {
			return ChannelDesc{}, bad
		}
		elem = t.Field(0).Type
		for i := range n {
			if t.Field(i).Type != elem {
				return ChannelDesc{}, bad
			}
		}
	}
	if n != 1 && n != 2 && n != 4 {
		return ChannelDesc{}, bad
	}
	c := ChannelDesc{Bits: 8 * int(elem.Size()), Channels: n}
	switch elem.Kind() {
	case reflect.Int8, reflect.Int16, reflect.Int32:
		c.Kind = ChannelSigned
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		c.Kind = ChannelUnsigned
		if c.Bits == 16 && elem.Name() == "Half" {
			c.Kind = ChannelFloat
		}
	case reflect.Float32:
		c.Kind = ChannelFloat
	default:
		return ChannelDesc{}, bad
	}
	return c, nil
}
