package v1alpha2_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// everything has each field there is.
const everything = header + `spec:
  upstream: {repo: b, package: upf, workspaceName: v3, revision: 3, follow: latest}
  targets:
  - repositories: [{name: e, packageNames: [p]}]
  - repositories: []
  - repositorySelector: {matchLabels: {a: b}, matchExpressions: [{key: k, operator: In, values: [v]}]}
  - objectSelector: {apiVersion: v1, kind: Site, name: s, matchLabels: {a: b}, matchExpressions: [{key: k, operator: Exists}]}
    template:
      downstream: {repo: "", repoExpr: a, package: p, packageExpr: b}
      adoptionPolicy: adoptExisting
      deletionPolicy: orphan
      labels: {a: b}
      labelExprs: [{key: "", keyExpr: k, value: v, valueExpr: w}]
      annotations: {a: b}
      annotationExprs: [{key: a}]
      packageContext: {data: {a: b}, removeKeys: [c], dataExprs: [{key: a}], removeKeyExprs: [d]}
      pipeline:
        mutators: [{image: i, name: n, tag: "1", configPath: p, configMap: {a: b}, selectors: [{kind: k}], exclude: [{name: n}], configMapExprs: [{key: a}]}]
        validators: [{exec: e}]
      injectors: [{group: "", version: v1, kind: k, name: "", nameExpr: x}]
status:
  conditions: [{type: Ready, status: "True", reason: Reconciled, message: m, lastTransitionTime: "2026-01-01T00:00:00Z"}]
`

// sites is the set that the contract shows.
const sites = header + `spec:
  upstream: {repo: blueprints, package: upf, workspaceName: v3}
  targets:
  - objectSelector:
      apiVersion: infra.example/v1
      kind: Site
      matchLabels: {role: edge}
    template:
      downstream:
        repo: edge-deploy
        packageExpr: "'upf-' + target.name"
      labelExprs:
      - {key: region, valueExpr: "'region' in target.labels ? target.labels['region'] : 'none'"}
      packageContext:
        dataExprs:
        - {key: site, valueExpr: target.name}
      injectors:
      - {kind: Site, nameExpr: target.name}
      pipeline:
        mutators:
        - image: reg.example/set-labels:v1
          name: region
          configMapExprs:
          - {key: source, valueExpr: "upstream.name"}
`

func TestRoundTripKeepsEveryField(t *testing.T) {
	for name, tc := range map[string]struct{ reason, text string }{
		"everything": {"each field, also those that are empty", everything},
		"sites":      {"what the contract shows", sites},
	} {
		t.Run(name, func(t *testing.T) {
			o := object(t, tc.text)
			set, err := v1alpha2.ReadPackageVariantSet(o)
			if err != nil {
				t.Fatal(err)
			}
			want, err := krm.Value(o.Node())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(asJSON(t, want), asJSON(t, set)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(set, set.DeepCopyObject()); diff != "" {
				t.Errorf("%s, in a copy (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// asJSON is v the way JSON sees it.
func asJSON(t testing.TB, v any) (out any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestReadRefuses(t *testing.T) {
	for name, tc := range map[string]struct{ reason, text, want string }{
		"unknown field": {"a typo is not passed over", header + "spec: {targets: [{repositorys: []}]}\n", "PackageVariantSet fleet/upf (set.yaml): spec.targets[0].repositorys: Forbidden: unknown field"},
		"wrong type":    {"revisions are numbers now", header + "spec: {upstream: {revision: v1}}\n", "PackageVariantSet fleet/upf (set.yaml): spec.upstream.revision: Invalid value: want a whole number, got text"},
		"other version": {"no third version is spoken", "apiVersion: config.porch.kpt.dev/v1\nkind: PackageVariantSet\nmetadata: {name: a}\n", `PackageVariantSet a (set.yaml): want apiVersion "config.porch.kpt.dev/v1alpha2" and kind "PackageVariantSet", got "config.porch.kpt.dev/v1"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := v1alpha2.ReadPackageVariantSet(object(t, tc.text))
			if diff := cmp.Diff(tc.want, message(err)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestSchemeKnowsTheKind(t *testing.T) {
	s := runtime.NewScheme()
	if err := v1alpha2.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"PackageVariantSet", "PackageVariantSetList"} {
		if !s.Recognizes(v1alpha2.GroupVersion.WithKind(kind)) {
			t.Errorf("%s is not known", kind)
		}
	}
}

// FuzzRead holds that what is accepted, of either version, is kept by writing and reading it again,
// and that validating it ends, with the same words each time.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{everything, sites, legacyHeader + legacyGood, legacyHeader + "spec: {targets: [{objects: {selectors: [{}], repoName: {fromField: x}}}]}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		objects, err := krm.Read("fuzz.yaml", data, krm.Limits{})
		if err != nil {
			return
		}
		for _, o := range objects {
			set, err := v1alpha2.ReadPackageVariantSet(o)
			if err != nil {
				continue
			}
			written, err := krm.FromTyped(set)
			if err != nil {
				t.Fatal(err)
			}
			again, err := v1alpha2.ReadPackageVariantSet(written)
			if err != nil {
				t.Fatalf("what was written cannot be read: %v", err)
			}
			if diff := cmp.Diff(asJSON(t, set), asJSON(t, again)); diff != "" {
				t.Errorf("writing and reading again keeps everything (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(message(set.Validate()), message(again.Validate())); diff != "" {
				t.Errorf("and its faults (-first +second):\n%s", diff)
			}
		}
	})
}
