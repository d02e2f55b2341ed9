package syncfn_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/apisync/syncfn"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

const permitConfig = `apiVersion: waybill.dev/v1alpha1
kind: PublishedResource
metadata: {name: orders}
spec:
  resource: {apiGroup: apps.example, kind: Copy}
  projection: {group: shop.example, kind: Source}
  naming: {name: "copy-{{ .Object.metadata.name }}", namespace: copies}
  cluster: main
  related:
  - {identifier: it, version: v1, %s}
`

// permitItems are a consumer's object, with a name or namespace that it chooses, and objects of both sides with such names.
const permitItems = randomCRD + `---
{apiVersion: shop.example/v1, kind: Source, metadata: {name: o, namespace: shop, annotations: {waybill.dev/side: source}}, spec: {it: '%[1]s'}}
---
{apiVersion: v1, kind: Secret, metadata: {name: root, namespace: copies, labels: {app: vault}, annotations: {waybill.dev/side: destination}}, data: {a: b3Vycw==}}
---
{apiVersion: v1, kind: Secret, metadata: {name: copy-o-tls, namespace: copies, labels: {for: copy-o}, annotations: {waybill.dev/side: destination}}, data: {a: b3Vycw==}}
---
{apiVersion: v1, kind: Secret, metadata: {name: root, namespace: elsewhere, annotations: {waybill.dev/side: destination}}, data: {a: b3Vycw==}}
---
{apiVersion: v1, kind: Secret, metadata: {name: theirs, namespace: shop, labels: {go: along}, annotations: {waybill.dev/side: source}}, data: {a: dGhlaXJz}}
---
{apiVersion: v1, kind: Secret, metadata: {name: theirs, namespace: accounts, annotations: {waybill.dev/side: source}}, data: {a: dGhlaXJz}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: kube-system, labels: {go: along}, annotations: {waybill.dev/side: source}}}
`

// TestPermits lets consumers choose names and namespaces in every way that an entry can give them.
func TestPermits(t *testing.T) {
	const ref, deny, ok = "{reference: {path: spec.it}}", "allowedNames", ""
	entry := func(origin, object, more string) string {
		return "origin: " + origin + ", resource: secrets, object: " + object + more
	}
	for name, tc := range map[string]struct{ reason, related, chosen, want string }{
		"write by reference":           {"a name without the prefix of the copy is refused", entry("kcp", ref, ""), "theirs", deny},
		"read by reference":            {"likewise", entry("service", ref, ""), "root", deny},
		"read a missing object":        {"the consumer does not learn whether the object exists", entry("service", ref, ""), "none", deny},
		"read below the copy":          {"a name that begins with that of the copy is allowed", entry("service", ref, ""), "copy-o-tls", ok},
		"alike":                        {"the prefix ends at a dash or a dot", entry("service", ref, ""), "copy-other", deny},
		"allowed":                      {"the author allows the name", entry("service", ref, ", allowedNames: ['r*t']"), "root", ok},
		"allowed others":               {"no pattern matches", entry("service", ref, ", allowedNames: ['r*t', 'a*b*c']"), "roots", deny},
		"by a regex":                   {"a changed name is still chosen by the consumer", entry("service", "{reference: {path: spec.it, regex: {pattern: ^x, replacement: r}}}", ""), "xoot", deny},
		"by a constant regex":          {"a constant is chosen by the author", entry("service", "{reference: {path: spec.it, regex: {replacement: root}}}", ""), "x", ok},
		"by a template":                {"a template reads a field of the consumer", entry("service", "{template: {template: '{{ .Object.spec.it }}'}}", ""), "root", deny},
		"by a template with a prefix":  {"a prefix does not change that", entry("service", "{template: {template: 'ro{{ .Object.spec.it }}'}}", ""), "ot", deny},
		"by a constant template":       {"the author chooses it", entry("service", "{template: {template: root}}", ""), "x", ok},
		"by the copy's name":           {"the author chooses the names of copies", entry("service", "{template: {template: '{{ .Object.metadata.name }}-tls'}}", ""), "x", ok},
		"by a condition":               {"a field of the consumer decides", entry("service", "{template: {template: '{{ if .Object.spec.it }}root{{ end }}'}}", ""), "x", deny},
		"by a selector":                {"the provider sets labels", entry("service", "{selector: {matchLabels: {app: vault}, rewrite: {regex: {pattern: ^, replacement: got-}}}}", ""), "x", ok},
		"by a label's value":           {"the consumer chooses the value of the label", entry("service", "{selector: {matchLabels: {app: '{{ .RemoteObject.spec.it }}'}, rewrite: {regex: {pattern: ^, replacement: got-}}}}", ""), "vault", deny},
		"by the copy's label":          {"the label has the name of the copy", entry("service", "{selector: {matchLabels: {for: '{{ .LocalObject.metadata.name }}'}, rewrite: {regex: {pattern: ^, replacement: got-}}}}", ""), "x", ok},
		"write by a rewrite":           {"the consumer chooses the name that is rewritten", entry("kcp", "{selector: {matchLabels: {go: along}, rewrite: {template: {template: '{{ .Value }}'}}}}", ""), "x", deny},
		"write below the copy":         {"the recommended way", entry("kcp", "{selector: {matchLabels: {go: along}, rewrite: {template: {template: '{{ .LocalObject.metadata.name }}-{{ .Value }}'}}}}", ""), "x", ok},
		"read another namespace":       {"a field of the consumer names it", entry("service", "{template: {template: root}, namespace: "+ref+"}", ""), "elsewhere", "allowedSourceNamespaces"},
		"read it where the source may": {"the destination must be allowed, too", entry("service", "{template: {template: root}, namespace: "+ref+"}", ", allowedSourceNamespaces: ['*']"), "elsewhere", "allowedNamespaces"},
		"read it where both may":       {"the author allows both", entry("service", "{template: {template: root}, namespace: "+ref+"}", ", allowedSourceNamespaces: ['*'], allowedNamespaces: [elsewhere]"), "elsewhere", ok},
		"write another namespace":      {"the namespace at the source must be allowed, too", entry("kcp", "{template: {template: theirs}, namespace: "+ref+"}", ", allowedNamespaces: ['*']"), "accounts", "allowedSourceNamespaces"},
		"namespace by a template":      {"the author chooses it", entry("service", "{template: {template: root}, namespace: {template: {template: elsewhere}}}", ""), "x", ok},
		"system":                       {"no pattern is enough", entry("kcp", "{template: {template: theirs}, namespace: "+ref+"}", ", allowedNamespaces: ['*'], allowedSourceNamespaces: ['*']"), "kube-system", "a system namespace"},
		"system of waybill":            {"for namespaces of Waybill, too", entry("kcp", "{template: {template: theirs}, namespace: "+ref+"}", ", allowedNamespaces: ['*'], allowedSourceNamespaces: ['*']"), "waybill-sync", "a system namespace"},
		"system by a selector":         {"a selector does not change that", entry("kcp", "{template: {template: theirs}, namespace: {selector: {matchLabels: {go: along}, rewrite: {regex: {replacement: copies}}}}}", ""), "x", "a system namespace"},
		"a related Namespace":          {"its name is checked as well", "origin: kcp, resource: namespaces, object: " + ref + ", allowedNames: ['*']", "kube-system", "a system namespace"},
		"a Namespace in full":          {"its full name is allowed", "origin: kcp, resource: namespaces, object: " + ref + ", allowedNames: [kube-system]", "kube-system", ok},
	} {
		t.Run(name, func(t *testing.T) {
			config := read(t, fmt.Sprintf(permitConfig, tc.related))[0]
			in := &fn.Input{Items: read(t, fmt.Sprintf(permitItems, tc.chosen)), Config: config}
			out := syncfn.Function.Apply(t.Context(), in)
			copied, said := 0, fmt.Sprint(out.Results)
			for _, o := range out.Items {
				if o.Annotation("waybill.dev/edge") == "it" {
					copied++
				}
			}
			switch {
			case tc.want == ok && (out.Failed() || copied != 1):
				t.Errorf("%s: %d copies; %s", tc.reason, copied, said)
			case tc.want != ok && (copied > 0 || !strings.Contains(said, tc.want)):
				t.Errorf("%s: %d copies; want %q in %s", tc.reason, copied, tc.want, said)
			}
			untouched(t, in.Items, out.Items)
		})
	}
}

// untouched checks that Secrets which sync did not create exist with their data.
func untouched(t *testing.T, before, after []*krm.Object) {
	t.Helper()
	now := map[string]string{}
	for _, o := range after {
		if o.Kind() == "Secret" {
			now[o.Annotation("waybill.dev/side")+" "+o.ID().String()] = o.String("data", "a")
		}
	}
	for _, o := range before {
		if have := now[o.Annotation("waybill.dev/side")+" "+o.ID().String()]; o.Kind() == "Secret" && have != o.String("data", "a") {
			t.Errorf("%s was changed, or is gone: %q", o.ID(), have)
		}
	}
}
