package bundling

import (
	"flag"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// often checks a property on at least that many cases: rapid's own hundred are few for one that
// has many kinds of input. Who asks for more by -rapid.checks gets them.
func often(t *testing.T, cases int, property func(*rapid.T)) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	before := checks.Value.String()
	if asked, err := strconv.Atoi(before); err != nil || asked < cases {
		if err := checks.Value.Set(strconv.Itoa(cases)); err != nil {
			t.Fatal(err)
		}
	}
	defer func() {
		if err := checks.Value.Set(before); err != nil {
			t.Fatal(err)
		}
	}()
	rapid.Check(t, property)
}
