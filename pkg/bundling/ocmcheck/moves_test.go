package ocmcheck

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// worksOf reads works from lines "cluster/name: object object | entry".
func worksOf(t *testing.T, text string) (out []*krm.Object) {
	t.Helper()
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if line == "" {
			continue
		}
		key, held, _ := strings.Cut(line, ":")
		cluster, name, _ := strings.Cut(key, "/")
		ordinary, entries, _ := strings.Cut(held, "|")
		manifests := ""
		for _, o := range strings.Fields(ordinary + " " + entries) {
			manifests += fmt.Sprintf("    - {apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: %s}}\n", o)
		}
		objs, err := krm.Read("works.yaml", fmt.Appendf(nil, "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata:\n  namespace: %s\n  name: %s\n  annotations: {waybill.dev/hand-over: '%d'}\nspec:\n  workload:\n    manifests:\n%s",
			cluster, name, len(strings.Fields(entries)), manifests), krm.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, objs...)
	}
	return out
}

func TestMoves(t *testing.T) {
	const lost = "edge/%s loses /ConfigMap/shop/%s, which the cluster goes on getting: agents delete it"
	cases := map[string]struct{ reason, before, after, want string }{
		"Stays":    {"what stays is no move", "edge/w0: a b", "edge/w0: a b c", ""},
		"Moves":    {"agents delete what a work loses", "edge/w0: a b", "edge/w0: a\nedge/w1: b", fmt.Sprintf(lost, "w0", "b")},
		"Entry":    {"but not what it hands over", "edge/w0: a b", "edge/w0: a | b\nedge/w1: b", ""},
		"Finished": {"and what it has handed over may go", "edge/w0: a | b\nedge/w1: b", "edge/w0: a\nedge/w1: b", ""},
		"Gone":     {"what the cluster gets no more is deleted", "edge/w0: a b", "edge/w0: a", ""},
		"Others":   {"each cluster by itself", "edge/w0: a", "far/w0: a", ""},
		"WorkGone": {"the work itself may be gone", "edge/w0: a", "edge/w1: a", fmt.Sprintf(lost, "w0", "a")},
		"Second":   {"a second holder that lets go must hand over, too: the first may be new", "edge/w0: a\nedge/w1: a", "edge/w1: a", fmt.Sprintf(lost, "w0", "a")},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := strings.Join(Moves(worksOf(t, tc.before), worksOf(t, tc.after)), "\n")
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}
