package crds_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/api/waybill/validation"
	"github.com/waybill-dev/waybill/pkg/krm"
)

const (
	order = "resource: {apiGroup: apps.example, kind: ShopOrder}"
	entry = "identifier: creds, origin: service, version: v1, resource: secrets, object: {reference: {path: spec.a}}"
	rel   = "spec.related[0]"
)

func related(entry string) string { return order + ", related: [{" + entry + "}]" }

// TestTheServerSaysWhatValidateSays holds both to the same specs: what rules of the definition can tell, the server
// says at once; nothing that it refuses is valid to us, and what we take it keeps, byte for byte.
func TestTheServerSaysWhatValidateSays(t *testing.T) {
	w := newServer(t)
	for name, tc := range map[string]struct {
		reason, spec string
		want         []string
	}{
		"least":          {"what there must be", order, nil},
		"related":        {"what there must be of an entry", related(entry), nil},
		"no resource":    {"required by the schema", "allowEmpty: true", []string{"spec.resource: Required value"}},
		"empty resource": {"and something in it", "resource: {apiGroup: '', kind: ''}", []string{"spec.resource.kind: must not be empty"}},
		"core":           {"the core group has no name", "resource: {apiGroup: '', kind: ConfigMap}", nil},
		"no group":       {"an absent one is a slip", "resource: {kind: ConfigMap}", []string{"spec.resource.apiGroup: Required value"}},
		"no template":    {"an empty one sets the empty text", order + ", mutation: {spec: [{template: {path: a, template: ''}}]}", nil},
		"words": {"of a few each", order + ", view: All, adoptionPolicy: Take, driftPolicy: X, filter: {onExclude: Drop}, projection: {scope: Both}", []string{
			`spec.adoptionPolicy: can only be "Converge", "Never" or "Preserve"`, `spec.driftPolicy: can only be "Correct" or "Tolerate"`,
			`spec.filter.onExclude: can only be "Delete" or "Retain"`, `spec.projection.scope: can only be "Cluster" or "Namespaced"`, `spec.view: can only be "Complete" or "Partial"`,
		}},
		"adoption": {"of a related object", related(entry + ", adoptionPolicy: Take"), []string{`spec.related[0].adoptionPolicy: can only be "Converge", "Never" or "Preserve"`}},
		"allowed":  {"patterns of names", related(entry + ", allowedNames: ['tenant-*', 'system:a'], allowedNamespaces: ['*', kube-system], allowedSourceNamespaces: [a]"), nil},
		"allowed not": {"and nothing else", related(entry + ", allowedNames: [a/b], allowedNamespaces: [A], allowedSourceNamespaces: [a.b]"), []string{
			`spec.related[0].allowedNames[0]: "a/b": spec.related[0].allowedNames[0] in body should match '^[^/%\s]+$'`,
			`spec.related[0].allowedNamespaces[0]: "A": spec.related[0].allowedNamespaces[0] in body should match '^[-a-z0-9*]+$'`,
			`spec.related[0].allowedSourceNamespaces[0]: "a.b": spec.related[0].allowedSourceNamespaces[0] in body should match '^[-a-z0-9*]+$'`,
		}},
		"versions": {"one way to write them", strings.Replace(order, "ShopOrder", "ShopOrder, version: v1, versions: [v1]", 1) + ", projection: {version: v2, versions: {v1: v2}}", []string{
			"spec.projection.version: there are versions already", "spec.resource.version: there are versions already",
		}},
		"switch":      {"an empty map says nothing", order + ", synchronization: {}", []string{"spec.synchronization.enabled: Required value"}},
		"rules":       {"exactly one thing each", order + ", mutation: {spec: [{}], status: [{delete: {path: a}, cel: {path: a, expression: b}}]}", []string{"spec.mutation.spec[0]: give it exactly one of delete, regex, template and cel", "spec.mutation.status[0]: give it exactly one of delete, regex, template and cel"}},
		"identifiers": {"named well, and once each", order + ", related: [{" + strings.Replace(entry, "creds", "a_b", 1) + "}, {" + strings.Replace(entry, "creds", "out", 1) + "}]", []string{rel + ".identifier: want letters, digits and dashes, beginning and ending with a letter or digit", "spec.related[1].identifier: this name is reserved for the primary object"}},
		"twice":       {"an entry is known by its name", order + ", related: [{" + entry + "}, {" + entry + "}]", []string{"spec.related: each identifier may be there once"}},
		"origin":      {"one of two", related(strings.Replace(entry, "service", "there", 1)), []string{rel + `.origin: can only be "kcp" or "service"`}},
		"no type":     {"one of two forms", related(strings.Replace(entry, "version: v1, resource: secrets", "group: a", 1)), []string{rel + ": give it version and resource, or the deprecated kind in their place"}},
		"half a type": {"version and resource go together", related(strings.Replace(entry, "version: v1, ", "", 1)), []string{rel + ": give it version and resource, or the deprecated kind in their place"}},
		"kind":        {"the deprecated form", related(strings.Replace(entry, "version: v1, resource: secrets", "kind: Secret", 1)), nil},
		"kind other":  {"of two", related(strings.Replace(entry, "version: v1, resource: secrets", "kind: Pod", 1)), []string{rel + `.kind: can only be "ConfigMap" or "Secret"`}},
		"kind group":  {"not beside the other form", related(strings.Replace(entry, "version: v1, resource: secrets", "kind: Secret, group: a", 1)), []string{rel + ".kind: excludes group, version and resource"}},
		"identity":    {"the core group is in no export", related(entry + ", identityHash: abc"), []string{rel + ".identityHash: needs group, version and resource"}},
		"no locator":  {"one way to find them", related(strings.Replace(entry, "reference: {path: spec.a}", "namespace: {}", 1)), []string{rel + ".object.namespace: give it exactly one of reference, selector and template", rel + ".object: give it exactly one of reference, selector and template"}},
		"selector":    {"what a match is called over there must be said", related(strings.Replace(entry, "reference: {path: spec.a}", "selector: {matchLabels: {a: '{{ .x }}'}, rewrite: {}}", 1)), []string{rel + ".object.selector.rewrite: give it exactly one of regex and template"}},
		"templated":   {"values may be templates", related(strings.Replace(entry, "reference: {path: spec.a}", "selector: {matchLabels: {a: '{{ .x }}'}, rewrite: {template: {template: a}}}", 1)), nil},
		"cleanup":     {"one way to say it", related(entry + ", cleanup: true, cleanupPolicy: Orphan"), []string{rel + ".cleanupPolicy: there is cleanup already"}},
		"policy":      {"one of three", related(entry + ", cleanupPolicy: Always"), []string{rel + `.cleanupPolicy: can only be "MatchOrigin", "OnPrimaryDeletion" or "Orphan"`}},
		"status":      {"a status that changes must be noticed", related(entry + ", syncStatus: true"), []string{rel + ".watch: syncStatus needs it where the origin is service"}},
		"watched":     {"it is", related(entry + ", syncStatus: true, watch: {byOwner: {}}"), nil},
		"watch":       {"one way to watch", related(entry + ", watch: {}"), []string{rel + ".watch: give it exactly one of byOwner and bySelector"}},
		"full":        {"what empty lists say is kept, too", order + ", projection: {shortNames: [], categories: [], versions: {v1: v2}}, maxDeletions: 10%, statusBack: false, synchronization: {enabled: false}", nil},
	} {
		t.Run(name, func(t *testing.T) {
			o := w.object(t, "PublishedResource", "tried", tc.spec)
			err := w.Create(t.Context(), o, client.DryRunAll)
			if diff := cmp.Diff(tc.want, faults(t, err)); diff != "" {
				t.Fatalf("%s (-want +got):\n%s", tc.reason, diff)
			}
			ours := published(t, tc.spec)
			if (err == nil) != (ours == nil) {
				t.Errorf("%s: the server says %v, we say %v", tc.reason, err, ours)
			}
			if want := value(t, "{"+tc.spec+"}"); err == nil && !cmp.Equal(want, o.Object["spec"]) {
				t.Errorf("%s: the server keeps something else (-want +got):\n%s", tc.reason, cmp.Diff(want, o.Object["spec"]))
			}
		})
	}
}

// published is what we say to a spec.
func published(t *testing.T, spec string) error {
	t.Helper()
	text, err := yaml.Marshal(map[string]any{
		"apiVersion": waybill.APIVersion, "kind": waybill.KindPublishedResource, "metadata": map[string]any{"name": "tried"}, "spec": value(t, "{"+spec+"}"),
	})
	if err != nil {
		t.Fatal(err)
	}
	objects, err := krm.Read("tried.yaml", text, krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := waybill.ReadPublishedResource(objects[0])
	if err != nil {
		return err
	}
	return validation.PublishedResource(p).ToAggregate()
}
