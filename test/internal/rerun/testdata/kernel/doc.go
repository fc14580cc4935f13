// Package kernel has a kernel whose compiled form the tests of package rerun ask for.
package kernel
