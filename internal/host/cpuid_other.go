//go:build !amd64

package host

import "runtime"

// fromProcessor knows what the architecture promises. The rest comes from the system.
func fromProcessor(i *Info) {
	if runtime.GOARCH == "arm64" {
		i.Features = append(i.Features, "ASIMD")
	}
}
