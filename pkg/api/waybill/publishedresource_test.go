package waybill_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/api/waybill/validation"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// published is a PublishedResource with a spec, YAML in one line, with the required fields and more.
func published(more string) string {
	return "apiVersion: waybill.dev/v1alpha1\nkind: PublishedResource\nmetadata: {name: orders}\n" +
		"spec: {resource: {apiGroup: apps.example, kind: ShopOrder}" + more + "}\n"
}

// related is published with one related entry, YAML in one line, with the required fields and more.
func related(more string) string {
	return published(", related: [{identifier: creds, origin: service, version: v1, resource: secrets, object: {reference: {path: spec.a}}" + more + "}]")
}

// everyField is a PublishedResource that has each field there is. It is not valid.
const everyField = `
apiVersion: waybill.dev/v1alpha1
kind: PublishedResource
metadata: {name: orders}
spec:
  resource: {apiGroup: apps.example, kind: ShopOrder, versions: [v1], version: v1}
  filter: {namespace: {matchLabels: {a: b}}, resource: {matchExpressions: [{key: a, operator: Exists}]}, onExclude: Delete}
  naming: {name: a, namespace: b}
  enableWorkspacePaths: true
  projection: {group: a, kind: B, plural: bs, scope: Cluster, shortNames: [], categories: [], versions: {v1: v2}, version: v2}
  mutation:
    spec: [{delete: {path: a}}, {regex: {path: a, pattern: b, replacement: c}}]
    status: [{template: {path: a, template: b}}, {cel: {path: a, expression: b}}]
  related:
  - identifier: creds
    origin: kcp
    group: a
    version: v1
    resource: bs
    kind: Secret
    identityHash: abc
    projection: {group: b, version: v2, resource: cs}
    object:
      reference: {path: a, regex: {pattern: b, replacement: c}}
      selector: {matchLabels: {a: b}, matchExpressions: [{key: a, operator: In, values: [b]}], rewrite: {regex: {pattern: b, replacement: c}, template: {template: d}}}
      template: {template: a}
      namespace: {reference: {path: a}, template: {template: b}, selector: {rewrite: {template: {template: d}}}}
    mutation: {spec: [{delete: {path: a}}]}
    cleanup: false
    cleanupPolicy: Orphan
    adoptionPolicy: Converge
    allowedNames: ['tenant-*']
    allowedNamespaces: [shared]
    allowedSourceNamespaces: ['*']
    syncStatus: true
    watch: {byOwner: {}, bySelector: {matchLabels: {a: b}}}
  synchronization: {enabled: false}
  agentName: east
  cluster: 2hk8r1q9
  paths: {source: a, destination: b}
  view: Complete
  allowEmpty: true
  maxDeletions: 10%
  adoptionPolicy: Never
  driftPolicy: Correct
  statusBack: false
  waitForFinalizers: true
status:
  resourceSchemaName: v0.a.b
  conditions: [{type: Ready, status: "True", reason: Valid, message: m, lastTransitionTime: "2026-01-01T00:00:00Z"}]
  observedGeneration: 2
`

// TestPublishedResourceKeepsEveryField includes lists that are empty, which say something here.
func TestPublishedResourceKeepsEveryField(t *testing.T) {
	o := object(t, everyField)
	p, err := waybill.ReadPublishedResource(o)
	if err != nil {
		t.Fatal(err)
	}
	want, err := krm.CanonicalJSON(o.Node())
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []*waybill.PublishedResource{p, p.DeepCopy()} {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		got, err := krm.CanonicalJSON(object(t, string(data)).Node())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("a field is lost (-want +got):\n%s", diff)
		}
	}
}

func TestReadPublishedResource(t *testing.T) {
	const here = "PublishedResource orders (budget.yaml): "
	for name, tc := range map[string]struct{ reason, text, want string }{
		"least":          {"what there must be", published(""), ""},
		"every field":    {"all there is", everyField, ""},
		"other group":    {"the design's own group, with our fields", strings.Replace(everyField, waybill.APIVersion, waybill.SyncAgentAPIVersion, 1), ""},
		"orchestration":  {"what kpt adds is no field", strings.Replace(published(""), "{name: orders}", "{name: orders, annotations: {internal.config.kubernetes.io/path: a.yaml}}", 1), ""},
		"unknown fields": {"all of them, by path", published(", fliter: {}, related: [{id: a, identifier: a, origin: kcp, object: {}}]"), here + "[spec.fliter: Forbidden: unknown field, spec.related[0].id: Forbidden: unknown field]"},
		"wrong types":    {"all of them, by path", published(", allowEmpty: maybe, filter: {namespace: prod}"), here + "[spec.allowEmpty: Invalid value: want true or false, got text, spec.filter.namespace: Invalid value: want a map, got text]"},
		"no group":       {"an absent one would be the core group", strings.Replace(published(""), "apiGroup: apps.example, ", "", 1), here + `spec.resource.apiGroup: Required value: name the group of the type; the core group is ""`},
		"null group":     {"null is no answer, either", strings.Replace(published(""), "apps.example", "null", 1), here + `spec.resource.apiGroup: Required value: name the group of the type; the core group is ""`},
		"no switch":      {"an empty map would switch syncing off", published(", synchronization: {}"), here + "spec.synchronization.enabled: Required value: say true or false"},
		"null switch":    {"null is no answer, either", published(", synchronization: {enabled: null}"), here + "spec.synchronization.enabled: Required value: say true or false"},
		"both":           {"faults of two kinds are told at once", published(", view: 3, synchronization: {}, maxDeletions: 1.5"), here + "[spec.view: Invalid value: want text, got a number, spec.synchronization.enabled: Required value: say true or false, spec.maxDeletions: Invalid value: \"1.5\": want a whole number from 0, or a percentage up to 100%]"},
		"limit list":     {"decoding would speak of a map", published(", maxDeletions: [1]"), here + "spec.maxDeletions: Invalid value: want a whole number from 0, or a percentage up to 100%"},
		"limit large":    {"more than there can be", published(", maxDeletions: 3000000000"), here + "spec.maxDeletions: Invalid value: \"3000000000\": want a whole number from 0, or a percentage up to 100%"},
		"limit null":     {"null is absent", published(", maxDeletions: null"), ""},
		"other kind":     {"the message says what is wanted", "apiVersion: waybill.dev/v1alpha1\nkind: MapController\nmetadata: {name: orders}\n", `MapController orders (budget.yaml): want kind "PublishedResource" of apiVersion "waybill.dev/v1alpha1" or "syncagent.kcp.io/v1alpha1", got "waybill.dev/v1alpha1"`},
		"other version":  {"versions are not guessed", strings.Replace(published(""), "v1alpha1", "v1", 1), here + `want kind "PublishedResource" of apiVersion "waybill.dev/v1alpha1" or "syncagent.kcp.io/v1alpha1", got "waybill.dev/v1"`},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := waybill.ReadPublishedResource(object(t, tc.text))
			got := ""
			if err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(tc.want, got); diff != "" || (p == nil) != (tc.want != "") {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// FuzzReadPublishedResource checks that a value stays the same when it is written and read again, and that its faults
// are the same twice.
func FuzzReadPublishedResource(f *testing.F) {
	for _, seed := range []string{
		everyField, published(""), related(""), published(", maxDeletions: [1]"), published(", synchronization: {}"),
		published(", projection: {versions: {v1: v2, v2: v2}}"), published(", maxDeletions: 0x10"), related(", cleanup: true"),
		published(", filter: {resource: {matchLabels: {a: _, b: _, '': ''}}}"), "apiVersion: waybill.dev/v1alpha1\nkind: PublishedResource\nspec: &a [*a]\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		objects, err := krm.Read("a.yaml", []byte(text), krm.Limits{Bytes: 1 << 16})
		if err != nil || len(objects) != 1 {
			return
		}
		p, err := waybill.ReadPublishedResource(objects[0])
		if err != nil {
			return
		}
		first, second := validation.PublishedResource(p), validation.PublishedResource(p.DeepCopy())
		if diff := cmp.Diff(fmt.Sprint(first), fmt.Sprint(second)); diff != "" {
			t.Errorf("what is wrong must be told the same (-first +second):\n%s", diff)
		}
		o, err := krm.FromTyped(p)
		if err != nil {
			t.Fatal(err)
		}
		again, err := waybill.ReadPublishedResource(o)
		if err != nil {
			t.Fatal(err)
		}
		one, _ := json.Marshal(p)
		two, _ := json.Marshal(again)
		if diff := cmp.Diff(string(one), string(two)); diff != "" {
			t.Errorf("what is written must be read the same (-first +second):\n%s", diff)
		}
	})
}

func read(t *testing.T, text string) *waybill.PublishedResource {
	t.Helper()
	p, err := waybill.ReadPublishedResource(object(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPublishedResourceAnswers(t *testing.T) {
	type answers struct {
		Versions                                      []string
		Moves, SyncsBack, Complete, Corrects, Deletes bool
		Adoption, MaxDeletions                        string
	}
	for name, tc := range map[string]struct {
		reason, more string
		want         answers
	}{
		"defaults":    {"without any of the fields", "", answers{Moves: true, SyncsBack: true, Adoption: "Converge"}},
		"all said":    {"with all of the fields", ", synchronization: {enabled: false}, statusBack: false, view: Complete, driftPolicy: Correct, filter: {onExclude: Delete}, adoptionPolicy: Never, maxDeletions: 25%", answers{Complete: true, Corrects: true, Deletes: true, Adoption: "Never", MaxDeletions: "25%"}},
		"said as is":  {"defaults, spelled", ", synchronization: {enabled: true}, statusBack: true, view: Partial, driftPolicy: Tolerate, filter: {onExclude: Retain}, adoptionPolicy: Converge, maxDeletions: 0", answers{Moves: true, SyncsBack: true, Adoption: "Converge", MaxDeletions: "0"}},
		"empty lists": {"an empty list of versions is all of them", ", projection: {shortNames: []}", answers{Moves: true, SyncsBack: true, Adoption: "Converge"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := read(t, published(tc.more))
			got := answers{p.Versions(), p.Moves(), p.SyncsBack(), p.Complete(), p.Corrects(), p.Spec.Filter.DeletesExcluded(), p.Adoption(), p.MaxDeletions()}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
	for text, want := range map[string][]string{"versions: [v1, v2]": {"v1", "v2"}, "version: v1": {"v1"}, "versions: []": nil} {
		p := read(t, strings.Replace(published(""), "kind: ShopOrder", "kind: ShopOrder, "+text, 1))
		if diff := cmp.Diff(want, p.Versions()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestPublishedRelatedAnswers(t *testing.T) {
	secrets := schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	vaults := schema.GroupVersionResource{Group: "v.example", Version: "v2", Resource: "vaults"}
	there := &waybill.RelatedProjection{Group: "v.example", Version: "v2", Resource: "vaults"}
	keys := func(version string) schema.GroupVersionResource {
		return schema.GroupVersionResource{Group: "v.example", Version: version, Resource: "keys"}
	}
	no, yes := false, true
	for name, tc := range map[string]struct {
		reason        string
		r             waybill.PublishedRelated
		policy        string
		remote, local schema.GroupVersionResource
	}{
		"service":          {"goes with the primary", waybill.PublishedRelated{Origin: "service", Version: "v1", Resource: "secrets"}, "OnPrimaryDeletion", secrets, secrets},
		"service cleanup":  {"as it was spelled before", waybill.PublishedRelated{Origin: "service", Kind: "Secret", Cleanup: &yes}, "OnPrimaryDeletion", secrets, secrets},
		"service orphan":   {"unless told not to", waybill.PublishedRelated{Origin: "service", Kind: "Secret", Cleanup: &no}, "Orphan", secrets, secrets},
		"service says":     {"the policy counts", waybill.PublishedRelated{Origin: "service", Kind: "Secret", CleanupPolicy: "MatchOrigin"}, "MatchOrigin", secrets, secrets},
		"kcp":              {"goes with the origin, too", waybill.PublishedRelated{Origin: "kcp", Kind: "Secret"}, "MatchOrigin", secrets, secrets},
		"kcp no cleanup":   {"which cleanup never meant", waybill.PublishedRelated{Origin: "kcp", Kind: "Secret", Cleanup: &no}, "MatchOrigin", secrets, secrets},
		"service projects": {"consumers see the projection", waybill.PublishedRelated{Origin: "service", Kind: "Secret", Projection: there}, "OnPrimaryDeletion", vaults, secrets},
		"kcp projects":     {"consumers write the type that is named", waybill.PublishedRelated{Origin: "kcp", Kind: "Secret", Projection: there}, "MatchOrigin", secrets, vaults},
		"part":             {"what a projection leaves out stays", waybill.PublishedRelated{Origin: "service", Group: "v.example", Version: "v1", Resource: "keys", Projection: &waybill.RelatedProjection{Version: "v3"}}, "OnPrimaryDeletion", keys("v3"), keys("v1")},
		"config maps":      {"the other deprecated kind", waybill.PublishedRelated{Origin: "kcp", Kind: "ConfigMap"}, "MatchOrigin", schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}},
	} {
		t.Run(name, func(t *testing.T) {
			want := []any{tc.policy, tc.remote, tc.local}
			if diff := cmp.Diff(want, []any{tc.r.Policy(), tc.r.RemoteType(), tc.r.LocalType()}); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
