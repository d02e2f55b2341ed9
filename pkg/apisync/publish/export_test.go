package publish_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/apisync/publish"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// offer offers a schema that has only a name.
func offer(t *testing.T, name, schema, more string) publish.Offer {
	t.Helper()
	return publish.Offer{Resource: published(t, name, shopOrder, more), Schema: object(t, "{apiVersion: apis.kcp.io/v1alpha1, kind: APIResourceSchema, metadata: {name: "+schema+"}}")}
}

const export = "apiVersion: apis.kcp.io/v1alpha1\nkind: APIExport\nmetadata:\n  name: shop\n"

const events = "  permissionClaims:\n  - resource: events\n    all: true\n"

func TestExport(t *testing.T) {
	type input struct {
		existing string
		offers   []publish.Offer
	}
	related := func(entry string) string {
		return ", related: [{identifier: a, object: {template: {template: a}}, " + entry + "}]"
	}
	for name, tc := range map[string]struct {
		reason string
		input
		want string
	}{
		"first": {"an empty export", input{export, []publish.Offer{offer(t, "a", "v1.orders.shop", "")}},
			export + "spec:\n  latestResourceSchemas:\n  - v1.orders.shop\n" + events},
		"null": {"an export with null", input{export + "spec: {latestResourceSchemas: null}\n", []publish.Offer{offer(t, "a", "v1.orders.shop", "")}},
			export + "spec: {latestResourceSchemas: [v1.orders.shop], permissionClaims: [{resource: events, all: true}]}\n"},
		"empty": {"lists without entries", input{export + "spec:\n  latestResourceSchemas: []\n  permissionClaims: []\n", []publish.Offer{offer(t, "a", "v1.orders.shop", "")}},
			export + "spec:\n  latestResourceSchemas:\n  - v1.orders.shop\n" + events},
		"replaced": {"own entries replace those of the same type, foreign ones stay, all are sorted by type", input{
			export + "spec:\n  latestResourceSchemas:\n  - v9.zebras.zoo # theirs\n  - v1.orders.shop\n  - v8.orders.office\n  - v2.orders.shop\n",
			[]publish.Offer{offer(t, "a", "v3.orders.shop", ""), offer(t, "b", "v1.bills.shop", "")}},
			export + "spec:\n  latestResourceSchemas:\n  - v1.bills.shop\n  - v8.orders.office\n  - v3.orders.shop\n  - v9.zebras.zoo # theirs\n" + events},
		"related": {"claims are of what consumers see", input{export, []publish.Offer{offer(t, "a", "v1.orders.shop",
			related("origin: service, version: v1, resource: secrets, projection: {group: vault, resource: keys}"))}},
			export + "spec:\n  latestResourceSchemas:\n  - v1.orders.shop\n" + events + "  - resource: namespaces\n    all: true\n  - group: vault\n    resource: keys\n    all: true\n"},
		"related kcp": {"claims are of the types that consumers write", input{export, []publish.Offer{offer(t, "a", "v1.orders.shop",
			related("origin: kcp, group: db, version: v1, resource: bases, identityHash: abc, projection: {group: x, resource: ys}"))}},
			export + "spec:\n  latestResourceSchemas:\n  - v1.orders.shop\n" + events + "  - resource: namespaces\n    all: true\n  - group: db\n    resource: bases\n    identityHash: abc\n    all: true\n"},
		"provided": {"the export's own types are not claimed", input{export + "spec:\n  latestResourceSchemas:\n  - v1.secrets.core\n", []publish.Offer{
			offer(t, "a", "v1.orders.shop", related("origin: kcp, kind: Secret")), offer(t, "b", "v1.bills.shop", related("origin: service, group: shop, version: v1, resource: orders"))}},
			export + "spec:\n  latestResourceSchemas:\n  - v1.bills.shop\n  - v1.orders.shop\n  - v1.secrets.core\n" + events + "  - resource: namespaces\n    all: true\n"},
		"filter": {"namespaces are read", input{export, []publish.Offer{offer(t, "a", "v1.orders.shop", ", filter: {namespace: {}}")}},
			export + "spec:\n  latestResourceSchemas:\n  - v1.orders.shop\n" + events + "  - resource: namespaces\n    all: true\n"},
		"filter resource": {"no namespaces are read", input{export, []publish.Offer{offer(t, "a", "v1.orders.shop", ", filter: {resource: {}}")}},
			export + "spec:\n  latestResourceSchemas:\n  - v1.orders.shop\n" + events},
		"paths": {"paths are read from logical clusters", input{export, []publish.Offer{offer(t, "a", "v1.orders.shop", ", enableWorkspacePaths: true")}},
			export + "spec:\n  latestResourceSchemas:\n  - v1.orders.shop\n" + events + "  - group: core.kcp.io\n    resource: logicalclusters\n    all: true\n"},
		"claims stay": {"as they are, in order", input{export + "spec:\n  permissionClaims:\n  - group: z\n    resource: a\n    all: true\n  - resource: events # few\n    resourceSelector: [{name: x}]\n  - resource: configmaps\n    all: true\n", []publish.Offer{offer(t, "a", "v1.orders.shop", "")}},
			export + "spec:\n  permissionClaims:\n  - resource: configmaps\n    all: true\n  - resource: events # few\n    resourceSelector: [{name: x}]\n  - group: z\n    resource: a\n    all: true\n  latestResourceSchemas:\n  - v1.orders.shop\n"},
		"aliases": {"an alias that moves is replaced by its value", input{export + "spec:\n  latestResourceSchemas: [&z v1.zebras.zoo, v1.cats.zoo]\n  permissionClaims: [{resource: events, all: true}]\nstatus: {a: *z}\n", []publish.Offer{offer(t, "a", "v1.orders.shop", "")}},
			export + "spec:\n  latestResourceSchemas: [v1.cats.zoo, v1.orders.shop, v1.zebras.zoo]\n  permissionClaims: [{resource: events, all: true}]\nstatus: {a: v1.zebras.zoo}\n"},
		"odd names": {"an invalid name is sorted by its text", input{export + "spec:\n  latestResourceSchemas: [zebra, v1.bills.shop]\n", []publish.Offer{offer(t, "a", "v1.orders.shop", "")}},
			export + "spec:\n  latestResourceSchemas: [v1.bills.shop, v1.orders.shop, zebra]\n" + events},
	} {
		t.Run(name, func(t *testing.T) {
			existing := object(t, tc.existing)
			before := text(t, existing)
			got := exported(t, existing, tc.offers)
			if diff := cmp.Diff(tc.want, text(t, got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(before, text(t, existing)); diff != "" {
				t.Errorf("%s: the old export is changed (-before +after):\n%s", tc.reason, diff)
			}
			if again := exported(t, got, tc.offers); again != got {
				t.Errorf("%s: a second run changes something:\n%s", tc.reason, text(t, again))
			}
			slices.Reverse(tc.offers)
			if diff := cmp.Diff(tc.want, text(t, exported(t, existing, tc.offers))); diff != "" {
				t.Errorf("%s: the order of offers matters (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.want, text(t, exported(t, got, nil))); diff != "" {
				t.Errorf("%s: entries of a PublishedResource that no longer exists do not stay (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func exported(t *testing.T, existing *krm.Object, offers []publish.Offer) *krm.Object {
	t.Helper()
	got, err := publish.Export(existing, offers...)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestExportRefuses(t *testing.T) {
	const here = "APIExport shop (crd.yaml): "
	vault := func(name, schema, hash string) publish.Offer {
		return offer(t, name, schema, ", related: [{identifier: a, origin: kcp, group: vault, version: v1, resource: keys, identityHash: "+hash+", object: {template: {template: a}}}]")
	}
	for name, tc := range map[string]struct {
		reason, existing string
		offers           []publish.Offer
		want             string
	}{
		"two of one": {"an object would have two owners", export, []publish.Offer{offer(t, "b", "v1.orders.shop", ""), offer(t, "a", "v2.orders.shop", "")}, here + "the PublishedResources a and b both offer orders.shop; change the projection of one"},
		"identities": {"a claim has one", export, []publish.Offer{vault("a", "v1.a.b", "abc"), vault("b", "v1.b.b", "def")}, here + `keys.vault is claimed with identityHash "abc", and related objects want "def"; change one of them`},
		"identity":   {"and one that is there stays as it is", export + "spec: {permissionClaims: [{group: vault, resource: keys, all: true}]}\n", []publish.Offer{vault("a", "v1.a.b", "abc")}, here + `keys.vault is claimed with identityHash "", and related objects want "abc"; change one of them`},
		"other kind": {"the error says which kind is needed", "{apiVersion: v1, kind: ConfigMap, metadata: {name: shop}}", nil, "ConfigMap shop (crd.yaml): want an APIExport of apis.kcp.io/v1alpha1, got v1"},
		"version":    {"the next version says it in other fields", swap(t, export, "v1alpha1", "v1alpha2"), nil, here + "want an APIExport of apis.kcp.io/v1alpha1, got apis.kcp.io/v1alpha2"},
		"faults": {"all at once", export + "spec: {latestResourceSchemas: [1, {}], permissionClaims: [x, {}, {resource: 1}, {resource: a, group: 2}]}\n", nil,
			here + "[spec.latestResourceSchemas[0]: Invalid value: want the name of a schema, spec.latestResourceSchemas[1]: Invalid value: want the name of a schema, spec.permissionClaims[0]: Invalid value: want a map, " +
				"spec.permissionClaims[1].resource: Required value: want text, spec.permissionClaims[2].resource: Invalid value: want text, spec.permissionClaims[3].group: Invalid value: want text]"},
		"no lists": {"lists are lists", export + "spec: {latestResourceSchemas: a, permissionClaims: {}}\n", nil, here + "[spec.latestResourceSchemas: Invalid value: want a list, spec.permissionClaims: Invalid value: want a list]"},
		"no spec":  {"a spec is a map", export + "spec: []\n", nil, here + "spec: Invalid value: want a map"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := publish.Export(object(t, tc.existing), tc.offers...)
			if diff := cmp.Diff(tc.want, said(err)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
	if _, err := publish.Export(nil); said(err) != "there is no APIExport; make one, its spec may be empty" {
		t.Errorf("got %v", err)
	}
}
