//go:build !race

package mutation_test

const slow = 1
