package nbody

//go:generate go run ../../internal/gen .
