//go:build race

package mutation_test

// slow is how many times longer all takes, and larger all is, while races are looked for.
const slow = 20
