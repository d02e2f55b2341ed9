package ocmcheck

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// worksOf reads works from lines "cluster/name: object object | entry". A work only looks at objects whose names end in -r, and
// releases those in entries whose names end in -o.
func worksOf(t *testing.T, text string) (out []*krm.Object) {
	t.Helper()
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if line == "" {
			continue
		}
		key, held, _ := strings.Cut(line, ":")
		cluster, name, _ := strings.Cut(key, "/")
		ordinary, entries, _ := strings.Cut(held, "|")
		manifests, configs, rules := "", "", ""
		for _, o := range strings.Fields(ordinary + " " + entries) {
			o, watched := strings.CutSuffix(o, "-r")
			o, released := strings.CutSuffix(o, "-o")
			if watched {
				configs += fmt.Sprintf("  - resourceIdentifier: {group: '', resource: configmaps, namespace: shop, name: %s}\n    updateStrategy: {type: ReadOnly}\n", o)
			}
			if released {
				rules += fmt.Sprintf("{group: '', resource: configmaps, namespace: shop, name: %s}, ", o)
			}
			manifests += fmt.Sprintf("    - {apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: %s}}\n", o)
		}
		objs, err := krm.Read("works.yaml", fmt.Appendf(nil, "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata:\n  namespace: %s\n  name: %s\n  annotations: {waybill.dev/hand-over: '%d'}\nspec:\n  workload:\n    manifests:\n%s  deleteOption: {propagationPolicy: SelectivelyOrphan, selectivelyOrphans: {orphaningRules: [%s]}}\n  manifestConfigs:\n%s  - resourceIdentifier: {group: '', resource: configmaps, namespace: '*', name: '*'}\n",
			cluster, name, len(strings.Fields(entries)), manifests, rules, configs), krm.Limits{})
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
		"Watched":  {"what a work only observed nothing may create", "edge/w0: a-r", "edge/w0: | a-o\nedge/w1: a", "edge/w0 only observed /ConfigMap/shop/a, and its entry may create it"},
		"Looked":   {"nor does it have to be released", "edge/w0: a-r", "edge/w0: | a-r\nedge/w1: a-r", ""},
		"NoOwner":  {"a work that only looks is no owner", "edge/w0: a", "edge/w0: | a-r\nedge/w1: a-r", "edge/w0 hands over /ConfigMap/shop/a, which no work owns afterwards: agents delete it in the end"},
		"Released": {"unless agents release it before", "edge/w0: a", "edge/w0: | a-o\nedge/w1: a-r", ""},
		"ByName":   {"with an owner a name is enough", "edge/w0: a", "edge/w0: | a-r\nedge/w1: a", ""},
		"Stays":    {"what stays is no move", "edge/w0: a b", "edge/w0: a b c", ""},
		"Moves":    {"agents delete what a work loses", "edge/w0: a b", "edge/w0: a\nedge/w1: b", fmt.Sprintf(lost, "w0", "b")},
		"Entry":    {"but not what it hands over", "edge/w0: a b", "edge/w0: a | b\nedge/w1: b", ""},
		"Finished": {"and what it has handed over may go", "edge/w0: a | b\nedge/w1: b", "edge/w0: a\nedge/w1: b", ""},
		"Gone":     {"what the cluster no longer gets is deleted", "edge/w0: a b", "edge/w0: a", ""},
		"Others":   {"each cluster by itself", "edge/w0: a", "far/w0: a", ""},
		"WorkGone": {"the work itself may be gone", "edge/w0: a", "edge/w1: a", fmt.Sprintf(lost, "w0", "a")},
		"Second":   {"a second holder that lets go must hand over, too: the first may be new", "edge/w0: a\nedge/w1: a", "edge/w1: a", fmt.Sprintf(lost, "w0", "a")},
	}
	others := worksOf(t, "edge/mine: a")
	if got := Moves(worksOf(t, "edge/w0: a b"), worksOf(t, "edge/w0: b"), others); len(got) != 1 {
		t.Errorf("an object that goes to a work of others: %q, want one fault", got)
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := strings.Join(Moves(worksOf(t, tc.before), worksOf(t, tc.after), nil), "\n")
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}
