package render

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// TestValuesOfAPackage bounds the values of all files together, as they are read and as they are written.
func TestValuesOfAPackage(t *testing.T) {
	files := map[string]string{"Kptfile": minimal}
	for i, values := range []int{100, 200, 100} {
		files[fmt.Sprintf("%d.yaml", i)] = fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a%d\ndata: [%s]\n", i, strings.Repeat("1,", values))
	}
	for name, tc := range map[string]struct {
		reason, want string
		most         int
	}{
		"within": {"as many as are allowed", "", 500},
		"above": {"each file is within, and together they are not", "1.yaml: the files of the package hold more than the 300 values allowed in all, " +
			"this one most of them; split the package, or give the process more memory, which the limit follows", 300},
	} {
		for _, parsed := range []*krm.Parsed{nil, {}} {
			for range 2 { // the second time Parsed has them
				got := ""
				opts := Options{Functions: nothing{}, Parsed: parsed, Limits: krm.Limits{Budget: &krm.Budget{Most: tc.most}}}
				if _, err := Render(context.Background(), treeOf(t, files), opts); err != nil {
					got = err.Error()
				}
				if got != tc.want {
					t.Errorf("%s: %s: got %q, want %q", name, tc.reason, got, tc.want)
				}
			}
		}
	}
}

// TestLargePackagesTakeTurns has a second large package wait, and a small one go on.
func TestLargePackagesTakeTurns(t *testing.T) {
	large := treeOf(t, map[string]string{"Kptfile": minimal, "a.yaml": "a: [" + strings.Repeat("1,", krm.MostValues()/8) + "]\n"})
	small := treeOf(t, map[string]string{"Kptfile": minimal})
	done, err := takeTurn(context.Background(), large)
	if err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if _, err := takeTurn(ended, large); !errors.Is(err, context.Canceled) {
		t.Errorf("the second large package: %v", err)
	}
	if _, err := takeTurn(ended, small); err != nil {
		t.Errorf("a small package waits: %v", err)
	}
	done()
	if done, err = takeTurn(context.Background(), large); err != nil {
		t.Error(err)
	}
	done()
}
