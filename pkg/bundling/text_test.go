package bundling

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/bundling/ocmcheck"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// checkText compares the text of every work with what its nodes are written as, by the YAML library.
func checkText(t rapid.TB, works []*krm.Object) {
	direct, err := krm.Write(works)
	if err != nil {
		t.Fatal(err)
	}
	again := make([]*krm.Object, len(works))
	for i, w := range works {
		again[i] = krm.FromNode(w.DeepCopy().Node())
	}
	if d := cmp.Diff(library(t, again), string(direct)); d != "" {
		t.Fatalf("nodes and text differ (-nodes +text):\n%s", d)
	}
}

// library writes works by way of the YAML library alone: a comment keeps the plain writer off.
func library(t rapid.TB, works []*krm.Object) string {
	const comment = "# keeps the plain writer off"
	if len(works) == 0 {
		return ""
	}
	last := works[len(works)-1].WithoutOrchestration().DeepCopy()
	first := last.Node().Content[0]
	first.HeadComment = strings.TrimPrefix(first.HeadComment+"\n"+comment, "\n")
	data, err := krm.Write(append(works[:len(works)-1:len(works)-1], last))
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(string(data), comment+"\n")
	return text + string(data[len(text)+len(comment)+1:])
}

func TestTextOfGoldenCases(t *testing.T) {
	for _, file := range goldenCases(t) {
		config, items := goldenInput(t, file)
		in, sane := readInput(config, items, krm.Limits{})
		if !sane {
			t.Fatalf("%s cannot be read", file)
		}
		checkText(t, ocmcheck.Works(applyChecked(t, in).Items))
	}
}

// TestTextOfAnyValue fills any value into every kind of place: behind a key, in a list, in a list of
// lists, behind a key too long for its line, several times.
func TestTextOfAnyValue(t *testing.T) {
	long := strings.Repeat("k", 200)
	object := `apiVersion: v1
kind: ConfigMap
metadata:
  namespace: shop
  name: c
  annotations: {control.kubestellar.io/expand-templates: "true", note: "{{.v}}"}
data:
  v: "{{.v}}"
  "odd: key": "{{.v}}"
  Gap0Here: Gap1Here
  ` + long + `: "{{.v}}"
list:
- "{{.v}}"
- - "{{.w}}"
  - x
- k: "{{.v}}"
  l: ["{{.w}}", [], {}]
- - - k: {m: "{{.v}}"}
`
	rapid.Check(t, func(r *rapid.T) {
		v, w := anyString().Draw(r, "v"), anyString().Draw(r, "w")
		items := fntest.Parse(t, "in.yaml", []byte(object))
		items = append(items, fleetOf(t, map[string]string{"v": v, "w": w})...)
		out := applyChecked(t, &fn.Input{Items: items})
		if out.Failed() {
			r.Fatal(out.Results)
		}
		checkText(r, ocmcheck.Works(out.Items))
	})
}

// fleetOf is a Binding of ConfigMap shop/c to two clusters that have those properties.
func fleetOf(t *testing.T, properties map[string]string) []*krm.Object {
	items := fntest.Parse(t, "fleet.yaml", []byte(`apiVersion: control.kubestellar.io/v1alpha1
kind: Binding
metadata: {name: shop}
spec:
  workload:
    namespaceScope:
    - {group: "", version: v1, resource: configmaps, namespace: shop, name: c, resourceVersion: ""}
  destinations: [{clusterId: edge1}, {clusterId: edge2}]
---
apiVersion: fn.waybill.dev/v1alpha1
kind: Inventory
metadata: {name: fleet}
spec:
  clusters: [{name: edge1}, {name: edge2}]
`))
	clusters := items[1].Lookup("spec", "clusters")
	for _, c := range clusters.Content {
		m := krm.MapNode()
		for _, key := range []string{"v", "w"} {
			value := krm.StringNode(properties[key])
			value.Style = yaml.DoubleQuotedStyle
			krm.SetField(m, key, value)
		}
		krm.SetField(c, "properties", m)
	}
	return items
}

func anyString() *rapid.Generator[string] {
	odd := []string{"", "yes", "on", "~", "1", "1:30", "0x1", ".5", "+1", "a: b", "# a", "a #b", "<a>&b", "{{.x}}", "- a", "a\nb", "a\nb\n",
		" a", "a ", "a \nb", "\na", "\n", "a\tb\n", "2026-01-02", "=", "<<", "!x", "*x", "&x", "?", ":", "\u2028", "é", "null", "N", "%a", "@a", "`a", "a\n\n\nb\n\n"}
	return rapid.OneOf(rapid.SampledFrom(odd), rapid.StringMatching(`[a-z<>&"\\ \n:#-]{0,12}`))
}
