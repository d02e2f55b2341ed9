package testenv

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// Few is n, and in a short run a fifth of it, but at least one: how many random cases a test tries.
func Few(n int) int {
	if Short() {
		return max(1, n/5)
	}
	return n
}

// Seeds are the seeds of generated cases, from 1: Few of so many, or as many as WAYBILL_CASES says. WAYBILL_SEED is a
// single one, to repeat that case.
func Seeds(t testing.TB, otherwise uint64) (seeds []uint64) {
	t.Helper()
	if one := number(t, "WAYBILL_SEED", 0); one != 0 {
		return []uint64{one}
	}
	for seed := range number(t, "WAYBILL_CASES", uint64(Few(int(otherwise)))) {
		seeds = append(seeds, seed+1)
	}
	return seeds
}

// Checks lets rapid try Few of n cases while t runs, or as many as -rapid.checks says.
func Checks(t testing.TB, n int) {
	t.Helper()
	rapid := flag.Lookup("rapid.checks")
	if rapid == nil {
		t.Fatal("this test binary has no flag rapid.checks: it does not import pgregory.net/rapid")
	}
	was := rapid.Value.String()
	if was != rapid.DefValue {
		return
	}
	if err := rapid.Value.Set(strconv.Itoa(Few(n))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rapid.Value.Set(was) })
}

func number(t testing.TB, name string, otherwise uint64) uint64 {
	t.Helper()
	text, set := os.LookupEnv(name)
	if !set {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || n == 0 {
		t.Fatalf("%s=%q: want a number from 1", name, text)
	}
	return n
}
