//go:build !linux

package memo

// build is not known on this system, so nothing is kept.
func build() string { return "" }
