package render

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// TestValuesOfAPackage checks the bound on the values of all files together, when they are read and when they are written.
func TestValuesOfAPackage(t *testing.T) {
	files := map[string]string{"Kptfile": minimal}
	for i, values := range []int{100, 200, 100} {
		files[fmt.Sprintf("%d.yaml", i)] = fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a%d\ndata: [%s]\n", i, strings.Repeat("1,", values))
	}
	for name, tc := range map[string]struct {
		reason, want string
		most         int
	}{
		"within": {"no more values than are allowed", "", 500},
		"above": {"each file is within the limit, but all files together are not", "1.yaml: the files of the package hold more than the 300 values allowed in all, " +
			"and this one holds most of them; split the package, or give the process more memory: the limit grows with it", 300},
	} {
		for _, parsed := range []*krm.Parsed{nil, {}} {
			for range 2 { // the second time they come from Parsed
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
