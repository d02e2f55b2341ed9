package v1alpha2_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/krm"
)

const (
	header   = "apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: upf, namespace: fleet}\n"
	upstream = "upstream: {repo: b, package: upf, workspaceName: v3}, "
)

func object(t testing.TB, text string) *krm.Object {
	t.Helper()
	objects, err := krm.Read("set.yaml", []byte(text), krm.Limits{})
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

// templated is a spec that is good but for its only target's template.
func templated(template string) string {
	return upstream + "targets: [{repositorySelector: {}, template: {" + template + "}}]"
}

const (
	one  = "spec.targets[0]"
	tmpl = "spec.targets[0].template"
)

func TestValidate(t *testing.T) {
	for name, tc := range map[string]struct {
		reason, spec string
		want         []string
	}{
		"good":     {"the least that is needed", upstream + "targets: [{repositorySelector: {}}]", nil},
		"revision": {"a number will do", "upstream: {repo: b, package: upf, revision: 3}, targets: [{repositories: [{name: e}]}]", nil},
		"follow":   {"a range stands for both", "upstream: {repo: b, package: upf, follow: '>=2'}, targets: [{repositories: [{name: e}]}]", nil},
		"follow wrong": {"a range is looked at as a variant's is", "upstream: {repo: b, package: upf, follow: '>5 <3', revision: 1}, targets: [{repositorySelector: {}}]", []string{
			"spec.upstream.follow excludes spec.upstream.revision and spec.upstream.workspaceName",
			`spec.upstream.follow must be "latest" or a range of revision numbers such as ">=2 <5": no revision number is in ">5 <3"`,
		}},
		"empty": {"parts that are missing as a whole", "", []string{"spec.upstream is a required field", "must specify at least one item in spec.targets"}},
		"upstream": {"all faults, package first", "upstream: {}, targets: []", []string{
			"spec.upstream.package is a required field", "spec.upstream.repo is a required field",
			"either spec.upstream.revision or spec.upstream.workspaceName must be specified", "must specify at least one item in spec.targets",
		}},
		"no repositories": {"an empty list selects nothing and is a mistake", upstream + "targets: [{repositories: []}]", []string{one + ".repositories must not be an empty list if specified"}},
		"no names":        {"nor is an empty list of names none", upstream + "targets: [{repositories: [{name: e, packageNames: []}]}]", []string{one + ".repositories[0].packageNames must not be an empty list if specified"}},
		"null names":      {"nor is a list whose names are all comments", upstream + "targets: [{repositories: [{name: e, packageNames: }]}]", []string{one + ".repositories[0].packageNames must not be an empty list if specified"}},
		"repositories": {"indices lead to the fault", upstream + "targets: [{repositories: [{name: e}, {packageNames: ['']}]}]", []string{
			one + ".repositories[1].name cannot be empty", one + ".repositories[1].packageNames[0] cannot be empty",
		}},
		"objects": {"a kind is needed, labels are not", upstream + "targets: [{objectSelector: {}}]", []string{
			one + ".objectselector.apiVersion cannot be empty", one + ".objectselector.kind cannot be empty",
		}},
		"no selector":  {"nothing is selected by default", upstream + "targets: [{}]", []string{one + " must specify one of `repositories`, `repositorySelector`, or `objectSelector`"}},
		"two selector": {"what two selectors mean together is undefined", upstream + "targets: [{repositories: [{name: e}], repositorySelector: {}}]", []string{one + " must specify one of `repositories`, `repositorySelector`, or `objectSelector`"}},
		"policies":     {"the words of a set differ from those of a variant", templated("adoptionPolicy: x, deletionPolicy: y"), []string{tmpl + `.adoptionPolicy can only be "adoptNone" or "adoptExisting"`, tmpl + `.deletionPolicy can only be "orphan" or "delete"`}},
		"downstream": {"a name has one source", templated("downstream: {repo: a, repoExpr: b, package: c, packageExpr: d}"), []string{
			tmpl + " may specify only one of `downstream.repo` and `downstream.repoExpr`", tmpl + " may specify only one of `downstream.package` and `downstream.packageExpr`",
		}},
		"maps": {"wherever entries are made", templated("labelExprs: [{key: a, keyExpr: b, value: c, valueExpr: d}], annotationExprs: [{key: a, keyExpr: b}], packageContext: {dataExprs: [{value: a, valueExpr: b}]}"), []string{
			tmpl + ".labelExprs[0] may specify only one of `key` and `keyExpr`", tmpl + ".labelExprs[0] may specify only one of `value` and `valueExpr`",
			tmpl + ".annotationExprs[0] may specify only one of `key` and `keyExpr`", tmpl + ".packageContext.dataExprs[0] may specify only one of `value` and `valueExpr`",
		}},
		"reserved": {"every variant would be refused for it", templated("packageContext: {data: {name: x}, removeKeys: [package-path]}"), []string{
			tmpl + `.packageContext.data: Invalid value: {"name":"x"}: must not contain the key "name"`,
			tmpl + `.packageContext.removeKeys: Invalid value: ["package-path"]: must not contain the key "package-path"`,
		}},
		"injectors": {"exactly one name", templated("injectors: [{name: a, nameExpr: b}, {kind: c}]"), []string{
			tmpl + ".injectors[0] may specify only one of `name` and `nameExpr`", tmpl + ".injectors[1] must specify either `name` or `nameExpr`",
		}},
		"pipeline": {"an executable has no image, so it is refused", templated("pipeline: {mutators: [{exec: a, name: b.c}], validators: [{image: d, configMapExprs: [{key: e, keyExpr: f}]}]}"), []string{
			tmpl + ".pipeline.mutators[0].image must not be empty", tmpl + ".pipeline.mutators[0].name must not contain '.'",
			tmpl + ".pipeline.validators[0].configMapExprs[0] may specify only one of `key` and `keyExpr`",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			set, err := v1alpha2.ReadPackageVariantSet(object(t, header+"spec: {"+tc.spec+"}\n"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Join(tc.want, "; "), message(set.Validate())); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
