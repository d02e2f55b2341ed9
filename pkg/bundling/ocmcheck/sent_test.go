package ocmcheck

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestViolationsOfWhatIsSent(t *testing.T) {
	const config = "  manifestConfigs:\n  - {resourceIdentifier: {resource: cs, name: c0}}\n"
	cases := map[string]struct {
		reason    string
		manifests int
		bytes     int // of each
		config    string
		faults    int
	}{
		"Small":       {"the usual work", 2, 1000, config, 0},
		"Divisible":   {"what says something about its objects leaves the hub some room", 2, 500_000, config, 1},
		"WithoutSay":  {"without configs the hub's own limit decides", 2, 500_000, "", 0},
		"Indivisible": {"one object cannot be divided", 1, 1_000_000, config, 0},
		"TooLarge":    {"but what etcd refuses is refused", 1, 1_600_000, "", 1},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			work := "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata: {namespace: edge1, name: w}\nspec:\n  workload:\n    manifests:\n"
			for i := range tc.manifests {
				work += fmt.Sprintf("    - {apiVersion: v1, kind: C, metadata: {name: c%d}, k: %s}\n", i, strings.Repeat("v", tc.bytes))
			}
			faults := Violations(parse(t, work+tc.config), 1<<30)
			if d := cmp.Diff(tc.faults, len(faults)); d != "" {
				t.Errorf("%s (-want +got):\n%s\n%q", tc.reason, d, faults)
			}
		})
	}
}
