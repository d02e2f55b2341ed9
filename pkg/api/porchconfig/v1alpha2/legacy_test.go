package v1alpha2_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig/v1alpha2"
	"github.com/waybill-dev/waybill/pkg/krm"
)

const (
	legacyHeader = "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariantSet\nmetadata: {name: upf, namespace: fleet, labels: {a: b}}\n"
	legacyGood   = "spec: {upstream: {package: {repo: b, name: upf}, revision: v3}, targets: [{package: {repo: e, name: edge}}]}\n"
)

// legacy is a set whose only target is given.
func legacy(target string) string {
	return legacyHeader + "spec: {upstream: {package: {repo: b, name: upf}, revision: v3}, targets: [{" + target + "}]}\n"
}

func TestFromLegacy(t *testing.T) {
	const start = "{upstream: {repo: b, package: upf, revision: 3}, targets: ["
	for name, tc := range map[string]struct{ reason, text, want string }{
		"package":  {"one package by name", legacyHeader + legacyGood, start + "{repositories: [{name: e, packageNames: [edge]}]}]}"},
		"no name":  {"the upstream's name is the default", legacy("package: {repo: e}"), start + "{repositories: [{name: e}]}]}"},
		"selector": {"Repositories by label", legacy("repositories: {matchLabels: {a: b}}"), start + "{repositorySelector: {matchLabels: {a: b}}}]}"},
		"objects": {
			"each selector is a target, with the same template", legacy("objects: {selectors: [{apiVersion: v1, kind: Site, labelSelector: {matchLabels: {a: b}}}, {apiVersion: v1, kind: Site, name: s, namespace: fleet}], repoName: {fromField: metadata.name}}"),
			start + "{objectSelector: {apiVersion: v1, kind: Site, matchLabels: {a: b}}, template: {downstream: {repoExpr: target.name}}}," +
				"{objectSelector: {apiVersion: v1, kind: Site, name: s}, template: {downstream: {repoExpr: target.name}}}]}",
		},
		"literal name": {"parts that are known are put together at once", legacy("repositories: {}, packageName: {baseName: {value: upf}, namePrefix: {value: a-}, nameSuffix: {value: -b}}"), start + "{repositorySelector: {}, template: {downstream: {package: a-upf-b}}}]}"},
		"name by expression": {
			"quotes inside a value do not end it, and labels may be in brackets",
			legacy(`repositories: {}, packageName: {namePrefix: {value: 'it"s-'}, nameSuffix: {fromField: "metadata.labels['app.kubernetes.io/name']"}}`),
			start + `{repositorySelector: {}, template: {downstream: {packageExpr: '"it\"s-" + packageDefault + target.labels["app.kubernetes.io/name"]'}}}]}`,
		},
		"dotted fields": {"labels, annotations and namespace after dots", legacy("repositories: {}, packageName: {namePrefix: {fromField: .metadata.namespace}, baseName: {fromField: metadata.labels.site}, nameSuffix: {fromField: metadata.annotations.x-y}}"),
			start + `{repositorySelector: {}, template: {downstream: {packageExpr: 'target.namespace + target.labels["site"] + target.annotations["x-y"]'}}}]}`},
		"common": {
			"what the set says of all variants goes to each target", legacyHeader + "spec: {upstream: {revision: '12'}, targets: [{repositories: {}}], adoptionPolicy: adoptExisting, deletionPolicy: orphan, labels: {a: b}, annotations: {c: d}}",
			"{upstream: {revision: 12}, targets: [{repositorySelector: {}, template: {adoptionPolicy: adoptExisting, deletionPolicy: orphan, labels: {a: b}, annotations: {c: d}}}]}",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := v1alpha2.ReadPackageVariantSet(object(t, tc.text))
			if err != nil {
				t.Fatal(err)
			}
			want, err := krm.Value(object(t, "apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: upf, namespace: fleet, labels: {a: b}}\nspec: "+tc.want).Node())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(asJSON(t, want), asJSON(t, got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestFromLegacyRefuses(t *testing.T) {
	const who, target = "PackageVariantSet fleet/upf (set.yaml): ", "spec.targets[0]"
	for name, tc := range map[string]struct{ reason, text, want string }{
		"tag": {
			"tags are not followed any more", legacyHeader + "spec: {upstream: {tag: upf/v3, revision: main}}",
			who + `[spec.upstream.tag: Invalid value: "upf/v3": name a revision or a workspace instead: v1alpha2 does not follow Git tags, ` +
				`spec.upstream.revision: Invalid value: "main": want a number such as v3: v1alpha2 counts revisions]`,
		},
		"no target":   {"a target selects something", legacy(""), who + target + ": Required value: give exactly one of package, repositories and objects"},
		"two targets": {"and one thing only", legacy("repositories: {}, objects: {}"), who + target + ": Required value: give exactly one of package, repositories and objects"},
		"no objects":  {"no selector is not all objects of all kinds", legacy("objects: {}"), who + target + ".objects.selectors: Required value: select some objects"},
		"elsewhere": {
			"a set stays in its namespace", legacy("objects: {selectors: [{kind: Site, namespace: other, annotations: {a: b}}]}"),
			who + "[" + target + `.objects.selectors[0].namespace: Invalid value: "other": v1alpha2 selects in the namespace of the set only, ` +
				target + `.objects.selectors[0].annotations: Invalid value: {"a":"b"}: v1alpha2 does not select by annotation; use labels]`,
		},
		"spec field": {
			"expressions see metadata only", legacy("objects: {selectors: [{kind: Site}], repoName: {fromField: spec.repo}}"),
			who + target + `.objects.repoName.fromField: Invalid value: "spec.repo": v1alpha2 sees metadata.name, metadata.namespace, metadata.labels and metadata.annotations only`,
		},
		"no object": {
			"a named package has no fields", legacy("package: {repo: e}, packageName: {baseName: {fromField: metadata.name}}"),
			who + target + `.packageName.baseName.fromField: Invalid value: "metadata.name": a target that names a package selects no object to take a field from`,
		},
		"two sources": {
			"it is undefined which one counts", legacy("repositories: {}, packageName: {baseName: {value: a, fromField: metadata.name}}"),
			who + target + `.packageName.baseName: Invalid value: {"value":"a","fromField":"metadata.name"}: give only one of value and fromField`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := v1alpha2.ReadPackageVariantSet(object(t, tc.text))
			if diff := cmp.Diff(tc.want, message(err)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
