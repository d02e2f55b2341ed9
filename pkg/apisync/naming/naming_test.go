package naming_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/apisync/naming"
)

func source(namespace, name string) naming.Source {
	metadata := map[string]any{"name": name}
	if namespace != "" {
		metadata["namespace"] = namespace
	}
	return naming.Source{
		Object: map[string]any{
			"apiVersion": "shop.example.org/v1", "kind": "Order", "metadata": metadata,
			"spec": map[string]any{"id": int64(9007199254740993), "secret": "s3cr3t!", "list": []any{"s3cr3t!"}, "bad": "Not_A_Name", "words": "<no value>"},
		},
		ClusterName: "2hk8r1q9", ClusterPath: "root:org:team", Namespaced: true,
	}
}

func TestName(t *testing.T) {
	const hashes = "7905517ec3a404ce1933-fe3e9668e34e13e2a6cd"
	clustered := source("", "orders")
	alone := source("retail", "orders")
	alone.Namespaced = false
	retail := source("retail", "orders")
	cases := map[string]struct {
		reason string
		config *waybill.PublishedNaming
		source naming.Source
		want   string
		fails  string
	}{
		"Default":            {reason: "the names of existing copies", source: retail, want: "2hk8r1q9/" + hashes},
		"Empty":              {reason: "each part has its default", config: &waybill.PublishedNaming{}, source: retail, want: "2hk8r1q9/" + hashes},
		"Clustered":          {reason: "no namespace counts as the empty one", source: clustered, want: "2hk8r1q9/a7ffc6f8bf1ed76651c1-fe3e9668e34e13e2a6cd"},
		"Discarded":          {reason: "copies have no namespace", source: alone, want: "/" + hashes},
		"DiscardedMissing":   {reason: "the result for the namespace does not matter", config: &waybill.PublishedNaming{Namespace: "{{ .Object.nowhere }}!"}, source: alone, want: "/" + hashes},
		"DiscardedFails":     {reason: "but its errors do", config: &waybill.PublishedNaming{Namespace: "{{ fail \"no\" }}"}, source: alone, fails: "spec.naming.namespace: namespace: line 1, column 3: it calls fail: no"},
		"Template":           {reason: "all data of templates", config: &waybill.PublishedNaming{Name: " {{ .Object.metadata.name }}-{{ .Object.spec.id }}\n", Namespace: "{{ .ClusterPath | replace \":\" \"-\" }}"}, source: retail, want: "root-org-team/orders-9007199254740993"},
		"Placeholders":       {reason: "the old notation", config: &waybill.PublishedNaming{Name: "$remoteNamespaceHash-$remoteNameHash", Namespace: "$remoteClusterName"}, source: retail, want: "2hk8r1q9/46bb7e3c2f0d01a3aa4a-9658403816409e66eba2"},
		"PlaceholdersPlain":  {reason: "the longer one first", config: &waybill.PublishedNaming{Name: "$remoteNamespace-$remoteName.$remoteNameHash", Namespace: "a-$remoteNamespace"}, source: retail, want: "a-retail/retail-orders.9658403816409e66eba2"},
		"PlaceholdersOnce":   {reason: "a value is not searched for placeholders", config: &waybill.PublishedNaming{Name: "a$remoteName", Namespace: "b"}, source: source("retail", "$remoteNamespace"), fails: "spec.naming.name: the result, of 17 bytes, is not valid: "},
		"PlaceholdersNone":   {reason: "a constant is a name", config: &waybill.PublishedNaming{Name: "one"}, source: retail, want: "2hk8r1q9/one"},
		"PlaceholdersNoName": {reason: "an object without a name has none for its copy", config: &waybill.PublishedNaming{Name: "$remoteNameHash"}, source: source("retail", ""), fails: "spec.naming.name: the result contains a value that the object does not have"},
		"Missing":            {reason: "a missing value is no part of a name", config: &waybill.PublishedNaming{Name: "a-{{ .Object.spec.nothing }}b"}, source: retail, fails: "spec.naming.name: the result contains a value that the object does not have"},
		"MissingNamespace":   {reason: "nor of a namespace", config: &waybill.PublishedNaming{Namespace: "a-{{ .Object.spec.nothing }}b"}, source: retail, fails: "spec.naming.namespace: the result contains a value that the object does not have"},
		"MissingDefault":     {reason: "but a default is", config: &waybill.PublishedNaming{Name: "a-{{ .Object.spec.nothing | default \"b\" }}"}, source: retail, want: "2hk8r1q9/a-b"},
		"Literal":            {reason: "a text that looks like a missing value is not valid", config: &waybill.PublishedNaming{Name: "{{ .Object.spec.words }}"}, source: retail, fails: "spec.naming.name: the result, of 10 bytes, is not valid: "},
		"Subdomain":          {reason: "names may have dots", config: &waybill.PublishedNaming{Name: "a.b"}, source: retail, want: "2hk8r1q9/a.b"},
		"Label":              {reason: "namespaces may not", config: &waybill.PublishedNaming{Namespace: "a.b"}, source: retail, fails: "spec.naming.namespace: the result, of 3 bytes, is not valid: "},
		"TooLong":            {reason: "nor be long", config: &waybill.PublishedNaming{Namespace: strings.Repeat("a", 64)}, source: retail, fails: "spec.naming.namespace: the result, of 64 bytes"},
		"Nothing":            {reason: "nothing is no name", config: &waybill.PublishedNaming{Name: "{{ \" \" }}"}, source: retail, fails: "spec.naming.name: the result, of 0 bytes, is not valid: "},
		"Invalid":            {reason: "an error does not show the value", config: &waybill.PublishedNaming{Name: "{{ .Object.spec.secret }}"}, source: retail, fails: "spec.naming.name: the result, of 7 bytes, is not valid: "},
		"Broken":             {reason: "nor does an error of a function", config: &waybill.PublishedNaming{Name: "{{ semver .Object.spec.secret }}"}, source: retail, fails: "spec.naming.name: name: line 1, column 3: semver cannot be worked out"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			n, err := naming.New(tc.config)
			if err != nil {
				t.Fatal(err)
			}
			namespace, copied, err := n.Name(t.Context(), tc.source)
			if tc.fails != "" {
				if err == nil || !strings.HasPrefix(err.Error(), tc.fails) || strings.Contains(err.Error(), "s3cr3t") || namespace+copied != "" {
					t.Errorf("%s: want the error %s\ngot %q, %v", tc.reason, tc.fails, namespace+"/"+copied, err)
				}
				return
			}
			if diff := cmp.Diff(tc.want, namespace+"/"+copied); diff != "" || err != nil {
				t.Errorf("%s: %v\n-want +got:\n%s", tc.reason, err, diff)
			}
		})
	}
}

func TestNewFaults(t *testing.T) {
	_, err := naming.New(&waybill.PublishedNaming{Name: "{{ now }}", Namespace: "{{ .ClusterName"})
	const want = `[spec.naming.name: Invalid value: line 1: function "now" not defined, spec.naming.namespace: Invalid value: line 1: unclosed action]`
	if err == nil || err.Error() != want {
		t.Errorf("all faults at once\nwant %s\ngot  %v", want, err)
	}
}

func BenchmarkName(b *testing.B) {
	n, err := naming.New(nil)
	if err != nil {
		b.Fatal(err)
	}
	s := source("retail", "orders")
	if namespace, name, err := n.Name(b.Context(), s); err != nil || namespace != "2hk8r1q9" || len(name) != 41 {
		b.Fatal(namespace, name, err)
	}
	b.ReportAllocs()
	for b.Loop() {
		n.Name(b.Context(), s)
	}
}
