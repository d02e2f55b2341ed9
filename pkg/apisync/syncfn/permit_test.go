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

// permitItems are a consumer's object, with a name or namespace that it chooses, and the objects of both sides that it may mean.
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

// TestPermits has consumers choose what they can, in every way that there is to say what is related.
func TestPermits(t *testing.T) {
	const ref, deny, ok = "{reference: {path: spec.it}}", "allowedNames", ""
	entry := func(origin, object, more string) string {
		return "origin: " + origin + ", resource: secrets, object: " + object + more
	}
	for name, tc := range map[string]struct{ reason, related, chosen, want string }{
		"write by reference":           {"a bare name is the provider's", entry("kcp", ref, ""), "theirs", deny},
		"read by reference":            {"likewise", entry("service", ref, ""), "root", deny},
		"read what is not there":       {"what is there does not matter: nobody learns it", entry("service", ref, ""), "none", deny},
		"read what is its own":         {"what begins with the name of the copy is its own", entry("service", ref, ""), "copy-o-tls", ok},
		"alike":                        {"whole words, that is", entry("service", ref, ""), "copy-other", deny},
		"allowed":                      {"what the author allows", entry("service", ref, ", allowedNames: ['r*t']"), "root", ok},
		"not by that":                  {"and nothing else", entry("service", ref, ", allowedNames: ['r*t', 'a*b*c']"), "roots", deny},
		"by a regex":                   {"changed it is chosen still", entry("service", "{reference: {path: spec.it, regex: {pattern: ^x, replacement: r}}}", ""), "xoot", deny},
		"by a constant regex":          {"what becomes a constant is the author's", entry("service", "{reference: {path: spec.it, regex: {replacement: root}}}", ""), "x", ok},
		"by a template":                {"a template may be a bare name", entry("service", "{template: {template: '{{ .Object.spec.it }}'}}", ""), "root", deny},
		"by a template with a prefix":  {"what else is in it is a pattern to allow", entry("service", "{template: {template: 'ro{{ .Object.spec.it }}'}}", ""), "ot", deny},
		"by a constant template":       {"the author's", entry("service", "{template: {template: root}}", ""), "x", ok},
		"by the copy's name":           {"which is the author's naming", entry("service", "{template: {template: '{{ .Object.metadata.name }}-tls'}}", ""), "x", ok},
		"by a condition":               {"what decides is the consumer's", entry("service", "{template: {template: '{{ if .Object.spec.it }}root{{ end }}'}}", ""), "x", deny},
		"by a selector":                {"labels are the provider's", entry("service", "{selector: {matchLabels: {app: vault}, rewrite: {regex: {pattern: ^, replacement: got-}}}}", ""), "x", ok},
		"by a label's value":           {"unless the consumer says which", entry("service", "{selector: {matchLabels: {app: '{{ .RemoteObject.spec.it }}'}, rewrite: {regex: {pattern: ^, replacement: got-}}}}", ""), "vault", deny},
		"by the copy's label":          {"or they name the copy", entry("service", "{selector: {matchLabels: {for: '{{ .LocalObject.metadata.name }}'}, rewrite: {regex: {pattern: ^, replacement: got-}}}}", ""), "x", ok},
		"write by a rewrite":           {"the consumer names what is rewritten", entry("kcp", "{selector: {matchLabels: {go: along}, rewrite: {template: {template: '{{ .Value }}'}}}}", ""), "x", deny},
		"write below the copy":         {"the recommended way", entry("kcp", "{selector: {matchLabels: {go: along}, rewrite: {template: {template: '{{ .LocalObject.metadata.name }}-{{ .Value }}'}}}}", ""), "x", ok},
		"read another namespace":       {"by a field", entry("service", "{template: {template: root}, namespace: "+ref+"}", ""), "elsewhere", "allowedSourceNamespaces"},
		"read it where the source may": {"the destination counts as well", entry("service", "{template: {template: root}, namespace: "+ref+"}", ", allowedSourceNamespaces: ['*']"), "elsewhere", "allowedNamespaces"},
		"read it where both may":       {"as the author wants", entry("service", "{template: {template: root}, namespace: "+ref+"}", ", allowedSourceNamespaces: ['*'], allowedNamespaces: [elsewhere]"), "elsewhere", ok},
		"write another namespace":      {"from the consumer's own side, too", entry("kcp", "{template: {template: theirs}, namespace: "+ref+"}", ", allowedNamespaces: ['*']"), "accounts", "allowedSourceNamespaces"},
		"namespace by a template":      {"the author's", entry("service", "{template: {template: root}, namespace: {template: {template: elsewhere}}}", ""), "x", ok},
		"system":                       {"no pattern is enough", entry("kcp", "{template: {template: theirs}, namespace: "+ref+"}", ", allowedNamespaces: ['*'], allowedSourceNamespaces: ['*']"), "kube-system", "the system's"},
		"system of waybill":            {"nor there", entry("kcp", "{template: {template: theirs}, namespace: "+ref+"}", ", allowedNamespaces: ['*'], allowedSourceNamespaces: ['*']"), "waybill-sync", "the system's"},
		"system by a selector":         {"whoever selects", entry("kcp", "{template: {template: theirs}, namespace: {selector: {matchLabels: {go: along}, rewrite: {regex: {replacement: copies}}}}}", ""), "x", "the system's"},
		"namespaces that go along":     {"a Namespace is one, too", "origin: kcp, resource: namespaces, object: " + ref + ", allowedNames: ['*']", "kube-system", "the system's"},
		"namespaces that are in full":  {"where it is named", "origin: kcp, resource: namespaces, object: " + ref + ", allowedNames: [kube-system]", "kube-system", ok},
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

// untouched holds that objects that sync did not make are there, as they were but for names of sync.
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
