package bundling

import (
	"flag"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// often checks a property on at least that many cases, or testenv.Few of them: rapid's own hundred are few for one that
// has many kinds of input. -rapid.checks asks for more.
func often(t *testing.T, cases int, property func(*rapid.T)) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	before := checks.Value.String()
	if asked, err := strconv.Atoi(before); err != nil || asked < testenv.Few(cases) {
		if err := checks.Value.Set(strconv.Itoa(testenv.Few(cases))); err != nil {
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
