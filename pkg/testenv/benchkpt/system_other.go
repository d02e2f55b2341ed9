//go:build !linux

package main

// inMemory is not known on this system.
func inMemory(string) bool { return false }

// flush does nothing on this system.
func flush(string) error { return nil }
