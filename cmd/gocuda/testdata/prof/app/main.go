// Command app runs the kernel.
package main

import (
	"fmt"

	"user"
)

func main() {
	fmt.Println("the program runs", user.Neighbours(make([]int32, 64), make([]int32, 64)))
}
