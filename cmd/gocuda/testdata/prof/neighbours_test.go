package user

import "testing"

func TestNeighbours(t *testing.T) {
	if err := Neighbours(make([]int32, 64), make([]int32, 64)); err != nil {
		t.Fatal(err)
	}
}
