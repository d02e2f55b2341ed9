//go:build race

package mutation_test

// slow is how much longer and larger everything is with the race detector.
const slow = 20
