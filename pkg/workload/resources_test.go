package workload

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/kustomize/kyaml/openapi/kubernetesapi"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

func parse(t testing.TB, text string) []*krm.Object {
	t.Helper()
	objs, err := krm.Read("test.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return objs
}

func resources(t testing.TB, items []*krm.Object, config ...string) *Resources {
	t.Helper()
	r, errs := NewResources(items, config)
	if len(errs) > 0 {
		t.Fatal(errs.ToAggregate())
	}
	return r
}

// TestBuiltinClients compares the table with the kinds that Kubernetes' own clients know, both ways.
func TestBuiltinClients(t *testing.T) {
	data, err := os.ReadFile("testdata/kinds.txt")
	if err != nil {
		t.Fatal(err)
	}
	r, watched := resources(t, nil), map[typeKey]bool{}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Fields(line)
		k := typeKey{strings.TrimPrefix(f[0], "core"), f[1]}
		want := Resource{Plural: f[2], Namespaced: f[3] == "Namespaced", Known: true, ListWatch: f[4] == "watched"}
		if d := cmp.Diff(want, r.Lookup(k.group, k.name)); d != "" {
			t.Errorf("%v (-client +table):\n%s", k, d)
		}
		watched[k] = want.ListWatch
	}
	for k, res := range r.kinds {
		if _, ownKinds := ownKinds[k]; res.ListWatch && !watched[k] && !ownKinds {
			t.Errorf("%v: the table says that it can be selected, but no client knows it", k)
		}
	}
}

// TestVirtualKinds holds that what has no objects on an API server is selected by nothing, as what
// it is, not as an unknown kind.
func TestVirtualKinds(t *testing.T) {
	r := resources(t, nil)
	for _, apiVersionAndKind := range []string{
		"v1 Binding", "v1 ComponentStatus", "v1 PodExecOptions", "v1 RangeAllocation", "v1 Status", "v1 List",
		"autoscaling/v1 Scale", "apps/v1beta2 Scale", "extensions/v1beta1 Scale", "apps/v1beta1 DeploymentRollback",
		"policy/v1 Eviction", "authentication.k8s.io/v1 TokenRequest", "authentication.k8s.io/v1 TokenReview",
		"authorization.k8s.io/v1 LocalSubjectAccessReview", "admission.k8s.io/v1 AdmissionReview",
		"apiextensions.k8s.io/v1 ConversionReview", "imagepolicy.k8s.io/v1alpha1 ImageReview",
	} {
		apiVersion, kind, _ := strings.Cut(apiVersionAndKind, " ")
		o := parse(t, "apiVersion: "+apiVersion+"\nkind: "+kind+"\nmetadata: {name: a, namespace: b}\n")[0]
		if r.Selectable(o) || !r.Of(o).Known {
			t.Errorf("%s: want known and not selectable, got %+v", apiVersionAndKind, r.Of(o))
		}
	}
}

// TestBuiltinScopes compares the table with the OpenAPI document inside kyaml, both ways: each
// kind of the document is in the table, in that scope.
func TestBuiltinScopes(t *testing.T) {
	r, checked := resources(t, nil), map[typeKey]bool{}
	for _, meta := range documentedTypes(t) {
		namespaced, found := openapi.IsNamespaceScoped(meta)
		if !found {
			continue
		}
		group, _, _ := cutGroup(meta.APIVersion)
		got := r.Lookup(group, meta.Kind)
		if !got.Known || got.Namespaced != namespaced {
			t.Errorf("%s %s: want known and namespaced=%t, got %+v", meta.APIVersion, meta.Kind, namespaced, got)
		}
		checked[typeKey{group, meta.Kind}] = true
	}
	if len(checked) < 50 {
		t.Errorf("the document names only %d kinds; is it still read right?", len(checked))
	}
}

// documentedTypes are all versions of all kinds that the OpenAPI document knows.
func documentedTypes(t *testing.T) (out []yaml.TypeMeta) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(openapi.Schema().Definitions)) {
		gvks, _ := openapi.Schema().Definitions[name].Extensions["x-kubernetes-group-version-kind"].([]any)
		for _, e := range gvks {
			gvk := e.(map[string]any)
			apiVersion := fmt.Sprint(gvk["version"])
			if gvk["group"] != "" {
				apiVersion = fmt.Sprint(gvk["group"]) + "/" + apiVersion
			}
			out = append(out, yaml.TypeMeta{APIVersion: apiVersion, Kind: fmt.Sprint(gvk["kind"])})
		}
	}
	return out
}

func cutGroup(apiVersion string) (group, version string, found bool) {
	o := krm.FromNode(krm.MapNode(krm.StringNode("apiVersion"), krm.StringNode(apiVersion)))
	return o.Group(), o.Version(), true
}

var apiPath = regexp.MustCompile(`/(?:api|apis/([a-z0-9.]+))/v[a-z0-9]+/(watch/)?(?:namespaces/\{namespace\}/)?([a-z]+)[^a-z/]`)

// TestBuiltinPlurals compares plurals and verbs of the table with the paths of a real API server:
// what its document can watch is there under that very plural, and can be selected.
func TestBuiltinPlurals(t *testing.T) {
	served, watched := map[typeKey]bool{}, map[typeKey]bool{}
	for _, m := range apiPath.FindAllSubmatch(swagger(), -1) {
		k := typeKey{string(m[1]), string(m[3])}
		served[k] = true
		if len(m[2]) > 0 {
			watched[k] = true
		}
	}
	r, checked := resources(t, nil), 0
	for k, res := range r.kinds {
		plural := typeKey{k.group, res.Plural}
		if !served[plural] {
			continue
		}
		checked++
		if res.ListWatch != watched[plural] {
			t.Errorf("%v %s: the server can watch it: %t; the table says %t", k, res.Plural, watched[plural], res.ListWatch)
		}
		delete(watched, plural)
	}
	if checked < 55 || len(watched) > 0 {
		t.Errorf("%d kinds checked; plurals that no kind in the table has: %v", checked, watched)
	}
}

func swagger() []byte {
	return kubernetesapi.OpenAPIMustAsset[kubernetesapi.DefaultOpenAPI]("kubernetesapi/v1_21_2/swagger.pb")
}

func TestGuessPlural(t *testing.T) {
	cases := map[string]struct{ reason, kind, want string }{
		"S":         {"most kinds take an s", "Deployment", "deployments"},
		"ES":        {"a kind that ends in s takes es", "Ingress", "ingresses"},
		"IES":       {"y becomes ies", "NetworkPolicy", "networkpolicies"},
		"Endpoints": {"the one kind that is a plural", "Endpoints", "endpoints"},
		"Wrong":     {"the usual guess is wrong for some kinds, which is why guessing warns", "Gateway", "gatewaies"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := guessPlural(tc.kind); got != tc.want {
				t.Errorf("%s: want %q, got %q", tc.reason, tc.want, got)
			}
		})
	}
}

const crds = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: cacti.garden.example}
spec: {group: garden.example, scope: Cluster, names: {kind: Cactus, plural: cacti}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: fragment}
spec: {group: garden.example, names: {kind: Shrub}}
`

func TestLookup(t *testing.T) {
	r := resources(t, parse(t, crds), "Gateway.gateway.networking.k8s.io = gateways", "Thing=things,Cluster", "Box.x.io=boxen , Namespaced")
	cases := map[string]struct {
		reason, group, kind string
		want                Resource
	}{
		"Builtin":     {"the table knows Kubernetes", "apps", "Deployment", Resource{"deployments", true, true, true}},
		"OtherGroup":  {"a kind is known in its group only", "example.com", "Deployment", Resource{"deployments", false, false, true}},
		"Review":      {"what cannot be listed and watched is known as such", "authentication.k8s.io", "TokenReview", Resource{"tokenreviews", false, true, false}},
		"Definition":  {"a definition teaches plural and scope", "garden.example", "Cactus", Resource{"cacti", false, true, true}},
		"Fragment":    {"half a definition teaches nothing", "garden.example", "Shrub", Resource{"shrubs", false, false, true}},
		"Option":      {"the option teaches; namespaced when not said", "gateway.networking.k8s.io", "Gateway", Resource{"gateways", true, true, true}},
		"OptionCore":  {"without a dot it is the core group", "", "Thing", Resource{"things", false, true, true}},
		"OptionScope": {"blanks around the parts do no harm", "x.io", "Box", Resource{"boxen", true, true, true}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tc.want, r.Lookup(tc.group, tc.kind)); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
}

func TestNewResourcesErrors(t *testing.T) {
	cases := map[string]struct {
		reason, items string
		config        []string
		want          []string
	}{
		"Entries": {
			reason: "every malformed entry is reported at its index",
			config: []string{"", "=a", "A", "A.b=C", "A.b=c,d", "A.-=c", "A.b=c", "A.b=c"},
			want: []string{
				`resources[0]: Invalid value: "": want Kind.group=plural[,Cluster|Namespaced]; "" is not a kind`,
				`resources[1]: Invalid value: "=a": want Kind.group=plural[,Cluster|Namespaced]; "" is not a kind`,
				`resources[2]: Invalid value: "A": want Kind.group=plural[,Cluster|Namespaced]; "" is not a lower-case plural`,
				`resources[3]: Invalid value: "A.b=C": want Kind.group=plural[,Cluster|Namespaced]; "C" is not a lower-case plural`,
				`resources[4]: Invalid value: "A.b=c,d": want Cluster or Namespaced after the comma, not "d"`,
				`resources[5]: Invalid value: "A.-=c": want Kind.group=plural[,Cluster|Namespaced]; "-" is not an API group`,
				`resources[7]: Duplicate value: "A.b=c"`,
			},
		},
		"Definitions": {
			reason: "two definitions that disagree would make the result depend on order",
			items: crds + "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: other}\n" +
				"spec: {group: garden.example, scope: Namespaced, names: {kind: Cactus, plural: cacti}}\n",
			want: []string{`items: Invalid value: "Cactus.garden.example": two CustomResourceDefinitions give this kind different plurals or scopes`},
		},
		"ThreeDefinitions": {
			reason: "a kind is reported once, however many definitions it has and wherever they stand",
			items: crds + "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: other}\n" +
				"spec: {group: garden.example, scope: Cluster, names: {kind: Cactus, plural: cactuses}}\n---" + crds,
			want: []string{`items: Invalid value: "Cactus.garden.example": two CustomResourceDefinitions give this kind different plurals or scopes`},
		},
		"SameDefinitionTwice": {
			reason: "a definition may be there twice, perhaps once as local configuration",
			items:  crds + "---" + crds,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			items := parse(t, tc.items)
			first, errs := NewResources(items, tc.config)
			var got []string
			for _, e := range errs {
				got = append(got, e.Error())
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
			slices.Reverse(items)
			again, _ := NewResources(items, tc.config)
			if d := cmp.Diff(first.kinds, again.kinds); d != "" {
				t.Errorf("%s; the order of items shows (-first +reversed):\n%s", tc.reason, d)
			}
		})
	}
}
