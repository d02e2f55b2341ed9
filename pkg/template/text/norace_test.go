//go:build !race

package text_test

const slow = 1
