package mapcontroller_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mapcontroller"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// liveConfig makes a ConfigMap for each Service. The first %s is more of the spec, the second %s more hooks.
const liveConfig = `
apiVersion: waybill.dev/v1alpha1
kind: MapController
metadata: {name: copies}
spec:
  parentResource: {apiVersion: example.org/v1, kind: Policy}
  inputResources: [{apiVersion: v1, resource: services}]
  outputResources: [{apiVersion: v1, resource: configmaps}]
  %s
  hooks:
    map: {version: v2, cel: {expression: '[{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": parent.metadata.name + "-" + input.metadata.name}}]'}}
    %s
`

// livePolicies are two parents. A parent that does not exist has an output, and so has an absent input of the first parent.
const livePolicies = `
apiVersion: example.org/v1
kind: Policy
metadata: {name: a, namespace: n}
---
apiVersion: example.org/v1
kind: Policy
metadata: {name: b, namespace: n}
---
apiVersion: v1
kind: Service
metadata: {name: s, namespace: n}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: gone-s
  namespace: n
  labels: {waybill.dev/map-key: MAPKEY}
  annotations: {waybill.dev/controller: copies, waybill.dev/owner: example.org/Policy/n/gone, waybill.dev/edge: out, waybill.dev/input: /Service/n/s}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: a-old
  namespace: n
  labels: {waybill.dev/map-key: MAPKEY}
  annotations: {waybill.dev/controller: copies, waybill.dev/owner: example.org/Policy/n/a, waybill.dev/edge: out, waybill.dev/input: /Service/n/old}
`

func TestLiveSnapshot(t *testing.T) {
	holds := func(keys ...string) func(string) bool {
		return func(key string) bool { return slices.Contains(keys, key) }
	}
	related := `customize: {cel: {expression: '[{"apiVersion": "v1", "resource": "secrets"}]'}}`
	create := []string{"create /ConfigMap/n/a-s", "create /ConfigMap/n/b-s"}
	gone, old := "delete /ConfigMap/n/gone-s", "delete /ConfigMap/n/a-old"
	for name, tc := range map[string]struct {
		reason     string
		more, hook string
		snapshot   mapcontroller.Snapshot
		want       []string
		errors     []string
	}{
		"Files":      {"files may not have all objects", "", "", mapcontroller.Snapshot{}, create, nil},
		"Live":       {"a cluster has all; the garbage collector deletes outputs of absent parents", "", "", mapcontroller.Snapshot{Live: true}, append([]string{old}, create...), nil},
		"Partial":    {"unless the view is partial", "view: Partial", "", mapcontroller.Snapshot{Live: true}, create, nil},
		"AllowEmpty": {"or allowEmpty is set", "allowEmpty: true", "", mapcontroller.Snapshot{Live: true}, append([]string{old, gone}, create...), nil},
		"Doubtful": {"a held parent does not count as absent", "allowEmpty: true", "", mapcontroller.Snapshot{Live: true, Hold: holds("example.org/Policy/n/gone")},
			append([]string{old}, create...), nil},
		"Held":   {"a held parent keeps all outputs", "", "", mapcontroller.Snapshot{Live: true, Hold: holds("example.org/Policy/n/a")}, create[1:], nil},
		"Unseen": {"the parent waits, without an error, for objects that a hook selects", "", related, mapcontroller.Snapshot{Live: true, Listed: func(mapcontroller.Type) (bool, error) { return false, nil }}, nil, nil},
		"Blind": {"a type that cannot be listed is an error", "", related,
			mapcontroller.Snapshot{Live: true, Listed: func(of mapcontroller.Type) (bool, error) { return false, errors.New("no " + of.Plural) }}, nil,
			[]string{"map(example.org/Policy/n/a): hook customize: no secrets", "map(example.org/Policy/n/b): hook customize: no secrets"}},
		"Seen": {"with all objects the parent is reconciled", "", related, mapcontroller.Snapshot{Live: true, Listed: func(mapcontroller.Type) (bool, error) { return true, nil }}, append([]string{old}, create...), nil},
	} {
		items := read(t, livePolicies)
		for _, o := range items {
			if tags := applyset.TagsOf(o); tags.Input != "" {
				krm.SetField(o.Lookup("metadata", "labels"), applyset.MapKeyLabel, krm.StringNode(applyset.MapKey(tags.Input)))
			}
		}
		types, errs := workload.TypesOf(items)
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		c, err := mapcontroller.New(read(t, fmt.Sprintf(liveConfig, tc.more, tc.hook))[0], types, nil)
		if err != nil {
			t.Fatal(err)
		}
		tc.snapshot.Items = items
		p, err := c.Run(t.Context(), tc.snapshot)
		if err != nil {
			t.Fatal(err)
		}
		var got, messages []string
		for _, op := range p.Plan.Operations {
			if op.Action != applyset.ActionKeep {
				got = append(got, fmt.Sprint(op.Action, " ", op.Ref))
			}
		}
		for _, parent := range p.Parents {
			messages = append(messages, parent.Errors...)
		}
		slices.Sort(got)
		slices.Sort(tc.want)
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, tc.reason, diff)
		}
		if diff := cmp.Diff(tc.errors, messages); diff != "" {
			t.Errorf("%s: the errors of parents (-want +got):\n%s", name, diff)
		}
	}
}
