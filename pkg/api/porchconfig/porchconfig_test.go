package porchconfig_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
)

const pvHeader = "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: eu-upf, namespace: fleet}\n"

const good = "upstream: {repo: b, package: upf, workspaceName: v3}, downstream: {repo: e, package: net/upf}"

func object(t *testing.T, text string) *krm.Object {
	t.Helper()
	objects, err := krm.Read("pv.yaml", []byte(text), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return objects[0]
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestValidatePackageVariant(t *testing.T) {
	for name, tc := range map[string]struct{ reason, name, spec, want string }{
		"good":  {"the least that is needed", "", good, ""},
		"empty": {"a part that is missing as a whole is one message", "", "", "missing required field spec.upstream; missing required field spec.downstream"},
		"fields": {
			"all messages are collected, in field order", "", "upstream: {}, downstream: {}, adoptionPolicy: x, deletionPolicy: y, injectors: [{name: ''}]",
			`missing required field spec.upstream.repo; missing required field spec.upstream.package; ` +
				`missing required field spec.downstream.repo; missing required field spec.downstream.package; ` +
				`spec.adoptionPolicy field can only be "adoptNone" or "adoptExisting"; spec.deletionPolicy can only be "orphan" or "delete"; ` +
				`spec.injectors[0].name must not be empty`,
		},
		"follow": {"a range may stand for the revision", "", "upstream: {repo: b, package: upf, follow: '>=2 <5'}, downstream: {repo: e, package: upf}", ""},
		"follow two": {
			"a range and a revision may contradict each other", "", "upstream: {repo: b, package: upf, follow: latest, revision: 3}, downstream: {repo: e, package: upf}",
			"spec.upstream.follow excludes spec.upstream.revision and spec.upstream.workspaceName",
		},
		"follow none": {
			"a typo must not follow everything", "", "upstream: {repo: b, package: upf, follow: newest}, downstream: {repo: e, package: upf}",
			`spec.upstream.follow must be "latest" or a range of revision numbers such as ">=2 <5": improper constraint: "newest"`,
		},
		"policies": {"every policy there is", "", good + ", adoptionPolicy: adoptExisting, deletionPolicy: orphan", ""},
		"context": {
			"values are printed as JSON of the whole", "", good + ", packageContext: {data: {name: x, a: b}, removeKeys: [a, package-path]}",
			`spec.packageContext.data: Invalid value: {"a":"b","name":"x"}: must not contain the key "name"; ` +
				`spec.packageContext.removeKeys: Invalid value: ["a","package-path"]: must not contain the key "package-path"`,
		},
		"dotted names": {
			"such functions could never be taken out again", "eu.upf", good + ", pipeline: {mutators: [{image: a, name: x}], validators: [{image: a, name: x.y}]}",
			"metadata.name must not contain '.' because the functions of spec.pipeline are named after it; spec.pipeline.validators[0].name must not contain '.'",
		},
		"dotted name alone": {"without functions a dot does no harm", "eu.upf", good, ""},
	} {
		t.Run(name, func(t *testing.T) {
			pv, err := porchconfig.ReadPackageVariant(object(t, pvHeader+"spec: {"+tc.spec+"}\n"))
			if err != nil {
				t.Fatal(err)
			}
			if tc.name != "" {
				pv.Name = tc.name
			}
			if diff := cmp.Diff(tc.want, message(pv.Validate())); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	for name, tc := range map[string]struct{ reason, text, want string }{
		"unknown field": {"a typo is not passed over", pvHeader + "spec: {upstreem: {}}\n", "PackageVariant fleet/eu-upf (pv.yaml): spec.upstreem: Forbidden: unknown field"},
		"old revision":  {"revisions were text before P 1.4", pvHeader + "spec: {upstream: {revision: v1}}\n", "PackageVariant fleet/eu-upf (pv.yaml): spec.upstream.revision: Invalid value: want a whole number, got text"},
		"other version": {"only v1alpha1 is spoken", "apiVersion: config.porch.kpt.dev/v1\nkind: PackageVariant\nmetadata: {name: a}\n", `PackageVariant a (pv.yaml): want apiVersion "config.porch.kpt.dev/v1alpha1" and kind "PackageVariant", got "config.porch.kpt.dev/v1"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := porchconfig.ReadPackageVariant(object(t, tc.text))
			if diff := cmp.Diff(tc.want, message(err)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestValidateRepository(t *testing.T) {
	for name, tc := range map[string]struct{ reason, spec, want string }{
		"git":      {"the least of a Git repository", "type: git, git: {repo: https://git.example/b.git}", ""},
		"oci":      {"the least of an OCI repository", "type: oci, oci: {registry: r}", ""},
		"none":     {"the type is not guessed", "git: {repo: x}", "missing required field spec.type"},
		"other":    {"nothing else is known", "type: svn", `spec.type can only be "git" or "oci"`},
		"no part":  {"the type's own part is needed", "type: git", "missing required field spec.git"},
		"no URL":   {"an empty URL is none", "type: git, git: {repo: ''}", "missing required field spec.git.repo"},
		"no place": {"likewise for OCI", "type: oci, oci: {}", "missing required field spec.oci.registry"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := porchconfig.ReadRepository(object(t, "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: b}\nspec: {"+tc.spec+"}\n"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, message(r.Validate())); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// everything has each field of both kinds that there is.
var everything = map[string]string{
	"PackageVariantSet": `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariantSet
metadata: {name: a, namespace: n}
spec:
  upstream: {package: {repo: b, name: upf}, revision: v3, tag: t}
  targets:
  - package: {repo: e, name: upf}
  - repositories: {matchLabels: {a: b}, matchExpressions: [{key: k, operator: In, values: [v]}]}
    packageName: {baseName: {value: b}, namePrefix: {value: p}, nameSuffix: {fromField: metadata.name}}
  - objects:
      selectors: [{apiVersion: v1, kind: Site, name: s, namespace: n, labelSelector: {matchLabels: {a: b}}, annotations: {a: b}}]
      repoName: {value: r}
  adoptionPolicy: adoptExisting
  deletionPolicy: orphan
  labels: {a: b}
  annotations: {a: b}
status:
  conditions: [{type: Ready, status: "True", reason: Reconciled, message: m, lastTransitionTime: "2026-01-01T00:00:00Z"}]
`,
	"PackageVariant": `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: a, namespace: n}
spec:
  upstream: {repo: b, package: upf, workspaceName: v3, revision: 3, follow: latest}
  downstream: {repo: e, package: upf}
  adoptionPolicy: adoptExisting
  deletionPolicy: orphan
  labels: {a: b}
  annotations: {a: b}
  packageContext: {data: {a: b}, removeKeys: [c]}
  pipeline: {mutators: [{image: i, name: n, configMap: {a: b}}], validators: [{exec: e}]}
  injectors: [{group: "", version: v1, kind: ConfigMap, name: x}]
status:
  conditions: [{type: Ready, status: "True", reason: NoErrors, message: m, lastTransitionTime: "2026-01-01T00:00:00Z"}]
  downstreamTargets: [{name: t, renderStatus: {result: {exitCode: 1}, error: e}}]
`,
	"Repository": `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: a, namespace: n}
spec:
  type: git
  description: d
  content: Package
  deployment: true
  sync: {schedule: "* * * * *", runOnceAt: "2026-01-01T00:00:00Z"}
  git: {repo: r, branch: b, createBranch: true, directory: d, secretRef: {name: s}, author: a, email: e}
  oci: {registry: r, secretRef: {name: s}}
status:
  conditions: [{type: Ready, status: "True", reason: Ready, message: m, lastTransitionTime: "2026-01-01T00:00:00Z"}]
  lastFullSyncTime: "2026-01-01T00:00:00Z"
  nextFullSyncTime: "2026-01-01T00:00:00Z"
  packageCount: 3
  gitCommitHash: 1f
  observedGeneration: 2
  observedRunOnceAt: "2026-01-01T00:00:00Z"
`,
}

func TestRoundTripKeepsEveryField(t *testing.T) {
	for kind, text := range everything {
		t.Run(kind, func(t *testing.T) {
			o := object(t, text)
			typed, err := readers[kind](o)
			if err != nil {
				t.Fatal(err)
			}
			want, err := krm.Value(o.Node())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(asJSON(t, want), asJSON(t, typed)); diff != "" {
				t.Errorf("reading and writing keeps every field (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(typed, typed.DeepCopyObject()); diff != "" {
				t.Errorf("so does a copy (-want +got):\n%s", diff)
			}
		})
	}
}

// readers read each kind of this version.
var readers = map[string]func(*krm.Object) (runtime.Object, error){
	"PackageVariant":    func(o *krm.Object) (runtime.Object, error) { return porchconfig.ReadPackageVariant(o) },
	"PackageVariantSet": func(o *krm.Object) (runtime.Object, error) { return porchconfig.ReadPackageVariantSet(o) },
	"Repository":        func(o *krm.Object) (runtime.Object, error) { return porchconfig.ReadRepository(o) },
}

func TestSchemeKnowsEveryKind(t *testing.T) {
	s := runtime.NewScheme()
	if err := porchconfig.AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	for kind := range everything {
		for _, name := range []string{kind, kind + "List"} {
			made, err := s.New(porchconfig.GroupVersion.WithKind(name))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			kinds, _, err := s.ObjectKinds(made)
			if diff := cmp.Diff(name, kinds[0].Kind); diff != "" || err != nil {
				t.Errorf("%s (-want +got):\n%s%v", name, diff, err)
			}
		}
	}
}

// FuzzRead holds that what a reader accepts is kept by writing and reading it again, and that
// validating it ends.
func FuzzRead(f *testing.F) {
	for _, text := range everything {
		f.Add([]byte(text))
	}
	f.Add([]byte(pvHeader + "spec: {" + good + "}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		objects, err := krm.Read("fuzz.yaml", data, krm.Limits{})
		if err != nil {
			return
		}
		for _, o := range objects {
			read := readers[o.Kind()]
			if read == nil {
				continue
			}
			typed, err := read(o)
			if err != nil {
				continue
			}
			written, err := krm.FromTyped(typed)
			if err != nil {
				t.Fatal(err)
			}
			again, err := read(written)
			if err != nil {
				t.Fatalf("what was written cannot be read: %v", err)
			}
			if diff := cmp.Diff(asJSON(t, typed), asJSON(t, again)); diff != "" {
				t.Errorf("writing and reading again keeps everything (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(faultsOf(typed), faultsOf(again)); diff != "" {
				t.Errorf("and its faults (-first +second):\n%s", diff)
			}
		}
	})
}

// asJSON is v the way JSON sees it.
func asJSON(t *testing.T, v any) (out any) {
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

// faultsOf is what is wrong with a value of a kind that says so.
func faultsOf(typed runtime.Object) string {
	if v, ok := typed.(interface{ Validate() error }); ok {
		return message(v.Validate())
	}
	return ""
}

func TestBranchName(t *testing.T) {
	for name, tc := range map[string]struct{ reason, branch, want string }{
		"default": {"main unless said otherwise", "", "main"},
		"given":   {"what is written counts", "trunk", "trunk"},
	} {
		t.Run(name, func(t *testing.T) {
			g := porchconfig.GitRepository{Branch: tc.branch}
			if diff := cmp.Diff(tc.want, g.BranchName()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
