package crds_test

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

// server is an API server that has the definitions, and a namespace of the test's own.
type server struct {
	*clustertest.Cluster
	client.Client
	namespace string
}

func newServer(t *testing.T) *server {
	t.Helper()
	w := &server{Cluster: clustertest.Shared(t)}
	w.InstallCRDs(t, ".")
	var err error
	if w.Client, err = client.New(w.Admin(), client.Options{}); err != nil {
		t.Fatal(err)
	}
	w.namespace = w.Namespace(t)
	return w
}

// object makes an object of a kind, whose spec is YAML in one line; "" leaves the spec out.
func (w *server) object(t *testing.T, kind, name, spec string) *unstructured.Unstructured {
	t.Helper()
	version := map[string]string{"PackageVariantSet": "config.porch.kpt.dev/v1alpha2", "ChangeBudget": "waybill.dev/v1alpha1", "PublishedResource": "waybill.dev/v1alpha1"}[kind]
	if version == "" {
		version = "config.porch.kpt.dev/v1alpha1"
	}
	o := map[string]any{"apiVersion": version, "kind": kind, "metadata": map[string]any{"name": name, "namespace": w.namespace}}
	if spec != "" {
		o["spec"] = value(t, "{"+spec+"}")
	}
	return &unstructured.Unstructured{Object: o}
}

func value(t *testing.T, text string) (out map[string]any) {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return out
}

// faults are the causes that the API server gives, as "field: message" without the value, sorted.
func faults(t *testing.T, err error) (out []string) {
	t.Helper()
	var refused *apierrors.StatusError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &refused) || !apierrors.IsInvalid(err):
		t.Fatal(err)
	}
	for _, c := range refused.ErrStatus.Details.Causes {
		if strings.Contains(c.Message, "some validation rules were not checked") {
			continue // because of the other causes
		}
		out = append(out, c.Field+": "+valued.ReplaceAllString(c.Message, ""))
	}
	slices.Sort(out)
	return out
}

// valued is what API servers put in front of a rule's message; some print the value, or its type.
var valued = regexp.MustCompile(`^(Required|Invalid) value: (("[a-z]*"|-?[0-9]+): )?`)

const (
	fine  = "upstream: {repo: b, package: upf, workspaceName: v3}, downstream: {repo: e, package: upf}"
	from  = "upstream: {repo: b, package: upf, workspaceName: v3}, "
	one   = "spec.targets[0]"
	tmpl  = one + ".template"
	which = "must specify one of `repositories`, `repositorySelector`, or `objectSelector`"
)

func templated(template string) string {
	return from + "targets: [{repositorySelector: {}, template: {" + template + "}}]"
}

func TestTheServerSaysWhatTheContractSays(t *testing.T) {
	w := newServer(t)
	for name, tc := range map[string]struct {
		reason, kind, spec string
		want               []string
	}{
		"variant":        {"the least that is needed", "PackageVariant", fine, nil},
		"variant range":  {"following is a choice", "PackageVariant", "upstream: {repo: b, package: upf, follow: '>=2 <5 || ~7'}, downstream: {repo: e, package: upf}", nil},
		"variant latest": {"in one word, too", "PackageVariant", "upstream: {repo: b, package: upf, follow: latest}, downstream: {repo: e, package: upf}", nil},
		"variant full":   {"every field there is", "PackageVariant", fine + ", adoptionPolicy: adoptExisting, deletionPolicy: orphan, labels: {a: b}, annotations: {a: b}, packageContext: {data: {a: b}, removeKeys: [c]}, pipeline: {mutators: [{image: i, name: f, configMap: {a: b}, selectors: [{kind: K}]}]}, injectors: [{group: '', kind: K, name: x}]", nil},
		"no spec":        {"an object without a spec wants nothing", "PackageVariant", "", []string{"spec: missing required field spec.upstream; missing required field spec.downstream"}},
		"no parts":       {"both at once", "PackageVariant", "labels: {a: b}", []string{"spec.downstream: missing required field spec.downstream", "spec.upstream: missing required field spec.upstream"}},
		"empty parts": {"four at once", "PackageVariant", "upstream: {}, downstream: {repo: ''}", []string{
			"spec.downstream.package: missing required field spec.downstream.package", "spec.downstream.repo: missing required field spec.downstream.repo",
			"spec.upstream.package: missing required field spec.upstream.package", "spec.upstream.repo: missing required field spec.upstream.repo",
		}},
		"policies": {"no enum, the controller's words", "PackageVariant", fine + ", adoptionPolicy: x, deletionPolicy: z", []string{
			`spec.adoptionPolicy: spec.adoptionPolicy field can only be "adoptNone" or "adoptExisting"`, `spec.deletionPolicy: spec.deletionPolicy can only be "orphan" or "delete"`,
		}},
		"context": {"the path is the server's part of the sentence", "PackageVariant", fine + ", packageContext: {data: {name: x}, removeKeys: [package-path]}", []string{
			`spec.packageContext.data: must not contain the key "name"`, `spec.packageContext.removeKeys: must not contain the key "package-path"`,
		}},
		"injector":  {"the path has the index", "PackageVariant", fine + ", injectors: [{name: a}, {name: ''}]", []string{"spec.injectors[1].name: must not be empty"}},
		"two ways":  {"a range and a revision", "PackageVariant", "upstream: {repo: b, package: upf, follow: latest, revision: 3}, downstream: {repo: e, package: upf}", []string{"spec.upstream.follow: spec.upstream.follow excludes spec.upstream.revision and spec.upstream.workspaceName"}},
		"no range":  {"letters are no range", "PackageVariant", "upstream: {repo: b, package: upf, follow: newest}, downstream: {repo: e, package: upf}", []string{`spec.upstream.follow: spec.upstream.follow must be "latest" or a range of revision numbers such as ">=2 <5"`}},
		"set":       {"the least that is needed", "PackageVariantSet", from + "targets: [{repositories: [{name: e}]}]", nil},
		"set range": {"a range stands for the revision", "PackageVariantSet", "upstream: {repo: b, package: upf, follow: latest}, targets: [{repositorySelector: {}}]", nil},
		"set full":  {"every field that goes with the others", "PackageVariantSet", templated("downstream: {repo: r, packageExpr: p}, adoptionPolicy: adoptNone, deletionPolicy: orphan, labels: {a: b}, labelExprs: [{key: a, valueExpr: b}], annotationExprs: [{keyExpr: a, value: b}], packageContext: {data: {a: b}, dataExprs: [{key: a, value: b}], removeKeyExprs: [a]}, pipeline: {mutators: [{image: i, configMapExprs: [{key: a, value: b}]}]}, injectors: [{nameExpr: x}]"), nil},
		"set empty": {"an object without a spec", "PackageVariantSet", "", []string{"spec: spec.upstream is a required field; must specify at least one item in spec.targets"}},
		"set upstream": {"all at once", "PackageVariantSet", "upstream: {}, targets: []", []string{
			"spec.targets: must specify at least one item in spec.targets",
			"spec.upstream.package: spec.upstream.package is a required field", "spec.upstream.repo: spec.upstream.repo is a required field",
			"spec.upstream: either spec.upstream.revision or spec.upstream.workspaceName must be specified",
		}},
		"set targets": {"exactly one selector, and something in it", "PackageVariantSet", from + "targets: [{}, {repositories: []}, {repositories: [{packageNames: ['']}], repositorySelector: {}}, {objectSelector: {}}]", []string{
			one + ": " + which, "spec.targets[1].repositories: must not be an empty list if specified",
			"spec.targets[2].repositories[0].name: cannot be empty", "spec.targets[2].repositories[0].packageNames[0]: cannot be empty", "spec.targets[2]: " + which,
			"spec.targets[3].objectSelector.apiVersion: cannot be empty", "spec.targets[3].objectSelector.kind: cannot be empty",
		}},
		"set policies": {"as for a variant", "PackageVariantSet", templated("adoptionPolicy: x, deletionPolicy: z"), []string{
			tmpl + `.adoptionPolicy: can only be "adoptNone" or "adoptExisting"`, tmpl + `.deletionPolicy: can only be "orphan" or "delete"`,
		}},
		"set names": {"one source for each text", "PackageVariantSet", templated("downstream: {repo: a, repoExpr: b, package: c, packageExpr: d}, labelExprs: [{key: a, keyExpr: b, value: c, valueExpr: d}], injectors: [{name: a, nameExpr: b}, {}]"), []string{
			tmpl + ".injectors[0]: may specify only one of `name` and `nameExpr`", tmpl + ".injectors[1]: must specify either `name` or `nameExpr`",
			tmpl + ".labelExprs[0]: may specify only one of `key` and `keyExpr`", tmpl + ".labelExprs[0]: may specify only one of `value` and `valueExpr`",
			tmpl + ": may specify only one of `downstream.package` and `downstream.packageExpr`", tmpl + ": may specify only one of `downstream.repo` and `downstream.repoExpr`",
		}},
		"set functions":   {"no executables", "PackageVariantSet", templated("pipeline: {mutators: [{exec: a}], validators: [{image: ''}]}"), []string{tmpl + ".pipeline.mutators[0].image: must not be empty", tmpl + ".pipeline.validators[0].image: must not be empty"}},
		"repository":      {"the least of a Git repository", "Repository", "type: git, git: {repo: https://git.example/b.git}", nil},
		"repository none": {"the type is not guessed", "Repository", "git: {repo: x}", []string{"spec.type: missing required field spec.type"}},
		"repository svn":  {"nothing else is known", "Repository", "type: svn", []string{`spec.type: spec.type can only be "git" or "oci"`}},
		"repository git":  {"the type's own part", "Repository", "type: git", []string{"spec.git: missing required field spec.git"}},
		"repository URL":  {"an empty URL is none", "Repository", "type: git, git: {repo: ''}", []string{"spec.git.repo: missing required field spec.git.repo"}},
		"repository OCI":  {"likewise for OCI", "Repository", "type: oci, oci: {}", []string{"spec.oci.registry: missing required field spec.oci.registry"}},
		"budget":          {"0 is a limit", "ChangeBudget", "maxClusters: 0", nil},
		"budget negative": {"less than nothing cannot be kept", "ChangeBudget", "maxClusters: -1", []string{"spec.maxClusters: spec.maxClusters in body should be greater than or equal to 0"}},
	} {
		t.Run(name, func(t *testing.T) {
			err := w.Create(t.Context(), w.object(t, tc.kind, "tried", tc.spec), client.DryRunAll)
			if diff := cmp.Diff(tc.want, faults(t, err)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestWhereARepositoryIsDoesNotChange(t *testing.T) {
	w := newServer(t)
	for name, tc := range map[string]struct {
		reason, before, after string
		want                  []string
	}{
		"branch":         {"published revisions are on it", "branch: a", "branch: b", []string{"spec.git.branch: spec.git.branch is immutable"}},
		"directory":      {"packages would vanish", "directory: a", "", []string{"spec.git.directory: spec.git.directory is immutable"}},
		"branch spelled": {"main is the default", "", "branch: main", nil},
		"URL":            {"a repository may move", "branch: a", "branch: a, author: me, secretRef: {name: s}", nil},
	} {
		t.Run(name, func(t *testing.T) {
			o := w.object(t, "Repository", strings.ReplaceAll(strings.ToLower(name), " ", "-"), "type: git, git: {repo: x, "+tc.before+"}")
			if err := w.Create(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			o.Object["spec"] = value(t, "{type: git, git: {repo: z, "+tc.after+"}}")
			if diff := cmp.Diff(tc.want, faults(t, w.Update(t.Context(), o))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
